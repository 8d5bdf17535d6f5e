"""The record on disk: real files, whole, damaged, foreign, old and new."""

from __future__ import annotations

import hashlib
import json
import os
import random
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from companion import journal as journal_module
from companion import journal_tables
from companion.journal import CannotRecord, Journal, JournalError
from companion.play import Ending, Moment, follow
from companion.table import Table
from tests.companion.conftest import NOON
from tests.companion.games.players import random_game

OpenJournal = Callable[..., Journal]
GAME = random_game(seed=7, players=3)
JOURNALS = Path(__file__).parent / "journals"


def kept(journal: Journal, lines: list[bytes] = GAME) -> Journal:
    """The journal with one game in it."""
    journal.begin_game("pergamon", ("Ada", "Ben", "Cleo"), lines[0], 1)
    for version, line in enumerate(lines[1:], start=2):
        journal.append(line, version)
    return journal


def damaged(folder: Path, at: int, bit: int) -> None:
    path = folder / "journal.sqlite"
    content = bytearray(path.read_bytes())
    content[at] ^= 1 << bit
    path.write_bytes(content)


def bytes_of(folder: Path) -> dict[str, str]:
    """The check sum of the journal and of its log, if anything is in it."""
    files = [path for path in sorted(folder.glob("journal.sqlite*")) if path.stat().st_size]
    files = [path for path in files if path.is_file() and not path.name.endswith("-shm")]
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def test_it_is_in_wal_mode_with_full_synchronisation(open_journal: OpenJournal) -> None:
    db = open_journal()._db

    assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert db.execute("PRAGMA synchronous").fetchone() == (2,)


def test_a_schema_version_is_kept_from_the_first_day(open_journal: OpenJournal) -> None:
    db = open_journal()._db

    assert db.execute("PRAGMA user_version").fetchone() == (len(journal_tables.MIGRATIONS),)
    assert db.execute("PRAGMA application_id").fetchone() == (journal_tables.APPLICATION,)


def test_lines_come_back_as_they_were_written(open_journal: OpenJournal) -> None:
    kept(open_journal()).close()

    assert open_journal().lines(1) == GAME


def test_an_empty_journal_has_no_games(open_journal: OpenJournal) -> None:
    journal = open_journal()

    assert (journal.games(), journal.version(), journal.game_under_way(), journal.lines(1)) == ([], 0, None, [])


def test_what_was_written_is_there_for_another_reader_at_once(open_journal: OpenJournal) -> None:
    writer = kept(open_journal(), GAME[:5])
    reader = open_journal()

    writer.append(GAME[5], 6)

    assert reader.lines(1) == GAME[:6]
    assert reader.version() == 6


def test_closing_does_not_wait_for_a_disk_that_takes_for_ever(
    open_journal: OpenJournal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal_module, "CLOSING", 0)
    journal = kept(open_journal(), GAME[:5])
    with journal._lock:  # a command is being written
        journal.close()

    with pytest.raises(JournalError):
        journal.games()
    assert open_journal().lines(1) == GAME[:5]


def test_two_writers_cannot_both_record_the_same_version(open_journal: OpenJournal) -> None:
    one, other = kept(open_journal(), GAME[:5]), open_journal()
    one.append(GAME[5], 6)

    with pytest.raises(CannotRecord):
        other.append(GAME[5], 6)

    assert one.lines(1) == GAME[:6]


def test_many_past_games_are_listed_the_newest_first(open_journal: OpenJournal) -> None:
    journal = open_journal()
    for number in range(300):
        ending = Ending(("Ben",), {}) if number % 2 else None
        journal.add_past_game("pergamon", (f"Ada {number}", "Ben"), GAME[: 1 + number % 5], ending)

    games = journal.games()

    assert [game.id for game in games] == list(range(300, 0, -1))
    assert games[0].players == ("Ada 299", "Ben")
    assert (games[0].winners, games[1].winners) == (("Ben",), ())
    assert (games[0].ended, games[1].ended) == (NOON, None)
    assert (games[0].commands, games[0].imported, games[0].began) == (5, True, NOON)


