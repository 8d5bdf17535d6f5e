"""One squared picture of a piece, and how alike two of them are, place by place.

Light is taken out (local contrast, edge directions, colour casts), so that another evening's photograph of
the same piece agrees everywhere, and a near twin disagrees somewhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.framing import Corners, Plane
from vision.photo import Pixels

FINE = 96
"""Pixels of a kept look: enough for small digits."""
SIDE = 72
"""Pixels of a look as it is compared: few enough to compare many in milliseconds."""
INSET = 0.03
RIM = 5
"""Pixels at the border that are not compared: there the table shows, or a bevel throws a shadow."""
POOL = 4
POOLED = SIDE // POOL
CLOSE = 24
"""Places across for the close comparison: about the width of a small digit's stroke each."""
CLOSE_NUDGES = [(y, x) for y in range(-2, 3) for x in range(-2, 3) if abs(y) + abs(x) <= 2]
CLOSE_WORTH_IT = 0.6
"""How well two looks must agree overall before they are compared closely."""
INNER = np.pad(np.ones((POOLED - 2, POOLED - 2), np.bool_), 1)
"""The pooled places off the rim."""
LAMP_RED, LAMP_BLUE, LAMP_GREEN = 0.40, 0.55, 0.35
"""How far another lamp can change red and blue against green, and both against it at once."""
DOUBT = 1.5
"""How much farther colours must be off before they rule a label out, than to speak against it."""
LEAST_DETAIL = 6.0
"""Grey levels by which a piece must vary before its drawing can say anything."""

Way = NDArray[np.float64]
"""A perspective map from a square's pixels to a picture's."""


@dataclass(frozen=True)
class Agreement:
    """How well an aligned picture and a look agree; `overall`, `worst` and `detail` are 1 where they are the same.

    `worst` is the place that agrees least, `detail` the same for places as small as a digit, `tint` the largest local
    change of colour, and `cast` the change of colour that all places share (red and blue against green): the lamp's,
    if a lamp can do that.
    """

    overall: float
    worst: float
    tint: float
    cast: tuple[float, float]
    detail: float

    @property
    def score(self) -> float:
        return (self.overall + self.worst) / 2


NONE_AT_ALL = Agreement(0.0, 0.0, 1.0, (0.0, 0.0), 0.0)


class Look:
    """One squared picture of a piece and what is compared of it; `up` quarter turns bring it upright."""

    def __init__(self, label: str, pixels: Pixels, valid: Pixels, up: int = 0) -> None:
        self.label = label
        self.pixels = pixels
        self.valid = valid
        self.up = up

    @cached_property
    def small(self) -> Pixels:
        if self.pixels.shape[0] == SIDE:
            return self.pixels
        return np.asarray(cv2.resize(self.pixels, (SIDE, SIDE), interpolation=cv2.INTER_AREA), np.uint8)

    @cached_property
    def inner(self) -> NDArray[np.bool_]:
        """The places that are compared: inside the picture it came from, and off the rim."""
        mask = cv2.resize(self.valid, (SIDE, SIDE), interpolation=cv2.INTER_NEAREST) > 0
        mask[:RIM] = mask[-RIM:] = mask[:, :RIM] = mask[:, -RIM:] = False
        return mask

    @cached_property
    def flat(self) -> Plane:
        return flattened(self.small)

    @cached_property
    def edges(self) -> tuple[Plane, Plane]:
        return edges(self.flat)

    @cached_property
    def tints(self) -> Plane:
        return tints(self.small)

    @cached_property
    def plain(self) -> bool:
        """Whether there is next to nothing to compare, as on a blank piece."""
        grey = cv2.cvtColor(self.small, cv2.COLOR_BGR2GRAY)
        return not self.inner.any() or float(grey[self.inner].std()) < LEAST_DETAIL


def flattened(pixels: Pixels) -> Plane:
    """Grey with its light evened out: every part of the piece in the same contrast."""
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY).astype(np.float32)
    spread = (pixels.shape[0] // 5 * 2 + 1,) * 2
    detail = grey - cv2.blur(cv2.blur(grey, spread), spread)
    power = cv2.blur(cv2.blur(detail * detail, spread), spread)
    return np.asarray(detail / np.sqrt(power + 0.05 * float(detail.var()) + 9), np.float32)


def edges(flat: Plane) -> tuple[Plane, Plane]:
    """How the evened grey rises to the right and downwards."""
    soft = cv2.GaussianBlur(flat, (0, 0), 1.0)
    across = cv2.Sobel(soft, cv2.CV_32F, 1, 0, scale=0.25)
    down = cv2.Sobel(soft, cv2.CV_32F, 0, 1, scale=0.25)
    return np.asarray(across, np.float32), np.asarray(down, np.float32)


def tints(pixels: Pixels) -> Plane:
    """Red and blue against green, pooled: a lamp's colour shifts all of it by the same amount."""
    small = cv2.resize(pixels, (POOLED, POOLED), interpolation=cv2.INTER_AREA).astype(np.float32)
    logs = np.log(cv2.GaussianBlur(small, (0, 0), 0.8) + 16)
    return np.stack([logs[:, :, 2] - logs[:, :, 1], logs[:, :, 0] - logs[:, :, 1]]).astype(np.float32)


def square_to_picture(corners: Corners, side: float, inset: float = INSET) -> Way:
    """The way from a square of `side` pixels to the frame in the picture, drawn in a little."""
    middle = corners.mean(axis=0)
    drawn = (middle + (corners - middle) * (1 - 2 * inset) - 0.5).astype(np.float32)
    square = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32) - 0.5
    return np.asarray(cv2.getPerspectiveTransform(square, drawn), np.float64)


