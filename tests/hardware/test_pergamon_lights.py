"""What the lights beside the galleries and the players' lights say in each phase of Pergamon."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.pergamon.state import State
from hardware.games import board_of, proposal_of
from hardware.lights import Board
from tests.companion.games.given import do, new_game

FINDS = ["V10J1", "J20M2", "M30B3", "B40V4", "V50M5"]


def lights(state: State, proposed: bool = False) -> Board:
    return board_of("pergamon", state, proposed)


def laid_out() -> State:
    return do(new_game("Ada", "Ben", "Cleo"), "lay_out", finds=FINDS)


def excavating() -> State:
    state = do(laid_out(), "draw_funds", backs=["bag", "chest"])
    for name, space in (("Ada", 7), ("Ben", 13), ("Cleo", 1)):
        state = do(state, "place_figure", player=name, space=space)
    return do(state, "reveal_funds", values=[3, 7])


def test_without_a_game_all_is_dark() -> None:
    assert board_of(None, None) == Board()
    assert proposal_of(None, None) is None


def test_before_the_finds_are_read_one_light_for_each_find_to_turn_over() -> None:
    assert lights(new_game("Ada", "Ben", "Cleo")).places == ("on",) * 5


def test_a_full_gallery_stays_dark() -> None:
    full = ("V10J1", "J20M1", "M30B1", "B40V1")
    state = replace(new_game("Ada", "Ben", "Cleo"), galleries=(full, (), (), (), ()))
    assert lights(state).places == ("off", "on", "on", "on", "on")


def test_finds_just_confirmed_are_shown_while_they_are_laid_on_the_board() -> None:
    assert lights(laid_out()).places == ("on",) * 5


def test_while_figures_are_placed_only_the_one_to_act_is_shown() -> None:
    state = do(laid_out(), "draw_funds", backs=["bag", "chest"])
    assert lights(state) == Board(players=("on", "off", "off", "off"))
    state = do(state, "place_figure", player="Ada", space=7)
    assert lights(state).players == ("off", "on", "off", "off")


def test_the_player_to_act_sees_where_they_may_dig() -> None:
    state = excavating()
    assert state.to_act == 1  # Ben, on the rightmost space: 0 coins
    assert lights(state) == Board(players=("off", "on", "off", "off"))
    state = do(state, "end_turn")
    assert lights(state) == Board(("on", "on", "on", "off", "off"), ("on", "off", "off", "off"))
    assert lights(do(state, "dig", gallery=2)).places == ("off",) * 5


def test_a_player_s_light_has_the_colour_of_their_figure() -> None:
    state = new_game({"name": "Ada", "colour": "green"}, {"name": "Ben", "colour": "red"})
    assert lights(state).players == ("off", "off", "off", "on")


def test_a_proposal_to_end_the_turn_makes_the_player_s_light_blink() -> None:
    assert lights(excavating(), proposed=True).players == ("off", "slow", "off", "off")


def test_next_may_propose_the_end_of_a_turn_and_nothing_else() -> None:
    assert proposal_of("pergamon", excavating()) == b'{"do":"end_turn"}'
    assert proposal_of("pergamon", laid_out()) is None
