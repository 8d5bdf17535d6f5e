"""The record's files cut short and overwritten in many ways, as bad cards and torn writes leave them.

Run as `python -m tests.faults.torn_files` (600 ways) or with `--ways 60`. Each time a copy of a data folder, as a power
cut left it, is damaged at its end, at its beginning or anywhere in the database or its log; then the table is opened.
Either it comes up with the commands from the first one to a stated point, or it refuses and says what to do, and
`companion repair` then brings back every game up to its first bad command. The damaged bytes are always kept.
Prints how often each happened; exit code 1 if a wrong command was ever shown, or anything was lost without a word.
"""

from __future__ import annotations

import argparse
import logging
import random
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from companion.journal import CannotRecord, Journal, JournalError
from companion.repair import repair
from companion.table import Table
from tests.companion.games.players import random_game
from tests.faults.real_station import played

PAGE = 4096
FRAME = PAGE + 24
GAMES = [random_game(seed, players=3) for seed in range(3)]
LIVE = GAMES[2][:70]
RECORD = "journal.sqlite"
Damage = Callable[[bytearray, random.Random], None]


def cut_anywhere(data: bytearray, rng: random.Random) -> None:
    del data[rng.randrange(len(data)) :]


def cut_last_pages(data: bytearray, rng: random.Random) -> None:
    del data[max(0, len(data) - rng.randrange(1, 4) * rng.choice((PAGE, FRAME, 512, 1))) :]


def zero_last_pages(data: bytearray, rng: random.Random) -> None:
    """Length was written, contents were not."""
    size = min(len(data), rng.randrange(1, 4) * rng.choice((PAGE, FRAME, 512)))
    data[-size:] = bytes(size)


def zero_a_page(data: bytearray, rng: random.Random) -> None:
    at = rng.randrange(0, len(data), PAGE)
    data[at : at + PAGE] = bytes(len(data[at : at + PAGE]))


def garble_last_page(data: bytearray, rng: random.Random) -> None:
    size = min(len(data), PAGE)
    data[-size:] = rng.randbytes(size)


def garble_a_sector(data: bytearray, rng: random.Random) -> None:
    at = rng.randrange(0, len(data), 512)
    data[at : at + 512] = rng.randbytes(len(data[at : at + 512]))


def flip_bits(data: bytearray, rng: random.Random) -> None:
    for _ in range(rng.randrange(1, 9)):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)


def empty_it(data: bytearray, _rng: random.Random) -> None:
    data.clear()


def add_at_the_end(data: bytearray, rng: random.Random) -> None:
    data += rng.randbytes(rng.choice((1, 24, PAGE)))


WAYS: tuple[Damage, ...] = (
    cut_anywhere,
    cut_last_pages,
    zero_last_pages,
    zero_a_page,
    garble_last_page,
    garble_a_sector,
    flip_bits,
    empty_it,
    add_at_the_end,
)


def as_a_power_cut_leaves_it(folder: Path) -> Path:
    """A data folder with two past games in the database, and one under way of which most is still in the log."""
    source = folder / "source"
    journal = Journal(source / RECORD, now=lambda: 1_800_000_000.0)
    for game in GAMES[:2]:
        journal.add_past_game("pergamon", ("Ada", "Ben", "Cleo"), game, played(game).ending)
    table = Table(journal)
    for line in LIVE[:30]:
        table.submit(line)
    journal._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    for line in LIVE[30:]:
        table.submit(line)
    left = folder / "left"
    shutil.copytree(source, left)
    (left / f"{RECORD}-shm").unlink()
    journal.close()
    return left


class Heard(logging.Handler):
    """Keeps what the journal says."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.said.append(record.getMessage())


def try_one(left: Path, folder: Path, file: str, damage: Damage, rng: random.Random) -> tuple[str, list[str]]:
    """What came of one damage, and what is wrong with that."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(left, folder)
    data = bytearray((folder / file).read_bytes())
    damage(data, rng)
    (folder / file).write_bytes(data)
    found = {name: (folder / name).read_bytes() for name in (RECORD, f"{RECORD}-wal")}
    heard = Heard()
    logging.getLogger("companion").addHandler(heard)
    try:
        outcome, wrong = _open(folder / RECORD)
    finally:
        logging.getLogger("companion").removeHandler(heard)
    if outcome == "comes up, the end is missing":
        if heard.said:
            outcome = "comes up, says what is missing"
            kept = folder / "journal.damaged-1"
            wrong += [] if {n: (kept / n).read_bytes() for n in found} == found else ["the damaged files are not kept"]
        elif not _nothing_to_see(found, left):
            wrong.append("commands are missing and nothing was said")
    if outcome.startswith("refuses"):
        kept = folder / "journal.damaged-1"
        if not kept.exists() and (folder / RECORD).read_bytes() != found[RECORD]:
            wrong.append("the damaged database was changed")
        if kept.exists() and {name: (kept / name).read_bytes() for name in found} != found:
            wrong.append("the damaged files are not kept")
        wrong += _repair(folder)
    return outcome, wrong


