"""What to find a taught piece by in a photograph: its drawing, cut out along the rim that its pictures agree on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from vision.framing import Corners, whole
from vision.learning import CONFIRMED, Picture, Progress, no_progress
from vision.looks import INSET, Look
from vision.matching import Search, outline
from vision.photo import Pixels
from vision.pieces import Found
from vision.register import FINE, UNIT, mapped, placing_of
from vision.rims import rims

MOST_PICTURES: Final = 5
MOST_LOOKS: Final = 3
SAME: Final = 0.12
"""How far apart the corners of one rim may lie in two pictures, the look's frame being 2 wide."""
SMALLEST, LARGEST = 0.5, 2.2
"""A rim's area against that of the look's frame."""
FILLING: Final = 1.3
"""How much more or less of its picture a piece may fill than most of the set: a panel on a piece fills less."""
BEYOND: Final = 1.12
"""Where what surrounds a piece begins: its rim and its shadow are seen on any table."""
NARROW: Final = 0.15
"""A margin of less than this part of the picture says nothing."""
AS_DRAWN: Final = 0.6
"""How much is drawn around the rim, against what is within, if both are print."""
NEARLY_SQUARE: Final = 0.14
SHAPES: Final = 0.1
"""Logarithms of height by width: a piece no longer is square, and those that differ by less are of one shape."""


@dataclass(frozen=True)
class Wider:
    """The whole picture that a piece was shown in, and where its corners lie, from -1 to 1 on the piece."""

    drawing: Pixels
    corners: Corners


@dataclass(frozen=True)
class Finder:
    """A piece as it was shown, cut out along its rim; `frame` is where its look lies, from -1 to 1 on it.

    `wider` is there if what lies around the rim is drawn too: that may be a panel's rim, and the picture the piece.
    """

    label: str
    drawing: Pixels
    frame: Corners
    wider: Wider | None = None


@dataclass(frozen=True)
class _Shown:
    """A picture and the outlines in it that may be the piece's rim, the likeliest first."""

    picture: Picture
    rims: list[Corners]

    @classmethod
    def of(cls, picture: Picture) -> _Shown:
        return cls(picture, [whole(picture.pixels)] if picture.squared else rims(picture.pixels))

    def filled(self, rim: Corners) -> float:
        """The part of the picture inside the rim."""
        high, wide = self.picture.pixels.shape[:2]
        return float(cv2.contourArea(rim) / (high * wide))

    def likely(self, usual: float) -> list[Corners]:
        """The outlines that fill as much of the picture as is usual in the set."""
        return [rim for rim in self.rims if usual / FILLING < self.filled(rim) < usual * FILLING]


@dataclass(frozen=True)
class _Lying:
    """A look where it lies in a picture of its label."""

    shown: _Shown
    corners: Corners
    alike: float

    def on_look(self, points: Corners) -> Corners:
        """Points of the picture as the look sees them, from -1 to 1."""
        return _seen_from(self.corners, points)

    def in_picture(self, points: Corners) -> Corners:
        return mapped(points, placing_of(self.corners))


def find_by(
    looks: Sequence[Look], pictures: Mapping[str, Sequence[Picture]], progress: Progress = no_progress
) -> list[Finder]:
    """One finder for every label that was learned."""
    by_label: dict[str, list[Look]] = {}
    for look in looks:
        by_label.setdefault(look.label, []).append(look)
    shown = {label: [_Shown.of(picture) for picture in pictures[label][:MOST_PICTURES]] for label in by_label}
    filled = [one.filled(one.rims[0]) for some in shown.values() for one in some if one.rims]
    usual = float(np.median(filled)) if filled else 1.0
    made: list[Finder] = []
    for done, (label, known) in enumerate(by_label.items()):
        progress(done, len(by_label), label)
        finder = _finder(label, known, shown[label], usual)
        made.extend([finder] if finder else [])
    progress(len(by_label), len(by_label), "")
    return made


def _finder(label: str, looks: Sequence[Look], shown: Sequence[_Shown], usual: float) -> Finder | None:
    searches = [(one, Search(one.picture.pixels, one.picture.outlines())) for one in shown]
    lying = [_lying(look, searches) for look in looks[:MOST_LOOKS]]
    best = max(lying, key=lambda places: sum(place.alike for place in places))
    if not best:
        return None
    own = max(best, key=lambda place: place.alike)
    rim = _rim(own, [place for place in best if place is own or place.alike >= CONFIRMED], usual)
    cut = Found(own.in_picture(rim), 1.0).squared(own.shown.picture.pixels, FINE)
    return Finder(label, _shaped(cut), _seen_from(rim, UNIT), _wider(own.shown.picture, own.in_picture(rim)))


