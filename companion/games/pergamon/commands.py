"""Every command of Pergamon, typed. What does not have these shapes is malformed."""

from __future__ import annotations

import unicodedata
from typing import Annotated, Literal

import msgspec

from companion.games.base import LONGEST_REASON, Refused
from companion.games.pergamon.board import GALLERIES, SPACES, Board

Back = Literal["bag", "chest"]
Colour = Literal["yellow", "blue", "red", "green"]
Marker = Literal["I", "II", "III"]
Variant = Literal["order_track", "free_sorting"]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
Finds = Annotated[tuple[str, ...], msgspec.Meta(max_length=60)]


class Command(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="do", forbid_unknown_fields=True, omit_defaults=True
):
    """What every command may carry: the table's version it was made on, and who makes it."""

    on: int | None = None
    player: str | None = None


class Seat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A player at the table, with the colour of their figure and markers."""

    name: Name
    colour: Colour


class HouseRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a table may agree on. Hidden points stay out of what the other players see."""

    raider_takes_rest: bool = True
    hidden_points: bool = False


class NewGame(Command, tag="new_game", frozen=True, kw_only=True):
    game: Literal["pergamon"]
    players: Annotated[tuple[Name | Seat, ...], msgspec.Meta(min_length=2, max_length=4)]
    variants: Annotated[tuple[Variant, ...], msgspec.Meta(max_length=2)] = ()
    house_rules: HouseRules = HouseRules()
    board: Board | None = None
    replace: bool = False


class LayOut(Command, tag="lay_out", frozen=True, kw_only=True):
    finds: Finds


class DrawFunds(Command, tag="draw_funds", frozen=True, kw_only=True):
    backs: tuple[Back, Back]


class PlaceFigure(Command, tag="place_figure", frozen=True, kw_only=True):
    space: Annotated[int, msgspec.Meta(ge=1, le=SPACES)]


class RevealFunds(Command, tag="reveal_funds", frozen=True, kw_only=True):
    values: tuple[Annotated[int, msgspec.Meta(ge=1, le=8)], Annotated[int, msgspec.Meta(ge=1, le=8)]]


class Dig(Command, tag="dig", frozen=True, kw_only=True):
    gallery: Annotated[int, msgspec.Meta(ge=1, le=GALLERIES)]


class Exhibit(Command, tag="exhibit", frozen=True, kw_only=True):
    finds: Finds
    polish: Annotated[int, msgspec.Meta(ge=0, le=10**9)] = 0
    marker: Marker | None = None
    break_up: Marker | None = None


class EndTurn(Command, tag="end_turn", frozen=True, kw_only=True):
    discard: Finds = ()


AnyCommand = NewGame | LayOut | DrawFunds | PlaceFigure | RevealFunds | Dig | Exhibit | EndTurn
COLOURS: tuple[Colour, ...] = ("yellow", "blue", "red", "green")

_decoder: msgspec.json.Decoder[AnyCommand] = msgspec.json.Decoder(AnyCommand)
_encoder = msgspec.json.Encoder()


def decode(line: bytes) -> AnyCommand:
    """The command in this JSON object; Refused as malformed if it is none."""
    try:
        return _decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Refused("malformed", f"This is not a command of Pergamon: {str(error)[:LONGEST_REASON]}.") from None


def encode(command: AnyCommand) -> bytes:
    """The command as one line of a recorded game; what it was made on is not part of the record."""
    return _encoder.encode(msgspec.structs.replace(command, on=None))


def seats(new_game: NewGame) -> tuple[Seat, ...]:
    """The players with a colour each, those who chose none taking the next free one."""
    names = [seat if isinstance(seat, str) else seat.name for seat in new_game.players]
    for name in names:
        sorts = {unicodedata.category(c) for c in name}
        if name != name.strip() or sorts & {"Cc", "Cs", "Zl", "Zp"}:
            raise Refused("malformed", f"{name!r} is not a name: no line breaks, and no spaces around it, please.")
        if not any(sort[0] in "LNPS" for sort in sorts):
            raise Refused("malformed", f"{name!r} is not a name that anyone could read.")
    if len(set(names)) < len(names):
        raise Refused("malformed", "Two players have the same name.")
    if "raider" in names:
        raise Refused("malformed", "The tomb raider has that name already: no player may be called raider.")
    chosen = [seat.colour for seat in new_game.players if isinstance(seat, Seat)]
    if len(set(chosen)) < len(chosen):
        raise Refused("malformed", "Two players have the same colour.")
    free = iter([colour for colour in COLOURS if colour not in chosen])
    return tuple(seat if isinstance(seat, Seat) else Seat(seat, next(free)) for seat in new_game.players)
