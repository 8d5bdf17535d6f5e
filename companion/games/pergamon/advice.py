"""What players ask the table in their turn and between: what would happen, what it costs, who is ahead.

Nothing here knows a rule of its own: each answer is what the rules do to a state that nobody keeps.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec
from msgspec.structs import replace

from companion.games.base import Refused
from companion.games.pergamon import commands, museum, rules, turns
from companion.games.pergamon.events import BrokenUp, Event, Exhibited, FellOut, Moved, Scored
from companion.games.pergamon.notation import parse_find, shorten
from companion.games.pergamon.rows import Row, best_row, best_rows
from companion.games.pergamon.state import LAST_ROUND, State


class Evaluation(msgspec.Struct, frozen=True):
    """The next evaluation as it would be now."""

    round: int
    kind: str
    """The kind whose oldest object gets the prize."""
    markers: tuple[Scored, ...]
    """The points of each marker, from the highest space down."""
    prize: Scored | None
    oldest: tuple[Scored, ...]
    """The three oldest objects, which score at the end of the game."""
    points: dict[str, int]
    """What each player would get at this evaluation, all together."""
    moved: tuple[Moved, ...]
    fallen: tuple[FellOut, ...]


class Preview(msgspec.Struct, frozen=True):
    """What exhibiting a collection would do."""

    value: int
    space: int
    marker: str
    objects: tuple[str, ...]
    points: int
    coins_left: int
    broken_up: BrokenUp | None
    moved: tuple[Moved, ...]
    fallen: tuple[FellOut, ...]
    next_evaluation: Evaluation | None


class Keeping(msgspec.Struct, frozen=True):
    """A way to end the turn: what is stored for this fee, and what is thrown away for it."""

    fee: int
    affordable: bool
    kept: tuple[str, ...]
    discard: tuple[str, ...]
    best: Row | None
    """The best row of what is kept."""


class Gallery(msgspec.Struct, frozen=True):
    """A gallery that might be dug: for how much, why not, and the best rows with its finds added to one's own."""

    gallery: int
    price: int
    finds: tuple[str, ...]
    refusal: str
    """The code of the rule that forbids it; empty if it may be dug."""
    reason: str
    rows: tuple[Row, ...]


class Suggestions(msgspec.Struct, frozen=True):
    """What a player may make of a turn: the best rows of each length without digging, and with each gallery."""

    rows: tuple[Row, ...]
    galleries: tuple[Gallery, ...]


def exhibiting(
    state: State,
    player: str,
    finds: Sequence[str],
    polish: int = 0,
    break_up: str | None = None,
    *,
    ahead: bool = False,
) -> Preview:
    """What this collection would do in the museum, or Refused as the rules say; `ahead` of the player's turn, too."""
    who = _seat(state, player)
    if ahead and state.phase != "over":
        state = replace(state, phase="excavate", waiting=(who,))
    exhibit = {"do": "exhibit", "player": player, "finds": finds, "polish": polish, "break_up": break_up}
    after = rules.apply(state, commands.decode(msgspec.json.encode(exhibit)))
    exhibited = next(event for event in after.events if isinstance(event, Exhibited))
    return Preview(
        value=exhibited.value,
        space=exhibited.space,
        marker=exhibited.marker,
        objects=tuple(map(str, after.players[who].collections[-1].objects)),
        points=sum(event.points for event in after.events if isinstance(event, Scored)),
        coins_left=after.players[who].coins,
        broken_up=next((event for event in after.events if isinstance(event, BrokenUp)), None),
        moved=_moved(after.events),
        fallen=_fallen(after.events),
        next_evaluation=evaluation(after),
    )


