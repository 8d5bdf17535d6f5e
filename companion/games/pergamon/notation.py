"""Finds, objects and rows in their text forms: `V50J3`, `J312`, and finds from left to right."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from companion.games.base import Refused

KINDS = {"V": "vase", "J": "jug", "M": "mask", "B": "bracelet"}
ROMAN = ("I", "II", "III", "IV", "V")
MARKERS = ROMAN[:3]
_FIND = re.compile(r"([VJMB])([0-9]{2})([VJMB])([1-5])")


class Find(NamedTuple):
    """A tile: the half at its left border with the number, the half at its right with the century."""

    left: str
    number: int
    right: str
    century: int

    def __str__(self) -> str:
        return f"{self.left}{self.number:02d}{self.right}{self.century}"

    @property
    def age(self) -> tuple[int, int]:
        """For sorting only: a smaller age is younger and lies nearer to the surface."""
        return self.century, self.number


@cache
def parse_find(code: str) -> Find:
    """The find that this code names; any legal tile will do, no list of them is relied on."""
    match = _FIND.fullmatch(code)
    if match is None or match[1] == match[3]:
        raise Refused(
            "unknown_find", f"{shorten(code)} is not a find; one reads like V50J3, with two different halves."
        )
    return Find(match[1], int(match[2]), match[3], int(match[4]))


class Whole(NamedTuple):
    """A whole object, made where two halves of one kind touch. A bigger year is older."""

    kind: str
    year: int

    def __str__(self) -> str:
        return f"{self.kind}{self.year}"


def parse_object(code: str) -> Whole:
    """The whole object that this code names, such as J312."""
    return Whole(code[0], int(code[1:]))


def objects_in(row: Sequence[str]) -> tuple[Whole, ...]:
    """The whole objects along a row; refused where touching halves differ."""
    finds = [parse_find(code) for code in row]
    objects = []
    for left, right in itertools.pairwise(finds):
        if left.right != right.left:
            raise Refused(
                "row_does_not_fit",
                f"{left} and {right} do not fit together: half a {KINDS[left.right]} meets half a {KINDS[right.left]}.",
            )
        objects.append(Whole(left.right, left.century * 100 + right.number))
    return tuple(objects)


def value_of(objects: Sequence[Whole]) -> int:
    """What whole objects are worth in the museum: their centuries, added up."""
    return sum(whole.year // 100 for whole in objects)


def shorten(text: str) -> str:
    """A word from outside, quoted and kept short enough for a sentence."""
    return repr(text if len(text) <= 24 else text[:24] + "…")
