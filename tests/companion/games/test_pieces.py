"""Between camera and rules: which pieces may come, where they go, which command they mean."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace

from companion.games.base import Refused
from companion.games.pergamon import PERGAMON
from companion.games.pergamon.state import State
from tests.companion.games.given import THREE, do, new_game, show, turn

FIVE = ["V10J1", "V20J2", "V30J3", "V40J4", "V50J5"]


def confirmed(state: State, *codes: str) -> dict[str, object]:
    """What the table is told when a person confirms these pieces."""
    return dict(msgspec.json.decode(PERGAMON.encode(PERGAMON.from_pieces(state, codes))))


def refusal(state: State, *codes: str) -> str:
    with pytest.raises(Refused) as refused:
        PERGAMON.from_pieces(state, codes)
    return refused.value.code


def drawn(*backs: str, **options: object) -> State:
    state = do(do(new_game(**options), "lay_out", finds=FIVE), "draw_funds", backs=backs)
    for space in (1, 5, 12):
        state = do(state, "place_figure", space=space)
    return state


def test_finds_are_expected_first_as_many_as_galleries_have_room() -> None:
    state = do(turn(then=(), galleries=("M01B1 M02B1 M03B1 M04B1", "", "", "", "")), "end_turn")

    expected = PERGAMON.expected(state)

    assert expected is not None
    assert (expected.kind, expected.count) == ("finds", 4)
    assert "M01B1" in expected.impossible


def test_then_two_backs_and_later_two_values_of_those_backs() -> None:
    backs = PERGAMON.expected(do(new_game(), "lay_out", finds=FIVE))
    values = PERGAMON.expected(drawn("bag", "bag"))

    assert backs is not None
    assert values is not None
    assert (backs.kind, backs.count, backs.impossible) == ("funds", 2, frozenset("12345678"))
    assert (values.kind, values.count) == ("funds", 2)
    assert values.impossible == frozenset({"5", "6", "7", "8", "bag", "chest"})


def test_used_up_cards_cannot_come() -> None:
    laid = replace(do(new_game(), "lay_out", finds=FIVE), unseen_cards=(0, 0, 0, 0, 3, 3, 3, 3))
    revealed = replace(drawn("bag", "chest"), unseen_cards=(3, 0, 3, 3, 3, 3, 3, 0))

    for state, gone in ((laid, {"bag"}), (revealed, {"2", "8"})):
        expected = PERGAMON.expected(state)
        assert expected is not None
        assert gone <= expected.impossible


def test_nothing_is_expected_while_players_choose() -> None:
    assert PERGAMON.expected(do(do(new_game(), "lay_out", finds=FIVE), "draw_funds", backs=["bag", "bag"])) is None
    assert PERGAMON.expected(turn()) is None


def test_each_find_is_told_its_gallery_in_the_order_seen() -> None:
    assert PERGAMON.where(new_game(), FIVE[::-1]) == ("V", "IV", "III", "II", "I")


def test_full_galleries_are_passed_over() -> None:
    state = do(turn(then=(), galleries=("M01B1 M02B1 M03B1 M04B1", "", "", "", "")), "end_turn")

    assert PERGAMON.where(state, FIVE[:4]) == ("II", "III", "IV", "V")


@pytest.mark.parametrize("variants", [[], ["free_sorting"]])
def test_a_find_lands_in_the_gallery_that_was_told(variants: list[str]) -> None:
    state = new_game(variants=variants)
    seen = ["V85J4", "M14V4", "J90B1", "B36M4", "J70V2"]

    galleries = show(PERGAMON.apply(state, PERGAMON.from_pieces(state, seen)))["galleries"]

    landed = {finds[0]: roman for roman, finds in zip(("I", "II", "III", "IV", "V"), galleries, strict=True)}
    assert PERGAMON.where(state, seen) == tuple(landed[find] for find in seen)


def test_other_pieces_have_no_place() -> None:
    assert PERGAMON.where(drawn("bag", "bag"), ["3", "4"]) == ("", "")
    assert PERGAMON.where(new_game(), ["V10J1", "rubbish"]) == ("", "")


def test_confirmed_finds_are_laid_out() -> None:
    assert confirmed(new_game(), *FIVE) == {"do": "lay_out", "finds": FIVE}


def test_with_free_sorting_finds_of_one_century_keep_the_order_in_which_they_lie() -> None:
    finds = ["V85J4", "M14V4", "J90B1", "B36M4", "J70V2"]

    command = confirmed(new_game(variants=["free_sorting"]), *finds)

    assert command["finds"] == ["J90B1", "J70V2", "V85J4", "M14V4", "B36M4"]


def test_confirmed_backs_are_drawn() -> None:
    laid = do(new_game(), "lay_out", finds=FIVE)

    assert confirmed(laid, "bag", "chest") == {"do": "draw_funds", "backs": ["bag", "chest"]}


def test_confirmed_values_are_revealed_whichever_way_round_the_cards_lie() -> None:
    assert confirmed(drawn("bag", "chest"), "3", "7") == {"do": "reveal_funds", "values": [3, 7]}
    assert confirmed(drawn("bag", "chest"), "7", "3") == {"do": "reveal_funds", "values": [3, 7]}


def test_pieces_that_mean_nothing_now_are_refused() -> None:
    laid = do(new_game(), "lay_out", finds=FIVE)

    assert refusal(laid, "3", "7") == "back_and_value_differ"
    assert refusal(drawn("bag", "chest"), "bag", "chest") == "back_and_value_differ"
    assert refusal(laid, "bag") == "wrong_number_of_cards"
    assert refusal(turn(players=THREE), "V10J1") == "wrong_phase"
