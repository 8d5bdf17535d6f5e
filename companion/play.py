"""Playing in memory: a moment of the table and a command give the next moment, or a refusal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec

from companion.games import GAMES, Game
from companion.games.base import LONGEST_REASON, Refused

LONGEST_LINE = 64 * 1024
"""No command is anywhere near as long, in bytes."""

OwnerData = Callable[[Game], Any]
"""What the owner has confirmed about a game's box; None: as shipped."""


class Ending(NamedTuple):
    """How a game ended: who won, and the points of everyone in a game that counts points."""

    winners: tuple[str, ...]
    points: dict[str, int]


class Moment(NamedTuple):
    """The table between two commands. Undo goes back to the moment before."""

    version: int = 0
    game: Game | None = None
    state: Any = None
    before: Moment | None = None
    line: bytes = b""
    """The accepted command that led here, as the record keeps it."""

    def show(self) -> dict[str, Any]:
        """The whole state; without a game just the version."""
        return self.game.show(self.state, self.version) if self.game else _no_game(self.version)

    def view(self, seat: str | None) -> dict[str, Any]:
        """The state as one player, or (None) an onlooker, may see it."""
        return self.game.view(self.state, self.version, seat) if self.game else _no_game(self.version)

    @property
    def begins_game(self) -> bool:
        """Whether this is the first moment of a game, not one that undo came back to."""
        return self.line.startswith(b'{"do":"new_game"')

    @property
    def under_way(self) -> bool:
        """Whether a game is being played."""
        return self.game is not None and not self.game.is_over(self.state)

    @property
    def ending(self) -> Ending | None:
        """How the game ended; None before it has."""
        if self.game is None or not self.game.is_over(self.state):
            return None
        points = {player["name"]: player["points"] for player in self.show()["players"] if "points" in player}
        return Ending(self.game.winners(self.state), points)


def _no_game(version: int) -> dict[str, Any]:
    return {"game": None, "version": version, "phase": "no_game", "to_act": None, "players": [], "winners": []}


class _Envelope(msgspec.Struct, frozen=True):
    """What the table itself reads of a command, whatever the game."""

    do: str
    on: int | None = None
    game: str | None = None
    replace: bool = False


class _Undo(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="undo"):
    """Any player may take a step back."""

    on: int | None = None
    player: str | None = None


_envelopes = msgspec.json.Decoder(_Envelope)
_undos = msgspec.json.Decoder(_Undo)


def follow(moment: Moment, line: bytes, owner_data: OwnerData | None = None) -> Moment:
    """The moment after the command in this line, or Refused; the given moment stays as it is."""
    if len(line) > LONGEST_LINE:
        raise Refused("malformed", f"A command has at most {LONGEST_LINE} bytes.")
    envelope = _decode(_envelopes, line)
    if envelope.on is not None and envelope.on != moment.version:
        raise Refused("stale_state", "The table has moved on since: look again, then choose.")
    if envelope.do == "undo":
        _decode(_undos, line)
        return _undo(moment)
    if envelope.do == "new_game":
        return _new_game(moment, line, envelope, owner_data)
    if moment.game is None:
        raise _too_early(line)
    command = moment.game.decode(line)
    state = moment.game.apply(moment.state, command)
    return Moment(moment.version + 1, moment.game, state, moment, moment.game.encode(command))


def _decode(decoder: msgspec.json.Decoder[Any], line: bytes) -> Any:
    try:
        return decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Refused("malformed", f"This is not a command: {str(error)[:LONGEST_REASON]}.") from None


def _too_early(line: bytes) -> Refused:
    """Why this is refused before the first game: a command of some game comes too early, anything else is none."""
    malformed = Refused("malformed", "This is not a command of any game.")
    for game in GAMES.values():
        try:
            game.decode(line)
        except Refused as refused:
            malformed = refused
        else:
            return Refused("wrong_phase", "There is no game yet: a new game comes first.")
    return malformed


def _undo(moment: Moment) -> Moment:
    if moment.before is None:
        raise Refused("nothing_to_undo", "There is nothing to take back: the game has just begun.")
    before = moment.before
    return before._replace(version=moment.version + 1, line=b'{"do":"undo"}')


def _new_game(moment: Moment, line: bytes, envelope: _Envelope, owner_data: OwnerData | None) -> Moment:
    game = GAMES.get(envelope.game or "")
    if game is None:
        raise Refused("malformed", f"This table plays {', '.join(GAMES)}: name one of them as the game.")
    command = game.decode(line)
    if moment.under_way and not envelope.replace:
        raise Refused("game_under_way", "A game is under way: finish it, or say that a new one replaces it.")
    command = game.fill_in(command, owner_data(game) if owner_data else None)
    return Moment(moment.version + 1, game, game.start(command), None, game.encode(command))
