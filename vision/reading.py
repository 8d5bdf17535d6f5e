"""What was read in a photograph: each piece, how sure it is, where it lies, and what would help."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

Status = Literal["sure", "unsure", "unknown"]


class Piece(msgspec.Struct, frozen=True):
    """One piece in a photograph. `sure` is never wrong; `unsure` is a best guess; `unknown` has no code."""

    kind: str
    code: str | None
    status: Status
    confidence: float
    corners: tuple[tuple[float, float], ...]
    """Four, clockwise from the piece's own top left, in pixels of the photograph."""
    alternatives: tuple[str, ...] = ()
    """What else it could be, the likeliest first."""
    trouble: str | None = None
    """Why it is not sure, in words that a player can act on."""
    guess: str | None = None
    """What was read on a piece that is being taught, with a `?` for each sign that was not; nothing is known of it."""


class Reading(msgspec.Struct, frozen=True):
    """All pieces of one photograph; those that touch in a row come from left to right."""

    pieces: tuple[Piece, ...]
    ms: int
    photo: str | None = None

    def as_json(self) -> dict[str, Any]:
        """The shape that `read --json` prints and the page is sent."""
        pieces: list[dict[str, Any]] = msgspec.to_builtins(self.pieces)
        for piece in pieces:
            if piece["guess"] is None:
                del piece["guess"]
        return {"photo": self.photo, "ms": self.ms, "pieces": pieces}
