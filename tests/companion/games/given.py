"""Situations at the table, set up in a line or two, and commands as they come in: as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from companion.games.base import Refused
from companion.games.pergamon import PERGAMON
from companion.games.pergamon.commands import NewGame
from companion.games.pergamon.notation import objects_in, value_of
from companion.games.pergamon.state import Collection, Player, State

THREE = ("Ada", "Ben", "Cleo")
TWO = ("Ada", "Ben")
Shown = dict[str, Any]
Place = int | tuple[int, str]
"""A museum space, and the finds of the collection there where they matter."""


def new_game(*names: str | Mapping[str, str], **options: Any) -> State:
    """A game that has just begun."""
    command = PERGAMON.decode(_line("new_game", {"game": "pergamon", "players": names or THREE, **options}))
    assert isinstance(command, NewGame)
    return PERGAMON.start(command)


def do(state: State, name: str, /, **fields: Any) -> State:
    """The state after one command."""
    return PERGAMON.apply(state, PERGAMON.decode(_line(name, fields)))


def refusal(state: State, name: str, /, **fields: Any) -> str:
    """The code with which this command is refused; the state must stay as it is."""
    before = msgspec.json.encode(show(state))
    with pytest.raises(Refused) as refused:
        do(state, name, **fields)
    assert msgspec.json.encode(show(state)) == before
    assert refused.value.message.endswith((".", "!"))
    return refused.value.code


def show(state: State) -> Shown:
    """The state as the outside sees it, in JSON."""
    shown: Shown = msgspec.json.decode(msgspec.json.encode(PERGAMON.show(state, 1)))
    return shown


def player(state: State, name: str) -> Player:
    return next(player for player in state.players if player.name == name)


def museum(state: State) -> dict[str, int]:
    """Every marker's space, such as {"Ada II": 12}."""
    return {f"{marker['player']} {marker['marker']}": marker["space"] for marker in show(state)["museum"]}


def told(state: State, what: str) -> list[Shown]:
    """What the last command brought about, of one sort."""
    return [event for event in show(state)["events"] if event["what"] == what]


def turn(
    of: str = "Ada",
    *,
    then: Sequence[str] = ("Ben",),
    players: Sequence[str] = THREE,
    round: int = 1,
    space: int = 7,
    coins: int = 0,
    finds: str = "",
    points: Mapping[str, int] | None = None,
    galleries: Sequence[str] = ("", "", "", "", ""),
    museum: Mapping[str, Mapping[str, Place]] | None = None,
    **options: Any,
) -> State:
    """One player's turn: on this funds space, with these coins and finds; `then` come the others' turns."""
    state = new_game(*players, **options)
    numbers = {name: number for number, name in enumerate(players)}
    others = [name for name in players if name != of]
    free = [other for other in (1, 2, 3, 4, 6) if other != space]
    figures = ((numbers[of], space), *((numbers[name], free[at]) for at, name in enumerate(others)))
    state = replace(
        state,
        phase="excavate",
        round=round,
        backs=("bag", "chest"),
        values=(3, 7),
        figures=figures,
        raider_space=state.board.raider.bag_and_chest if state.has_raider else 0,
        waiting=tuple(-1 if name == "raider" else numbers[name] for name in (of, *then)),
        galleries=tuple(tuple(gallery.split()) for gallery in galleries),
    )
    seated = []
    for seat in state.players:
        collections = _collections(seat.name, (museum or {}).get(seat.name, {}))
        seat = replace(seat, collections=collections, points=(points or {}).get(seat.name, 0))
        seated.append(replace(seat, coins=coins, finds=tuple(finds.split())) if seat.name == of else seat)
    on_table = {find for gallery in state.galleries for find in gallery} | set(finds.split())
    on_table |= {find for seat in seated for collection in seat.collections for find in collection.finds}
    return replace(state, players=tuple(seated), seen=frozenset(on_table), exhibitions=12)


def _collections(name: str, places: Mapping[str, Place]) -> tuple[Collection, ...]:
    made = []
    for at, (marker, place) in enumerate(places.items()):
        space, finds = place if isinstance(place, tuple) else (place, _any_row(name, at))
        row = tuple(finds.split())
        objects = objects_in(row)
        order = at + 3 * ord(name[0]) - 3 * ord("A")
        made.append(Collection(marker, row, objects, 0, value_of(objects), space, order))
    return tuple(made)


def _any_row(name: str, at: int) -> str:
    """Two finds that nobody else has, and whose only object is young."""
    number = (ord(name[0]) - ord("A")) * 6 + 2 * at
    return f"M{number:02d}B1 B{number + 1:02d}M1"


def _line(name: str, fields: Mapping[str, Any]) -> bytes:
    return msgspec.json.encode({"do": name, **fields})
