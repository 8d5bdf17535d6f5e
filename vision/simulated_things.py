"""What else lies on a table: hands, coins, dice, pens, cups, and the cards and tiles of games that do not exist."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.simulated import Image, Thing

Place = tuple[float, float]

_SKINS = ((160, 188, 226), (110, 142, 188), (58, 82, 124), (140, 170, 214))


def _rounded(mask: NDArray[np.uint8], colour: tuple[int, int, int], bulge: float) -> Image:
    """A soft body of this outline: lit from the upper left, darker towards its rim; transparent around it."""
    height = cv2.distanceTransform(mask, cv2.DIST_L2, 5)
    height = np.sqrt(np.minimum(height, bulge) * (2 * bulge - np.minimum(height, bulge)))
    height = cv2.GaussianBlur(height, (0, 0), 4)
    slope = -0.6 * cv2.Sobel(height, cv2.CV_32F, 1, 0) - 0.8 * cv2.Sobel(height, cv2.CV_32F, 0, 1)
    shade = np.clip(0.86 - 0.05 * slope, 0.35, 1.15)
    body = np.clip(np.array(colour) * shade[..., None], 0, 255).astype(np.uint8)
    return np.dstack([body, cv2.GaussianBlur(mask, (3, 3), 0)])


def hand(rng: np.random.Generator, tip: Place, turn: float, fingers: int = 4) -> Thing:
    """A hand that reaches in with its fingertips about `tip`; turned 0 it comes from the viewer's side."""
    wide, high, scale = 110.0, 230.0, 3.0
    mask = np.zeros((round(high * scale), round(wide * scale)), np.uint8)

    def limb(ax: float, ay: float, bx: float, by: float, thick: float) -> None:
        ends = [(round(ax * scale), round(ay * scale)), (round(bx * scale), round(by * scale))]
        cv2.line(mask, ends[0], ends[1], 255, round(thick * scale))

    spread = rng.uniform(0.7, 1.3)
    for finger in range(fingers):
        place = finger - (fingers - 1) / 2
        length = 12 + abs(place) * rng.uniform(4, 9) + rng.uniform(0, 5)
        limb(55 + place * 15, 105, 55 + place * 17 * spread, length, rng.uniform(13, 16))
    if fingers > 1:
        limb(30, 120, 12, 72, 17)
    limb(45, 112, 47, 150, 42)
    limb(66, 112, 62, 150, 42)
    limb(55, 160, 55, 240, 50)
    face = _rounded(mask, _SKINS[int(rng.integers(len(_SKINS)))], 22 * scale / 2)
    angle = math.radians(turn)
    reach = high / 2 - 12
    at = (tip[0] - math.sin(angle) * reach, tip[1] + math.cos(angle) * reach)
    return Thing(face, (wide, high), at, turn, kind="hand", thick_mm=14.0)


def coin(rng: np.random.Generator, at: Place) -> Thing:
    """A metal coin."""
    side, metals = 200, ((70, 130, 190), (190, 195, 200), (95, 175, 215))
    colour = metals[int(rng.integers(3))]
    face = np.full((side, side, 3), colour, np.uint8)
    cv2.circle(face, (100, 100), 92, tuple(round(c * 0.7) for c in colour), 5, cv2.LINE_AA)
    value = str(rng.choice([1, 2, 5, 10, 20, 50]))
    cv2.putText(face, value, (48, 132), cv2.FONT_HERSHEY_SIMPLEX, 2.6, (40, 60, 70), 9, cv2.LINE_AA)
    sheen = np.linspace(0.75, 1.25, side)[None, :, None]
    return Thing(
        np.clip(face * sheen, 0, 255).astype(np.uint8),
        (rng.uniform(17, 26),) * 2,
        at,
        rng.uniform(0, 360),
        kind="coin",
        shape="round",
    )


def die(rng: np.random.Generator, at: Place) -> Thing:
    """A die with pips."""
    colours = ((235, 240, 240), (40, 30, 170), (35, 35, 35), (150, 90, 30))
    colour = colours[int(rng.integers(4))]
    pip = (30, 30, 30) if sum(colour) > 400 else (240, 240, 240)
    face = np.full((120, 120, 3), colour, np.uint8)
    value = int(rng.integers(1, 7))
    places = [(1, 1)] if value % 2 else []
    places += [(0, 0), (2, 2)] if value > 1 else []
    places += [(2, 0), (0, 2)] if value > 3 else []
    places += [(0, 1), (2, 1)] if value > 5 else []
    for x, y in places:
        cv2.circle(face, (28 + 32 * x, 28 + 32 * y), 11, pip, -1, cv2.LINE_AA)
    return Thing(face, (16, 16), at, rng.uniform(0, 360), kind="die", thick_mm=16, shape="rounded")


def pen(rng: np.random.Generator, at: Place) -> Thing:
    """A pen, lying."""
    colours = ((150, 60, 20), (30, 30, 30), (40, 40, 180), (200, 200, 205), (40, 160, 230))
    length, thick = 560, 40
    mask = np.zeros((thick, length), np.uint8)
    cv2.rectangle(mask, (50, 4), (length - 8, thick - 5), 255, -1)
    cv2.fillPoly(mask, [np.array([(50, 4), (4, 20), (50, thick - 5)], np.int32)], 255)
    face = _rounded(mask, colours[int(rng.integers(len(colours)))], 17)
    face[:, 400:420, :3] = (200, 200, 200)
    return Thing(face, (140, 10), at, rng.uniform(0, 360), kind="pen", thick_mm=8)


