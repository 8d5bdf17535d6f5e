"""Recorded games: UTF-8 text, one command a line, played from beginning to end."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from companion.games.base import Refused
from companion.play import LONGEST_LINE, Moment, follow

LARGEST_RECORD = 512 * 1024
"""A whole game has some 20 kB; undone and done again all evening it still stays far below."""


class RecordRefused(Exception):
    """A recorded game that cannot be played: the file, the line (0: none in particular), a code, a sentence."""

    def __init__(self, file: str, line: int, code: str, message: str) -> None:
        super().__init__(f"{file}, line {line}: {message} ({code})")
        self.file = file
        self.line = line
        self.code = code
        self.message = message


def replay(path: str) -> Moment:
    """The last moment of a recorded game."""
    moment = Moment()
    for moment in moments(path):  # noqa: B007 - only the last one counts
        pass
    return moment


def moments(path: str) -> Iterator[Moment]:
    """Every moment of a recorded game, one a command; RecordRefused where it cannot go on."""
    moment = Moment()
    number = 0
    try:
        with Path(path).open("rb") as file:
            for number, line in _commands(file):  # noqa: B007 - the number of the refused line is told below
                moment = follow(moment, line)
                yield moment
    except Refused as refused:
        raise RecordRefused(path, number, refused.code, refused.message) from None
    except _BadLine as bad:
        raise RecordRefused(path, bad.number, "malformed", bad.reason) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise RecordRefused(path, 0, "unreadable", f"This file cannot be read: {reason}.") from None
    if not number:
        raise RecordRefused(path, 0, "malformed", "There is no game in this file.")


class _BadLine(Exception):
    def __init__(self, number: int, reason: str) -> None:
        super().__init__(reason)
        self.number = number
        self.reason = reason


def _commands(file: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """The lines that hold a command, numbered from 1; blank lines and comments are passed over."""
    number = size = 0
    while line := file.readline(LONGEST_LINE + 2):
        number += 1
        size += len(line)
        if len(line) > LONGEST_LINE + 1 or size > LARGEST_RECORD:
            raise _BadLine(number, "This is too long for a recorded game.")
        if number == 1:
            line = line.removeprefix(b"\xef\xbb\xbf")
        try:
            line.decode("utf-8")
        except UnicodeDecodeError:
            raise _BadLine(number, "This line is not UTF-8 text.") from None
        line = line.strip()
        if line and not line.startswith(b"#"):
            yield number, line


def write(lines: list[bytes], heading: str = "") -> bytes:
    """A recorded game as text, with comments above it."""
    comments = [f"# {line}".encode() for line in heading.splitlines()]
    return b"\n".join([*comments, *lines]) + b"\n"
