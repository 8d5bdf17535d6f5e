"""What the five lights beside the galleries and the four of the players say in a game of Pergamon."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from companion.games.base import Refused
from companion.games.pergamon import rules
from companion.games.pergamon.commands import COLOURS, Dig, EndTurn, encode
from companion.games.pergamon.events import Laid
from companion.games.pergamon.state import State
from hardware.lights import Board, Rhythm

Galleries = dict[int, Rhythm]
"""Lights that are not off, by the gallery's index."""
Players = dict[int, Rhythm]
"""Lights that are not off, by the player's place in the state."""


def nothing(state: State) -> Galleries:  # noqa: ARG001 - every entry of the table takes the state
    return {}


def where_finds_go(state: State) -> Galleries:
    """One light for each find to turn over, where it will go."""
    return dict.fromkeys(state.open_galleries, "on")


def just_laid(state: State) -> Galleries:
    """Where the finds that were confirmed last go on the real board."""
    return {event.gallery - 1: "on" for event in state.events if isinstance(event, Laid)}


def may_dig(state: State) -> Galleries:
    """Where the player to act may dig, as the rules say."""
    allowed: Galleries = {}
    for gallery in range(len(state.galleries)):
        try:
            rules.apply(state, Dig(gallery=gallery + 1))
        except Refused:
            continue
        allowed[gallery] = "on"
    return allowed


def nobody(state: State) -> Players:  # noqa: ARG001 - every entry of the table takes the state
    return {}


def first_player(state: State) -> Players:
    return {state.order[0]: "on"}


def to_act(state: State) -> Players:
    return {} if state.to_act is None else {state.to_act: "on"}


def winners(state: State) -> Players:
    return {place: "slow" for place, player in enumerate(state.players) if player.name in state.winners}


class Row(NamedTuple):
    """What the lights show in one phase."""

    galleries: Callable[[State], Galleries]
    players: Callable[[State], Players]


LIGHTS: dict[str, Row] = {
    # phase             galleries       players
    "lay_out":       Row(where_finds_go, first_player),
    "draw_funds":    Row(just_laid,      first_player),
    "place_figures": Row(nothing,        to_act),
    "reveal_funds":  Row(nothing,        nobody),
    "excavate":      Row(may_dig,        to_act),
    "over":          Row(nothing,        winners),
}  # fmt: skip
"""The lights at a glance, by phase."""


def board_lights(state: State, proposed: bool) -> Board:
    """The galleries' and players' lights. A player's light blinks while the table asks whether the turn is to end."""
    row = LIGHTS[state.phase]
    galleries, players = row.galleries(state), row.players(state)
    if proposed:
        players = dict.fromkeys(players, "slow")
    by_colour = {state.players[place].colour: rhythm for place, rhythm in players.items()}
    return Board(
        places=tuple(galleries.get(gallery, "off") for gallery in range(len(state.galleries))),
        players=tuple(by_colour.get(colour, "off") for colour in COLOURS),
    )


def proposal(state: State) -> bytes | None:
    """What Next may propose now: the end of the turn, without throwing anything away."""
    return encode(EndTurn()) if state.phase == "excavate" else None
