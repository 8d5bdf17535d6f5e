"""A taught set: what it learns, what it is sure of, what it keeps, and what it says when something is wrong."""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Mapping
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision import piece_shop as shop
from vision.learning import Picture
from vision.photo import Pixels
from vision.sets import SetRefused, TaughtSet, add_pictures, load_set, set_names, teach

LETTERS = shop.letter_tiles("AEGHKMNRSTWZ")
TAUGHT_LETTERS = {letter: face for letter, face in LETTERS.items() if letter not in "GST"}


def upright(face: Pixels, seed: int) -> Pixels:
    return shop.photographed(face, seed, turn=0)


def lay_out(folder: Path, faces: Mapping[str, Pixels], each: int = 2, first_seed: int = 0) -> Path:
    """A folder of labelled photographs, as an owner would make it."""
    for label, photographs in shop.album(faces, each, first_seed, upright).items():
        (folder / label).mkdir(parents=True)
        for index, photograph in enumerate(photographs):
            cv2.imwrite(os.fspath(folder / label / f"{index}.png"), photograph)
    return folder


def taught(tmp_path: Path, faces: Mapping[str, Pixels], each: int = 2) -> TaughtSet:
    teach("box", lay_out(tmp_path / "pictures", faces, each), tmp_path / "data")
    return load_set("box", tmp_path / "data")


@pytest.fixture(scope="module")
def letters(tmp_path_factory: pytest.TempPathFactory) -> TaughtSet:
    return taught(tmp_path_factory.mktemp("letters"), TAUGHT_LETTERS)


def answers(of: TaughtSet, faces: Mapping[str, Pixels], each: int = 2) -> list[tuple[str, str, str | None]]:
    """(shown, status, label) for new photographs, on other tables and in other light."""
    found: list[tuple[str, str, str | None]] = []
    for label, photographs in shop.album(faces, each, 700_000).items():
        for photograph in photographs:
            answer = of.identify(photograph)
            found.append((label, answer.status, answer.label))
    return found


def test_taught_pieces_are_surely_known_on_other_tables_and_in_other_light(letters: TaughtSet) -> None:
    found = answers(letters, TAUGHT_LETTERS)
    assert [entry for entry in found if entry[1] == "sure" and entry[0] != entry[2]] == []
    assert sum(status == "sure" for _, status, _ in found) >= 0.9 * len(found)


def test_a_piece_that_was_never_taught_is_never_sure(letters: TaughtSet) -> None:
    strangers = {letter: LETTERS[letter] for letter in "GST"} | shop.art_tiles(4, 11)
    assert [entry for entry in answers(letters, strangers) if entry[1] == "sure"] == []


def test_an_unknown_picture_has_no_label(letters: TaughtSet) -> None:
    empty = shop.table(np.random.default_rng(4), 120)
    answer = letters.identify(empty)
    assert (answer.status, answer.label) == ("unknown", None)


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_a_piece_is_known_in_any_turn_and_its_corners_begin_at_its_own_top_left(letters: TaughtSet, turn: int) -> None:
    picture = shop.photographed(LETTERS["K"], 41, turn=turn)
    answer = letters.identify(picture)
    assert (answer.label, answer.status) == ("K", "sure")
    assert answer.corners is not None
    high, wide = picture.shape[:2]
    ends = np.array([(0, 0), (wide, 0), (wide, high), (0, high)])
    first = int(np.argmin(np.linalg.norm(ends - answer.corners[0], axis=1)))
    assert first == turn // 90


def test_art_that_is_no_letter_is_learned_from_one_picture_each(tmp_path: Path) -> None:
    faces = shop.art_tiles(10, 5)
    found = answers(taught(tmp_path, faces, each=1), faces, each=1)
    assert [entry for entry in found if entry[1] == "sure" and entry[0] != entry[2]] == []
    assert sum(status == "sure" for _, status, _ in found) >= 8


