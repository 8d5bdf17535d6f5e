"""What players' finished games come to: kept up to date with every end, also one that is undone, imported or older."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.journal import Journal
from companion.past_games import count_older_games, import_games
from companion.play import Ending
from companion.repair import repair
from companion.standings import Standing
from companion.table import Table
from tests.companion.games.players import random_game
from tests.faults.real_station import played

OpenJournal = Callable[..., Journal]
GAME = random_game(seed=3, players=2)
JOURNALS = Path(__file__).parent / "journals"


def added_up(games: list[list[bytes]]) -> list[Standing]:
    """The standings after these games, added up from each one's last state."""
    results: dict[str, list[tuple[bool, int]]] = {}
    for lines in games:
        state = played(lines).show()
        for player in state["players"]:
            won = player["name"] in state["winners"]
            results.setdefault(player["name"], []).append((won, player["points"]))
    standings = [
        Standing(
            name, len(ends), sum(won for won, _ in ends), max(p for _, p in ends), sum(p for _, p in ends) / len(ends)
        )
        for name, ends in results.items()
    ]
    return sorted(standings, key=lambda one: (-one.won, -one.games, one.name))


def test_a_game_under_way_does_not_count(open_journal: OpenJournal) -> None:
    table = Table(open_journal())
    for line in GAME[:-1]:
        table.submit(line)

    assert table.journal.standings(10) == []


def test_a_game_counts_when_it_ends(open_journal: OpenJournal) -> None:
    table = Table(open_journal())
    for line in GAME:
        table.submit(line)

    assert table.journal.standings(10) == added_up([GAME])


def test_an_end_that_is_undone_counts_no_more_until_it_comes_again(open_journal: OpenJournal) -> None:
    table = Table(open_journal())
    for line in [*GAME, b'{"do":"undo"}']:
        table.submit(line)
    undone = table.journal.standings(10)

    table.submit(GAME[-1])

    assert undone == []
    assert table.journal.standings(10) == added_up([GAME])


def test_many_games_add_up_over_a_restart(open_journal: OpenJournal) -> None:
    games = [random_game(seed, players=2 + seed % 3) for seed in range(6)]
    table = Table(open_journal())
    for lines in games:
        for line in lines:
            table.submit(line)
    table.journal.close()

    assert open_journal().standings(10) == added_up(games)


def test_imported_games_count(open_journal: OpenJournal, tmp_path: Path) -> None:
    path = tmp_path / "evening.txt"
    path.write_bytes(b"\n".join([*GAME, *random_game(4, 3)[:40]]))

    import_games(open_journal(), str(path))

    assert open_journal().standings(10) == added_up([GAME])


def test_a_game_without_points_counts_without_them(open_journal: OpenJournal) -> None:
    journal = open_journal()
    journal.add_past_game("another", ("Ada", "Ben"), GAME[:1], Ending(("Ben",), {}))

    assert journal.standings(10) == [Standing("Ben", 1, 1, None, None), Standing("Ada", 1, 0, None, None)]


def test_only_so_many_are_told(open_journal: OpenJournal) -> None:
    journal = open_journal()
    for number in range(5):
        journal.add_past_game("another", (f"Ada {number}", "Ben"), GAME[:1], Ending(("Ben",), {}))

    assert [standing.name for standing in journal.standings(2)] == ["Ben", "Ada 0"]


def test_a_repaired_record_has_its_standings(open_journal: OpenJournal, tmp_path: Path) -> None:
    journal = open_journal()
    for lines in (GAME, random_game(4, 3)):
        journal.add_past_game("pergamon", ("Ada", "Ben", "Cleo")[: 2 + (lines is not GAME)], lines, None)
    journal._db.execute("UPDATE commands SET seal = 0 WHERE game_id = 2 AND number = 9")
    journal.close()

    repaired = repair(tmp_path / "data" / "journal.sqlite")

    assert repaired is not None
    assert repaired.cut_short == (2,)
    assert open_journal().standings(10) == added_up([GAME])


@pytest.mark.parametrize("version", [1, 2])
def test_games_of_an_older_companion_are_counted_once(version: int, open_journal: OpenJournal, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    shutil.copy(JOURNALS / f"version-{version}.sqlite", tmp_path / "data" / "journal.sqlite")
    journal = open_journal()
    ended = [game.id for game in reversed(journal.games()) if game.ended is not None]

    assert journal.standings(10) == []
    assert list(count_older_games(journal)) == ended
    assert journal.standings(10) == added_up([journal.lines(game_id) for game_id in ended])
    assert list(count_older_games(journal)) == []


def test_an_older_game_that_cannot_be_read_does_not_keep_the_others_from_counting(open_journal: OpenJournal) -> None:
    journal = open_journal()
    for _ in range(2):
        journal.add_past_game("pergamon", ("Ada", "Ben"), GAME, played(GAME).ending)
    journal._db.execute("UPDATE games SET counted = 0")
    journal._db.execute("DELETE FROM results")
    journal._db.execute("UPDATE commands SET seal = 0 WHERE game_id = 1 AND number = 9")

    assert list(count_older_games(journal)) == [2]


def test_the_newest_old_journal_has_its_standings(open_journal: OpenJournal, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    shutil.copy(JOURNALS / "version-3.sqlite", tmp_path / "data" / "journal.sqlite")
    expected = json.loads((JOURNALS / "version-3.json").read_text("utf-8"))["standings"]

    journal = open_journal()

    assert list(count_older_games(journal)) == []
    assert [standing._asdict() for standing in journal.standings(10)] == expected
