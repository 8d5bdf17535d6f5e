"""When a piece is sure: its drawing, its digits and the game agree, and all of it shows."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.games.base import Expected
from vision import digits
from vision.drawing import to_pixels
from vision.pergamon.art import find_picture
from vision.pergamon.faces import face
from vision.pergamon.judging import Evidence, gather, judged
from vision.pergamon.reader import read_photograph
from vision.pergamon.reader_book import Book
from vision.photo import Photo, Pixels
from vision.reading import Piece
from vision.register import Layers
from vision.sketch import Sketch

TABLE = (60, 90, 110)


def table(width: int = 640, height: int = 480) -> Pixels:
    """A plain brown table with a little noise."""
    noise = np.random.default_rng(1).integers(-6, 7, (height, width, 3))
    return np.clip(np.array(TABLE) + noise, 0, 255).astype(np.uint8)


def laid(canvas: Pixels, drawing: Pixels, at: tuple[float, float], turn: float = 0.0, wide: float = 150.0) -> Pixels:
    """The drawing lying on the canvas with its middle at a point, turned clockwise by degrees."""
    high, across = drawing.shape[:2]
    scale = wide / across
    angle = np.radians(turn)
    cos, sin = np.cos(angle) * scale, np.sin(angle) * scale
    x, y = (across - 1) / 2, (high - 1) / 2
    matrix = np.array([[cos, -sin, at[0] - cos * x + sin * y], [sin, cos, at[1] - sin * x - cos * y]])
    size = (canvas.shape[1], canvas.shape[0])
    soft = cv2.GaussianBlur(drawing, (0, 0), 0.45 / scale)
    placed = cv2.warpAffine(soft, matrix, size)
    mask = cv2.warpAffine(np.full((high, across), 255, np.uint8), matrix, size)[:, :, None] / 255
    return (canvas * (1 - mask) + placed * mask).astype(np.uint8)


def only(pieces: tuple[Piece, ...]) -> Piece:
    assert len(pieces) == 1
    return pieces[0]


@pytest.mark.parametrize("turn", [0, 33, 90, 135, 180, 222, 270, 351])
def test_a_find_is_read_whichever_way_it_lies(turn: float) -> None:
    piece = only(read_photograph(laid(table(), face("V28M4", 480), (320, 240), turn)).pieces)

    assert (piece.kind, piece.code, piece.status) == ("find", "V28M4", "sure")
    angle = np.radians(turn)
    up_left = np.array([320, 240]) + 75 * np.array([-np.cos(angle) + np.sin(angle), -np.sin(angle) - np.cos(angle)])
    assert np.linalg.norm(np.array(piece.corners[0]) - up_left) < 3


@pytest.mark.parametrize(
    ("code", "kind"), [("3", "funds"), ("7", "funds"), ("bag", "funds_back"), ("chest", "funds_back")]
)
def test_a_funds_card_is_read(code: str, kind: str) -> None:
    piece = only(read_photograph(laid(table(), face(code, 480), (320, 240), 75)).pieces)

    assert (piece.kind, piece.code, piece.status) == (kind, code, "sure")


def test_an_empty_table_holds_nothing() -> None:
    assert read_photograph(table()).pieces == ()


@pytest.mark.parametrize("shape", [(1, 1, 3), (5, 3000, 3), (31, 31, 3)])
def test_a_sliver_of_a_picture_holds_nothing(shape: tuple[int, int, int]) -> None:
    assert read_photograph(np.zeros(shape, np.uint8)).pieces == ()


def test_a_find_of_another_box_is_not_sure() -> None:
    # given a legal find that the printable set has not: same halves and century, another number
    stranger = to_pixels(find_picture("V29M4"), 480)

    pieces = read_photograph(laid(table(), stranger, (320, 240))).pieces

    assert all(piece.status != "sure" for piece in pieces)


def test_digits_that_contradict_the_drawing_make_it_unsure() -> None:
    # given a V28M4 whose 8 was painted over with a 3
    swapped = face("V28M4", 480).copy()
    swapped[330:460, 100:170] = to_pixels(find_picture("V13J1"), 480)[330:460, 100:170]

    piece = only(read_photograph(laid(table(), swapped, (320, 240))).pieces)

    assert piece.status == "unsure"
    assert piece.code == "V28M4"
    assert piece.trouble


def test_a_find_seen_before_is_unsure() -> None:
    photograph = laid(table(), face("V28M4", 480), (320, 240))

    piece = only(read_photograph(photograph, expected=Expected("finds", 5, frozenset({"V28M4"}))).pieces)

    assert (piece.code, piece.status) == ("V28M4", "unsure")
    assert "V28M4" in str(piece.trouble)


def test_a_card_is_unsure_where_finds_are_expected() -> None:
    assert only(read_photograph(laid(table(), face("5", 480), (320, 240)), expect="finds").pieces).status == "unsure"


def test_the_same_find_twice_cannot_be() -> None:
    photograph = laid(laid(table(), face("B49M3", 480), (180, 240)), face("B49M3", 480), (460, 240), 90)

    assert [piece.status for piece in read_photograph(photograph).pieces] == ["unsure", "unsure"]


@pytest.mark.parametrize("middle", [(290, 300), (360, 215), (320, 240), (280, 200)])
def test_a_covered_find_is_not_sure(middle: tuple[int, int]) -> None:
    photograph = laid(table(), face("J58B2", 480), (320, 240))
    cv2.circle(photograph, middle, 34, (200, 205, 210), -1, cv2.LINE_AA)

    assert all(piece.status != "sure" for piece in read_photograph(photograph).pieces)


def test_a_find_at_the_picture_s_rim_is_not_guessed() -> None:
    pieces = read_photograph(laid(table(), face("J58B2", 480), (40, 240))).pieces

    assert all(piece.status != "sure" for piece in pieces)


def test_a_playing_card_is_unknown() -> None:
    card = np.full((420, 300, 3), 250, np.uint8)
    cv2.putText(card, "7", (20, 80), cv2.FONT_HERSHEY_SIMPLEX, 2.5, (20, 20, 200), 8)
    cv2.circle(card, (150, 210), 60, (20, 20, 200), -1)

    piece = only(read_photograph(laid(table(), card, (320, 240), 20)).pieces)

    assert (piece.code, piece.status) == (None, "unknown")


def test_a_row_upside_down_still_comes_from_its_own_left() -> None:
    canvas = table()
    for place, code in enumerate(("V13J1", "J21M5", "M46V4")):
        canvas = laid(canvas, face(code, 480), (470 - 150 * place, 240), 180)

    assert [piece.code for piece in read_photograph(canvas).pieces] == ["V13J1", "J21M5", "M46V4"]


def test_corners_are_told_in_pixels_of_the_file() -> None:
    photograph = laid(table(), face("V28M4", 480), (320, 240))

    at_once = only(read_photograph(photograph).pieces)
    shrunk = only(read_photograph(Photo(photograph, scale=2.0)).pieces)

    assert np.allclose(np.array(shrunk.corners), 2 * np.array(at_once.corners), atol=0.2)


@pytest.mark.parametrize("code", ["V34M1", "V48J2", "J57V2", "7", "bag"])
def test_a_face_that_fills_its_picture_is_read_to_the_rim(code: str) -> None:
    picture = face(code, 800)
    height, width = picture.shape[:2]

    piece = only(read_photograph(picture).pieces)

    assert (piece.code, piece.status) == (code, "sure")
    rim = np.array([[0, 0], [width, 0], [width, height], [0, height]])
    assert np.abs(np.array(piece.corners) - rim).max() < 0.01 * width


def test_a_find_under_a_mirrored_lamp_says_so() -> None:
    photograph = laid(table(), np.full((480, 480, 3), 255, np.uint8), (320, 240))

    piece = only(read_photograph(photograph).pieces)

    assert piece.status == "unknown"
    assert piece.trouble == "A light is mirrored on it; move the lamp or the piece."


def test_a_lamp_mirrored_at_the_rim_of_a_dark_find_does_not_hide_it() -> None:
    photograph = laid(table(), face("M79J5", 480), (320, 240), wide=220).astype(np.float32) * 0.5
    y, x = np.mgrid[:480, :640]
    lamp = 200 * np.exp(-(((x - 320) / 45) ** 2 + ((y - 138) / 25) ** 2))
    photograph = np.clip(photograph + lamp[:, :, None], 0, 255).astype(np.uint8)

    piece = only(read_photograph(photograph).pieces)

    assert piece.code == "M79J5"


def evidence_of(code: str) -> Evidence:
    book, photograph = Book(), laid(table(), face(code, 480), (320, 240))
    layers = Layers(photograph)
    (sighting,), _ = book.album.sightings(layers, Sketch(photograph))
    return gather(book, layers, sighting)


def test_faint_digits_need_a_second_reader() -> None:
    evidence = evidence_of("V28M4")
    faint = [digits.Glyph(glyph.digit, 0.7, 0.08, glyph.ranked) for glyph in evidence.glyphs]
    doubtful = Evidence(**{**vars(evidence), "glyphs": tuple(faint)})

    assert doubtful.needs_tesseract()
    assert judged(doubtful, "284", None, None).status == "sure"
    assert judged(doubtful, "234", None, None).status == "unsure"
    assert judged(doubtful, None, None, None).status == "unsure"
    assert not evidence.needs_tesseract()


def test_without_tesseract_nothing_breaks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(digits, "_tesseract", lambda: None)

    assert digits.read_sheet([np.full((30, 20), 255, np.uint8)]) == [""]


@pytest.mark.skipif(not digits.tesseract_there(), reason="Tesseract is not installed")
def test_tesseract_reads_many_crops_in_one_call() -> None:
    book = Book()
    crops = []
    for code in ("V28M4", "B49M3", "J57V2"):
        photograph = laid(table(), face(code, 480), (320, 240))
        layers = Layers(photograph)
        (sighting,), _ = book.album.sightings(layers, Sketch(photograph))
        crops += book.number_crops(layers, sighting.placing, find=True)

    assert digits.read_sheet(crops) == ["28", "4", "49", "3", "57", "2"]
