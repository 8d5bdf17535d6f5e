"""The record on disk: every accepted command of every game, there before it is acknowledged."""

from __future__ import annotations

import sqlite3
import threading
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from companion import standings
from companion.journal_check import (
    BUSY,
    LAST_COMMAND,
    JournalError,
    clear_errors,
    examine,
    look_over,
    noticed,
    say_if_torn,
)
from companion.journal_tables import bring_up_to_date
from companion.play import Ending
from companion.standings import Standing

__all__ = ["RESUME_LINE", "CannotRecord", "Command", "Journal", "JournalError", "PastGame", "seal_of"]

RESUME_LINE = b'{"do":"resume_game"}'
"""In the record only: an earlier game is taken up again here."""

SETTINGS = ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON", "journal_size_limit = 0")
"""The last one: a log that is begun again is cut short, so that a torn write never lies over an older page."""

CLOSING = 0.5
"""Seconds to wait for a write that is under way when the table stops."""

NO_END = 1 << 62
"""Above the number of any game."""


class CannotRecord(Exception):
    """The disk did not take a command: it must not be acknowledged."""


class PastGame(NamedTuple):
    """A game in the record, finished or not."""

    id: int
    game: str
    players: tuple[str, ...]
    began: float
    ended: float | None
    winners: tuple[str, ...]
    imported: bool
    commands: int


class Command(NamedTuple):
    """An accepted command as it lies in the record."""

    number: int
    version: int | None
    at: float
    line: bytes
    seal: int


