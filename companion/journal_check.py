"""Whether a journal on disk is ours and whole: looked at without changing a byte of it."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from companion import journal_tables
from companion.torn import keep_aside, keep_if_torn

log = logging.getLogger(__name__)

BUSY = 5
"""Seconds to wait for another process that is writing."""

LAST_COMMAND = "FROM commands WHERE version = (SELECT max(version) FROM commands)"


class JournalError(Exception):
    """The record cannot be used; the sentence says what to do. The file is left as it is."""


def look_over(path: Path) -> None:
    """Refuse a file that is foreign, too new, or damaged where a table needs it.

    What is read here does not grow with the record; `examine` looks at the rest.
    """
    in_use = Path(f"{path}-wal").exists()
    if not path.stat().st_size:
        _look_at_nothing(path, in_use)
        return
    with _looking(path, "mode=ro" if in_use else "immutable=1") as db:
        tables = db.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
        application = db.execute("PRAGMA application_id").fetchone()[0]
        if application != journal_tables.APPLICATION and (tables or application):
            raise JournalError(f"{path} is not a journal of this companion. Choose another data folder.")
        if db.execute("PRAGMA user_version").fetchone()[0] > len(journal_tables.MIGRATIONS):
            raise JournalError(f"{path} was written by a newer companion. Update this one first.")
        size = db.execute("SELECT page_size * page_count FROM pragma_page_size, pragma_page_count").fetchone()[0]
        if not in_use and size != path.stat().st_size:
            raise JournalError(_damaged(path, f"it should have {size} bytes"))
        if tables:
            _look_at_the_end(path, db)


def _look_at_nothing(path: Path, in_use: bool) -> None:
    """An empty file is a journal that was never begun, or one that the disk has lost."""
    if in_use and Path(f"{path}-wal").stat().st_size:
        raise JournalError(_damaged(path, "it is empty, though its log is not"))
    log.warning("%s is empty: a new record begins.", path)


def _look_at_the_end(path: Path, db: sqlite3.Connection) -> None:
    """The last command must be the last one by every way that leads to it."""
    last = db.execute(f"SELECT game_id, number, version {LAST_COMMAND}").fetchone()
    newest = db.execute("SELECT version FROM commands ORDER BY game_id DESC, number DESC LIMIT 1").fetchone()
    if last is None:
        ways_differ = newest is not None and newest[0] is not None
    else:
        game = "SELECT game_id, number, version FROM commands WHERE game_id = ? ORDER BY number DESC LIMIT 1"
        ways_differ = newest is None or (newest[0] or 0) > last[2] or db.execute(game, last[:1]).fetchone() != last
    if ways_differ:
        raise JournalError(_damaged(path, "its last command is not where it should be"))


def say_if_torn(path: Path) -> None:
    """A log of the last changes that breaks off is said, and the files are kept as they were."""
    torn = keep_if_torn(path)
    if torn is not None:
        log.warning(
            "%s: the last changes before the table went off (%d or more) cannot be read; the record goes on from "
            "the one before them. The files are kept as they were in %s.",
            path,
            torn.changes,
            torn.kept,
        )


def examine(path: Path) -> None:
    """Look through the whole file, which takes longer the more is in it; JournalError says what is damaged."""
    with clear_errors(path), _looking(path, "mode=ro") as db:
        found = db.execute("PRAGMA integrity_check(1)").fetchone()[0]
    if found != "ok":
        raise noticed(path, found.splitlines()[-1])


def noticed(path: Path, damage: str) -> JournalError:
    """Damage that was found in use. The files are kept as they are now: SQLite tidies up when it is closed."""
    where = ""
    with suppress(OSError):
        if Path(f"{path}-wal").stat().st_size:
            where = f" A copy is in {keep_aside(path)}."
    return JournalError(_damaged(path, damage) + where)


@contextmanager
def clear_errors(path: Path) -> Iterator[None]:
    """What SQLite and the system complain of, as a JournalError that an owner understands."""
    try:
        yield
    except sqlite3.OperationalError as error:
        raise JournalError(
            f"{path} cannot be opened: {error}. Check that the disk has room, and that the folder is there "
            "and may be written."
        ) from error
    except (sqlite3.DatabaseError, UnicodeDecodeError, TypeError) as error:
        raise JournalError(_damaged(path, str(error))) from error
    except OSError as error:
        raise JournalError(f"{path.parent} cannot be used as data folder: {error.strerror}.") from error


@contextmanager
def _looking(path: Path, how: str) -> Iterator[sqlite3.Connection]:
    """A connection of its own that changes nothing."""
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?{how}", uri=True, timeout=BUSY)) as db:
        yield db


def _damaged(path: Path, what: str) -> str:
    what = " ".join(what.split())[:120]
    return f"{path} is damaged: {what}. It is left as it is: `companion repair` saves what can be read, and keeps it."
