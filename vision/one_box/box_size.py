"""How large the pieces of a box may be: sizes that outlines on the table have, or the parts of rows and grids."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.one_box.slant import sides_of

CROOKED: Final = 0.12
"""The cosine beyond which an angle is not right."""
UNEVEN: Final = 0.1
LIKE: Final = 0.05
"""Sizes that differ less than this, as logarithms, are one."""
SMALLEST: Final = 30.0
"""Pixels of the working copy: what is smaller is not taught."""
LONGEST: Final = 1.9
ROWS: Final = (6, 3)
"""As many pieces of a row, and as many rows, are told by a common outline alone."""
MOST_PARTS: Final = 12
PART: Final = 0.2
"""What it counts that an outline would part into pieces of this size, against a piece with an outline of its own."""


class Size(NamedTuple):
    """The longer and the shorter side."""

    long: float
    short: float


def likely_sizes(outlines: NDArray[np.float64], bold: NDArray[np.float64], most: int) -> list[Size]:
    """The sizes, likeliest first, of outlines seen from above that are many, large, and `bold` against the table."""
    right = _right(outlines)
    pairs, bold, middles = np.sort(_sizes(outlines[right]), axis=1)[:, ::-1], bold[right], outlines[right].mean(axis=1)
    own = np.log(_squared(pairs))
    parts, parents = _parts(pairs, bold)
    weighed: list[tuple[float, Size]] = []
    every = np.concatenate([own, parts])
    for one in every[np.unique(np.round(2 * every / LIKE), axis=0, return_index=True)[1]]:
        size = Size(*np.exp(one))
        if size.short < SMALLEST or size.long > LONGEST * size.short:
            continue
        near = np.abs(own - one).max(axis=1) < LIKE
        worth = _together(middles[near], bold[near], 0.6 * size.short)
        common = parents[np.abs(parts - one).max(axis=1) < LIKE]
        worth += float(common.max()) if len(common) else 0.0
        if near.any():
            size = Size(*np.exp(np.average(own[near], axis=0, weights=bold[near] ** 2)))
        weighed.append((worth * float(np.sqrt(size.long * size.short)), size))
    weighed.sort(reverse=True)
    kept: list[Size] = []
    for _, size in weighed:
        if all(np.abs(np.log(np.divide(size, other))).max() > LIKE for other in kept):
            kept.append(size)
    return kept[:most]


def of_size(outlines: NDArray[np.float64], size: Size) -> NDArray[np.float64]:
    """The outlines, and the equal parts of outlines of rows and grids, that have nearly this size."""
    found = [np.empty((0, 4, 2))]
    right = outlines[_right(outlines)]
    wide, high = _sizes(right).T
    for across, down in {(size.long, size.short), (size.short, size.long)}:
        columns, rows = np.maximum(np.round(wide / across), 1), np.maximum(np.round(high / down), 1)
        fits = (np.abs(np.log(wide / columns / across)) < 1.5 * LIKE) & (
            np.abs(np.log(high / rows / down)) < 1.5 * LIKE
        )
        for at in np.nonzero(fits & (columns * rows <= MOST_PARTS))[0]:
            found.append(_divided(right[at], int(columns[at]), int(rows[at])))
    return np.concatenate(found)


def _divided(outline: NDArray[np.float64], columns: int, rows: int) -> NDArray[np.float64]:
    x, y = (ticks.ravel() for ticks in np.meshgrid(np.arange(columns), np.arange(rows)))
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]])
    u = ((x[:, None] + unit[:, 0]) / columns)[..., None]
    v = ((y[:, None] + unit[:, 1]) / rows)[..., None]
    a, b, c, d = outline
    return np.asarray((1 - v) * ((1 - u) * a + u * b) + v * ((1 - u) * d + u * c))


def _right(outlines: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which are rectangles."""
    lengths, cosines = sides_of(outlines)
    uneven = np.abs(np.log(lengths[:, :2] / lengths[:, 2:])).max(axis=1)
    return np.asarray((np.abs(cosines).max(axis=1) < CROOKED) & (uneven < UNEVEN))


def _sizes(outlines: NDArray[np.float64]) -> NDArray[np.float64]:
    lengths, _ = sides_of(outlines)
    return np.asarray((lengths[:, :2] + lengths[:, 2:]) / 2)


def _squared(pairs: NDArray[np.float64]) -> NDArray[np.float64]:
    """The same, with what is nearly square made square."""
    nearly = np.log(pairs[:, 0] / pairs[:, 1]) < 2 * LIKE
    even = np.sqrt(pairs.prod(axis=1))[:, None]
    return np.where(nearly[:, None], even, pairs)


def _parts(pairs: NDArray[np.float64], bold: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Squares, as logarithms, that rows and grids of these outlines would consist of, and what all of them count."""
    found, worth = [np.empty((0, 2))], [np.empty(0)]
    for along in range(2, ROWS[0] + 1):
        for rows in range(1, min(along, ROWS[1]) + 1):
            parts = np.log(pairs / (along, rows))
            square = np.abs(parts[:, 0] - parts[:, 1]) < 2 * LIKE
            found.append(np.repeat(parts[square].mean(axis=1, keepdims=True), 2, axis=1))
            worth.append(PART * along * rows * bold[square])
    return np.concatenate(found), np.concatenate(worth)


def _together(middles: NDArray[np.float64], bold: NDArray[np.float64], least: float) -> float:
    """How bold those are that do not lie on each other."""
    total, left = 0.0, np.ones(len(bold), np.bool_)
    while left.any():
        boldest = int(np.where(left, bold, -1).argmax())
        total += float(bold[boldest])
        left &= np.abs(middles - middles[boldest]).max(axis=1) > least
    return total
