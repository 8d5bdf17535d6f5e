"""The best rows that a set of finds can make, exactly, for every number of finds.

A find leads from the kind at its left to the kind at its right, so a row is a walk over four kinds that uses
no find twice, and it is worth the centuries of all its finds but the last. Three facts make the search small:

- The last find may be the youngest of its sort (its two kinds in this order): its century does not count.
- Of every other sort the oldest finds are taken, so a row is known by how many of each sort it uses.
- Those numbers make a row exactly if every kind is entered as often as it is left (but for the two ends) and
  all finds hang together. So what matters of two kinds is the surplus of finds one way over those the other
  way; all beyond it are round trips, there and back, of which the most valuable are taken first.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

import msgspec

from companion.games.pergamon.notation import KINDS, Find, objects_in, parse_find, value_of

Sort = tuple[str, str]
"""The kinds at the left and at the right of a find."""
Stock = dict[Sort, list[Find]]
"""The finds of each sort, the oldest first."""
Surpluses = tuple[int, ...]
"""For each pair of kinds, how many more finds lead one way than the other."""

FIELD = 16
MASK = (1 << FIELD) - 1
TRIPS = range(10, 1, -1)
"""What a round trip can be worth. A way to use finds is one whole number, so that ways are quickly added: field 0
counts its finds, field 1 is their value, field 2 to 10 count the round trips of that worth still to be had."""


class Row(msgspec.Struct, frozen=True):
    """A collection that could be exhibited: its finds from left to right and the whole objects they make."""

    finds: tuple[str, ...]
    objects: tuple[str, ...]
    value: int


class Ending(NamedTuple):
    """A last find, the stock without it, and for each pair of kinds the best way to each surplus."""

    last: Find
    stock: Stock
    pairs: tuple[Sort, ...]
    ways: tuple[dict[int, int], ...]


class Plan(NamedTuple):
    """How a row is made up: its ending, the kind it begins with, the surpluses, and where round trips lie.

    Those that join what would lie apart must be made; the others may go over these pairs of kinds.
    """

    ending: Ending
    start: str
    surpluses: Surpluses
    joining: tuple[Sort, ...]
    over: tuple[Sort, ...]


def best_row(finds: Iterable[str], most: int | None = None) -> Row | None:
    """The most valuable row (of at most so many finds); of equal ones the shortest, which leaves more for later."""
    rows = [row for number, row in best_rows(finds).items() if most is None or number <= most]
    return max(rows, key=lambda row: (row.value, -len(row.finds)), default=None)


def best_rows(finds: Iterable[str]) -> dict[int, Row]:
    """The most valuable row for each number of finds that can make one.

    Which of several equal ones is chosen depends only on which finds there are, not on their order.
    """
    best: dict[int, tuple[int, Plan]] = {}
    for way, plan in _all_ways(_stock(finds)).items():
        number, value = (way & MASK) + 1, way >> FIELD & MASK
        for gain in itertools.accumulate(_trips(way), initial=0):
            if number not in best or best[number][0] < value + gain:
                best[number] = value + gain, plan
            number += 2
    return {number: _row(plan, number) for number, (_, plan) in sorted(best.items())}


def _stock(finds: Iterable[str]) -> Stock:
    stock: Stock = {sort: [] for sort in itertools.permutations(KINDS, 2)}
    for find in sorted(map(parse_find, set(finds)), key=lambda find: find.age, reverse=True):
        stock[find.left, find.right].append(find)
    return stock


def _all_ways(stock: Stock) -> dict[int, Plan]:
    """Every way to a row with the fewest finds for its surpluses, and a plan for it; equal ways count once."""
    found: dict[int, Plan] = {}
    pairs = _pairs(stock)
    for sort in stock:
        if stock[sort]:
            ending = _ending(stock, sort, pairs)
            for start in KINDS:
                _add_ways(found, ending, start)
    return found


def _add_ways(found: dict[int, Plan], ending: Ending, start: str) -> None:
    """The ways from this kind to the last find that hang together."""
    end = ending.last.left
    one, two, three = (index for index, pair in enumerate(ending.pairs) if end in pair)
    for way, surpluses in _balanced(ending, start):
        # On four kinds, surpluses that reach the end and two other kinds leave nothing apart.
        if surpluses.count(0) < 5 and (surpluses[one] or surpluses[two] or surpluses[three]):
            if way not in found:
                found[way] = Plan(ending, start, surpluses, (), ending.pairs)
        else:
            for joined, plan in _joined(ending, start, surpluses):
                found.setdefault(joined, plan)


def _pairs(stock: Stock) -> tuple[Sort, ...]:
    """The six pairs of kinds, those among three kinds with few finds first, because they are tried in all ways."""

    def choices(kinds: tuple[str, ...]) -> int:
        product = 1
        for a, b in itertools.combinations(kinds[:3], 2):
            product *= len(stock[a, b]) + len(stock[b, a]) + 1
        return product

    kinds = min(itertools.permutations(KINDS), key=choices)
    return tuple(itertools.combinations(kinds, 2))


def _ending(stock: Stock, sort: Sort, pairs: tuple[Sort, ...]) -> Ending:
    last = stock[sort][-1]
    stock = stock | {sort: stock[sort][:-1]}
    return Ending(last, stock, pairs, tuple(_ways_of_pair(stock[a, b], stock[b, a]) for a, b in pairs))


def _ways_of_pair(there: list[Find], back: list[Find]) -> dict[int, int]:
    """For each surplus that these finds allow, the way with the fewest of them, and the round trips beyond it."""
    ways = {}
    for surplus in range(-len(back), len(there) + 1):
        base = there[: max(surplus, 0)] + back[: max(-surplus, 0)]
        way = len(base) + (sum(find.century for find in base) << FIELD)
        for trip in _trips_of_pair(there, back, surplus):
            way += 1 << FIELD * trip
        ways[surplus] = way
    return ways


def _trips_of_pair(there: list[Find], back: list[Find], surplus: int) -> list[int]:
    """What each further round trip adds, the most valuable first."""
    rest = there[max(surplus, 0) :], back[max(-surplus, 0) :]
    return [a.century + b.century for a, b in zip(*rest, strict=False)]


def _balanced(ending: Ending, start: str) -> Iterator[tuple[int, Surpluses]]:
    """All surpluses that enter each kind as often as they leave it, but for the start and the end.

    Three of the six are free; the other three, those with the last kind, follow from them.
    """
    p, q, r = (int(kind == start) - int(kind == ending.last.left) for kind in _three_kinds(ending.pairs))
    ways_pq, ways_pr, ways_ps, ways_qr, ways_qs, ways_rs = ending.ways
    for pq, way_pq in ways_pq.items():
        for pr, way_pr in ways_pr.items():
            ps = p - pq - pr
            if ps not in ways_ps:
                continue
            way_p = way_pq + way_pr + ways_ps[ps]
            for qr, way_qr in ways_qr.items():
                qs = q + pq - qr
                rs = r + pr + qr
                if qs in ways_qs and rs in ways_rs:
                    yield way_p + way_qr + ways_qs[qs] + ways_rs[rs], (pq, pr, ps, qr, qs, rs)


def _three_kinds(pairs: tuple[Sort, ...]) -> tuple[str, str, str]:
    return pairs[0][0], pairs[0][1], pairs[1][1]


def _joined(ending: Ending, start: str, surpluses: Surpluses) -> Iterator[tuple[int, Plan]]:
    """Where surpluses may leave finds apart: what they reach, and the round trips that join the rest to it.

    On four kinds two round trips are enough: what reaches the end and two other kinds leaves nothing apart.
    """
    given = tuple(pair for pair, surplus in zip(ending.pairs, surpluses, strict=True) if surplus)
    there_and_back = [(a, b) for a, b in ending.pairs if ending.stock[a, b] and ending.stock[b, a]]
    others = [pair for pair in there_and_back if pair not in given]
    for number in range(3):
        for joining in itertools.combinations(others, number):
            over = _within_reach((*given, *joining), ending.pairs, ending.last.left)
            if not over:
                continue
            way = 0
            for pair, ways, surplus in zip(ending.pairs, ending.ways, surpluses, strict=True):
                if pair in over:
                    way += ways[surplus]
                if pair in joining:
                    there, back = ending.stock[pair], ending.stock[pair[1], pair[0]]
                    trip = there[0].century + back[0].century
                    way += 2 + (trip << FIELD) - (1 << FIELD * trip)
            yield way, Plan(ending, start, surpluses, joining, over)


@cache
def _within_reach(used: tuple[Sort, ...], pairs: tuple[Sort, ...], end: str) -> tuple[Sort, ...]:
    """The pairs that touch what is used; none if that itself lies apart or away from the end."""
    kinds = {end}
    for _ in used:
        kinds.update(*(pair for pair in used if kinds.intersection(pair)))
    if not used or not kinds.issuperset(itertools.chain(*used)):
        return ()
    return tuple(pair for pair in pairs if kinds.intersection(pair))


def _trips(way: int) -> Iterator[int]:
    """The round trips that a way leaves to be had, the most valuable first."""
    for trip in TRIPS:
        yield from itertools.repeat(trip, way >> FIELD * trip & MASK)


def _row(plan: Plan, number: int) -> Row:
    """The row of so many finds that the plan stands for."""
    ending = plan.ending
    surplus_of = dict(zip(ending.pairs, plan.surpluses, strict=True))
    trips = []
    for pair in plan.over:
        worths = _trips_of_pair(ending.stock[pair], ending.stock[pair[1], pair[0]], surplus_of[pair])
        must = pair in plan.joining
        trips += [(not (must and place == 0), -worth, pair) for place, worth in enumerate(worths)]
    more = (number - 1 - sum(map(abs, plan.surpluses))) // 2
    taken = [pair for _, _, pair in sorted(trips)[:more]]
    used: Stock = {}
    for (a, b), surplus in surplus_of.items():
        used[a, b] = ending.stock[a, b][: max(surplus, 0) + taken.count((a, b))]
        used[b, a] = ending.stock[b, a][: max(-surplus, 0) + taken.count((a, b))]
    finds = tuple(map(str, [*_walk(used, plan.start), ending.last]))
    objects = objects_in(finds)
    return Row(finds, tuple(map(str, objects)), value_of(objects))


def _walk(stock: Stock, start: str) -> list[Find]:
    """All these finds in one row from this kind: go on while a find fits, and put side trips in where they began."""
    unused = {sort: finds[::-1] for sort, finds in stock.items()}
    row: list[Find] = []
    path: list[Find] = []
    while True:
        kind = path[-1].right if path else start
        ahead = next((finds for (left, _), finds in unused.items() if left == kind and finds), None)
        if ahead:
            path.append(ahead.pop())
        elif path:
            row.append(path.pop())
        else:
            return row[::-1]
