"""Finding the look that fits a picture: a coarse search over places and turns, then a fine alignment."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.framing import Corners, Plane
from vision.looks import (
    INSET,
    RIM,
    SIDE,
    Agreement,
    Look,
    Way,
    agreement,
    edges,
    fitting,
    flattened,
    square_to_picture,
    take,
)
from vision.photo import Pixels

REACH = 12
COARSE = 48
CELL = 6
CELLS = COARSE // CELL
BINS = 8
DIRECTIONS = [(float(np.cos(angle)), float(np.sin(angle))) for angle in np.arange(BINS) * (2 * np.pi / BINS)]
STEP = 5
MARGIN = STEP
SHIFTS = range(-MARGIN, MARGIN + 1, STEP)
SCALES = (0.91, 1.0, 1.1)
NUDGES = (-4, 0, 4)
ENOUGH = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 20, 1e-3)


@dataclass(frozen=True)
class Match:
    """A look laid over the picture: where it fits best, and how well."""

    look: Look
    agreement: Agreement
    corners: Corners


def outline(look: Look) -> Plane:
    """The coarse description of a look, for finding the few that are worth aligning."""
    small = cv2.resize(look.small, (COARSE, COARSE), interpolation=cv2.INTER_AREA)
    description: Plane = _cells(flattened(np.asarray(small, np.uint8)), 0)[0]
    return description


def _cells(flat: Plane, margin: int) -> Plane:
    """Edge directions by cell, one unit row for every shift that the margin allows."""
    across, down = edges(flat)
    channels = np.empty((*flat.shape, BINS), np.float32)
    for half in range(BINS // 2):
        along = across * DIRECTIONS[half][0] + down * DIRECTIONS[half][1]
        channels[:, :, half] = np.square(np.maximum(along, 0))
        channels[:, :, half + BINS // 2] = np.square(np.minimum(along, 0))
    pooled = np.sqrt(np.maximum(cv2.blur(cv2.blur(channels, (CELL, CELL)), (CELL, CELL)), 0))
    begins = range(CELL // 2, 2 * margin + 1 + CELL // 2, STEP)
    tops = [pooled[y : y + COARSE : CELL][:CELLS] for y in begins]
    stack = np.stack([top[:, x : x + COARSE : CELL][:, :CELLS] for top in tops for x in begins])
    stack = stack.reshape(len(stack), -1)
    return np.asarray(stack / (np.linalg.norm(stack, axis=1, keepdims=True) + 1e-6), np.float32)


def turned(rows: Plane, quarters: int) -> Plane:
    """The same cells as if the piece had been turned back by quarter turns."""
    cells = np.rot90(rows.reshape(-1, CELLS, CELLS, BINS), quarters, axes=(1, 2))
    return np.roll(cells, -quarters * (BINS // 4), axis=3).reshape(len(rows), -1)


class Search:
    """One picture to be compared: its frames at several sizes, shifts and turns, described coarsely once."""

    def __init__(self, picture: Pixels, outlines: list[Corners], turns: tuple[int, ...] = (0, 1, 2, 3)) -> None:
        self.picture = picture
        self._places: list[tuple[Corners, int]] = []
        self._around: dict[int, _Surroundings] = {}
        rows = []
        for frame in outlines:
            middle = frame.mean(axis=0)
            for scale in SCALES:
                corners = (middle + (frame - middle) * scale).astype(np.float32)
                smaller, fitted = fitting(picture, corners)
                way = square_to_picture(fitted, COARSE) @ _shift(-MARGIN)
                plain = _cells(flattened(take(smaller, way, COARSE + 2 * MARGIN)[0]), MARGIN)
                for turn in turns:
                    rows.append(turned(plain, turn))
                    self._places.append((corners, turn))
        self._rows = np.concatenate(rows)

    def nearest(self, looks: Plane) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
        """For each look, by its coarse description, the row that comes nearest, and how near."""
        scores = self._rows @ looks.T
        rows = scores.argmax(axis=0)
        return rows, np.take_along_axis(scores, rows[None], axis=0)[0]

    def _start(self, row: int) -> Corners:
        """The frame that a row stands for, its first corner the piece's own top left."""
        shifts = len(SHIFTS)
        corners, turn = self._places[row // shifts**2]
        down = SHIFTS[row % shifts**2 // shifts] / COARSE
        across = SHIFTS[row % shifts] / COARSE
        shifted = corners + (corners[1] - corners[0]) * across + (corners[3] - corners[0]) * down
        # Descriptions were turned around the frame's own middle, so the shift comes before the turn.
        return np.asarray(np.roll(shifted, -turn, axis=0), np.float32)

    def align(self, look: Look, row: int) -> Match | None:
        """Lays the look over the picture from where a row says that it lies."""
        if row not in self._around:
            self._around[row] = _surroundings(self.picture, self._start(row))
        return self._aligned(look, self._around[row])

    def poses(self, match: Match) -> list[Pose]:
        """Where another look lay so well: the place itself, in each of its four turns."""
        middle = match.corners.mean(axis=0)
        around = (middle + (match.corners - middle) / (1 - 2 * INSET)).astype(np.float32)
        return [Pose(self.picture, np.roll(around, -turn, axis=0)) for turn in range(4)]

    def align_at(self, look: Look, pose: Pose) -> Match | None:
        """Lays the look over the picture from a pose that is nearly right."""
        return self._aligned(look, pose.surroundings)

    def _aligned(self, look: Look, around: _Surroundings) -> Match | None:
        """Moves, turns and stretches the look a little until it fits best."""
        begin = np.array([[1, 0, REACH + RIM], [0, 1, REACH + RIM]], np.float32)
        inner = np.ascontiguousarray(look.flat[RIM:-RIM, RIM:-RIM])
        try:
            _, warp = cv2.findTransformECC(inner, around.flat, begin, cv2.MOTION_AFFINE, ENOUGH, around.seen, 3)
        except cv2.error:
            return None
        stretch = np.linalg.svd(warp[:, :2], compute_uv=False)
        if stretch[0] > 1.35 or stretch[1] < 0.75:
            return None
        way = around.way @ np.vstack([warp, [0, 0, 1]]) @ _shift(-RIM)
        seen = Look("", *take(around.picture, way, SIDE))
        ends = np.array([[[0, 0], [SIDE, 0], [SIDE, SIDE], [0, SIDE]]], np.float32) - 0.5
        corners = (cv2.perspectiveTransform(ends, way)[0] + 0.5) * around.factor
        return Match(look, agreement(look, seen), corners.astype(np.float32))


class Pose:
    """A place in the picture where a piece lies, in one of its turns."""

    def __init__(self, picture: Pixels, corners: Corners) -> None:
        self._picture = picture
        self._corners = corners

    @cached_property
    def surroundings(self) -> _Surroundings:
        return _surroundings(self._picture, self._corners)

    @cached_property
    def lines(self) -> Plane:
        """What is drawn there and a little beside it, a unit row each, to be compared with the looks' own lines."""
        soft = _soft(edges(self.surroundings.flat))
        return np.stack([_lines(soft, REACH + down, REACH + across) for down in NUDGES for across in NUDGES])


def lines(look: Look) -> Plane:
    """The fine description of a look, for finding the few that are like a drawing among many."""
    return _lines(_soft(look.edges), 0, 0)


def _soft(drawn: tuple[Plane, Plane]) -> Plane:
    return np.stack([cv2.GaussianBlur(plane, (0, 0), 1.8) for plane in drawn]).astype(np.float32)


def _lines(soft: Plane, top: int, left: int) -> Plane:
    down, across = (slice(begin + RIM, begin + SIDE - RIM, 3) for begin in (top, left))
    row = soft[:, down, across].ravel()
    return np.asarray(row / (np.linalg.norm(row) + 1e-6), np.float32)


@dataclass(frozen=True)
class _Surroundings:
    """A start's frame and what lies around it, evened out and ready for aligning."""

    picture: Pixels
    factor: NDArray[np.float32]
    way: Way
    flat: Plane
    seen: Pixels


def _surroundings(picture: Pixels, corners: Corners) -> _Surroundings:
    smaller, frame = fitting(picture, corners)
    way = square_to_picture(frame, SIDE) @ _shift(-REACH)
    around, seen = take(smaller, way, SIDE + 2 * REACH)
    factor = np.array([picture.shape[1] / smaller.shape[1], picture.shape[0] / smaller.shape[0]], np.float32)
    return _Surroundings(smaller, factor, way, flattened(around), seen)


def _shift(by: float) -> Way:
    return np.array([[1, 0, by], [0, 1, by], [0, 0, 1]], np.float64)
