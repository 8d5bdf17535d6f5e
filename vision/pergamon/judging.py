"""How sure a reading is: the drawing, the digits and what the game allows must agree, and nothing may be hidden."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from companion.games.base import Expected
from vision.album import Sighting
from vision.digits import Glyph
from vision.pergamon.faces import BACKS
from vision.pergamon.reader_book import Book, is_find, seen_at
from vision.reading import Piece, Status
from vision.register import Face, Layers, Placing, corners_of, product
from vision.scrutiny import Scrutiny, scrutinise

SMALLEST: Final = 52.0
"""Pixels across: below this a digit is some ten pixels high."""
DIMMEST: Final = 22.0
"""Grey levels between dark and light: below this noise can draw lines."""
BLURRIEST: Final = 2.5
GOOD_FIT: Final = 0.8
CLEAR_LEAD: Final = 0.015
"""How far a drawing must be ahead of the next like it; finds differ in four teeth of the frieze at least."""
HALF_LEAD: Final = 0.25
"""How far a half's kind must be ahead of the next."""
HIDDEN: Final = 0.035
"""The largest part of a piece that may show something else before it counts as covered."""
OUTSHONE: Final = 0.1
"""The part of a piece that a mirrored lamp may hide; digits and drawing must be read beside it."""
SCATTERED: Final = 0.08
"""The same for all such parts together."""
PLAIN_DIGIT: Final = (0.8, 0.12)
"""A digit's fit and lead with which the glyph reader needs no second opinion."""
FAINT_DIGIT: Final = (0.6, 0.04)
"""A digit's fit and lead below which no second opinion helps."""
OUTSIDE: Final = 0.01
"""How far a corner may lie outside the picture, in parts of the side."""


@dataclass(frozen=True)
class Evidence:
    """All that was seen of one piece."""

    sighting: Sighting
    ranked: tuple[str, ...]
    """Codes by their drawings alone, the likeliest first."""
    lead: float
    halves: tuple[tuple[str, float], ...]
    """The kinds of a find's left and right half, each with its lead over the next kind."""
    glyphs: tuple[Glyph, ...]
    scrutiny: Scrutiny
    side: float
    inside: bool

    @property
    def drawn(self) -> str:
        """What the drawing says."""
        return self.ranked[0]

    @property
    def digits(self) -> str:
        """What the glyph reader says: number and century of a find, value of a card, nothing of a back."""
        return "".join(glyph.digit for glyph in self.glyphs)

    def needs_tesseract(self) -> bool:
        """Whether the glyph reader alone is not enough."""
        return any(glyph.fit < PLAIN_DIGIT[0] or glyph.lead < PLAIN_DIGIT[1] for glyph in self.glyphs)


def digits_of(code: str) -> str:
    """The digits printed on a piece."""
    if code in BACKS:
        return ""
    return code[1:3] + code[4] if is_find(code) else code


def gather(book: Book, layers: Layers, sighting: Sighting) -> Evidence:
    """Looks at a sighted piece with each source by itself."""
    find = is_find(sighting.face.code)
    faces, rows = (book.finds, book.find_drawings) if find else (book.cards, book.card_drawings)
    even = seen_at(layers, sighting.placing)
    scores = product(rows, book.drawing(even, find)[None])[:, 0]
    order = np.argsort(-scores)
    best = faces[int(order[0])]
    glyphs: tuple[Glyph, ...] = ()
    if best.code not in BACKS:
        glyphs = tuple(book.glyphs.read(crop) for crop in book.digit_crops(layers, sighting.placing, find))
    height, width = layers.grey[0].shape
    corners = sighting.corners
    side = float(np.linalg.norm(corners - corners[[1, 2, 3, 0]], axis=1).min())
    room = OUTSIDE * side
    inside = bool((corners > -room).all() and (corners < np.array([width + room, height + room])).all())
    return Evidence(
        sighting=sighting,
        ranked=tuple(faces[int(index)].code for index in order[:6]),
        lead=float(scores[order[0]] - scores[order[1]]),
        halves=book.halves(even) if find else (),
        glyphs=glyphs,
        scrutiny=scrutinise(layers, sighting.placing, best),
        side=side,
        inside=inside,
    )


