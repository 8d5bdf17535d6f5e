"""A photograph of pieces that nobody has drawn for us, read by a set that was taught: `read --set`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision import piece_shop as shop
from vision.finders import find_by
from vision.learning import Picture, learn
from vision.pergamon.reader import read_photograph
from vision.photo import Pixels
from vision.reading import Piece
from vision.sets import TaughtSet
from vision.simulated import Photograph, Scene, Thing, photograph
from vision.simulated_layout import scattered
from vision.simulated_light import Light, Sensor
from vision.simulated_view import View

TILE_MM = 45.0
FACES = shop.art_tiles(10, 31)
STRANGER = shop.art_tiles(1, 32)["art 0"]
LAID = ("art 1", "art 2", "art 4", "art 6", "art 7")


@pytest.fixture(scope="module")
def taught() -> TaughtSet:
    """Ten pieces, each from two pictures on other tables than they are read on."""
    return set_of(FACES)


def taught_by(pictures: Mapping[str, Sequence[Picture]]) -> TaughtSet:
    lesson = learn(pictures)
    return TaughtSet("box", lesson.matcher(), pictures, find_by(lesson.looks, pictures))


def set_of(faces: Mapping[str, Pixels]) -> TaughtSet:
    pictures = {
        label: [Picture(f"{label}/{shot}", shop.photographed(face, 50 * index + shot, turn=0)) for shot in range(2)]
        for index, (label, face) in enumerate(faces.items())
    }
    return taught_by(pictures)


def thing(label: str, face: Pixels, at: tuple[float, float] = (0.0, 0.0), turn: float = 0.0) -> Thing:
    return Thing(face, (TILE_MM, TILE_MM), at, turn, label, "find")


def thrown(faces: Mapping[str, Pixels], table: str, seed: int) -> Photograph:
    """A photograph of these pieces, thrown on a table."""
    view = View(size=(1600, 900), wide_mm=300, tilt=12)
    things = scattered(view, [thing(label, face) for label, face in faces.items()], np.random.default_rng(seed))
    return photograph(Scene(tuple(things), table, view, Light(kelvin=4300), Sensor(), seed))


def side(corners: NDArray[np.floating]) -> float:
    return float(np.linalg.norm(corners[1] - corners[0]))


def there(pieces: tuple[Piece, ...], corners: NDArray[np.floating]) -> Piece | None:
    """The piece that was read at this place."""
    middle = corners.mean(axis=0)
    near = [piece for piece in pieces if np.linalg.norm(np.mean(piece.corners, axis=0) - middle) < 0.2 * side(corners)]
    return near[0] if near else None


@pytest.mark.parametrize(("table", "seed"), [("beech planks", 3), ("linen", 4), ("white laminate", 5)])
def test_pieces_are_read_on_wood_on_cloth_and_on_white_and_a_stranger_is_never_sure(
    taught: TaughtSet, table: str, seed: int
) -> None:
    shot = thrown({label: FACES[label] for label in LAID} | {"stranger": STRANGER}, table, seed)
    pieces = read_photograph(shot.image, pieces_set=taught).pieces
    sure = 0
    for truth in shot.truth:
        piece = there(pieces, truth.corners)
        if piece is None or piece.status != "sure":
            continue
        assert piece.code == truth.label
        apart = np.abs(np.array(piece.corners) - truth.corners).max()
        assert apart < 0.12 * side(truth.corners), "corners begin at the piece's own top left"
        sure += 1
    assert sure >= 3
    assert len(pieces) <= len(shot.truth) + 1


def test_what_matches_nothing_is_unknown_and_has_no_code(taught: TaughtSet) -> None:
    shot = thrown({"stranger": STRANGER}, "walnut", 8)
    (piece,) = read_photograph(shot.image, pieces_set=taught).pieces
    assert (piece.status, piece.code) == ("unknown", None)


def test_a_set_that_has_nothing_to_find_pieces_by_still_looks_at_what_lies_there(taught: TaughtSet) -> None:
    shot = thrown({"art 4": FACES["art 4"]}, "oak", 9)
    (piece,) = read_photograph(shot.image, pieces_set=replace(taught, finders=[])).pieces
    assert (piece.code, piece.status) == ("art 4", "sure")


def test_an_empty_table_holds_no_piece_of_the_set(taught: TaughtSet) -> None:
    view = View(size=(1200, 675), wide_mm=300)
    empty = photograph(Scene((), "oak", view, Light(), Sensor(), 2)).image
    assert [piece for piece in read_photograph(empty, pieces_set=taught).pieces if piece.status != "unknown"] == []


def test_a_row_that_touches_is_told_from_left_to_right(taught: TaughtSet) -> None:
    row = ("art 2", "art 5", "art 3")
    view = View(size=(1200, 675), wide_mm=260)
    things = [thing(label, FACES[label], (TILE_MM * (index - 1), 0.0)) for index, label in enumerate(row)]
    shot = photograph(Scene(tuple(things), "green felt", view, Light(), Sensor(), 6))
    pieces = read_photograph(shot.image, pieces_set=taught).pieces
    assert [piece.code for piece in pieces] == list(row)


def test_a_reading_is_told_in_pixels_of_the_file_however_large_it_is(taught: TaughtSet) -> None:
    shot = thrown({"art 4": FACES["art 4"]}, "oak", 9)
    twice = cv2.resize(shot.image, None, fx=2, fy=2)
    one, two = (
        read_photograph(image, pieces_set=taught).pieces[0] for image in (shot.image, np.asarray(twice, np.uint8))
    )
    assert np.allclose(np.array(two.corners), 2 * np.array(one.corners), atol=0.04 * side(np.array(two.corners)))


@pytest.mark.parametrize("table", ["rhombs", "carpet"])
def test_a_heap_that_touches_is_taken_apart_by_what_is_drawn_on_it(taught: TaughtSet, table: str) -> None:
    heap = ("art 2", "art 5", "art 3", "art 8", "art 0", "art 9")
    view = View(size=(1600, 900), wide_mm=300, turn=20)
    things = [
        thing(label, FACES[label], (TILE_MM * (index % 3 - 1), TILE_MM * (index // 3 - 0.5)))
        for index, label in enumerate(heap)
    ]
    shot = photograph(Scene(tuple(things), table, view, Light(kelvin=5200), Sensor(), 6))
    pieces = read_photograph(shot.image, pieces_set=taught).pieces
    sure = [piece.code for piece in pieces if piece.status == "sure"]
    assert len(sure) >= 5
    for truth in shot.truth:
        piece = there(pieces, truth.corners)
        assert piece is None or piece.status != "sure" or piece.code == truth.label


def test_pieces_taught_from_scans_without_a_table_are_found_to_their_rims() -> None:
    faces = {label: _with_printed_frame(face) for label, face in FACES.items()}
    scans = {label: [Picture(label, face)] for label, face in faces.items()}
    shot = thrown({label: faces[label] for label in LAID}, "walnut", 12)
    pieces = read_photograph(shot.image, pieces_set=taught_by(scans)).pieces
    found = [(piece, truth.corners) for truth in shot.truth if (piece := there(pieces, truth.corners))]
    off = [np.abs(np.array(piece.corners) - corners).max() / side(corners) for piece, corners in found]
    assert len(off) >= 4
    assert max(off) < 0.06


def _with_printed_frame(face: Pixels) -> Pixels:
    """The same within a dark frame of teeth, which is easily taken for the table."""
    framed = cv2.copyMakeBorder(cv2.resize(face, (180, 180)), 30, 30, 30, 30, cv2.BORDER_CONSTANT, value=(40, 40, 45))
    for at in range(12, 240, 24):
        for x, y in ((at, 14), (at, 226), (14, at), (226, at)):
            cv2.circle(framed, (x, y), 7, (200, 210, 220), -1, cv2.LINE_AA)
    return np.asarray(framed, np.uint8)
