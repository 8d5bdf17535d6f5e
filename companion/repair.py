"""A damaged record made whole again: every game up to its first bad command; the damaged files are kept."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, NamedTuple

from companion.games.base import Refused
from companion.journal import RESUME_LINE, Command, Journal, JournalError, seal_of
from companion.play import Moment, follow
from companion.torn import keep_aside
from companion.whole_file import sync_folder

ALL = "SELECT game_id, number, version, at, line, seal FROM commands"
MOST_GAMES = 100_000
"""A damaged number of a game must not keep us looking for ever."""


class Repaired(NamedTuple):
    """What could be saved, and where the files are as they were found."""

    games: int
    commands: int
    version: int
    cut_short: tuple[int, ...]
    """Games of which not every command could be read."""
    kept: Path


def repair(path: Path) -> Repaired | None:
    """Put a whole journal in a damaged one's place; None if it is whole, JournalError if nothing in it can be read."""
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        copy = _copy(path, Path(folder) / "damaged")
        if is_whole(copy):
            return None
        kept = keep_aside(path)
        found = _commands_in(_copy(path, Path(folder) / "read"))
        fresh = Path(folder) / "fresh" / path.name
        cut_short, version, saved = [], 0, 0
        with closing(Journal(fresh, now=lambda: 0.0)) as journal:
            for game_id, commands in sorted(found.items()):
                good, moment = _good(commands)
                if len(good) < max(commands):
                    cut_short.append(game_id)
                if moment.game is None:
                    continue
                players = moment.game.players(moment.state)
                journal.restore(game_id, moment.game.name, players, good, moment.ending)
                version = max(version, *(command.version or 0 for command in good))
                saved += len(good)
            games = len(journal.games())
        if not games:
            raise JournalError(
                f"Nothing in {path} can be read. To start afresh, move {path.name}* away; a copy is in {kept}."
            )
        for rest in ("-wal", "-shm"):
            Path(f"{path}{rest}").unlink(missing_ok=True)
        fresh.replace(path)
        sync_folder(path.parent)
    return Repaired(games, saved, version, tuple(cut_short), kept)


def is_whole(path: Path) -> bool:
    """Whether a journal, of which this must be a copy, can be used with all its games."""
    try:
        with closing(Journal(path, now=lambda: 0.0)) as journal:
            if journal.examine():
                return False
            for game in journal.games():
                journal.lines(game.id)
    except JournalError:
        return False
    return True


def _copy(path: Path, folder: Path) -> Path:
    folder.mkdir()
    for rest in ("", "-wal"):
        with suppress(FileNotFoundError):
            shutil.copy(f"{path}{rest}", folder)
    return folder / path.name


def _commands_in(damaged: Path) -> dict[int, dict[int, Command]]:
    """Every command that can be read by any way, by game and number."""
    found: dict[int, dict[int, Command]] = {}
    with closing(sqlite3.connect(damaged, isolation_level=None)) as db:
        for game_id, number, version, at, line, seal in _rows(db):
            with suppress(TypeError, ValueError):
                command = Command(int(number), None if version is None else int(version), float(at), bytes(line), seal)
                found.setdefault(int(game_id), {}).setdefault(command.number, command)
    return found


def _rows(db: sqlite3.Connection) -> Iterator[tuple[Any, ...]]:
    """From the beginning as far as it goes, from the end as far as it goes, then each game by itself."""
    seen: set[int] = set()
    for order in ("game_id, number", "game_id DESC, number DESC"):
        with suppress(sqlite3.Error, UnicodeDecodeError):
            for row in db.execute(f"{ALL} ORDER BY {order}"):
                if isinstance(row[0], int):
                    seen.add(row[0])
                yield row
    for game_id in range(1, min(max(seen, default=0), MOST_GAMES) + 1):
        for order in ("number", "number DESC"):
            with suppress(sqlite3.Error, UnicodeDecodeError):
                yield from db.execute(f"{ALL} WHERE game_id = ? ORDER BY {order}", (game_id,))


def _good(commands: dict[int, Command]) -> tuple[list[Command], Moment]:
    """The commands from the first one on that are as they were written and that the rules take."""
    good: list[Command] = []
    moment, seal = Moment(), 0
    while (command := commands.get(len(good) + 1)) is not None:
        seal = seal_of(command.line, seal)
        if seal != command.seal:
            break
        if command.line != RESUME_LINE:
            try:
                moment = follow(moment, command.line)
            except Refused:
                break
        good.append(command)
    return good, moment
