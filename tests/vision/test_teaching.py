"""Teaching a box from whole photographs: pieces are proposed, a person confirms, the set grows."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision import piece_shop as shop
from vision.photo import Pixels
from vision.sets import SetRefused, load_set
from vision.teaching import Confirmed, Guess, confirm, coverage, learn_confirmed, propose

FACES = shop.letter_tiles("AEHKMR")


def laid_out(labels: str, seed: int = 1) -> Pixels:
    """A photograph of a dark table with these pieces in a loose row."""
    rng = np.random.default_rng(seed)
    photo = np.clip(rng.normal(60, 4, (500, 240 * len(labels) + 120, 3)), 0, 255).astype(np.uint8)
    for index, label in enumerate(labels):
        angle = float(rng.uniform(-20, 20))
        turn = cv2.getRotationMatrix2D((shop.FACE / 2, shop.FACE / 2), angle, 0.62)
        turn[:, 2] += np.array([60 + 240 * index, 120 + float(rng.uniform(-30, 30))])
        size = (photo.shape[1], photo.shape[0])
        lying = cv2.warpAffine(FACES[label], turn, size)
        mask = cv2.warpAffine(np.full((shop.FACE, shop.FACE), 255, np.uint8), turn, size)
        photo = np.where(mask[:, :, None] > 127, lying, photo).astype(np.uint8)
    return photo


def from_left(photo: Pixels) -> list[Pixels]:
    found = sorted(propose(photo), key=lambda proposal: float(proposal.corners[:, 0].mean()))
    return [proposal.picture for proposal in found]


def teach_row(labels: str, data: Path, seed: int = 1) -> None:
    pictures = from_left(laid_out(labels, seed))
    confirm("box", [Confirmed(label, picture) for label, picture in zip(labels, pictures, strict=True)], data)


def test_every_piece_that_lies_there_is_proposed_once() -> None:
    found = propose(laid_out("AEHK"))
    assert len(found) == 4
    assert {proposal.status for proposal in found} == {"unknown"}
    assert {proposal.label for proposal in found} == {None}


def test_what_a_reader_of_digits_says_is_proposed_as_a_guess_and_turned_upright() -> None:
    plain = propose(laid_out("AE"))

    def says(pictures: object) -> list[Guess]:
        assert isinstance(pictures, list)
        return [Guess("?50?3", turn=1)] * len(pictures)

    guessed = propose(laid_out("AE"), guess=says)
    assert [(proposal.label, proposal.status, proposal.guess) for proposal in guessed] == [
        (None, "unknown", "?50?3")
    ] * 2
    assert np.array_equal(guessed[0].picture, np.rot90(plain[0].picture, -1))
    assert np.allclose(guessed[0].corners, np.roll(plain[0].corners, 1, axis=0))


def test_confirmed_pieces_are_learned_and_then_proposed_by_name(tmp_path: Path) -> None:
    teach_row("AEHK", tmp_path)
    report = learn_confirmed("box", tmp_path)
    assert (report.labels, report.pictures) == (4, 4)
    again = propose(laid_out("KHEA", seed=5), load_set("box", tmp_path))
    assert sorted(str(proposal.label) for proposal in again) == ["A", "E", "H", "K"]


def test_what_was_read_against_the_set_makes_its_piece_unsure(tmp_path: Path) -> None:
    teach_row("AEHK", tmp_path)
    learn_confirmed("box", tmp_path)
    photo, known = laid_out("KHEA", seed=5), load_set("box", tmp_path)
    by_set = {str(one.label): one.status for one in propose(photo, known)}
    assert "sure" in by_set.values()

    def reads(text: str) -> dict[str, str]:
        told = propose(photo, known, lambda pictures: [Guess(text)] * len(pictures))
        return {str(one.label): one.status for one in told}

    assert reads("?") == by_set
    assert "sure" not in reads("Z").values()


def test_a_piece_that_the_set_knows_is_turned_upright_by_it(tmp_path: Path) -> None:
    teach_row("AEHK", tmp_path)
    learn_confirmed("box", tmp_path)
    known = load_set("box", tmp_path)
    upright = {str(one.label): one.picture for one in propose(laid_out("KHEA", seed=5), known)}
    upside_down = np.ascontiguousarray(np.rot90(laid_out("KHEA", seed=5), 2))
    for one in propose(upside_down, known):
        as_taught = upright[str(one.label)][:200, :200].astype(int)
        turns = [np.rot90(one.picture, quarters)[:200, :200] for quarters in range(4)]
        turned = [np.abs(turn - as_taught).mean() for turn in turns]
        assert turned.index(min(turned)) == 0


def test_how_much_of_the_box_is_learned_is_known_at_every_step(tmp_path: Path) -> None:
    assert coverage("box", list("AEHKMR"), tmp_path).missing == list("AEHKMR")
    teach_row("AEH", tmp_path)
    learn_confirmed("box", tmp_path)
    teach_row("KM", tmp_path, seed=2)
    now = coverage("box", list("AEHKMR"), tmp_path)
    assert (now.learned, now.waiting, now.missing) == (list("AEH"), list("KM"), ["R"])
    learn_confirmed("box", tmp_path)
    assert coverage("box", list("AEHKMR"), tmp_path).learned == list("AEHKM")


def test_what_waits_is_kept_when_learning_is_refused(tmp_path: Path) -> None:
    teach_row("A", tmp_path)
    with pytest.raises(SetRefused) as caught:
        learn_confirmed("box", tmp_path)
    assert caught.value.code == "one_label"
    teach_row("E", tmp_path, seed=2)
    assert learn_confirmed("box", tmp_path).labels == 2


def test_nothing_confirmed_is_nothing_to_learn(tmp_path: Path) -> None:
    with pytest.raises(SetRefused) as caught:
        learn_confirmed("box", tmp_path)
    assert caught.value.code == "no_pictures"


@pytest.mark.parametrize("label", ["", "  ", "a\nb", "x" * 200])
def test_a_label_that_nobody_could_read_is_refused_and_nothing_is_kept(tmp_path: Path, label: str) -> None:
    with pytest.raises(SetRefused) as caught:
        confirm("box", [Confirmed("A", FACES["A"]), Confirmed(label, FACES["E"])], tmp_path)
    assert caught.value.code == "wrong_label"
    assert coverage("box", ["A"], tmp_path).waiting == []


def test_a_label_may_hold_what_no_file_name_could(tmp_path: Path) -> None:
    confirm("box", [Confirmed("../A/1", FACES["A"]), Confirmed("龍?", FACES["E"])], tmp_path)
    learn_confirmed("box", tmp_path)
    assert set(load_set("box", tmp_path).labels) == {"../A/1", "龍?"}
    assert [path.name for path in tmp_path.iterdir()] == ["sets"]
