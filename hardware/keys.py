"""The three buttons: what counts as a press, a hold or a bounce. No pins and no clock of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Key = Literal["scan", "next", "undo"]
Press = Literal["scan", "next", "undo", "power_off"]
KEYS: tuple[Key, ...] = ("scan", "next", "undo")

SETTLED = 0.02
"""Seconds that a contact must stay as it is to count; what is shorter is a bounce."""
UNDO_HELD = 2.0
POWER_OFF_HELD = 5.0


@dataclass
class _Contact:
    level: bool = False
    since: float = 0.0
    down: bool = False
    down_since: float = 0.0
    used: bool = False
    """This hold has had its effect, or is void."""
    joined: bool = False
    """Another button came to it: alone it means nothing any more."""


class Keys:
    """Takes the contacts' edges, gives the presses that people meant.

    Scan and Next act when they go down, alone. Undo acts when it has been held alone, Scan and Undo together
    when both have been held. A hold acts once; a button that is stuck from the start does nothing.
    """

    def __init__(self, stuck: frozenset[Key] = frozenset()) -> None:
        self._contacts = {key: _Contact(level=key in stuck, down=key in stuck, used=key in stuck) for key in KEYS}

    def edge(self, key: Key, level: bool, at: float) -> None:
        """A contact closed or opened, or seemed to."""
        contact = self._contacts[key]
        contact.level = level
        contact.since = at

    def check(self, key: Key, level: bool, at: float) -> None:
        """How a contact really is now: an edge may have got lost on the way."""
        if self._contacts[key].level != level:
            self.edge(key, level, at)

    def tick(self, now: float) -> list[Press]:
        """What was meant up to now."""
        presses: list[Press] = []
        for key, contact in self._contacts.items():
            if contact.level != contact.down and now - contact.since >= SETTLED:
                contact.down = contact.level
                contact.down_since = contact.since
                if contact.down:
                    presses.extend(self._went_down(key, contact))
        presses.extend(self._held(now))
        return presses

    def next_tick(self, now: float) -> float | None:
        """When to ask again; None: not before the next edge."""
        times = [c.since + SETTLED for c in self._contacts.values() if c.level != c.down]
        undo, scan = self._contacts["undo"], self._contacts["scan"]
        if undo.down and not undo.used:
            if scan.down:
                times.append(max(undo.down_since, scan.down_since) + POWER_OFF_HELD)
            elif not undo.joined:
                times.append(undo.down_since + UNDO_HELD)
        return max(min(times), now) if times else None

    def _went_down(self, key: Key, contact: _Contact) -> list[Press]:
        others = [other for name, other in self._contacts.items() if name != key and other.down]
        contact.used = contact.joined = False
        if not others:
            return [key] if key != "undo" else []
        for other in (contact, *others):
            other.joined = True
        together = {name for name, other in self._contacts.items() if other.down}
        if together != {"scan", "undo"}:
            for other in (contact, *others):
                other.used = True
        return []

    def _held(self, now: float) -> list[Press]:
        undo, scan = self._contacts["undo"], self._contacts["scan"]
        if not (undo.down and undo.level) or undo.used:
            return []
        if scan.down:
            if scan.level and not scan.used and now - max(undo.down_since, scan.down_since) >= POWER_OFF_HELD:
                undo.used = scan.used = True
                return ["power_off"]
            return []
        if not undo.joined and now - undo.down_since >= UNDO_HELD:
            undo.used = True
            return ["undo"]
        return []
