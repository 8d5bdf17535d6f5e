"""Reads a photograph by a taught set: its own drawings say where its pieces lie, the set says which they are.

What has the outline of a piece and matches none is told as unknown, as long as it is about as large as the others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, Protocol

import cv2
import numpy as np

from vision.album import Album, Sighting
from vision.finders import BEYOND
from vision.identifying import Identification
from vision.outline import Corners
from vision.photo import Pixels
from vision.pieces import Found, pieces_among
from vision.reading import Piece
from vision.register import FINE, UNIT, Face, Layers, corners_of, evened, mapped, placing_of, pulled
from vision.sketch import Sketch

LIKE_SIZE: Final = 0.4
"""A stranger has at least this part of the usual piece's area, and at most so many times as much."""
WIDER_STEPS: Final = 8
ALIKE: Final = 0.5
"""How well what surrounds a face must fit to be of the same piece; another table does not fit at all."""


class TaughtPieces(Protocol):
    """A set that was taught by camera: finds its pieces in a photograph, and says which of them fills a picture."""

    @property
    def album(self) -> Album:
        """Its pieces as they were shown, to be found by."""

    def frame(self, face: Face) -> Corners:
        """Where the piece that a face of the album finds is compared, from -1 to 1 on that face."""

    def wider(self, face: Face) -> tuple[Face, Corners] | None:
        """What lies around that face may belong to the piece: as a face of its own, and where on the other it lies."""

    def identify(self, picture: Pixels, squared: bool = False) -> Identification:
        """The piece in a picture, in any turn."""


def read_taught(pixels: Pixels, taught: TaughtPieces, kind_of: Callable[[str | None], str]) -> list[Piece]:
    """The pieces of a taught set, and strangers beside them; `kind_of` names the kind of a label."""
    sketch = Sketch(pixels)
    layers = Layers(pixels)
    sightings, outlines = taught.album.sightings(layers, sketch)
    told = [_told(layers, sighting, taught) for sighting in sightings]
    known = [found.corners for found, identified in told if identified.label is not None]
    told = [one for one in told if one[1].label is not None]
    for stranger in pieces_among(sketch, outlines, known):
        if _of_like_size(stranger.corners, known):
            told.append((stranger, _identified(pixels, stranger.corners, stranger, taught)))
    return [_piece(found, identified, kind_of) for found, identified in told]


def _told(layers: Layers, sighting: Sighting, taught: TaughtPieces) -> tuple[Found, Identification]:
    """What the set says of a piece that one of its faces found; asked twice where the first answer is unsure."""
    rim = Found(_whole(layers, sighting, taught), sighting.fit)
    framed = Found(mapped(taught.frame(sighting.face), sighting.placing), sighting.fit)
    first = _identified(layers.colour, rim.corners, framed, taught)
    if first.status != "unsure":
        return rim, first
    again = _identified(layers.colour, rim.corners, rim, taught)
    confirmed = again.status == "sure" and again.label in (first.label, sighting.face.code)
    return rim, again if confirmed else first


def _whole(layers: Layers, sighting: Sighting, taught: TaughtPieces) -> Corners:
    """The corners of the piece, which is larger than its face if what was drawn around that is seen here too."""
    wider = taught.wider(sighting.face)
    if wider is None:
        return sighting.corners
    face, corners = wider
    placing, _ = pulled(layers, sighting.placing @ placing_of(corners), face.fine, WIDER_STEPS)
    rim = mapped(UNIT * BEYOND, np.asarray(np.linalg.inv(placing_of(corners)), np.float64))
    around = np.ones((FINE, FINE), np.uint8)
    cv2.fillConvexPoly(around, np.round((rim + 1) * (FINE / 2)).astype(np.int32), 0)
    drawn, seen = face.fine.even[around > 0], evened(layers.squared(placing, FINE))[around > 0]
    alike = float(np.vdot(drawn, seen) / (np.linalg.norm(drawn) * np.linalg.norm(seen) + 1e-6))
    return corners_of(placing) if alike > ALIKE else sighting.corners


def _identified(pixels: Pixels, rim: Corners, cut: Found, taught: TaughtPieces) -> Identification:
    """What the set says of what is cut out; its corners are the rim's, beginning with the piece's own top left."""
    picture = cut.squared(pixels)
    identified = taught.identify(picture, squared=True)
    if identified.corners is None:
        return identified
    lying = cut.in_photograph(identified.corners, picture)
    turns = [np.roll(rim, -quarters, axis=0) for quarters in range(4)]
    return replace(identified, corners=min(turns, key=lambda turn: float(np.abs(turn - lying).sum())))


def _of_like_size(corners: Corners, known: Sequence[Corners]) -> bool:
    if not known:
        return True
    usual = float(np.median([cv2.contourArea(other) for other in known]))
    return LIKE_SIZE < cv2.contourArea(corners) / usual < 1 / LIKE_SIZE


def _piece(found: Found, identified: Identification, kind_of: Callable[[str | None], str]) -> Piece:
    corners = found.corners if identified.corners is None else identified.corners
    points = tuple((round(float(x), 1), round(float(y), 1)) for x, y in corners)
    label = identified.label
    alternatives = tuple(identified.alternatives)
    return Piece(kind_of(label), label, identified.status, round(identified.confidence, 3), points, alternatives)
