"""The station: table, camera, panel and page in one process, none of which can hold up or end another."""

from __future__ import annotations

import http.client
import logging
import os
import socket
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.attendant import Attendant
from companion.data_folder import JOURNAL_FILE, SEATS_FILE, CannotStart, hold
from companion.desk import Desk
from companion.eyes import Reader, SimulatedTable
from companion.games.base import Expected
from companion.journal import CannotRecord, Journal, JournalError
from companion.notify import Notifier
from companion.owner import OwnerFiles
from companion.past_games import count_older_games
from companion.power import switch_off
from companion.scan import Read
from companion.settings import Settings
from companion.table import Table
from companion.teaching import Teacher
from companion.watching import Watch
from hardware.panel import Panel, PanelTrouble, is_a_pi
from vision.cameras.choice import CameraChoice
from vision.cameras.eye import ANSWERING, DRAWING, Eye
from vision.cameras.opening import Opener, opener
from web import Settings as PageSettings
from web import create_app
from web.seats import Seats
from web.server import CannotServe, serve

log = logging.getLogger(__name__)

TICK = 1.0
"""Seconds between two rounds of looking after the parts."""
LESS_URGENT = 10
"""How nice a thread is to the others that has time."""
EVERYWHERE = ("0.0.0.0", "::", "")


@dataclass(frozen=True)
class Outside:
    """What the station meets outside itself; a test puts its own here."""

    now: Callable[[], float] = time.time
    clock: Callable[[], float] = time.monotonic
    pins: Any = None
    """gpiozero's way to the pins; None: the machine's own."""
    camera: Opener | None = None
    """In place of the camera that the settings name."""
    read: Read | None = None
    """In place of the real reader."""


