"""Pieces of any game, by their outlines alone."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.photo import Pixels
from vision.pieces import find_pieces
from vision.rows import in_order


def with_squares(*middles: tuple[float, float], side: float = 90, turn: float = 0, table: int = 70) -> Pixels:
    """Light squares with a dark figure on a darker table."""
    picture = np.full((400, 600, 3), table, np.uint8)
    for middle in middles:
        corners = cv2.boxPoints((middle, (side, side), turn))
        cv2.fillConvexPoly(picture, np.round(corners).astype(np.int32), (210, 225, 235), cv2.LINE_AA)
        cv2.circle(picture, (round(middle[0]), round(middle[1])), int(side / 5), (40, 40, 120), -1, cv2.LINE_AA)
    return np.asarray(cv2.GaussianBlur(picture, (3, 3), 0), np.uint8)


@pytest.mark.parametrize("turn", [0, 17, 45, 80])
def test_squares_are_found_with_their_corners(turn: float) -> None:
    middles = [(150.0, 120.0), (430.0, 250.0)]

    found = find_pieces(with_squares(*middles, turn=turn))

    assert len(found) == 2
    for middle in middles:
        wanted = cv2.boxPoints((middle, (90, 90), turn))
        apart = [np.linalg.norm(one.corners[:, None] - wanted[None], axis=2).min(axis=0).max() for one in found]
        assert min(apart) < 3


def test_an_empty_table_has_no_pieces() -> None:
    assert find_pieces(with_squares()) == []


def test_a_tablecloth_is_no_heap_of_pieces() -> None:
    checks = np.kron(np.indices((10, 15)).sum(axis=0) % 2, np.ones((40, 40)))

    assert find_pieces(np.repeat((60 + 150 * checks)[:, :, None], 3, axis=2).astype(np.uint8)) == []


def test_tiles_that_touch_are_taken_apart() -> None:
    picture = with_squares((200.0, 200.0), (290.0, 200.0), (380.0, 200.0))
    for x in (245, 335):
        cv2.line(picture, (x, 156), (x, 244), (120, 120, 120), 2)

    assert len(find_pieces(picture)) == 3


def test_a_found_piece_can_be_cut_out() -> None:
    picture = with_squares((300.0, 200.0), turn=30)

    squared = find_pieces(picture)[0].squared(picture, 120)

    assert squared.shape == (120, 120, 3)
    assert squared[8, 8].min() > 150
    assert squared[60, 60].max() < 150


def test_rows_are_told_from_left_to_right_and_loose_ones_as_we_read() -> None:
    def square(x: float, y: float) -> np.ndarray:
        return np.array([[x, y], [x + 10, y], [x + 10, y + 10], [x, y + 10]], np.float32)

    assert in_order([square(60, 50), square(50, 50), square(5, 5), square(40, 50)]) == [2, 3, 1, 0]