def _open(path: Path) -> tuple[str, list[str]]:
    try:
        journal = Journal(path, now=lambda: 0.0)
    except JournalError as error:
        return "refuses to start, says what to do", [] if _helps(str(error)) else [f"no help: {error}"]
    try:
        table = Table(journal)
        damage = journal.examine()
        if damage:
            return _refuses_to_record(table, damage)
        shown = _shown(journal)
    except JournalError as error:
        return "refuses to start, says what to do", [] if _helps(str(error)) else [f"no help: {error}"]
    finally:
        journal.close()
    if not shown:
        return "comes up, the end is missing", []
    wrong = [] if _is_beginning(shown) else ["a command is shown that was never written"]
    whole = [len(lines) for lines in shown] == [len(game) for game in (*GAMES[:2], LIVE)]
    return ("comes up with everything" if whole else "comes up, the end is missing"), wrong


def _refuses_to_record(table: Table, damage: str) -> tuple[str, list[str]]:
    try:
        table.submit(b'{"do":"undo"}')
    except CannotRecord as error:
        return "refuses to record, says what to do", [] if _helps(str(error)) else [f"no help: {error}"]
    return "refuses to record, says what to do", [f"it recorded a command in spite of: {damage}"]


def _helps(said: str) -> bool:
    return "companion repair" in said or "not a journal of this companion" in said or "newer companion" in said


def _shown(journal: Journal) -> list[list[bytes]]:
    return [journal.lines(game.id) for game in reversed(journal.games())]


def _is_beginning(shown: list[list[bytes]]) -> bool:
    """Whether every game that is shown is one that was played, from its first command on."""
    return all(
        any(_same(lines, game[: len(lines)]) for game in [*GAMES[:2], LIVE] if len(lines) <= len(game))
        for lines in shown
    )


def _same(lines: list[bytes], written: list[bytes]) -> bool:
    return bool(played(lines).state == played(written).state)


def _nothing_to_see(found: dict[str, bytes], left: Path) -> bool:
    """A log that simply ends earlier at a whole change leaves no trace; what it ends with is all that there is."""
    whole = (left / f"{RECORD}-wal").read_bytes()
    log = found[f"{RECORD}-wal"]
    return whole.startswith(log[: len(log) // FRAME * FRAME]) or len(log) < FRAME


def _repair(folder: Path) -> list[str]:
    found = (folder / RECORD).read_bytes()
    try:
        saved = repair(folder / RECORD)
    except JournalError as error:
        return [] if "Nothing in" in str(error) and "a copy is in" in str(error) else [f"repair says {error}"]
    if saved is None:
        return ["repair finds nothing to repair"]
    wrong = [] if (saved.kept / RECORD).read_bytes() == found else ["repair did not keep the damaged files"]
    journal = Journal(folder / RECORD, now=lambda: 0.0)
    try:
        shown = _shown(Table(journal).journal)
        if journal.examine() or not shown or not _is_beginning(shown):
            wrong.append("the repaired record is not right")
    except JournalError as error:
        wrong.append(f"the repaired record cannot be opened: {error}")
    finally:
        journal.close()
    return wrong


def tear(ways: int, seed: int) -> tuple[Counter[str], list[str]]:
    """So many damages: how often each outcome came, and what was wrong."""
    rng = random.Random(seed)
    outcomes: Counter[str] = Counter()
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        left = as_a_power_cut_leaves_it(folder)
        for number in range(ways):
            damage = WAYS[number % len(WAYS)]
            file = RECORD if rng.random() < 0.5 else f"{RECORD}-wal"
            outcome, found = try_one(left, folder / "torn", file, damage, rng)
            outcomes[outcome] += 1
            wrong += [f"{damage.__name__} of {file}, number {number}: {what}" for what in found]
    return outcomes, wrong


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    options.add_argument("--ways", type=int, default=600)
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    logging.getLogger("companion").propagate = False
    outcomes, wrong = tear(given.ways, given.seed)
    for outcome, count in outcomes.most_common():
        print(f"{outcome:40}{count:6}")
    for what in wrong[:20]:
        print(what)
    print(f"{'reached' if not wrong else 'MISSED'}: never a wrong command, never a silent loss, damaged files kept")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