class Station:
    """Everything that `companion run` runs."""

    def __init__(self, data: Path, settings: Settings, outside: Outside = Outside()) -> None:
        """Open what must be there: the data folder, the record, the port. CannotStart or JournalError if not."""
        self.settings = settings
        self.notifier = Notifier()
        self._outside = outside
        self._stop = threading.Event()
        self._wanted_scans = threading.Event()
        self._warm = False
        self._data = data
        self.panel: Panel | None = None
        self.panel_trouble = ""
        self._folder = hold(data)
        try:
            self.journal = Journal(data / JOURNAL_FILE, now=outside.now)
            owner = OwnerFiles(data)
            self.table = Table(self.journal, owner)
            self.seats = Seats(data / SEATS_FILE, settings.network.join_code or None)
            self.watch = Watch(lambda: self.attendant.read_by_itself())
            self.eye = self._eye()
            self.reader = Reader(data, settings.camera.set)
            read = outside.read or self.reader
            self.desk = Desk(self.table, self.eye, read, still=self._still, keep=settings.record.scans)
            self.attendant = Attendant(
                self.table,
                self.desk,
                self.seats,
                show=self._show,
                watch=self._watch,
                power_off=self._power_off,
                clock=outside.clock,
            )
            network = settings.network
            everywhere = network.host in EVERYWHERE
            page = PageSettings(network.names, self._address_for_phones if everywhere else None, self.status)
            self.teacher = Teacher(self.desk, data, self.reader.use, self.reader.to_teach)
            app = create_app(self.table, self.seats, self.desk, owner, page, self.teacher)
            self.server = serve(app, network.host, network.port)
        except CannotServe as error:
            self._folder.release()
            raise CannotStart(str(error)) from None
        except BaseException:
            self._folder.release()
            raise

    @property
    def address(self) -> str:
        """Where this machine itself finds the page."""
        host = self.settings.network.host
        if host in EVERYWHERE:
            host = "127.0.0.1"
        return f"http://{f'[{host}]' if ':' in host else host}:{self.server.port}"

    def start(self) -> None:
        """Begin to answer. What is missing of camera and panel is said, and does not keep the table from playing."""
        self._open_panel()
        self.attendant.start()
        self.seats.listen(self.attendant.refresh)
        if self.eye is not None:
            self.eye.listen(self.attendant.refresh)
            self.eye.start()
        self.teacher.start()
        self.server.start()
        log.info("The record goes up to version %d", self.table.now.version)
        threading.Thread(target=self._examine_record, name="record", daemon=True).start()
        self.notifier.ready(f"The table is at {self.address}")

    def run(self) -> None:
        """Look after the parts until somebody says stop."""
        alive = self.notifier.watchdog
        due = time.monotonic()
        while not self._stop.wait(TICK if alive is None else min(TICK, alive)):
            self.look_after()
            if alive is not None and time.monotonic() >= due and self.answers():
                self.notifier.alive()
                due = time.monotonic() + alive

    def look_after(self) -> None:
        """Notice a camera that hangs, whatever ends by the clock, and a wish for a bug report."""
        try:
            if self.eye is not None:
                self.eye.check()
            self.attendant.refresh()
            if self._wanted_scans.is_set():
                from companion.report import lay_down

                self._wanted_scans.clear()
                lay_down(self._data, self.desk.kept)
        except Exception:
            log.exception("Looking after the parts failed; the table goes on")

    def ask_to_stop(self) -> None:
        """May be called from anywhere, also from a signal."""
        self._stop.set()

    def ask_for_scans(self) -> None:
        """Lay the last scans down as files, for a bug report; may be called from a signal."""
        self._wanted_scans.set()

    def stop(self) -> None:
        """Everything down, in order, within two seconds; a camera that hangs is left behind."""
        self._stop.set()
        self.notifier.stopping()
        if self.eye is not None:
            self.eye.stop(timeout=0)  # whoever waits for a photograph is told now, so that the page waits for nobody
        self.attendant.stop(timeout=0.1)
        self.server.stop()
        self.teacher.stop(timeout=0.1)
        if self.eye is not None:
            self.eye.stop(timeout=0.2)
        if self.panel is not None:
            self.panel.close(timeout=0.2)
        self.journal.close()
        self._folder.release()

    def status(self) -> dict[str, Any]:
        """How the parts are, for the page and for a bug report."""
        eye = self.eye.state if self.eye else None
        said = " ".join([eye.message, *(trouble.message for trouble in self.watch.troubles)]).strip() if eye else ""
        return {
            "camera": {"sight": eye.sight, "name": eye.camera, "message": said} if eye else {"sight": "none"},
            "panel": {"there": self.panel is not None, "message": self.panel_trouble},
            "record": {"ok": not self.attendant.fault, "message": self.attendant.fault},
        }

    def answers(self) -> bool:
        """Whether the page really answers: the proof of life that systemd gets."""
        host = self.settings.network.host
        caller = http.client.HTTPConnection("127.0.0.1" if host in EVERYWHERE else host, self.server.port, timeout=2)
        try:
            caller.request("GET", "/healthz")
            return caller.getresponse().status == http.client.OK
        except (OSError, http.client.HTTPException):
            log.warning("The page does not answer")
            return False
        finally:
            caller.close()

    def _address_for_phones(self) -> str:
        return address_for_phones(self.server.port)

    def _examine_record(self) -> None:
        """Look through all past games while the table plays already; what is damaged is said, and nothing written."""
        with suppress(OSError):  # whoever plays already comes first
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), LESS_URGENT)
        damage = self.journal.examine()
        if self._stop.is_set():
            return
        if damage:
            log.error("%s", damage)
            self.attendant.broken(damage)
            return
        with suppress(JournalError, CannotRecord):  # at the next start, then
            for game_id in count_older_games(self.journal):
                log.info("Game %d, of an older companion, is in the standings now", game_id)
                if self._stop.is_set():
                    break

    def _eye(self) -> Eye | None:
        camera = self.settings.camera
        choice = CameraChoice.parse(camera.use)
        size = (camera.width, camera.height)
        open_camera = self._outside.camera or opener(choice, size, lambda: SimulatedTable(self._expected, size))
        if open_camera is None:
            return None
        return Eye(
            open_camera,
            self.watch.frame,
            frames_a_second=camera.frames_a_second,
            wanted=choice.kind != "auto",
            patience=DRAWING if choice.kind == "sim" else ANSWERING,
            clock=self._outside.clock,
        )

    def _expected(self) -> Expected | None:
        moment = self.table.now
        return moment.game.expected(moment.state) if moment.game else None

    def _watch(self, on: bool) -> None:
        if self.eye is None:
            return
        self.eye.watch(on and self.settings.camera.watch)
        if on and not self._warm and self._outside.read is None:
            self._warm = True
            self.attendant.meanwhile(self.reader.warm_up)

    def _open_panel(self) -> None:
        use = self.settings.panel.use
        if use == "none" or (use == "auto" and not is_a_pi()):
            return
        pins = self._outside.pins
        if use == "mock" and pins is None:
            from gpiozero.pins.mock import MockFactory

            pins = MockFactory()
        try:
            self.panel = Panel(
                self.settings.panel.pins, self.attendant.pressed, factory=pins, clock=self._outside.clock
            )
        except PanelTrouble as trouble:
            self.panel_trouble = str(trouble)
            log.warning("No panel: %s", trouble)
        else:
            self.panel.start()

    def _show(self, showing: Any) -> None:
        if self.panel is not None:
            self.panel.show(showing)

    def _still(self) -> AbstractContextManager[None]:
        return self.panel.still() if self.panel is not None else nullcontext()

    def _power_off(self) -> None:
        log.info("Switching off, as the buttons ask")
        self.attendant.say_goodbye()
        if not switch_off(self.settings.panel.power_off):
            self.ask_to_stop()


def address_for_phones(port: int) -> str:
    """Where phones in the same network find the page: by this machine's own address, or its .local name."""
    at = "" if port == 80 else f":{port}"
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(("192.0.2.1", 9))  # sends nothing; asks which of our addresses would be used
            return f"http://{probe.getsockname()[0]}{at}"
    except OSError:
        return f"http://{socket.gethostname().split('.')[0]}.local{at}"
