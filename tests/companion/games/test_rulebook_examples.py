"""Every example that is printed in the rulebooks, English and German, comes out as printed."""

from __future__ import annotations

import pytest

from companion.games.pergamon.board import Board
from companion.games.pergamon.notation import Whole, objects_in, parse_find
from tests.companion.games.given import TWO, do, museum, new_game, player, refusal, show, told, turn

BRACELET_VASE_MASK = "J11B5 B22V3 V33M4 M44J1"
"""A row whose whole objects are a bracelet of the 5th century, a vase of the 3rd and a mask of the 4th."""


# 1. Laying out finds


def test_the_1st_century_is_younger_than_the_3rd() -> None:
    assert parse_find("V99J1").age < parse_find("V00J3").age


def test_50_is_younger_than_57_of_the_same_century() -> None:
    assert parse_find("V50J3").age < parse_find("M57B3").age


def test_finds_of_ages_1_2_4_4_4_go_down_in_the_order_14_36_85() -> None:
    laid = do(new_game(), "lay_out", finds=["V85J4", "B36M4", "J70V2", "M14V4", "J90B1"])

    assert show(laid)["galleries"] == [["J90B1"], ["J70V2"], ["M14V4"], ["B36M4"], ["V85J4"]]


def test_a_gallery_that_holds_four_gets_no_fifth_and_only_as_many_finds_are_drawn_as_there_is_room() -> None:
    full = "V01J1 V02J1 V03J1 V04J1"
    ended = do(turn(then=(), galleries=("", full, "", "", "")), "end_turn")
    four, five = ["M10B1", "M20B2", "M30B3", "M40B4"], ["M10B1", "M20B2", "M30B3", "M40B4", "M50B5"]

    assert refusal(ended, "lay_out", finds=five) == "wrong_number_of_finds"
    galleries = show(do(ended, "lay_out", finds=four))["galleries"]
    assert galleries == [["M10B1"], full.split(), ["M20B2"], ["M30B3"], ["M40B4"]]


# 2. Distributing research funds


def test_a_figure_on_the_3_coin_space_for_galleries_i_and_ii_gets_3_coins_and_may_not_dig_in_iii() -> None:
    board = Board()
    spaces = [at for at in range(1, 14) if board.coins_of(at) == 3 and board.deepest_of(at) == 2]
    assert len(spaces) == 1

    state = do(
        do(new_game(), "lay_out", finds=["V01J1", "V02J1", "V03J1", "V04J1", "V05J1"]),
        "draw_funds",
        backs=["chest", "bag"],
    )
    for space in (spaces[0], 2, 1):
        state = do(state, "place_figure", space=space)
    state = do(state, "reveal_funds", values=[7, 4])

    assert (show(state)["to_act"], player(state, "Ada").coins) == ("Ada", 3)
    assert refusal(state, "dig", gallery=3) == "gallery_too_deep"
    assert player(do(state, "dig", gallery=2), "Ada").finds == ("V02J1",)


def test_cards_of_7_and_4_lay_out_11_coins() -> None:
    state = do(
        do(new_game(), "lay_out", finds=["V01J1", "V02J1", "V03J1", "V04J1", "V05J1"]),
        "draw_funds",
        backs=["chest", "bag"],
    )
    for space in (1, 5, 12):
        state = do(state, "place_figure", space=space)
    state = do(state, "reveal_funds", values=[7, 4])

    assert sum(event["coins"] for event in told(state, "paid")) == 11


# 3. Excavating, exhibiting, storing


@pytest.mark.parametrize(("space", "galleries"), [(3, 5), (4, 4)], ids=["English: I to V", "German: I to IV"])
def test_a_space_says_in_which_galleries_one_may_dig(space: int, galleries: int) -> None:
    state = turn(space=space, coins=9, galleries=("V01J1", "V02J1", "V03J1", "V04J1", "V05J1"))

    for gallery in range(1, 6):
        if gallery <= galleries:
            assert player(do(state, "dig", gallery=gallery), "Ada").finds == (f"V0{gallery}J1",)
        else:
            assert refusal(state, "dig", gallery=gallery) == "gallery_too_deep"


def test_gallery_iii_costs_3_coins_and_gives_its_two_finds() -> None:
    dug = do(turn(coins=4, finds="B09M2", galleries=("V01J1", "", "V31J3 J32M3", "", "")), "dig", gallery=3)

    assert player(dug, "Ada").coins == 1
    assert player(dug, "Ada").finds == ("B09M2", "V31J3", "J32M3")
    assert show(dug)["galleries"] == [["V01J1"], [], [], [], []]


