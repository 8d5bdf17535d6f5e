"""Near twins: labels that share most of their drawing, told apart at the very places where they differ.

A family's looks lie in one common frame. What varies from label to label but not from picture to picture of one
label is what tells its members apart (as Fisher weighed measurements); everything else is passed over.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import cv2
import numpy as np

from vision.framing import Corners, Plane
from vision.looks import (
    DOUBT,
    FINE,
    INNER,
    RIM,
    SIDE,
    Look,
    Way,
    edges,
    flattened,
    lamp_can,
    recoloured,
    square_to_picture,
    take,
)
from vision.matching import Search, outline
from vision.photo import Pixels

POOL = 4
POOLED = FINE // POOL
SPREAD = 1.0
REACH = 6
NUDGES = ((0, 0), (0, 1), (1, 0), (0, -1), (-1, 0))
COMPARED_CLOSELY = 10
LABELS_CLOSELY = 4
CLEARLY_NEARER = 0.28
"""A member must be at most this far away, measured by the distance to the next one."""
ROOM, UNTRIED = 0.6, 0.35
"""How much nearer than the nearest wrong label ever seen a right one must be; and when no label was shown twice."""
SHARES_A_FRAME = 0.78
FEW = 5
FARTHEST = 0.2
ALIKE = 0.02
"""Two labels nearer than this differ by no more than noise."""
USUAL = 1.3
"""How much farther than most taught pictures are from their own label a piece may be."""
ENOUGH = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 30, 1e-4)


class Family:
    """The looks of near twins in their common frame."""

    def __init__(self, looks: Sequence[Look], tint: float, limit: float = 0.0) -> None:
        self.looks = list(looks)
        self.limit = limit
        """How far from a member a piece may be and still be that member."""
        self._tint = tint
        self.labels = [look.label for look in self.looks]
        flats = [flattened(look.pixels) for look in self.looks]
        self.mean = np.mean(flats, axis=0).astype(np.float32)
        drawn = np.stack([np.stack(edges(flat)) for flat in flats])
        self._weights, self._power = _weights(drawn, self.labels)
        self._drawn = drawn
        wide = np.asarray(cv2.resize(self._weights, (FINE, FINE), interpolation=cv2.INTER_LINEAR), np.float32)
        self._root = np.sqrt(wide)
        self._rows = (drawn * self._root).reshape(len(drawn), -1)
        self._lengths = np.square(self._rows).sum(axis=1)

    def up(self, label: str) -> int:
        """The quarter turns that bring this member upright."""
        return self.looks[self.labels.index(label)].up

    def squared(self, picture: Pixels, corners: Corners) -> Pixels | None:
        """The piece in the family's frame, from corners that are nearly right."""
        return refined(picture, corners, self.mean)

    def distances(self, pixels: Pixels, without: Look | None = None) -> list[tuple[float, int]]:
        """The nearest members that the colours allow as (distance, index in the family), nearest first."""
        drawing = np.stack(edges(flattened(pixels)))
        seen = Look("", pixels, np.full(pixels.shape[:2], 255, np.uint8))
        rough = self._lengths - 2 * (self._rows @ (drawing * self._root).ravel())
        closely: list[int] = []
        labels: set[str] = set()
        for index in np.argsort(rough):
            if self.looks[index] is without or not self._possible(self.looks[index], seen):
                continue
            if len(closely) >= COMPARED_CLOSELY and len(labels) >= LABELS_CLOSELY:
                break
            closely.append(int(index))
            labels.add(self.labels[index])
        return sorted((self._distance(drawing, self._drawn[index]), index) for index in closely)

    def _possible(self, look: Look, seen: Look) -> bool:
        """Whether some lamp can make the look's colours those that are seen."""
        tint, cast = recoloured(look, seen, INNER)
        return tint <= DOUBT * self._tint and lamp_can(cast, DOUBT)

    def tried_on_itself(self) -> tuple[float, set[tuple[str, str]]]:
        """The limit that keeps every taught picture off every label but its own, with room to spare;
        and the labels that cannot be told apart at all."""
        right: list[float] = []
        wrong: list[float] = []
        alike: set[tuple[str, str]] = set()
        for look in self.looks:
            nearest = self.distances(look.pixels, look)
            right.extend([distance for distance, index in nearest if self.labels[index] == look.label][:1])
            other = [(distance, self.labels[index]) for distance, index in nearest if self.labels[index] != look.label]
            if other:
                wrong.append(other[0][0])
            if other and other[0][0] < ALIKE:
                one, another = sorted((look.label, other[0][1]))
                alike.add((one, another))
        nearest_wrong = min(wrong, default=1.0)
        if len(right) < FEW:
            return min(FARTHEST, UNTRIED * nearest_wrong), alike
        return min(FARTHEST, ROOM * nearest_wrong, USUAL * float(np.quantile(right, 0.9))), alike

    def _distance(self, seen: Plane, drawn: Plane) -> float:
        """How far two drawings are apart where it matters; a place may be off by a pixel."""
        least = np.full((POOLED, POOLED), np.inf, np.float32)
        for down, across in NUDGES:
            apart = np.square(seen - np.roll(drawn, (down, across), axis=(1, 2))).sum(axis=0)
            least = np.minimum(least, _pooled(apart))
        return float((least * self._weights).sum()) / self._power


