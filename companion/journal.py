"""The record on disk: every accepted command of every game, there before it is acknowledged."""

from __future__ import annotations

import logging
import sqlite3
import threading
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from companion.torn import keep_aside, keep_if_torn

log = logging.getLogger(__name__)

APPLICATION = 0x7AB1E
"""Marks the file as ours, so that a foreign database is never touched."""

RESUME_LINE = b'{"do":"resume_game"}'
"""In the record only: an earlier game is taken up again here."""

BUSY = 5
"""Seconds to wait for another process that is writing."""

NO_END = 1 << 62
"""Above the number of any game."""

LAST_COMMAND = "FROM commands WHERE version = (SELECT max(version) FROM commands)"


def _first_tables(db: sqlite3.Connection) -> None:
    db.execute(
        """CREATE TABLE games (
            id INTEGER PRIMARY KEY,
            game TEXT NOT NULL,
            players TEXT NOT NULL,
            began REAL NOT NULL,
            ended REAL,
            winners TEXT NOT NULL DEFAULT '',
            imported INTEGER NOT NULL DEFAULT 0
        ) STRICT"""
    )
    db.execute(
        """CREATE TABLE commands (
            game_id INTEGER NOT NULL REFERENCES games (id),
            number INTEGER NOT NULL,
            version INTEGER UNIQUE,
            at REAL NOT NULL,
            line BLOB NOT NULL,
            seal INTEGER NOT NULL,
            PRIMARY KEY (game_id, number)
        ) STRICT, WITHOUT ROWID"""
    )


def _points(db: sqlite3.Connection) -> None:
    db.execute(
        """CREATE TABLE points (
            game_id INTEGER PRIMARY KEY REFERENCES games (id),
            number INTEGER NOT NULL,
            points TEXT NOT NULL
        ) STRICT"""
    )


MIGRATIONS: tuple[Callable[[sqlite3.Connection], None], ...] = (_first_tables, _points)
"""What brings a journal from schema version N to N + 1. Steps are only ever added."""


