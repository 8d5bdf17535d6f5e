"""What is answered with 200 has reached the disk: every system call of a real table is watched.

Run as `python -m tests.faults.synced`; needs strace. SIGKILL leaves the system's own memory alive, a power cut does
not: so between the last write to a file of the record and the answer there must be a sync of that file, and of its
folder if the file is new there. Prints how many answers were watched; exit code 1 if one left too early.
"""

from __future__ import annotations

import http.client
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.faults.disk import Player
from tests.faults.real_station import Phone, running

CALLS = "pwrite64,write,ftruncate,fsync,fdatasync,sendto,rename,renameat,renameat2,openat,unlink"
WRITES = re.compile(r"(?:pwrite64|write|ftruncate)\(\d+<([^>]+)>")
SYNCS = re.compile(r"(?:fsync|fdatasync)\(\d+<([^>]+)>")
RENAMES = re.compile(r'rename(?:at2?)?\(.*?"([^"]+)".*?"([^"]+)"')
ANSWERS = re.compile(r'sendto\(\d+<[^>]*>, "HTTP/1\.1 200 .*(?:\\"version\\":|\\"seat\\":)')
BEGUN = re.compile(r"^(\d+) +(\w+)\((.*) <unfinished \.\.\.>$")
NOT_THE_RECORD = ("-shm", ".log", ".lock")


def watch(data: Path, commands: int) -> list[str]:
    """Every system call of a table that takes so many commands and seats, in order."""
    trace = data.parent / "trace"
    with running(data) as station:
        tracer = subprocess.Popen(
            [
                "strace",
                "-f",
                "-y",
                "-s",
                "2000",
                "-e",
                f"trace={CALLS}",
                "-o",
                str(trace),
                "-p",
                str(station.process.pid),
            ],
            stderr=subprocess.PIPE,
        )
        assert tracer.stderr is not None
        tracer.stderr.readline()
        player = Player(station, 1)
        for number in range(commands):
            player.play(1)
            if number % 10 == 0:
                phone = Phone(station.port)
                assert phone.sit() == http.client.OK
                phone.hang_up()
        time.sleep(0.5)
        tracer.terminate()
        tracer.communicate()
    return trace.read_text(errors="replace").splitlines()


def too_early(calls: list[str], data: Path) -> tuple[int, list[str]]:
    """How many answers there were, and those that left while something of the record was not on the disk."""
    unsynced: dict[str, str] = {}
    waiting: dict[str, str] = {}
    answers, early = 0, []
    for call in calls:
        if begun := BEGUN.match(call):
            waiting[begun[1]] = call
            if not SYNCS.search(call):  # a write counts from its beginning, a sync from its end
                _note(call, data, unsynced)
            if not ANSWERS.search(call):
                continue
        elif "resumed>" in call:
            call = waiting.pop(call.split()[0], "")
            if not SYNCS.search(call):
                continue
        if ANSWERS.search(call):
            answers += 1
            early += [f"{name} ({how}) before {call[:160]}" for name, how in unsynced.items()]
        else:
            _note(call, data, unsynced)
    return answers, early


def _note(call: str, data: Path, unsynced: dict[str, str]) -> None:
    """Keep account of what one call leaves unsynced."""
    if renamed := RENAMES.search(call):
        if str(data) in renamed[2]:
            unsynced[str(data)] = "renamed in it"
    elif written := WRITES.search(call):
        if written[1].startswith(str(data)) and not written[1].endswith(NOT_THE_RECORD):
            unsynced[written[1]] = "written"
    elif synced := SYNCS.search(call):
        unsynced.pop(synced[1], None)


def main() -> None:
    if shutil.which("strace") is None:
        sys.exit("strace is not there: install it, then run this again.")
    with tempfile.TemporaryDirectory() as name:
        data = Path(name).resolve() / "data"
        calls = watch(data, 150)
        answers, early = too_early(calls, data)
        _, control = too_early([call for call in calls if "sync(" not in call], data)
    print(f"{answers} answers watched, {len(early)} too early; with the syncs left out there would be {len(control)}")
    print(*early[:10], sep="\n", end="\n" if early else "")
    reached = not early and answers > 100 and len(control) >= answers
    print(f"{'reached' if reached else 'MISSED'}: everything answered with 200 was on the disk before")
    sys.exit(0 if reached else 1)


if __name__ == "__main__":
    main()
