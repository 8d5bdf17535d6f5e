"""Phase 1: finds into the galleries."""

from __future__ import annotations

import pytest

from tests.companion.games.given import do, new_game, refusal, show, told, turn

FIVE = ["V10J1", "V20J2", "V30J3", "V40J4", "V50J5"]
FULL = "M01B1 M02B1 M03B1 M04B1"


def test_finds_come_in_any_order_and_lie_by_age() -> None:
    laid = do(new_game(), "lay_out", finds=FIVE[::-1])

    assert show(laid)["galleries"] == [[find] for find in FIVE]
    assert (show(laid)["phase"], show(laid)["to_act"]) == ("draw_funds", None)


def test_each_find_is_told_with_its_gallery() -> None:
    laid = told(do(new_game(), "lay_out", finds=FIVE), "laid")

    assert [(event["find"], event["gallery"]) for event in laid] == list(zip(FIVE, range(1, 6), strict=True))


def test_new_finds_lie_beside_the_older_ones_in_the_order_laid() -> None:
    state = do(turn(then=(), galleries=("M99B1", "", "", "", "")), "end_turn")

    assert show(do(state, "lay_out", finds=FIVE))["galleries"][0] == ["M99B1", "V10J1"]


def test_the_same_century_sorts_by_number_and_a_smaller_number_is_younger() -> None:
    laid = do(new_game(), "lay_out", finds=["V09J3", "V90J3", "M10B3", "B99M2", "J00M3"])

    assert [gallery[0] for gallery in show(laid)["galleries"]] == ["B99M2", "J00M3", "V09J3", "M10B3", "V90J3"]


def test_full_galleries_are_passed_over_and_the_youngest_goes_to_the_shallowest_open_one() -> None:
    other = "J01B1 J02B1 J03B1 J04B1"
    state = do(turn(then=(), galleries=(FULL, "", other, "", "")), "end_turn")

    galleries = show(do(state, "lay_out", finds=["V50J5", "V20J2", "V30J3"]))["galleries"]

    assert galleries == [FULL.split(), ["V20J2"], other.split(), ["V30J3"], ["V50J5"]]


def test_with_every_gallery_full_nothing_is_laid_out() -> None:
    rows = tuple(
        " ".join(f"{kind}{number:02d}{other}1" for number in range(4)) for kind, other in ("VJ", "JM", "MB", "BV", "VM")
    )

    state = do(turn(then=(), galleries=rows), "end_turn")

    assert (show(state)["round"], show(state)["phase"]) == (2, "draw_funds")
    assert refusal(state, "lay_out", finds=[]) == "wrong_phase"
    assert show(do(state, "draw_funds", backs=["bag", "bag"]))["phase"] == "place_figures"


@pytest.mark.parametrize("finds", [[], FIVE[:4], [*FIVE, "B01M1"]])
def test_as_many_finds_as_there_is_room(finds: list[str]) -> None:
    assert refusal(new_game(), "lay_out", finds=finds) == "wrong_number_of_finds"


def test_a_find_twice_in_one_lay_out_is_refused() -> None:
    assert refusal(new_game(), "lay_out", finds=[*FIVE[:4], FIVE[0]]) == "find_seen_before"


def test_a_find_that_lies_in_a_gallery_is_refused() -> None:
    state = do(turn(then=(), galleries=(FIVE[0], "", "", "", "")), "end_turn")

    assert refusal(state, "lay_out", finds=FIVE) == "find_seen_before"


def test_a_find_that_went_back_to_the_box_is_refused() -> None:
    thrown_away = do(turn(then=(), finds="V50J5"), "end_turn", discard=["V50J5"])

    assert refusal(thrown_away, "lay_out", finds=FIVE) == "find_seen_before"


def test_what_is_no_find_is_refused() -> None:
    assert refusal(new_game(), "lay_out", finds=[*FIVE[:4], "V50V5"]) == "unknown_find"


@pytest.mark.parametrize("finds", [None, "V50J3", [7] * 5, [None] * 5, {"I": "V50J3"}, ["V10J1"] * 61])
def test_what_is_no_list_of_finds_is_malformed(finds: object) -> None:
    assert refusal(new_game(), "lay_out", finds=finds) == "malformed"


def test_free_sorting_still_puts_younger_centuries_first() -> None:
    state = new_game(variants=["free_sorting"])

    assert refusal(state, "lay_out", finds=["V20J2", "V10J1", "V30J3", "V40J4", "V50J5"]) == "wrong_order"


def test_without_free_sorting_the_given_order_means_nothing() -> None:
    laid = do(new_game(), "lay_out", finds=["J90B1", "J70V2", "V85J4", "M14V4", "B36M4"])

    assert [gallery[0] for gallery in show(laid)["galleries"]] == ["J90B1", "J70V2", "M14V4", "B36M4", "V85J4"]
