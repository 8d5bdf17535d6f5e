"""`companion print`: sheets in real size that a printer and a pair of scissors can handle."""

from __future__ import annotations

import re
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.pergamon.faces import CODES
from vision.pergamon.printable import FINDS
from vision.pergamon.sheets import FIND_GRID, FUNDS_GRID, CannotPrint, write_printable_set
from vision.sheets import A4_MM, Grid

POINT_MM = 25.4 / 72


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("set") / "not" / "there yet"
    write_printable_set(folder)
    return folder


def read(picture: Path) -> NDArray[np.uint8]:
    return np.asarray(cv2.imread(str(picture)), np.uint8)


def pages(pdf: Path) -> list[str]:
    streams = re.findall(rb"stream\n(.*?)\nendstream", pdf.read_bytes(), re.DOTALL)
    return [zlib.decompress(stream).decode("cp1252") for stream in streams]


def pieces(page: str) -> list[tuple[float, float, float]]:
    """Scale and place of every piece on a page, in millimetres."""
    placed = re.findall(r"^q ([\d.]+) 0 0 [\d.]+ ([\d.]+) ([\d.]+) cm", page, re.MULTILINE)
    return [(float(scale), float(x), float(y)) for scale, x, y in placed]


def test_every_face_is_written_as_a_picture_of_at_least_600_pixels(printed: Path) -> None:
    written = {path.stem: path for path in printed.glob("faces/*/*.png")}
    assert set(written) == set(CODES)
    for code in ("V13J1", "8", "bag", "chest"):
        assert min(read(written[code]).shape[:2]) >= 600
    assert written["V13J1"].parent.name == "finds"
    assert written["chest"].parent.name == "funds"


def test_sheets_are_a4(printed: Path) -> None:
    for name in ("finds.pdf", "funds.pdf"):
        boxes = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", (printed / name).read_bytes())
        assert {(round(float(w) * POINT_MM, 1), round(float(h) * POINT_MM, 1)) for w, h in boxes} == {(210.0, 297.0)}


def test_every_page_is_drawn_in_millimetres_so_that_pieces_come_out_in_real_size(printed: Path) -> None:
    for name, units in (("finds.pdf", 400), ("funds.pdf", 440)):
        for page in pages(printed / name):
            points = re.match(r"([\d.]+) 0 0 -([\d.]+) 0 [\d.]+ cm", page)
            assert points is not None
            assert float(points[1]) * POINT_MM == pytest.approx(1, abs=1e-4)
            assert {round(scale * units, 3) for scale, _, _ in pieces(page)} == {40.0 if units == 400 else 44.0}


def test_all_60_finds_and_24_cards_are_on_the_sheets_each_with_a_back(printed: Path) -> None:
    for name, count in (("finds.pdf", 60), ("funds.pdf", 24)):
        fronts, backs = pages(printed / name)[::2], pages(printed / name)[1::2]
        assert sum(len(pieces(page)) for page in fronts) == count
        assert [len(pieces(page)) for page in fronts] == [len(pieces(page)) for page in backs]


@pytest.mark.parametrize("grid", [FIND_GRID, FUNDS_GRID])
def test_a_back_lies_exactly_behind_its_front_when_the_page_is_turned_over(grid: Grid) -> None:
    for index in range(grid.per_page):
        (x, y), (back_x, back_y) = grid.place(index), grid.place(index, mirrored=True)
        assert back_x == pytest.approx(A4_MM[0] - x - grid.piece_mm[0])
        assert back_y == y


@pytest.mark.parametrize("grid", [FIND_GRID, FUNDS_GRID])
def test_pieces_and_their_cut_marks_stay_on_the_part_of_the_page_that_printers_reach(grid: Grid) -> None:
    for ax, ay, bx, by in grid.cut_marks():
        assert min(ax, bx) >= 5
        assert max(ax, bx) <= A4_MM[0] - 5
        assert min(ay, by) >= 5
        assert max(ay, by) <= A4_MM[1] - 15


def test_cut_marks_point_at_the_four_edges_of_every_piece() -> None:
    upright = {round(ax, 6) for ax, _, bx, _ in FIND_GRID.cut_marks() if ax == bx}
    level = {round(ay, 6) for _, ay, _, by in FIND_GRID.cut_marks() if ay == by}
    for index in range(FIND_GRID.per_page):
        x, y = FIND_GRID.place(index)
        assert {round(x, 6), round(x + 40, 6)} <= upright
        assert {round(y, 6), round(y + 40, 6)} <= level


def test_each_page_says_how_to_print_and_has_a_line_of_50_mm(printed: Path) -> None:
    for page in pages(printed / "finds.pdf"):
        assert "Print at 100 %" in page
        start, end = (float(x) for x in re.findall(r"0\.25 w ([\d.]+) [\d.]+ m ([\d.]+)", page)[0])
        assert end - start == 50


def test_the_file_table_of_the_pdf_points_at_its_objects(printed: Path) -> None:
    data = (printed / "funds.pdf").read_bytes()
    table = int(re.findall(rb"startxref\n(\d+)", data)[0])
    starts = [int(start) for start in re.findall(rb"(\d{10}) 00000 n", data[table:])]
    assert [data[start:].split(b" ", 1)[0] for start in starts] == [b"%d" % (n + 1) for n in range(len(starts))]


def test_progress_names_every_file(tmp_path: Path) -> None:
    named: list[str] = []
    write_printable_set(tmp_path, named.append)
    assert named[:2] == ["finds.pdf", "funds.pdf"]
    assert len(named) == 2 + 60 + 10
    assert f"faces/finds/{FINDS[0]}.png" in named


def test_a_place_that_cannot_be_written_is_refused_in_one_sentence(tmp_path: Path) -> None:
    blocked = tmp_path / "a file"
    blocked.write_text("here already")
    with pytest.raises(CannotPrint, match=r"cannot write to .*a file.*Choose a folder"):
        write_printable_set(blocked)


def test_printing_twice_gives_the_same_files(tmp_path: Path, printed: Path) -> None:
    write_printable_set(tmp_path)
    assert (tmp_path / "finds.pdf").read_bytes() == (printed / "finds.pdf").read_bytes()
    first, again = (read(folder / "faces/funds/5.png") for folder in (printed, tmp_path))
    assert np.array_equal(first, again)