def refined(picture: Pixels, corners: Corners, mean: Plane) -> Pixels | None:
    """The square inside the corners, moved and bent a little until it fits the family's mean drawing."""
    way = square_to_picture(corners, FINE, 0.0) @ _shift(-REACH)
    around, inside = take(picture, way, FINE + 2 * REACH)
    begin = _shift(REACH).astype(np.float32)
    try:
        _, bend = cv2.findTransformECC(mean, flattened(around), begin, cv2.MOTION_HOMOGRAPHY, ENOUGH, inside, 3)
    except cv2.error:
        return None
    moved = cv2.perspectiveTransform(_CORNERS, bend)[0] - (_CORNERS[0] + REACH)
    if float(np.abs(moved).max()) > 0.2 * FINE:
        return None
    return take(picture, way @ bend, FINE)[0]


_CORNERS = np.array([[[0, 0], [FINE, 0], [FINE, FINE], [0, FINE]]], np.float32)


def _shift(by: float) -> Way:
    return np.array([[1, 0, by], [0, 1, by], [0, 0, 1]], np.float64)


def _pooled(plane: Plane) -> Plane:
    small = cv2.resize(plane, (POOLED, POOLED), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(small, (0, 0), SPREAD), np.float32)


def _weights(drawn: Plane, labels: Sequence[str]) -> tuple[Plane, float]:
    """How much each place tells the labels apart, and how strong the drawing is there."""
    power = np.mean([_pooled(np.square(one).sum(axis=0)) for one in drawn], axis=0)
    groups: dict[str, list[int]] = {}
    for index, label in enumerate(labels):
        groups.setdefault(label, []).append(index)
    means = np.stack([drawn[group].mean(axis=0) for group in groups.values()])
    between = _pooled(means.var(axis=0).sum(axis=0).astype(np.float32))
    within = [_pooled(drawn[group].var(axis=0).sum(axis=0)) for group in groups.values() if len(group) > 1]
    noise = np.mean(within, axis=0) if within else np.zeros_like(between)
    weights = np.maximum(between - noise, 0) / (noise + 0.05 * float(power.mean()))
    rim = max(1, round(RIM * POOLED / SIDE))
    weights[:rim] = weights[-rim:] = weights[:, :rim] = weights[:, -rim:] = 0
    weights = (weights / (weights.sum() + 1e-9)).astype(np.float32)
    return weights, float((power * weights).sum()) + 1e-6


def gathered(pairs: Iterable[tuple[str, str]]) -> list[list[str]]:
    """The groups that pairs of look-alikes join up to."""
    groups: list[set[str]] = []
    for pair in pairs:
        joined = set(pair)
        apart = []
        for group in groups:
            if group & joined:
                joined |= group
            else:
                apart.append(group)
        groups = [*apart, joined]
    return sorted(sorted(group) for group in groups)


def common_frame(
    hub: Look, labels: Sequence[str], pictures: Sequence[Pixels], outlines: Sequence[list[Corners]]
) -> list[tuple[Pixels, int] | None]:
    """Every picture's piece squared in one frame, with the quarter turns that bring it upright again.

    A picture is laid on the hub, or else on one of its own label that fitted there, then on the mean of all;
    None where it does not fit.
    """
    placed = [_placed([hub], picture, around) for picture, around in zip(pictures, outlines, strict=True)]
    for index, (label, picture) in enumerate(zip(labels, pictures, strict=True)):
        if placed[index] is None:
            own = [
                Look(label, *take(pictures[other], square_to_picture(corners, FINE, 0.0), FINE))
                for other, corners in enumerate(placed)
                if corners is not None and labels[other] == label
            ]
            placed[index] = _placed(own, picture, outlines[index])
    squares: list[Pixels | None] = [
        take(picture, square_to_picture(corners, FINE, 0.0), FINE)[0] if corners is not None else None
        for picture, corners in zip(pictures, placed, strict=True)
    ]
    for _ in range(2):
        mean = np.mean([flattened(square) for square in squares if square is not None], axis=0).astype(np.float32)
        squares = [
            refined(picture, corners, mean) if corners is not None else None
            for picture, corners in zip(pictures, placed, strict=True)
        ]
    return [
        (square, int(np.argmin(corners.sum(axis=1)))) if square is not None and corners is not None else None
        for square, corners in zip(squares, placed, strict=True)
    ]


def _placed(looks: Sequence[Look], picture: Pixels, around: list[Corners]) -> Corners | None:
    """Where the look that fits best lies in the picture, if it fits well enough to share a frame."""
    if not looks:
        return None
    search = Search(picture, around)
    rows, _ = search.nearest(np.stack([outline(look) for look in looks]))
    matches = [search.align(look, int(row)) for look, row in zip(looks, rows, strict=True)]
    best = max((match for match in matches if match), key=lambda match: match.agreement.overall, default=None)
    return best.corners if best and best.agreement.overall >= SHARES_A_FRAME else None
