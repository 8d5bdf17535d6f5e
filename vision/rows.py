"""The order in which pieces are told: those that touch in a row from left to right, as the pieces themselves lie."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.outline import Corners
from vision.register import placing_of


def in_order(outlines: Sequence[Corners]) -> list[int]:
    """The indices of pieces (corners from each one's own top left): rows first to last, then loose ones as we read."""
    following = _neighbours(outlines)
    starts = [index for index in range(len(outlines)) if index not in following.values()]
    rows = []
    for start in starts:
        row = [start]
        while row[-1] in following:
            row.append(following[row[-1]])
        rows.append(row)
    told = {index for row in rows for index in row}
    rows += [[index] for index in range(len(outlines)) if index not in told]
    side = float(np.median([_side(corners) for corners in outlines])) if outlines else 1.0
    rows.sort(key=lambda row: _place(outlines[row[0]], side))
    return [index for row in rows for index in row]


def _neighbours(outlines: Sequence[Corners]) -> dict[int, int]:
    """Which piece lies directly right of which, edge to edge and the same way up."""
    following: dict[int, int] = {}
    for index, corners in enumerate(outlines):
        point = placing_of(corners) @ np.array([2.0, 0.0, 1.0])
        right = point[:2] / point[2]
        for other, there in enumerate(outlines):
            near = np.linalg.norm(there.mean(axis=0) - right) < 0.3 * _side(corners)
            if other != index and near and _same_way_up(corners, there) and other not in following.values():
                following[index] = other
                break
    return following


def _same_way_up(one: Corners, other: Corners) -> bool:
    first, second = one[1] - one[0], other[1] - other[0]
    return bool(first @ second > 0.9 * np.linalg.norm(first) * np.linalg.norm(second))


def _side(corners: Corners) -> float:
    return float(np.linalg.norm(corners[1] - corners[0]))


def _place(corners: Corners, side: float) -> tuple[int, float]:
    middle = corners.mean(axis=0)
    return int(middle[1] // side), float(middle[0])
