"""Finds of a box that nobody has drawn for us: their digits are pre-read, their turn is found."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision import piece_shop as shop
from vision.digits import tesseract_there
from vision.pergamon.prereading import preread

FACES = shop.numbered_tiles(8)

pytestmark = pytest.mark.skipif(not tesseract_there(), reason="Tesseract is not installed")


def test_number_and_century_are_read_in_any_turn() -> None:
    pictures = [np.ascontiguousarray(np.rot90(face, index)) for index, face in enumerate(FACES.values())]
    guesses = preread(pictures)
    expected = [(f"?{code[1:3]}?{code[4]}", index % 4) for index, code in enumerate(FACES)]
    said = [(guess.label, guess.turn) for guess in guesses]
    assert sum(one == other for one, other in zip(said, expected, strict=True)) >= 6
    assert sum(label not in (None, other) for (label, _), (other, _) in zip(said, expected, strict=True)) <= 1


def test_a_piece_without_digits_is_not_guessed() -> None:
    assert [guess.label for guess in preread(list(shop.art_tiles(3, 2).values()))] == [None] * 3
