"""200 phones listen and 20 act at once while the record grows, and slow phones try to be a burden.

Run as `python -m tests.faults.load` (10 minutes) or with `--seconds 10`. The 20 all send the next command at the same
time: of each version exactly one must be carried out. Ten phones read one byte a second, ten never read, ten send one
byte a second. Prints versions, refusals, waits, memory, threads and open files; exit code 1 if an update is lost, if
memory passes its bound, or if a thread or a file is left over.
"""

from __future__ import annotations

import argparse
import http.client
import socket
import statistics
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

import msgspec

from companion.play import Moment, follow
from tests.bench.phones import Phones
from tests.faults.real_station import Game, Phone, Station, played

MOST_MEGABYTES = 150
"""What the table may take, however long it runs and whoever calls."""
MOST_GROWTH = 15
"""Megabytes between a tenth of the time and the end."""
LISTEN = b"GET /api/table/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


class Crowd:
    """Phones that all want to do the next thing at once, and what they were answered."""

    def __init__(self, port: int, acting: int, pause: float) -> None:
        self.game = Game(1)
        self.moment = Moment()
        self.answered: Counter[int] = Counter()
        self.statuses: Counter[int] = Counter()
        self.waits: list[float] = []
        self._pause = pause
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._next: dict[int, bytes] = {}
        self._threads = [threading.Thread(target=self._act, args=(port,)) for _ in range(acting)]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join()

    def _act(self, port: int) -> None:
        phone = Phone(port)
        assert phone.sit() == http.client.OK
        while not self._over.wait(self._pause):
            with self._lock:
                moment = self.moment
                if moment.version not in self._next:
                    command = {**self.game.next_command(moment), "on": moment.version}
                    self._next = {moment.version: msgspec.json.encode(command)}
                line = self._next[moment.version]
            asked = time.monotonic()
            status, text = phone.call("POST", "/api/table/commands", line)
            waited = time.monotonic() - asked
            with self._lock:
                self.waits.append(waited)
                self.statuses[status] += 1
                if status == http.client.OK:
                    self.answered[msgspec.json.decode(text)["version"]] += 1
                    self.moment = follow(self.moment, line)
        phone.hang_up()


class Burdens:
    """Phones that read or send one byte a second, or never read at all."""

    def __init__(self, port: int, each: int) -> None:
        self._over = threading.Event()
        self.readers = [self._connect(port, LISTEN) for _ in range(each)]
        self.never = [self._connect(port, LISTEN) for _ in range(each)]
        self.senders = [self._connect(port, b"GET / HT") for _ in range(each)]
        self._thread = threading.Thread(target=self._drip)
        self._thread.start()

    def _connect(self, port: int, first: bytes) -> socket.socket:
        phone = socket.socket()
        phone.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        phone.connect(("127.0.0.1", port))
        phone.sendall(first)
        phone.setblocking(False)
        return phone

    def _drip(self) -> None:
        while not self._over.wait(1.0):
            for phone in self.readers:
                with suppress(OSError):
                    phone.recv(1)
            for phone in self.senders:
                with suppress(OSError):
                    phone.send(b"T")

    def stop(self) -> None:
        self._over.set()
        self._thread.join()
        for phone in [*self.readers, *self.never, *self.senders]:
            phone.close()


def open_files(station: Station) -> int:
    return len(list(Path(f"/proc/{station.process.pid}/fd").iterdir()))


def press(data: Path, seconds: float, listening: int, acting: int, burdens: int, pause: float) -> dict[str, float]:
    """The figures of so many seconds."""
    station = Station(data)
    look = station.phone()
    assert look.sit() == http.client.OK
    for path in ("/", "/api/games", "/api/statistics"):
        look.call("GET", path)
    threads, files = station.status("Threads"), open_files(station)
    slow = Burdens(station.port, burdens)
    phones = Phones(station.port, listening)
    crowd = Crowd(station.port, acting, pause)
    crowd.start()
    began = time.monotonic()
    memory: list[tuple[float, float]] = []
    pages: list[float] = []
    while (now := time.monotonic() - began) < seconds:
        phones.wait_for(1 << 60, min(1.0, seconds))
        memory.append((now, station.status("VmRSS") / 1000))
        asked = time.monotonic()
        look.get("/api/table")
        pages.append(time.monotonic() - asked)
    crowd.stop()
    last = crowd.moment.version
    phones.wait_for(last, 20)
    missed = sum(last not in had for had in phones.arrivals)
    peak = station.status("VmHWM") / 1000
    early = next(size for at, size in memory if at >= seconds / 10 or at == memory[-1][0])
    shown = look.get("/api/table")
    kept = played(look.record(look.game_under_way()))
    lost = sum(crowd.answered[version] != 1 for version in range(1, last + 1))
    lost += shown["version"] != last or kept.state != crowd.moment.state
    phones.close()
    slow.stop()
    left_threads, left_files = _settled(station, threads, files)
    figures = {
        "seconds": seconds,
        "versions": last,
        "commands sent": sum(crowd.statuses.values()),
        "of them too late (409)": crowd.statuses[http.client.CONFLICT],
        "answered otherwise": sum(crowd.statuses.values())
        - crowd.statuses[http.client.OK]
        - crowd.statuses[http.client.CONFLICT],
        "updates lost or double": lost,
        "phones without the last state": missed,
        "command, median, ms": 1000 * statistics.median(crowd.waits),
        "command, longest, ms": 1000 * max(crowd.waits),
        "state, longest, ms": 1000 * max(pages),
        "memory at a tenth, MB": early,
        "memory at the end, MB": memory[-1][1],
        "memory at most, MB": peak,
        "threads left over": left_threads,
        "files left over": left_files,
    }
    station.stop()
    return figures


def _settled(station: Station, threads: int, files: int) -> tuple[int, int]:
    """Threads and files that are still there some time after everybody has gone."""
    end = time.monotonic() + 40
    while time.monotonic() < end:
        left = station.status("Threads") - threads, open_files(station) - files
        if max(left) <= 0:
            break
        time.sleep(0.2)
    return max(0, left[0]), max(0, left[1])


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    options.add_argument("--seconds", type=float, default=600)
    options.add_argument("--listening", type=int, default=200)
    options.add_argument("--acting", type=int, default=20)
    options.add_argument("--pause", type=float, default=0.1, help="seconds between two taps of a phone")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as name:
        figures = press(Path(name), given.seconds, given.listening, given.acting, 10, given.pause)
    for title, value in figures.items():
        print(f"{title:32}{value:10.1f}" if isinstance(value, float) else f"{title:32}{value:10}")
    growth = figures["memory at the end, MB"] - figures["memory at a tenth, MB"]
    aims = {
        "no update lost": not figures["updates lost or double"] and not figures["answered otherwise"],
        "every listening phone has the last state": not figures["phones without the last state"],
        f"under {MOST_MEGABYTES} MB, and grown by less than {MOST_GROWTH} MB": (
            figures["memory at most, MB"] < MOST_MEGABYTES and growth < MOST_GROWTH
        ),
        "no thread and no file left over": not figures["threads left over"] and not figures["files left over"],
    }
    for aim, reached in aims.items():
        print(f"{'reached' if reached else 'MISSED'}: {aim}")
    sys.exit(0 if all(aims.values()) else 1)


if __name__ == "__main__":
    main()
