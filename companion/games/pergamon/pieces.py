"""Between the camera and the rules: which pieces may lie there, where they go, what they ask for."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.base import Expected, Refused
from companion.games.pergamon.commands import AnyCommand, Back, DrawFunds, LayOut, RevealFunds
from companion.games.pergamon.funds import BACKS, VALUES, back_of, unseen_of
from companion.games.pergamon.notation import ROMAN, parse_find
from companion.games.pergamon.rules import NOW
from companion.games.pergamon.state import State


def expected(state: State) -> Expected | None:
    """Finds to lay out, funds cards by their backs, or the same cards turned over."""
    if state.phase == "lay_out":
        return Expected("finds", len(state.open_galleries), state.seen)
    if state.phase == "draw_funds":
        left = {back: unseen_of(back, state.unseen_cards) for back in BACKS}
        return Expected("funds", 2, frozenset({*map(str, VALUES), *_none(left)}), left)
    if state.phase == "reveal_funds":
        left = {str(v): state.unseen_cards[v - 1] if back_of(v) in state.backs else 0 for v in VALUES}
        return Expected("funds", 2, frozenset({*BACKS, *_none(left)}), left)
    return None


def _none(left: dict[str, int]) -> set[str]:
    return {code for code, count in left.items() if not count}


def where(state: State, codes: Sequence[str]) -> tuple[str, ...]:
    """The gallery of each find that is being laid out; nothing else has a place."""
    if state.phase != "lay_out":
        return ("",) * len(codes)
    try:
        youngest_first = _youngest_first(state, codes)
    except Refused:
        return ("",) * len(codes)
    galleries = [ROMAN[index] for index in state.open_galleries]
    place = dict(zip(youngest_first, galleries, strict=False))
    return tuple(place.get(code, "") for code in codes)


def _youngest_first(state: State, codes: Sequence[str]) -> list[str]:
    """Finds from the surface down; with free sorting those of one century stay as the players laid them."""
    if "free_sorting" in state.variants:
        return sorted(codes, key=lambda code: parse_find(code).century)
    return sorted(codes, key=lambda code: parse_find(code).age)


def _back(code: str) -> Back:
    return "bag" if code == "bag" else "chest"


def command_for(state: State, codes: Sequence[str]) -> AnyCommand:
    """The command that these pieces mean now; two cards may lie the other way round than their backs did."""
    if state.phase == "lay_out":
        return LayOut(finds=tuple(_youngest_first(state, codes)))
    if state.phase not in ("draw_funds", "reveal_funds"):
        raise Refused("wrong_phase", f"The camera is not needed: {NOW[state.phase]}.")
    if len(codes) != 2:
        raise Refused("wrong_number_of_cards", f"Two funds cards are needed, not {len(codes)}.")
    if state.phase == "draw_funds":
        if not all(code in BACKS for code in codes):
            raise Refused("back_and_value_differ", "The two cards must lie with their backs up.")
        first, second = (_back(code) for code in codes)
        return DrawFunds(backs=(first, second))
    if not all(code in map(str, VALUES) for code in codes):
        raise Refused("back_and_value_differ", "The two cards must be turned over.")
    values = [int(code) for code in codes]
    if tuple(map(back_of, values)) != state.backs:
        values.reverse()
    return RevealFunds(values=(values[0], values[1]))
