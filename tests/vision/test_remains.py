"""Where another piece may lie, beside those that were seen."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.test_reader import laid
from vision.outline import Corners
from vision.pergamon.faces import face
from vision.photo import Pixels
from vision.remains import MOST_SPOTS, Remains
from vision.sketch import Sketch

WIDE = 120.0
SEEN, UNSEEN = (180.0, 160.0), (620.0, 430.0)


def rug() -> Pixels:
    """A dark red cloth, fuller of light and dark than any print."""
    rough = np.random.default_rng(4).normal(0, 1, (320, 480, 1)).repeat(2, axis=0).repeat(2, axis=1)
    return np.clip(np.array([40, 35, 110]) * (1 + 0.9 * rough), 0, 255).astype(np.uint8)


def corners_at(middle: tuple[float, float]) -> Corners:
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float32) * (WIDE / 2)
    return square + np.array(middle, np.float32)


@pytest.mark.parametrize("code", ["V28M4", "B49M3"])
def test_on_a_cloth_as_busy_as_a_piece_its_colour_gives_the_piece_away(code: str) -> None:
    photograph = laid(laid(rug(), face("J57V2", 480), SEEN, wide=WIDE), face(code, 480), UNSEEN, wide=WIDE)

    spots = Remains(Sketch(photograph)).spots([corners_at(SEEN)])

    assert len(spots) <= MOST_SPOTS
    assert np.linalg.norm(spots - np.array(UNSEEN), axis=1).min() < 0.12 * WIDE
    assert np.linalg.norm(spots - np.array(SEEN), axis=1).min() > 0.4 * WIDE
