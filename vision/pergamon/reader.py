"""Reads finds and funds cards in a photograph: the way from pixels to pieces that are sure, unsure or unknown."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Final

import msgspec
import numpy as np

from companion.games.base import Expected
from vision import digits
from vision.glance import QUARTERS
from vision.outline import Corners
from vision.pergamon.faces import BACKS
from vision.pergamon.judging import (
    Evidence,
    as_points,
    found_back,
    gather,
    judged,
    kind_of,
)
from vision.pergamon.printable import FINDS
from vision.pergamon.reader_book import Book, is_find
from vision.photo import Photo, Pixels
from vision.pieces import pieces_among
from vision.reading import Piece, Reading
from vision.register import ROUGH, Layers, placing_of, pulled
from vision.rows import in_order
from vision.sketch import Sketch

if TYPE_CHECKING:
    from vision.taught import TaughtPieces

CARDS_OF_A_VALUE: Final = 3
SQUARE: Final = 1.25
"""An outline longer than this is told as a card when nothing else is known of it."""


BRIGHTEST: Final = 250
WASHED_OUT: Final = 0.4
"""The part of a stranger that is as bright as the camera can tell: a lamp, not the piece, is what was seen."""


@cache
def _book() -> Book:
    return Book()


def warm_up() -> None:
    """Draws all faces now, so that the first photograph is read as quickly as the next."""
    _book().draw()


def read_photograph(
    image: Pixels | Photo,
    expect: str | None = None,
    expected: Expected | None = None,
    pieces_set: TaughtPieces | None = None,
    photo: str | None = None,
) -> Reading:
    """What lies in a photograph. `expect` is finds or funds; `expected` says what the game still allows."""
    import cv2

    started = time.perf_counter()
    cv2.setNumThreads(1)
    taken = image if isinstance(image, Photo) else Photo(image)
    if min(taken.pixels.shape[:2]) < 32:
        pieces: list[Piece] = []
    elif pieces_set is not None:
        from vision.taught import read_taught

        pieces = read_taught(taken.pixels, pieces_set, _kind_in_a_box)
    else:
        pieces = _read_known(taken.pixels, expect, expected)
    order = in_order([np.array(piece.corners, np.float32) for piece in pieces])
    told = tuple(_scaled(pieces[index], taken.scale) for index in order)
    return Reading(told, round((time.perf_counter() - started) * 1000), photo)


def _read_known(pixels: Pixels, expect: str | None, expected: Expected | None) -> list[Piece]:
    book = _book()
    layers = Layers(pixels)
    sketch = Sketch(pixels)
    sightings, found = book.album.sightings(layers, sketch)
    strangers = _strangers(sketch, found, [sighting.corners for sighting in sightings])
    closer = [book.album.closer(layers, corners, sightings) for corners in strangers]
    sightings += [sighting for sighting in closer if sighting is not None]
    seen = [gather(book, layers, sighting) for sighting in sightings]
    again = _read_again(book, layers, seen)
    pieces = [judged(evidence, read_again, expected, expect) for evidence, read_again in zip(seen, again, strict=True)]
    pieces = [_unless_too_many(piece, pieces, expected) for piece in pieces]
    unknown = [corners for corners, sighting in zip(strangers, closer, strict=True) if sighting is None]
    return [*pieces, *(_unknown(book, layers, corners) for corners in unknown)]


def _read_again(book: Book, layers: Layers, seen: Sequence[Evidence]) -> list[str | None]:
    """Tesseract's opinion of the pieces whose digits are not plain, all of them on one sheet."""
    asked = [index for index, evidence in enumerate(seen) if evidence.needs_tesseract()]
    answers: list[str | None] = [None] * len(seen)
    if not asked:
        return answers
    crops = [book.number_crops(layers, seen[index].sighting.placing, is_find(seen[index].drawn)) for index in asked]
    lines = iter(digits.read_sheet([crop for group in crops for crop in group]))
    for index, group in zip(asked, crops, strict=True):
        answers[index] = "".join(next(lines) for _ in group)
    return answers


def _unless_too_many(piece: Piece, pieces: Sequence[Piece], expected: Expected | None) -> Piece:
    """A find exists once, a card as often as the box or the game has it left; more of them cannot all be right."""
    if piece.status != "sure" or piece.code is None or piece.code in BACKS:
        return piece
    there = Counter(other.code for other in pieces)[piece.code]
    most = 1 if is_find(piece.code) else CARDS_OF_A_VALUE
    if expected is not None:
        most = min(most, expected.left.get(piece.code, most))
    if there <= most:
        return piece
    trouble = f"{piece.code} lies here more often than it can; look closely."
    return msgspec.structs.replace(piece, status="unsure", confidence=0.5, trouble=trouble)


def _strangers(sketch: Sketch, found: list[Corners], seen: Sequence[Corners]) -> list[Corners]:
    """What has the outline of a piece, and about the size of those seen, but looked like none."""
    import cv2

    usual = float(np.median([cv2.contourArea(corners) for corners in seen])) if seen else None
    strangers = [stranger.corners for stranger in pieces_among(sketch, found, seen)]
    return [corners for corners in strangers if not usual or 0.4 < cv2.contourArea(corners) / usual < 2.6]


def _unknown(book: Book, layers: Layers, corners: Corners) -> Piece:
    lengths = np.linalg.norm(corners[[1, 2, 3, 0]] - corners, axis=1)
    wide, high = float(lengths[0] + lengths[2]), float(lengths[1] + lengths[3])
    ratio = max(wide, high) / min(wide, high)
    placing = placing_of(corners)
    washed_out = (layers.squared(placing, ROUGH) >= BRIGHTEST).mean() > WASHED_OUT
    trouble = (
        "A light is mirrored on it; move the lamp or the piece." if washed_out else "It matches no piece of this game."
    )
    if ratio < SQUARE:
        for quarters in range(4):
            place, fit = pulled(layers, placing @ QUARTERS[quarters], book.back.coarse, 6)
            if fit > 0.6 and found_back(layers, place, book.back):
                placing, trouble = place, "It lies face down; turn it over."
                break
    kind = "find" if ratio < SQUARE else "funds"
    return Piece(kind, None, "unknown", 0.0, as_points(placing), (), trouble)


def _kind_in_a_box(label: str | None) -> str:
    """The kind of a taught piece by its label; what is called otherwise is told as a find."""
    known = label is not None and (label in FINDS or label in BACKS or label.isdigit())
    return kind_of(label) if label and known else "find"


def _scaled(piece: Piece, scale: float) -> Piece:
    if scale == 1.0:
        return piece
    corners = tuple((round(x * scale, 1), round(y * scale, 1)) for x, y in piece.corners)
    return msgspec.structs.replace(piece, corners=corners)
