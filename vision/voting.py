"""Several readings of one still scene become one: a piece is sure only if no photograph says otherwise."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from vision.reading import Piece, Reading


def vote(readings: Sequence[Reading]) -> Reading:
    """One reading from several of the same scene, laid out as the first (sharpest) one saw it."""
    if not readings:
        return Reading((), 0)
    first, *others = readings
    spare = [list(reading.pieces) for reading in others]
    pieces = [_agreed(piece, [_same(piece, rest) for rest in spare]) for piece in first.pieces]
    seen_again = [_only_guessed(piece) for rest in spare for piece in rest if _often(piece, spare, len(readings))]
    distinct: list[Piece] = []
    for piece in seen_again:
        if not any(_near(piece, other) for other in distinct):
            distinct.append(piece)
    return Reading((*pieces, *distinct), sum(reading.ms for reading in readings), first.photo)


def _same(piece: Piece, rest: list[Piece]) -> Piece | None:
    """The piece that lies at the same place in another reading; it is taken out of the rest."""
    for other in rest:
        if _near(piece, other):
            rest.remove(other)
            return other
    return None


def _near(one: Piece, other: Piece) -> bool:
    mine, yours = np.array(one.corners), np.array(other.corners)
    side = float(np.linalg.norm(mine - np.roll(mine, -1, axis=0), axis=1).mean())
    return float(np.linalg.norm(mine.mean(axis=0) - yours.mean(axis=0))) < 0.4 * side


def _agreed(piece: Piece, others: list[Piece | None]) -> Piece:
    """What all sightings of one piece say together."""
    sightings = [piece, *(other for other in others if other is not None)]
    codes = [sighting.code for sighting in sightings if sighting.code is not None]
    surest = max(sightings, key=lambda one: (one.status == "sure", one.confidence if one.code else -1.0))
    corners = {"corners": piece.corners if piece.code == surest.code else surest.corners}
    if surest.status != "sure":
        return msgspec.structs.replace(surest, **corners)
    contested = any(code != surest.code for code in codes)
    alone = len(others) > 0 and len(sightings) == 1
    if not contested and not alone:
        return msgspec.structs.replace(surest, **corners)
    alternatives = [code for code in (*codes, *surest.alternatives) if code != surest.code]
    return msgspec.structs.replace(
        surest,
        status="unsure",
        confidence=min(surest.confidence, 0.5),
        alternatives=tuple(dict.fromkeys(alternatives)),
        **corners,
    )


def _often(piece: Piece, spare: list[list[Piece]], readings: int) -> bool:
    """Whether a piece that the first photograph missed was seen in most of the others."""
    seen = sum(any(_near(piece, other) for other in rest) for rest in spare)
    return 2 * seen > readings


def _only_guessed(piece: Piece) -> Piece:
    if piece.status != "sure":
        return piece
    return msgspec.structs.replace(piece, status="unsure", confidence=min(piece.confidence, 0.5))