def _shaped(cut: Pixels) -> Pixels:
    """A piece cut out, of one width; those of nearly the same shape get the same height."""
    longer = float(np.log(cut.shape[0] / cut.shape[1]))
    ratio = 1.0 if abs(longer) < NEARLY_SQUARE else float(np.exp(SHAPES * round(longer / SHAPES)))
    return np.asarray(cv2.resize(cut, (FINE, round(FINE * ratio)), interpolation=cv2.INTER_AREA), np.uint8)


def _wider(picture: Picture, rim: Corners) -> Wider | None:
    """The whole picture, if it is drawn beyond the rim as it is within: a table hardly is, a printed frame is."""
    around = whole(picture.pixels)
    squared = cv2.resize(cv2.cvtColor(picture.pixels, cv2.COLOR_BGR2GRAY), (FINE, FINE), interpolation=cv2.INTER_AREA)
    drawn = np.abs(cv2.Laplacian(cv2.GaussianBlur(squared.astype(np.float32), (0, 0), 1.0), cv2.CV_32F))
    inside = np.zeros((FINE, FINE), np.uint8)
    scale = FINE / np.array(picture.pixels.shape[1::-1])
    middle = rim.mean(axis=0)
    cv2.fillConvexPoly(inside, np.round((middle + (rim - middle) * BEYOND) * scale).astype(np.int32), 1)
    if (inside == 0).mean() < NARROW or drawn[inside == 0].mean() < AS_DRAWN * drawn[inside == 1].mean():
        return None
    return Wider(_shaped(picture.pixels), _seen_from(rim, around))


def _lying(look: Look, searches: Sequence[tuple[_Shown, Search]]) -> list[_Lying]:
    """Where a look lies in each of its label's pictures, as far as it is found there."""
    coarse = outline(look)[None]
    places: list[_Lying] = []
    for shown, search in searches:
        match = search.align(look, int(search.nearest(coarse)[0][0]))
        if match is not None:
            middle = match.corners.mean(axis=0)
            corners = (middle + (match.corners - middle) / (1 - 2 * INSET)).astype(np.float32)
            places.append(_Lying(shown, corners, match.agreement.score))
    return places


def _rim(own: _Lying, places: Sequence[_Lying], usual: float) -> Corners:
    """The rim on the look: that on which most pictures agree; of two such, the outer one."""
    seen = [[_first_corner_first(place.on_look(rim)) for rim in place.shown.likely(usual)] for place in places]
    seen = [[rim for rim in some if _plausible(rim)] for some in seen]
    best: tuple[int, float] = (1, 0.0)
    chosen: list[Corners] = []
    for some in seen:
        for rim in some:
            alike = [near for others in seen if (near := _nearest(rim, others)) is not None]
            worth = (len(alike), float(cv2.contourArea(rim)))
            if len(alike) > 1 and worth > best:
                best, chosen = worth, alike
    if not chosen:
        chosen = seen[[place is own for place in places].index(True)][:1] or [UNIT]
    return np.asarray(np.mean(chosen, axis=0), np.float32)


def _plausible(rim: Corners) -> bool:
    size = cv2.contourArea(rim) / cv2.contourArea(UNIT)
    return bool(SMALLEST < size < LARGEST and np.abs(rim.mean(axis=0)).max() < SMALLEST)


def _first_corner_first(rim: Corners) -> Corners:
    turns = [np.asarray(np.roll(rim, quarters, axis=0), np.float32) for quarters in range(4)]
    return min(turns, key=lambda turn: float(np.abs(turn - UNIT).sum()))


def _nearest(rim: Corners, others: Sequence[Corners]) -> Corners | None:
    near = min(others, key=lambda other: float(np.abs(rim - other).max()), default=rim + 2 * SAME)
    return near if float(np.abs(rim - near).max()) < SAME else None


def _seen_from(frame: Corners, points: Corners) -> Corners:
    """Points as a frame sees them, whose own corners are at -1 and 1."""
    return mapped(points, np.asarray(np.linalg.inv(placing_of(frame)), np.float64))
