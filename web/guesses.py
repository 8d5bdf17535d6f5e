"""Slowing down those who guess join codes: every address for itself, and all of them together."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

import msgspec

ADDRESSES_KEPT = 256
"""Whoever changes addresses more often than that still meets the limit for all."""


class Pace(msgspec.Struct, frozen=True):
    """So many guesses at once, then one every so many seconds."""

    at_once: int
    seconds_each: float


EACH_ADDRESS = Pace(at_once=5, seconds_each=30)
ALL_TOGETHER = Pace(at_once=30, seconds_each=10)


class Spent(msgspec.Struct):
    """What a restart must not forget: guesses used up, not times, so that no clock can bring them back."""

    together: float = 0
    addresses: dict[str, float] = {}


class _Tally:
    """Guesses used up; they come back one by one."""

    def __init__(self, pace: Pace, spent: float, now: float) -> None:
        self._pace, self._spent, self._at = pace, spent, now

    def spent(self, now: float) -> float:
        self._spent = max(0.0, self._spent - (now - self._at) / self._pace.seconds_each)
        self._at = now
        return self._spent

    def wait(self, now: float) -> float:
        """Seconds until another guess is free."""
        return max(0.0, self.spent(now) + 1 - self._pace.at_once) * self._pace.seconds_each

    def spend(self, now: float) -> None:
        self._spent = self.spent(now) + 1


class Guesses:
    """Counts wrong codes. Time comes from a clock that only ever goes forward."""

    def __init__(self, clock: Callable[[], float], spent: Spent) -> None:
        self._clock = clock
        now = clock()
        self._together = _Tally(ALL_TOGETHER, spent.together, now)
        self._addresses = OrderedDict((who, _Tally(EACH_ADDRESS, n, now)) for who, n in spent.addresses.items())

    def wait(self, address: str) -> float:
        """Seconds until this address may try a code again; 0: now."""
        now = self._clock()
        own = self._addresses.get(address)
        return max(self._together.wait(now), own.wait(now) if own else 0)

    def wrong(self, address: str) -> None:
        """Note a wrong code."""
        now = self._clock()
        own = self._addresses.pop(address, None) or _Tally(EACH_ADDRESS, 0, now)
        self._addresses[address] = own
        own.spend(now)
        self._together.spend(now)
        while len(self._addresses) > ADDRESSES_KEPT:
            self._addresses.popitem(last=False)

    def spent(self) -> Spent:
        """What is used up now, to be kept over a restart."""
        now = self._clock()
        counts = {address: round(tally.spent(now), 2) for address, tally in self._addresses.items()}
        return Spent(round(self._together.spent(now), 2), {who: count for who, count in counts.items() if count})
