"""What a game is to the table: data and pure functions behind one small seam."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import msgspec

LONGEST_REASON = 160
"""How much of a decoder's complaint, which quotes what came in, is passed on."""


class Refused(Exception):
    """A command that the rules, or the table, say no to: a stable code and a sentence for a player."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class WrongData(Exception):
    """An owner's data file that cannot be used: the line and the reason."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason


class Expected(msgspec.Struct, frozen=True):
    """Which pieces a camera should look for now, and which of them cannot come any more."""

    kind: str
    """What to read, in the words of `companion read --expect`."""
    count: int
    """How many pieces the players should lay down."""
    impossible: frozenset[str] = frozenset()
    """Codes that this game has already used up, or that cannot lie here."""
    left: dict[str, int] = {}
    """How many pieces of a code can still come, where there may be more than one."""


class Step(msgspec.Struct, frozen=True):
    """What comes next: who acts (None: the table itself) and which commands it takes."""

    to_act: str | None
    commands: tuple[str, ...]


class Option(msgspec.Struct, frozen=True):
    """Something that players may choose when they set a game up."""

    name: str
    default: bool


class Description(msgspec.Struct, frozen=True):
    """What a page needs to set a game up without knowing it."""

    name: str
    title: str
    fewest_players: int
    most_players: int
    colours: tuple[str, ...]
    variants: tuple[Option, ...] = ()
    house_rules: tuple[Option, ...] = ()


class Game(Protocol):
    """One game. States and commands are its own immutable values; the table only passes them on."""

    name: str
    description: Description
    data_file: str
    """Name of the file with what an owner checks against the real box, such as the board's numbers."""
    data_text: str
    """That file as shipped."""

    def read_data(self, text: str) -> Any:
        """The owner's data in this text, or WrongData with the line and the reason."""

    def decode(self, line: bytes) -> Any:
        """The command written in this JSON object, or Refused as malformed."""

    def encode(self, command: Any) -> bytes:
        """The command as one line of a recorded game."""

    def fill_in(self, new_game: Any, data: Any) -> Any:
        """The same `new_game` with the owner's data (None: as shipped) in it, so that its record stands alone."""

    def start(self, new_game: Any) -> Any:
        """The state at the beginning of a game."""

    def apply(self, state: Any, command: Any) -> Any:
        """The state after a command, or Refused; the given state is never changed."""

    def is_over(self, state: Any) -> bool:
        """Whether the game has ended."""

    def players(self, state: Any) -> tuple[str, ...]:
        """The players' names, clockwise."""

    def winners(self, state: Any) -> tuple[str, ...]:
        """Who has won; nobody before the end."""

    def next_step(self, state: Any) -> Step:
        """Who must act now, and with which commands."""

    def expected(self, state: Any) -> Expected | None:
        """Which pieces the camera should look for now."""

    def where(self, state: Any, codes: Sequence[str]) -> tuple[str, ...]:
        """Where each of these pieces goes on the board, in the players' words; "" where it is not known."""

    def from_pieces(self, state: Any, codes: Sequence[str]) -> Any:
        """The command that a person gives by confirming these pieces, or Refused."""

    def show(self, state: Any, version: int) -> dict[str, Any]:
        """The whole state as plain data."""

    def view(self, state: Any, version: int, seat: str | None) -> dict[str, Any]:
        """The state as one player, or (None) an onlooker, may see it."""
