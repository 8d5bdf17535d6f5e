"""What listening phones are told: always the newest state, each as that phone may see it.

A phone takes news when it is ready for them, so that a slow one holds nothing up and nothing piles up for it.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from companion.play import Moment
from companion.table import Table
from web.desk import Desk, Scan
from web.doorstep import Ask
from web.languages import LANGUAGES, tell_in, tell_scan
from web.seats import Seats

log = logging.getLogger(__name__)

HEARTBEAT = b":\n\n"
"""A comment, which a page does not see; a phone that is gone is noticed by it."""
COME_BACK = b"retry: 1000\n\n"


class Live:
    """The table's state, its seats and the desk's scan as events, each encoded once for all who see the same."""

    def __init__(self, table: Table, seats: Seats, desk: Desk | None) -> None:
        self._table, self._seats, self._desk = table, seats, desk
        self._lock = threading.Lock()
        self._wakers: list[Callable[[], None]] = []
        self._states: tuple[Moment, dict[str | None, bytes]] = (table.now, {})
        self._scan_number = self._seats_number = 0
        self._seats_event = (-1, b"")
        self._scan: Scan | None = None
        self._scan_told: tuple[dict[str, Any] | None, dict[str, bytes]] = (None, {})
        self._asking_told: tuple[Ask, ...] = ()
        table.listen(lambda _moment: self._wake())
        seats.listen(self._seats_changed)
        if desk:
            desk.listen(self._scan_changed)

    def state(self, moment: Moment, player: str | None) -> bytes:
        """The state as JSON, as this player, or (None) an onlooker, may see it."""
        of, encoded = self._states
        if of is not moment:
            encoded = {}
            self._states = (moment, encoded)
        if moment.game is None or player not in moment.game.players(moment.state):
            player = None
        if player not in encoded:
            encoded[player] = msgspec.json.encode(moment.view(player))
        return encoded[player]

    def feed(self, token: str | None, language: str = LANGUAGES[0]) -> Feed:
        """What the phone with this token is to be told, and in which language, beginning with the present state."""
        tell_in(language, " ")  # its words are read here, by a worker, before the server's own thread needs them
        return Feed(self, token, language)

    def listen(self, wake: Callable[[], None]) -> Callable[[], None]:
        """Call this, from any thread, whenever there is news; call what is returned to stop it."""
        with self._lock:
            self._wakers.append(wake)

        def stop() -> None:
            with self._lock:
                self._wakers.remove(wake)

        return stop

    def is_seated(self, feed: Feed) -> bool:
        """Whether it is for somebody who sits at the table."""
        return self._seats.seat_of(feed.token) is not None

    def news(self, feed: Feed) -> bytes:
        """Every event that this phone has not had yet; nothing older than the newest of its kind."""
        seat = self._seats.seat_of(feed.token)
        player = seat.player if seat else None
        moment = self._table.now
        seen = (moment.version, player)
        news = b""
        if feed.state_seen != seen:
            feed.state_seen = seen
            news += b"id: %d\ndata: %b\n\n" % (moment.version, self.state(moment, player))
        if feed.seats_seen != self._seats_number:
            feed.seats_seen = self._seats_number
            news += self._seats_news(feed.seats_seen)
        if self._desk and feed.scan_seen != self._scan_number:
            feed.scan_seen = self._scan_number
            news += self._scan_news(feed.language)
        return news

    def look_after(self) -> None:
        """Called every now and then: nobody says so when someone has given up asking."""
        if self._seats.asking != self._asking_told:
            self._seats_changed()

    def _seats_news(self, number: int) -> bytes:
        if self._seats_event[0] != number:
            self._asking_told = self._seats.asking
            told = {"seats": self._seats.all, "asking": self._asking_told}
            self._seats_event = (number, b"event: seats\ndata: %b\n\n" % msgspec.json.encode(told))
        return self._seats_event[1]

    def _scan_news(self, language: str) -> bytes:
        told, events = self._scan_told
        if language not in events:
            events[language] = _scan_event(tell_scan(language, told) if told else None)
        return events[language]

    def _seats_changed(self) -> None:
        self._seats_number += 1
        self._wake()

    def _scan_changed(self, *_scan: object) -> None:
        assert self._desk is not None
        scan = self._desk.current
        if scan is not self._scan:
            told = scan.to_json() if scan else None
            self._scan_told = (told, {LANGUAGES[0]: _scan_event(told)})
            self._scan = scan
            self._scan_number += 1
            self._wake()

    def _wake(self) -> None:
        for wake in list(self._wakers):
            try:
                wake()
            except Exception:
                log.exception("A listener failed; the others go on")


def _scan_event(told: dict[str, Any] | None) -> bytes:
    return b"event: scan\ndata: %b\n\n" % msgspec.json.encode(told)


class Feed:
    """One listening phone. A server that cannot keep it open sends the first news only: the page then asks again."""

    def __init__(self, source: Live, token: str | None, language: str) -> None:
        self.source = source
        self.token = token
        self.language = language
        self.state_seen: tuple[int, str | None] | None = None
        self.seats_seen = self.scan_seen = -1

    @property
    def seated(self) -> bool:
        return self.source.is_seated(self)

    def news(self) -> bytes:
        """What this phone has not been told yet; b"" if it knows everything."""
        return self.source.news(self)

    def __iter__(self) -> Iterator[bytes]:
        yield COME_BACK + self.news()
