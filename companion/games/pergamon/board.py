"""The board's numbers, as an owner confirms them once against the real board."""

from __future__ import annotations

import re
import tomllib
from importlib import resources
from typing import Annotated

import msgspec

from companion.games.base import WrongData

SPACES = 13
GALLERIES = 5
MUSEUM_SPACES = 24

Coins = Annotated[int, msgspec.Meta(ge=0, le=20)]
Gallery = Annotated[int, msgspec.Meta(ge=1, le=GALLERIES)]
ONE_A_SPACE = msgspec.Meta(min_length=SPACES, max_length=SPACES)
Space = Annotated[int, msgspec.Meta(ge=1, le=SPACES)]


SHIPPED = (resources.files(__package__) / "board.toml").read_text("utf-8")
_shipped = tomllib.loads(SHIPPED)


class RaiderSpaces(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where the tomb raider stands, by the backs of the two funds cards."""

    two_chests: Space = _shipped["raider"]["two_chests"]
    bag_and_chest: Space = _shipped["raider"]["bag_and_chest"]
    two_bags: Space = _shipped["raider"]["two_bags"]

    def for_backs(self, backs: tuple[str, ...]) -> int:
        return (self.two_chests, self.bag_and_chest, self.two_bags)[backs.count("bag")]


class Board(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The funds spaces and the museum. What is left out is as shipped."""

    confirmed: bool = _shipped["confirmed"]
    coins: Annotated[tuple[Coins, ...], ONE_A_SPACE] = tuple(_shipped["coins"])
    deepest_gallery: Annotated[tuple[Gallery, ...], ONE_A_SPACE] = tuple(_shipped["deepest_gallery"])
    museum_points: Annotated[tuple[Coins, ...], msgspec.Meta(min_length=MUSEUM_SPACES, max_length=MUSEUM_SPACES)] = (
        tuple(_shipped["museum_points"])
    )
    raider: RaiderSpaces = RaiderSpaces()

    def coins_of(self, space: int) -> int:
        return self.coins[space - 1]

    def deepest_of(self, space: int) -> int:
        return self.deepest_gallery[space - 1]

    def points_of(self, museum_space: int) -> int:
        return self.museum_points[museum_space - 1]


def read_board(text: str) -> Board:
    """The board in an owner's file, or WrongData with the line and the reason."""
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"at line (\d+)", str(error))
        reason = str(error).split(" (at ")[0]
        raise WrongData(int(line[1]) if line else text.count("\n") + 1, reason) from None
    except (ValueError, RecursionError):
        longest = max(text.splitlines(), key=len)
        raise WrongData(text.splitlines().index(longest) + 1, "this is no number or list of a board") from None
    try:
        return msgspec.convert(tables, Board)
    except msgspec.ValidationError as error:
        reason, _, path = str(error).partition(" - at ")
        field = re.search(r"unknown field `([^`]+)`", reason)
        keys = re.findall(r"[a-z_]+", path) + ([field[1]] if field else [])
        where = f" ({', '.join(keys)})" if keys else ""
        raise WrongData(_line_of(text, keys), reason + where) from None


def _line_of(text: str, keys: list[str]) -> int:
    """The line that sets the last of these keys; the first line if none does."""
    for key in reversed(keys):
        for number, line in enumerate(text.splitlines(), start=1):
            if re.match(rf'\s*\[?\s*"?{re.escape(key)}"?\s*[\]=.]', line):
                return number
    return 1
