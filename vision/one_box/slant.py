"""How the table lies to the camera: at its true slant, most outlines on it become rectangles."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.register import Placing

FOCAL: Final = 0.85
"""Parts of the picture's longer side, as with most phones; a third more or less hardly matters."""
STEEPEST: Final = 0.9
"""The tangent of the steepest slant looked for."""
STEP: Final = 0.15
OFF: Final = 0.05
"""How far from right its angles, and from alike its opposite sides, may be for what is meant as a rectangle."""
SQUARE: Final = 0.06
"""How much longer than wide, as a logarithm, for what is meant as a square."""
UNLIKELY: Final = 0.03
SEATED: Final = (0.25, 0.5)
"""Seen by somebody who sits before it, a table leans little aside, and this far back."""


def slants(outlines: NDArray[np.float32], weights: NDArray[np.float64], size: tuple[int, int]) -> list[Placing]:
    """The likeliest views, one or two, from a picture's pixels (width, height) to the table as seen from above."""
    steps = np.arange(-STEEPEST, STEEPEST + STEP / 2, STEP)
    grid = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    grid = grid[np.hypot(*grid.T) < STEEPEST]
    worth = np.array([_worth(_view(slant, size), outlines, weights) - UNLIKELY * (slant @ slant) for slant in grid])
    seated = (np.abs(grid[:, 0]) < SEATED[0]) & (grid[:, 1] > -STEP / 2) & (grid[:, 1] < SEATED[1])
    best = _refined(grid[worth.argmax()], outlines, weights, size)
    usual = _refined(grid[np.where(seated, worth, -np.inf).argmax()], outlines, weights, size)
    apart = float(np.abs(best - usual).max()) > STEP
    return [_view(slant, size) for slant in ([best, usual] if apart else [best])]


def seen_from(view: NDArray[np.floating], outlines: NDArray[np.floating]) -> NDArray[np.float64]:
    """Outlines as they lie on the table."""
    there = outlines.astype(np.float64) @ view[:, :2].T + view[:, 2]
    return np.asarray(there[..., :2] / np.maximum(there[..., 2:], 1e-3))


def sides_of(outlines: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The lengths of four sides each, and the cosines of the angles between them."""
    sides = np.roll(outlines, -1, axis=1) - outlines
    lengths = np.linalg.norm(sides, axis=2) + 1e-6
    unit = sides / lengths[..., None]
    return lengths, np.asarray((unit * np.roll(unit, 1, axis=1)).sum(axis=2))


def _refined(
    slant: NDArray[np.float64], outlines: NDArray[np.float32], weights: NDArray[np.float64], size: tuple[int, int]
) -> NDArray[np.float64]:
    ticks = np.linspace(-0.75, 0.75, 7) * STEP
    around = np.stack(np.meshgrid(ticks, ticks), axis=-1).reshape(-1, 2)
    for narrow in (1.0, 0.3):
        nearby = slant + narrow * around
        slant = nearby[int(np.argmax([_worth(_view(one, size), outlines, weights) for one in nearby]))]
    return np.asarray(slant)


def _worth(view: Placing, outlines: NDArray[np.float32], weights: NDArray[np.float64]) -> float:
    """The part of the outlines that are rectangles in this view; squares count twice."""
    lengths, cosines = sides_of(seen_from(view, outlines))
    logs = np.log(lengths)
    off = (cosines**2).mean(axis=1) + ((logs[:, :2] - logs[:, 2:]) ** 2).mean(axis=1)
    longer = (logs[:, 0] + logs[:, 2] - logs[:, 1] - logs[:, 3]) / 2
    likely = np.exp(-off / (2 * OFF**2)) * (1 + np.exp(-(longer**2) / (2 * SQUARE**2)))
    return float(weights @ likely / weights.sum())


def _view(slant: NDArray[np.float64], size: tuple[int, int]) -> Placing:
    """The map that turns the camera until it looks straight down; in the middle, nothing changes its size."""
    x, y, z = np.array([slant[0], slant[1], 1.0]) / np.sqrt(1 + slant @ slant)
    turned = np.array(
        [[1 - x * x / (1 + z), -x * y / (1 + z), -x], [-x * y / (1 + z), 1 - y * y / (1 + z), -y], [x, y, z]]
    )
    focal = FOCAL * max(size)
    camera = np.array([[focal, 0, size[0] / 2], [0, focal, size[1] / 2], [0, 0, 1]])
    return np.asarray(camera @ np.diag([z**1.5, z**1.5, 1.0]) @ turned @ np.linalg.inv(camera))
