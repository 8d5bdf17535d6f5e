"""The data folder: checked when the table starts, and held by one companion at a time."""

from __future__ import annotations

import errno
import fcntl
import os
from contextlib import suppress
from pathlib import Path

LOCK_FILE = "in-use.lock"
LOG_FILE = "companion.log"
JOURNAL_FILE = "journal.sqlite"
SEATS_FILE = "seats.json"


class CannotStart(Exception):
    """The table cannot be started; the sentence says why and what to do."""


class Held:
    """The folder is ours until this is released, or the process ends in whatever way."""

    def __init__(self, lock: int) -> None:
        self._lock = lock

    def release(self) -> None:
        with suppress(OSError):
            os.close(self._lock)


def hold(data: Path) -> Held:
    """Make sure that the folder is there, may be written and is nobody else's, or CannotStart."""
    try:
        data.mkdir(parents=True, exist_ok=True)
        lock = _open_lock(data)
    except (FileExistsError, NotADirectoryError):
        raise CannotStart(f"{data} is not a folder: choose another one with --data.") from None
    except OSError as error:
        if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
            raise CannotStart(
                f"The data folder {data} may not be written: change its rights, or choose another one with --data."
            ) from None
        raise CannotStart(f"The data folder {data} cannot be used: {error.strerror}.") from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        owner = holder(data)
        by = f" (process {owner})" if owner else ""
        raise CannotStart(
            f"Another companion{by} is using the data folder {data}: stop that one, or choose another with --data."
        ) from None
    with suppress(OSError):  # a full disk does not keep the table from starting
        os.ftruncate(lock, 0)
        os.pwrite(lock, f"{os.getpid()}\n".encode(), 0)
    return Held(lock)


def _open_lock(data: Path) -> int:
    """The lock, which may belong to another user if the folder itself may be written."""
    try:
        return os.open(data / LOCK_FILE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except PermissionError:
        if not os.access(data, os.W_OK):
            raise
        return os.open(data / LOCK_FILE, os.O_RDONLY | os.O_CLOEXEC)


def holder(data: Path) -> int | None:
    """The process that holds the folder now; None if none does."""
    try:
        lock = os.open(data / LOCK_FILE, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        written = os.pread(lock, 20, 0).strip()
        return int(written) if written.isdigit() else None
    finally:
        os.close(lock)
    return None
