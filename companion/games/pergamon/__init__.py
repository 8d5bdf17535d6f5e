"""Pergamon, behind the seam that every game has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from companion.games.base import Description, Expected, Option, Step
from companion.games.pergamon import commands, pieces, rules
from companion.games.pergamon.board import SHIPPED, Board, read_board
from companion.games.pergamon.commands import COLOURS, AnyCommand, NewGame
from companion.games.pergamon.state import State, show, view


class Pergamon:
    """The game as the table sees it."""

    name = "pergamon"
    description = Description(
        name="pergamon",
        title="Pergamon",
        fewest_players=2,
        most_players=4,
        colours=COLOURS,
        variants=(Option("order_track", False), Option("free_sorting", False)),
        house_rules=(Option("raider_takes_rest", True), Option("hidden_points", False)),
    )
    data_file = "pergamon-board.toml"
    data_text = SHIPPED

    def read_data(self, text: str) -> Board:
        return read_board(text)

    def decode(self, line: bytes) -> AnyCommand:
        return commands.decode(line)

    def encode(self, command: AnyCommand) -> bytes:
        return commands.encode(command)

    def fill_in(self, new_game: NewGame, data: Board | None) -> NewGame:
        return new_game if new_game.board else replace(new_game, board=data or Board())

    def start(self, new_game: NewGame) -> State:
        return rules.start(new_game)

    def apply(self, state: State, command: AnyCommand) -> State:
        return rules.apply(state, command)

    def is_over(self, state: State) -> bool:
        return state.phase == "over"

    def players(self, state: State) -> tuple[str, ...]:
        return tuple(player.name for player in state.players)

    def winners(self, state: State) -> tuple[str, ...]:
        return state.winners

    def next_step(self, state: State) -> Step:
        to_act = state.to_act
        return Step(
            to_act=None if to_act is None else state.players[to_act].name,
            commands=tuple(str(command.__struct_config__.tag) for command in rules.PHASES[state.phase]),
        )

    def expected(self, state: State) -> Expected | None:
        return pieces.expected(state)

    def where(self, state: State, codes: Sequence[str]) -> tuple[str, ...]:
        return pieces.where(state, codes)

    def from_pieces(self, state: State, codes: Sequence[str]) -> AnyCommand:
        return pieces.command_for(state, codes)

    def show(self, state: State, version: int) -> dict[str, Any]:
        return show(state, version)

    def view(self, state: State, version: int, seat: str | None) -> dict[str, Any]:
        return view(state, version, seat)


PERGAMON = Pergamon()
