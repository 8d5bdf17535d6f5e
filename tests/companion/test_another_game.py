"""The seam for games: another game needs its own package and a line in the list of games, nothing else."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec
import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from companion.cli import companion
from companion.games import GAMES
from companion.games.base import Description, Expected, Game, Refused, Step
from companion.games.pergamon import PERGAMON
from companion.journal import Journal
from companion.past_games import export_game, import_games
from companion.table import Table
from tests.companion.games.players import random_game

COMPANION = Path(__file__).parents[2] / "companion"
KNOWS_NO_GAME = ("play", "records", "journal", "table", "owner", "past_games", "cli", "games/base")


class NewGame(msgspec.Struct, tag_field="do", tag="new_game", frozen=True, kw_only=True, omit_defaults=True):
    game: Literal["sticks"]
    players: tuple[str, ...]
    on: int | None = None
    replace: bool = False


class Take(msgspec.Struct, tag_field="do", tag="take", frozen=True, kw_only=True, omit_defaults=True):
    sticks: int
    on: int | None = None


class Sticks(msgspec.Struct, frozen=True):
    players: tuple[str, ...]
    left: int = 10
    turn: int = 0


class SticksGame:
    """Take one to three sticks; who takes the last one wins."""

    name = "sticks"
    description = Description("sticks", "Sticks", 2, 2, ("white", "black"))
    data_file = "sticks.toml"
    data_text = ""
    _decoder: msgspec.json.Decoder[NewGame | Take] = msgspec.json.Decoder(NewGame | Take)

    def read_data(self, _text: str) -> None:
        return None

    def decode(self, line: bytes) -> NewGame | Take:
        try:
            return self._decoder.decode(line)
        except msgspec.DecodeError as error:
            raise Refused("malformed", f"{error}.") from None

    def encode(self, command: NewGame | Take) -> bytes:
        return msgspec.json.encode(replace(command, on=None))

    def fill_in(self, new_game: NewGame, _data: None) -> NewGame:
        return new_game

    def start(self, new_game: NewGame) -> Sticks:
        return Sticks(new_game.players)

    def apply(self, state: Sticks, command: Any) -> Sticks:
        if not isinstance(command, Take) or not 1 <= command.sticks <= min(3, state.left):
            raise Refused("not_so_many", "Take one to three sticks.")
        return replace(state, left=state.left - command.sticks, turn=state.turn + 1)

    def is_over(self, state: Sticks) -> bool:
        return state.left == 0

    def players(self, state: Sticks) -> tuple[str, ...]:
        return state.players

    def winners(self, state: Sticks) -> tuple[str, ...]:
        return (state.players[(state.turn - 1) % 2],) if state.left == 0 else ()

    def next_step(self, state: Sticks) -> Step:
        return Step(state.players[state.turn % 2], ("take",))

    def expected(self, _state: Sticks) -> Expected | None:
        return None

    def where(self, _state: Sticks, codes: Sequence[str]) -> tuple[str, ...]:
        return ("",) * len(codes)

    def from_pieces(self, _state: Sticks, _codes: Sequence[str]) -> Take:
        raise Refused("wrong_phase", "No camera is needed.")

    def show(self, state: Sticks, version: int) -> dict[str, Any]:
        return {
            "game": "sticks",
            "version": version,
            "phase": "over" if self.is_over(state) else "take",
            "to_act": self.next_step(state).to_act,
            "players": [{"name": name} for name in state.players],
            "left": state.left,
            "winners": list(self.winners(state)),
        }

    def view(self, state: Sticks, version: int, _seat: str | None) -> dict[str, Any]:
        return self.show(state, version)


NEW = b'{"do":"new_game","game":"sticks","players":["Ada","Ben"]}'
WHOLE = [NEW, *[b'{"do":"take","sticks":3}'] * 3, b'{"do":"take","sticks":1}']


@pytest.fixture(autouse=True)
def sticks(monkeypatch: pytest.MonkeyPatch) -> Game:
    game = SticksGame()
    monkeypatch.setitem(GAMES, "sticks", game)
    return game


def test_another_game_is_played_undone_recorded_and_resumed(open_journal: Callable[..., Journal]) -> None:
    table = Table(open_journal())
    for line in [*WHOLE[:3], b'{"do":"undo"}', *WHOLE[2:]]:
        table.submit(line)
    assert table.now.show()["winners"] == ["Ben"]
    table.journal.close()

    table = Table(open_journal())

    assert table.now.show() == {
        "game": "sticks", "version": 7, "phase": "over", "to_act": "Ada", "players": [{"name": "Ada"}, {"name": "Ben"}],
        "left": 0, "winners": ["Ben"],
    }  # fmt: skip
    assert table.journal.games()[0].winners == ("Ben",)


def test_its_refusals_come_through_with_their_code(open_journal: Callable[..., Journal]) -> None:
    table = Table(open_journal())
    table.submit(NEW)

    for line, code in (
        (b'{"do":"take","sticks":4}', "not_so_many"),
        (b'{"do":"dig","gallery":1}', "malformed"),
        (NEW, "game_under_way"),
        (b'{"do":"take","sticks":1,"on":9}', "stale_state"),
    ):
        with pytest.raises(Refused) as refused:
            table.submit(line)
        assert refused.value.code == code


def test_one_evening_may_hold_two_games(open_journal: Callable[..., Journal], tmp_path: Path) -> None:
    table = Table(open_journal())
    for line in [*WHOLE, *random_game(1)]:
        table.submit(line)

    path = tmp_path / "sticks.txt"
    path.write_bytes(export_game(table.journal, 1))
    import_games(table.journal, str(path))

    assert [game.game for game in table.journal.games()] == ["sticks", "pergamon", "sticks"]


def test_replay_plays_it(tmp_path: Path) -> None:
    path = tmp_path / "sticks.txt"
    for lines, said in ((WHOLE, "Won by Ben"), (WHOLE[:2], "Next: Ben")):
        path.write_bytes(b"\n".join(lines))
        assert said in CliRunner().invoke(companion, ["replay", str(path)]).stdout
    assert json.loads(CliRunner().invoke(companion, ["replay", "--json", str(path)]).stdout)["left"] == 7


@pytest.mark.parametrize("module", KNOWS_NO_GAME)
def test_what_serves_every_game_knows_none(module: str) -> None:
    text = (COMPANION / f"{module}.py").read_text("utf-8").lower()

    assert not re.findall(r"pergamon|\bfind\b|gallery|raider|museum|polish|funds", text)


def test_pergamon_keeps_every_promise_of_a_game() -> None:
    game: Game = PERGAMON

    assert GAMES[game.name] is game
    assert game.description.name == game.name
    assert game.read_data(game.data_text) is not None
