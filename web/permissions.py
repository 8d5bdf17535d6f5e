"""Who may do what. Reading is open to everyone; whatever changes the table needs a seat."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from flask import request

from companion.play import Moment
from web.answers import Denied
from web.parts import parts
from web.seats import Seat

COOKIE = "companion_seat"
NO_SEAT = ("no_seat", "Only those who sit at the table may do this: join with the code of the table.")


class Wish(msgspec.Struct, frozen=True):
    """What permissions need to know of a command, whatever the game."""

    do: str
    on: int | None = None
    player: str | None = None


def anyone_seated(_moment: Moment, _seat: Seat) -> bool:
    return True


def a_player_of_this_game(moment: Moment, seat: Seat) -> bool:
    return moment.game is not None and seat.player in moment.game.players(moment.state)


def whoever_must_act(moment: Moment, seat: Seat) -> bool:
    """The player whose turn it is; where the table must act, any of its players."""
    if moment.game is None:
        return True
    to_act = moment.game.next_step(moment.state).to_act
    return to_act == seat.player if to_act is not None else a_player_of_this_game(moment, seat)


def players_or_anyone(moment: Moment, seat: Seat) -> bool:
    """Anyone seated, but a game under way is only given up by its own players."""
    return a_player_of_this_game(moment, seat) if moment.under_way else True


PLAYERS_SEAT: dict[str, Callable[[Moment, Seat], bool]] = {
    "new_game": players_or_anyone,
    "resume_game": players_or_anyone,
    "undo": a_player_of_this_game,
    "scan": anyone_seated,
    "teach": anyone_seated,
    "import_games": anyone_seated,
    "owner_data": anyone_seated,
    "show_code": anyone_seated,
    "let_in": anyone_seated,
}
"""What a player's seat may do; every other command is for whoever must act. The table's own device may do all of it."""


def token() -> str | None:
    """What this phone proves its seat with."""
    return request.cookies.get(COOKIE)


def my_seat() -> Seat | None:
    """The seat of the phone that makes this request."""
    return parts().seats.seat_of(token())


def seated() -> Seat:
    """The same, or Denied: onlookers change nothing."""
    seat = my_seat()
    if seat is None:
        raise Denied(*NO_SEAT)
    return seat


def check(seat: Seat, moment: Moment, what: str, player: str | None = None) -> None:
    """Denied, unless this seat may do this now, in the name of this player."""
    if seat.player is None:
        return
    if player is not None and player != seat.player:
        raise Denied("not_yours", f"This phone is {seat.player}'s: it cannot act for {player}.")
    if not PLAYERS_SEAT.get(what, whoever_must_act)(moment, seat):
        to_act = moment.game.next_step(moment.state).to_act if moment.game else None
        whose = f"It is {to_act}'s turn" if to_act else f"{seat.player} does not play in this game"
        raise Denied("not_yours", f"{whose}: this phone is {seat.player}'s.")
