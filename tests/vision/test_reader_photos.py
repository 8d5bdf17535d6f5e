"""One photograph of every class, kept small: what is sure is right, what cannot be read is not sure."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vision.pergamon.reader import read_photograph
from vision.photo import open_photo
from vision.reading import Piece

PHOTOS = Path(__file__).parent / "photos"
TRUTH: dict[str, list[dict[str, Any]]] = json.loads((PHOTOS / "truth.json").read_text())


def near(piece: Piece, corners: list[list[float]]) -> bool:
    """Whether a piece was found where it lies."""
    there = np.array(corners)
    apart = np.linalg.norm(np.array(piece.corners).mean(axis=0) - there.mean(axis=0))
    return bool(apart < 0.2 * np.linalg.norm(there[2] - there[0]))


@pytest.mark.parametrize("name", TRUTH)
def test_photograph(name: str) -> None:
    reading = read_photograph(open_photo(PHOTOS / f"{name}.jpg"))

    for true in TRUTH[name]:
        found = [piece for piece in reading.pieces if near(piece, true["corners"])]
        if true["readable"]:
            assert [(piece.code, piece.status) for piece in found] == [(true["code"], "sure")]
            side = np.linalg.norm(np.subtract(true["corners"][1], true["corners"][0]))
            far = np.linalg.norm(np.array(found[0].corners) - np.array(true["corners"]), axis=1).max()
            assert far < 0.02 * side
        else:
            assert all(piece.status != "sure" for piece in found)
    sure = [piece for piece in reading.pieces if piece.status == "sure"]
    assert len(sure) == sum(true["readable"] for true in TRUTH[name])


def test_a_row_comes_from_left_to_right() -> None:
    codes = [piece.code for piece in read_photograph(open_photo(PHOTOS / "row.jpg")).pieces]

    assert codes == [true["code"] for true in TRUTH["row"]]