def test_past_games_are_listed_page_by_page(open_journal: OpenJournal) -> None:
    journal = open_journal()
    for _ in range(25):
        journal.add_past_game("pergamon", ("Ada", "Ben"), GAME[:1], None)

    first = journal.games(limit=10)
    second = journal.games(limit=10, before=first[-1].id)
    third = journal.games(limit=10, before=second[-1].id)

    assert [game.id for game in (*first, *second, *third)] == list(range(25, 0, -1))


def test_a_past_game_put_beside_does_not_touch_the_one_under_way(open_journal: OpenJournal) -> None:
    journal = kept(open_journal(), GAME[:5])

    journal.add_past_game("pergamon", ("Dino", "Eve"), GAME[:9], None)

    assert (journal.game_under_way(), journal.version()) == (1, 5)
    journal.append(GAME[5], 6)
    assert journal.lines(1) == GAME[:6]


@pytest.mark.parametrize("part", [0.01, 0.3, 0.5, 0.9, 0.999])
def test_a_truncated_journal_is_refused_and_left(part: float, open_journal: OpenJournal, tmp_path: Path) -> None:
    kept(open_journal()).close()
    path = tmp_path / "data" / "journal.sqlite"
    path.write_bytes(path.read_bytes()[: int(path.stat().st_size * part)])
    before = bytes_of(path.parent)

    with pytest.raises(JournalError) as error:
        open_journal()

    assert str(path) in str(error.value)
    assert bytes_of(path.parent) == before


def test_whichever_bit_flips_nothing_wrong_is_ever_read(open_journal: OpenJournal, tmp_path: Path) -> None:
    """Either the journal says that it is damaged and stays as it is, or all commands are as they were written."""
    kept(open_journal()).close()
    folder, rng = tmp_path / "damaged", random.Random(11)
    size = (tmp_path / "data" / "journal.sqlite").stat().st_size
    noticed = 0
    for _ in range(150):
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(tmp_path / "data", folder)
        damaged(folder, rng.randrange(size), rng.randrange(8))
        before = bytes_of(folder)
        try:
            journal = open_journal(folder)
            lines = journal.lines(1)
            journal.close()
        except JournalError as error:
            said = str(error)
        else:
            assert lines == GAME
            continue
        noticed += 1
        assert str(folder) in said
        assert "\n" not in said
        assert bytes_of(folder) == before
    assert noticed > 20


def test_a_damaged_past_game_does_not_keep_the_table_from_going_on(open_journal: OpenJournal, tmp_path: Path) -> None:
    journal = open_journal()
    journal.add_past_game("pergamon", ("Dino", "Eve"), [b'{"do":"a past game"}'], None)
    kept(journal, GAME[:5]).close()
    path = tmp_path / "data" / "journal.sqlite"
    path.write_bytes(path.read_bytes().replace(b"a past game", b"a lost game"))

    journal = open_journal()

    assert journal.lines(2) == GAME[:5]
    with pytest.raises(JournalError, match="command 1 of game 1"):
        journal.lines(1)


def test_a_text_file_is_refused_and_left(open_journal: OpenJournal, tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "journal.sqlite").write_text("Dear diary\n" * 500)
    before = bytes_of(folder)

    with pytest.raises(JournalError, match="not a database"):
        open_journal()

    assert bytes_of(folder) == before


@pytest.mark.parametrize("mode", ["delete", "wal"])
@pytest.mark.parametrize("in_use", [False, True], ids=["closed", "in use"])
def test_a_foreign_database_is_refused_and_left(
    mode: str, in_use: bool, open_journal: OpenJournal, tmp_path: Path
) -> None:
    source, folder = tmp_path / "source", tmp_path / "data"
    source.mkdir()
    with closing(sqlite3.connect(source / "journal.sqlite", isolation_level=None)) as db:
        db.execute(f"PRAGMA journal_mode = {mode}")
        db.execute("CREATE TABLE recipes (name TEXT)")
        db.execute("INSERT INTO recipes VALUES ('soup')")
        if in_use:
            shutil.copytree(source, folder)
    if not in_use:
        shutil.copytree(source, folder)
    before = bytes_of(folder)

    with pytest.raises(JournalError, match="not a journal of this companion"):
        open_journal()

    assert bytes_of(folder) == before


