"""The tomb raider of the two-player game: his space, his purse, his looting."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.games.pergamon.state import State
from tests.companion.games.given import TWO, do, new_game, player, refusal, show, told

FIVE = ["V10J1", "V20J2", "V30J3", "V40J4", "V50J5"]
BACKS = {"two bags": ["bag", "bag"], "bag and chest": ["chest", "bag"], "two chests": ["chest", "chest"]}


def placed(ada: int, ben: int, backs: str = "bag and chest", purse: int = 0, **options: object) -> State:
    """Both players sit; the raider stands where the backs put him, with coins from earlier rounds."""
    state = do(do(new_game(*TWO, **options), "lay_out", finds=FIVE), "draw_funds", backs=BACKS[backs])
    state = replace(state, raider_coins=purse)
    return do(do(state, "place_figure", space=ada), "place_figure", space=ben)


def without(state: State, *galleries: int) -> State:
    """The same with these galleries empty."""
    left = tuple(() if number in galleries else finds for number, finds in enumerate(state.galleries, start=1))
    return replace(state, galleries=left)


def purse(state: State) -> int:
    return int(show(state)["raider"]["coins"])


@pytest.mark.parametrize(("backs", "space"), [("two bags", 9), ("bag and chest", 7), ("two chests", 5)])
def test_the_backs_say_where_he_stands(backs: str, space: int) -> None:
    state = do(do(new_game(*TWO), "lay_out", finds=FIVE), "draw_funds", backs=BACKS[backs])

    assert show(state)["figures"] == {"raider": space}
    assert show(state)["to_act"] == "Ada"


def test_the_boards_own_raider_spaces_hold() -> None:
    state = do(new_game(*TWO, board={"raider": {"two_bags": 2}}), "lay_out", finds=FIVE)

    assert show(do(state, "draw_funds", backs=["bag", "bag"]))["figures"] == {"raider": 2}


def test_rightmost_he_loots_before_anyone_acts() -> None:
    state = do(placed(1, 2, "two bags"), "reveal_funds", values=[4, 4])

    assert told(state, "looted")[0]["gallery"] == 2
    assert show(state)["waiting"] == ["Ben", "Ada"]


def test_between_the_two_he_loots_when_the_first_has_ended_their_turn() -> None:
    state = do(placed(12, 1), "reveal_funds", values=[7, 4])
    assert show(state)["waiting"] == ["Ada", "raider", "Ben"]
    assert told(state, "looted") == []

    state = do(do(state, "dig", gallery=1), "end_turn")

    assert told(state, "looted")[0]["gallery"] == 3
    assert show(state)["to_act"] == "Ben"


def test_leftmost_he_loots_last_and_the_round_ends() -> None:
    state = do(placed(8, 12), "reveal_funds", values=[7, 4])
    state = do(do(state, "end_turn"), "end_turn")

    assert told(state, "looted")[0]["gallery"] == 3
    assert show(state)["round"] == 2


def test_leftmost_he_takes_the_rest_of_the_funds() -> None:
    state = do(placed(8, 12), "reveal_funds", values=[7, 4])

    assert told(state, "paid")[-1] == {"what": "paid", "player": "raider", "coins": 11 - 1 - 3, "space": 7}
    assert told(state, "returned") == []


def test_leftmost_he_gets_less_when_less_is_left() -> None:
    state = do(placed(8, 10), "reveal_funds", values=[5, 1])

    assert told(state, "paid")[-1]["coins"] == 6 - 2 - 3


def test_house_rule_he_takes_only_his_spaces_coins_and_the_rest_goes_back() -> None:
    state = do(placed(8, 12, house_rules={"raider_takes_rest": False}), "reveal_funds", values=[7, 4])

    assert told(state, "paid")[-1]["coins"] == 3
    assert told(state, "returned") == [{"what": "returned", "coins": 11 - 1 - 3 - 3}]
    assert purse(state) == 3


def test_house_rule_a_leftmost_player_still_takes_the_rest() -> None:
    state = do(placed(1, 12, house_rules={"raider_takes_rest": False}), "reveal_funds", values=[8, 4])

    assert player(state, "Ada").coins == 12 - 1 - 3
    assert told(state, "returned") == []


def test_his_space_limits_him_whatever_his_purse_holds() -> None:
    state = do(placed(1, 2, purse=20), "reveal_funds", values=[8, 4])

    assert told(state, "looted")[0]["gallery"] == 3
    assert purse(state) == 20 + 3 - 3


def test_his_purse_limits_him_whatever_his_space_allows() -> None:
    state = do(placed(8, 9), "reveal_funds", values=[5, 1])
    assert purse(state) == 1

    state = do(do(state, "end_turn"), "end_turn")

    assert told(state, "looted")[0]["gallery"] == 1
    assert purse(state) == 0


def test_coins_kept_from_earlier_rounds_pay_for_a_deeper_gallery() -> None:
    state = do(placed(8, 9, purse=2), "reveal_funds", values=[5, 1])

    assert told(do(do(state, "end_turn"), "end_turn"), "looted")[0]["gallery"] == 3


def test_an_empty_gallery_sends_him_towards_the_surface_for_that_ones_price() -> None:
    state = do(without(placed(1, 2), 3, 2), "reveal_funds", values=[8, 4])

    assert told(state, "looted") == [{"what": "looted", "gallery": 1, "finds": ["V10J1"]}]
    assert purse(state) == 3 - 1


def test_he_goes_no_further_up_than_he_must() -> None:
    state = do(without(placed(1, 2), 3), "reveal_funds", values=[8, 4])

    assert told(state, "looted") == [{"what": "looted", "gallery": 2, "finds": ["V20J2"]}]
    assert purse(state) == 3 - 2


def test_with_nothing_to_loot_he_pays_nothing() -> None:
    state = do(without(placed(1, 2), 1, 2, 3), "reveal_funds", values=[8, 4])

    assert told(state, "looted") == [{"what": "looted", "gallery": 0, "finds": []}]
    assert purse(state) == 3
    assert show(state)["galleries"] == [[], [], [], ["V40J4"], ["V50J5"]]


def test_without_a_coin_he_loots_nothing() -> None:
    state = do(placed(8, 9), "reveal_funds", values=[5, 4])
    broke = replace(state, raider_coins=0)

    assert told(do(do(broke, "end_turn"), "end_turn"), "looted")[0]["gallery"] == 0


def test_what_he_looted_does_not_come_back() -> None:
    state = do(placed(1, 2), "reveal_funds", values=[8, 4])
    state = do(do(state, "end_turn"), "end_turn")

    assert refusal(state, "lay_out", finds=["V30J3", "M01B1", "M02B1", "M03B1", "M04B1"]) == "find_seen_before"


@pytest.mark.parametrize(("ada", "ben", "first"), [(8, 12, "Ada"), (12, 8, "Ben"), (1, 2, "Ada"), (13, 1, "Ben")])
def test_the_next_first_player_is_the_one_of_the_two_who_acted_last(ada: int, ben: int, first: str) -> None:
    state = do(placed(ada, ben), "reveal_funds", values=[8, 4])
    state = do(do(state, "end_turn"), "end_turn")

    assert show(state)["first_player"] == first


def test_he_is_placed_before_the_first_player_chooses_in_every_round() -> None:
    state = do(placed(8, 12), "reveal_funds", values=[7, 4])
    state = do(do(state, "end_turn"), "end_turn")
    assert show(state)["figures"] == {}
    state = do(state, "lay_out", finds=["M01B1", "M02B1", "M03B1", "M04B1", "M05B1"])

    assert show(do(state, "draw_funds", backs=["chest", "chest"]))["figures"] == {"raider": 5}


def test_nobody_may_act_for_him() -> None:
    state = do(placed(12, 1), "reveal_funds", values=[7, 4])

    assert refusal(state, "end_turn", player="raider") == "not_your_turn"


def test_the_order_track_changes_nothing_for_two() -> None:
    plain = do(placed(8, 12), "reveal_funds", values=[7, 4])
    track = do(placed(8, 12, variants=["order_track"]), "reveal_funds", values=[7, 4])

    orders = [show(do(do(state, "end_turn"), "end_turn"))["order"] for state in (plain, track)]

    assert orders == [["Ada", "Ben"], ["Ada", "Ben"]]
