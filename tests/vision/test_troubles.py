"""What keeps a photograph from being read is named, with the place where it is."""

from __future__ import annotations

import cv2
import numpy as np

from tests.vision.test_steady import HIGH, WIDE, noisy, table_with
from vision.photo import Pixels
from vision.reading import Piece
from vision.troubles import SENTENCES, troubles


def codes(photo: Pixels, pieces: tuple[Piece, ...] = ()) -> list[str]:
    return [trouble.code for trouble in troubles(photo, pieces)]


def piece_at(left: float, top: float, side: float = 70) -> Piece:
    right, bottom = left + side, top + side
    return Piece("find", "V50J3", "unsure", 0.5, ((left, top), (right, top), (right, bottom), (left, bottom)))


def test_a_good_photograph_has_no_troubles() -> None:
    assert codes(noisy(table_with(5), 1), (piece_at(60, 130),)) == []


def test_a_blurred_photograph_is_named() -> None:
    soft = np.asarray(cv2.GaussianBlur(table_with(5), (0, 0), 6), np.uint8)
    assert codes(noisy(soft, 1)) == ["blurred"]


def test_a_mirrored_lamp_is_named_with_its_place() -> None:
    y, x = np.mgrid[:HIGH, :WIDE]
    lamp = 420 * np.exp(-((x - 480) ** 2 + (y - 90) ** 2) / (2 * 22.0**2))
    photo = np.asarray(np.clip(table_with(5) + lamp[:, :, None], 0, 255), np.uint8)
    (glare,) = troubles(photo)
    assert glare.code == "glare"
    assert glare.where is not None
    left, top, right, bottom = glare.where
    assert left < 480 / WIDE < right
    assert top < 90 / HIGH < bottom


def test_white_card_is_no_glare() -> None:
    photo = table_with(3).copy()
    photo[200:300, 400:520] = 253
    assert codes(noisy(photo, 1)) == []


def test_a_piece_at_the_edge_is_named_with_its_place() -> None:
    (cut,) = troubles(noisy(table_with(5), 1), (piece_at(60, 130), piece_at(WIDE - 40, 100)))
    assert cut.code == "piece_cut_off"
    assert cut.where is not None
    assert cut.where[2] == 1.0


def test_every_trouble_has_a_sentence_that_says_what_to_do() -> None:
    assert all(sentence.count(".") >= 2 and sentence.endswith(".") for sentence in SENTENCES.values())
