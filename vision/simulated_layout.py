"""Throwing things on the simulated table so that the camera sees each of them whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.simulated import Thing
from vision.simulated_view import Points, View


def inside(view: View, outline: Points, margin: float = 0.012) -> bool:
    """Whether all of it is in the picture, so many picture widths from its edge."""
    seen, edge = view.project(outline, 2.0), margin * view.size[0]
    return bool((seen > edge).all() and (seen < np.array(view.size) - edge).all())


def apart(a: Points, b: Points, gap_mm: float) -> bool:
    """Whether two outlines are clear of each other, judged by circles around them."""
    middle, other = a.mean(axis=0), b.mean(axis=0)
    reach = np.linalg.norm(a - middle, axis=1).max() + np.linalg.norm(b - other, axis=1).max()
    return bool(np.linalg.norm(middle - other) > reach * 0.93 + gap_mm)


def scattered(
    view: View, things: Sequence[Thing], rng: np.random.Generator, among: Sequence[Thing] = ()
) -> list[Thing]:
    """Things thrown among others so that none lies on another; what finds no room stays in the box."""
    laid = list(among)
    for thing in things:
        for _ in range(300):
            spot = rng.uniform(-0.5, 0.5, 2) * view.wide_mm
            thrown = replace(thing, at_mm=(float(spot[0]), float(spot[1])), turn=float(rng.uniform(0, 360)))
            outline = thrown.outline()
            if inside(view, outline) and all(apart(outline, other.outline(), 1.5) for other in laid):
                laid.append(thrown)
                break
    return laid
