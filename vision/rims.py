"""The rim of a piece that roughly fills a picture: outlines whose sides show, the plainest first."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.outline import Corners
from vision.photo import Pixels
from vision.pieces import LONGEST, side_support
from vision.sketch import Sketch

FILLED: Final = 0.28
"""The least part of the picture that such a piece fills."""
SHOWN: Final = 0.55
LARGER: Final = 0.25
"""What counts for an outline that it is the outer of two."""
OFF: Final = 0.22
"""How far from the picture's middle, in parts of it, a piece's middle may lie."""
MOST: Final = 4
LEAST_SIDE: Final = 40


def rims(picture: Pixels) -> list[Corners]:
    """Up to four outlines that could be the piece's rim, from the corner nearest the picture's top left, clockwise."""
    high, wide = picture.shape[:2]
    if min(high, wide) < LEAST_SIDE:
        return []
    sketch = Sketch(picture)
    area = sketch.small.shape[0] * sketch.small.shape[1]
    outlines = [corners for corners in [*sketch.plain, *sketch.others()] if cv2.contourArea(corners) > FILLED * area]
    outlines = [corners for corners in outlines if _like_a_piece(corners, sketch.small.shape[:2])]
    worth = []
    for corners, support in zip(outlines, side_support(sketch.small, outlines), strict=True):
        if support > SHOWN:
            worth.append((support + LARGER * float(np.sqrt(cv2.contourArea(corners) / area)), corners))
    worth.sort(key=lambda one: -one[0])
    return [_from_top_left(corners) for corners in sketch.enlarged([corners for _, corners in worth[:MOST]])]


def _like_a_piece(corners: Corners, size: tuple[int, int]) -> bool:
    lengths = np.linalg.norm(corners[[1, 2, 3, 0]] - corners, axis=1)
    middle = corners.mean(axis=0) / np.array([size[1], size[0]])
    return bool(lengths.max() < LONGEST * lengths.min() and np.abs(middle - 0.5).max() < OFF)


def _from_top_left(corners: Corners) -> Corners:
    return np.roll(corners, -int(corners.sum(axis=1).argmin()), axis=0).astype(np.float32) + np.float32(0.5)
