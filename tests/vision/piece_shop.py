"""Pieces of games that do not exist, and photographs of them: drawn here, so that no set is ever tuned to one box."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.photo import Pixels

FACE = 240
FONTS = (cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_TRIPLEX, cv2.FONT_HERSHEY_COMPLEX, cv2.FONT_HERSHEY_SCRIPT_COMPLEX)
Colour = tuple[int, int, int]


def blank(colour: Colour, seed: int = 0) -> Pixels:
    """A piece of card in one colour with a little grain."""
    grain = np.random.default_rng(seed).normal(0, 3, (FACE, FACE, 1))
    return np.clip(np.asarray(colour, np.float64) + grain, 0, 255).astype(np.uint8)


def written(
    face: Pixels, text: str, middle: tuple[int, int], size: float, colour: Colour, font: int, thick: int
) -> None:
    """Writes text around a middle."""
    (width, height), _ = cv2.getTextSize(text, font, size, thick)
    at = (middle[0] - width // 2, middle[1] + height // 2)
    cv2.putText(face, text, at, font, size, colour, thick, cv2.LINE_AA)


def letter_tiles(
    letters: str, font: int = 0, paper: Colour = (150, 200, 225), ink: Colour = (40, 35, 30)
) -> dict[str, Pixels]:
    """Letter tiles: one large letter and a small number at the lower right."""
    tiles = {}
    for index, letter in enumerate(letters):
        face = blank(paper, index)
        written(face, letter, (FACE // 2 - 12, FACE // 2 - 6), 4.4, ink, FONTS[font], 14)
        written(face, str(1 + index % 9), (FACE - 44, FACE - 44), 1.3, ink, FONTS[0], 5)
        tiles[letter] = face
    return tiles


def art_tiles(count: int, seed: int) -> dict[str, Pixels]:
    """Full-bleed coloured art: blots, stripes and rings, another for each piece."""
    tiles = {}
    for index in range(count):
        rng = np.random.default_rng([seed, index])
        face = blank(_some_colour(rng, 40, 230), index)
        for _ in range(9):
            colour = _some_colour(rng, 0, 255)
            x, y, size = (int(v) for v in (*rng.integers(0, FACE, 2), rng.integers(18, 60)))
            kind = int(rng.integers(0, 3))
            if kind == 0:
                cv2.circle(face, (x, y), size, colour, -1, cv2.LINE_AA)
            elif kind == 1:
                points = (rng.integers(-size, size, (4, 2)) + np.array([x, y])).astype(np.int32)
                cv2.fillPoly(face, [cv2.convexHull(points)], colour, cv2.LINE_AA)
            else:
                cv2.ellipse(face, (x, y), (size, size // 2), int(rng.integers(0, 180)), 0, 360, colour, 9, cv2.LINE_AA)
        tiles[f"art {index}"] = face
    return tiles


def _some_colour(rng: np.random.Generator, low: int, high: int) -> Colour:
    blue, green, red = (int(value) for value in rng.integers(low, high, 3))
    return blue, green, red


def numbered_tiles(count: int, paper: Colour = (170, 205, 220), ink: Colour = (60, 50, 40)) -> dict[str, Pixels]:
    """Near twins: the same frame and two half drawings of four, a two-digit number and a single digit."""
    tiles = {}
    for index in range(count):
        face = blank(paper, index)
        cv2.rectangle(face, (14, 14), (FACE - 15, FACE - 15), ink, 3, cv2.LINE_AA)
        number, century = 11 + (index * 37) % 88, 1 + index % 5
        left, right = index % 4, (index // 4 + 1 + index % 4) % 4
        for kind, x in ((left, 14), (right, FACE - 15)):
            half = blank(paper, index)
            colours = ((60, 60, 190), (170, 90, 40), (70, 150, 60), (40, 140, 200))
            if kind == 0:
                cv2.circle(half, (x, 90), 52, colours[kind], -1, cv2.LINE_AA)
            elif kind == 1:
                cv2.rectangle(half, (x - 46, 44), (x + 46, 138), colours[kind], -1)
            elif kind == 2:
                points = np.array([(x, 30), (x + 60, 140), (x - 60, 140)], np.int32)
                cv2.fillPoly(half, [points], colours[kind], cv2.LINE_AA)
            else:
                cv2.ellipse(half, (x, 90), (54, 54), 0, 0, 360, colours[kind], 18, cv2.LINE_AA)
            face[16:-16, 16:-16] = np.where(
                np.abs(half.astype(np.int16) - blank(paper, index)).max(axis=2, keepdims=True) > 6, half, face
            )[16:-16, 16:-16]
        written(face, f"{number}", (62, 190), 1.7, ink, FONTS[1], 3)
        written(face, f"{century}", (186, 190), 1.7, ink, FONTS[1], 3)
        tiles[f"{'VJMB'[left]}{number}{'VJMB'[right]}{century}"] = face
    return tiles


def box_tiles(count: int, seed: int) -> dict[str, Pixels]:
    """A box of finds as a publisher might print it: one painted ground, four kinds of half drawings, two numbers."""
    rng = np.random.default_rng(seed)
    ground = cv2.resize(rng.integers(120, 215, (6, 6, 3)).astype(np.uint8), (FACE, FACE), interpolation=cv2.INTER_CUBIC)
    ink, font = _some_colour(rng, 10, 70), FONTS[int(rng.integers(0, 3))]
    kinds = [_drawing(rng) for _ in range(4)]
    numbers = rng.permutation(np.arange(10, 99))[:count]
    pairs = [(left, right) for left in range(4) for right in range(4) if left != right]
    tiles = {}
    for index, number in enumerate(numbers):
        (left, right), century = pairs[index % 12], 1 + index // 12 % 5
        face = np.array(ground, np.uint8)
        cv2.rectangle(face, (8, 8), (FACE - 9, FACE - 9), ink, 2, cv2.LINE_AA)
        for kind, half, shift in ((left, slice(0, FACE // 2), -1), (right, slice(FACE // 2, FACE), 1)):
            drawing = np.roll(kinds[kind], shift * FACE // 2, axis=1)[:, half]
            face[:, half] = np.where(drawing.any(axis=2, keepdims=True), drawing, face[:, half])
        written(face, str(number), (54, 200), 1.6, ink, font, 3)
        written(face, str(century), (204, 200), 1.6, ink, font, 3)
        tiles[f"{'VJMB'[left]}{number}{'VJMB'[right]}{century}"] = face
    return tiles


def _drawing(rng: np.random.Generator) -> Pixels:
    """Some thing in the middle of a tile; black where there is none of it."""
    drawing = np.zeros((FACE, FACE, 3), np.uint8)
    colour = np.array(_some_colour(rng, 40, 220))
    for _ in range(5):
        x, y, size = (int(v) for v in (rng.integers(90, 150), rng.integers(30, 130), rng.integers(14, 46)))
        shade = _shade(colour + rng.integers(-40, 40, 3))
        if rng.random() < 0.5:
            cv2.circle(drawing, (x, y), size, shade, -1)
        else:
            cv2.ellipse(drawing, (x, y), (size, size // 2), int(rng.integers(0, 180)), 0, 360, shade, -1)
    return drawing


def _shade(colour: NDArray[np.int64]) -> Colour:
    blue, green, red = (int(value) for value in np.clip(colour, 1, 255))
    return blue, green, red


def digit_twins(numbers: range, size: float = 1.7) -> dict[str, Pixels]:
    """The nearest twins: all is the same but a two-digit number."""
    tiles = {}
    for number in numbers:
        face = blank((170, 205, 220), number)
        cv2.rectangle(face, (14, 14), (FACE - 15, FACE - 15), (60, 50, 40), 3, cv2.LINE_AA)
        cv2.circle(face, (70, 90), 50, (60, 60, 190), -1, cv2.LINE_AA)
        cv2.rectangle(face, (140, 50), (210, 140), (170, 90, 40), -1)
        written(face, str(number), (62, 190), size, (60, 50, 40), FONTS[1], 3)
        written(face, "3", (186, 190), size, (60, 50, 40), FONTS[1], 3)
        tiles[str(number)] = face
    return tiles


def coloured_twins() -> dict[str, Pixels]:
    """The same star on card of another colour: only the colour tells them apart."""
    colours: dict[str, Colour] = {"red": (50, 50, 200), "green": (70, 160, 60), "blue": (200, 110, 40)}
    colours["sand"] = (150, 190, 210)
    tiles = {}
    for name, colour in colours.items():
        face = blank(colour, 1)
        points = [
            (FACE / 2 + reach * np.cos(turn), FACE / 2 + reach * np.sin(turn))
            for turn, reach in zip(np.linspace(0, 2 * np.pi, 10, endpoint=False), (86, 36) * 5, strict=True)
        ]
        cv2.fillPoly(face, [np.array(points, np.int32)], (30, 30, 30), cv2.LINE_AA)
        tiles[name] = face
    return tiles


def table(rng: np.random.Generator, side: int) -> Pixels:
    """A table top: plain, grained or patterned, in some colour."""
    base = rng.integers(20, 235, 3).astype(np.float64)
    kind = int(rng.integers(0, 3))
    rough = cv2.GaussianBlur(rng.normal(0, 1, (side, side)), (0, 0), sigmaX=9 if kind == 1 else 1, sigmaY=1)
    pattern = rough / (np.abs(rough).max() + 1e-6) * (28 if kind == 1 else 9)
    if kind == 2:
        pattern = pattern + 22 * ((np.arange(side)[:, None] // 17 + np.arange(side)[None] // 17) % 2)
    return np.asarray(np.clip(base + pattern[:, :, None], 0, 255), np.uint8)


def photographed(
    face: Pixels, seed: int, turn: float | None = None, tilt: float = 0.10, size: int | None = None
) -> Pixels:
    """A loose crop of the piece on a table: any light, some tilt, blur and noise; the turn is free unless given."""
    rng = np.random.default_rng([7, seed])
    side = 360
    picture = table(rng, side).astype(np.float64)
    fill = float(rng.uniform(0.66, 0.86)) * side
    angle = np.radians(float(rng.uniform(-8, 8)) + (float(rng.integers(0, 4)) * 90 if turn is None else turn))
    square = (np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * fill / 2) @ np.array(
        [(np.cos(angle), np.sin(angle)), (-np.sin(angle), np.cos(angle))]
    )
    corners = square * (1 + rng.uniform(-tilt, tilt, (4, 1)) * 0.5) + side / 2 + rng.uniform(-0.05, 0.05, 2) * side
    way = cv2.getPerspectiveTransform(
        np.array([(0, 0), (FACE, 0), (FACE, FACE), (0, FACE)], np.float32), corners.astype(np.float32)
    )
    mask = cv2.warpPerspective(np.full((FACE, FACE), 255, np.uint8), way, (side, side))[:, :, None] / 255
    shadow = cv2.GaussianBlur(np.roll(mask[:, :, 0], (6, 5), (0, 1)), (0, 0), 6)[:, :, None]
    picture = picture * (1 - 0.45 * shadow)
    picture = picture * (1 - mask) + cv2.warpPerspective(face, way, (side, side)) * mask
    warmth = float(rng.uniform(-0.22, 0.22))
    picture = picture * np.array([1 - warmth, 1.0, 1 + warmth]) * float(rng.uniform(0.55, 1.1))
    slope = rng.uniform(-0.25, 0.25, 2)
    ramp = np.linspace(-1, 1, side)
    picture = picture * (1 + slope[0] * ramp[:, None, None] + slope[1] * ramp[None, :, None])
    out = size or int(rng.integers(90, 220))
    small = cv2.resize(np.clip(picture, 0, 255).astype(np.float32), (out, out), interpolation=cv2.INTER_AREA)
    small = cv2.GaussianBlur(small, (0, 0), float(rng.uniform(0.3, 0.9)))
    noisy = small + rng.normal(0, float(rng.uniform(1, 4)), small.shape)
    return np.asarray(np.clip(noisy, 0, 255), np.uint8)


def album(
    faces: Mapping[str, Pixels], each: int, first_seed: int, take: Callable[[Pixels, int], Pixels] = photographed
) -> dict[str, list[Pixels]]:
    """So many photographs of each piece, each on a table and in a light of its own."""
    return {
        label: [take(face, first_seed + 1000 * index + shot) for shot in range(each)]
        for index, (label, face) in enumerate(faces.items())
    }
