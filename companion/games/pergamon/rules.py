"""The rules of Pergamon: how a game starts, and which commands each phase takes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.games.base import Refused
from companion.games.pergamon.board import Board
from companion.games.pergamon.commands import (
    AnyCommand,
    Command,
    Dig,
    DrawFunds,
    EndTurn,
    Exhibit,
    LayOut,
    NewGame,
    PlaceFigure,
    RevealFunds,
    seats,
)
from companion.games.pergamon.funds import CARDS_OF_A_VALUE, VALUES
from companion.games.pergamon.notation import shorten
from companion.games.pergamon.rounds import begin_round, draw_funds, lay_out, place_figure, reveal_funds
from companion.games.pergamon.state import Player, State
from companion.games.pergamon.turns import dig, end_turn, exhibit


def start(new_game: NewGame) -> State:
    """Round 1 of a new game, with nothing on the table yet."""
    if len(set(new_game.variants)) < len(new_game.variants):
        raise Refused("malformed", "A variant is named twice.")
    players = tuple(Player(seat.name, seat.colour) for seat in seats(new_game))
    state = State(
        players=players,
        variants=new_game.variants,
        house_rules=new_game.house_rules,
        board=new_game.board or Board(),
        round=0,
        phase="over",
        order=tuple(range(len(players))),
        galleries=((),) * 5,
        seen=frozenset(),
        unseen_cards=(CARDS_OF_A_VALUE,) * len(VALUES),
    )
    return begin_round(state, state.order)


def apply(state: State, command: AnyCommand) -> State:
    """The state after this command, or Refused with the state as it was."""
    rule = PHASES[state.phase].get(type(command))
    if rule is None:
        raise Refused("wrong_phase", f"Not now: {NOW[state.phase]}.")
    if command.player is not None:
        to_act = state.to_act
        name = None if to_act is None else state.players[to_act].name
        if command.player != name:
            whose = f"It is {name}'s turn" if name else "This is for the whole table to do"
            raise Refused("not_your_turn", f"{whose}, not for {shorten(command.player)}.")
    return rule(state, command)


Rule = Callable[[State, Any], State]

PHASES: dict[str, dict[type[Command], Rule]] = {
    "lay_out": {LayOut: lay_out},  # then draw_funds
    "draw_funds": {DrawFunds: draw_funds},  # then place_figures
    "place_figures": {PlaceFigure: place_figure},  # until all sit, then reveal_funds
    "reveal_funds": {RevealFunds: reveal_funds},  # then excavate
    "excavate": {Dig: dig, Exhibit: exhibit, EndTurn: end_turn},  # until all have ended, then lay_out, or over
    "over": {},
}
"""The game at a glance: which commands each phase takes, and where it leads."""

NOW = {
    "lay_out": "new finds must be laid out",
    "draw_funds": "two funds cards must be drawn",
    "place_figures": "the figures must be placed on the funds spaces",
    "reveal_funds": "the funds cards must be turned over",
    "excavate": "the players dig, exhibit and store",
    "over": "the game is over",
}
