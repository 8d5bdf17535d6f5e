"""A disk that is full, read-only or slow under a real table, and what a whole game writes to it.

Run as `python -m tests.faults.disk`. Each fault is put under a running table: new commands are refused with a reason,
everything else is still served, and the table goes on by itself when the fault is over. Full: a limit on the size of
files, and, as root, a small file system filled to its last byte. Read-only: as root, an ext4 file system that the
system has switched to read-only after an error. Slow: another process keeps the record locked. At last a whole game
with 60 scans is played, and the bytes that reach the disk are counted. Exit code 1 if any of it does not hold.
"""

from __future__ import annotations

import argparse
import http.client
import os
import resource
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import msgspec

from companion.play import Moment, follow
from tests.faults.real_station import ALONE, Game, Phone, Station, played, running

MEGABYTE = 1_000_000
MOST_WRITTEN = 5 * MEGABYTE
SCANS = 60
PAGES = ("/", "/healthz", "/api/table", "/api/seats", "/api/games", "/api/description")


class Player:
    """The table's own device, which plays a random game and knows what must be on the table."""

    def __init__(self, station: Station, seed: int) -> None:
        self.station = station
        self.phone = station.phone()
        assert self.phone.sit() == http.client.OK
        self.game = Game(seed)
        self.moment = Moment()

    def play(self, commands: int) -> None:
        for _ in range(commands):
            status, answer = self.try_one()
            assert status == http.client.OK, answer

    def try_one(self) -> tuple[int, dict[str, dict[str, str]]]:
        line = msgspec.json.encode(self.game.next_command(self.moment))
        status, text = self.phone.call("POST", "/api/table/commands", line)
        if status == http.client.OK:
            self.moment = follow(self.moment, line)
        return status, msgspec.json.decode(text)

    def faults_of_the_record(self) -> list[str]:
        """What of the game is not in the record as it was answered."""
        shown = self.phone.get("/api/table")
        kept = played(self.phone.record(self.phone.game_under_way()))
        wrong = [] if shown["version"] == self.moment.version else [f"version {shown['version']}"]
        if "Traceback" in self.station.said():
            wrong.append(f"it stumbles: {self.station.said()[-800:]}")
        return wrong if kept.state == self.moment.state else [*wrong, "the record is not what was answered"]


def refused_while(player: Player, fault: Callable[[], None], mend: Callable[[], None]) -> list[str]:
    """Put a fault under a table for a while; what it does wrong."""
    wrong = []
    player.play(8)
    fault()
    status, answer = player.try_one()
    refusals = 0
    while status == http.client.OK and refusals < 400:  # what fits into pages that are already there is still taken
        status, answer = player.try_one()
        refusals += 1
    if status != http.client.SERVICE_UNAVAILABLE or answer["error"]["code"] != "cannot_record":
        wrong.append(f"a command is answered {status} {answer}")
    elif not answer["error"]["message"].endswith("."):
        wrong.append(f"the reason is no sentence: {answer}")
    for path in PAGES:
        served, _ = player.phone.call("GET", path)
        if served != http.client.OK:
            wrong.append(f"{path} is answered {served}")
    wrong += player.faults_of_the_record()
    mend()
    status, answer = player.try_one()
    if status != http.client.OK:
        wrong.append(f"it does not go on by itself: {answer}")
        return wrong
    player.play(8)
    return wrong + player.faults_of_the_record()


def limited(data: Path) -> list[str]:
    """No file may grow any more."""
    with running(data) as station:
        player = Player(station, 1)
        pid = station.process.pid

        def fault() -> None:
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (100, resource.RLIM_INFINITY))

        def mend() -> None:
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))

        return refused_while(player, fault, mend)


@contextmanager
def mounted(kind: str, megabytes: int) -> Iterator[Path]:
    """A small file system of its own; only root may."""
    with tempfile.TemporaryDirectory() as name:
        at = Path(name) / "disk"
        at.mkdir()
        if kind == "tmpfs":
            command = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "none", str(at)]
        else:
            image = Path(name) / "image"
            image.write_bytes(bytes(megabytes << 20))
            subprocess.run(["mkfs.ext4", "-q", "-F", str(image)], check=True, capture_output=True)
            command = ["mount", "-o", "loop,errors=remount-ro", str(image), str(at)]
        subprocess.run(command, check=True, capture_output=True)
        try:
            yield at
        finally:
            subprocess.run(["umount", "-l", str(at)], check=True)


def full() -> list[str]:
    """Not a byte is left on the disk."""
    with mounted("tmpfs", 3) as disk, running(disk / "data") as station:
        player = Player(station, 2)
        ballast = disk / "ballast"

        def fault() -> None:
            with suppress(OSError), ballast.open("wb", buffering=0) as file:
                while True:
                    file.write(bytes(4096))

        return refused_while(player, fault, ballast.unlink)


