"""One live game: what is acknowledged is on disk, everyone is told, nothing is lost."""

from __future__ import annotations

import json
import logging
import resource
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.games.base import Refused
from companion.journal import CannotRecord, Journal, JournalError
from companion.play import Moment, follow
from companion.table import Table
from tests.companion.games.players import new_game, random_game

OpenJournal = Callable[..., Journal]
GAME = random_game(seed=3, players=2)
UNDO = b'{"do":"undo"}'


def submit(table: Table, lines: list[bytes]) -> Table:
    for line in lines:
        table.submit(line)
    return table


def test_a_fresh_table_has_no_game(open_journal: OpenJournal) -> None:
    assert Table(open_journal()).now.show()["phase"] == "no_game"


def test_a_whole_game_is_played_and_kept(open_journal: OpenJournal) -> None:
    table = submit(Table(open_journal()), GAME)

    (game,) = table.journal.games()
    assert table.now.show()["phase"] == "over"
    assert (game.players, game.commands) == (("Ada", "Ben"), len(GAME))
    assert game.winners == tuple(table.now.show()["winners"])
    assert game.ended is not None


@pytest.mark.parametrize("players", [2, 4])
def test_a_restart_resumes_exactly_after_any_command(players: int, open_journal: OpenJournal, tmp_path: Path) -> None:
    """The files are copied after each acknowledged command, as a power cut would leave them."""
    lines = random_game(seed=5, players=players, variants=["order_track"])
    lines[40:40] = [UNDO, UNDO, *lines[38:40]]
    table = Table(open_journal())
    for number, line in enumerate(lines):
        table.submit(line)
        if number % 3 and number < len(lines) - 3:
            continue
        copy = tmp_path / f"cut {number}"
        shutil.copytree(tmp_path / "data", copy)
        resumed = Table(open_journal(copy))
        assert resumed.now.show() == table.now.show()
        resumed.journal.close()


PLAY_AND_SAY = """
import sys
from pathlib import Path
from companion.journal import Journal
from companion.table import Table
table = Table(Journal(Path(sys.argv[1]), now=lambda: 0.0))
for line in sys.stdin.buffer:
    print(table.submit(line).version, flush=True)
"""


