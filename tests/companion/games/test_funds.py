"""Phase 2: two cards, figures on the funds spaces, coins from right to left, and cards counted down."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.games.pergamon.state import State
from tests.companion.games.given import THREE, TWO, do, new_game, player, refusal, show, told

FIVE = ["V10J1", "V20J2", "V30J3", "V40J4", "V50J5"]


def drawn(*names: str, backs: tuple[str, str] = ("bag", "chest"), **options: object) -> State:
    return do(do(new_game(*names, **options), "lay_out", finds=FIVE), "draw_funds", backs=backs)


def placed(*spaces: int, backs: tuple[str, str] = ("bag", "chest"), **options: object) -> State:
    names = ("Ada", "Ben", "Cleo", "Dino")[: len(spaces)]
    state = drawn(*names, backs=backs, **options)
    for space in spaces:
        state = do(state, "place_figure", space=space)
    return state


def coins(state: State) -> list[int]:
    return [player.coins for player in state.players]


def test_the_first_player_chooses_first_then_clockwise() -> None:
    state = drawn()

    for name, space in zip(THREE, (4, 8, 2), strict=True):
        assert (show(state)["phase"], show(state)["to_act"]) == ("place_figures", name)
        state = do(state, "place_figure", player=name, space=space)
    assert (show(state)["phase"], show(state)["to_act"]) == ("reveal_funds", None)
    assert show(state)["figures"] == {"Ada": 4, "Ben": 8, "Cleo": 2}


def test_a_taken_space_is_refused() -> None:
    assert refusal(do(drawn(), "place_figure", space=4), "place_figure", space=4) == "space_taken"


def test_the_raiders_space_is_refused() -> None:
    assert refusal(drawn(*TWO), "place_figure", space=7) == "space_taken"


@pytest.mark.parametrize("space", [0, 14, -1, 1.5, "7", None, True, 10**30])
def test_there_are_13_funds_spaces(space: object) -> None:
    assert refusal(drawn(), "place_figure", space=space) == "malformed"


def test_another_player_may_not_place_first() -> None:
    assert refusal(drawn(), "place_figure", player="Ben", space=3) == "not_your_turn"
    assert refusal(drawn(), "place_figure", player="Nobody", space=3) == "not_your_turn"


def test_from_right_to_left_each_takes_the_coins_of_their_space() -> None:
    state = do(placed(1, 5, 12), "reveal_funds", values=[4, 7])

    assert coins(state) == [6, 4, 1]
    assert [event["player"] for event in told(state, "paid")] == ["Cleo", "Ben", "Ada"]
    assert (show(state)["to_act"], show(state)["waiting"]) == ("Cleo", ["Cleo", "Ben", "Ada"])


def test_the_leftmost_takes_all_that_is_left_when_it_is_more() -> None:
    assert coins(do(placed(7, 12, 13), "reveal_funds", values=[4, 8])) == [11, 1, 0]


def test_the_leftmost_takes_all_that_is_left_when_it_is_less() -> None:
    assert coins(do(placed(1, 2, 3), "reveal_funds", values=[4, 8])) == [1, 6, 5]


def test_when_the_coins_run_out_the_next_gets_what_is_there_and_the_leftmost_nothing() -> None:
    assert coins(do(placed(1, 2, 3, backs=("bag", "bag")), "reveal_funds", values=[3, 4])) == [0, 2, 5]


def test_coins_add_up_over_the_rounds() -> None:
    state = placed(1, 5, 12)
    rich = replace(state, players=tuple(replace(player, coins=10) for player in state.players))

    assert coins(do(rich, "reveal_funds", values=[4, 7])) == [16, 14, 11]


def test_the_boards_own_numbers_are_paid() -> None:
    board = {"coins": [9, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 3, 1]}

    assert coins(do(placed(1, 5, 12, board=board), "reveal_funds", values=[4, 8])) == [7, 2, 3]


@pytest.mark.parametrize(
    ("backs", "values"),
    [(("bag", "bag"), [4, 5]), (("chest", "chest"), [5, 4]), (("bag", "chest"), [8, 1]), (("chest", "bag"), [4, 5])],
)
def test_a_bag_is_worth_1_to_4_and_a_chest_5_to_8(backs: tuple[str, str], values: list[int]) -> None:
    assert refusal(placed(1, 5, 12, backs=backs), "reveal_funds", values=values) == "back_and_value_differ"


@pytest.mark.parametrize("value", [1, 2, 3, 4])
def test_every_value_of_a_bag_is_taken(value: int) -> None:
    state = do(placed(1, 5, 12, backs=("bag", "bag")), "reveal_funds", values=[value, value])

    assert show(state)["funds"]["unseen"][str(value)] == 1


@pytest.mark.parametrize("values", [[3], [3, 7, 7], [0, 7], [3, 9], ["3", "7"], [3.5, 7], None, [True, 7]])
def test_what_are_no_two_cards_is_malformed(values: object) -> None:
    assert refusal(placed(1, 5, 12), "reveal_funds", values=values) == "malformed"


@pytest.mark.parametrize("backs", [["bag"], ["bag", "bag", "bag"], ["bag", "box"], [3, 7], None, "bag"])
def test_what_are_no_two_backs_is_malformed(backs: object) -> None:
    assert refusal(do(new_game(), "lay_out", finds=FIVE), "draw_funds", backs=backs) == "malformed"


def test_seen_cards_are_counted_down() -> None:
    state = do(placed(1, 5, 12), "reveal_funds", values=[3, 7])

    assert show(state)["funds"]["values"] == [3, 7]
    assert show(state)["funds"]["unseen"] == {"1": 3, "2": 3, "3": 2, "4": 3, "5": 3, "6": 3, "7": 2, "8": 3}


def test_a_value_that_was_used_three_times_is_refused() -> None:
    state = replace(placed(1, 5, 12), unseen_cards=(3, 3, 0, 3, 3, 3, 3, 3))

    assert refusal(state, "reveal_funds", values=[3, 7]) == "card_used_up"


def test_the_last_card_of_a_value_cannot_come_twice_at_once() -> None:
    state = replace(placed(1, 5, 12, backs=("bag", "bag")), unseen_cards=(3, 3, 1, 3, 3, 3, 3, 3))

    assert refusal(state, "reveal_funds", values=[3, 3]) == "card_used_up"
    assert show(do(state, "reveal_funds", values=[3, 2]))["funds"]["unseen"]["3"] == 0


def test_a_back_of_which_no_card_is_left_is_refused() -> None:
    laid = do(new_game(), "lay_out", finds=FIVE)
    state = replace(laid, unseen_cards=(0, 0, 0, 1, 0, 1, 0, 0))

    assert refusal(state, "draw_funds", backs=["bag", "bag"]) == "card_used_up"
    assert refusal(state, "draw_funds", backs=["chest", "chest"]) == "card_used_up"
    assert show(do(state, "draw_funds", backs=["chest", "bag"]))["funds"]["backs"] == ["chest", "bag"]


@pytest.mark.parametrize(("back", "value"), [("bag", 1), ("bag", 4), ("chest", 5), ("chest", 8)])
def test_the_last_card_with_a_back_can_be_drawn_whatever_its_value(back: str, value: int) -> None:
    others = [0] * 8
    others[value - 1] = 1
    others[1 if back == "chest" else 6] = 1
    laid = replace(do(new_game(), "lay_out", finds=FIVE), unseen_cards=tuple(others))

    drawn_last = do(laid, "draw_funds", backs=["bag", "chest"])

    assert show(drawn_last)["phase"] == "place_figures"
    assert refusal(laid, "draw_funds", backs=[back, back]) == "card_used_up"


def test_in_round_12_the_last_two_cards_are_known() -> None:
    laid = do(new_game(), "lay_out", finds=FIVE)
    state = replace(laid, round=12, unseen_cards=(0, 0, 0, 1, 0, 1, 0, 0))
    state = do(state, "draw_funds", backs=["bag", "chest"])
    for space in (1, 5, 12):
        state = do(state, "place_figure", space=space)

    assert refusal(state, "reveal_funds", values=[3, 6]) == "card_used_up"
    assert set(show(do(state, "reveal_funds", values=[4, 6]))["funds"]["unseen"].values()) == {0}


def test_the_funds_are_cleared_for_the_next_round() -> None:
    state = do(placed(1, 5, 12), "reveal_funds", values=[3, 7])
    for _ in THREE:
        state = do(state, "end_turn")

    assert show(state)["figures"] == {}
    assert (show(state)["funds"]["backs"], show(state)["funds"]["values"]) == ([], [])
    assert player(state, "Cleo").coins == 1
