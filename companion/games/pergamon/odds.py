"""What players ask before they take a funds space: how much money is likely, and what each space would pay."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction

import msgspec
from msgspec.structs import replace

from companion.games.base import Refused
from companion.games.pergamon.board import SPACES
from companion.games.pergamon.commands import RevealFunds
from companion.games.pergamon.events import Paid
from companion.games.pergamon.funds import BACKS, VALUES
from companion.games.pergamon.rules import NOW, apply
from companion.games.pergamon.state import RAIDER, State

Figures = tuple[tuple[int, int], ...]


class Pay(msgspec.Struct, frozen=True):
    """What a figure gets at each sum that the cards may come to, and on average."""

    at: dict[int, int]
    expected: float


class Space(msgspec.Struct, frozen=True):
    """A free funds space, as the next figure would find it."""

    space: int
    coins: int
    deepest_gallery: int
    pay: Pay
    """If no other figure came: those still to come may take coins first, or leave no rest to take."""
    at_worst: Pay
    """If those still to come sat down where it hurts most."""
    digs: dict[int, float]
    """The galleries with finds that the space allows, and the odds that the player can pay for each one."""


class Funds(msgspec.Struct, frozen=True):
    """The odds of each sum, what the figures that sit would get, and the free spaces for the player who chooses."""

    odds: dict[int, float]
    sitting: dict[str, Pay]
    player: str | None
    spaces: tuple[Space, ...]


def sum_odds(state: State, backs: Sequence[str] | None = None) -> dict[int, Fraction]:
    """How likely each sum of the two funds cards is, by the backs that lie there and the cards not seen yet.

    Before cards are drawn any two may come, unless backs are given. None is possible: no sums.
    """
    if state.values and backs is None:
        return {sum(state.values): Fraction(1)}
    ways: Counter[int] = Counter()
    for values, weight in _draws(state, backs or state.backs).items():
        ways[sum(values)] += weight
    total = ways.total()
    return {money: Fraction(ways[money], total) for money in sorted(ways)}


def _draws(state: State, backs: Sequence[str]) -> Counter[tuple[int, int]]:
    """In how many ways the two cards can be these values, one after the other."""
    firsts, seconds = (BACKS[back] for back in backs) if backs else (VALUES, VALUES)
    unseen = dict(zip(VALUES, state.unseen_cards, strict=True))
    draws: Counter[tuple[int, int]] = Counter()
    for first, second in itertools.product(firsts, seconds):
        weight = unseen[first] * (unseen[second] - (first == second))
        if weight > 0:
            draws[first, second] = weight
    return draws


def funds(state: State) -> Funds:
    """All about the money of this round, once the backs of the two cards lie on the table."""
    if state.phase not in ("place_figures", "reveal_funds"):
        raise Refused("wrong_phase", f"The funds are of no interest now: {NOW[state.phase]}.")
    odds = sum_odds(state)
    names = [*([RAIDER] if state.has_raider else []), *(state.players[who].name for who, _ in state.figures)]
    sitting = {name: _pay(state, state.figures, name, odds) for name in names}
    who = state.to_act
    return Funds(
        odds={money: float(odd) for money, odd in odds.items()},
        sitting=sitting,
        player=None if who is None else state.players[who].name,
        spaces=() if who is None else tuple(_space(state, who, space, odds) for space in _free(state, state.figures)),
    )


def _space(state: State, who: int, space: int, odds: Mapping[int, Fraction]) -> Space:
    player = state.players[who]
    figures = (*state.figures, (who, space))
    pay = _pay(state, figures, player.name, odds)
    worst = [_pay(state, others, player.name, odds) for others in _worst_for(state, figures, space)]
    at_worst = {money: min(each.at[money] for each in worst) for money in odds}
    deepest = state.board.deepest_of(space)
    return Space(
        space=space,
        coins=state.board.coins_of(space),
        deepest_gallery=deepest,
        pay=pay,
        at_worst=Pay(at_worst, _expected(at_worst, odds)),
        digs={
            gallery: float(sum(odd for money, odd in odds.items() if player.coins + pay.at[money] >= gallery))
            for gallery in range(1, deepest + 1)
            if state.galleries[gallery - 1]
        },
    )


def _worst_for(state: State, figures: Figures, space: int) -> list[Figures]:
    """The figures still to come where they hurt this space most: on the dearest spaces at its right, or at its left."""
    coming = state.order[len(figures) :]
    free = _free(state, figures)
    left = [other for other in free if other < space]
    right = sorted((other for other in free if other > space), key=state.board.coins_of, reverse=True)
    seatings = []
    for number in range(len(coming) + 1):
        spaces = right[:number] + left[: len(coming) - number]
        if len(spaces) == len(coming):
            seatings.append((*figures, *zip(coming, spaces, strict=True)))
    return seatings


def _free(state: State, figures: Figures) -> list[int]:
    taken = {state.raider_space, *(space for _, space in figures)}
    return [space for space in range(1, SPACES + 1) if space not in taken]


def _pay(state: State, figures: Figures, name: str, odds: Mapping[int, Fraction]) -> Pay:
    """What this figure gets among these, as the rules hand it out for cards of each sum."""
    cards = {sum(values): values for values in _draws(state, state.backs)}
    seated = replace(state, phase="reveal_funds", figures=figures)
    at = {}
    for money in odds:
        events = apply(seated, RevealFunds(values=cards[money])).events
        at[money] = next(event.coins for event in events if isinstance(event, Paid) and event.player == name)
    return Pay(at, _expected(at, odds))


def _expected(at: Mapping[int, int], odds: Mapping[int, Fraction]) -> float:
    return float(sum(at[money] * odd for money, odd in odds.items()))
