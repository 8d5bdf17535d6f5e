"""Many places of a photograph looked at together and small: which of them may show a known face, and where exactly."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vision.outline import Corners
from vision.register import OUTLYING, WILD, Layers, Level, Plane, dimmed, from_grid, product

Placings: TypeAlias = NDArray[np.float64]
"""One placing (3 x 3) a row."""
Patches: TypeAlias = NDArray[np.float32]
"""One small grey picture a row."""

QUARTERS: Final[Placings] = np.array([np.eye(3), [[0, -1, 0], [1, 0, 0], [0, 0, 1]], np.diag([-1, -1, 1]),
                                      [[0, 1, 0], [-1, 0, 0], [0, 0, 1]]], np.float64)  # fmt: skip
"""A placing times one of these is the same place with the face turned clockwise by so many quarters."""


def placings_of(corners: Sequence[Corners] | NDArray[np.float32]) -> Placings:
    """The placing of every outline, all at once."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = np.asarray(corners, np.float64).reshape(-1, 4, 2).transpose(1, 2, 0)
    # From the unit square to four points, as Heckbert solved it; then from the face's -1 to 1.
    sx, sy = ax - bx + cx - dx, ay - by + cy - dy
    px, qx, py, qy = bx - cx, dx - cx, by - cy, dy - cy
    area = px * qy - qx * py
    area = np.where(np.abs(area) < 1e-9, 1e-9, area)
    g, h = (sx * qy - qx * sy) / area, (px * sy - sx * py) / area
    one = np.ones_like(g)
    square = np.array([[bx - ax + g * bx, dx - ax + h * dx, ax], [by - ay + g * by, dy - ay + h * dy, ay], [g, h, one]])
    placings = square.transpose(2, 0, 1) @ np.array([[0.5, 0, 0.5], [0, 0.5, 0.5], [0, 0, 1]])
    return np.asarray(placings / placings[:, 2:, 2:])


def middles(placings: Placings) -> NDArray[np.float64]:
    """Where the middle of each placed face lies."""
    return np.asarray(placings[:, :2, 2] / placings[:, 2:, 2])


def sizes(placings: Placings) -> NDArray[np.float64]:
    """Every placed face's side in pixels, about."""
    return np.asarray(
        2 * np.sqrt(np.abs(placings[:, 0, 0] * placings[:, 1, 1] - placings[:, 0, 1] * placings[:, 1, 0]))
    )


def within(points: NDArray[np.float64], placings: Placings, reach: float) -> NDArray[np.bool_]:
    """Whether each point (rows) lies on the inner part of each placed face (columns)."""
    there = np.einsum("sij,nj->nsi", np.linalg.inv(placings), np.c_[points, np.ones(len(points))])
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.abs(there[:, :, :2] / there[:, :, 2:]).max(axis=2) < reach)


def nearest(layers: Layers, placings: Placings, size: int) -> NDArray[np.int64]:
    """Which layer comes nearest to each placed face's size, if size x size are cut from it."""
    across = np.log2(np.maximum(sizes(placings) / size, 1e-5)) + 0.3
    return np.asarray(np.clip(across, 0, len(layers.grey) - 1).astype(np.int64))


