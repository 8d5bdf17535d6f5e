"""The museum: markers that move down, collections that fall out, evaluations and the winner."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from msgspec.structs import replace

from companion.games.pergamon.events import BrokenUp, Event, FellOut, Moved, Reason, Scored
from companion.games.pergamon.notation import Whole
from companion.games.pergamon.state import LAST_ROUND, Collection, Player, State

PRIZES = {5: "V", 7: "J", 9: "M", 12: "B"}
"""The rounds that are evaluated, and the kind whose oldest object gets a prize."""
PRIZE_POINTS = 2
SHIFTS = {5: 3, 7: 4, 9: 5, 12: 0}
"""How many spaces every marker then moves down."""
OLDEST_POINTS = (3, 2, 1)


class Exhibit(NamedTuple):
    """A whole object in the museum, and whose it is."""

    whole: Whole
    order: int
    player: int
    marker: str


def move_down(state: State, highest: int, spaces: int) -> tuple[State, list[Event]]:
    """Every marker on `highest` or a lower space moves down; those that leave space 1 fall out."""
    events: list[Event] = []
    players = []
    for player in state.players:
        if any(collection.space <= highest for collection in player.collections):
            player = _move_down(player, highest, spaces, events)
        players.append(player)
    return (replace(state, players=tuple(players)), events) if events else (state, events)


def _move_down(player: Player, highest: int, spaces: int, events: list[Event]) -> Player:
    kept = []
    for collection in player.collections:
        if collection.space > highest:
            kept.append(collection)
            continue
        end = collection.space - spaces
        if end < 1:
            events.append(FellOut(player.name, collection.marker, collection.space, collection.finds))
            continue
        events.append(Moved(player.name, collection.marker, collection.space, end))
        kept.append(replace(collection, space=end))
    return replace(player, collections=tuple(kept))


def break_up(player: Player, marker: str) -> tuple[Player, BrokenUp]:
    """The player's own collection with this marker out of the museum, its finds back in the box."""
    broken = next(collection for collection in player.collections if collection.marker == marker)
    kept = tuple(collection for collection in player.collections if collection is not broken)
    return replace(player, collections=kept), BrokenUp(player.name, marker, broken.space, broken.finds)


def oldest_first(state: State, kind: str | None = None) -> list[Exhibit]:
    """The exhibited objects (of one kind), the oldest first; where years tie, the earlier exhibited."""
    exhibits = [
        Exhibit(whole, collection.order, who, collection.marker)
        for who, player in enumerate(state.players)
        for collection in player.collections
        for whole in collection.objects
        if kind is None or whole.kind == kind
    ]
    return sorted(exhibits, key=lambda exhibit: (-exhibit.whole.year, exhibit.order))


def evaluate(state: State) -> State:
    """The evaluation of this round: points for every marker, the prize, then all markers down."""
    scored = [*_museum_points(state), *_prize(state)]
    if state.round == LAST_ROUND:
        scored += _three_oldest(state)
    state = add_scores(state, scored)
    shift = SHIFTS[state.round]
    if shift:
        state, moves = move_down(state, highest=24, spaces=shift)
        state = replace(state, events=(*state.events, *moves))
    return state


def add_scores(state: State, scored: Iterable[Scored]) -> State:
    """The state with these points given out and told."""
    scored = tuple(scored)
    gained: dict[str, int] = {}
    for score in scored:
        gained[score.player] = gained.get(score.player, 0) + score.points
    players = tuple(
        replace(player, points=player.points + gained[player.name]) if player.name in gained else player
        for player in state.players
    )
    return replace(state, players=players, scores=(*state.scores, *scored), events=(*state.events, *scored))


def _museum_points(state: State) -> list[Scored]:
    by_space = sorted(state.exhibited(), key=lambda owned: -owned[1].space)
    return [_museum_point(state, player, collection) for player, collection in by_space]


def _museum_point(state: State, player: Player, collection: Collection) -> Scored:
    points = state.board.points_of(collection.space)
    return Scored(player.name, points, state.round, "museum", marker=collection.marker, space=collection.space)


def _prize(state: State) -> list[Scored]:
    return _awards(state, oldest_first(state, PRIZES[state.round]), (PRIZE_POINTS,), "prize")


def _three_oldest(state: State) -> list[Scored]:
    return _awards(state, oldest_first(state), OLDEST_POINTS, "oldest")


def _awards(state: State, ranked: list[Exhibit], points: tuple[int, ...], reason: Reason) -> list[Scored]:
    awards = []
    for place, (exhibit, worth) in enumerate(zip(ranked, points, strict=False)):
        tied = place + 1 < len(ranked) and ranked[place + 1].whole.year == exhibit.whole.year
        owner = state.players[exhibit.player].name
        awards.append(
            Scored(owner, worth, state.round, reason, marker=exhibit.marker, object=str(exhibit.whole), tied=tied)
        )
    return awards


def winners(state: State) -> tuple[str, ...]:
    """Most points; on a tie the owner of the oldest exhibited object; shared if none of them exhibits."""
    most = max(player.points for player in state.players)
    leaders = [who for who, player in enumerate(state.players) if player.points == most]
    if len(leaders) > 1:
        oldest = next((exhibit.player for exhibit in oldest_first(state) if exhibit.player in leaders), None)
        leaders = leaders if oldest is None else [oldest]
    return tuple(state.players[who].name for who in leaders)
