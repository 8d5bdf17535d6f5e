"""A player's turn in Pergamon: dig, exhibit, store."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.base import Refused
from companion.games.pergamon import museum, raider
from companion.games.pergamon.board import MUSEUM_SPACES
from companion.games.pergamon.commands import Dig, EndTurn, Exhibit
from companion.games.pergamon.events import Dug, Event, Exhibited, Scored, Stored
from companion.games.pergamon.notation import ROMAN, objects_in, parse_find, value_of
from companion.games.pergamon.rounds import end_round
from companion.games.pergamon.state import LAST_ROUND, Collection, Player, State

MOST_POLISH = 3
FREE_STORAGE = 3


def dig(state: State, command: Dig) -> State:
    """All finds of one gallery, for as many coins as its number."""
    who = state.waiting[0]
    player = state.players[who]
    if state.has_dug:
        raise Refused("wrong_phase", "You have already dug in this turn.")
    if state.has_exhibited:
        raise Refused("wrong_phase", "Digging comes before exhibiting.")
    deepest = state.board.deepest_of(state.space_of(who))
    if command.gallery > deepest:
        raise Refused("gallery_too_deep", f"Your funds space allows galleries down to {ROMAN[deepest - 1]}.")
    finds = state.galleries[command.gallery - 1]
    if not finds:
        raise Refused("gallery_empty", f"Gallery {ROMAN[command.gallery - 1]} is empty.")
    if player.coins < command.gallery:
        raise _too_poor(player, command.gallery, f"Gallery {ROMAN[command.gallery - 1]}")
    player = replace(player, coins=player.coins - command.gallery, finds=player.finds + finds)
    return replace(
        _with_player(state, who, player),
        galleries=_emptied(state.galleries, command.gallery),
        has_dug=True,
        events=(Dug(player.name, command.gallery, finds),),
    )


def exhibit(state: State, command: Exhibit) -> State:
    """A row of finds into the museum; markers on its space and below make room."""
    who = state.waiting[0]
    player = state.players[who]
    _must_own(player, command.finds)
    if len(command.finds) < 2:
        raise Refused("row_does_not_fit", "A collection is a row of two or more finds.")
    if len(set(command.finds)) < len(command.finds):
        raise Refused("row_does_not_fit", "A find can lie only once in a row.")
    objects = objects_in(command.finds)
    if command.polish > MOST_POLISH and state.round < LAST_ROUND:
        raise Refused("too_much_polish", f"Polish by {MOST_POLISH} at most; only round {LAST_ROUND} has no limit.")
    if command.polish > player.coins:
        raise _too_poor(player, command.polish, "That polish")
    marker = _marker_for(player, command)
    events: list[Event] = []
    if command.break_up is not None:
        player, broken = museum.break_up(player, command.break_up)
        events.append(broken)
    value = value_of(objects) + command.polish
    space = min(value, MUSEUM_SPACES)
    state, moves = museum.move_down(_with_player(state, who, player), highest=space, spaces=1)
    player = state.players[who]
    collection = Collection(marker, command.finds, objects, command.polish, value, space, state.exhibitions)
    exhibited = set(command.finds)
    player = replace(
        player,
        coins=player.coins - command.polish,
        finds=tuple(code for code in player.finds if code not in exhibited),
        collections=(*player.collections, collection),
    )
    state = replace(
        _with_player(state, who, player),
        has_exhibited=True,
        exhibitions=state.exhibitions + 1,
        events=(*events, *moves, Exhibited(player.name, marker, space, value, command.polish)),
    )
    return museum.add_scores(state, (Scored(player.name, 1, state.round, "exhibit", marker=marker, space=space),))


def _marker_for(player: Player, command: Exhibit) -> str:
    """The marker that the new collection takes, with one of three broken up first."""
    free = player.free_markers
    if free and command.break_up is not None:
        raise Refused("break_up_not_needed", "Only with three collections in the museum is one of them broken up.")
    if not free:
        if command.break_up is None:
            raise Refused("no_free_marker", "Your three markers are in the museum: say which collection you break up.")
        free = [command.break_up]
    marker = command.marker or free[0]
    if marker not in free:
        raise Refused("no_free_marker", f"Your marker {marker} is not free.")
    return marker


def end_turn(state: State, command: EndTurn) -> State:
    """What is thrown away goes to the box, the rest is stored for a fee; the next one acts."""
    who = state.waiting[0]
    player = state.players[who]
    _must_own(player, command.discard)
    if len(set(command.discard)) < len(command.discard):
        raise Refused("unknown_find", "A find can be thrown away only once.")
    kept = tuple(code for code in player.finds if code not in command.discard)
    fee = storage_fee(len(kept))
    if fee > player.coins:
        raise _too_poor(player, fee, f"Storing {len(kept)} finds")
    player = replace(player, coins=player.coins - fee, finds=kept)
    state = replace(
        _with_player(state, who, player),
        waiting=state.waiting[1:],
        has_dug=False,
        has_exhibited=False,
        events=(Stored(player.name, len(kept), fee, command.discard),),
    )
    state = raider.act(state)
    return state if state.waiting else end_round(state)


def storage_fee(finds: int) -> int:
    """Three finds are stored for nothing, every three more, or part of three, cost a coin."""
    return max(0, -((FREE_STORAGE - finds) // FREE_STORAGE))


def _with_player(state: State, who: int, player: Player) -> State:
    """The state with this player's things changed."""
    players = list(state.players)
    players[who] = player
    return replace(state, players=tuple(players))


def _emptied(galleries: tuple[tuple[str, ...], ...], gallery: int) -> tuple[tuple[str, ...], ...]:
    """The galleries after this one was dug out or looted."""
    return (*galleries[: gallery - 1], (), *galleries[gallery:])


def _must_own(player: Player, codes: tuple[str, ...]) -> None:
    for code in codes:
        parse_find(code)
        if code not in player.finds:
            raise Refused("unknown_find", f"{code} is not among {player.name}'s finds.")


def _too_poor(player: Player, price: int, what: str) -> Refused:
    return Refused("not_enough_coins", f"{what} costs {price}, and {player.name} has {player.coins}.")
