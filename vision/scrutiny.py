"""A photographed piece against the face it is taken for, bit by bit: what is covered, blinded or another drawing."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.photo import Pixels
from vision.register import Face, Layers, Placing, Plane, evened, product

SIZE: Final = 128
GRID: Final = 16
"""Blocks across and down."""
WINDOW: Final = 13
"""Pixels: each block is judged with a little of what surrounds it."""
SOFTNESS: Final = (0.6, 1.2, 2.0, 3.0)
DRAWN: Final = 20.0
"""Grey levels: a block whose face varies this much holds lines that must show."""
PLAIN: Final = 7.0
"""A block whose face varies less than this must look plain."""
BRIGHT: Final = 70.0
TINTED: Final = 0.3
DARKENED: Final = 1.2
"""Steps of the natural logarithm: how far a block's tint may stray from the others', and how far it may darken."""
BLINDING: Final = 240.0
"""Brightness of a pixel's darkest colour at which a lamp hides the drawing."""
UNLIKE: Final = 0.6
"""A drawn block that goes with its face less than this shows something else."""


@dataclass(frozen=True)
class Scrutiny:
    """What the comparison found; shares are of all blocks."""

    fit: float
    unlike: NDArray[np.bool_]
    """Blocks, GRID x GRID, that do not show what the face has there."""
    glare: NDArray[np.bool_]
    """Blocks, none of them counted as unlike, around which a light is mirrored that outshines the drawing."""
    softness: float
    """How blurred the piece is, in 128ths of its side."""
    contrast: float
    """Grey levels between the face's dark and light, as photographed."""

    def largest_patch(self) -> float:
        """The largest connected patch of unlike blocks, as a share of the piece."""
        import cv2

        if not self.unlike.any():
            return 0.0
        _, _, stats, _ = cv2.connectedComponentsWithStats(self.unlike.astype(np.uint8), connectivity=8)
        return float(stats[1:, cv2.CC_STAT_AREA].max()) / self.unlike.size


def scrutinise(layers: Layers, placing: Placing, face: Face) -> Scrutiny:
    """Compares what lies under the placed face with the face."""
    import cv2

    seen = layers.squared(placing, SIZE)
    sharp = face.grey(SIZE)
    even = evened(seen)
    best: tuple[float, float, Plane] | None = None
    for soft in SOFTNESS:
        model = np.asarray(cv2.GaussianBlur(sharp, (0, 0), soft), np.float32)
        fit = float((evened(model) * even).sum())
        if best is not None and fit < best[0]:
            break
        best = (fit, soft, model)
    assert best is not None
    fit, soft, model = best
    return _by_blocks(seen, layers.squared_colour(placing, SIZE, SIZE), model, face, fit, soft)


def _blocks(plane: Plane) -> Plane:
    """The mean around the middle of each block."""
    around = _around_blocks()
    return product(around, product(around, plane))


@cache
def _around_blocks() -> Plane:
    """For each block across, how much every pixel of a row counts."""
    import cv2

    step = SIZE // GRID
    kernel = np.full((WINDOW, 1), 1 / WINDOW)
    smooth = cv2.sepFilter2D(np.eye(SIZE, dtype=np.float32), -1, np.ones(1), kernel)
    return np.asarray(smooth[step // 2 :: step], np.float32)


def _strange_colours(photographed: Pixels, face: Face) -> NDArray[np.bool_]:
    """Blocks whose tint the lamp does not explain, or that are far darker than any shadow on the piece."""
    import cv2

    small = cv2.resize(photographed, (GRID, GRID), interpolation=cv2.INTER_AREA)
    drawn = cv2.resize(face.drawing, (GRID, GRID), interpolation=cv2.INTER_AREA)
    seen, model = small.astype(np.float32) + 6, drawn.astype(np.float32) + 6
    change = np.log(seen / model)
    bright = model.min(axis=2) > BRIGHT
    if not bright.any():
        return np.zeros((GRID, GRID), np.bool_)
    tint = change[:, :, :2] - change[:, :, 2:]
    strange = np.abs(tint - np.median(tint[bright], axis=0)).max(axis=2) > TINTED
    light = change.mean(axis=2)
    dark = light < np.median(light[bright]) - DARKENED
    return np.asarray(bright & (strange | dark))


def _spread(plane: Plane) -> Plane:
    """How much each block varies."""
    mean = _blocks(plane)
    return np.asarray(np.sqrt(np.maximum(_blocks(plane * plane) - mean * mean, 0)), np.float32)


def _edged(plane: Plane, plain: NDArray[np.bool_], least: float) -> NDArray[np.bool_]:
    """Plain blocks through which an edge runs that the face has not."""
    spread = _spread(plane)
    noise = float(np.median(spread[plain])) if plain.any() else 0.0
    return np.asarray(plain & (spread > max(2 * noise, least)))


def _touching(region: NDArray[np.bool_], edge: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The connected parts of a region that reach an edge."""
    import cv2

    _, parts = cv2.connectedComponents((region | edge).astype(np.uint8), connectivity=8)
    reached = np.unique(parts[edge])
    return np.asarray(region & np.isin(parts, reached[reached > 0]))


def _by_blocks(seen: Plane, colours: Pixels, model: Plane, face: Face, fit: float, soft: float) -> Scrutiny:
    mean_seen, mean_model = _blocks(seen), _blocks(model)
    spread_seen, spread_model = _spread(seen), _spread(model)
    together = _blocks(seen * model) - mean_seen * mean_model
    drawn, plain = spread_model > DRAWN, spread_model < PLAIN
    alike = together / (spread_seen * spread_model + 1.0)
    gain = float(np.median(together[drawn] / spread_model[drawn] ** 2)) if drawn.any() else 0.0
    contrast = gain * 255
    # A veil of light tints softly, a shadow does not tint; what lies on a piece does, and has an edge.
    tint = colours[:, :, 0].astype(np.float32) - colours[:, :, 2]
    edged = _edged(seen, plain, 0.05 * contrast) | _edged(tint, plain, 0.05 * contrast)
    covered = _touching(_strange_colours(colours, face), edged)
    busy = _edged(seen, plain, 0.16 * contrast)
    unlike = (drawn & (alike < UNLIKE)) | (plain & (busy | covered))
    blinding = _blocks((colours.min(axis=2) > BLINDING).astype(np.float32)) > 0.3
    glare = _touching(unlike | blinding, blinding & ~(drawn & (alike > UNLIKE)))
    return Scrutiny(fit, unlike & ~glare, glare & unlike, soft, contrast)