def take(picture: Pixels, way: Way, side: int) -> tuple[Pixels, Pixels]:
    """The square that `way` leads to, and where it lies inside the picture."""
    back = cv2.WARP_INVERSE_MAP
    size = (side, side)
    pixels = cv2.warpPerspective(picture, way, size, flags=back | cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    whole = np.full(picture.shape[:2], 255, np.uint8)
    valid = cv2.warpPerspective(whole, way, size, flags=back | cv2.INTER_NEAREST)
    return np.asarray(pixels, np.uint8), np.asarray(valid, np.uint8)


def fitting(picture: Pixels, corners: Corners, side: int = SIDE) -> tuple[Pixels, Corners]:
    """The picture shrunk until the piece is about as large as the square, so that no pixel is skipped."""
    length = float(np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1).mean())
    shrink = side * 1.25 / max(length, 1.0)
    if shrink >= 1:
        return picture, corners
    smaller = cv2.resize(picture, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    factor = np.array([smaller.shape[1] / picture.shape[1], smaller.shape[0] / picture.shape[0]], np.float32)
    return np.asarray(smaller, np.uint8), (corners * factor).astype(np.float32)


def look_at(label: str, picture: Pixels, corners: Corners) -> Look:
    """The look of the piece inside these corners."""
    smaller, frame = fitting(picture, corners, FINE)
    return Look(label, *take(smaller, square_to_picture(frame, FINE), FINE))


def agreement(look: Look, seen: Look) -> Agreement:
    """Place by place, how alike two aligned looks are; a place may be off by a pixel."""
    places = look.inner & seen.inner
    if not look.inner.any() or places.sum() < 0.5 * look.inner.sum():
        return NONE_AT_ALL
    mask = places.astype(np.float32)
    ax, ay = (edge * mask for edge in look.edges)
    bx, by = seen.edges
    power = float(((bx * bx + by * by) * mask).sum())
    gain = float(np.sqrt((ax * ax + ay * ay).sum() / (power + 1e-6)))
    drawing = np.stack([ax, ay]), np.stack([bx, by]) * (gain * mask)
    bx, by = _edged(bx * gain), _edged(by * gain)
    common = np.full((POOLED, POOLED), -np.inf, np.float32)
    for down, across in ((1, 1), (0, 1), (1, 0), (1, 2), (2, 1)):
        window = (slice(down, down + SIDE), slice(across, across + SIDE))
        common = np.maximum(common, _pooled(ax * bx[window] + ay * by[window]))
    bx, by = bx[1:-1, 1:-1] * mask, by[1:-1, 1:-1] * mask
    both = _pooled(ax * ax + ay * ay + bx * bx + by * by)
    compared = cv2.resize(mask, (POOLED, POOLED), interpolation=cv2.INTER_AREA) > 0.5
    floor = 0.5 * float(both[compared].mean()) + 1e-6
    local = np.sort(((2 * common + floor) / (both + floor))[compared])
    overall = 2 * float(common[compared].sum()) / (float(both[compared].sum()) + 1e-6)
    worst = float(local[: max(1, len(local) // 50)].mean())
    tint, cast = recoloured(look, seen, compared)
    detail = _detail(*drawing, mask) if overall >= CLOSE_WORTH_IT else 0.0
    return Agreement(min(overall, 1.0), min(worst, 1.0), tint, cast, detail)


def _detail(drawn: Plane, seen: Plane, mask: Plane) -> float:
    """How alike the least alike of the small places are; each may be off by two pixels on its own."""
    strength, seen_strength = np.square(drawn).sum(axis=0), np.square(seen).sum(axis=0)
    compared = cv2.resize(mask, (CLOSE, CLOSE), interpolation=cv2.INTER_AREA) > 0.6
    floor = 2 * float(strength.sum() / mask.sum()) + 1e-6
    own = _closely(strength)
    alike = np.full((CLOSE, CLOSE), -np.inf, np.float32)
    for nudge in CLOSE_NUDGES:
        common = _closely((drawn * np.roll(seen, nudge, axis=(1, 2))).sum(axis=0))
        other = _closely(np.roll(seen_strength, nudge, axis=(0, 1)))
        alike = np.maximum(alike, (2 * common + floor) / (own + other + floor))
    places = np.sort(alike[compared])
    return float(places[: max(1, len(places) // 100)].mean())


def _closely(plane: Plane) -> Plane:
    small = cv2.resize(plane, (CLOSE, CLOSE), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(small, (0, 0), 1.0), np.float32)


def recoloured(look: Look, seen: Look, compared: NDArray[np.bool_]) -> tuple[float, tuple[float, float]]:
    """How far the colours of some place changed, and how far those of all places did alike."""
    change = seen.tints - look.tints
    cast = np.median(change[:, compared], axis=1)
    spots = np.sort(np.abs(change - cast[:, None, None]).max(axis=0)[compared])
    return float(spots[-max(1, len(spots) // 50) :].mean()), (float(cast[0]), float(cast[1]))


def _edged(plane: Plane) -> Plane:
    return np.asarray(cv2.copyMakeBorder(plane, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0), np.float32)


def _pooled(plane: Plane) -> Plane:
    small = cv2.resize(plane, (POOLED, POOLED), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(small, (0, 0), SIDE / 12 / POOL), np.float32)


def lamp_can(cast: tuple[float, float], stretch: float = 1.0) -> bool:
    """Whether another lamp or camera can change the colours so; none turns a red piece into a blue one."""
    red, blue = abs(cast[0]) / stretch, abs(cast[1]) / stretch
    tinged = abs(cast[0] + cast[1]) / 2 / stretch
    return red <= LAMP_RED and blue <= LAMP_BLUE and tinged <= LAMP_GREEN