class JournalError(Exception):
    """The record cannot be used; the sentence says what to do. The file is left as it is."""


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
        with self._clear_errors():
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.exists():
                self._look_over()
                self._keep_if_torn()
            self._db = self._connect()
            try:
                self._prepare()
                self._reader = self._connect()
            except BaseException:
                self._db.close()
                raise

    def close(self) -> None:
        with self._lock, self._reading_lock:
            self._reader.close()
            self._db.close()

    def examine(self) -> str:
        """Look through the whole file, once: what is damaged, or "" if nothing is.

        The time this takes grows with the record, so a table starts without it; but nothing is written before.
        """
        with self._examining:
            if self._damage is None:
                try:
                    with self._clear_errors(), self._looking("mode=ro") as db:
                        found = db.execute("PRAGMA integrity_check(1)").fetchone()[0]
                    self._damage = "" if found == "ok" else str(self._noticed(found.splitlines()[-1]))
                except JournalError as error:
                    self._damage = str(error)
            return self._damage

    def append(self, line: bytes, version: int, winners: tuple[str, ...] | None = None) -> None:
        """Put a command of the game under way on disk; when this returns, a power cut cannot take it.

        `winners` are named by the command that ends the game; one that takes the end back names none.
        """
        with self._recording() as db:
            game_id, number, seal = db.execute(f"SELECT game_id, number, seal {LAST_COMMAND}").fetchone()
            self._insert(game_id, number + 1, version, line, seal)
            if winners is None:
                db.execute("UPDATE games SET ended = NULL, winners = '' WHERE id = ? AND ended NOT NULL", (game_id,))
            else:
                self._note_end(game_id, winners)

    def begin_game(self, game: str, players: tuple[str, ...], line: bytes, version: int) -> int:
        """Put the beginning of a game on disk, and its number in the record."""
        with self._recording():
            return self._insert_game(game, players, line, version)

    def add_past_game(
        self, game: str, players: tuple[str, ...], lines: list[bytes], winners: tuple[str, ...] | None
    ) -> int:
        """Put a whole recorded game beside the others; the game under way is not touched."""
        with self._recording() as db:
            game_id = self._insert_game(game, players, lines[0], None)
            seal = seal_of(lines[0], 0)
            for number, line in enumerate(lines[1:], start=2):
                self._insert(game_id, number, None, line, seal)
                seal = seal_of(line, seal)
            db.execute("UPDATE games SET imported = 1 WHERE id = ?", (game_id,))
            if winners is not None:
                self._note_end(game_id, winners)
            return game_id

    def restore(
        self,
        game_id: int,
        game: str,
        players: tuple[str, ...],
        commands: list[Command],
        winners: tuple[str, ...] | None,
    ) -> None:
        """Put a game back as it was in another record, with its number, versions and times."""
        first, last = commands[0], commands[-1]
        ended = (last.at, "\n".join(winners)) if winners is not None else (None, "")
        with self._recording() as db:
            db.execute(
                "INSERT INTO games (id, game, players, began, ended, winners, imported) VALUES (?, ?, ?, ?, ?, ?, ?)",
                (game_id, game, "\n".join(players), first.at, *ended, first.version is None),
            )
            db.executemany(
                "INSERT INTO commands (game_id, number, version, at, line, seal) VALUES (?, ?, ?, ?, ?, ?)",
                [(game_id, *command) for command in commands],
            )

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
            raise self._noticed(f"command {whole + 1} of game {game_id} is not as it was written")
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

    def points(self, of: list[PastGame]) -> dict[int, str]:
        """What was kept about the end of these games, by number; nothing about one that has gone on since."""
        with self._reading() as db:
            kept = db.execute(
                "SELECT game_id, number, points FROM points WHERE game_id BETWEEN ? AND ?",
                (min((game.id for game in of), default=0), max((game.id for game in of), default=0)),
            ).fetchall()
        commands = {game.id: game.commands for game in of}
        return {game_id: points for game_id, number, points in kept if commands.get(game_id) == number}

    def keep_points(self, points: dict[int, tuple[int, str]]) -> None:
        """Keep how games ended, each with its number of commands, so that they need not be played again to know."""
        with self._recording() as db:
            rows = [(game_id, *rest) for game_id, rest in points.items()]
            db.executemany("INSERT OR REPLACE INTO points VALUES (?, ?, ?)", rows)

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

    def _note_end(self, game_id: int, winners: tuple[str, ...]) -> None:
        self._db.execute(
            "UPDATE games SET ended = ?, winners = ? WHERE id = ?", (self._now(), "\n".join(winners), game_id)
        )

    def _noticed(self, damage: str) -> JournalError:
        """Damage that was found in use. The files are kept as they are now: SQLite tidies up when it is closed."""
        where = ""
        with suppress(OSError):
            if Path(f"{self.path}-wal").stat().st_size:
                where = f" A copy is in {keep_aside(self.path)}."
        return JournalError(_damaged(self.path, damage) + where)

    def _look_over(self) -> None:
        """Refuse a file that is foreign, too new, or damaged where a table needs it, without changing a byte of it.

        What is read here does not grow with the record; `examine` looks at the rest.
        """
        in_use = Path(f"{self.path}-wal").exists()
        if not self.path.stat().st_size:
            self._look_at_nothing(in_use)
            return
        with self._looking("mode=ro" if in_use else "immutable=1") as db:
            tables = db.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
            application = db.execute("PRAGMA application_id").fetchone()[0]
            if application != APPLICATION and (tables or application):
                raise JournalError(f"{self.path} is not a journal of this companion. Choose another data folder.")
            if db.execute("PRAGMA user_version").fetchone()[0] > len(MIGRATIONS):
                raise JournalError(f"{self.path} was written by a newer companion. Update this one first.")
            size = db.execute("SELECT page_size * page_count FROM pragma_page_size, pragma_page_count").fetchone()[0]
            if not in_use and size != self.path.stat().st_size:
                raise JournalError(_damaged(self.path, f"it should have {size} bytes"))
            if tables:
                self._look_at_the_end(db)

    def _look_at_nothing(self, in_use: bool) -> None:
        """An empty file is a journal that was never begun, or one that the disk has lost."""
        if in_use and Path(f"{self.path}-wal").stat().st_size:
            raise JournalError(_damaged(self.path, "it is empty, though its log is not"))
        log.warning("%s is empty: a new record begins.", self.path)

    def _look_at_the_end(self, db: sqlite3.Connection) -> None:
        """The last command must be the last one by every way that leads to it."""
        last = db.execute(f"SELECT game_id, number, version {LAST_COMMAND}").fetchone()
        newest = db.execute("SELECT version FROM commands ORDER BY game_id DESC, number DESC LIMIT 1").fetchone()
        if last is None:
            ways_differ = newest is not None and newest[0] is not None
        else:
            game = "SELECT game_id, number, version FROM commands WHERE game_id = ? ORDER BY number DESC LIMIT 1"
            ways_differ = newest is None or (newest[0] or 0) > last[2] or db.execute(game, last[:1]).fetchone() != last
        if ways_differ:
            raise JournalError(_damaged(self.path, "its last command is not where it should be"))

    def _keep_if_torn(self) -> None:
        torn = keep_if_torn(self.path)
        if torn is not None:
            log.warning(
                "%s: the last changes before the table went off (%d or more) cannot be read; the record goes on from "
                "the one before them. The files are kept as they were in %s.",
                self.path,
                torn.changes,
                torn.kept,
            )

    @contextmanager
    def _looking(self, how: str) -> Iterator[sqlite3.Connection]:
        """A connection of its own that changes nothing."""
        with closing(sqlite3.connect(f"{self.path.absolute().as_uri()}?{how}", uri=True, timeout=BUSY)) as db:
            yield db

    def _connect(self) -> sqlite3.Connection:
        return sqlite3.connect(self.path, isolation_level=None, check_same_thread=False, timeout=BUSY)

    def _prepare(self) -> None:
        """Full synchronisation, and an older journal brought up to date."""
        db = self._db
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        db.execute("PRAGMA foreign_keys = ON")
        db.execute("BEGIN IMMEDIATE")
        version = db.execute("PRAGMA user_version").fetchone()[0]
        for migrate in MIGRATIONS[version:]:
            migrate(db)
        if version < len(MIGRATIONS):
            db.execute(f"PRAGMA application_id = {APPLICATION}")
            db.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
        db.execute("COMMIT")

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
        with self._reading_lock, self._clear_errors():
            yield self._reader

    @contextmanager
    def _clear_errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError as error:
            raise JournalError(
                f"{self.path} cannot be opened: {error}. Check that the disk has room, and that the folder is there "
                "and may be written."
            ) from error
        except (sqlite3.DatabaseError, UnicodeDecodeError, TypeError) as error:
            raise JournalError(_damaged(self.path, str(error))) from error
        except OSError as error:
            raise JournalError(f"{self.path.parent} cannot be used as data folder: {error.strerror}.") from error


def seal_of(line: bytes, before: int) -> int:
    """A check sum over a game's commands so far, to notice a damaged file."""
    return zlib.crc32(line, before)


def _names(text: str) -> tuple[str, ...]:
    return tuple(text.split("\n")) if text else ()


def _damaged(path: Path, what: str) -> str:
    what = " ".join(what.split())[:120]
    return f"{path} is damaged: {what}. It is left as it is: `companion repair` saves what can be read, and keeps it."