@pytest.mark.parametrize("acknowledged", [1, 9, 33])
def test_what_was_acknowledged_survives_a_killed_process(
    acknowledged: int, open_journal: OpenJournal, tmp_path: Path
) -> None:
    path = tmp_path / "data" / "journal.sqlite"
    with subprocess.Popen(
        [sys.executable, "-c", PLAY_AND_SAY, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"\n".join(GAME))
        process.stdin.flush()
        for _ in range(acknowledged):
            version = int(process.stdout.readline())
        process.kill()
        process.stdout.read()

    table = Table(open_journal())

    assert version == acknowledged
    assert table.now.version >= acknowledged
    expected = Moment()
    for line in GAME[: table.now.version]:
        expected = follow(expected, line)
    assert table.now.show() == expected.show()


def test_undo_works_across_a_restart(open_journal: OpenJournal) -> None:
    submit(Table(open_journal()), GAME[:20]).journal.close()

    table = submit(Table(open_journal()), [UNDO, UNDO])

    fresh = Moment()
    for line in GAME[:18]:
        fresh = follow(fresh, line)
    assert table.now.show() == fresh.show() | {"version": 22}


def test_the_version_goes_on_counting_over_games_and_restarts(open_journal: OpenJournal) -> None:
    submit(Table(open_journal()), GAME[:10]).journal.close()
    table = submit(Table(open_journal()), [json.dumps(new_game(3) | {"replace": True}).encode()])
    assert table.now.version == 11
    table.journal.close()

    assert Table(open_journal()).now.version == 11


def test_a_refused_command_is_not_recorded(open_journal: OpenJournal) -> None:
    table = submit(Table(open_journal()), GAME[:10])
    before = table.now

    with pytest.raises(Refused):
        table.submit(b'{"do":"dig","gallery":9}')

    assert table.now is before
    assert len(table.journal.lines(1)) == 10


def test_a_replaced_game_stays_in_the_record_unfinished(open_journal: OpenJournal) -> None:
    table = submit(Table(open_journal()), [*GAME[:10], json.dumps(new_game(3) | {"replace": True}).encode()])

    new, old = table.journal.games()
    assert (old.commands, old.ended, old.winners) == (10, None, ())
    assert new.players == ("Ada", "Ben", "Cleo")


def test_an_undone_end_is_no_end(open_journal: OpenJournal) -> None:
    table = submit(Table(open_journal()), [*GAME, UNDO])

    (game,) = table.journal.games()
    assert (game.ended, game.winners) == (None, ())
    (game,) = submit(table, GAME[-1:]).journal.games()
    assert game.winners


def test_an_earlier_game_can_be_taken_up_again(open_journal: OpenJournal) -> None:
    table = submit(Table(open_journal()), GAME[:30])
    left = table.now.show()
    submit(table, [json.dumps(new_game(4) | {"replace": True}).encode()])

    table.resume(1)

    assert table.now.show() == left | {"version": 32}
    submit(table, GAME[30:])
    assert table.now.show()["phase"] == "over"
    assert table.now.version == 32 + len(GAME) - 30
    assert table.journal.lines(1)[-1] == GAME[-1]
    resumed = table.now.show()
    table.journal.close()
    assert Table(open_journal()).now.show() == resumed


def test_a_game_that_is_over_or_unknown_is_not_taken_up(open_journal: OpenJournal) -> None:
    table = submit(Table(open_journal()), GAME)

    for number, code in ((1, "game_over"), (2, "unknown_game"), (0, "unknown_game")):
        with pytest.raises(Refused) as refused:
            table.resume(number)
        assert refused.value.code == code


def test_listeners_hear_every_moment_in_order_until_they_stop(open_journal: OpenJournal) -> None:
    table = Table(open_journal())
    heard: list[int] = []
    stop = table.listen(lambda moment: heard.append(moment.version))

    submit(table, GAME[:3])
    stop()
    submit(table, GAME[3:5])

    assert heard == [1, 2, 3]


def test_a_listener_that_fails_does_not_stop_the_others(
    open_journal: OpenJournal, caplog: pytest.LogCaptureFixture
) -> None:
    table = Table(open_journal())
    heard: list[int] = []

    def fail(_: Moment) -> None:
        raise RuntimeError("a phone fell into the soup")

    table.listen(fail)
    table.listen(lambda moment: heard.append(moment.version))
    with caplog.at_level(logging.CRITICAL):
        submit(table, GAME[:3])

    assert heard == [1, 2, 3]
    assert table.now.version == 3


def test_a_listener_may_stop_itself(open_journal: OpenJournal) -> None:
    table = Table(open_journal())
    heard: list[int] = []

    def once(moment: Moment) -> None:
        heard.append(moment.version)
        stop()

    stop = table.listen(once)
    submit(table, GAME[:3])

    assert heard == [1]


def test_a_listener_hears_nothing_of_a_refused_command(open_journal: OpenJournal) -> None:
    table = submit(Table(open_journal()), GAME[:3])
    heard: list[int] = []
    table.listen(lambda moment: heard.append(moment.version))

    with pytest.raises(Refused):
        table.submit(b'{"do":"fly"}')

    assert heard == []


def test_when_a_listener_hears_of_a_command_it_is_on_disk(open_journal: OpenJournal) -> None:
    table = Table(open_journal())
    on_disk: list[bool] = []
    table.listen(lambda moment: on_disk.append(moment.line == table.journal.lines(1)[-1]))

    submit(table, GAME[:12])

    assert on_disk == [True] * 12


def test_many_at_once_lose_nothing(open_journal: OpenJournal) -> None:
    """Eight phones press undo and place figures at the same time; what was acknowledged is in the record."""
    table = submit(Table(open_journal()), GAME[:3])
    acknowledged: list[int] = []
    refused: list[str] = []
    start = threading.Barrier(8)

    def phone(number: int) -> None:
        start.wait()
        for turn in range(20):
            space = 1 + (number * 20 + turn) % 13
            line = UNDO if (number + turn) % 3 == 0 else b'{"do":"place_figure","space":%d}' % space
            try:
                acknowledged.append(table.submit(line).version)
            except Refused as no:
                refused.append(no.code)

    phones = [threading.Thread(target=phone, args=(number,)) for number in range(8)]
    for thread in phones:
        thread.start()
    for thread in phones:
        thread.join()

    assert len(acknowledged) + len(refused) == 160
    assert sorted(acknowledged) == list(range(4, 4 + len(acknowledged)))
    assert table.now.version == 3 + len(acknowledged) == len(table.journal.lines(1))
    shown = table.now.show()
    table.journal.close()
    assert Table(open_journal()).now.show() == shown


def test_two_who_act_on_the_same_version_cannot_both_win(open_journal: OpenJournal) -> None:
    table = submit(Table(open_journal()), GAME[:3])
    table.submit(b'{"do":"place_figure","space":13,"on":3}')

    with pytest.raises(Refused) as refused:
        table.submit(b'{"do":"place_figure","space":12,"on":3}')

    assert refused.value.code == "stale_state"


@contextmanager
def full_disk(folder: Path) -> Iterator[None]:
    """No file may grow beyond what the largest in this folder has now."""
    size = max(path.stat().st_size for path in folder.iterdir() if not path.name.endswith("-shm"))
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_what_the_disk_does_not_take_is_not_acknowledged(open_journal: OpenJournal, tmp_path: Path) -> None:
    table = submit(Table(open_journal()), GAME[:10])
    before = table.now
    heard: list[int] = []
    table.listen(lambda moment: heard.append(moment.version))

    with full_disk(tmp_path / "data"), pytest.raises(CannotRecord) as cannot:
        table.submit(GAME[10])

    assert "disk" in str(cannot.value)
    assert table.now is before
    assert heard == []
    submit(table, GAME[10:12])
    assert len(table.journal.lines(1)) == 12


def test_a_record_that_the_rules_refuse_is_named_and_left(open_journal: OpenJournal) -> None:
    journal = open_journal()
    journal.begin_game("pergamon", ("Ada", "Ben"), GAME[0], 1)
    journal.append(b'{"do":"dig","gallery":1}', 2)

    with pytest.raises(JournalError) as error:
        Table(journal)

    assert "command 2 of game 1" in str(error.value)
    assert len(journal.lines(1)) == 2


def test_the_owners_board_is_asked_for_every_new_game(open_journal: OpenJournal) -> None:
    table = Table(open_journal(), owner_data=lambda game: game.read_data("confirmed = true"))

    submit(table, GAME[:1])

    assert table.now.show()["board"]["confirmed"] is True
    table.journal.close()
    assert Table(open_journal()).now.show()["board"]["confirmed"] is True


def test_a_wrong_board_file_refuses_the_new_game_only(open_journal: OpenJournal) -> None:
    def wrong(_: object) -> None:
        raise Refused("wrong_data_file", "pergamon-board.toml, line 3: no.")

    table = Table(open_journal(), owner_data=wrong)

    with pytest.raises(Refused) as refused:
        table.submit(GAME[0])

    assert refused.value.code == "wrong_data_file"
    assert table.journal.games() == []
