"""Which way up pieces come: a sign that was never taught may be a known one upside down, and is then no sure one."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tests.vision import piece_shop as shop
from vision.identifying import Identification, Matcher
from vision.learning import Picture, learn
from vision.photo import Pixels
from vision.turning import is_sign, quarters, shown_in_all_turns

DIGITS = "0123456789"


def sign(text: str) -> Pixels:
    """A tile with one large sign and nothing that says which way is up."""
    face = shop.blank((150, 200, 225))
    shop.written(face, text, (shop.FACE // 2, shop.FACE // 2), 5, (40, 35, 30), shop.FONTS[0], 16)
    return face


def taught(faces: Mapping[str, Pixels], turns: tuple[float, ...] = (0,)) -> Matcher:
    pictures = {
        label: [
            Picture(f"{label}/{turn}", shop.photographed(face, 1000 * index + int(turn), turn=turn)) for turn in turns
        ]
        for index, (label, face) in enumerate(faces.items())
    }
    return learn(pictures).matcher()


def shown(to: Matcher, face: Pixels, turn: float, squared: bool = False) -> Identification:
    return to.identify(shop.photographed(face, 600_000, turn=turn), squared)


def test_a_six_that_was_never_taught_is_no_sure_nine() -> None:
    digits = taught({digit: sign(digit) for digit in DIGITS if digit != "6"})
    assert digits.bounds.turns == "upright"
    assert shown(digits, sign("6"), 0).status != "sure"
    assert shown(digits, sign("7"), 0).status == "sure"
    assert shown(digits, sign("7"), 180).status != "sure"


def test_a_sign_cut_out_of_a_photograph_may_lie_in_any_turn_and_is_never_sure() -> None:
    digits = taught({digit: sign(digit) for digit in DIGITS if digit != "6"})
    assert digits.identify(sign("9"), squared=True).status == "unsure"


def test_pieces_with_a_mark_are_sure_in_any_turn_however_they_were_shown() -> None:
    letters = shop.letter_tiles("AEHKMNRWXZ")
    for turns in ((0,), (90,)):
        assert taught(letters, turns).bounds.turns == "any"
    mixed = {label: np.ascontiguousarray(np.rot90(face, index)) for index, (label, face) in enumerate(letters.items())}
    assert taught(mixed).bounds.turns == "any"


def test_signs_that_were_shown_in_all_turns_are_asked_about_where_they_turn_into_others() -> None:
    assert taught({digit: sign(digit) for digit in "023478"}, (0, 90, 180)).bounds.turns in ("shown", "none")
    assert [label for label in ("6", "N", "16", "K", "art 6", "F") if is_sign(label)] == ["6", "N", "16"]


def test_a_few_turned_pictures_do_not_make_turns_free() -> None:
    assert not shown_in_all_turns({"A": [0, 0], "B": [0, 2], "C": [0], "D": [0, 0], "E": [0]})
    assert shown_in_all_turns({"A": [0, 1], "B": [3, 2], "C": [0], "D": [2, 0]})


def test_a_piece_that_lies_askew_has_no_quarter_turn() -> None:
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    assert [quarters(np.roll(square, -turn, axis=0)) for turn in range(4)] == [0, 1, 2, 3]
    leaning = square @ np.array([[0.7, 0.7], [-0.7, 0.7]], np.float32)
    assert quarters(leaning) is None
