"""What a power cut or a bad card may leave behind: a log of the last changes that cannot be read to its end."""

from __future__ import annotations

import shutil
import sqlite3
import struct
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

HEADER = 32
FRAME_HEADER = 24
MAGIC = (0x377F0682, 0x377F0683)
KNOWN_FRAMES_AT = 16
"""Where SQLite notes in its shared memory how many frames of the log it could read."""
READING = 5.0


class Torn(NamedTuple):
    """At least so many changes in the log that cannot be read, and where the files are kept as they were found."""

    changes: int
    kept: Path


def keep_if_torn(path: Path) -> Torn | None:
    """Copy a journal aside whose log breaks off before its end; None if it is whole. OSError if that fails.

    SQLite passes over everything behind the first bad page of its log without a word: that must be said.
    """
    log = Path(f"{path}-wal")
    if not log.exists() or log.stat().st_size <= HEADER + FRAME_HEADER:
        return None
    changes = _unreadable_changes(path, log)
    return Torn(changes, keep_aside(path)) if changes else None


def keep_aside(path: Path) -> Path:
    """A copy of the journal's files in a folder of its own beside it; the one that is there if it holds the same."""
    files = [file for file in (path, Path(f"{path}-wal")) if file.exists()]
    number = 1
    while (folder := path.with_name(f"{path.stem}.damaged-{number}")).exists():
        if all(_same(file, folder / file.name) for file in files):
            return folder
        number += 1
    unfinished = path.with_name(f"{path.stem}.keeping")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir()
    for file in files:
        shutil.copy2(file, unfinished)
    return unfinished.rename(folder)


def _same(one: Path, other: Path) -> bool:
    return other.exists() and one.read_bytes() == other.read_bytes()


def _unreadable_changes(path: Path, log: Path) -> int:
    """How many changes, at least, stand in the log behind the last one that SQLite takes from it.

    A heading at the log's end without its whole page is none: a cut in the middle of a write leaves that, and what was
    being written had not been answered. So that such a page never lies over an older one, the journal cuts its log
    short whenever it begins it again.
    """
    read = _frames_read(path)
    end = log.stat().st_size
    with log.open("rb") as file:
        head = file.read(HEADER)
        size = struct.unpack(">I", head[8:12])[0]
        if not _is_whole(head):
            size = _page_size(path)
        beyond, number, salts, never_written = 0, 0, head[16:24], False
        while file.tell() + FRAME_HEADER + size <= end:
            frame = file.read(FRAME_HEADER)
            number += 1
            if number == 1 and not _is_whole(head):
                salts = frame[8:16]
            ends_a_change = frame[4:8] != bytes(4)
            beyond += number > read and ends_a_change and frame[8:16] == salts
            never_written = never_written or frame == bytes(FRAME_HEADER)
            file.seek(size, 1)
    return beyond + never_written


def _frames_read(path: Path) -> int:
    uri = f"{path.absolute().as_uri()}?mode=ro"
    with closing(sqlite3.connect(uri, uri=True, timeout=READING, isolation_level=None)) as db:
        db.execute("BEGIN")
        db.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        with Path(f"{path}-shm").open("rb") as shared:
            shared.seek(KNOWN_FRAMES_AT)
            return int(struct.unpack("=I", shared.read(4))[0])


def _is_whole(head: bytes) -> bool:
    """Whether the log's own heading is as SQLite wrote it, by its check sum."""
    (magic,) = struct.unpack(">I", head[:4])
    if magic not in MAGIC:
        return False
    one = two = 0
    words = struct.unpack("<6I" if magic == MAGIC[0] else ">6I", head[: HEADER - 8])
    for first, second in zip(words[::2], words[1::2], strict=True):
        one = (one + first + two) & 0xFFFFFFFF
        two = (two + second + one) & 0xFFFFFFFF
    return struct.unpack(">2I", head[HEADER - 8 :]) == (one, two)


def _page_size(path: Path) -> int:
    with path.open("rb") as file:
        size = int(struct.unpack(">H", file.read(18)[16:])[0])
    return 65536 if size == 1 else max(size, 512)
