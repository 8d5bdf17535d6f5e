"""The printable set: what is in the box, and what its drawings promise to players and to the camera."""

from __future__ import annotations

import re
from itertools import combinations, permutations
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from companion.games.pergamon.notation import parse_find
from vision.drawing import Picture, circle, path, rectangle, to_pixels, to_svg
from vision.pergamon import art, art_digits
from vision.pergamon.art_funds import back_svg, funds_svg
from vision.pergamon.art_objects import half
from vision.pergamon.art_symbols import SYMBOLS, symbol_svg
from vision.pergamon.faces import CODES, face
from vision.pergamon.printable import FINDS, FUNDS, frieze

ROW_IN_DOCS = ("V28M4", "M71V1", "V63B5", "B14J3")
LOOK_ALIKE = {frozenset(pair) for pair in ("17", "27", "35", "38", "39", "49", "56", "58", "68", "69", "89")}


def test_the_box_holds_every_ordered_pair_of_kinds_in_every_century() -> None:
    found = sorted((find.left + find.right, find.century) for find in map(parse_find, FINDS))
    assert found == sorted((a + b, century) for a, b in permutations("VJMB", 2) for century in range(1, 6))


def test_no_two_finds_share_a_number() -> None:
    assert len({code[1:3] for code in FINDS}) == 60


def test_no_number_reads_as_a_number_of_the_box_upside_down() -> None:
    upside_down = str.maketrans("01689", "01986")
    turned = {code[1:3][::-1].translate(upside_down) for code in FINDS if set(code[1:3]) <= set("01689")}
    assert not turned & {code[1:3] for code in FINDS}


def test_finds_with_numbers_that_look_alike_differ_in_both_halves_and_in_century() -> None:
    for one, other in combinations(FINDS, 2):
        differing = [{a, b} for a, b in zip(one[1:3], other[1:3], strict=True) if a != b]
        swapped = one[1:3] == other[1:3][::-1]
        if swapped or (len(differing) == 1 and frozenset(differing[0]) in LOOK_ALIKE):
            assert one[0] != other[0], (one, other)
            assert one[3] != other[3], (one, other)
            assert one[4] != other[4], (one, other)


def test_friezes_differ_in_at_least_four_teeth_and_none_is_another_upside_down() -> None:
    teeth = [frieze(code) for code in FINDS]
    assert min(sum(a != b for a, b in zip(one, two, strict=True)) for one, two in combinations(teeth, 2)) >= 4
    turned = [tuple(not tooth for tooth in reversed(one)) for one in teeth]
    assert min(sum(a != b for a, b in zip(one, two, strict=True)) for one in teeth for two in turned) >= 2


def test_a_find_of_another_box_has_a_frieze_that_no_find_of_ours_has() -> None:
    assert "V50J3" not in FINDS
    assert frieze("V50J3") not in {frieze(code) for code in FINDS}


def test_there_are_three_funds_cards_of_each_value() -> None:
    assert sorted(FUNDS) == [value for value in range(1, 9) for _ in range(3)]


@pytest.mark.parametrize("kind", "VJMB")
def test_two_halves_join_into_one_object_with_no_step_at_the_seam(kind: str) -> None:
    others = [other for other in "VJMB" if other != kind]
    left, right = f"{others[0]}12{kind}3", f"{kind}34{others[1]}3"
    seam = [face(left, 400)[:, -1].astype(int), face(right, 400)[:, 0].astype(int)]
    differing = np.abs(seam[0] - seam[1]).max(axis=1) > 60
    assert not differing[62:].any()


@pytest.mark.parametrize("kind", "VJMB")
def test_a_cut_half_a_millimetre_off_still_shows_the_object_to_the_edge(kind: str) -> None:
    for side in ("left", "right"):
        leftmost = min(x for shape in half(kind, side) for _, points in shape.steps for x, _ in points)
        assert leftmost <= -20


