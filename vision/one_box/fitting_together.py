"""Of many places where pieces of one size may lie, those that can be true together."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

SHARED: Final = 0.1
"""The part of a piece that another may cover by error."""
BESIDE: Final = 0.06
"""Parts of a side: how exactly pieces that touch lie beside each other."""
TOUCHING: Final = 0.1
"""What it counts for a place that it lies exactly beside a piece."""
WORTHLESS: Final = 0.5
"""A place that shows less plainly is none."""
STARTS: Final = 24


def fitting_together(lying: NDArray[np.float64], plain: NDArray[np.float64]) -> list[int]:
    """Places on the table that do not overlap and together show most plainly; in rows and grids, with equal seams.

    The plainest place may be one of drawn lines, across a seam: several are tried as the first, and the rest follows.
    """
    overlap, beside = _neighbours(lying)
    worth = plain - WORTHLESS
    best: list[int] = []
    most = 0.0
    for first in np.argsort(-plain, kind="stable")[:STARTS].tolist():
        chosen, total = [], 0.0
        free, bonus = worth > 0, np.zeros(len(worth))
        following = first
        while free[following]:
            chosen.append(following)
            total += float(worth[following] + bonus[following])
            free &= ~overlap[following]
            bonus += TOUCHING * beside[following]
            following = int(np.where(free, worth + bonus, -1).argmax())
        if total > most:
            best, most = chosen, total
    return best


def _neighbours(lying: NDArray[np.float64]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which places overlap (each does itself), and which lie exactly side by side."""
    middles = lying.mean(axis=1)
    off = middles[None] - middles[:, None]
    # How far each lies off another, in parts of that one's sides.
    x, y = (
        np.abs((off * side[:, None]).sum(axis=2)) / (side**2).sum(axis=1)[:, None]
        for side in (lying[:, 1] - lying[:, 0], lying[:, 3] - lying[:, 0])
    )
    shared = np.maximum(1 - x, 0) * np.maximum(1 - y, 0)
    overlap = shared + shared.T > 2 * SHARED
    exactly = ((np.abs(x - 1) < BESIDE) & (y < BESIDE)) | ((np.abs(y - 1) < BESIDE) & (x < BESIDE))
    return overlap, exactly & exactly.T
