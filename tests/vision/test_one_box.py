"""Pieces of one size on one table: how it lies, how large they are, and which places can be true together."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.one_box.box_size import likely_sizes, of_size
from vision.one_box.fitting_together import fitting_together
from vision.one_box.slant import seen_from, sides_of, slants


def rectangle(x: float, y: float, wide: float, high: float, turn: float = 0.0) -> NDArray[np.float64]:
    along = np.array([np.cos(turn), np.sin(turn)])
    down = np.array([-along[1], along[0]])
    out, below = along * wide / 2, down * high / 2
    middle = np.array([x, y])
    return np.asarray(np.array([-out - below, out - below, out + below, below - out]) + middle)


def leaning_back(angle: float, size: tuple[int, int]) -> NDArray[np.float64]:
    """How a camera sees a table that leans back from it."""
    camera = np.array([[1000, 0, size[0] / 2], [0, 1000, size[1] / 2], [0, 0, 1.0]])
    return np.asarray(camera @ np.array([[1, 0, 0], [0, np.cos(angle), 0], [0, -np.sin(angle), 1000.0]]))


def test_the_slant_of_a_table_is_told_by_the_squares_on_it() -> None:
    size = (1200, 700)
    lying = np.stack([rectangle(150 * at - 300, 90 * (at % 3) - 90, 80, 80, 0.4 * at) for at in range(5)])
    seen = seen_from(leaning_back(0.5, size), lying).astype(np.float32)

    righted = seen_from(slants(seen, np.ones(len(seen)), size)[0], seen)

    assert np.ptp(np.log(sides_of(seen.astype(np.float64))[0])) > 0.15
    assert np.ptp(np.log(sides_of(righted)[0])) < 0.05


def test_a_grid_that_shows_no_seams_still_tells_the_size_of_its_parts() -> None:
    grid = rectangle(400, 300, 270, 180)[None]

    sizes = likely_sizes(grid, np.ones(1), 4)

    assert any(abs(size.long - 90) < 1 and abs(size.short - 90) < 1 for size in sizes)
    assert len(of_size(grid, next(size for size in sizes if size.long < 100))) == 6


def test_pieces_that_do_not_overlap_win_over_a_plainer_place_across_their_seam() -> None:
    row = [rectangle(100 + 50 * at, 100, 50, 50) for at in range(3)]
    across = [rectangle(120, 100, 50, 50), rectangle(172, 100, 50, 50)]

    chosen = fitting_together(np.stack([*across, *row]), np.array([0.99, 0.98, 0.9, 0.9, 0.9]))

    assert sorted(chosen) == [2, 3, 4]