def test_without_colour_halves_of_different_kinds_still_look_different() -> None:
    halves = []
    for kind, other in zip("VJMB", "JMBV", strict=True):
        grey = face(f"{kind}12{other}1", 400).mean(axis=2)
        halves.append(grey[75:270, :140].ravel())
    for one, other_half in combinations(halves, 2):
        assert np.corrcoef(one, other_half)[0, 1] < 0.6


def test_every_edge_has_a_dark_band_and_a_light_line_so_that_it_shows_on_any_table() -> None:
    for code in CODES:
        grey = face(code, 400).mean(axis=2)
        across = grey[:20, 200]
        assert across[4:10].max() < 60
        assert across.max() > 220


def test_digits_are_tabular_and_all_differ() -> None:
    drawn = [to_pixels(Picture(70, 100, (art_digits.digit(str(n), "#000000").moved(15, 15),)), 70) for n in range(10)]
    for one, other in combinations(drawn, 2):
        assert np.mean(one != other) > 0.05


def test_a_find_is_drawn_without_fonts_scripts_or_outside_references() -> None:
    drawings = [art.find_svg("V13J1"), art.find_use_svg("V13J1"), art.sprite_svg(), funds_svg(3), back_svg("bag")]
    for text in (*drawings, *map(symbol_svg, SYMBOLS)):
        root = ElementTree.fromstring(text)
        tags = {element.tag.rpartition("}")[2] for element in root.iter()}
        assert tags <= {"svg", "title", "path", "g", "defs", "use"}
        assert not re.search(r"(https?:|url\(|on\w+=)", text.replace("http://www.w3.org/2000/svg", ""))


def test_a_row_shows_every_find_in_a_frame_of_its_own() -> None:
    root = ElementTree.fromstring(art.row_svg(ROW_IN_DOCS))
    frames = [element for element in root if element.tag.endswith("svg")]
    assert [frame.get("x") for frame in frames] == ["0", "400", "800", "1200"]


def test_the_picture_in_the_guide_shows_the_finds_as_they_are_printed() -> None:
    kept = Path(__file__).parents[2] / "docs" / "printable-set.svg"
    assert kept.read_text() == art.row_svg(ROW_IN_DOCS), f"write art.row_svg({ROW_IN_DOCS}) to {kept.name} again"


def test_a_page_of_finds_is_light() -> None:
    assert len(art.sprite_svg()) < 20_000
    assert max(len(art.find_use_svg(code)) for code in FINDS) < 1_000
    assert max(len(art.find_svg(code)) for code in FINDS) < 6_500


def test_every_part_a_light_find_borrows_is_in_the_sprite() -> None:
    sprite = set(re.findall(r'id="([^"]+)"', art.sprite_svg()))
    for code in FINDS:
        assert set(re.findall(r'href="#([^"]+)"', art.find_use_svg(code))) <= sprite


def test_faces_have_the_shape_of_their_pieces_and_differ_from_each_other() -> None:
    assert face("V13J1", 256).shape == (256, 256, 3)
    assert face("3", 256).shape == (390, 256, 3)
    assert len({face(code, 64).tobytes() for code in CODES}) == len(CODES) == 70


def test_a_drawing_is_the_same_as_pixels_as_it_is_written() -> None:
    picture = Picture(100, 100, (rectangle(0, 0, 100, 100, "#ff0000"), circle(50, 50, 30, "#0000ff")))
    pixels = to_pixels(picture, 100)
    assert pixels[50, 50].tolist() == [255, 0, 0]
    assert pixels[5, 5].tolist() == [0, 0, 255]
    assert abs(float((pixels[..., 0] > 128).mean()) - 0.2827) < 0.005


def test_paths_are_written_back_as_they_were_read() -> None:
    text = to_svg(Picture(20, 20, (path("M1 2 L3 4.5 C1 1 2 2 3 3 Z", "#000000"),)))
    assert 'd="M1 2L3 4.5C1 1 2 2 3 3Z"' in text
