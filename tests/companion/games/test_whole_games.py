"""Whole random games at every kind of table; after every command the invariants hold."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from companion.games.base import Refused
from companion.games.pergamon import PERGAMON
from companion.play import Moment, follow
from tests.companion.games import invariants
from tests.companion.games.players import RandomPlayer, new_game

VARIANTS: tuple[list[str], ...] = ([], ["order_track"], ["free_sorting"], ["order_track", "free_sorting"])
TABLES = [
    (players, variants, {"raider_takes_rest": takes_rest, "hidden_points": hidden})
    for players, variants, takes_rest, hidden in itertools.product((2, 3, 4), VARIANTS, (True, False), (True, False))
    if (players == 2 or takes_rest) and hidden == (variants == ["order_track"])
]
GAMES_A_TABLE = 34
UNDO = b'{"do":"undo"}'
NOT_ALLOWED: tuple[dict[str, Any], ...] = (
    {"do": "lay_out", "finds": ["V50V3"]},
    {"do": "lay_out", "finds": ["V50J3"] * 5},
    {"do": "draw_funds", "backs": ["bag", "box"]},
    {"do": "place_figure", "player": "raider", "space": 1},
    {"do": "place_figure", "space": 0},
    {"do": "reveal_funds", "values": [1]},
    {"do": "reveal_funds", "values": [9, 9]},
    {"do": "dig", "player": "Nobody", "gallery": 1},
    {"do": "dig", "gallery": 6},
    {"do": "exhibit", "finds": []},
    {"do": "exhibit", "finds": ["V50J3", "V50J3"]},
    {"do": "exhibit", "finds": ["V50J3", "J12M4"], "polish": -1},
    {"do": "end_turn", "discard": ["V50V3"]},
    {"do": "end_turn", "on": 0},
    {"do": "new_game", "game": "pergamon", "players": ["Ada", "Ben"]},
)


class Table(RuleBasedStateMachine):
    """One game, played, taken back in part and played on until it is over."""

    opening: dict[str, Any]
    finished: Callable[[], None]

    @initialize(seed=st.integers(0, 2**32 - 1))
    def sit_down(self, seed: int) -> None:
        self.player = RandomPlayer(random.Random(seed))
        self.lines: list[bytes] = []
        self.accept(follow(Moment(), msgspec.json.encode(self.opening)))

    @rule(chance=st.integers(0, 2**16 - 1))
    def go_on(self, chance: int) -> None:
        """The next command; now and then some steps back instead."""
        if not self.moment.under_way:
            return
        if chance % 32 == 0:
            self.take_back(1 + chance // 32 % 3)
        else:
            self.play(random.Random(chance))

    def teardown(self) -> None:
        """Nobody leaves before the end."""
        rng = random.Random(len(getattr(self, "lines", ())))
        while self.moment.under_way:
            self.play(rng)
        self.check_replay()
        self.finished()

    def accept(self, moment: Moment) -> None:
        self.moment = moment
        self.lines.append(moment.line)
        self.shown = msgspec.json.decode(msgspec.json.encode(moment.show()))
        invariants.check(self.shown)

    def play(self, rng: random.Random) -> None:
        self.player.rng = rng
        before = self.shown
        command = self.player.next_command(self.moment.state)
        self.check_refusal(rng)
        self.accept(follow(self.moment, msgspec.json.encode(command)))
        invariants.check_step(before, command, self.shown)
        self.check_undo_and_redo(before)
        assert PERGAMON.encode(PERGAMON.decode(self.moment.line)) == self.moment.line
        if rng.random() < 0.03:
            self.check_replay()

    def take_back(self, steps: int) -> None:
        for _ in range(min(steps, self.depth() - 1)):
            self.accept(follow(self.moment, UNDO))

    def depth(self) -> int:
        """How many commands led here, undone ones not counted."""
        moment, count = self.moment, 1
        while moment.before is not None:
            moment, count = moment.before, count + 1
        return count

    def check_refusal(self, rng: random.Random) -> None:
        """A refused command leaves the state equal."""
        line = msgspec.json.encode(rng.choice(NOT_ALLOWED))
        with pytest.raises(Refused):
            follow(self.moment, line)
        assert msgspec.json.decode(msgspec.json.encode(self.moment.show())) == self.shown

    def check_undo_and_redo(self, before: dict[str, Any]) -> None:
        """Undo then redo is the identity, versions aside."""
        undone = follow(self.moment, UNDO)
        assert undone.version == self.moment.version + 1
        assert msgspec.json.decode(msgspec.json.encode(undone.show())) == before | {"version": undone.version}
        redone = follow(undone, self.moment.line)
        assert redone.state == self.moment.state
        assert redone.line == self.moment.line

    def check_replay(self) -> None:
        """The accepted lines lead to the same state, and so do those among them that were not undone."""
        moment = Moment()
        kept: list[bytes] = []
        for line in self.lines:
            moment = follow(moment, line)
            if line == UNDO:
                kept.pop()
            else:
                kept.append(line)
        assert (moment.state, moment.version) == (self.moment.state, self.moment.version)
        again = Moment()
        for line in kept:
            again = follow(again, line)
        assert again.state == self.moment.state


def named(table: tuple[int, list[str], dict[str, bool]]) -> str:
    players, variants, house_rules = table
    return " ".join([f"{players} players", *variants, *(name for name, on in house_rules.items() if on)])


@pytest.mark.parametrize("table", TABLES, ids=named)
def test_whole_games(
    table: tuple[int, list[str], dict[str, bool]], record_property: Callable[[str, object], None]
) -> None:
    players, variants, house_rules = table
    games = 0

    def count() -> None:
        nonlocal games
        games += 1

    class ThisTable(Table):
        opening = new_game(players, variants, house_rules)
        finished = staticmethod(count)

    run_state_machine_as_test(
        ThisTable,
        settings=settings(
            max_examples=GAMES_A_TABLE,
            stateful_step_count=140,
            derandomize=True,
            database=None,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )

    assert games >= GAMES_A_TABLE
    record_property("whole games", games)
