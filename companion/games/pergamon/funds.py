"""Research funds: cards counted down, and coins handed out from right to left."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

CARDS_OF_A_VALUE = 3
VALUES = range(1, 9)
BACKS = {"bag": range(1, 5), "chest": range(5, 9)}


class Share(NamedTuple):
    """A figure on a funds space, and coins: those that the space asks for, or those it gets."""

    space: int
    coins: int


def hand_out(total: int, wanted: Sequence[Share], last_takes_rest: bool = True) -> list[Share]:
    """What each figure gets, from right to left, for what each one's space asks for.

    Each takes its space's coins while they last; the leftmost takes all that is left, be it more,
    less or nothing, unless it may not take the rest.
    """
    shares = []
    left = total
    ordered = sorted(wanted, reverse=True)
    for share in ordered:
        takes_all = share is ordered[-1] and last_takes_rest
        coins = left if takes_all else min(share.coins, left)
        left -= coins
        shares.append(Share(share.space, coins))
    return shares


def back_of(value: int) -> str:
    """The back of a card: a bag for 1-4, a chest for 5-8."""
    return "bag" if value in BACKS["bag"] else "chest"


def unseen_of(back: str, unseen: Sequence[int]) -> int:
    """How many cards with this back nobody has seen yet."""
    return sum(unseen[value - 1] for value in BACKS[back])
