"""The attendant: decides what the panel shows, and carries out what its buttons ask for."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple, Protocol

import msgspec

from companion.desk import Desk
from companion.games.base import Refused
from companion.journal import CannotRecord
from companion.play import Moment
from companion.table import Table
from companion.worker import Task, Worker
from hardware.games import board_of, proposal_of
from hardware.keys import UNDO_HELD, Press
from hardware.lights import SIGNALS, Showing, Situation
from vision.cameras.eye import Sight

log = logging.getLogger(__name__)

REFUSED_SHOWN = 2.5
"""Seconds for which the status light says that something was refused."""
FAULT_SHOWN = 10.0
"""Seconds for which it says that something is broken."""
PROPOSAL_SHOWN = 15.0
"""Seconds after which the question whether a turn is to end is taken back."""
GLANCE = 0.4
"""Nobody answers quicker to what they see: a press that comes sooner was meant for what was shown before."""


WAITING: dict[Sight, Situation] = {"ready": "pieces", "opening": "starting"}
"""What is shown while pieces are awaited, by how the camera is; without one they are entered by hand."""


class Doorkeeper(Protocol):
    """What the attendant needs of the seats: who asks to be let in."""

    @property
    def asking(self) -> tuple[Asking, ...]: ...

    def let_in(self, ask_id: int | None = None) -> object: ...


class Asking(Protocol):
    @property
    def id(self) -> int: ...


class _Shown(NamedTuple):
    """What the panel shows, since when, and what exactly Next would answer to."""

    showing: Showing
    since: float
    subject: object


class Attendant:
    """Buttons are followed by one thread and photographs read by another: no button waits for the camera."""

    def __init__(
        self,
        table: Table,
        desk: Desk,
        seats: Doorkeeper,
        *,
        show: Callable[[Showing], None],
        watch: Callable[[bool], None],
        power_off: Callable[[], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._table = table
        self._desk = desk
        self._seats = seats
        self._show = show
        self._watch = watch
        self._power_off = power_off
        self._clock = clock
        self._lock = threading.RLock()
        self._buttons, self._scans = Worker("buttons"), Worker("scans")
        self._refused_until = 0.0
        self._proposal: tuple[int, float] | None = None
        self._moved_at = clock() - UNDO_HELD
        self._stopping = False
        self._fault_until = 0.0
        self.fault = ""
        """What is broken; "" from the next command that works."""
        self.refusal: Refused | None = None
        """Why the last press was refused."""
        self._shown = _Shown(Showing("starting"), clock(), None)

    def start(self) -> None:
        self._table.listen(self._moved_on)
        self._desk.listen(self.refresh)
        self._buttons.start()
        self._scans.start()
        self.refresh()

    def say_goodbye(self) -> None:
        """Show that the table stops, and follow no more buttons."""
        self._stopping = True
        self.refresh()

    def stop(self, timeout: float) -> None:
        self.say_goodbye()
        self._buttons.stop(timeout)
        self._scans.stop(timeout=0)  # a reading that is not finished changes nothing

    def pressed(self, press: Press) -> None:
        """A button was pressed; it is followed as what was shown at that moment."""
        with self._lock:
            shown, now = self._shown, self._clock()
        if press == "power_off":
            self._follow(self._power_off)
        elif press == "scan":
            if not self._desk.reading:
                self._follow(self._scan, self._scans)
        elif press == "undo":
            began_before = now - self._moved_at < UNDO_HELD
            self._follow(self._too_late if began_before else self._undo)
        elif now - shown.since >= GLANCE:
            self._follow(lambda: self._next(shown))

    def broken(self, what: str) -> None:
        """Show a fault for a while; then what is awaited is shown again, so that it can be tried once more."""
        self.fault = what
        self._fault_until = self._clock() + FAULT_SHOWN
        self.refresh()

    def finish(self) -> None:
        """Wait until every button so far has been followed."""
        self._buttons.finish()
        self._scans.finish()

    def read_by_itself(self) -> None:
        """The watched pieces lie still: read them, if they are still awaited."""
        self._follow(self._watched, self._scans)

    def meanwhile(self, task: Task) -> None:
        """Do this where photographs are read, before the next one."""
        self._scans.later(task)

    def refresh(self, *_news: object) -> None:
        """Show what is the case now. Called whenever anything may have changed, and once a second."""
        asking = self._seats.asking  # outside our lock: the seats tell us news while they hold their own
        with self._lock:
            now = self._clock()
            situation, subject = self._situation(now, asking[0].id if asking else None)
            moment = self._table.now
            board = board_of(moment.game.name if moment.game else None, moment.state, situation == "proposal")
            showing = Showing(situation, board)
            before = self._shown
            if (before.showing.situation, before.subject) == (situation, subject):
                now = before.since
            self._shown = _Shown(showing, now, subject)
            self._show(showing)
        self._watch(situation == "pieces")

    def _situation(self, now: float, asking: int | None) -> tuple[Situation, object]:
        """What the status light says, the most urgent first, and what Next would answer to."""
        moment, scan = self._table.now, self._desk.current
        if self._stopping:
            return "stopping", None
        if now < self._refused_until:
            return "refused", None
        if self.fault and now < self._fault_until:
            return "fault", None
        if self._desk.reading:
            return "reading", None
        if scan is not None and scan.verdict == "ready":
            return "confirm", scan.id
        if self._proposal and self._proposal[0] == moment.version and now < self._proposal[1]:
            return "proposal", moment.version
        if asking is not None:  # after what a player just began, before a question that only a phone can answer
            return "asking", asking
        if scan is not None and scan.verdict == "question":
            return "question", scan.id
        if moment.game is None:
            return "ready", None
        if moment.game.expected(moment.state) is not None:
            return WAITING.get(self._desk.sight, "by_hand"), None
        if proposal_of(moment.game.name, moment.state):
            return "turn", moment.version
        return "ready", None

    def _next(self, shown: _Shown) -> None:
        """Confirm what was shown when Next was pressed, and nothing else."""
        does = SIGNALS[shown.showing.situation].next
        moment = self._table.now
        if does == "let_in" and isinstance(shown.subject, int):
            self._seats.let_in(shown.subject)
        elif does == "confirm" and isinstance(shown.subject, str):
            self._desk.confirm(shown.subject)
        elif does == "propose" and shown.subject == moment.version:
            self._proposal = (moment.version, self._clock() + PROPOSAL_SHOWN)
        elif does == "do_it" and shown.subject == moment.version and moment.game:
            proposed = proposal_of(moment.game.name, moment.state)
            if proposed:
                self._submit(proposed, moment)

    def _scan(self) -> None:
        moment = self._table.now
        if moment.game is None or moment.game.expected(moment.state) is None:
            raise Refused("wrong_phase", "The game waits for no pieces now.")
        self._proposal = None
        self._desk.scan_camera()

    def _watched(self) -> None:
        if self._shown.showing.situation == "pieces":
            with suppress(Refused):  # nobody asked: nobody is told
                self._desk.scan_camera(source="watch")

    def _undo(self) -> None:
        """What is shown and not yet done is taken back first; only then the last command."""
        if self._desk.dismiss():
            return
        if self._proposal is not None and self._proposal[0] == self._table.now.version:
            self._proposal = None
            return
        self._submit(b'{"do":"undo"}', self._table.now)

    def _too_late(self) -> None:
        raise Refused("stale_state", "The table moved on while Undo was held: look again, then hold it once more.")

    def _submit(self, line: bytes, moment: Moment) -> None:
        self._table.submit(msgspec.json.encode({**msgspec.json.decode(line), "on": moment.version}))

    def _moved_on(self, _moment: Moment) -> None:
        self._proposal = None
        self._moved_at = self._clock()
        self.fault = ""
        self.refresh()

    def _follow(self, task: Task, worker: Worker | None = None) -> None:
        """Carry something out by and by, and show how it went."""

        def follow() -> None:
            if self._stopping:
                return
            try:
                task()
            except Refused as refused:
                log.info("Refused at the panel: %s", refused.code)
                self.refusal = refused
                self._refused_until = self._clock() + REFUSED_SHOWN
            except CannotRecord as error:
                self.broken(str(error))
            finally:
                self.refresh()

        (worker or self._buttons).later(follow)
