"""Pieces of any game, by their outlines alone."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.photo import Pixels
from vision.pieces import Found, find_pieces
from vision.rows import in_order


def with_squares(*middles: tuple[float, float], side: float = 90, turn: float = 0, table: int = 70) -> Pixels:
    """Light squares with a dark figure on a darker table."""
    picture = np.full((400, 600, 3), table, np.uint8)
    for middle in middles:
        corners = cv2.boxPoints((middle, (side, side), turn))
        cv2.fillConvexPoly(picture, np.round(corners).astype(np.int32), (210, 225, 235), cv2.LINE_AA)
        cv2.circle(picture, (round(middle[0]), round(middle[1])), int(side / 5), (40, 40, 120), -1, cv2.LINE_AA)
    return np.asarray(cv2.GaussianBlur(picture, (3, 3), 0), np.uint8)


def table() -> np.ndarray:
    noise = np.random.default_rng(5).normal(0, 2, (400, 600, 3))
    return np.clip(np.array([70, 105, 130]) + noise, 0, 255).astype(np.uint8)


def lay_tile(picture: np.ndarray, middle: tuple[float, float], side: int, panel: tuple[int, int]) -> None:
    """A pale tile with a dark panel in its middle; where it touches another, a thin seam shows."""
    x, y = round(middle[0]), round(middle[1])
    half = side // 2
    cv2.rectangle(picture, (x - half, y - half), (x + half - 1, y + half - 1), (200, 205, 210), -1)
    cv2.rectangle(picture, (x - half, y - half), (x + half - 1, y + half - 1), (160, 165, 170), 1)
    wide, high = panel[0] // 2, panel[1] // 2
    cv2.rectangle(picture, (x - wide, y - high), (x + wide, y + high), (40, 30, 60), -1)


def as_laid(found: list[Found], middles: list[tuple[float, float]], side: int) -> bool:
    """Whether there is a piece, upright and of this size, around each middle, and no other."""
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * side / 2

    def lies(one: Found, middle: tuple[float, float]) -> bool:
        apart = np.linalg.norm(one.corners[:, None] - (corners + middle)[None], axis=2)
        return bool(apart.min(axis=0).max() < 0.06 * side)

    return len(found) == len(middles) and all(any(lies(one, middle) for one in found) for middle in middles)


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


def test_a_grid_that_touches_is_taken_apart() -> None:
    middles = [(230.0 + 84 * column, 140.0 + 84 * row) for column in range(3) for row in range(2)]
    picture = table()
    for index, (x, y) in enumerate(middles):
        lay_tile(picture, (x, y), 84, panel=(30, 24 + 4 * index))

    assert as_laid(find_pieces(picture), middles, 84)


def test_a_panel_on_a_tile_is_not_taken_for_the_tile() -> None:
    middles = [(110.0, 110.0), (300.0, 120.0), (480.0, 280.0), (200.0, 290.0)]
    picture = table()
    for x, y in middles:
        lay_tile(picture, (x, y), 90, panel=(66, 66))
    for x, y in middles[:2]:  # a crumb hides some of the rim, while the panel shows all around
        crumb = (round(x) - 56, round(y) - 8)
        cv2.rectangle(picture, crumb, (crumb[0] + 14, crumb[1] + 13), (200, 205, 210), -1)

    assert as_laid(find_pieces(picture), middles, 90)


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
