"""Laying a known face onto a photograph: it comes to lie exactly, whatever its size."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest

from vision.outline import Corners
from vision.pergamon.faces import face
from vision.photo import Pixels
from vision.register import FINE, Face, Layers, corners_of, placing_of, pulled

EDGE_OF_A_LAYER = FINE * 2**1.7
"""The side in pixels: smaller faces are cut from the half of the photograph, larger ones from the quarter."""

SOFT = 1.5


def _photograph(card: Face, side: float) -> tuple[Pixels, Corners]:
    """The face on a grey table, turned a little, its area that of a square with this side."""
    corners = np.array([[80, 110], [400, 80], [430, 400], [110, 430]], np.float32)
    corners *= side / math.sqrt(cv2.contourArea(corners))
    high, wide = card.drawing.shape[:2]
    ends = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(ends, corners)
    smooth = cv2.GaussianBlur(card.drawing, (0, 0), 0.4 * wide / side)
    size = (round(side * 1.7), round(side * 1.7))
    drawn = cv2.warpPerspective(smooth, matrix, size, borderValue=(140, 140, 140))
    return np.asarray(cv2.GaussianBlur(drawn, (0, 0), SOFT), np.uint8), corners


@pytest.mark.parametrize(("larger", "begins_smaller"), [(0.004, 0.016), (0.01, 0.015), (0.01, 0.04)])
def test_a_face_is_laid_exactly_where_two_layers_meet(larger: float, begins_smaller: float) -> None:
    card = Face("4", face("4", 480))
    side = EDGE_OF_A_LAYER * (1 + larger)
    photograph, corners = _photograph(card, side)
    middle = corners.mean(axis=0)
    begin = (middle + (corners - middle) * (1 - begins_smaller)).astype(np.float32)

    placing, _ = pulled(Layers(photograph), placing_of(begin), card.fine, 40)

    far = np.linalg.norm(corners_of(placing) - corners, axis=1).max() / side
    assert far < 0.0045
