"""A scan: a photograph that was read, and what its pieces mean for the game as it was then."""

from __future__ import annotations

import logging
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol

import msgspec

from companion.games.base import Expected, Refused
from companion.play import Moment

if TYPE_CHECKING:
    from vision.photo import Photo
    from vision.reading import Piece, Reading
    from vision.troubles import Trouble

log = logging.getLogger(__name__)

CANNOT_READ = "Reading failed: enter the pieces by hand. `companion doctor` says what is missing."

Source = Literal["camera", "watch", "phone"]
Verdict = Literal["ready", "question", "missing"]
"""Ready to confirm; some piece is unsure, or the rules say no; pieces are still missing."""


@dataclass(frozen=True, eq=False)
class DeskScan:
    """A photograph that was read, and what it means for the game as it was then."""

    id: str
    source: Source
    moment: Moment
    expected: Expected | None
    photo: bytes
    reading: Reading
    codes: tuple[str, ...]
    """The sure pieces."""
    where: tuple[str, ...]
    """Where each piece goes, in the players' words; "" where it is not known."""
    verdict: Verdict
    problem: Refused | None
    """Why it cannot be confirmed as it is."""
    troubles: tuple[Trouble, ...]
    """What is in the way of a better photograph."""
    size: tuple[int, int]
    """Width and height of the photograph, in the pixels in which corners are told."""

    def to_json(self) -> dict[str, Any]:
        """The reading as the outside sees it, with its id, where each piece goes, and whether it can be confirmed."""
        shown = self.reading.as_json()
        for piece, place in zip(shown["pieces"], self.where, strict=True):
            piece["where"] = place
        problem = {"code": self.problem.code, "message": self.problem.message} if self.problem else None
        return {
            **shown,
            "id": self.id,
            "source": self.source,
            "version": self.moment.version,
            "verdict": self.verdict,
            "problem": problem,
            "troubles": msgspec.to_builtins(self.troubles),
            "size": self.size,
            "expected": {"kind": self.expected.kind, "count": self.expected.count} if self.expected else None,
        }


class Read(Protocol):
    """Reads a photograph, looking for this kind of pieces, knowing what the game still allows."""

    def __call__(self, photo: Photo, expect: str | None, expected: Expected | None, /) -> Reading: ...


def understand(moment: Moment, photos: list[bytes], expect: str | None, source: Source, read: Read) -> DeskScan:
    """Read the sharpest photograph, and find out what its pieces mean for the game.

    Where a piece is not sure, the other photographs of the same scene are read too, and all of them vote.
    """
    from vision.troubles import troubles
    from vision.voting import vote

    expected = moment.game.expected(moment.state) if moment.game else None
    if expected is not None and expect not in (None, expected.kind):
        expected = None  # somebody looks for other pieces than the game waits for
    opened = _sharpest_first(photos)
    best = opened[0][1]
    readings: list[Reading] = []
    for _, photo in opened:
        readings.append(_read_safely(read, photo, expect or (expected.kind if expected else None), expected))
        reading = vote(readings)
        codes = tuple(
            piece.code
            for piece in reading.pieces
            if piece.status == "sure" and piece.code and is_awaited(piece, expected)
        )
        verdict, problem = _judge(moment, expected, reading, codes)
        if verdict == "ready":
            break
    unclear = not reading.pieces or any(piece.status != "sure" for piece in reading.pieces)
    return DeskScan(
        id=secrets.token_hex(4),
        source=source,
        moment=moment,
        expected=expected,
        photo=opened[0][0],
        reading=reading,
        codes=codes,
        where=_places(moment, reading),
        verdict=verdict,
        problem=problem,
        troubles=tuple(troubles(best.pixels, reading.pieces)) if verdict != "ready" and unclear else (),
        size=(round(best.pixels.shape[1] * best.scale), round(best.pixels.shape[0] * best.scale)),
    )


def _read_safely(read: Read, photo: Photo, expect: str | None, expected: Expected | None) -> Reading:
    try:
        return read(photo, expect, expected)
    except Refused:
        raise
    except Exception:
        log.exception("The reader failed")
        raise Refused("cannot_read", CANNOT_READ) from None


def _judge(
    moment: Moment, expected: Expected | None, reading: Reading, codes: tuple[str, ...]
) -> tuple[Verdict, Refused | None]:
    """Whether these pieces can be confirmed as they are. The rules are asked; nothing is carried out."""
    game = moment.game
    if game is None or expected is None:
        return "question", Refused("wrong_phase", "The game waits for no pieces now.")
    unsure = [piece for piece in reading.pieces if piece.status == "unsure" and is_awaited(piece, expected)]
    if unsure:
        return "question", Refused("not_sure", "Not all pieces are sure: answer on a phone, or scan again.")
    try:
        game.apply(moment.state, game.from_pieces(moment.state, codes))
    except Refused as refused:
        return "missing" if len(reading.pieces) < expected.count else "question", refused
    return "ready", None


def is_awaited(piece: Piece, expected: Expected | None) -> bool:
    """Whether the game waits for this kind of piece: `find` for finds, `funds` and `funds_back` for funds."""
    return expected is None or expected.kind.startswith(piece.kind) or piece.kind.startswith(expected.kind)


def _sharpest_first(photos: list[bytes]) -> list[tuple[bytes, Photo]]:
    from vision.photo import PhotoRefused, open_photo
    from vision.troubles import sharpness

    try:
        opened = [(photo, open_photo(photo)) for photo in photos]
    except PhotoRefused as refused:
        raise Refused("not_a_photo", str(refused)) from None
    return sorted(opened, key=lambda pair: -sharpness(pair[1].pixels)) if len(opened) > 1 else opened


def _places(moment: Moment, reading: Reading) -> tuple[str, ...]:
    """Where each piece goes, as far as it is read."""
    codes = [piece.code or "" for piece in reading.pieces]
    known = [code for code in codes if code]
    if moment.game is None or not known:
        return ("",) * len(codes)
    places = iter(moment.game.where(moment.state, known))
    return tuple(next(places) if code else "" for code in codes)
