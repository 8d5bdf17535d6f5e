"""Laying a known face exactly onto a photograph: the face's own lines pull it into place, whatever the light."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vision.outline import Corners
from vision.photo import Pixels

Plane: TypeAlias = NDArray[np.float32]
"""A grey picture, or one value a pixel."""
Placing: TypeAlias = NDArray[np.float64]
"""A 3 x 3 map from face coordinates (-1 to 1, y down) to pixels of the photograph."""

UNIT: Final[Corners] = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float32)
ROUGH: Final = 24
COARSE: Final = 48
FINE: Final = 96
OUT_OF_FOCUS: Final = 1.3
"""Pixels of a fine face."""
OUTLYING: Final = 2.5
"""Errors that are so many times the usual one count three quarters, those twice as large next to nothing."""
STILL: Final = 5e-4
"""A step shorter than this, in parts of half the side, is none."""
DIMMING: Final = 2
"""How often what is brighter than usual is dimmed to that; more would dim what is white on a dark card."""
DAZZLING: Final = 1.2
"""Parts of a patch's spread above its middle: what is brighter is dimmed."""
WILD: Final = 0.6
"""A step longer than this leads nowhere."""
_HALF_UP: Final = np.array([[1, 0, -0.5], [0, 1, -0.5], [0, 0, 1.0]])
_HALF_DOWN: Final = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1.0]])