def judged(evidence: Evidence, read_again: str | None, expected: Expected | None, expect: str | None) -> Piece:
    """The piece as it is told to the players; `read_again` is what Tesseract says, None where it was not asked."""
    code = evidence.drawn
    trouble = _trouble(evidence, read_again) or _not_now(code, expected, expect)
    scrutiny = evidence.scrutiny
    weakest = min((glyph.fit for glyph in evidence.glyphs), default=1.0)
    confidence = min(0.999, scrutiny.fit, 1 - float(scrutiny.unlike.mean()), 0.9 + 2 * evidence.lead, 0.5 + weakest / 2)
    status: Status = "unsure" if trouble else "sure"
    if trouble:
        confidence = min(confidence, 0.6)
    others = _others(evidence)
    return Piece(
        kind=kind_of(code),
        code=code,
        status=status,
        confidence=round(max(confidence, 0.0), 3),
        corners=as_points(evidence.sighting.placing),
        alternatives=others if trouble else (),
        trouble=trouble,
    )


def kind_of(code: str) -> str:
    """The kind of piece that a code names."""
    return "find" if is_find(code) else "funds_back" if code in BACKS else "funds"


def as_points(placing: Placing) -> tuple[tuple[float, float], ...]:
    """The placed face's corners, in pixels to a tenth."""
    return tuple((round(float(x), 1), round(float(y), 1)) for x, y in corners_of(placing))


def _others(evidence: Evidence) -> tuple[str, ...]:
    """What else it could be: first what the digits say, then the drawings that come next."""
    by_digits = [code for code in evidence.ranked[1:] if digits_of(code) == evidence.digits]
    rest = [code for code in evidence.ranked[1:] if code not in by_digits]
    return tuple([*by_digits, *rest][:4])


def _trouble(evidence: Evidence, read_again: str | None) -> str | None:
    """What keeps this piece from being sure, in words to act on; None if nothing does."""
    scrutiny = evidence.scrutiny
    if not evidence.inside:
        return "It is partly outside the picture; move it in."
    if evidence.side < SMALLEST:
        return "It is too small in the picture; bring the camera nearer."
    if scrutiny.contrast < DIMMEST:
        return "It is too dark or too pale to be read; change the light."
    if scrutiny.softness > BLURRIEST:
        return "It is blurred; keep the camera still and in focus."
    if scrutiny.glare.mean() > OUTSHONE:
        return "A light is mirrored on it; move the lamp or the piece."
    if scrutiny.largest_patch() > HIDDEN or scrutiny.unlike.mean() > SCATTERED:
        return "Something covers a part of it, or it is another piece; uncover it."
    if scrutiny.fit < GOOD_FIT or evidence.lead < CLEAR_LEAD:
        return "Its drawing cannot be told for sure; look closely."
    kinds = (evidence.drawn[0], evidence.drawn[3]) if evidence.halves else ()
    if any(kind != half[0] or half[1] < HALF_LEAD for kind, half in zip(kinds, evidence.halves, strict=True)):
        return "One of its halves cannot be told for sure; look closely."
    return _digit_trouble(evidence, read_again)


def _digit_trouble(evidence: Evidence, read_again: str | None) -> str | None:
    wanted = digits_of(evidence.drawn)
    if evidence.digits != wanted:
        return "Its drawing and its digits do not go together; look closely."
    if evidence.needs_tesseract():
        faint = any(glyph.fit < FAINT_DIGIT[0] or glyph.lead < FAINT_DIGIT[1] for glyph in evidence.glyphs)
        if faint or read_again != wanted:
            return "Its digits cannot be read for sure; look closely."
    return None


def _not_now(code: str, expected: Expected | None, expect: str | None) -> str | None:
    """What the game says against it."""
    kind = "finds" if is_find(code) else "funds"
    wanted = expect or (expected.kind if expected else None)
    if wanted and wanted != kind:
        return f"It is not one of the {wanted} that come now."
    if expected and code in expected.impossible:
        return f"{code} cannot come any more in this game; look closely."
    return None


def found_back(layers: Layers, placing: Placing, back: Face) -> bool:
    """Whether a find lies here on its face."""
    return scrutinise(layers, placing, back).fit > GOOD_FIT