def evaluation(state: State) -> Evaluation | None:
    """The next evaluation as the museum now is; None once the game is over."""
    if state.phase == "over":
        return None
    next_round = min(number for number in museum.PRIZES if number >= state.round)
    events = _evaluated(state, next_round)
    scored = [event for event in events if isinstance(event, Scored)]
    points = {player.name: 0 for player in state.players}
    for score in scored:
        points[score.player] += score.points
    return Evaluation(
        round=next_round,
        kind=museum.PRIZES[next_round],
        markers=tuple(score for score in scored if score.reason == "museum"),
        prize=next((score for score in scored if score.reason == "prize"), None),
        oldest=three_oldest(state),
        points=points,
        moved=_moved(events),
        fallen=_fallen(events),
    )


def three_oldest(state: State) -> tuple[Scored, ...]:
    """The points for the three oldest objects, if the game ended with the museum as it now is."""
    events = _evaluated(state, LAST_ROUND)
    return tuple(event for event in events if isinstance(event, Scored) and event.reason == "oldest")


def storing(state: State, player: str) -> tuple[Keeping, ...]:
    """The fee for all that a player has, and then, coin by coin, what to throw away to save it.

    The best row that still fits into the storage is kept, then the best of the rest, then the oldest finds;
    of finds with the same two kinds always the oldest.
    """
    seat = state.players[_seat(state, player)]
    ways = []
    for fee in range(turns.storage_fee(len(seat.finds)), -1, -1):
        number = max(n for n in range(len(seat.finds) + 1) if turns.storage_fee(n) <= fee)
        useful = _most_useful(seat.finds, number)
        kept = tuple(find for find in seat.finds if find in useful)
        discard = tuple(find for find in seat.finds if find not in useful)
        ways.append(Keeping(fee, fee <= seat.coins, kept, discard, best_row(kept)))
    return tuple(ways)


def suggestions(state: State, player: str, *, ahead: bool = False) -> Suggestions:
    """The galleries that this player may dig, or why not, and the best rows; `ahead` of the turn, as things stand."""
    who = _seat(state, player)
    if ahead and who in state.waiting[1:]:
        state = replace(state, waiting=(who,), has_dug=False, has_exhibited=False)
    galleries = tuple(_gallery(state, who, gallery) for gallery in range(1, len(state.galleries) + 1))
    return Suggestions(_rows(state.players[who].finds), galleries)


def _gallery(state: State, who: int, gallery: int) -> Gallery:
    player = state.players[who]
    finds = state.galleries[gallery - 1]
    refusal = reason = ""
    try:
        rules.apply(state, commands.Dig(player=player.name, gallery=gallery))
    except Refused as refused:
        refusal, reason = refused.code, refused.message
    return Gallery(gallery, gallery, finds, refusal, reason, _rows(player.finds + finds) if finds else ())


def _rows(finds: Iterable[str]) -> tuple[Row, ...]:
    return tuple(best_rows(finds).values())


def _most_useful(finds: Sequence[str], number: int) -> set[str]:
    """So many finds: best rows as long as one fits, then the oldest of the others; the oldest of every sort."""
    oldest_first = sorted(map(parse_find, finds), key=lambda find: find.age, reverse=True)
    useful: list[str] = []
    while row := best_row([find for find in finds if find not in useful], number - len(useful)):
        useful += row.finds
    useful += [str(find) for find in oldest_first if str(find) not in useful][: number - len(useful)]
    room = Counter((find.left, find.right) for find in map(parse_find, useful))
    kept = set()
    for find in oldest_first:
        if room[find.left, find.right]:
            room[find.left, find.right] -= 1
            kept.add(str(find))
    return kept


def _evaluated(state: State, in_round: int) -> tuple[Event, ...]:
    return museum.evaluate(replace(state, round=in_round, events=())).events


def _moved(events: Iterable[Event]) -> tuple[Moved, ...]:
    return tuple(event for event in events if isinstance(event, Moved))


def _fallen(events: Iterable[Event]) -> tuple[FellOut, ...]:
    return tuple(event for event in events if isinstance(event, FellOut))


def _seat(state: State, name: str) -> int:
    """The player's place at the table."""
    for who, player in enumerate(state.players):
        if player.name == name:
            return who
    raise Refused("unknown_player", f"{shorten(name)} does not play in this game.")
