"""Four-sided outlines in a photograph, found by several independent means that later compete with each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vision.photo import Pixels

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Corners: TypeAlias = NDArray[np.float32]
"""Four points (4 x 2), clockwise as seen in the picture."""

WORKING_SIDE: Final = 1152
SMALLEST_SIDE: Final = 11.0
"""Pixels of the working picture: less cannot be a piece, nor a box printed on one that can still be read."""
INKY: Final = (0.3, 0.45)
"""Parts of the table's usual lightness below which print is darker than any cloth."""


def working_copy(pixels: Pixels) -> tuple[Pixels, float]:
    """A copy small enough to search quickly, and how many of the photograph's pixels one of its own is."""
    import cv2

    height, width = pixels.shape[:2]
    factor = max(width, height) / WORKING_SIDE
    if factor <= 1:
        return pixels, 1.0
    size = (max(1, round(width / factor)), max(1, round(height / factor)))
    return np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.uint8), factor


def outlines(small: Pixels) -> list[Corners]:
    """Every four-sided outline in a working copy that could be a piece, a row of pieces or a part of one."""
    found: list[Corners] = []
    for mask in _masks(small):
        found += _four_sided(mask)
    return distinct(found)


def strips(small: Pixels) -> list[Corners]:
    """Long dark bands in a working copy, such as a frieze printed along a piece's rim."""
    import cv2

    grey = cv2.GaussianBlur(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), (3, 3), 0)
    found: list[Corners] = []
    for block in (21, 45):
        dark = cv2.adaptiveThreshold(grey, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, block, 6)
        contours, _ = cv2.findContours(dark, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
        for contour in contours:
            _, _, wide, high = cv2.boundingRect(contour)
            if max(wide, high) < 3 * SMALLEST_SIDE:
                continue
            box = cv2.minAreaRect(contour)
            short, long = sorted(box[1])
            if short >= 4 and 5.5 * short < long < 18 * short and cv2.contourArea(contour) > 0.35 * short * long:
                corners = cv2.boxPoints(box).astype(np.float32)
                found.append(corners if _area(corners) > 0 else corners[::-1].copy())
    return distinct(found)


def _masks(small: Pixels) -> Iterator[Pixels]:
    """Black-and-white views of the picture: edges of light and of colour, local and global brightness."""
    import cv2

    blurred = np.asarray(cv2.GaussianBlur(small, (5, 5), 0), np.uint8)
    light, green_red, blue_yellow = cv2.split(cv2.cvtColor(blurred, cv2.COLOR_BGR2LAB))
    kernel = np.ones((3, 3), np.uint8)
    for low, high in ((20, 60), (60, 150)):
        yield np.asarray(cv2.dilate(cv2.Canny(light, low, high), kernel), np.uint8)
    colour = cv2.bitwise_or(cv2.Canny(green_red, 12, 30), cv2.Canny(blue_yellow, 12, 30))
    yield np.asarray(cv2.dilate(colour, kernel), np.uint8)
    for block, offset in ((41, 6), (161, 4)):
        for kind, above in ((cv2.THRESH_BINARY, -offset), (cv2.THRESH_BINARY_INV, offset)):
            local = cv2.adaptiveThreshold(light, 255, cv2.ADAPTIVE_THRESH_MEAN_C, kind, block, above)
            yield np.asarray(cv2.medianBlur(local, 5), np.uint8)
    for part in INKY:
        inky = cv2.threshold(light, part * float(np.median(light)), 255, cv2.THRESH_BINARY_INV)[1]
        yield np.asarray(cv2.morphologyEx(inky, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8)), np.uint8)
    distance = _distance_from_table(blurred)
    for level in (18, 40):
        yield np.asarray(cv2.threshold(distance, level, 255, cv2.THRESH_BINARY)[1], np.uint8)


def _distance_from_table(blurred: Pixels) -> Pixels:
    """How far each pixel's colour lies from the nearer of the table's two main colours, seen at the rim."""
    import cv2

    lab = cv2.cvtColor(blurred, cv2.COLOR_BGR2LAB)
    tiny = cv2.resize(lab, (96, 64), interpolation=cv2.INTER_AREA).astype(np.float32)
    rim = np.concatenate([tiny[:5].reshape(-1, 3), tiny[-5:].reshape(-1, 3), tiny[:, :5].reshape(-1, 3),
                          tiny[:, -5:].reshape(-1, 3)])  # fmt: skip
    dark = rim[rim[:, 0] <= np.median(rim[:, 0])]
    bright = rim[rim[:, 0] > np.median(rim[:, 0])]
    nearest: NDArray[np.uint8] | None = None
    for group in (dark, bright if len(bright) else dark):
        colour = np.median(group, axis=0)
        apart = cv2.absdiff(lab, np.array([*colour, 0], np.float64))
        far = cv2.max(cv2.max(cv2.extractChannel(apart, 0), cv2.extractChannel(apart, 1)), cv2.extractChannel(apart, 2))
        nearest = np.asarray(far if nearest is None else cv2.min(nearest, far), np.uint8)
    assert nearest is not None
    return nearest


