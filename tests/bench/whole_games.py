"""Whole games at the box: simulated camera, real reader, mock pins, buttons wherever a button can do it.

    python -m tests.bench.whole_games [--players 2 4] [--width 2304] [--rounds 12]

Every sure piece must be what really lies there, and the end must be what the exported record replays to. The short
form is in tests/companion/test_station_games.py.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

import msgspec

from companion.settings import CameraSettings, Settings
from tests.companion.box import open_box
from tests.companion.games.players import new_game
from tests.companion.test_station_games import assert_replays, play_to_the_end


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, nargs="+", default=[2, 4])
    parser.add_argument("--width", type=int, default=2304)
    parser.add_argument("--rounds", type=int, default=12)
    given = parser.parse_args()
    settings = Settings(camera=CameraSettings(width=given.width, height=given.width * 9 // 16))
    for players in given.players:
        with tempfile.TemporaryDirectory() as folder, open_box(Path(folder, "data"), settings, simulated=True) as box:
            begun = time.perf_counter()
            box.table.submit(msgspec.json.encode(new_game(players)))
            box.wait(0)
            played = play_to_the_end(box, seed=players, rounds=given.rounds)
            assert_replays(box, Path(folder))
            state = box.table.now.show()
            print(
                f"{players} players: {played.scans} scans, {played.confirmed} confirmed by Next alone, "
                f"{played.by_button} of {played.commands} commands by buttons, {time.perf_counter() - begun:.0f} s; "
                f"round {state['round']}, {state['phase']}, replays to the same state (version {state['version']})"
            )


if __name__ == "__main__":
    main()
