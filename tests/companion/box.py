"""The whole box in a test: a real station on a free port, mock pins, a clock that the test turns, made-up eyes."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import msgspec
import numpy as np
from msgspec.structs import replace

from companion.games.base import Expected
from companion.play import Moment
from companion.settings import Settings
from companion.station import Outside, Station
from hardware.keys import Key
from tests.hardware.bench import Clock, PinsInMemory
from vision.cameras.base import CameraTrouble
from vision.cameras.eye import Sight
from vision.pergamon.box import SimulatedBox
from vision.photo import Photo, Pixels
from vision.reading import Piece, Reading, Status

PATIENCE = 60.0
KINDS = {"finds": "find", "funds": "funds"}


class PluggedIn:
    """A camera that shows nothing, and that can be unplugged or made to hang."""

    name = "a camera"
    live = True

    def __init__(self) -> None:
        self.there = True
        self.hangs = threading.Event()
        self.answers = threading.Event()
        self.answers.set()
        self.photographs = 0

    def open(self) -> PluggedIn:
        if not self.answers.is_set():
            raise CameraTrouble("The camera is used by another programme: close the other one.")
        return self._checked()

    def look(self) -> Pixels:
        self._checked()._answer()
        return np.zeros((48, 64, 3), np.uint8)

    def photograph(self) -> Pixels:
        self._checked()._answer()
        self.photographs += 1
        return np.zeros((480, 640, 3), np.uint8)

    def close(self) -> None: ...

    def hang(self) -> None:
        self.answers.clear()

    def _checked(self) -> PluggedIn:
        if not self.there:
            raise CameraTrouble("The camera was unplugged: plug it in again.")
        return self

    def _answer(self) -> None:
        if not self.answers.is_set():
            self.hangs.set()
            self.answers.wait(PATIENCE)


class MadeUpEyes:
    """Reads what a shuffled box would have laid down; a test says what is to be seen otherwise."""

    def __init__(self, seed: int = 1) -> None:
        self.box = SimulatedBox(seed)
        self.next: list[Piece] | None = None
        """What the next scan will see, on every photograph that it takes."""
        self.readings = 0
        self.used = False

    def scan_ends(self) -> None:
        if self.used:
            self.next, self.used = None, False

    def __call__(self, _photo: Photo, _expect: str | None, expected: Expected | None) -> Reading:
        self.readings += 1
        self.used = True
        pieces = self.next
        if pieces is None:
            codes = self.box.draw(expected) if expected else []
            pieces = [seen(code, kind=KINDS[expected.kind] if expected else "find") for code in codes]
        return Reading(tuple(pieces), ms=1)


def seen(code: str | None, status: Status = "sure", kind: str = "find", alternatives: Sequence[str] = ()) -> Piece:
    """One piece as it was read."""
    corners = ((10.0, 10.0), (90.0, 10.0), (90.0, 90.0), (10.0, 90.0))
    return Piece(kind, code, status, 0.99 if status == "sure" else 0.5, corners, tuple(alternatives))


class Box(PinsInMemory):
    """A station with fingers on its buttons and eyes on its lights."""

    def __init__(self, data: Path, settings: Settings | None = None, simulated: bool = False) -> None:
        """With made-up eyes, or with the simulated camera and the real reader."""
        settings = settings or Settings()
        super().__init__(settings.panel.pins)
        self.clock = Clock()
        self.camera = PluggedIn()
        self.eyes = MadeUpEyes()
        self.wall = 1_700_000_000.0
        settings = replace(
            settings,
            network=replace(settings.network, host="127.0.0.1", port=0),
            camera=replace(settings.camera, use="sim" if simulated else "usb"),
            panel=replace(settings.panel, use="gpio", power_off=()),
        )
        outside = Outside(
            now=lambda: self.wall,
            clock=self.clock,
            pins=self.factory,
            camera=None if simulated else self.camera.open,
            read=None if simulated else self.eyes,
        )
        self.sights: list[Sight] = []
        self._saw = threading.Condition()
        self.station = Station(data, settings, outside)
        assert self.station.eye is not None
        self.eye = self.station.eye
        if simulated:
            self.eye._clock = time.monotonic  # drawing takes real time
        self.eye.listen(self._sees)
        self.watching: list[bool] = []
        """Whether the camera was asked to watch, each time that changed."""
        self.eye.watch = self._note_watching  # type: ignore[method-assign]  # noted, not done
        self.table, self.desk = self.station.table, self.station.desk
        self.desk.listen(lambda: None if self.desk.reading else self.eyes.scan_ends())

    def _note_watching(self, on: bool) -> None:
        if on != (self.watching or [False])[-1]:
            self.watching.append(on)

    def _sees(self, state: Any) -> None:
        with self._saw:
            self.sights.append(state.sight)
            self._saw.notify_all()

    def until_sight(self, sight: Sight) -> None:
        """Wait until the camera has come or gone."""
        with self._saw:
            assert self._saw.wait_for(lambda: self.eye.state.sight == sight, PATIENCE), self.eye.state
        self.station.attendant.refresh()
        self.wait(0.0)

    def wait(self, seconds: float) -> None:
        """Let time pass at the panel and in the station."""
        assert self.station.panel is not None
        self.clock.now += seconds
        self.station.look_after()
        self.station.panel.tick()

    def press(self, key: Key, seconds: float = 0.1) -> None:
        """Look, press, let go, and wait until it has been followed."""
        self.wait(1.0)
        self.down(key)
        self.wait(seconds)
        self.up(key)
        self.wait(0.1)
        self.station.attendant.finish()
        self.wait(0.0)

    def hold_undo(self) -> None:
        self.wait(3.0)
        self.press("undo", seconds=2.5)

    def do(self, name: str, /, **fields: Any) -> Moment:
        """A command as a phone sends it."""
        moment = self.table.submit(msgspec.json.encode({"do": name, **fields}))
        self.wait(0.0)
        return moment

    def new_game(self, *names: str) -> Moment:
        return self.do("new_game", game="pergamon", players=names or ("Ada", "Ben", "Cleo"))

    @property
    def phase(self) -> str:
        return str(self.table.now.show()["phase"])

    @property
    def situation(self) -> str:
        assert self.station.panel is not None
        return self.station.panel.showing.situation


@contextmanager
def open_box(data: Path, settings: Settings | None = None, simulated: bool = False) -> Iterator[Box]:
    """A box that is switched on, its camera open, and switched off in the end."""
    with patch.multiple("vision.cameras.eye", RETRY=0.02, STILL_THERE=0.02):
        box = Box(data, settings, simulated)
        box.station.start()
        try:
            box.until_sight("ready")
            yield box
        finally:
            box.camera.answers.set()
            box.station.stop()
