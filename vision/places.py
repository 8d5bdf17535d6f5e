"""Where pieces may lie: guessed from outlines, from what is printed on the pieces, and from pieces already seen."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vision.glance import QUARTERS, Placings, middles, placings_of, sizes, within
from vision.outline import Corners
from vision.register import Layers, Placing

Box: TypeAlias = tuple[float, float, float, float]
"""Left, top, right, bottom on a face, from -1 to 1."""

NOWHERE: Final[Placings] = np.zeros((0, 3, 3))
SHORTEST_ROW: Final = 1.4
LONGEST_PIECE: Final = 2.4
"""Length by height, as seen: tilted away, a square may look like two, and two like one."""
LONGEST_ROW: Final = 12
FRAME_GROWTH: Final = (1.0, 1.085)
"""An outline is the piece's rim or, where the rim is as dark as the table, the line printed inside it."""
TILTED: Final = 2.3
"""Sum of squares of the axes against their area, which is 2 for a square; 40 degrees of tilt give 2.07."""
ROOM: Final = 0.8
"""The inner part of a piece in which no other piece's middle can lie."""
BESIDE: Final = np.array([[[1, 0, x], [0, 1, y], [0, 0, 1]] for x, y in ((-2, 0), (2, 0), (0, -2), (0, 2))], np.float64)
TURNS: Final = np.array(
    [[[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]] for a in np.arange(8) * (np.pi / 16)]
)
"""An eighth of a quarter turn apart; the quarters themselves are told by the faces."""
NUDGES: Final = np.array([(0.0, 0.0), (0.13, 0.0), (0.0, 0.13), (-0.13, 0.0), (0.0, -0.13)])
BLOB_GROWTH: Final = (0.9, 1.1)
SQUEEZES: Final = (1.0, 0.8)
ROUNDING: Final = 1.25
STEP: Final = 0.15


