"""Table tops drawn from noise: wood, white, black, cloth and patterned, each seeded, none of them a photograph."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Field = NDArray[np.float32]
Texture = NDArray[np.float32]

PIXELS: Final = 1536
"""Side of a texture; it is laid over the part of the table that the camera sees."""


def table_top(name: str, seed: int, span_mm: float) -> Texture:
    """A square of table, `span_mm` wide, as linear light reflected, red green blue."""
    return _drawn(name, seed, round(span_mm, 2)).astype(np.float32)


@lru_cache(maxsize=1)
def _drawn(name: str, seed: int, span_mm: float) -> NDArray[np.float16]:
    """The last table is kept, in half the memory: a camera looks at the same one again and again."""
    rng = np.random.default_rng([seed, *name.encode()])
    return np.clip(TABLES[name](rng, span_mm), 0.004, 0.95).astype(np.float16)


def noise(rng: np.random.Generator, across: float, down: float) -> Field:
    """Smooth noise between -1 and 1 with about so many hills across and down."""
    grid = rng.uniform(-1, 1, (max(2, round(down)) + 3, max(2, round(across)) + 3)).astype(np.float32)
    return np.asarray(cv2.resize(grid, (PIXELS, PIXELS), interpolation=cv2.INTER_CUBIC), np.float32)


def fractal(rng: np.random.Generator, across: float, down: float, octaves: int) -> Field:
    """Noise upon finer noise."""
    total = np.zeros((PIXELS, PIXELS), np.float32)
    for octave in range(octaves):
        if across * 2**octave > PIXELS / 2 and down * 2**octave > PIXELS / 2:
            break
        total += noise(rng, across * 2**octave, down * 2**octave) * 0.5**octave
    return total


def grain(rng: np.random.Generator, strength: float) -> Field:
    """Noise of single pixels."""
    return rng.standard_normal((PIXELS, PIXELS), np.float32) * np.float32(strength)


def _mixed(dark: tuple[float, float, float], light: tuple[float, float, float], share: Field) -> Texture:
    share = np.clip(share, 0, 1)[..., None]
    return np.asarray(np.array(dark, np.float32) * (1 - share) + np.array(light, np.float32) * share, np.float32)


def _coordinates(span_mm: float) -> tuple[Field, Field]:
    line = np.linspace(0, span_mm, PIXELS, dtype=np.float32)
    x, y = np.meshgrid(line, line)
    return x, y


def _wood(
    dark: tuple[float, float, float],
    light: tuple[float, float, float],
    ring_mm: float,
    contrast: float,
    plank_mm: float | None,
) -> Callable[[np.random.Generator, float], Texture]:
    def draw(rng: np.random.Generator, span_mm: float) -> Texture:
        _, y = _coordinates(span_mm)
        warp = noise(rng, span_mm / 300, span_mm / 70) * 1.6 + noise(rng, span_mm / 80, span_mm / 30) * 0.35
        rings = np.sin((y / ring_mm + warp) * np.float32(2 * np.pi))
        rings = rings * (0.55 + 0.45 * noise(rng, span_mm / 120, span_mm / 20))
        fibres = noise(rng, span_mm / 30, span_mm * 1.4) * 0.6 + noise(rng, span_mm / 9, span_mm * 2.2) * 0.5
        pores = np.clip(noise(rng, span_mm / 5, span_mm * 2) - 0.55, 0, 1) * -1.6
        share = 0.55 + contrast * (0.22 * rings + 0.3 * fibres + pores + 0.14 * fractal(rng, 3, 3, 3))
        if plank_mm is not None:
            plank = np.floor(y / plank_mm)
            share = share + 0.22 * np.sin(plank * 12.9898 + 1)
            share = np.where(np.abs(y - np.round(y / plank_mm) * plank_mm) < 0.6, -0.4, share).astype(np.float32)
        return _mixed(dark, light, np.asarray(share, np.float32))

    return draw


def _plain(
    colour: tuple[float, float, float], mottled: float, speckle: float
) -> Callable[[np.random.Generator, float], Texture]:
    def draw(rng: np.random.Generator, span_mm: float) -> Texture:
        share = 1 + mottled * fractal(rng, span_mm / 80, span_mm / 80, 5) + grain(rng, speckle)
        return np.asarray(share[..., None] * np.array(colour, np.float32), np.float32)

    return draw


def _slate(rng: np.random.Generator, span_mm: float) -> Texture:
    veins = np.exp(-np.square(fractal(rng, span_mm / 120, span_mm / 200, 4) * 9))
    share = 0.25 + 0.12 * fractal(rng, span_mm / 30, span_mm / 30, 4) + 0.5 * veins * 0.3 + grain(rng, 0.05)
    return _mixed((0.008, 0.009, 0.011), (0.055, 0.058, 0.062), np.asarray(share, np.float32))


def _laminate(rng: np.random.Generator, span_mm: float) -> Texture:
    flecks = np.where(fractal(rng, span_mm / 2.2, span_mm / 2.2, 2) > 0.85, -0.28, 0)
    share = 1 + flecks + 0.02 * fractal(rng, 4, 4, 3)
    return np.asarray(share[..., None] * np.array((0.78, 0.77, 0.72), np.float32), np.float32)


def _creases(rng: np.random.Generator, span_mm: float, depth: float) -> Field:
    """How a crumpled cloth takes the light: slopes of a folded surface."""
    x, y = _coordinates(span_mm)
    slope = fractal(rng, span_mm / 160, span_mm / 160, 2) * np.float32(0.25)
    for _ in range(round(span_mm / 55)):
        turn, place = rng.uniform(0, np.pi), rng.uniform(-0.2, 1.2) * span_mm
        wide = rng.uniform(3, 14)
        bent = noise(rng, 2, 2) * np.float32(rng.uniform(5, 35))
        across = (x * np.float32(np.cos(turn)) + y * np.float32(np.sin(turn)) + bent - np.float32(place)) / wide
        slope += across * np.exp(-across * across) * np.clip(noise(rng, 3, 3) + 0.3, 0, 1) * rng.choice([-1, 1])
    return np.asarray(1 + np.clip(slope * depth, -0.6, 0.8), np.float32)


def _cloth(
    colour: tuple[float, float, float], thread_mm: float, depth: float, lint: float
) -> Callable[[np.random.Generator, float], Texture]:
    def draw(rng: np.random.Generator, span_mm: float) -> Texture:
        x, y = _coordinates(span_mm)
        turn = np.float32(2 * np.pi / max(thread_mm, 2.2 * span_mm / PIXELS))
        weave = np.sin(x * turn) * np.sin(y * turn + np.floor(x * turn / np.pi) * np.pi)
        share = _creases(rng, span_mm, depth) * (1 + 0.16 * weave + grain(rng, 0.06))
        share = share * (1 + 0.08 * fractal(rng, span_mm / 50, span_mm / 50, 3))
        cloth = share[..., None] * np.array(colour, np.float32)
        if lint:
            hairs = np.clip(fractal(rng, span_mm / 3, span_mm / 1.2, 2) - 1.02, 0, 1) * lint
            cloth = cloth + hairs[..., None]
        return np.asarray(cloth, np.float32)

    return draw


def _carpet(rng: np.random.Generator, span_mm: float) -> Texture:
    tufts = fractal(rng, span_mm / 3.5, span_mm / 3.5, 3)
    share = 0.5 + 0.42 * tufts + 0.1 * fractal(rng, 4, 4, 2) + grain(rng, 0.05)
    return _mixed((0.05, 0.038, 0.026), (0.5, 0.43, 0.33), np.asarray(share, np.float32))


def _gingham(rng: np.random.Generator, span_mm: float) -> Texture:
    x, y = _coordinates(span_mm)
    size = np.float32(rng.uniform(14, 26))
    across, down = (np.floor(x / size) % 2), (np.floor(y / size) % 2)
    share = 1 - (across + down) / 2 + 0.05 * fractal(rng, 5, 5, 3) + grain(rng, 0.04)
    colour = ((0.42, 0.03, 0.035), (0.03, 0.08, 0.3), (0.05, 0.2, 0.07))[int(rng.integers(3))]
    return _mixed(colour, (0.8, 0.79, 0.74), np.asarray(share, np.float32)) * _creases(rng, span_mm, 0.2)[..., None]


def _dots(rng: np.random.Generator, span_mm: float) -> Texture:
    x, y = _coordinates(span_mm)
    step = np.float32(rng.uniform(17, 30))
    row = np.floor(y / step)
    dx, dy = (x + (row % 2) * step / 2) % step - step / 2, y % step - step / 2
    share = np.clip((np.hypot(dx, dy) - step * 0.22) * 2, 0, 1) + grain(rng, 0.03)
    ground = ((0.5, 0.36, 0.12), (0.14, 0.3, 0.28), (0.55, 0.5, 0.42))[int(rng.integers(3))]
    return _mixed((0.75, 0.72, 0.65), ground, np.asarray(share, np.float32))


def _stripes(rng: np.random.Generator, span_mm: float) -> Texture:
    x, y = _coordinates(span_mm)
    along = x * 0.8 + y * 0.6
    size = np.float32(rng.uniform(30, 48))
    place = along % size / size
    colours = np.array([(0.62, 0.56, 0.42), (0.07, 0.12, 0.2), (0.45, 0.12, 0.06), (0.62, 0.56, 0.42)], np.float32)
    which = np.digitize(place, [0.45, 0.62, 0.7])
    return np.asarray(colours[which] * (1 + grain(rng, 0.07) + 0.06 * fractal(rng, 8, 8, 3))[..., None], np.float32)


def _rhombs(rng: np.random.Generator, span_mm: float) -> Texture:
    x, y = _coordinates(span_mm)
    size = np.float32(rng.uniform(24, 40))
    a, b = np.floor((x + y * 0.7) / size), np.floor((x - y * 0.7) / size)
    colours = np.array([(0.3, 0.09, 0.05), (0.55, 0.4, 0.2), (0.06, 0.13, 0.13), (0.66, 0.6, 0.5)], np.float32)
    which = ((a * 7 + b * 3) % 4).astype(np.int32)
    return np.asarray(colours[which] * (1 + grain(rng, 0.05) + 0.05 * fractal(rng, 6, 6, 3))[..., None], np.float32)


TABLES: Final[dict[str, Callable[[np.random.Generator, float], Texture]]] = {
    "oak": _wood((0.24, 0.12, 0.045), (0.52, 0.31, 0.14), 11, 0.8, None),
    "pine planks": _wood((0.42, 0.25, 0.1), (0.68, 0.48, 0.25), 17, 0.6, 88),
    "walnut": _wood((0.035, 0.016, 0.008), (0.16, 0.075, 0.035), 8, 0.9, None),
    "rough wood": _wood((0.03, 0.018, 0.012), (0.48, 0.36, 0.25), 14, 1.5, None),
    "beech planks": _wood((0.38, 0.24, 0.14), (0.6, 0.42, 0.27), 23, 0.5, 120),
    "white": _plain((0.76, 0.76, 0.75), 0.015, 0.008),
    "white laminate": _laminate,
    "cream": _plain((0.66, 0.62, 0.52), 0.03, 0.02),
    "black": _plain((0.014, 0.014, 0.015), 0.15, 0.1),
    "slate": _slate,
    "linen": _cloth((0.5, 0.44, 0.35), 1.1, 0.35, 0),
    "green felt": _cloth((0.025, 0.16, 0.07), 0.7, 0.12, 0.04),
    "red cloth": _cloth((0.3, 0.03, 0.03), 1.3, 0.5, 0),
    "dark velvet": _cloth((0.02, 0.022, 0.05), 0.8, 0.9, 0.1),
    "carpet": _carpet,
    "gingham": _gingham,
    "dots": _dots,
    "stripes": _stripes,
    "rhombs": _rhombs,
}