class Layers:
    """The photograph at full size, half, quarter ...: a squared piece is cut from the layer nearest its size."""

    def __init__(self, pixels: Pixels) -> None:
        import cv2

        self.colour = pixels
        self.grey: list[Pixels] = [np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), np.uint8)]
        while min(self.grey[-1].shape) > 64 and len(self.grey) < 6:
            last = self.grey[-1]
            half = (last.shape[1] // 2, last.shape[0] // 2)
            self.grey.append(np.asarray(cv2.resize(last, half, interpolation=cv2.INTER_AREA), np.uint8))
        height, width = self.grey[0].shape
        self.to_layer = [
            _HALF_UP @ np.diag([grey.shape[1] / width, grey.shape[0] / height, 1.0]) @ _HALF_DOWN for grey in self.grey
        ]

    def nearest(self, placing: Placing, width: int, height: int) -> int:
        """Which layer comes nearest to a placed face's size, if width x height are cut from it."""
        area = abs(placing[0, 0] * placing[1, 1] - placing[0, 1] * placing[1, 0]) * 4
        across = math.sqrt(max(area / (width * height), 1e-9))
        return min(max(math.floor(math.log2(across) + 0.3), 0), len(self.grey) - 1)

    def squared(self, placing: Placing, size: int, layer: int | None = None) -> Plane:
        """What lies under the placed face, size x size, grey; from the nearest layer unless told which."""
        return self._cut(placing, size, size, self.nearest(placing, size, size) if layer is None else layer)

    def cut(self, placing: Placing, box: tuple[float, float, float, float], width: int, height: int) -> Plane:
        """What lies under a box (left, top, right, bottom) of the placed face, width x height, grey."""
        left, top, right, bottom = box
        to_box = np.array(
            [[(right - left) / 2, 0, (right + left) / 2], [0, (bottom - top) / 2, (bottom + top) / 2], [0, 0, 1]]
        )
        part = placing @ to_box
        return self._cut(part, width, height, self.nearest(part, width, height))

    def _cut(self, placing: Placing, width: int, height: int, layer: int) -> Plane:
        import cv2

        matrix = self.to_layer[layer] @ placing @ from_grid(width, height)
        patch = cv2.warpPerspective(
            self.grey[layer], matrix, (width, height), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )  # fmt: skip
        return patch.astype(np.float32)

    def squared_colour(self, placing: Placing, width: int, height: int) -> Pixels:
        """What lies under the placed face in colour, from full size."""
        import cv2

        matrix = placing @ from_grid(width, height)
        patch = cv2.warpPerspective(
            self.colour, matrix, (width, height), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )  # fmt: skip
        return np.asarray(patch, np.uint8)


def product(one: Plane, other: Plane) -> Plane:
    """Every row of one with every row of the other."""
    return np.asarray(one @ other.T, np.float32)


@cache
def from_grid(width: int, height: int) -> Placing:
    """From a picture's pixels to face coordinates."""
    return np.array([[2 / width, 0, 1 / width - 1], [0, 2 / height, 1 / height - 1], [0, 0, 1]])


def placing_of(corners: Corners) -> Placing:
    """The placing whose face corners lie on these points."""
    import cv2

    return np.asarray(cv2.getPerspectiveTransform(UNIT, corners.astype(np.float32)), np.float64)


def corners_of(placing: Placing) -> Corners:
    """Where the four corners of the placed face lie, from its own top left, clockwise."""
    return mapped(UNIT, placing)


def mapped(points: Corners, placing: Placing) -> Corners:
    """Where points of a placed face lie."""
    there = np.c_[points.astype(np.float64), np.ones(len(points))] @ placing.T
    return np.asarray(there[:, :2] / there[:, 2:], np.float32)


def dimmed(patches: NDArray[np.float32]) -> NDArray[np.float32]:
    """One patch or many without the lamps that they mirror, which would outshine small drawings; paper stays white."""
    size = patches.shape[-2] * patches.shape[-1]
    flat = patches.reshape(-1, size)
    for _ in range(DIMMING):
        middle = np.einsum("ij->i", flat) / size
        spread = np.sqrt(np.maximum(np.einsum("ij,ij->i", flat, flat) / size - middle * middle, 0))
        flat = np.minimum(flat, (middle + DAZZLING * spread)[:, None])
    return flat.reshape(patches.shape)


def evened(patch: Plane, soft: float = 0.0) -> Plane:
    """Local contrast alone: shadows, lamps and gradients gone; mean 0 and length 1 over the patch."""
    import cv2

    reach = (patch.shape[1] // 4 | 1, patch.shape[0] // 4 | 1)
    mean = np.asarray(cv2.blur(patch, reach), np.float32)
    spread = np.sqrt(np.maximum(cv2.blur(patch * patch, reach) - mean * mean, 0))
    even = np.asarray((patch - mean) / (spread + np.float32(0.25 * cv2.mean(spread)[0] + 1.0)), np.float32)
    if soft:
        even = np.asarray(cv2.GaussianBlur(even, (0, 0), soft), np.float32)
    even -= np.float32(cv2.mean(even)[0])
    return np.asarray(even / np.float32(cv2.norm(even) + 1e-6), np.float32)


@dataclass
class Level:
    """A face at one size, with what Gauss and Newton need to pull it into place."""

    even: Plane
    soft: float
    free: dict[int, Plane]
    """By how many numbers are free: how far an error in each pixel moves each of them."""

    @classmethod
    def of(cls, patch: Plane, soft: float = 0.0, free: Sequence[int] = (8,)) -> Level:
        """From the face's grey patch, size x size; softened, it pulls from farther off."""
        even = evened(patch, soft)
        size = even.shape[0]
        dv, du = np.gradient(even)
        du, dv = du * (size / 2), dv * (size / 2)
        at = (np.arange(size, dtype=np.float32) + 0.5) * (2 / size) - 1
        u, v = np.meshgrid(at, at)
        both = u * du + v * dv
        pulls = np.stack([du * u, du * v, du, dv * u, dv * v, dv, -both * u, -both * v]).reshape(8, -1)
        return cls(even, soft, {count: _moves(pulls[:count].astype(np.float32)) for count in free})


def _moves(pulls: Plane) -> Plane:
    """The least squares solution for every pixel, once and for all: a face's own lines do not change."""
    hessian = product(pulls, pulls).astype(np.float64)
    hessian += np.diag(np.diagonal(hessian)) * 1e-3 + np.eye(len(pulls)) * 1e-9
    return product(np.linalg.inv(hessian).astype(np.float32), np.ascontiguousarray(pulls.T))


class Face:
    """One known face: its code, its drawing, and how wide the piece is (in any unit, the same for the whole set)."""

    def __init__(self, code: str, drawing: Pixels, wide: float = 2.0) -> None:
        self.code = code
        self.drawing = drawing
        self.half = (wide / 2, wide / 2 * drawing.shape[0] / drawing.shape[1])
        """Half of its width and of its height."""

    def prepare(self) -> None:
        """Works out now what would be worked out on first use."""
        for name in ("loose", "rough", "coarse", "fine"):
            getattr(self, name)

    def grey(self, size: int) -> Plane:
        """The drawing squeezed into size x size, grey."""
        import cv2

        grey = cv2.cvtColor(self.drawing, cv2.COLOR_BGR2GRAY)
        return cv2.resize(grey, (size, size), interpolation=cv2.INTER_AREA).astype(np.float32)

    @cached_property
    def loose(self) -> Level:
        """For the first pull, from some way off."""
        return Level.of(dimmed(self.grey(ROUGH)), 2.0, (6, 8))

    @cached_property
    def rough(self) -> Level:
        """For the next pull, from nearer by."""
        return Level.of(dimmed(self.grey(ROUGH)), 1.3, (6, 8))

    @cached_property
    def coarse(self) -> Level:
        """For the third pull."""
        return Level.of(self.grey(COARSE))

    @cached_property
    def fine(self) -> Level:
        """For the last pull, and to judge the fit."""
        return Level.of(self.grey(FINE))

    @cached_property
    def soft(self) -> Level:
        """The same as a photograph out of focus shows it."""
        import cv2

        return Level.of(np.asarray(cv2.GaussianBlur(self.grey(FINE), (0, 0), OUT_OF_FOCUS), np.float32))


def pulled(layers: Layers, placing: Placing, level: Level, steps: int) -> tuple[Placing, float]:
    """The placing moved to where the face fits best, and how well it fits (1 is perfect)."""
    size = level.even.shape[0]
    # One layer for the whole way: where two meet, the fit would jump, and the jump would hold the face back.
    layer = layers.nearest(placing, size, size)
    best, best_fit = placing, -1.0
    for step in range(steps + 1):
        seen = evened(layers.squared(placing, size, layer), level.soft)
        fit = float(np.vdot(seen, level.even))
        if fit > best_fit:
            best, best_fit = placing, fit
        elif fit < best_fit - 0.02:
            break
        if step == steps:
            break
        error = (seen - level.even).ravel()
        # What differs most is covered or mirrors a lamp: it counts little.
        bound = (2 * OUTLYING * float(np.abs(error).mean())) ** 2 + 1e-12
        weight = np.maximum(1 - error * error / bound, 0.05)
        move = product(level.free[8], (error * weight)[None])[:, 0] / float(weight.mean())
        if not np.isfinite(move).all() or np.abs(move).max() > WILD:
            break
        a, b, c, d, e, f, g, h = move.tolist()
        change = np.array([[1 + a, b, c], [d, 1 + e, f], [g, h, 1]])
        placing = placing @ np.linalg.inv(change)
        placing = placing / placing[2, 2]
        if np.abs(move).max() < STILL:
            break
    return best, best_fit
