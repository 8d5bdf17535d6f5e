"""The table as seen from above: pieces of a given size are looked for in every place and turn."""

from __future__ import annotations

from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.one_box.box_size import Size
from vision.one_box.slant import seen_from
from vision.photo import Pixels
from vision.register import Placing, Plane

SIDE: Final = 30.0
"""Pixels that a piece's side measures in the picture from above."""
LARGEST: Final = 90_000.0
"""Pixels of the picture from above; where pieces are small they must do with fewer."""
TURNS: Final = 36
"""Steps of half a turn."""
SAMPLES: Final = 12
STRONG: Final = 16
"""What an edge counts that is surely one."""
FAINTEST: Final = 12.0
"""Grey levels a pixel, in good light, of such an edge."""
GOOD_LIGHT: Final = 130.0
DIMMEST: Final = 0.35
BUSY: Final = (60, 2.5)
"""The edges of a table, at this percentile, must be surpassed this many times."""
LEAST: Final = 0.55
MOST: Final = 40


class Tabletop:
    """The picture of a table from above, in which a piece of one size is always as large."""

    def __init__(self, lab: Pixels, view: Placing, size: Size) -> None:
        import cv2

        height, width = lab.shape[:2]
        whole = np.array([[[0, 0], [width - 1, 0], [width - 1, height - 1], [0, height - 1]]], np.float32)
        rim = seen_from(view, whole)[0]
        low, (wide, high) = rim.min(axis=0), np.ptp(rim, axis=0)
        self.side = float(np.sqrt(size.long * size.short))
        scale = min(1.0, SIDE / self.side, float(np.sqrt(LARGEST / (wide * high))))
        self.size = Size(size.long * scale, size.short * scale)
        self.view: Placing = (
            np.diag([scale, scale, 1.0]) @ np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1]]) @ view
        )
        self.extent = (int(wide * scale) + 2, int(high * scale) + 2)
        soft = cv2.GaussianBlur(lab, (0, 0), max(0.6, 0.4 / scale))
        flat = cv2.warpPerspective(soft, self.view, self.extent, borderMode=cv2.BORDER_REPLICATE)
        self._across, self._down = sure_slopes(np.asarray(flat, np.uint8))

    def places(self, factor: float = 1.0) -> NDArray[np.float32]:
        """The corners, on this picture, of pieces about this size that may lie there, the plainest first."""
        turns = TURNS // 2 if self._short is self._long else TURNS
        size = Size(self.size.long * factor, self.size.short * factor)
        half = TURNS // 2
        shown = [_shown(self._long[turn], self._short[(turn + half) % TURNS], turn, size) for turn in range(turns)]
        return _peaks(np.stack(shown), size)

    @cached_property
    def _long(self) -> list[Pixels]:
        return self._sides(self.size.long)

    @cached_property
    def _short(self) -> list[Pixels]:
        return self._long if self.size.long == self.size.short else self._sides(self.size.short)

    def _sides(self, length: float) -> list[Pixels]:
        """For each turn, how strongly a side of this length shows whose middle is here."""
        return [self._side(turn, length) for turn in range(TURNS)]

    def _side(self, turn: int, length: float) -> Pixels:
        import cv2

        along, normal = _directions(turn)
        slope = np.abs(cv2.addWeighted(self._across, normal[0] * STRONG, self._down, normal[1] * STRONG, 0))
        strongest = cv2.max(cv2.max(slope[..., 0], slope[..., 1]), slope[..., 2])
        edge = np.minimum(strongest, STRONG).astype(np.uint8)
        total = np.zeros_like(edge)
        for off in np.linspace(-0.42, 0.42, SAMPLES) * length:
            _add_shifted(total, edge, along * off)
        return total


def _shown(long: Pixels, short: Pixels, turn: int, size: Size) -> Pixels:
    """How plainly a piece with its middle here shows its weakest side."""
    import cv2

    along, normal = _directions(turn)
    out, down = along * size.long / 2, normal * size.short / 2
    sides = [_shifted(long, down), _shifted(long, -down), _shifted(short, out), _shifted(short, -out)]
    return np.asarray(cv2.min(cv2.min(sides[0], sides[1]), cv2.min(sides[2], sides[3])), np.uint8)


def _peaks(shown: Pixels, size: Size) -> NDArray[np.float32]:
    import cv2

    best, turns = shown.max(axis=0), shown.argmax(axis=0)
    soft = cv2.GaussianBlur(best.astype(np.float32), (3, 3), 0)
    peak = (soft >= cv2.dilate(soft, np.ones((5, 5), np.uint8))) & (best > LEAST * STRONG * SAMPLES)
    rows, columns = np.nonzero(peak)
    order = np.argsort(-soft[rows, columns])[:MOST]
    rows, columns = rows[order], columns[order]
    directions = np.array([_directions(turn) for turn in turns[rows, columns]]).reshape(-1, 2, 2)
    out, down = directions[:, 0] * size.long / 2, directions[:, 1] * size.short / 2
    corners = np.stack([-out - down, out - down, out + down, down - out], axis=1)
    return np.asarray(corners + np.c_[columns, rows][:, None], np.float32)


def sure_slopes(lab: Pixels) -> tuple[Plane, Plane]:
    """How steeply light and colour change across and down, where 1 is surely an edge in this light, on this table."""
    import cv2

    across, down = cv2.Sobel(lab, cv2.CV_32F, 1, 0, scale=0.25), cv2.Sobel(lab, cv2.CV_32F, 0, 1, scale=0.25)
    light = min(1.0, max(DIMMEST, float(np.median(lab[::4, ::4, 0])) / GOOD_LIGHT))
    steep = np.maximum(np.abs(across[::2, ::2]), np.abs(down[::2, ::2])).reshape(-1, 3)
    sure = np.maximum(FAINTEST * light, BUSY[1] * np.percentile(steep, BUSY[0], axis=0)).astype(np.float32)
    return np.asarray(across / sure, np.float32), np.asarray(down / sure, np.float32)


def _directions(turn: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Along a side and down from it."""
    angle = np.pi * turn / TURNS
    along = np.array([np.cos(angle), np.sin(angle)])
    return along, np.array([-along[1], along[0]])


def _shifted(plane: Pixels, by: NDArray[np.float64]) -> Pixels:
    """The plane as seen from a place that lies so far off; there is nothing beyond its rim."""
    there = np.zeros_like(plane)
    _add_shifted(there, plane, by)
    return there


def _add_shifted(total: Pixels, plane: Pixels, by: NDArray[np.float64]) -> None:
    x, y = round(float(by[0])), round(float(by[1]))
    height, width = plane.shape
    if abs(x) < width and abs(y) < height:
        total[max(0, -y) : height - max(0, y), max(0, -x) : width - max(0, x)] += plane[
            max(0, y) : height - max(0, -y), max(0, x) : width - max(0, -x)
        ]
