"""Drawing the sides of roughly placed pieces to the edges that they follow, and how plainly these show."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.register import Plane

REACH: Final = 0.05
"""How far an end of a side may be moved, in parts of its length."""
NEAR: Final = 1.5
"""Pixels by which an outline may miss the edge that it follows."""
SAMPLES: Final = 20
STEPS: Final = 11
STEEPEST: Final = 4.0
CREST: Final = 0.1
"""What it counts for a line that the edge is steepest just there: what is surely an edge is some pixels wide."""
LOATH: Final = 0.15
"""What it costs to move both ends as far as can be."""


class Edges:
    """How steeply light and colour change in a working copy; 1 is what an edge surely has."""

    def __init__(self, across: Plane, down: Plane) -> None:
        self._across, self._down = across, down

    def shown(self, outlines: NDArray[np.float32]) -> NDArray[np.float64]:
        """How much of an edge each outline's weakest side is, from 0 to 1."""
        starts = outlines.reshape(-1, 2)
        lines, _, normals = _lines(outlines)
        offsets = np.repeat(np.array([[-NEAR, 0, NEAR]], np.float32), len(starts), axis=0)
        strength = np.minimum(self._strength(starts, lines, normals, offsets).max(axis=2), 1)
        return np.asarray(strength.mean(axis=1).reshape(-1, 4).min(axis=1), np.float64)

    def trued(self, outlines: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
        """The outlines with each side on the strongest edge nearby, and how plainly each shows: from 0 to 1."""
        if not len(outlines):
            return outlines, np.empty(0)
        ends = np.roll(outlines, -1, axis=1)
        lines, lengths, normals = _lines(outlines)
        offsets = (np.linspace(-REACH, REACH, STEPS) * lengths).astype(np.float32)
        strength = self._strength(outlines.reshape(-1, 2), lines, normals, offsets)
        along = np.linspace(0.06, 0.94, SAMPLES)
        first, last = (ticks.ravel() for ticks in np.meshgrid(np.arange(STEPS), np.arange(STEPS), indexing="ij"))
        at = np.round(first[:, None] * (1 - along) + last[:, None] * along).astype(int)
        along_each = strength[:, np.arange(SAMPLES), at]
        shown = np.minimum(along_each, 1).mean(axis=2)
        crest = along_each.mean(axis=2) / STEEPEST
        middle = STEPS // 2
        cost = LOATH * (np.abs(first - middle) + np.abs(last - middle)) / (2 * middle)
        best = (shown + CREST * crest - cost).argmax(axis=1)
        each = np.arange(len(best))
        plain = shown[each, best].reshape(-1, 4)
        starts = outlines.reshape(-1, 2) + normals * offsets[each, first[best]][:, None]
        stops = ends.reshape(-1, 2) + normals * offsets[each, last[best]][:, None]
        return _meetings(starts.reshape(-1, 4, 2), stops.reshape(-1, 4, 2)), (
            2 * plain.min(axis=1) + plain.mean(axis=1)
        ) / 3

    def _strength(self, starts: Plane, lines: Plane, normals: Plane, offsets: Plane) -> Plane:
        """For each line, at so many places along it and so far off, how much of an edge there is in its direction."""
        import cv2

        along = np.linspace(0.06, 0.94, SAMPLES, dtype=np.float32)
        places = (starts[:, None] + lines[:, None] * along[:, None])[:, :, None] + (
            normals[:, None] * offsets[..., None]
        )[:, None]
        x, y = (np.ascontiguousarray(places[..., axis].reshape(len(starts), -1)) for axis in (0, 1))
        across, down = (cv2.remap(plane, x, y, cv2.INTER_LINEAR) for plane in (self._across, self._down))
        slope = np.abs(across * normals[:, :1, None] + down * normals[:, 1:, None]).max(axis=2)
        return np.asarray(np.minimum(slope, STEEPEST).reshape(len(starts), SAMPLES, -1), np.float32)


def _lines(outlines: NDArray[np.float32]) -> tuple[Plane, Plane, Plane]:
    """All sides, their lengths, and the directions down from them."""
    lines = (np.roll(outlines, -1, axis=1) - outlines).reshape(-1, 2)
    lengths = np.linalg.norm(lines, axis=1, keepdims=True) + np.float32(1e-6)
    return lines, lengths, np.stack([-lines[:, 1], lines[:, 0]], axis=1) / lengths


def _meetings(starts: NDArray[np.float32], ends: NDArray[np.float32]) -> NDArray[np.float32]:
    """The corners in which each side meets the one before it."""
    along, before = ends - starts, np.roll(ends - starts, 1, axis=1)
    between = np.roll(starts, 1, axis=1) - starts
    cross = along[..., 0] * before[..., 1] - along[..., 1] * before[..., 0]
    part = (between[..., 0] * before[..., 1] - between[..., 1] * before[..., 0]) / np.where(
        np.abs(cross) > 1e-3, cross, 1
    )
    return np.asarray(starts + along * part[..., None], np.float32)
