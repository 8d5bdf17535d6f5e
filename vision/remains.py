"""Where a photograph still holds something drawn that no piece seen so far explains: the rest need not be searched."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.outline import Corners
from vision.photo import Pixels
from vision.register import Plane
from vision.sketch import Sketch
from vision.standing_out import UNLIKE, from_table

STEP: Final = 4
"""Pixels of the working copy that are one here, each way."""
FAINTEST: Final = 0.04
"""Contrast, from 0 to 1, that anything drawn has at least, while nothing has been seen to compare it with."""
AS_DRAWN: Final = 0.4
"""A place with less than this of the usual piece's contrast holds no piece; real ones stay above three quarters."""
DRAWN_ALL_OVER: Final = 0.6
"""The same where the middle of a piece may be."""
GRID: Final = 0.15
"""Parts of a side between such middles."""
MOST_SPOTS: Final = 480
"""On a cloth as strongly drawn as the pieces, only those most unlike it are looked at: half of them by their colour,
half by their contrast."""
REACH: Final = 1.12
"""How far a piece explains its surroundings, its shadow among them."""
WINDOW: Final = 0.9
"""Parts of a side over which contrast is gathered."""
LARGEST: Final = 0.6
"""Parts of the picture's height that a piece may fill."""
SURROUNDED: Final = 1.7
MOST_BLOBS: Final = 14
SMALLEST: Final = 6
"""Pixels of a window while no piece's size is known."""


class Remains:
    """How much light and dark lie side by side in a working copy, and what of it is left unexplained."""

    def __init__(self, sketch: Sketch) -> None:
        import cv2

        self._sketch = sketch
        self._scale = 1 / (sketch.factor * STEP)
        small = cv2.resize(sketch.contrast, None, fx=2 / STEP, fy=2 / STEP, interpolation=cv2.INTER_AREA)
        self._contrast: Plane = np.asarray(small, np.float32)

    def unexplained(self, seen: Sequence[Corners]) -> Pixels:
        """Not 0 where, beside the pieces seen, another one could lie."""
        import cv2

        left, window, least = self._left(seen)
        where = (left > least).astype(np.uint8)
        return np.asarray(cv2.dilate(where, np.ones((window, window), np.uint8)), np.uint8)

    def spots(self, seen: Sequence[Corners]) -> NDArray[np.float64]:
        """Points of the photograph, close together, where another piece as large as those seen may have its middle."""
        left, window, least = self._left(seen)
        step = max(1, round(GRID * window / WINDOW))
        grid = left[::step, ::step]
        rows, columns = np.nonzero(grid > least * DRAWN_ALL_OVER / AS_DRAWN)
        if len(rows) > MOST_SPOTS:
            colours = _gathered(_without(self._unlike_table, self._outlines(seen)), window)[::step, ::step]
            chosen = [np.argsort(-plane[rows, columns])[: MOST_SPOTS // 2] for plane in (colours, grid)]
            most = np.unique(np.concatenate(chosen))
            rows, columns = rows[most], columns[most]
        return np.asarray((np.c_[columns, rows] * step + 0.5) / self._scale - 0.5)

    def blobs(self) -> list[tuple[float, float, float]]:
        """The few places that stand out most from their surroundings, each with its middle and its side."""
        import cv2

        height = self._contrast.shape[0]
        stands_out: list[tuple[float, float, float, float]] = []
        window = float(SMALLEST)
        while window < LARGEST * height:
            inner, outer = max(3, round(window)), max(5, round(window * SURROUNDED))
            apart = cv2.blur(self._contrast, (inner, inner)) - cv2.blur(self._contrast, (outer, outer))
            peaks = (apart == cv2.dilate(apart, np.ones((inner, inner), np.uint8))) & (apart > FAINTEST)
            for row, column in np.argwhere(peaks).tolist():
                stands_out.append((float(apart[row, column]), column, row, window))
            window *= 1.3
        kept: list[tuple[float, float, float, float]] = []
        for one in sorted(stands_out, reverse=True):
            if all(max(abs(one[1] - x), abs(one[2] - y)) > 0.5 * min(one[3], size) for _, x, y, size in kept):
                kept.append(one)
        return [
            ((x + 0.5) / self._scale - 0.5, (y + 0.5) / self._scale - 0.5, size / self._scale)
            for _, x, y, size in kept[:MOST_BLOBS]
        ]

    def _left(self, seen: Sequence[Corners]) -> tuple[Plane, int, float]:
        """The contrast around each point that no piece explains, the window it is gathered in, and what counts."""
        if not seen:
            return _gathered(self._contrast, SMALLEST), SMALLEST, FAINTEST
        outlines = self._outlines(seen)
        side = min(float(np.linalg.norm(one - np.roll(one, 1, axis=0), axis=1).min()) for one in outlines)
        window = max(3, round(WINDOW * side))
        gathered = _gathered(self._contrast, window)
        usual = float(np.median([_around(gathered, one.mean(axis=0), 0.3 * side) for one in outlines]))
        return _gathered(_without(self._contrast, outlines), window), window, AS_DRAWN * usual

    def _outlines(self, seen: Sequence[Corners]) -> list[NDArray[np.float64]]:
        return [((corners + 0.5) * self._scale - 0.5).astype(np.float64) for corners in seen]

    @cached_property
    def _unlike_table(self) -> Plane:
        """How far each place's colour is from the table's, measured by how much the table varies."""
        import cv2

        size = (self._contrast.shape[1], self._contrast.shape[0])
        small = cv2.resize(self._sketch.lab, size, interpolation=cv2.INTER_AREA).astype(np.float32)
        smooth = np.asarray(cv2.GaussianBlur(small, (3, 3), 0), np.float32)
        return np.asarray(np.minimum(from_table(smooth), UNLIKE), np.float32)


def _gathered(plane: Plane, window: int) -> Plane:
    import cv2

    return np.asarray(cv2.blur(plane, (window, window)), np.float32)


def _without(plane: Plane, outlines: Sequence[NDArray[np.float64]]) -> Plane:
    """The same with nothing where pieces lie."""
    import cv2

    left = plane.copy()
    for one in outlines:
        middle = one.mean(axis=0)
        cv2.fillConvexPoly(left, np.round(middle + (one - middle) * REACH).astype(np.int32), 0.0)
    return left


def _around(plane: Plane, at: Plane, reach: float) -> float:
    """The most within reach of a point."""
    height, width = plane.shape
    x, y = int(np.clip(at[0], 0, width - 1)), int(np.clip(at[1], 0, height - 1))
    far = max(1, int(reach))
    return float(plane[max(0, y - far) : y + far + 1, max(0, x - far) : x + far + 1].max())