def test_twins_that_differ_in_one_digit_are_told_apart_and_a_missing_one_is_not_mistaken(tmp_path: Path) -> None:
    faces = shop.digit_twins(range(33, 49))
    missing = {label: faces[label] for label in ("36", "44")}
    box = taught(tmp_path, {label: face for label, face in faces.items() if label not in missing})
    found = answers(box, faces, each=1)
    assert [entry for entry in found if entry[1] == "sure" and entry[0] != entry[2]] == []
    assert sum(status == "sure" for _, status, _ in found) >= 10


def test_pieces_that_differ_by_their_colour_alone_are_not_confused(tmp_path: Path) -> None:
    faces = shop.coloured_twins()
    found = answers(taught(tmp_path, faces), faces, each=2)
    assert [entry for entry in found if entry[1] == "sure" and entry[0] != entry[2]] == []


def test_a_six_and_a_nine_without_a_mark_stay_a_question(tmp_path: Path) -> None:
    six = shop.blank((150, 200, 225))
    shop.written(six, "6", (120, 120), 5, (40, 35, 30), shop.FONTS[0], 16)
    nine = np.ascontiguousarray(np.rot90(six, 2))
    faces = {"6": six, "9": nine, "K": LETTERS["K"]}
    found = answers(taught(tmp_path, faces), {"6": six, "9": nine})
    assert {status for _, status, _ in found} == {"unsure"}


def test_a_picture_that_shows_another_thing_is_left_out_and_named(tmp_path: Path) -> None:
    folder = lay_out(tmp_path / "pictures", {letter: LETTERS[letter] for letter in "AKM"}, each=4)
    stray = shop.photographed(next(iter(shop.art_tiles(1, 3).values())), 5)
    cv2.imwrite(os.fspath(folder / "K" / "stray.png"), stray)
    report = teach("box", folder, tmp_path / "data")
    assert report.left_out == ["K/stray.png"]
    assert load_set("box", tmp_path / "data").identify(stray).status == "unknown"


def test_labels_may_be_anything_a_folder_can_be_called(tmp_path: Path) -> None:
    faces = {"Ä": LETTERS["A"], "two words": LETTERS["K"], "龍": LETTERS["M"], "👩‍🚀": LETTERS["R"]}
    box = taught(tmp_path, faces, each=1)
    assert set(box.labels) == set(faces)
    assert [label for shown, _, label in answers(box, faces, each=1) if label != shown] == []


def test_an_answer_has_the_shape_that_identify_prints(letters: TaughtSet) -> None:
    shape = letters.identify(shop.photographed(LETTERS["R"], 9)).as_json("r.png")
    assert list(shape) == ["picture", "label", "status", "confidence"]
    assert json.loads(json.dumps(shape))["label"] == "R"


def test_teaching_tells_how_far_it_is(tmp_path: Path) -> None:
    steps: list[tuple[int, int]] = []
    folder = lay_out(tmp_path / "pictures", {letter: LETTERS[letter] for letter in "AKM"}, each=1)
    teach("box", folder, tmp_path / "data", lambda done, total, _label: steps.append((done, total)))
    assert steps[0][0] == 0
    assert steps[-1][0] == steps[-1][1]
    assert steps == sorted(steps)


def test_teaching_again_replaces_the_set(tmp_path: Path) -> None:
    taught(tmp_path, {letter: LETTERS[letter] for letter in "AKM"}, each=1)
    teach("box", lay_out(tmp_path / "others", {letter: LETTERS[letter] for letter in "RTZ"}, each=1), tmp_path / "data")
    assert load_set("box", tmp_path / "data").labels == ["R", "T", "Z"]


def test_pictures_can_be_added_one_by_one(tmp_path: Path) -> None:
    taught(tmp_path, {letter: LETTERS[letter] for letter in "AKM"}, each=1)
    shown = {"R": [Picture("first", shop.photographed(LETTERS["R"], 77))]}
    report = add_pictures("box", shown, tmp_path / "data")
    assert (report.labels, report.pictures) == (4, 4)
    assert load_set("box", tmp_path / "data").labels == ["A", "K", "M", "R"]


def refused(name: str, folder: Path, data: Path) -> SetRefused:
    with pytest.raises(SetRefused) as caught:
        teach(name, folder, data)
    return caught.value


