"""Teaching a box: pieces of a scan become pictures of a set that the reader then knows."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.desk import Desk
from companion.eyes import Reader
from companion.games.base import Refused
from companion.journal import CannotRecord, Journal
from companion.table import Table
from companion.teaching import LESSONS, MOST_PICTURES, Teacher
from tests.vision.piece_shop import numbered_tiles
from vision.album import Album
from vision.digits import tesseract_there
from vision.pergamon.faces import face
from vision.photo import Photo, Pixels
from vision.reading import Piece, Reading
from vision.sets import load_set, set_file

SIDE = 160


def laid_out(codes: tuple[str, ...]) -> tuple[bytes, Reading]:
    """A photograph of these pieces, each turned by a quarter, and where they lie in it."""
    table = np.full((SIDE + 80, (SIDE + 40) * len(codes) + 40, 3), (60, 90, 120), np.uint8)
    pieces = []
    for number, code in enumerate(codes):
        x, y = 40 + number * (SIDE + 40), 40
        table[y : y + SIDE, x : x + SIDE] = np.rot90(cv2.resize(face(code, SIDE), (SIDE, SIDE)))
        around = ((x, y + SIDE), (x, y), (x + SIDE, y), (x + SIDE, y + SIDE))
        pieces.append(Piece("find", None, "unknown", 0.0, tuple((float(a), float(b)) for a, b in around)))
    return cv2.imencode(".png", table)[1].tobytes(), Reading(tuple(pieces), 1)


def first_codes() -> tuple[str, ...]:
    from vision.pergamon.printable import FINDS

    return tuple(FINDS[:3])


@pytest.fixture
def used() -> list[str]:
    """The sets that the reader was told to use."""
    return []


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    journal = Journal(tmp_path / "journal.sqlite", now=lambda: 0.0)
    _, reading = laid_out(first_codes())
    yield Desk(Table(journal), None, lambda *_: reading)
    journal.close()


@pytest.fixture
def teacher(desk: Desk, tmp_path: Path, used: list[str]) -> Iterator[Teacher]:
    teacher = Teacher(desk, tmp_path, used.append, Reader(tmp_path, "").to_teach)
    teacher.start()
    yield teacher
    teacher.stop(10)


@pytest.fixture
def scan(desk: Desk) -> str:
    return desk.scan_photo(laid_out(first_codes())[0]).id


def test_pieces_of_a_scan_become_a_set_that_knows_them(teacher: Teacher, scan: str, tmp_path: Path) -> None:
    codes = first_codes()

    shown = teacher.keep("my box", scan, dict(enumerate(codes)))
    teacher.finish()

    assert shown["labels"] == dict.fromkeys(sorted(codes), 1)
    assert load_set("my box", tmp_path).labels == sorted(codes)
    assert teacher.sets() == [{**shown, "learning": False, "trouble": None}]


def test_a_chosen_set_is_read_by_at_once_when_learned_anew_and_after_a_restart(
    teacher: Teacher, scan: str, used: list[str], desk: Desk, tmp_path: Path
) -> None:
    teacher.keep("my box", scan, {0: "A", 1: "B"})
    teacher.finish()
    assert used == []

    teacher.choose("my box")
    assert used == ["my box"]

    teacher.keep("my box", scan, {2: "C"})
    teacher.finish()
    assert used == ["my box"] * 2

    again = Teacher(desk, tmp_path, used.append, Reader(tmp_path, "").to_teach)
    again.start()
    again.stop(10)
    assert (again.in_use, used) == ("my box", ["my box"] * 3)


def test_a_set_that_was_not_taught_cannot_be_chosen(teacher: Teacher, used: list[str]) -> None:
    with pytest.raises(Refused, match="Nothing was taught as my box"):
        teacher.choose("my box")

    teacher.choose("")
    assert used == [""]


def test_pictures_are_kept_upright(teacher: Teacher, scan: str, tmp_path: Path) -> None:
    code = first_codes()[0]

    teacher.keep("my box", scan, {0: code})

    (kept,) = (tmp_path / LESSONS / "my box" / code).glob("*.png")
    picture = cv2.imread(str(kept))
    assert picture is not None
    wanted = cv2.resize(face(code, SIDE), picture.shape[1::-1])
    assert np.abs(picture.astype(int) - wanted.astype(int)).mean() < 12


def foreign_photo(codes: tuple[str, ...], faces: dict[str, Pixels]) -> bytes:
    """A photograph of pieces whose art nobody knows, the second of them upside down."""
    table = np.full((SIDE * 2, SIDE * 2 * len(codes), 3), (60, 90, 60), np.uint8)
    for number, code in enumerate(codes):
        x, y = 80 + number * SIDE * 2, 80
        table[y : y + SIDE, x : x + SIDE] = np.rot90(cv2.resize(faces[code], (SIDE, SIDE)), 2 * (number % 2))
    return cv2.imencode(".png", table)[1].tobytes()


@pytest.mark.skipif(not tesseract_there(), reason="Tesseract is not installed")
def test_foreign_pieces_are_pre_read_and_kept_upright_until_the_set_names_them(
    teacher: Teacher, desk: Desk, tmp_path: Path
) -> None:
    faces = numbered_tiles(3)
    codes = tuple(faces)
    photo = foreign_photo(codes, faces)

    first = teacher.scan("my box", photo, "finds")

    shown = first.to_json()["pieces"]
    assert [piece["guess"] for piece in shown] == [f"?{code[1:3]}?{code[4]}" for code in codes]
    assert {(piece["code"], piece["status"]) for piece in shown} == {(None, "unknown")}
    assert desk.current is None

    teacher.keep("my box", first.id, dict(enumerate(codes)))
    teacher.finish()

    (kept,) = (tmp_path / LESSONS / "my box" / codes[1]).glob("*.png")
    picture = cv2.imread(str(kept))
    assert picture is not None
    turns = [cv2.resize(np.rot90(faces[codes[1]], quarters), picture.shape[1::-1]) for quarters in range(4)]
    apart = [np.abs(picture.astype(int) - turn).mean() for turn in turns]
    assert apart.index(min(apart)) == 0
    again = teacher.scan("my box", photo, "finds")
    assert [piece.code for piece in again.reading.pieces] == list(codes)


def test_cards_to_be_taught_are_found_and_never_guessed(teacher: Teacher) -> None:
    faces = numbered_tiles(2)

    scan = teacher.scan("my box", foreign_photo(tuple(faces), faces), "funds")

    assert [(piece.kind, piece.code, piece.guess) for piece in scan.reading.pieces] == [("funds", None, None)] * 2


def test_a_set_of_an_older_companion_does_not_keep_anyone_from_teaching_it_again(
    teacher: Teacher, tmp_path: Path
) -> None:
    old = set_file("my box", tmp_path)
    old.parent.mkdir(parents=True)
    with zipfile.ZipFile(old, "w") as kept:
        kept.writestr("set.json", '{"format": 1}')
    faces = numbered_tiles(2)

    scan = teacher.scan("my box", foreign_photo(tuple(faces), faces), "finds")
    teacher.keep("my box", scan.id, dict(enumerate(faces)))
    teacher.finish()

    assert load_set("my box", tmp_path).labels == sorted(faces)


def test_only_so_many_pictures_of_a_piece_are_kept(teacher: Teacher, desk: Desk) -> None:
    photo = laid_out(first_codes())[0]
    for _ in range(MOST_PICTURES + 3):
        shown = teacher.keep("my box", desk.scan_photo(photo).id, {0: "A"})

    assert shown["labels"] == {"A": MOST_PICTURES}


def test_a_wrong_name_is_forgotten(teacher: Teacher, scan: str) -> None:
    teacher.keep("my box", scan, {0: "A", 1: "B"})

    assert teacher.forget("my box", "A")["labels"] == {"B": 1}
    with pytest.raises(Refused, match="Nothing was taught as A"):
        teacher.forget("my box", "A")


def test_a_piece_that_is_not_in_the_scan_is_refused(teacher: Teacher, scan: str) -> None:
    with pytest.raises(Refused, match="has 3 pieces"):
        teacher.keep("my box", scan, {0: "A", 3: "B"})
    assert teacher.sets() == []


def test_a_scan_that_is_no_longer_kept_is_refused(teacher: Teacher) -> None:
    with pytest.raises(Refused, match="scan again"):
        teacher.keep("my box", "gone", {0: "A"})


def test_a_box_has_not_thousands_of_pieces(teacher: Teacher, scan: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.teaching.MOST_LABELS", 2)

    with pytest.raises(Refused, match="At most"):
        teacher.keep("my box", scan, {0: "A", 1: "B", 2: "C"})


def test_a_disk_that_takes_nothing_is_said(teacher: Teacher, scan: str, tmp_path: Path) -> None:
    (tmp_path / LESSONS).write_text("in the way")

    with pytest.raises(CannotRecord, match="could not be written"):
        teacher.keep("my box", scan, {0: "A"})


def test_a_table_that_reads_by_a_taught_box_gets_that_box_ready(
    teacher: Teacher, scan: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    teacher.keep("my box", scan, dict(enumerate(first_codes())))
    teacher.finish()
    ready: list[int] = []
    monkeypatch.setattr(Album, "prepare", lambda album: ready.append(len(album.faces)))

    Reader(tmp_path, "my box").warm_up()

    assert ready == [len(first_codes())]


def test_a_taught_box_that_is_gone_is_told_to_whoever_scans_not_before(tmp_path: Path) -> None:
    reader = Reader(tmp_path, "my box")
    reader.warm_up()

    with pytest.raises(Refused, match="There is no taught set “my box”"):
        reader(Photo(np.zeros((64, 64, 3), np.uint8)), None, None)
