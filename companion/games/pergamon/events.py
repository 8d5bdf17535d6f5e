"""What a command brought about, fact by fact, so that a page or a panel can tell the players."""

from __future__ import annotations

from typing import Literal

import msgspec

Reason = Literal["exhibit", "museum", "prize", "oldest"]


class Event(msgspec.Struct, frozen=True, tag_field="what", tag=str.lower, omit_defaults=True):
    """One thing that happened to a piece, a coin or a point."""


class Laid(Event, frozen=True, tag="laid"):
    find: str
    gallery: int


class Placed(Event, frozen=True, tag="placed"):
    """A figure, or the tomb raider, on a funds space."""

    player: str
    space: int


class Paid(Event, frozen=True, tag="paid"):
    """Coins from the funds to a figure, whose space asks for so many."""

    player: str
    coins: int
    space: int


class Returned(Event, frozen=True, tag="returned"):
    """Funds that go back to the supply."""

    coins: int


class Dug(Event, frozen=True, tag="dug"):
    player: str
    gallery: int
    finds: tuple[str, ...]


class Looted(Event, frozen=True, tag="looted"):
    """The tomb raider's turn; gallery 0: there was nothing that he could loot."""

    gallery: int
    finds: tuple[str, ...]


class BrokenUp(Event, frozen=True, tag="broken_up"):
    """A collection taken out of the museum by its owner, its finds back in the box."""

    player: str
    marker: str
    space: int
    finds: tuple[str, ...]


class Moved(Event, frozen=True, tag="moved"):
    """A marker down in the museum."""

    player: str
    marker: str
    start: int
    end: int


class FellOut(Event, frozen=True, tag="fell_out"):
    """A marker back to its owner, the collection's finds back in the box."""

    player: str
    marker: str
    space: int
    finds: tuple[str, ...]


class Exhibited(Event, frozen=True, tag="exhibited"):
    player: str
    marker: str
    space: int
    value: int
    polish: int


class Scored(Event, frozen=True, tag="scored"):
    """Points, and what for: exhibiting, a museum space, a prize for a kind, one of the three oldest objects."""

    player: str
    points: int
    round: int
    reason: Reason
    marker: str = ""
    space: int = 0
    object: str = ""
    tied: bool = False


class Stored(Event, frozen=True, tag="stored"):
    """The end of a turn: what was kept, what it cost, what went to the box."""

    player: str
    kept: int
    fee: int
    discarded: tuple[str, ...]


class RoundBegan(Event, frozen=True, tag="round_began"):
    round: int
    first_player: str


class GameEnded(Event, frozen=True, tag="game_ended"):
    winners: tuple[str, ...]
