"""Time that jumps and time that passes; `python -m tests.faults.time` measures the rest."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from companion.journal import Journal
from companion.past_games import export_game
from companion.table import Table
from tests.companion.games.players import random_game
from tests.faults.real_station import played
from tests.faults.week import live_for

GAME = random_game(9, players=2)
YEAR = 365 * 24 * 3600.0


def bytes_read() -> int:
    """What this process has read so far, from files or their copy in memory."""
    return int(Path("/proc/self/io").read_text().split()[1])


def test_a_clock_that_jumps_back_and_forth_changes_nothing_but_dates(tmp_path: Path) -> None:
    jumps = itertools.cycle([1.8e9, 1.8e9 + 10 * YEAR, 0.0, 1.8e9 - YEAR])
    journal = Journal(tmp_path / "journal.sqlite", now=lambda: next(jumps))
    table = Table(journal)
    for line in GAME:
        table.submit(line)

    again = Table(journal)

    assert again.now.show() == table.now.show()
    assert b"Ada, Ben" in export_game(journal, 1)
    assert played(journal.lines(1)).state == table.now.state
    journal.close()


def test_opening_a_table_reads_no_more_with_many_past_games(tmp_path: Path) -> None:
    read = {}
    for games in (10, 200):
        path = tmp_path / str(games) / "journal.sqlite"
        journal = Journal(path, now=lambda: 0.0)
        for _ in range(games):
            journal.add_past_game("pergamon", ("Ada", "Ben"), GAME, played(GAME).ending)
        for line in GAME[:30]:
            Table(journal).submit(line)
        journal.close()
        before = bytes_read()
        journal = Journal(path, now=lambda: 0.0)
        Table(journal)
        read[games] = bytes_read() - before
        journal.close()

    assert read[200] < read[10] + 50_000


@pytest.mark.parametrize("seconds", [7200])
def test_hours_of_uptime_leave_everything_bounded(tmp_path: Path, seconds: int) -> None:
    figures = live_for(tmp_path, seconds)

    assert figures["commands"] > 100
    assert figures["bytes told to listening phones"] > 0
    assert (figures["scans kept"], figures["listeners of the table"]) == (5, 3)
    assert figures["seats"] <= 64
    assert figures["asking"] <= 8