def _four_sided(mask: Pixels) -> list[Corners]:
    import cv2

    found: list[Corners] = []
    limit = 0.98 * mask.shape[0] * mask.shape[1]
    contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    for contour in contours:
        if len(contour) < 4:
            continue
        _, _, wide, high = cv2.boundingRect(contour)
        if wide < SMALLEST_SIDE or high < SMALLEST_SIDE:
            continue
        hull = cv2.convexHull(contour)
        area = cv2.contourArea(hull)
        if area < max(SMALLEST_SIDE**2 * 1.4, 0.45 * wide * high) or area > limit:
            continue
        corners = fitted(hull.reshape(-1, 2).astype(np.float64))
        if corners is not None:
            found.append(corners)
    return found


def fitted(hull: NDArray[np.float64]) -> Corners | None:
    """The four-sided shape that a convex outline nearly is, or None; corners may be rounded or chipped."""
    import cv2

    around = hull.astype(np.float32)
    length = cv2.arcLength(around, True)
    for tolerance in (0.012, 0.02):
        points = cv2.approxPolyDP(around, tolerance * length, True).reshape(-1, 2).astype(np.float64)
        if len(points) <= 6:
            break
    if not 4 <= len(points) <= 7:
        return None
    area = abs(_area(points))
    while len(points) > 4:
        cheaper = _without_one_side(points)
        if cheaper is None:
            return None
        points = cheaper
    grown = abs(_area(points))
    if grown > 1.13 * max(area, 1.0):
        return None
    if _area(points) < 0:
        points = points[::-1]
    corners = points.astype(np.float32)
    return corners if plausible(corners) else None


def _without_one_side(points: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """The outline with the side left out whose neighbours, made longer, add the least area."""
    best: tuple[float, int, NDArray[np.float64]] | None = None
    count = len(points)
    for at in range(count):
        a, b, c, d = points[at - 1], points[at], points[(at + 1) % count], points[(at + 2) % count]
        meeting = _crossing(a, b, d, c)
        if meeting is None:
            continue
        added = abs(_area(np.array([b, meeting, c])))
        if best is None or added < best[0]:
            best = (added, at, meeting)
    if best is None:
        return None
    _, at, meeting = best
    following = (at + 1) % count
    return np.array([meeting if i == at else points[i] for i in range(count) if i != following])


def _crossing(
    a: NDArray[np.float64], b: NDArray[np.float64], d: NDArray[np.float64], c: NDArray[np.float64]
) -> NDArray[np.float64] | None:
    """Where the line from a beyond b meets the line from d beyond c."""
    along, back = b - a, c - d
    cross = along[0] * back[1] - along[1] * back[0]
    if abs(cross) < 1e-9:
        return None
    away = d - a
    forward = (away[0] * back[1] - away[1] * back[0]) / cross
    backward = (away[0] * along[1] - away[1] * along[0]) / cross
    return a + forward * along if forward >= 1 and backward >= 1 else None


def _area(points: NDArray[np.floating]) -> float:
    """Positive when the points go clockwise as seen in the picture."""
    import cv2

    return cv2.contourArea(points.astype(np.float32), oriented=True)


def plausible(corners: Corners) -> bool:
    """Whether this could be a flat rectangle (of up to twelve pieces) seen from up to 40 degrees or a bit more."""
    sides = corners[[1, 2, 3, 0]] - corners
    lengths = np.linalg.norm(sides, axis=1)
    if lengths.min() < 0.8 * SMALLEST_SIDE or lengths.max() > 40 * lengths.min():
        return False
    before = sides[[3, 0, 1, 2]]
    sine = (before[:, 0] * sides[:, 1] - before[:, 1] * sides[:, 0]) / (lengths * lengths[[3, 0, 1, 2]])
    if sine.min() < 0.5:
        return False
    across = max(lengths[0], lengths[2]) / min(lengths[0], lengths[2])
    down = max(lengths[1], lengths[3]) / min(lengths[1], lengths[3])
    return bool(across < 1.8 and down < 1.8)


def same_place(one: Corners, other: Corners, nearness: float) -> bool:
    """Whether two outlines mark the same thing: each corner near one of the other's, in parts of the side."""
    side = float(np.sqrt(abs(_area(one))))
    if np.abs(one.mean(axis=0) - other.mean(axis=0)).max() > nearness * side:
        return False
    apart = np.linalg.norm(one[:, None] - other[None], axis=2)
    return bool(apart.min(axis=1).max() < nearness * side and apart.min(axis=0).max() < nearness * side)


def distinct(found: Sequence[Corners], nearness: float = 0.035) -> list[Corners]:
    """The outlines without repeats: the first of those that mark the same place stays."""
    kept: list[Corners] = []
    centres = np.zeros((len(found), 2), np.float32)
    for corners in found:
        centre = corners.mean(axis=0)
        side = float(np.sqrt(abs(_area(corners))))
        near = np.flatnonzero(np.abs(centres[: len(kept)] - centre).max(axis=1) < nearness * side)
        if not any(same_place(corners, kept[index], nearness) for index in near):
            centres[len(kept)] = centre
            kept.append(corners)
    return kept
