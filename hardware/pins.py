"""Which pin of the Pi each light and button is wired to. The wiring diagram is drawn from this same table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Annotated

import msgspec

Pin = Annotated[int, msgspec.Meta(ge=0)]
Five = msgspec.Meta(min_length=5, max_length=5)
Four = msgspec.Meta(min_length=4, max_length=4)
Three = msgspec.Meta(min_length=3, max_length=3)

HEADER = {
    2: 3, 3: 5, 4: 7, 17: 11, 27: 13, 22: 15, 10: 19, 9: 21, 11: 23, 5: 29, 6: 31, 13: 33, 19: 35, 26: 37,
    14: 8, 15: 10, 18: 12, 23: 16, 24: 18, 25: 22, 8: 24, 7: 26, 12: 32, 16: 36, 20: 38, 21: 40,
}  # fmt: skip
"""Every GPIO that may be wired, and its place on the 40-pin header. 0 and 1 belong to add-on boards."""


class WrongPins(Exception):
    """A pin that cannot be used: the key that names it, and why."""

    def __init__(self, key: str, reason: str) -> None:
        super().__init__(f"{key}: {reason}")
        self.key = key
        self.reason = reason


class Pins(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The panel's wiring, by GPIO numbers. Lights that the owner leaves out of a build may stay unconnected."""

    places: Annotated[tuple[Pin, ...], Five] = (5, 6, 13, 19, 26)
    """Five lights for places on the board."""
    players: Annotated[tuple[Pin, ...], Four] = (17, 27, 22, 10)
    """Four lights for the players, in the order of the game's colours."""
    status: Annotated[tuple[Pin, ...], Three] = (16, 20, 21)
    """Red, green and blue of the status light."""
    scan: Pin = 23
    next: Pin = 24
    undo: Pin = 25
    buzzer: Pin | None = None

    def named(self) -> Iterator[tuple[str, int]]:
        """Every wired pin with the key that names it."""
        for key in ("places", "players", "status"):
            for pin in getattr(self, key):
                yield key, pin
        for key in ("scan", "next", "undo"):
            yield key, getattr(self, key)
        if self.buzzer is not None:
            yield "buzzer", self.buzzer


def check(pins: Pins) -> None:
    """Every pin exists and is used once, or WrongPins."""
    uses = Counter(pin for _, pin in pins.named())
    first: dict[int, str] = {}
    for key, pin in pins.named():
        if pin not in HEADER:
            raise WrongPins(key, f"GPIO {pin} is not on the Pi's header; use one of {_list(HEADER)}")
        if uses[pin] > 1 and pin in first:
            other = "itself" if first[pin] == key else first[pin]
            raise WrongPins(key, f"GPIO {pin} is used twice, here and by {other}; give each its own pin")
        first.setdefault(pin, key)


def _list(pins: dict[int, int]) -> str:
    return ", ".join(map(str, sorted(pins)))
