"""Phase 3 apart from the museum: digging, storing, whose turn it is and who begins the next round."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.games.base import Refused
from companion.games.pergamon.turns import storage_fee
from tests.companion.games.given import do, museum, new_game, player, refusal, show, told, turn

GALLERIES = ("V11J1 V12J1", "V21J2", "", "V41J4", "V51J5")
NINE = "V01J1 V02J1 V03J1 V04J1 V05J1 V06J1 V07J1 V08J1 V09J1"


@pytest.mark.parametrize("gallery", [1, 2, 4, 5])
def test_digging_takes_all_finds_of_a_gallery_for_its_number_in_coins(gallery: int) -> None:
    dug = do(turn(space=1, coins=6, galleries=GALLERIES), "dig", gallery=gallery)

    assert player(dug, "Ada").finds == tuple(GALLERIES[gallery - 1].split())
    assert player(dug, "Ada").coins == 6 - gallery
    assert show(dug)["galleries"][gallery - 1] == []
    assert show(dug)["turn"] == {"dug": True, "exhibited": False}
    assert told(dug, "dug")[0]["finds"] == GALLERIES[gallery - 1].split()


def test_no_deeper_than_the_space_allows() -> None:
    assert refusal(turn(space=8, coins=9, galleries=GALLERIES), "dig", gallery=4) == "gallery_too_deep"


def test_an_empty_gallery_cannot_be_dug() -> None:
    assert refusal(turn(space=1, coins=9, galleries=GALLERIES), "dig", gallery=3) == "gallery_empty"


def test_digging_must_be_paid() -> None:
    assert refusal(turn(space=1, coins=3, galleries=GALLERIES), "dig", gallery=4) == "not_enough_coins"


@pytest.mark.parametrize(
    ("space", "coins", "gallery", "said"),
    [
        (8, 9, 4, "Your funds space allows galleries down to II."),
        (1, 9, 3, "Gallery III is empty."),
        (1, 3, 4, "Gallery IV costs 4, and Ada has 3."),
    ],
)
def test_a_refused_dig_is_explained(space: int, coins: int, gallery: int, said: str) -> None:
    state = turn(space=space, coins=coins, galleries=GALLERIES)

    with pytest.raises(Refused) as refused:
        do(state, "dig", gallery=gallery)

    assert refused.value.message == said


def test_one_digs_once_a_turn() -> None:
    dug = do(turn(space=1, coins=9, galleries=GALLERIES), "dig", gallery=1)

    assert refusal(dug, "dig", gallery=2) == "wrong_phase"


def test_one_digs_before_exhibiting() -> None:
    state = turn(space=1, coins=9, finds="V60J3 J61M1", galleries=GALLERIES)

    assert refusal(do(state, "exhibit", finds=["V60J3", "J61M1"]), "dig", gallery=1) == "wrong_phase"


def test_in_the_next_turn_one_digs_again() -> None:
    state = do(do(turn(space=1, coins=9, galleries=GALLERIES), "dig", gallery=1), "end_turn")

    assert show(state)["turn"] == {"dug": False, "exhibited": False}


@pytest.mark.parametrize("gallery", [0, 6, -1, 1.5, "3", "III", None])
def test_there_are_five_galleries(gallery: object) -> None:
    assert refusal(turn(space=1, coins=9, galleries=GALLERIES), "dig", gallery=gallery) == "malformed"


@pytest.mark.parametrize(
    ("finds", "fee"), [(0, 0), (1, 0), (3, 0), (4, 1), (5, 1), (6, 1), (7, 2), (9, 2), (10, 3), (60, 19)]
)
def test_three_finds_are_stored_for_nothing_and_every_three_more_cost_a_coin(finds: int, fee: int) -> None:
    assert storage_fee(finds) == fee


def test_the_storage_fee_is_paid() -> None:
    stored = do(turn(coins=5, finds=NINE), "end_turn")

    assert player(stored, "Ada").coins == 3
    assert told(stored, "stored") == [{"what": "stored", "player": "Ada", "kept": 9, "fee": 2, "discarded": []}]


def test_who_cannot_pay_the_fee_must_throw_away() -> None:
    state = turn(coins=1, finds=NINE)

    assert refusal(state, "end_turn") == "not_enough_coins"
    stored = do(state, "end_turn", discard=["V01J1", "V05J1", "V09J1"])
    assert player(stored, "Ada").finds == ("V02J1", "V03J1", "V04J1", "V06J1", "V07J1", "V08J1")
    assert player(stored, "Ada").coins == 0


def test_everything_may_be_thrown_away() -> None:
    assert player(do(turn(finds=NINE), "end_turn", discard=NINE.split()), "Ada").finds == ()


@pytest.mark.parametrize("discard", [["V77J1"], ["V01J1", "V01J1"], ["rubbish"]])
def test_only_ones_own_finds_can_be_thrown_away_and_only_once(discard: list[str]) -> None:
    assert refusal(turn(coins=9, finds=NINE), "end_turn", discard=discard) == "unknown_find"


def test_only_the_player_to_act_acts() -> None:
    state = turn("Ada", coins=9, galleries=GALLERIES)

    for command in ({"do": "dig", "gallery": 1}, {"do": "end_turn"}, {"do": "exhibit", "finds": []}):
        fields = {key: value for key, value in command.items() if key != "do"}
        assert refusal(state, str(command["do"]), player="Ben", **fields) == "not_your_turn"
    assert show(do(state, "end_turn", player="Ada"))["to_act"] == "Ben"


def test_a_step_of_the_whole_table_is_nobodys_turn() -> None:
    finds = ["V10J1", "V20J2", "V30J3", "V40J4", "V50J5"]

    assert refusal(new_game(), "lay_out", player="Ada", finds=finds) == "not_your_turn"


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("draw_funds", {"backs": ["bag", "bag"]}),
        ("place_figure", {"space": 3}),
        ("reveal_funds", {"values": [1, 2]}),
        ("dig", {"gallery": 1}),
        ("exhibit", {"finds": ["V50J3", "J12M4"]}),
        ("end_turn", {}),
    ],
)
def test_before_the_finds_are_laid_out_nothing_else_is_done(name: str, fields: dict[str, object]) -> None:
    assert refusal(new_game(), name, **fields) == "wrong_phase"


def test_in_the_turns_nothing_is_laid_out_drawn_placed_or_revealed() -> None:
    state = turn()

    assert refusal(state, "lay_out", finds=[]) == "wrong_phase"
    assert refusal(state, "draw_funds", backs=["bag", "bag"]) == "wrong_phase"
    assert refusal(state, "place_figure", space=1) == "wrong_phase"
    assert refusal(state, "reveal_funds", values=[1, 2]) == "wrong_phase"


def test_after_the_end_no_command_is_taken() -> None:
    over = do(turn(then=(), round=12), "end_turn")

    assert show(over)["phase"] == "over"
    assert refusal(over, "end_turn") == "wrong_phase"
    assert refusal(over, "lay_out", finds=[]) == "wrong_phase"


def test_the_leftmost_figure_begins_the_next_round_and_the_others_follow_clockwise() -> None:
    state = turn("Dino", then=(), players=("Ada", "Ben", "Cleo", "Dino"))
    state = replace(state, figures=((0, 8), (1, 4), (2, 1), (3, 11)))

    ended = do(state, "end_turn")

    assert show(ended)["order"] == ["Cleo", "Dino", "Ada", "Ben"]
    assert (show(ended)["first_player"], show(ended)["round"], show(ended)["phase"]) == ("Cleo", 2, "lay_out")
    assert told(ended, "round_began") == [{"what": "round_began", "round": 2, "first_player": "Cleo"}]


def test_on_the_order_track_they_follow_from_left_to_right() -> None:
    state = turn("Dino", then=(), players=("Ada", "Ben", "Cleo", "Dino"), variants=["order_track"])
    state = replace(state, figures=((0, 8), (1, 4), (2, 1), (3, 11)))

    assert show(do(state, "end_turn"))["order"] == ["Cleo", "Ben", "Ada", "Dino"]


@pytest.mark.parametrize("round", [1, 2, 3, 4, 6, 8, 10, 11])
def test_most_rounds_end_without_an_evaluation(round: int) -> None:
    state = turn(then=(), round=round, museum={"Ben": {"I": 9}})

    ended = do(state, "end_turn")

    assert told(ended, "scored") == []
    assert museum(ended) == {"Ben I": 9}