class Journal:
    """One SQLite file in WAL mode with full synchronisation. May be used from any thread."""

    def __init__(self, path: Path, now: Callable[[], float]) -> None:
        self.path = path
        self._now = now
        self._lock = threading.Lock()
        self._reading_lock = threading.Lock()
        self._examining = threading.Lock()
        self._damage: str | None = None
        with clear_errors(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.exists():
                look_over(path)
                say_if_torn(path)
            self._db = self._connect()
            try:
                for setting in SETTINGS:
                    self._db.execute(f"PRAGMA {setting}")
                bring_up_to_date(self._db)
                self._reader = self._connect()
            except BaseException:
                self._db.close()
                raise

    def close(self) -> None:
        """Let the file go. Whoever still waits for a slow disk is left to it: what is written is whole or not there."""
        for lock, db in ((self._reading_lock, self._reader), (self._lock, self._db)):
            if lock.acquire(timeout=CLOSING):
                try:
                    db.close()
                finally:
                    lock.release()

    def examine(self) -> str:
        """Look through the whole file, once: what is damaged, or "" if nothing is.

        The time this takes grows with the record, so a table starts without it; but nothing is written before.
        """
        with self._examining:
            if self._damage is None:
                try:
                    examine(self.path)
                    self._damage = ""
                except JournalError as error:
                    self._damage = str(error)
            return self._damage

    def append(self, line: bytes, version: int, ending: Ending | None = None) -> None:
        """Put a command of the game under way on disk; when this returns, a power cut cannot take it.

        The command that ends the game says how; one that takes the end back does not.
        """
        with self._recording() as db:
            game_id, number, seal = db.execute(f"SELECT game_id, number, seal {LAST_COMMAND}").fetchone()
            self._insert(game_id, number + 1, version, line, seal)
            if ending is None:
                standings.take_back_end(db, game_id)
            else:
                standings.note_end(db, game_id, self._now(), ending)

    def begin_game(self, game: str, players: tuple[str, ...], line: bytes, version: int) -> int:
        """Put the beginning of a game on disk, and its number in the record."""
        with self._recording():
            return self._insert_game(game, players, line, version)

    def add_past_game(self, game: str, players: tuple[str, ...], lines: list[bytes], ending: Ending | None) -> int:
        """Put a whole recorded game beside the others; the game under way is not touched."""
        with self._recording() as db:
            game_id = self._insert_game(game, players, lines[0], None)
            seal = seal_of(lines[0], 0)
            for number, line in enumerate(lines[1:], start=2):
                self._insert(game_id, number, None, line, seal)
                seal = seal_of(line, seal)
            db.execute("UPDATE games SET imported = 1 WHERE id = ?", (game_id,))
            if ending is not None:
                standings.note_end(db, game_id, self._now(), ending)
            return game_id

    def restore(
        self,
        game_id: int,
        game: str,
        players: tuple[str, ...],
        commands: list[Command],
        ending: Ending | None,
    ) -> None:
        """Put a game back as it was in another record, with its number, versions and times."""
        first, last = commands[0], commands[-1]
        with self._recording() as db:
            db.execute(
                "INSERT INTO games (id, game, players, began, imported) VALUES (?, ?, ?, ?, ?)",
                (game_id, game, "\n".join(players), first.at, first.version is None),
            )
            db.executemany(
                "INSERT INTO commands (game_id, number, version, at, line, seal) VALUES (?, ?, ?, ?, ?, ?)",
                [(game_id, *command) for command in commands],
            )
            if ending is not None:
                standings.note_end(db, game_id, last.at, ending)

    def resume_game(self, game_id: int, version: int) -> None:
        """Make an earlier game the one under way again."""
        with self._recording() as db:
            number, seal = db.execute(
                "SELECT number, seal FROM commands WHERE game_id = ? ORDER BY number DESC LIMIT 1", (game_id,)
            ).fetchone()
            self._insert(game_id, number + 1, version, RESUME_LINE, seal)

    def version(self) -> int:
        """How many commands the table has accepted."""
        with self._reading() as db:
            return int(db.execute("SELECT coalesce(max(version), 0) FROM commands").fetchone()[0])

    def game_under_way(self) -> int | None:
        """The number of the game that was played last at this table."""
        with self._reading() as db:
            row = db.execute(f"SELECT game_id {LAST_COMMAND}").fetchone()
            return None if row is None else int(row[0])

    def lines(self, game_id: int) -> list[bytes]:
        """The commands of one game; JournalError where the file was damaged."""
        with self._reading() as db:
            rows = db.execute(
                "SELECT number, line, seal FROM commands WHERE game_id = ? ORDER BY number", (game_id,)
            ).fetchall()
            last = db.execute("SELECT max(number) FROM commands WHERE game_id = ?", (game_id,)).fetchone()[0] or 0
        seal = 0
        whole = 0
        for number, line, written in rows:
            seal = seal_of(line, seal) if isinstance(line, bytes) else -1
            if number != whole + 1 or seal != written:
                break
            whole = number
        if whole != max(last, len(rows)):
            raise noticed(self.path, f"command {whole + 1} of game {game_id} is not as it was written")
        return [line for _, line, _ in rows if line != RESUME_LINE]

    def games(self, limit: int = -1, before: int | None = None) -> list[PastGame]:
        """The games in the record, the newest first."""
        with self._reading() as db:
            rows = db.execute(
                """SELECT id, game, players, began, ended, winners, imported,
                          (SELECT max(number) FROM commands WHERE game_id = id)
                   FROM games WHERE id < ? ORDER BY id DESC LIMIT ?""",
                (min(before or NO_END, NO_END), limit),
            ).fetchall()
        return [
            PastGame(id_, game, _names(players), began, ended, _names(winners), bool(imported), commands)
            for id_, game, players, began, ended, winners, imported, commands in rows
        ]

    def standings(self, most: int) -> list[Standing]:
        """What each player's finished games come to, the most successful first."""
        with self._reading() as db:
            return standings.best_first(db, most)

    def not_counted(self) -> list[int]:
        """The games that have ended, but that an older companion did not count in the standings."""
        with self._reading() as db:
            rows = db.execute("SELECT id FROM games WHERE ended NOT NULL AND NOT counted ORDER BY id").fetchall()
        return [game_id for (game_id,) in rows]

    def count(self, game_id: int, ending: Ending) -> None:
        """Count a game that ended earlier, unless that has happened meanwhile."""
        with self._recording() as db:
            standings.count(db, game_id, ending)

    def _insert_game(self, game: str, players: tuple[str, ...], line: bytes, version: int | None) -> int:
        cursor = self._db.execute(
            "INSERT INTO games (game, players, began) VALUES (?, ?, ?)", (game, "\n".join(players), self._now())
        )
        game_id = int(cursor.lastrowid or 0)
        self._insert(game_id, 1, version, line, 0)
        return game_id

    def _insert(self, game_id: int, number: int, version: int | None, line: bytes, seal: int) -> None:
        self._db.execute(
            "INSERT INTO commands (game_id, number, version, at, line, seal) VALUES (?, ?, ?, ?, ?, ?)",
            (game_id, number, version, self._now(), line, seal_of(line, seal)),
        )

    def _connect(self) -> sqlite3.Connection:
        return sqlite3.connect(self.path, isolation_level=None, check_same_thread=False, timeout=BUSY)

    @contextmanager
    def _recording(self) -> Iterator[sqlite3.Connection]:
        """One transaction: all of it on disk, or nothing and CannotRecord."""
        if damage := self.examine():
            raise CannotRecord(damage)
        with self._lock:
            try:
                self._db.execute("BEGIN IMMEDIATE")
                try:
                    yield self._db
                    self._db.execute("COMMIT")
                except BaseException:
                    if self._db.in_transaction:
                        self._db.execute("ROLLBACK")
                    raise
            except sqlite3.Error as error:
                raise CannotRecord(
                    f"The record could not be written ({error}). Check the disk's space and rights."
                ) from error

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        """A connection of its own, so that whoever reads never waits for a slow disk to write."""
        with self._reading_lock, clear_errors(self.path):
            yield self._reader


def seal_of(line: bytes, before: int) -> int:
    """A check sum over a game's commands so far, to notice a damaged file."""
    return zlib.crc32(line, before)


def _names(text: str) -> tuple[str, ...]:
    return tuple(text.split("\n")) if text else ()