def squared(layers: Layers, placings: Placings, size: int, layer: NDArray[np.int64] | None = None) -> Patches:
    """What lies under each placed face, size x size, grey; from the nearest layers unless told which."""
    import cv2

    layer = nearest(layers, placings, size) if layer is None else layer
    patches = np.empty((len(placings), size * size), np.float32)
    for one in set(layer.tolist()):
        chosen = layer == one
        x, y, w = ((layers.to_layer[one] @ placings[chosen]).astype(np.float32) @ _grid(size)).transpose(1, 0, 2)
        cut = cv2.remap(layers.grey[one], x / w, y / w, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        patches[chosen] = cut
    return patches.reshape(-1, size, size)


@cache
def _grid(size: int) -> Plane:
    """The points of a face that are the pixels of its patch, one a column."""
    at = np.arange(size)
    return np.asarray(
        from_grid(size, size) @ np.stack([np.tile(at, size), np.repeat(at, size), np.ones(size * size)]), np.float32
    )


@cache
def _smoothing(size: int, soft: float) -> Plane:
    """The matrix that smooths the columns of a patch: evenly over a quarter of it or, if soft, as a lens does."""
    import cv2

    reach = size // 4 | 1
    kernel = cv2.getGaussianKernel(2 * round(soft * 4) + 1, soft) if soft else np.full((reach, 1), 1 / reach)
    return np.asarray(cv2.sepFilter2D(np.eye(size, dtype=np.float32), -1, np.ones(1), kernel), np.float32)


def _smoothed(patches: Patches, matrix: Plane) -> Patches:
    return np.asarray(np.matmul(np.matmul(matrix, patches), matrix.T), np.float32)


def evened(patches: Patches, soft: float = 0.0) -> Patches:
    """Local contrast alone, without mirrored lamps, for each patch: mean 0 and length 1."""
    around = _smoothing(patches.shape[1], 0.0)
    patches = dimmed(patches)
    patches = patches - _means(patches)
    mean = _smoothed(patches, around)
    spread = np.sqrt(np.maximum(_smoothed(patches * patches, around) - mean * mean, 0))
    even = (patches - mean) / (spread + (0.25 * _means(spread) + 1))
    if soft:
        even = _smoothed(even, _smoothing(patches.shape[1], soft))
    even = even - _means(even)
    length = np.sqrt(np.einsum("nij,nij->n", even, even)) + 1e-6
    return np.asarray(even / length[:, None, None], np.float32)


def _means(patches: Patches) -> Patches:
    return np.asarray(patches.reshape(len(patches), -1).mean(axis=1), np.float32).reshape(-1, 1, 1)


def pulled(
    layers: Layers, placings: Placings, levels: Sequence[Level], steps: int, free: int
) -> tuple[Placings, NDArray[np.float32]]:
    """Each placing moved to where its own face fits best, and how well; as `register.pulled`, for many at once."""
    if not len(placings):
        return placings, np.zeros(0, np.float32)
    size, soft = levels[0].even.shape[0], levels[0].soft
    faces = np.stack([level.even.ravel() for level in levels])
    best, best_fit = placings.copy(), np.full(len(placings), -1.0, np.float32)
    going, now = np.arange(len(placings)), placings
    layer = nearest(layers, placings, size)
    for step in range(steps + 1):
        seen = evened(squared(layers, now, size, layer[going]), soft).reshape(len(going), -1)
        fit = np.einsum("ij,ij->i", seen, faces[going])
        better = fit > best_fit[going]
        best[going[better]], best_fit[going[better]] = now[better], fit[better]
        alive = fit > best_fit[going] - 0.02
        if step == steps or not alive.any():
            break
        going, now, errors = going[alive], now[alive], seen[alive] - faces[going[alive]]
        moves = _moves(errors, [levels[index].free[free] for index in going.tolist()])
        fine = np.isfinite(moves).all(axis=1) & (np.abs(moves).max(axis=1) < WILD)
        going, now = going[fine], _moved(now[fine], moves[fine])
        if not len(going):
            break
    return best, best_fit


def _moves(errors: Plane, moving: Sequence[Plane]) -> NDArray[np.float64]:
    """One step of Gauss and Newton for each; what differs most counts little."""
    bound = np.square(2 * OUTLYING * np.abs(errors).mean(axis=1, keepdims=True)) + 1e-12
    weights = np.maximum(1 - errors * errors / bound, 0.05)
    errors = errors * weights
    moves = np.stack([product(matrix, error[None])[:, 0] for matrix, error in zip(moving, errors, strict=True)])
    return np.asarray(moves / weights.mean(axis=1, keepdims=True), np.float64)


def _moved(placings: Placings, moves: NDArray[np.float64]) -> Placings:
    change = np.zeros((len(moves), 9))
    change[:, : moves.shape[1]] = moves
    moved = placings @ np.linalg.inv(change.reshape(-1, 3, 3) + np.eye(3))
    return np.asarray(moved / moved[:, 2:, 2:])