def cup(rng: np.random.Generator, at: Place) -> Thing:
    """A cup of coffee or tea from above."""
    side = 400
    colours = ((235, 238, 240), (120, 70, 40), (60, 80, 170), (90, 120, 90))
    drinks = ((20, 32, 58), (30, 90, 150), (60, 110, 160))
    face = np.full((side, side, 3), colours[int(rng.integers(4))], np.uint8)
    cv2.circle(face, (200, 200), 172, tuple(int(c * 0.72) for c in face[0, 0]), -1, cv2.LINE_AA)
    cv2.circle(face, (206, 208), 158, drinks[int(rng.integers(3))], -1, cv2.LINE_AA)
    cv2.ellipse(face, (150, 150), (40, 14), -45, 0, 360, (170, 180, 190), -1, cv2.LINE_AA)
    return Thing(face, (rng.uniform(70, 86),) * 2, at, kind="cup", thick_mm=45, shape="round")


def foreign_tile(rng: np.random.Generator, at: Place, turn: float, size: float | None = None) -> Thing:
    """A square tile of some other game, with numbers or signs of its own."""
    side = 320
    face = _ground(rng, side, side)
    ink = _contrasting(face)
    for corner in ((30, 90), (190, 290), (30, 290)):
        if rng.random() < 0.6:
            font = (cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_TRIPLEX, cv2.FONT_HERSHEY_COMPLEX)[int(rng.integers(3))]
            cv2.putText(face, str(rng.integers(1, 100)), corner, font, 2.4, ink, 6, cv2.LINE_AA)
    _sign(face, rng, (side // 2, side // 2), round(side * rng.uniform(0.14, 0.3)))
    _border(face, rng)
    wide = size or rng.uniform(32, 48)
    return Thing(face, (wide, wide), at, turn, shape=str(rng.choice(["square", "rounded"])))


def foreign_card(rng: np.random.Generator, at: Place, turn: float) -> Thing:
    """A card of some other game: a value in the corners, signs in the middle; or a patterned back."""
    wide, high = 260, 400
    face = _ground(rng, high, wide, pale=rng.random() < 0.7)
    ink = _contrasting(face)
    if rng.random() < 0.3:
        step = int(rng.integers(16, 34))
        for start in range(-high, wide + high, step):
            cv2.line(face, (start, 0), (start + high, high), ink, 3, cv2.LINE_AA)
            cv2.line(face, (start, 0), (start - high, high), ink, 3, cv2.LINE_AA)
    else:
        value = int(rng.integers(1, 11))
        cv2.putText(face, str(value), (14, 62), cv2.FONT_HERSHEY_TRIPLEX, 1.7, ink, 4, cv2.LINE_AA)
        for index in range(value):
            at_x = round(wide * (0.32 + 0.36 * (index % 2)))
            _sign(face, rng, (at_x, 70 + 56 * (index // 2)), 22)
    _border(face, rng)
    size = (rng.uniform(42, 62), 0.0)
    return Thing(face, (size[0], size[0] * high / wide), at, turn, thick_mm=0.4, shape="rounded")


def _ground(rng: np.random.Generator, rows: int, columns: int, pale: bool = False) -> Image:
    base = rng.uniform(190, 250, 3) if pale else rng.uniform(20, 240, 3)
    other = np.clip(base + rng.uniform(-60, 60, 3), 0, 255)
    ramp = np.linspace(0, 1, rows)[:, None, None]
    return np.asarray(np.broadcast_to(base * (1 - ramp) + other * ramp, (rows, columns, 3)), np.uint8).copy()


def _contrasting(face: Image) -> tuple[int, int, int]:
    return (25, 20, 20) if float(face.mean()) > 120 else (235, 240, 245)


def _border(face: Image, rng: np.random.Generator) -> None:
    """Some have a frame, much like ours, some have none."""
    if rng.random() < 0.65:
        edge = int(rng.integers(6, 22))
        colour = tuple(int(c) for c in rng.uniform(0, 255, 3))
        cv2.rectangle(face, (0, 0), (face.shape[1] - 1, face.shape[0] - 1), colour, edge)


def _sign(face: Image, rng: np.random.Generator, at: tuple[int, int], reach: int) -> None:
    colour = tuple(int(c) for c in rng.uniform(0, 255, 3))
    sides = int(rng.integers(0, 7))
    if sides < 3:
        cv2.ellipse(face, at, (reach, round(reach * rng.uniform(0.6, 1))), 0, 0, 360, colour, -1, cv2.LINE_AA)
        return
    turns = np.linspace(0, 2 * np.pi, sides, endpoint=False) + rng.uniform(0, 6)
    points = np.array(at) + np.stack([np.cos(turns), np.sin(turns)], axis=1) * reach
    cv2.fillPoly(face, [np.round(points).astype(np.int32)], colour, cv2.LINE_AA)