def test_a_journal_of_a_newer_companion_is_refused_and_left(open_journal: OpenJournal, tmp_path: Path) -> None:
    kept(open_journal(), GAME[:5]).close()
    folder = tmp_path / "data"
    with closing(sqlite3.connect(folder / "journal.sqlite")) as db:
        db.execute("PRAGMA user_version = 99")
    before = bytes_of(folder)

    with pytest.raises(JournalError, match="newer companion"):
        open_journal()

    assert bytes_of(folder) == before


def test_an_older_journal_is_brought_up_to_date(open_journal: OpenJournal, monkeypatch: pytest.MonkeyPatch) -> None:
    kept(open_journal(), GAME[:5]).close()

    def add_notes(db: sqlite3.Connection) -> None:
        db.execute("ALTER TABLE games ADD COLUMN note TEXT NOT NULL DEFAULT ''")

    monkeypatch.setattr(journal_tables, "MIGRATIONS", (*journal_tables.MIGRATIONS, add_notes))
    journal = open_journal()

    assert journal.lines(1) == GAME[:5]
    assert journal._db.execute("PRAGMA user_version").fetchone() == (len(journal_tables.MIGRATIONS),)
    assert journal._db.execute("SELECT note FROM games").fetchall() == [("",)]


def test_a_step_that_fails_leaves_the_older_journal_as_it_was(
    open_journal: OpenJournal, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept(open_journal(), GAME[:5]).close()

    def fail(db: sqlite3.Connection) -> None:
        db.execute("DROP TABLE commands")
        db.execute("this is no SQL")

    with monkeypatch.context() as patched:
        patched.setattr(journal_tables, "MIGRATIONS", (*journal_tables.MIGRATIONS, fail))
        with pytest.raises(JournalError):
            open_journal()

    assert open_journal().lines(1) == GAME[:5]


@pytest.mark.parametrize("fixture", sorted(path.name for path in JOURNALS.glob("*.sqlite")))
def test_a_journal_written_by_every_version_so_far_still_opens(
    fixture: str, open_journal: OpenJournal, tmp_path: Path
) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    shutil.copy(JOURNALS / fixture, folder / "journal.sqlite")
    expected = json.loads((JOURNALS / fixture).with_suffix(".json").read_text("utf-8"))

    table = Table(open_journal())

    assert [list(game.players) for game in table.journal.games()] == expected["players"]
    assert {key: json.loads(json.dumps(table.now.show()))[key] for key in expected["now"]} == expected["now"]
    for game in table.journal.games():
        moment = Moment()
        for line in table.journal.lines(game.id):
            moment = follow(moment, line)
        assert tuple(moment.show()["winners"]) == game.winners
    table.submit(expected["next"].encode())
    assert table.now.version == expected["now"]["version"] + 1


def test_there_is_an_old_journal_to_open() -> None:
    assert (JOURNALS / "version-1.sqlite").exists()


def test_a_folder_that_is_a_file_is_refused(open_journal: OpenJournal, tmp_path: Path) -> None:
    (tmp_path / "data").write_text("no folder")

    with pytest.raises(JournalError, match="data folder"):
        open_journal()


def test_a_folder_in_place_of_the_journal_is_refused(open_journal: OpenJournal, tmp_path: Path) -> None:
    (tmp_path / "data" / "journal.sqlite").mkdir(parents=True)

    with pytest.raises(JournalError):
        open_journal()


@contextmanager
def nobody_special() -> Iterator[None]:
    """Root may write everywhere, so for a while we are somebody else."""
    user, group = os.geteuid(), os.getegid()
    if user == 0:
        os.setegid(65534)
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(user)
        os.setegid(group)


@pytest.mark.parametrize("there", [True, False], ids=["with a journal", "empty"])
def test_a_read_only_folder_is_refused_with_what_to_do(there: bool, open_journal: OpenJournal) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if there:
            kept(open_journal(folder), GAME[:5]).close()
        folder.chmod(0o555)

        with nobody_special(), pytest.raises(JournalError, match="may be written"):
            open_journal(folder)

        folder.chmod(0o755)