def test_a_refused_teaching_leaves_the_old_set_as_it_was(tmp_path: Path) -> None:
    taught(tmp_path, {letter: LETTERS[letter] for letter in "AKM"}, each=1)
    before = (tmp_path / "data/sets/box/set.zip").read_bytes()
    folder = lay_out(tmp_path / "bad", {letter: LETTERS[letter] for letter in "AK"}, each=1)
    (folder / "K" / "broken.jpg").write_bytes(b"\xff\xd8no picture")
    error = refused("box", folder, tmp_path / "data")
    assert error.code == "unreadable_picture"
    assert "broken.jpg" in error.message
    assert (tmp_path / "data/sets/box/set.zip").read_bytes() == before
    assert [file.name for file in (tmp_path / "data/sets/box").iterdir()] == ["set.zip"]


@pytest.mark.parametrize("name", ["", "../up", "a/b", ".hidden", "x" * 60, "nul\0", "dot.", "a\nb"])
def test_a_name_that_could_lead_out_of_the_data_folder_is_refused(tmp_path: Path, name: str) -> None:
    assert refused(name, tmp_path, tmp_path / "data").code == "wrong_name"


def test_what_is_wrong_with_a_folder_is_said(tmp_path: Path) -> None:
    data = tmp_path / "data"
    (tmp_path / "empty").mkdir()
    (tmp_path / "hollow" / "A").mkdir(parents=True)
    one = lay_out(tmp_path / "one", {"A": LETTERS["A"]})
    assert refused("box", tmp_path / "nowhere", data).code == "no_folder"
    assert refused("box", tmp_path / "empty", data).code == "no_pictures"
    assert refused("box", tmp_path / "hollow", data).code == "no_pictures"
    assert refused("box", one, data).code == "one_label"
    assert set_names(data) == []


def opening(data: Path) -> SetRefused:
    with pytest.raises(SetRefused) as caught:
        load_set("box", data)
    return caught.value


def test_a_set_that_was_never_taught_is_refused_with_those_that_were(tmp_path: Path, letters: TaughtSet) -> None:
    assert letters.name == "box"
    assert opening(tmp_path).code == "unknown_set"


@pytest.mark.parametrize("damage", ["cut", "other", "empty", "without a look"])
def test_a_damaged_set_is_refused_not_half_read(tmp_path: Path, damage: str) -> None:
    taught(tmp_path, {letter: LETTERS[letter] for letter in "AKM"}, each=1)
    path = tmp_path / "data/sets/box/set.zip"
    whole = path.read_bytes()
    if damage == "without a look":
        with zipfile.ZipFile(path) as kept:
            entries = {name: kept.read(name) for name in kept.namelist() if name != "looks/00001.png"}
        with zipfile.ZipFile(path, "w") as kept:
            for name, data in entries.items():
                kept.writestr(name, data)
    else:
        path.write_bytes({"cut": whole[: len(whole) // 2], "other": b"no zip at all", "empty": b""}[damage])
    assert opening(tmp_path / "data").code == "damaged_set"


def test_a_set_of_a_newer_companion_is_refused_as_such(tmp_path: Path) -> None:
    taught(tmp_path, {letter: LETTERS[letter] for letter in "AKM"}, each=1)
    with zipfile.ZipFile(tmp_path / "data/sets/box/set.zip", "w") as kept:
        kept.writestr("set.json", json.dumps({"format": 99, "new": []}))
    assert opening(tmp_path / "data").code == "newer_set"


def test_a_set_of_an_older_companion_is_to_be_taught_again(tmp_path: Path) -> None:
    taught(tmp_path, {letter: LETTERS[letter] for letter in "AKM"}, each=1)
    with zipfile.ZipFile(tmp_path / "data/sets/box/set.zip", "w") as kept:
        kept.writestr("set.json", json.dumps({"format": 1, "looks": []}))
    refused = opening(tmp_path / "data")
    assert refused.code == "older_set"
    assert refused.message == "The set “box” was taught by an older companion; teach it again."
