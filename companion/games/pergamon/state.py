"""A state of Pergamon: plain immutable values, and how they are shown to the outside."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import msgspec

from companion.games.pergamon.board import Board
from companion.games.pergamon.commands import HouseRules
from companion.games.pergamon.events import Event, Scored
from companion.games.pergamon.notation import MARKERS, Whole

RAIDER = "raider"
GALLERY_HOLDS = 4
LAST_ROUND = 12
Phase = Literal["lay_out", "draw_funds", "place_figures", "reveal_funds", "excavate", "over"]


class Collection(msgspec.Struct, frozen=True):
    """A row of finds in the museum, and the space where its marker now is."""

    marker: str
    finds: tuple[str, ...]
    objects: tuple[Whole, ...]
    polish: int
    value: int
    space: int
    order: int
    """Counts the exhibitions of a game: the earlier one wins where years tie."""


class Player(msgspec.Struct, frozen=True):
    name: str
    colour: str
    coins: int = 0
    points: int = 0
    finds: tuple[str, ...] = ()
    collections: tuple[Collection, ...] = ()

    @property
    def free_markers(self) -> list[str]:
        used = [collection.marker for collection in self.collections]
        return [marker for marker in MARKERS if marker not in used]


class State(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that the rules need to know. Players are meant by their place in `players`."""

    players: tuple[Player, ...]
    variants: tuple[str, ...]
    house_rules: HouseRules
    board: Board
    round: int
    phase: Phase
    order: tuple[int, ...]
    """In which order the players choose a funds space in this round."""
    galleries: tuple[tuple[str, ...], ...]
    seen: frozenset[str]
    unseen_cards: tuple[int, ...]
    """How many cards of each value 1-8 nobody has seen yet."""
    backs: tuple[str, ...] = ()
    values: tuple[int, ...] = ()
    figures: tuple[tuple[int, int], ...] = ()
    """(player, space) in the order placed."""
    raider_space: int = 0
    raider_coins: int = 0
    waiting: tuple[int, ...] = ()
    """Who still has a turn in this round, the one to act first; -1 is the tomb raider."""
    has_dug: bool = False
    has_exhibited: bool = False
    exhibitions: int = 0
    scores: tuple[Scored, ...] = ()
    events: tuple[Event, ...] = ()
    winners: tuple[str, ...] = ()

    @property
    def to_act(self) -> int | None:
        """The player who must act; None when the table must, or the game is over."""
        if self.phase == "excavate":
            return self.waiting[0]
        if self.phase == "place_figures":
            return self.order[len(self.figures)]
        return None

    @property
    def first_player(self) -> str:
        return self.players[self.order[0]].name

    @property
    def has_raider(self) -> bool:
        return len(self.players) == 2

    @property
    def open_galleries(self) -> list[int]:
        """The galleries, by index, that take another find."""
        return [index for index, finds in enumerate(self.galleries) if len(finds) < GALLERY_HOLDS]

    def space_of(self, player: int) -> int:
        """The funds space of a player's figure."""
        return next(space for who, space in self.figures if who == player)

    def exhibited(self) -> Iterator[tuple[Player, Collection]]:
        """Every collection in the museum, with its owner."""
        for player in self.players:
            for collection in player.collections:
                yield player, collection


def show(state: State, version: int) -> dict[str, Any]:
    """The whole state, in the shape that the outside relies on."""
    to_act = state.to_act
    figures = {RAIDER: state.raider_space} if state.raider_space else {}
    figures |= {state.players[who].name: space for who, space in state.figures}
    museum = [
        {"space": collection.space, "player": player.name, "marker": collection.marker}
        for player, collection in state.exhibited()
    ]
    shown: dict[str, Any] = {
        "game": "pergamon",
        "version": version,
        "round": state.round,
        "phase": state.phase,
        "to_act": None if to_act is None else state.players[to_act].name,
        "first_player": state.first_player,
        "order": [state.players[who].name for who in state.order],
        "waiting": [RAIDER if who < 0 else state.players[who].name for who in state.waiting],
        "variants": list(state.variants),
        "house_rules": msgspec.to_builtins(state.house_rules),
        "board": msgspec.to_builtins(state.board),
        "galleries": [list(finds) for finds in state.galleries],
        "funds": {
            "backs": list(state.backs),
            "values": list(state.values),
            "unseen": {str(value): count for value, count in enumerate(state.unseen_cards, start=1)},
        },
        "figures": figures,
        "museum": sorted(museum, key=lambda marker: marker["space"]),
        "players": [_show_player(player) for player in state.players],
        "raider": {"coins": state.raider_coins} if state.has_raider else None,
        "turn": {"dug": state.has_dug, "exhibited": state.has_exhibited},
        "scores": msgspec.to_builtins(state.scores),
        "events": msgspec.to_builtins(state.events),
        "winners": list(state.winners),
    }
    return shown


def _show_player(player: Player) -> dict[str, Any]:
    return {
        "name": player.name,
        "colour": player.colour,
        "coins": player.coins,
        "points": player.points,
        "finds": list(player.finds),
        "collections": [
            {
                "marker": collection.marker,
                "finds": list(collection.finds),
                "objects": [str(whole) for whole in collection.objects],
                "polish": collection.polish,
                "value": collection.value,
                "space": collection.space,
            }
            for collection in player.collections
        ],
    }


def view(state: State, version: int, seat: str | None) -> dict[str, Any]:
    """The state without the points that this seat may not see; at the end all tickets are turned up."""
    shown = show(state, version)
    if not state.house_rules.hidden_points or state.phase == "over":
        return shown
    for player in shown["players"]:
        if player["name"] != seat:
            del player["points"]
    for log in ("scores", "events"):
        shown[log] = [entry for entry in shown[log] if entry["what"] != "scored" or entry["player"] == seat]
    return shown
