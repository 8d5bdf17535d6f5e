"""Reads finds and funds cards that are about to be taught: named by the set so far, else pre-read."""

from __future__ import annotations

import time

import numpy as np

from vision.pergamon.faces import BACKS
from vision.pergamon.prereading import preread
from vision.photo import Photo
from vision.reading import Piece, Reading
from vision.rows import in_order
from vision.sets import TaughtSet
from vision.teaching import Proposal, propose


def read_to_teach(photo: Photo, expect: str | None, known: TaughtSet | None) -> Reading:
    """The pieces of one kind in a photograph, each upright as far as that is known."""
    import cv2

    started = time.perf_counter()
    cv2.setNumThreads(1)
    finds = expect != "funds"
    proposals = propose(photo.pixels, known, preread if finds else None)
    pieces = [_piece(proposals[index], finds, photo.scale) for index in in_order([one.corners for one in proposals])]
    return Reading(tuple(pieces), round((time.perf_counter() - started) * 1000))


def _piece(proposal: Proposal, finds: bool, scale: float) -> Piece:
    kind = "funds_back" if proposal.label in BACKS else "find" if finds else "funds"
    corners = tuple((round(float(x), 1), round(float(y), 1)) for x, y in np.asarray(proposal.corners) * scale)
    said = (proposal.label, proposal.status, round(proposal.confidence, 3))
    return Piece(kind, *said, corners, tuple(proposal.alternatives), guess=proposal.guess)
