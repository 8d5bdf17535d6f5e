"""The tomb raider of a two-player game: he acts by himself when his turn comes."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.pergamon.events import Looted
from companion.games.pergamon.state import State

TURN = -1
"""The tomb raider among those who wait for their turn."""


def act(state: State) -> State:
    """If it is his turn, he loots the deepest gallery with finds that his space allows and his purse pays."""
    if not state.waiting or state.waiting[0] != TURN:
        return state
    deepest = min(state.board.deepest_of(state.raider_space), state.raider_coins)
    gallery = next((number for number in range(deepest, 0, -1) if state.galleries[number - 1]), 0)
    galleries = list(state.galleries)
    looted: tuple[str, ...] = ()
    if gallery:
        looted = galleries[gallery - 1]
        galleries[gallery - 1] = ()
    return replace(
        state,
        waiting=state.waiting[1:],
        galleries=tuple(galleries),
        raider_coins=state.raider_coins - gallery,
        events=(*state.events, Looted(gallery, looted)),
    )