def by_outlines(found: Sequence[Corners]) -> Placings:
    """Where one piece would lie if an outline were its rim, the line inside its rim, or a row of pieces."""
    if not found:
        return NOWHERE
    corners = np.stack(found)
    lengths = np.linalg.norm(corners[:, [1, 2, 3, 0]] - corners, axis=2)
    wide, high = lengths[:, 0] + lengths[:, 2], lengths[:, 1] + lengths[:, 3]
    ratio = np.maximum(wide, high) / np.minimum(wide, high)
    whole = placings_of(np.where((wide > high)[:, None, None], corners, corners[:, [1, 2, 3, 0]]))
    places = [whole[ratio < LONGEST_PIECE]]
    for number in range(2, LONGEST_ROW + 1):
        fitting = (ratio > SHORTEST_ROW) & (np.maximum(2, np.floor(ratio * 0.75)) <= number)
        row = whole[fitting & (number <= np.ceil(ratio * 1.4))]
        # Two of a row's pieces are enough: each one found shows where its neighbours lie.
        places += [row @ _part(number, at) for at in {number // 2, 0}]
    return np.concatenate([place @ np.diag([growth, growth, 1.0]) for place in places for growth in FRAME_GROWTH])


def _part(number: int, at: int) -> Placing:
    """One of a number of equal pieces side by side in a whole."""
    return np.array([[1 / number, 0, (2 * at + 1) / number - 1], [0, 1, 0], [0, 0, 1]])


def on_spots(plane: Placing, spots: NDArray[np.float64], half: tuple[float, float]) -> Placings:
    """Pieces of one shape with their middles on given spots of a table, turned every way.

    `plane` leads from the table, in the unit of the pieces, to the photograph; `half` is half of width and height.
    """
    if not len(spots):
        return NOWHERE
    at = np.c_[spots, np.ones(len(spots))] @ np.linalg.inv(plane).T
    shifts = np.tile(np.eye(3), (len(at), 1, 1))
    shifts[:, :2, 2] = at[:, :2] / at[:, 2:]
    # A square's quarter turns are told by the faces; what is longer looks different after a quarter.
    turns = TURNS if half[0] == half[1] else np.concatenate([TURNS, TURNS @ QUARTERS[1]])
    placed = ((plane @ shifts)[:, None] @ turns[None]).reshape(-1, 3, 3) @ np.diag([*half, 1.0])
    return np.asarray(placed / placed[:, 2:, 2:])


def nearest(spots: NDArray[np.float64], seen: Placings) -> NDArray[np.int64]:
    """For each spot the piece seen that lies nearest: its slant and size are the likeliest there."""
    if not len(seen):
        return np.zeros(len(spots), np.int64)
    apart = np.linalg.norm(spots[:, None] - middles(seen)[None], axis=2)
    return np.asarray(apart.argmin(axis=1), np.int64)


def on_blobs(blobs: Sequence[tuple[float, float, float]], half: tuple[float, float]) -> Placings:
    """Pieces about as large as what stands out from its surroundings (x, y, side), seen from above or at a slant."""
    places = [NOWHERE]
    for x, y, side in blobs:
        for growth in BLOB_GROWTH:
            size = side * growth / 2 / math.sqrt(half[0] * half[1])
            for squeeze in SQUEEZES:
                spots = np.array([x, y]) + NUDGES * side * growth
                plane = np.diag([size / math.sqrt(squeeze), size * math.sqrt(squeeze), 1.0])
                places.append(on_spots(plane, spots, half))
    return np.concatenate(places)


def by_landmarks(landmarks: Sequence[Box], found: Sequence[Corners]) -> Placings:
    """Where pieces would lie if outlines were boxes printed on them."""
    if not found or not landmarks:
        return NOWHERE
    turns = np.stack([np.roll(np.stack(found), -quarters, axis=1) for quarters in range(4)], axis=1)
    places = [NOWHERE]
    for left, top, right, bottom in landmarks:
        box = np.array([[left, top, 1], [right, top, 1], [right, bottom, 1], [left, bottom, 1]])
        drawn = np.einsum("ij,fqjk->fqki", np.linalg.pinv(box), turns.astype(np.float64)).reshape(-1, 2, 3)
        (a, b, _), (c, d, _) = drawn.transpose(1, 2, 0)
        grown, area = a * a + b * b + c * c + d * d, a * d - b * c
        # Whether a square seen from up to 40 degrees could look like this.
        good = (area > 0) & (grown < TILTED * area)
        bottom_row = np.broadcast_to([[[0.0, 0.0, 1.0]]], (int(good.sum()), 1, 3))
        places.append(np.concatenate([drawn[good], bottom_row], axis=1))
    return np.concatenate(places)


def beside(placing: Placing, layers: Layers) -> Placings:
    """The four places that touch a piece, as far as they lie in the photograph."""
    places = placing @ BESIDE
    height, width = layers.grey[0].shape
    middle = middles(places)
    return np.asarray(places[((middle >= 0) & (middle < (width, height))).all(axis=1)])


def overlapping(some: Placings, others: Placings) -> NDArray[np.bool_]:
    """Whether the middle of each place (rows) lies in each other one (columns), or that one's middle in it."""
    return within(middles(some), others, ROOM) | within(middles(others), some, ROOM).T


def taken(places: Placings, seen: Placings) -> NDArray[np.bool_]:
    """Whether each place overlaps with a piece already seen."""
    if not len(seen) or not len(places):
        return np.zeros(len(places), np.bool_)
    return np.asarray(overlapping(places, seen).any(axis=1))


def about(places: Placings) -> NDArray[np.int64]:
    """Roughly where each place is, how large and how turned: the same for places that differ by little."""
    size = np.round(np.log(np.maximum(sizes(places), 1.0)) / np.log(ROUNDING))
    step = STEP * ROUNDING**size
    turn = np.round(np.arctan2(places[:, 1, 0], places[:, 0, 0]) / (np.pi / 16)) % 8
    return np.asarray(np.c_[np.round(middles(places) / step[:, None]), size, turn], np.int64)
