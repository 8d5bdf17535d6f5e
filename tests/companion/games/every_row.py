"""The slow and certain way to the best rows: lay every row there is."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

from companion.games.pergamon.notation import Find, parse_find


def best_values(codes: Iterable[str]) -> dict[int, int]:
    """What the best row of each number of finds is worth, by trying all of them."""
    best: dict[int, int] = {}

    def go_on(length: int, value: int, row_end: Find, left: list[Find]) -> None:
        for find in left:
            if find.left == row_end.right:
                worth = value + row_end.century
                best[length + 1] = max(worth, best.get(length + 1, 0))
                go_on(length + 1, worth, find, [other for other in left if other != find])

    finds = [parse_find(code) for code in codes]
    for find in finds:
        go_on(1, 0, find, [other for other in finds if other != find])
    return best


def draw(rng: random.Random, number: int, sorts: Sequence[str]) -> list[str]:
    """So many different finds of these sorts, such as `VJ`, with any number and century."""
    finds: set[str] = set()
    while len(finds) < number:
        sort = rng.choice(sorts)
        finds.add(f"{sort[0]}{rng.randrange(100):02d}{sort[1]}{rng.randint(1, 5)}")
    return sorted(finds, key=lambda _: rng.random())