def test_bracelet_5_vase_3_mask_4_are_worth_12_and_push_9_and_12_down_to_8_and_11_but_not_16() -> None:
    state = turn(finds=BRACELET_VASE_MASK, museum={"Ben": {"I": 9, "II": 12}, "Cleo": {"I": 16}})

    exhibited = do(state, "exhibit", finds=BRACELET_VASE_MASK.split())

    assert museum(exhibited) == {"Ada I": 12, "Ben I": 8, "Ben II": 11, "Cleo I": 16}
    assert player(exhibited, "Ada").points == 1


def test_polished_for_2_coins_the_same_collection_is_worth_14() -> None:
    state = turn(coins=2, finds=BRACELET_VASE_MASK, museum={"Ben": {"I": 9, "II": 12}, "Cleo": {"I": 16}})

    exhibited = do(state, "exhibit", finds=BRACELET_VASE_MASK.split(), polish=2)

    assert museum(exhibited) == {"Ada I": 14, "Ben I": 8, "Ben II": 11, "Cleo I": 16}
    assert player(exhibited, "Ada").coins == 0


def test_storing_five_finds_costs_1_coin() -> None:
    stored = do(turn(coins=3, finds="V01J1 V02J1 V03J1 V04J1 V05J1"), "end_turn")

    assert player(stored, "Ada").coins == 2
    assert len(player(stored, "Ada").finds) == 5


# 4. Evaluation


def test_at_the_end_of_round_5_the_oldest_exhibited_vase_scores_2_points() -> None:
    state = turn(then=(), round=5, museum={"Ben": {"I": (4, "J01V4 V63M1")}, "Cleo": {"I": (3, "J02V4 V62M1")}})

    prizes = [event for event in told(do(state, "end_turn"), "scored") if event["reason"] == "prize"]

    assert [(prize["player"], prize["points"], prize["object"]) for prize in prizes] == [("Ben", 2, "V463")]


def test_4_beside_63_is_a_mask_of_463_ac() -> None:
    assert objects_in(["V10M4", "M63B2"]) == (Whole("M", 463),)
    assert str(objects_in(["V10M4", "M63B2"])[0]) == "M463"


@pytest.mark.parametrize(("round", "spaces"), [(5, 3), (7, 4), (9, 5)])
def test_after_the_evaluation_all_markers_move_down(round: int, spaces: int) -> None:
    evaluated = do(turn(then=(), round=round, museum={"Ben": {"I": 24}, "Cleo": {"I": 6}}), "end_turn")

    assert museum(evaluated) == {"Ben I": 24 - spaces, "Cleo I": 6 - spaces}


# The tomb raider


def test_two_bags_put_the_raider_on_the_fifth_space_from_the_right() -> None:
    state = do(new_game(*TWO), "lay_out", finds=["V01J1", "V02J1", "V03J1", "V04J1", "V05J1"])

    assert show(do(state, "draw_funds", backs=["bag", "bag"]))["figures"] == {"raider": 13 - 5 + 1}


def test_the_raider_on_space_7_gets_3_coins_and_loots_gallery_iii_for_3() -> None:
    state = do(new_game(*TWO), "lay_out", finds=["V01J1", "V02J1", "V03J1", "V04J1", "V05J1"])
    state = do(state, "draw_funds", backs=["bag", "chest"])
    assert show(state)["figures"] == {"raider": 7}
    state = do(do(state, "place_figure", space=5), "place_figure", space=1)

    state = do(state, "reveal_funds", values=[4, 8])

    assert told(state, "paid")[0] == {"what": "paid", "player": "raider", "coins": 3, "space": 7}
    assert told(state, "looted") == [{"what": "looted", "gallery": 3, "finds": ["V03J1"]}]
    assert show(state)["galleries"] == [["V01J1"], ["V02J1"], [], ["V04J1"], ["V05J1"]]
    assert show(state)["raider"] == {"coins": 0}


# Variants


def test_order_track_the_leftmost_figure_is_on_space_1_the_one_next_to_it_on_space_2() -> None:
    """The German text holds: the others choose in the order of their figures, not clockwise."""
    state = new_game("Ada", "Ben", "Cleo", "Dino", variants=["order_track"])
    state = do(
        do(state, "lay_out", finds=["V01J1", "V02J1", "V03J1", "V04J1", "V05J1"]), "draw_funds", backs=["bag", "bag"]
    )
    for space in (8, 2, 5, 11):
        state = do(state, "place_figure", space=space)
    state = do(state, "reveal_funds", values=[1, 2])
    for _ in range(4):
        state = do(state, "end_turn")

    assert show(state)["order"] == ["Ben", "Cleo", "Ada", "Dino"]


def test_free_sorting_the_first_player_orders_the_finds_of_one_century() -> None:
    state = new_game(variants=["free_sorting"])

    laid = do(state, "lay_out", finds=["J90B1", "J70V2", "V85J4", "M14V4", "B36M4"])

    assert show(laid)["galleries"] == [["J90B1"], ["J70V2"], ["V85J4"], ["M14V4"], ["B36M4"]]