def read_only() -> list[str]:
    """The system has made the file system read-only after an error; it is back after it was mounted anew."""
    with mounted("ext4", 24) as disk, running(disk / "data") as station:
        player = Player(station, 3)
        player.play(8)
        subprocess.run(["mount", "-o", "remount,abort", str(disk)], check=True, capture_output=True)
        status, answer = player.try_one()
        wrong = []
        if status != http.client.SERVICE_UNAVAILABLE or answer["error"]["code"] != "cannot_record":
            wrong.append(f"a command is answered {status} {answer}")
        for path in PAGES:
            served, _ = player.phone.call("GET", path)
            if served != http.client.OK:
                wrong.append(f"{path} is answered {served}")
        return wrong + player.faults_of_the_record()


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Another process writes, and does not come to an end."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("BEGIN IMMEDIATE")
        yield
        db.execute("ROLLBACK")


def slow(data: Path, hold: float, phones: int = 12) -> tuple[list[str], float]:
    """The record takes seconds to answer while many phones act: what is wrong, and the longest wait for a page."""
    with running(data) as station:
        player = Player(station, 4)
        player.play(8)
        command = msgspec.json.encode(player.game.next_command(player.moment))
        statuses: list[int] = []

        def tap() -> None:
            phone = Phone(station.port)
            phone.cookies = dict(player.phone.cookies)
            statuses.append(phone.call("POST", "/api/table/commands", command)[0])
            phone.hang_up()

        waits = []
        with locked(data / "journal.sqlite"):
            tapping = [threading.Thread(target=tap) for _ in range(phones)]
            for thread in tapping:
                thread.start()
            end = time.monotonic() + hold
            while time.monotonic() < end:
                asked = time.monotonic()
                player.phone.get("/api/table")
                waits.append(time.monotonic() - asked)
                time.sleep(0.05)
        for thread in tapping:
            thread.join()
        wrong = [] if statuses.count(http.client.OK) <= 1 else [f"one command was carried out {statuses}"]
        known = (http.client.OK, http.client.CONFLICT, http.client.SERVICE_UNAVAILABLE)
        wrong += [f"a command is answered {status}" for status in statuses if status not in known]
        if max(waits) > 1:
            wrong.append(f"the state was {max(waits):.1f} s away while the disk was slow")
        player.moment = played(player.phone.record(player.phone.game_under_way()))
        player.play(4)
        return wrong + player.faults_of_the_record(), max(waits)


def scan(phone: Phone) -> bool:
    """Photograph the table; false if it was busy with what it watches."""
    status, text = phone.call("POST", "/api/scans", b'{"source":"camera"}')
    assert status in (http.client.OK, http.client.SERVICE_UNAVAILABLE), text
    return status == http.client.OK


def bytes_of_a_game(data: Path, scans: int) -> tuple[int, int, int]:
    """Bytes written by a whole game of four, from the start of the table on, its commands, and its scans."""
    options = (*ALONE, "--camera", "sim") if scans else ALONE
    with running(data, options) as station:
        player = Player(station, 5)
        player.play(1)
        while scans and not player.phone.get("/api/scans/current")["camera"]:
            time.sleep(0.1)
        done = 0
        while player.moment.under_way:
            player.play(1)
            if done < scans and player.moment.version % 3 == 0:
                done += scan(player.phone)
        while done < scans:
            done += scan(player.phone)
        os.sync()
        return station.bytes_written(), player.moment.version, done


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    options.add_argument("--scans", type=int, default=SCANS)
    given = options.parse_args()
    wrong: dict[str, list[str]] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        wrong["full (files may not grow)"] = limited(folder / "limited")
        if os.geteuid() == 0:
            wrong["full (no byte left)"] = full()
            wrong["read-only"] = read_only()
        wrong["slow (3 s)"], short = slow(folder / "slow", 3)
        wrong["slow (8 s, longer than it waits)"], long = slow(folder / "slower", 8)
        written, commands, scans = bytes_of_a_game(folder / "game", given.scans)
    for fault, found in wrong.items():
        print(f"{'reached' if not found else 'MISSED'}: {fault}: refused, served, goes on", *found, sep="\n  ")
    print(f"longest wait for the state while the disk was slow: {1000 * max(short, long):.0f} ms")
    print(f"a whole game: {commands} commands, {scans} scans, {written / MEGABYTE:.2f} MB written")
    print(f"{'reached' if written < MOST_WRITTEN else 'MISSED'}: under {MOST_WRITTEN / MEGABYTE:.0f} MB")
    sys.exit(1 if any(wrong.values()) or written >= MOST_WRITTEN else 0)


if __name__ == "__main__":
    main()
