"""A week of uptime, second by second, with injected clocks: what is looked after, told and forgotten on the way."""

from __future__ import annotations

import gc
import io
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
from PIL import Image

from companion.desk import Desk
from companion.settings import CameraSettings, Network, PanelSettings, Settings
from companion.station import Outside, Station
from tests.faults.load import LISTEN
from tests.faults.real_station import Game
from tests.faults.targets import Eyes, Porch, Wire
from web.connection import Connection
from web.doorstep import SeatRefused

LISTENING = 5
SCAN_EVERY, ASK_EVERY, JOIN_EVERY, COMMAND_EVERY = 997, 301, 3607, 61
"""Seconds; odd numbers, so that everything meets everything."""


class Clock:
    """Goes on from now, by simulated seconds."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self.seconds = 0.0

    def __call__(self) -> float:
        return self._began + self.seconds


class Hall(Porch):
    """A server whose time is the simulated one."""

    clock: Callable[[], float]

    def time(self) -> float:
        return self.clock()


def live_for(data: Path, seconds: int) -> dict[str, float]:
    """The figures after so many simulated seconds."""
    clock = Clock()
    settings = Settings(
        Network(host="127.0.0.1", port=0, join_code="WEEKLONG"), CameraSettings(use="none"), PanelSettings(use="none")
    )
    station = Station(data, settings, Outside(now=lambda: 1_800_000_000 + clock.seconds, clock=clock, read=Eyes()))
    station.seats._clock = station.seats._guesses._clock = clock
    station.start()
    hall = Hall(station.server._app)  # type: ignore[arg-type]  # a station's app is a Page
    hall.clock = clock
    phones = [listening(hall) for _ in range(LISTENING)]
    photo = io.BytesIO()
    Image.new("RGB", (64, 64), "white").save(photo, "JPEG")
    game, early, heard, commands, scans = Game(1), 0.0, 0, 0, 0
    try:
        for second in range(1, seconds + 1):
            clock.seconds = float(second)
            station.look_after()
            for connection, _ in phones:
                connection.look_after(clock())
            if second % COMMAND_EVERY == 0:
                station.table.submit(msgspec.json.encode(game.next_command(station.table.now)))
                commands += 1
            if second % SCAN_EVERY == 0:
                station.desk.scan_photo(photo.getvalue())
                scans += 1
            if second % ASK_EVERY == 0:
                ask(station, second)
            if second % JOIN_EVERY == 0:
                station.seats.claim("WEEKLONG", None, f"192.0.2.{second % 250}")
            if second % 60 == 0:
                heard += sum(drained(connection, wire) for connection, wire in phones)
            if second == max(1, seconds // 10):
                early = memory()
        desk: Desk = station.desk
        return {
            "seconds simulated": seconds,
            "commands": commands,
            "games in the record": len(station.journal.games()),
            "scans": scans,
            "bytes told to listening phones": heard,
            "seats": len(station.seats.all),
            "asking": len(station.seats.asking),
            "scans kept": len(desk.kept),
            "listeners of the table": len(station.table._listeners),
            "memory after the first tenth, MB": early,
            "memory after, MB": memory(),
        }
    finally:
        station.stop()


def ask(station: Station, second: int) -> None:
    """Somebody asks to be let in and gives up."""
    try:
        station.seats.ask("Ada", f"192.0.2.{second % 250}", None)
    except SeatRefused as refused:
        assert refused.code == "too_many_asking"  # noqa: PT017 - the others wait still


def listening(hall: Hall) -> tuple[Connection, Wire]:
    wire, connection = Wire(), Connection(hall)
    connection.connection_made(wire)
    connection.data_received(LISTEN)
    assert connection in hall.listening
    return connection, wire


def drained(connection: Connection, wire: Wire) -> int:
    """What a phone was told since the last look."""
    connection.tell()
    said, wire.said = len(wire.said), b""
    return said


def memory() -> float:
    """What this process holds now, in megabytes."""
    gc.collect()
    status = Path("/proc/self/status").read_text()
    return next(int(line.split()[1]) / 1000 for line in status.splitlines() if line.startswith("VmRSS"))
