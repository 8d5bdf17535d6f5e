"""Past games out of the journal as text, and in again, the same after replay."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from companion import records
from companion.games.base import Refused
from companion.journal import Journal
from companion.past_games import export_game, import_games
from companion.records import RecordRefused
from companion.table import Table
from tests.companion.games.players import random_game

OpenJournal = Callable[..., Journal]


def exported(journal: Journal, number: int, folder: Path) -> str:
    path = folder / f"game-{number}.txt"
    path.write_bytes(export_game(journal, number))
    return str(path)


def test_many_games_go_out_and_in_and_are_the_same_after_replay(open_journal: OpenJournal, tmp_path: Path) -> None:
    first, second = open_journal(tmp_path / "first"), open_journal(tmp_path / "second")
    table = Table(first)
    for seed in range(6):
        for line in random_game(seed, players=2 + seed % 3, variants=["free_sorting"][: seed % 2]):
            table.submit(line)

    for number in range(1, 7):
        assert import_games(second, exported(first, number, tmp_path)) == [number]

    for before, after in zip(first.games(), second.games(), strict=True):
        assert (before.players, before.winners, before.commands) == (after.players, after.winners, after.commands)
        assert first.lines(before.id) == second.lines(after.id)
        again = records.replay(exported(second, after.id, tmp_path))
        assert again.show()["winners"] == list(before.winners)
        assert export_game(second, after.id).splitlines()[1:] == export_game(first, before.id).splitlines()[1:]


def test_undone_commands_are_part_of_the_record(open_journal: OpenJournal, tmp_path: Path) -> None:
    table = Table(open_journal())
    lines = random_game(1)[:20]
    for line in [*lines, b'{"do":"undo"}', lines[-1]]:
        table.submit(line)

    assert records.replay(exported(table.journal, 1, tmp_path)).show() == table.now.show()


def test_a_heading_says_what_when_and_who(open_journal: OpenJournal) -> None:
    table = Table(open_journal())
    table.submit(random_game(1, ["Zoë", "# Ben"])[0])

    heading = export_game(table.journal, 1).decode().splitlines()[0]

    assert heading.startswith("# pergamon, 2027-01-")
    assert heading.endswith(": Zoë, # Ben")


def test_several_games_in_one_file_become_several_past_games(open_journal: OpenJournal, tmp_path: Path) -> None:
    path = tmp_path / "evening.txt"
    path.write_bytes(b"\n".join([*random_game(1, 2), *random_game(2, 3), *random_game(3, 4)[:30]]))

    journal = open_journal()

    assert import_games(journal, str(path)) == [1, 2, 3]
    assert [bool(game.winners) for game in journal.games()] == [False, True, True]


def test_an_imported_unfinished_game_can_be_taken_up(open_journal: OpenJournal, tmp_path: Path) -> None:
    lines = random_game(4, 3)
    path = tmp_path / "unfinished.txt"
    path.write_bytes(b"\n".join(lines[:50]))
    table = Table(open_journal())
    import_games(table.journal, str(path))
    assert table.now.show()["phase"] == "no_game"

    table.resume(1)
    for line in lines[50:]:
        table.submit(line)

    assert table.journal.games()[0].winners == tuple(table.now.show()["winners"])


def test_a_refused_file_leaves_the_record_as_it_was(open_journal: OpenJournal, tmp_path: Path) -> None:
    path = tmp_path / "bad.txt"
    path.write_bytes(b"\n".join([*random_game(1), b'{"do":"fly"}']))
    journal = open_journal()

    with pytest.raises(RecordRefused):
        import_games(journal, str(path))

    assert journal.games() == []


def test_an_unknown_game_cannot_be_exported(open_journal: OpenJournal) -> None:
    with pytest.raises(Refused) as refused:
        export_game(open_journal(), 7)

    assert refused.value.code == "unknown_game"
