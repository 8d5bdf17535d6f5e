"""Exhibiting: rows, polish, markers, breaking up, and what moves down in the museum."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.games.pergamon.state import State
from tests.companion.games.given import TWO, do, museum, player, refusal, show, told, turn

JUG = ["V50J3", "J12M4"]
"""Two finds: a jug of 312 AC, worth 3."""
THREE_OUT = {"I": 20, "II": 3, "III": 10}


def with_jug(**options: object) -> State:
    return turn(finds=" ".join(JUG), **options)  # type: ignore[arg-type]  # options are those of turn


def test_a_collection_leaves_ones_finds_and_scores_a_point_at_once() -> None:
    state = turn(finds="V50J3 B01V1 J12M4", coins=2)

    exhibited = do(state, "exhibit", finds=JUG)

    ada = show(exhibited)["players"][0]
    assert (ada["finds"], ada["points"], ada["coins"]) == (["B01V1"], 1, 2)
    assert ada["collections"] == [
        {"marker": "I", "finds": JUG, "objects": ["J312"], "polish": 0, "value": 3, "space": 3}
    ]
    assert show(exhibited)["museum"] == [{"space": 3, "player": "Ada", "marker": "I"}]
    assert show(exhibited)["turn"] == {"dug": False, "exhibited": True}


def test_several_collections_may_go_out_in_one_turn() -> None:
    state = turn(finds="V50J3 J12M4 B10V2 V20J1")

    state = do(do(state, "exhibit", finds=JUG), "exhibit", finds=["B10V2", "V20J1"])

    assert museum(state) == {"Ada I": 3, "Ada II": 2}
    assert player(state, "Ada").points == 2
    assert show(state)["to_act"] == "Ada"


def test_a_row_of_one_find_is_no_collection() -> None:
    assert refusal(with_jug(), "exhibit", finds=["V50J3"]) == "row_does_not_fit"
    assert refusal(with_jug(), "exhibit", finds=[]) == "row_does_not_fit"


def test_every_seam_must_be_a_whole_object() -> None:
    assert refusal(with_jug(), "exhibit", finds=JUG[::-1]) == "row_does_not_fit"


def test_a_find_lies_only_once_in_a_row() -> None:
    state = turn(finds="V50J3 J12V4")

    assert refusal(state, "exhibit", finds=["V50J3", "J12V4", "V50J3"]) == "row_does_not_fit"


def test_one_exhibits_only_ones_own_finds() -> None:
    assert refusal(with_jug(), "exhibit", finds=["V50J3", "J99M1"]) == "unknown_find"
    assert refusal(with_jug(), "exhibit", finds=["V50J3", "rubbish"]) == "unknown_find"


def test_what_is_exhibited_cannot_be_exhibited_again() -> None:
    assert refusal(do(with_jug(), "exhibit", finds=JUG), "exhibit", finds=JUG) == "unknown_find"


@pytest.mark.parametrize("polish", [1, 2, 3])
def test_polish_costs_a_coin_a_point(polish: int) -> None:
    exhibited = do(with_jug(coins=3), "exhibit", finds=JUG, polish=polish)

    assert museum(exhibited) == {"Ada I": 3 + polish}
    assert player(exhibited, "Ada").coins == 3 - polish
    assert show(exhibited)["players"][0]["collections"][0]["polish"] == polish


@pytest.mark.parametrize("round", [1, 5, 11])
def test_polish_is_at_most_3_before_the_last_round(round: int) -> None:
    assert refusal(with_jug(coins=9, round=round), "exhibit", finds=JUG, polish=4) == "too_much_polish"


def test_however_much_polish_is_too_much_it_is_refused_as_that() -> None:
    assert refusal(with_jug(coins=9, round=3), "exhibit", finds=JUG, polish=10**9) == "too_much_polish"
    assert refusal(with_jug(coins=9, round=12), "exhibit", finds=JUG, polish=10**9) == "not_enough_coins"


def test_in_round_12_polish_has_no_limit_but_the_purse() -> None:
    state = with_jug(coins=9, round=12)

    assert museum(do(state, "exhibit", finds=JUG, polish=9)) == {"Ada I": 12}
    assert refusal(state, "exhibit", finds=JUG, polish=10) == "not_enough_coins"


def test_polish_must_be_paid() -> None:
    assert refusal(with_jug(coins=1), "exhibit", finds=JUG, polish=2) == "not_enough_coins"


@pytest.mark.parametrize("polish", [-1, 0.5, "2", None, True, 10**20, 10**400], ids=lambda polish: str(polish)[:9])
def test_what_is_no_number_of_coins_is_malformed(polish: object) -> None:
    assert refusal(with_jug(coins=9, round=12), "exhibit", finds=JUG, polish=polish) == "malformed"


def test_more_than_24_points_stand_on_24() -> None:
    exhibited = do(with_jug(coins=40, round=12, museum={"Ben": {"I": 24}}), "exhibit", finds=JUG, polish=40)

    assert museum(exhibited) == {"Ada I": 24, "Ben I": 23}
    assert show(exhibited)["players"][0]["collections"][0]["value"] == 43


def test_markers_on_the_space_and_below_move_down_one_and_none_above() -> None:
    state = with_jug(coins=3, museum={"Ben": {"I": 6, "II": 7, "III": 2}, "Cleo": {"I": 5, "II": 24}})

    exhibited = do(state, "exhibit", finds=JUG, polish=3)

    assert museum(exhibited) == {"Ada I": 6, "Ben I": 5, "Ben II": 7, "Ben III": 1, "Cleo I": 4, "Cleo II": 24}
    moved = {(event["player"], event["marker"], event["start"], event["end"]) for event in told(exhibited, "moved")}
    assert moved == {("Ben", "I", 6, 5), ("Ben", "III", 2, 1), ("Cleo", "I", 5, 4)}


def test_markers_below_move_even_where_the_space_was_free() -> None:
    assert museum(do(with_jug(museum={"Ben": {"I": 2}}), "exhibit", finds=JUG)) == {"Ada I": 3, "Ben I": 1}


def test_ones_own_markers_move_down_too() -> None:
    state = with_jug(museum={"Ada": {"I": 3, "II": 2}})

    assert museum(do(state, "exhibit", finds=JUG)) == {"Ada I": 2, "Ada II": 1, "Ada III": 3}


def test_a_marker_that_leaves_space_1_goes_back_and_its_finds_to_the_box() -> None:
    state = with_jug(museum={"Ben": {"I": (1, "B70V2 V71M1"), "II": 2}})

    exhibited = do(state, "exhibit", finds=JUG)

    assert museum(exhibited) == {"Ada I": 3, "Ben II": 1}
    assert player(exhibited, "Ben").finds == ()
    assert player(exhibited, "Ben").free_markers == ["I", "III"]
    assert told(exhibited, "fell_out") == [
        {"what": "fell_out", "player": "Ben", "marker": "I", "space": 1, "finds": ["B70V2", "V71M1"]}
    ]


def test_ones_own_collection_can_fall_out_by_ones_own_exhibition() -> None:
    exhibited = do(with_jug(museum={"Ada": {"I": 1}}), "exhibit", finds=JUG)

    assert museum(exhibited) == {"Ada II": 3}


def test_a_fallen_marker_is_free_for_the_next_collection() -> None:
    state = turn(finds="V50J3 J12M4 B10V2 V20J1", museum={"Ada": {"I": 1, "II": 12}})
    state = do(state, "exhibit", finds=JUG)

    assert museum(do(state, "exhibit", finds=["B10V2", "V20J1"])) == {"Ada I": 2, "Ada II": 12, "Ada III": 3}


def test_the_lowest_free_marker_is_taken() -> None:
    assert "Ada II" in museum(do(with_jug(museum={"Ada": {"I": 10, "III": 12}}), "exhibit", finds=JUG))


def test_a_marker_may_be_chosen() -> None:
    assert museum(do(with_jug(), "exhibit", finds=JUG, marker="III")) == {"Ada III": 3}


def test_a_marker_in_the_museum_cannot_be_chosen() -> None:
    state = with_jug(museum={"Ada": {"II": 10}})

    assert refusal(state, "exhibit", finds=JUG, marker="II") == "no_free_marker"


@pytest.mark.parametrize("marker", ["IV", "", 1, "i"])
def test_there_are_three_markers(marker: object) -> None:
    assert refusal(with_jug(), "exhibit", finds=JUG, marker=marker) == "malformed"


def test_with_three_collections_out_one_must_be_broken_up() -> None:
    assert refusal(with_jug(museum={"Ada": THREE_OUT}), "exhibit", finds=JUG) == "no_free_marker"


def test_a_broken_up_collection_makes_room_first_and_is_not_moved_down() -> None:
    state = with_jug(museum={"Ada": {"I": 20, "II": (3, "B70V2 V71M1"), "III": 2}, "Ben": {"I": 1}})

    exhibited = do(state, "exhibit", finds=JUG, break_up="II")

    assert museum(exhibited) == {"Ada I": 20, "Ada II": 3, "Ada III": 1}
    assert told(exhibited, "broken_up") == [
        {"what": "broken_up", "player": "Ada", "marker": "II", "space": 3, "finds": ["B70V2", "V71M1"]}
    ]
    assert [event["player"] for event in told(exhibited, "fell_out")] == ["Ben"]
    assert player(exhibited, "Ada").finds == ()


def test_the_freed_marker_may_be_named() -> None:
    state = with_jug(museum={"Ada": THREE_OUT})

    assert museum(do(state, "exhibit", finds=JUG, break_up="I", marker="I"))["Ada I"] == 3
    assert refusal(state, "exhibit", finds=JUG, break_up="I", marker="II") == "no_free_marker"


def test_with_fewer_than_three_none_may_be_broken_up() -> None:
    state = with_jug(museum={"Ada": {"I": 20, "II": 3}})

    assert refusal(state, "exhibit", finds=JUG, break_up="I") == "break_up_not_needed"
    assert refusal(with_jug(), "exhibit", finds=JUG, break_up="I") == "break_up_not_needed"


def test_broken_up_finds_do_not_come_back() -> None:
    state = with_jug(then=(), museum={"Ada": {"I": 20, "II": (3, "B70V2 V71M1"), "III": 10}})
    state = do(do(state, "exhibit", finds=JUG, break_up="II"), "end_turn")

    assert refusal(state, "lay_out", finds=["B70V2", "B71V1", "B72V1", "B73V1", "B74V1"]) == "find_seen_before"


def test_another_marker_of_the_same_name_is_not_touched_by_breaking_up() -> None:
    state = with_jug(museum={"Ada": THREE_OUT, "Ben": {"II": 4}})

    assert museum(do(state, "exhibit", finds=JUG, break_up="II"))["Ben II"] == 4


def test_exhibiting_is_the_same_for_two() -> None:
    state = with_jug(players=TWO, museum={"Ben": {"I": 3}})

    assert museum(do(state, "exhibit", finds=JUG)) == {"Ada I": 3, "Ben I": 2}


def test_a_refused_break_up_breaks_nothing_up() -> None:
    state = with_jug(museum={"Ada": THREE_OUT})
    poor = replace(state, round=12)

    assert refusal(poor, "exhibit", finds=JUG, break_up="I", polish=1) == "not_enough_coins"
