"""Damaged files, as bad cards leave them; `python -m tests.faults.torn_files` tries 600 ways."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from companion import cli_repair
from companion.cli import companion
from companion.journal import Journal
from companion.table import Table
from tests.faults.disk import Player
from tests.faults.real_station import played, running
from tests.faults.torn_files import GAMES, LIVE, PAGE, RECORD, as_a_power_cut_leaves_it, tear

assert cli_repair  # adds the command


def test_however_the_files_are_torn_nothing_wrong_is_shown_and_nothing_is_lost_without_a_word() -> None:
    outcomes, wrong = tear(ways=54, seed=5)

    assert wrong == []
    assert outcomes["comes up, says what is missing"] > 0
    assert outcomes["refuses to record, says what to do"] > 0


def test_a_cut_in_the_middle_of_a_write_is_not_taken_for_damage(tmp_path: Path) -> None:
    path = as_a_power_cut_leaves_it(tmp_path) / RECORD
    log = Path(f"{path}-wal")
    log.write_bytes(log.read_bytes()[:-PAGE])  # SQLite writes a page's heading first, then the page

    journal = Journal(path, now=lambda: 0.0)

    assert Table(journal).now.version == len(LIVE) - 1
    assert journal.examine() == ""
    assert list(path.parent.glob("journal.damaged-*")) == []
    journal.close()


def test_a_log_that_is_begun_again_holds_no_older_pages(tmp_path: Path) -> None:
    journal = Journal(tmp_path / RECORD, now=lambda: 0.0)
    log = Path(f"{journal.path}-wal")
    for game in GAMES:
        journal.add_past_game("pergamon", ("Ada", "Ben", "Cleo"), game, played(game).ending)
    long = log.stat().st_size
    journal._db.execute("PRAGMA wal_checkpoint(RESTART)")
    journal.begin_game("pergamon", ("Ada", "Ben", "Cleo"), LIVE[0], 1)

    assert log.stat().st_size < long / 2
    journal.close()


def test_repair_saves_what_can_be_read_and_the_table_plays_on(tmp_path: Path) -> None:
    path = as_a_power_cut_leaves_it(tmp_path) / RECORD
    lay_out = [line for line in GAMES[0] if b"lay_out" in line][5]
    path.write_bytes(path.read_bytes().replace(lay_out, lay_out.replace(b"V", b"J")))

    result = CliRunner().invoke(companion, ["repair", "--data", str(path.parent)])

    assert result.exit_code == 0
    assert "Saved 3 games" in result.output
    assert "Game 1 ends early" in result.output
    assert (path.parent / "journal.damaged-1" / RECORD).exists()
    journal = Journal(path, now=lambda: 0.0)
    table = Table(journal)
    assert (table.now.version, len(journal.lines(2)), len(journal.lines(3))) == (70, len(GAMES[1]), len(LIVE))
    table.submit(GAMES[2][70])
    journal.close()


def test_a_whole_record_is_not_touched_by_repair(tmp_path: Path) -> None:
    path = as_a_power_cut_leaves_it(tmp_path) / RECORD
    before = path.read_bytes()

    result = CliRunner().invoke(companion, ["repair", "--data", str(path.parent)])

    assert (result.exit_code, "nothing to repair" in result.output) == (0, True)
    assert path.read_bytes() == before
    assert sorted(file.name for file in path.parent.iterdir()) == ["in-use.lock", RECORD, f"{RECORD}-wal"]


def test_a_record_of_which_nothing_can_be_read_is_said_and_kept(tmp_path: Path) -> None:
    path = tmp_path / RECORD
    path.write_bytes(b"SQLite format 3\0" + bytes(8000))

    result = CliRunner().invoke(companion, ["repair", "--data", str(tmp_path)])

    assert result.exit_code == 1
    assert "Nothing in" in result.output
    assert (tmp_path / "journal.damaged-1" / RECORD).read_bytes() == path.read_bytes()


def test_a_table_with_a_damaged_past_game_shows_the_game_records_nothing_and_plays_on_after_repair(
    tmp_path: Path,
) -> None:
    path = as_a_power_cut_leaves_it(tmp_path) / RECORD
    data = bytearray(path.read_bytes())
    at = data.index([line for line in GAMES[0] if b"lay_out" in line][5]) // PAGE * PAGE
    data[at : at + PAGE] = bytes(PAGE)
    path.write_bytes(data)

    with running(path.parent) as station:
        player = Player(station, 1)
        player.moment = played(LIVE)
        status, answer = player.try_one()
        assert (status, answer["error"]["code"]) == (503, "cannot_record")
        assert "companion repair" in answer["error"]["message"]
        assert player.phone.get("/api/table")["version"] == len(LIVE)
        station.stop()
    result = CliRunner().invoke(companion, ["repair", "--data", str(path.parent)])
    assert "Game 1 ends early" in result.output
    with running(path.parent) as station:
        player.phone = station.phone()
        player.phone.sit()
        player.play(3)
        assert player.phone.get("/api/table")["version"] == len(LIVE) + 3
