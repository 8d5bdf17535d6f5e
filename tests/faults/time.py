"""Clocks that jump, a week of uptime, and a record that has grown to 1,000 games.

Run as `python -m tests.faults.time` (some 3 minutes). Prints a table of start and page times over 10, 100 and 1,000
past games; then what a table does whose clock jumps years back and forth under it (needs libfaketime); then what a
week of uptime, simulated second by second, leaves in memory. Exit code 1 if times grow with the record, if a jump
changes anything but the dates, or if anything grows with the time.
"""

from __future__ import annotations

import argparse
import http.client
import sqlite3
import statistics
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

import msgspec

from companion.journal import Journal
from tests.companion.games.players import random_game
from tests.faults.disk import Player
from tests.faults.real_station import Phone, played, running
from tests.faults.week import live_for

PAST = (10, 100, 1000)
FLAT = 1.5
"""So many times as long may anything take with 1,000 games as with 10, or 5 ms more: less than the clock wavers."""
NOISE = 0.005
FAKETIME = next(iter(sorted(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))), None)
PATHS = (
    "/api/statistics",
    "/api/games?limit=10",
    "/api/games/5",
    "/api/games/5/record",
    "/api/table",
    "/api/seats",
    "/",
)
TRIES = 5
LIVES = 12
EXAMINED_FIRST = "a command at once after a start"
"""Nothing is written before the whole record was examined, which takes longer the more is in it: told, not judged."""
YEAR = 365 * 24 * 3600
JUMPS = ("-1y", "+1d", "-40d", "+10y", "+0")


def fill(data: Path, games: int) -> None:
    """A record with so many finished games and one that is under way."""
    journal = Journal(data / "journal.sqlite", now=lambda: 1_800_000_000.0)
    some = [random_game(seed, players=2 + seed % 3) for seed in range(12)]
    for number in range(games):
        lines = some[number % len(some)]
        journal.add_past_game(
            "pergamon", ("Ada", "Ben", "Cleo", "Dino")[: 2 + number % len(some) % 3], lines, played(lines).ending
        )
    journal.close()
    with running(data) as station:
        player = Player(station, 1)
        player.play(60)


def one_life(data: Path) -> dict[str, float]:
    """How long a start takes, the first of each page after it, and each page later (the median), in seconds."""
    with running(data) as station:
        found = {"start": station.seconds_to_ready, "start, processor time": station.processor_seconds()}
        phone = station.phone()
        for path in PATHS:
            found[f"{path}, first after a start"] = _seconds(phone, path)
        for path in PATHS:
            found[path] = statistics.median(_seconds(phone, path) for _ in range(TRIES))
        assert phone.sit() == http.client.OK
        found[EXAMINED_FIRST] = _undo(phone)
        found["a command"] = statistics.median(_undo(phone) for _ in range(3))
    return found


def _seconds(phone: Phone, path: str) -> float:
    began = time.perf_counter()
    status, text = phone.call("GET", path)
    assert status == http.client.OK, text
    return time.perf_counter() - began


def _undo(phone: Phone) -> float:
    began = time.perf_counter()
    status, answer = phone.post("/api/table/commands", {"do": "undo"})
    assert status == http.client.OK, answer
    return time.perf_counter() - began


def grow(folder: Path) -> list[str]:
    """Print the table; what is not flat. The records take turns, so that a busy machine is fair to all of them."""
    for games in PAST:
        fill(folder / str(games), games)
    lives: dict[int, list[dict[str, float]]] = {games: [] for games in PAST}
    for _ in range(LIVES):
        for games in PAST:
            lives[games].append(one_life(folder / str(games)))
    rows = {row: [statistics.median(life[row] for life in lives[games]) for games in PAST] for row in lives[PAST[0]][0]}
    print(f"{'milliseconds with past games:':42}" + "".join(f"{games:>9}" for games in PAST))
    for row, medians in rows.items():
        print(f"{row:42}" + "".join(f"{1000 * median:9.1f}" for median in medians))
    judged = {row: medians for row, medians in rows.items() if row != EXAMINED_FIRST}
    return [row for row, (few, _, many) in judged.items() if many > max(FLAT * few, few + NOISE)]


def jump(data: Path) -> list[str]:
    """Play while the clock jumps; what is wrong."""
    assert FAKETIME is not None
    data.parent.mkdir(parents=True, exist_ok=True)
    hands = data.parent / "clock"
    hands.write_text("+0\n")
    environment = {
        "LD_PRELOAD": str(FAKETIME),
        "FAKETIME_TIMESTAMP_FILE": str(hands),
        "FAKETIME_NO_CACHE": "1",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
    }
    wrong = []
    with running(data, environment=environment) as station:
        player = Player(station, 2)
        player.play(5)
        for moved in JUMPS:
            hands.write_text(f"{moved}\n")
            player.play(10)
            wrong += [f"clock {moved}: {what}" for what in player.faults_of_the_record()]
            for path in ("/", "/api/games", "/api/games/1", "/api/statistics"):
                status, text = player.phone.call("GET", path)
                if status != http.client.OK:
                    wrong.append(f"clock {moved}: {path} is answered {status} {text[:80]!r}")
            if Phone(station.port).sit() != http.client.OK:
                wrong.append(f"clock {moved}: nobody can join")
            if player.phone.get("/api/seats")["me"] is None:
                wrong.append(f"clock {moved}: the seat is gone")
        began = player.phone.get("/api/games/1")["began"]
        moment = player.moment
    with closing(sqlite3.connect(data / "journal.sqlite")) as db:
        first, last = db.execute("SELECT min(at), max(at) FROM commands").fetchone()
        if last - first < 9 * YEAR:
            wrong.append("the clock did not jump")
    for moved in ("-1y", "+10y"):
        hands.write_text(f"{moved}\n")
        with running(data, environment=environment) as station:
            shown = station.phone().get("/api/table")
            if shown != msgspec.json.decode(msgspec.json.encode(moment.show())):
                wrong.append(f"started with the clock at {moved}, the table is another one")
            if station.phone().get("/api/games/1")["began"] != began:
                wrong.append(f"started with the clock at {moved}, the game began at another time")
    return wrong


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    options.add_argument("--days", type=float, default=7)
    given = options.parse_args()
    wrong: dict[str, list[str]] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        wrong["start and page times are flat over 10, 100 and 1,000 games"] = grow(folder)
        if FAKETIME is None:
            print("libfaketime is not there: the jumping clock is left out")
        else:
            wrong["a clock that jumps years changes nothing but dates"] = jump(folder / "jumping" / "data")
        figures = live_for(folder / "week", int(given.days * 24 * 3600))
    for title, value in figures.items():
        print(f"{title:48}{value:12.1f}" if isinstance(value, float) else f"{title:48}{value:12}")
    grown = figures["memory after, MB"] - figures["memory after the first tenth, MB"]
    bounded = figures["seats"] <= 64 and figures["asking"] <= 8 and figures["scans kept"] <= 5
    wrong["a week of uptime grows nothing"] = [] if bounded and grown < 5 else [f"{grown:.1f} MB more, {figures}"]
    for aim, found in wrong.items():
        print(f"{'reached' if not found else 'MISSED'}: {aim}", *found, sep="\n  ")
    sys.exit(1 if any(wrong.values()) else 0)


if __name__ == "__main__":
    main()
