"""Four-sided things that stand out from the table by their colour, however rough the table's own pattern is."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.outline import Corners, distinct, fitted
from vision.photo import Pixels

SMOOTH: Final = (3.0, 7.0)
"""Pixels of the working copy over which grain and weave are smoothed away."""
SPREADS: Final = (2.5, 4.5)
"""How far a colour must be from the table's, in parts of the table's own spread."""
LEAST_SPREAD: Final = 5.0
FILLED: Final = 0.88
"""The part of its four-sided outline that a thing must fill."""
SMALLEST: Final = 20
REACH: Final = 0.09
"""How far a side may be moved to the edge that it follows, in parts of the thing's size."""
SAMPLES: Final = 24
UNLIKE: Final = 6.0
"""Parts of the table's own spread: for those who weigh it, a colour farther from the table's counts no more."""


def standing_out(small: Pixels) -> list[Corners]:
    """The outlines, in a working copy, of things whose colour is not the table's."""
    import cv2

    lab = cv2.cvtColor(small, cv2.COLOR_BGR2LAB)
    fine = from_table(np.asarray(cv2.GaussianBlur(lab, (0, 0), SMOOTH[0]), np.float32))
    found: list[Corners] = []
    for smooth in SMOOTH:
        distance = (
            fine if smooth == SMOOTH[0] else from_table(np.asarray(cv2.GaussianBlur(lab, (0, 0), smooth), np.float32))
        )
        levels = [*SPREADS, _between(distance)]
        for level in levels:
            mask = (distance > level).astype(np.uint8)
            opened = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((9, 9), np.uint8))
            contours, _ = cv2.findContours(opened, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
            for contour in contours:
                corners = _four_sided(np.asarray(contour, np.int32))
                if corners is not None:
                    found.append(_drawn_to_edges(corners, fine))
    return distinct(found)


def from_table(lab: NDArray[np.float32]) -> NDArray[np.float32]:
    """How far each colour is from the table's, measured by how much the table varies, as seen at the rim."""
    high, wide = lab.shape[0] // 25 + 2, lab.shape[1] // 25 + 2
    strips = (lab[:high], lab[-high:], lab[:, :wide], lab[:, -wide:])
    rim = np.concatenate([strip[::2, ::2].reshape(-1, 3) for strip in strips])
    usual = np.median(rim, axis=0)
    spread = np.maximum(1.48 * np.median(np.abs(rim - usual), axis=0), LEAST_SPREAD)
    return np.asarray(np.sqrt(np.square((lab - usual) / spread).sum(axis=2)), np.float32)


def _between(distance: NDArray[np.float32]) -> float:
    """The level that parts table and things best."""
    import cv2

    grey = np.clip(distance * 12, 0, 255).astype(np.uint8)
    level, _ = cv2.threshold(grey, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    return float(level) / 12


def _four_sided(contour: NDArray[np.int32]) -> Corners | None:
    """The outline of a thing, if it is four-sided and whole."""
    import cv2

    _, _, wide, high = cv2.boundingRect(contour)
    if min(wide, high) < SMALLEST:
        return None
    hull = cv2.convexHull(contour)
    corners = fitted(hull)
    if corners is None or cv2.contourArea(contour) < FILLED * cv2.contourArea(corners):
        return None
    return corners


def _drawn_to_edges(corners: Corners, distance: NDArray[np.float32]) -> Corners:
    """The outline with each side moved to where the table ends: smoothing has rounded and shifted it."""
    import cv2

    size = float(np.sqrt(cv2.contourArea(corners)))
    offsets = np.arange(-REACH * size, REACH * size + 0.5, 1.0)
    sides = []
    for at in range(4):
        start, line = corners[at], corners[(at + 1) % 4] - corners[at]
        normal = np.array([-line[1], line[0]]) / (float(np.linalg.norm(line)) + 1e-6)
        along = np.linspace(0.12, 0.88, SAMPLES)
        points = start + line * along[:, None]
        places = (points[:, None] + normal * offsets[:, None]).astype(np.float32)
        profile = cv2.remap(distance, places[..., 0], places[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        steep = np.abs(np.diff(np.minimum(profile, 3 * SPREADS[1]), axis=1))
        edge = offsets[:-1][steep.argmax(axis=1)] + 0.5
        near = np.abs(edge - np.median(edge)) < 0.02 * size + 1.5
        slope, shift = np.polyfit(along[near], edge[near], 1) if near.sum() > 5 else (0.0, 0.0)
        sides.append((start + normal * shift, start + line + normal * (shift + slope)))
    moved = [_meeting(sides[at - 1], sides[at]) for at in range(4)]
    drawn = np.array([corners[at] if point is None else point for at, point in enumerate(moved)], np.float32)
    return drawn if float(np.abs(drawn - corners).max()) < 2 * REACH * size else corners


def _meeting(
    one: tuple[NDArray[np.floating], NDArray[np.floating]], other: tuple[NDArray[np.floating], NDArray[np.floating]]
) -> NDArray[np.floating] | None:
    """Where two lines cross."""
    along, across, between = one[1] - one[0], other[1] - other[0], other[0] - one[0]
    cross = along[0] * across[1] - along[1] * across[0]
    if abs(cross) < 1e-6:
        return None
    return np.asarray(one[0] + along * ((between[0] * across[1] - between[1] * across[0]) / cross))
