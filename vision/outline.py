"""Four-sided outlines: the shape that a convex patch nearly is, whether it could lie flat, and which are the same."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

Corners: TypeAlias = NDArray[np.float32]
"""Four points (4 x 2), clockwise as seen in the picture."""
Point: TypeAlias = tuple[float, float]

SMALLEST_SIDE: Final = 11.0
"""Pixels of the working picture: less cannot be a piece, nor a box printed on one that can still be read."""


def fitted(hull: NDArray[Any]) -> Corners | None:
    """The four-sided shape that a convex outline nearly is, or None; corners may be rounded or chipped."""
    import cv2

    length = cv2.arcLength(hull, True)
    for tolerance in (0.012, 0.02):
        kept = cv2.approxPolyDP(hull, tolerance * length, True)
        if len(kept) <= 6:
            break
    if not 4 <= len(kept) <= 7:
        return None
    points: list[Point] = [(float(x), float(y)) for ((x, y),) in kept.tolist()]
    area = abs(_turning(points))
    while len(points) > 4:
        fewer = _without_one_side(points)
        if fewer is None:
            return None
        points = fewer
    grown = _turning(points)
    if abs(grown) > 1.13 * max(area, 1.0):
        return None
    if grown < 0:
        points.reverse()
    return np.array(points, np.float32) if _could_be_flat(points) else None


def _without_one_side(points: list[Point]) -> list[Point] | None:
    """The outline with the side left out whose neighbours, made longer, add the least area."""
    best: tuple[float, int, Point] | None = None
    count = len(points)
    for at in range(count):
        a, b, c, d = points[at - 1], points[at], points[(at + 1) % count], points[(at + 2) % count]
        meeting = _crossing(a, b, d, c)
        if meeting is None:
            continue
        added = abs(_turning([b, meeting, c]))
        if best is None or added < best[0]:
            best = (added, at, meeting)
    if best is None:
        return None
    _, at, meeting = best
    following = (at + 1) % count
    return [meeting if i == at else points[i] for i in range(count) if i != following]


def _crossing(a: Point, b: Point, d: Point, c: Point) -> Point | None:
    """Where the line from a beyond b meets the line from d beyond c."""
    along, back = (b[0] - a[0], b[1] - a[1]), (c[0] - d[0], c[1] - d[1])
    cross = along[0] * back[1] - along[1] * back[0]
    if abs(cross) < 1e-9:
        return None
    away = (d[0] - a[0], d[1] - a[1])
    forward = (away[0] * back[1] - away[1] * back[0]) / cross
    backward = (away[0] * along[1] - away[1] * along[0]) / cross
    return (a[0] + forward * along[0], a[1] + forward * along[1]) if forward >= 1 and backward >= 1 else None


def _turning(points: Sequence[Point]) -> float:
    """The area inside; positive when the points go clockwise as seen in the picture."""
    double = 0.0
    before = points[-1]
    for point in points:
        double += before[0] * point[1] - point[0] * before[1]
        before = point
    return double / 2


def plausible(corners: Corners) -> bool:
    """Whether this could be a flat rectangle (of up to twelve pieces) seen from up to 40 degrees or a bit more."""
    return _could_be_flat([(float(x), float(y)) for x, y in corners.tolist()])


def _could_be_flat(points: Sequence[Point]) -> bool:
    sides = [(b[0] - a[0], b[1] - a[1]) for a, b in zip(points, [*points[1:], points[0]], strict=True)]
    lengths = [math.hypot(*side) for side in sides]
    if min(lengths) < 0.8 * SMALLEST_SIDE or max(lengths) > 40 * min(lengths):
        return False
    for at in range(4):
        before, side = sides[at - 1], sides[at]
        if before[0] * side[1] - before[1] * side[0] < 0.5 * lengths[at - 1] * lengths[at]:
            return False
    across, down = sorted(lengths[::2]), sorted(lengths[1::2])
    return across[1] < 1.8 * across[0] and down[1] < 1.8 * down[0]


def distinct(found: Sequence[Corners], nearness: float = 0.035) -> list[Corners]:
    """The outlines without repeats: of those whose corners all lie near each other's, the first stays."""
    if not found:
        return []
    corners = np.stack(found)
    middles = corners.mean(axis=1)
    reach = nearness * np.sqrt(np.abs(_areas(corners)))
    close = np.abs(middles[:, None] - middles[None]).max(axis=2) < reach[:, None]
    later, earlier = np.nonzero(np.tril(close, -1))
    apart = np.linalg.norm(corners[later][:, :, None] - corners[earlier][:, None], axis=3)
    same = np.maximum(apart.min(axis=1).max(axis=1), apart.min(axis=2).max(axis=1)) < reach[later]
    kept = np.ones(len(found), np.bool_)
    for one, first in zip(later[same].tolist(), earlier[same].tolist(), strict=True):
        if kept[first]:
            kept[one] = False
    return [one for one, stays in zip(found, kept.tolist(), strict=True) if stays]


def _areas(corners: NDArray[np.float32]) -> NDArray[np.float32]:
    (x, y), (u, v) = (corners[:, 2] - corners[:, 0]).T, (corners[:, 3] - corners[:, 1]).T
    return np.asarray((x * v - y * u) / 2)
