"""The outlines in a photograph, found by several independent means that later compete with each other."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.outline import SMALLEST_SIDE, Corners, distinct, fitted
from vision.photo import Pixels

WORKING_SIDE: Final = 1280
NEARBY: Final = 5
"""Pixels at half size across which contrast is taken."""
DRAWN: Final = (0.3, 0.45)
"""Parts of the strongest contrast: print has more, all over a piece, and most cloths less."""
INKY: Final = 0.45
"""The part of the table's usual lightness below which print is darker than most cloths."""


def working_copy(pixels: Pixels) -> tuple[Pixels, int]:
    """A copy small enough to search quickly, and how many of the photograph's pixels one of its own is."""
    import cv2

    height, width = pixels.shape[:2]
    factor = math.ceil(max(width, height) / WORKING_SIDE)
    if factor <= 1:
        return pixels, 1
    # A whole number, for then every pixel of the copy is the plain mean of so many, quickly made.
    whole = pixels[: height // factor * factor, : width // factor * factor]
    size = (whole.shape[1] // factor, whole.shape[0] // factor)
    return np.asarray(cv2.resize(whole, size, interpolation=cv2.INTER_AREA), np.uint8), factor


class Sketch:
    """The outlines in a photograph, searched for in a working copy of it; each way of searching runs when asked for."""

    def __init__(self, pixels: Pixels) -> None:
        import cv2

        self.small, self.factor = working_copy(pixels)
        self._blurred = np.asarray(cv2.GaussianBlur(self.small, (5, 5), 0), np.uint8)
        self.lab = np.asarray(cv2.cvtColor(self._blurred, cv2.COLOR_BGR2LAB), np.uint8)
        self.light, self._green_red, self._blue_yellow = cv2.split(self.lab)

    @cached_property
    def plain(self) -> list[Corners]:
        """The four-sided outlines that most pieces on most tables show."""
        return distinct([corners for mask in self._plain_views() for corners in _four_sided(mask)])

    def others(self, where: Pixels | None = None) -> list[Corners]:
        """Every further outline that could be a piece, a row of pieces or a part of one, by all means known.

        `where` is not 0 where to look; a pixel of it is a square of so many of ours.
        """
        found = [corners for mask in self._other_views() for corners in _four_sided(mask, where)]
        return distinct([*self.plain, *found])[len(self.plain) :]

    def enlarged(self, found: Sequence[Corners]) -> list[Corners]:
        """Outlines of the working copy in pixels of the photograph."""
        return [((corners + 0.5) * self.factor - 0.5).astype(np.float32) for corners in found]

    def shrunk(self, found: Sequence[Corners]) -> list[Corners]:
        """Outlines of the photograph in pixels of the working copy."""
        return [((corners + 0.5) / self.factor - 0.5).astype(np.float32) for corners in found]

    def _plain_views(self) -> Iterator[Pixels]:
        """Black-and-white views: edges of colour, lighter patches, what is dark as ink, what is drawn all over."""
        import cv2

        colour = cv2.bitwise_or(cv2.Canny(self._green_red, 12, 30), cv2.Canny(self._blue_yellow, 12, 30))
        yield np.asarray(cv2.dilate(colour, np.ones((3, 3), np.uint8)), np.uint8)
        yield self._patches(cv2.THRESH_BINARY, 41, -6)
        yield self._inky()
        for part in DRAWN:
            yield self._drawn(part)

    def _other_views(self) -> Iterator[Pixels]:
        """Edges of light, patches lighter or darker than their surroundings, what has not the table's colour."""
        import cv2

        yield self._edges(20, 60)
        yield self._edges(60, 150)
        yield self._patches(cv2.THRESH_BINARY_INV, 161, 4)
        yield self._patches(cv2.THRESH_BINARY_INV, 41, 6)
        yield self._patches(cv2.THRESH_BINARY, 161, -4)
        distance = _distance_from_table(self.lab)
        yield np.asarray(cv2.threshold(distance, 18, 255, cv2.THRESH_BINARY)[1], np.uint8)

    def _inky(self) -> Pixels:
        import cv2

        usual = float(np.median(self.light[::4, ::4]))
        inky = cv2.threshold(self.light, INKY * usual, 255, cv2.THRESH_BINARY_INV)[1]
        return np.asarray(cv2.morphologyEx(inky, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8)), np.uint8)

    @cached_property
    def contrast(self) -> NDArray[np.float32]:
        """At half size, from 0 to 1: how much light and dark lie side by side, against the light that falls there."""
        import cv2

        half = cv2.resize(self.light, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        around = np.ones((NEARBY, NEARBY), np.uint8)
        lightest, darkest = (change(half, around).astype(np.float32) for change in (cv2.dilate, cv2.erode))
        return np.asarray((lightest - darkest) / (lightest + darkest + 20), np.float32)

    def _drawn(self, part: float) -> Pixels:
        """Where print stands out from a patterned cloth: with more contrast than so much of the most there is."""
        import cv2

        most = float(np.percentile(self.contrast[::2, ::2], 99.5))
        drawn = (self.contrast > part * most).astype(np.uint8)
        closed = cv2.morphologyEx(drawn, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8))
        alone = cv2.erode(
            cv2.morphologyEx(closed, cv2.MORPH_OPEN, np.ones((9, 9), np.uint8)), np.ones((NEARBY, NEARBY), np.uint8)
        )
        size = (self.light.shape[1], self.light.shape[0])
        return np.asarray(cv2.resize(alone, size, interpolation=cv2.INTER_NEAREST), np.uint8)

    def _edges(self, low: int, high: int) -> Pixels:
        import cv2

        return np.asarray(cv2.dilate(cv2.Canny(self.light, low, high), np.ones((3, 3), np.uint8)), np.uint8)

    def _local(self, kind: int, block: int, offset: int) -> Pixels:
        import cv2

        mean = cv2.ADAPTIVE_THRESH_MEAN_C
        return np.asarray(cv2.adaptiveThreshold(self.light, 255, mean, kind, block, offset), np.uint8)

    def _patches(self, kind: int, block: int, offset: int) -> Pixels:
        import cv2

        return np.asarray(cv2.medianBlur(self._local(kind, block, offset), 5), np.uint8)


def _distance_from_table(lab: Pixels) -> Pixels:
    """How far each pixel's colour lies from the nearer of the table's two main colours, seen at the rim."""
    import cv2

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


def _wanted(left: int, top: int, wide: int, high: int, mask: Pixels, where: Pixels | None) -> bool:
    """Whether the middle of a box in a mask lies where to look."""
    if where is None:
        return True
    row = (2 * top + high) * where.shape[0] // (2 * mask.shape[0])
    return bool(where[row, (2 * left + wide) * where.shape[1] // (2 * mask.shape[1])])


def _four_sided(mask: Pixels, where: Pixels | None = None) -> list[Corners]:
    import cv2

    found: list[Corners] = []
    limit = 0.98 * mask.shape[0] * mask.shape[1]
    contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    for contour in contours:
        if len(contour) < 4:
            continue
        left, top, wide, high = cv2.boundingRect(contour)
        if wide < SMALLEST_SIDE or high < SMALLEST_SIDE or not _wanted(left, top, wide, high, mask, where):
            continue
        hull = cv2.convexHull(contour)
        area = cv2.contourArea(hull)
        if area < max(SMALLEST_SIDE**2 * 1.4, 0.45 * wide * high) or area > limit:
            continue
        corners = fitted(hull)
        if corners is not None:
            found.append(corners)
    return found
