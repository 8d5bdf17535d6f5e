"""Whole games at the box: buttons wherever a button can do it, commands for the rest, and a record that replays."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

import msgspec
import pytest

from companion.eyes import SIMULATED_SEED
from companion.games.pergamon import Pergamon
from companion.past_games import export_game
from companion.records import replay
from companion.settings import CameraSettings, Settings
from tests.companion.box import Box, open_box
from tests.companion.games.players import RandomPlayer, new_game
from vision.pergamon.box import SimulatedBox


@dataclass
class Played:
    """How a game went at the panel."""

    scans: int = 0
    confirmed: int = 0
    """Scans that a press of Next was enough for."""
    by_button: int = 0
    commands: int = 0


def play_to_the_end(box: Box, seed: int, rounds: int = 12) -> Played:
    """Play with the panel: pieces are scanned and confirmed, turns ended and one step taken back by buttons."""
    player = RandomPlayer(random.Random(seed))
    played = Played()
    undone = False
    while (moment := box.table.now).under_way and moment.state.round <= rounds:
        assert moment.game is not None
        played.commands += 1
        if moment.game.expected(moment.state):
            box.press("scan")
            played.scans += 1
            if box.situation == "confirm":
                box.press("next")
                played.confirmed += 1
                played.by_button += 1
            else:
                answer_on_a_phone(box)
            if moment.state.round == 2 and not undone:
                box.hold_undo()
                undone = True
        else:
            command = player.next_command(moment.state)
            if command["do"] == "end_turn" and "discard" not in command:
                box.press("next")
                box.press("next")
                played.by_button += 1
            else:
                box.table.submit(msgspec.json.encode(command))
    assert undone
    return played


def answer_on_a_phone(box: Box) -> None:
    """Some piece was not sure: a person says what really lies there. What was sure must have been right."""
    scan = box.desk.current
    assert scan is not None
    assert isinstance(scan.moment.game, Pergamon)
    expected = scan.moment.game.expected(scan.moment.state)
    assert expected is not None
    lying = SimulatedBox(SIMULATED_SEED).draw(expected)
    assert set(scan.codes) <= set(lying)
    command = scan.moment.game.from_pieces(scan.moment.state, lying)
    box.table.submit(scan.moment.game.encode(command))
    box.wait(0)


def assert_replays(box: Box, folder: Path) -> None:
    """The exported record, played again, ends in the very same state."""
    record = folder / "game.jsonl"
    record.write_bytes(export_game(box.table.journal, 1))
    assert replay(str(record)).show() == box.table.now.show()


@pytest.mark.parametrize("players", [2, 4])
def test_a_whole_game_ends_as_its_record_replays(tmp_path: Path, players: int) -> None:
    with open_box(tmp_path / "data") as box:
        box.table.submit(msgspec.json.encode(new_game(players)))
        played = play_to_the_end(box, seed=players)
        assert played.scans == played.confirmed == 37
        assert box.phase == "over"
        lit = set()
        for _ in range(4):
            box.wait(0.25)
            lit.add(box.players)
        assert len(lit) == 2
        assert "" in lit
        assert_replays(box, tmp_path)


@pytest.mark.parametrize("players", [2, 4])
def test_a_whole_game_photographed_and_read_ends_as_its_record_replays(tmp_path: Path, players: int) -> None:
    """The simulated camera and the real reader; at full size it is `tests.bench.whole_games`."""
    settings = Settings(camera=CameraSettings(width=1280, height=720))
    with open_box(tmp_path / "data", settings, simulated=True) as box:
        box.table.submit(msgspec.json.encode(new_game(players)))
        box.wait(0)
        played = play_to_the_end(box, seed=players)
        assert box.phase == "over"
        assert (played.scans, played.confirmed > 24) == (37, True)
        assert_replays(box, tmp_path)
