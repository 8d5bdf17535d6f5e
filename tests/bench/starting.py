"""How quickly the table is there, and what it takes while it waits.

    python -m tests.bench.starting [--starts 9] [--seconds 20]

Prints the time from process start to the first answered request beside `import flask, numpy` in the same run, the
memory before the first scan, the processor time while idle and while the simulated camera is watched, and the time from
SIGTERM to the end in the middle of a scan.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

JOIN_CODE = "BENCH42"
MOST_TIMES = 2.5
MOST_MEMORY = 120.0
MOST_IDLE = 1.0
MOST_WATCHING = 15.0
MOST_STOPPING = 2.0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--starts", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=20.0)
    given = parser.parse_args()
    ours, theirs = [], []
    for _ in range(given.starts):
        theirs.append(seconds_of([sys.executable, "-c", "import flask, numpy"]))
        ours.append(first_answer())
    times = statistics.median(ours) / statistics.median(theirs)
    print(f"import flask, numpy       {1000 * statistics.median(theirs):6.0f} ms (median of {given.starts})")
    print(
        f"start to first answer     {1000 * statistics.median(ours):6.0f} ms, {times:.2f} times (at most {MOST_TIMES})"
    )
    with table("--camera", "none") as (process, port):
        idle = busy(process.pid, given.seconds)
        memory = megabytes(process.pid)
        assert get(port, "/healthz") == 200
    print(f"memory before a scan      {memory:6.1f} MB (under {MOST_MEMORY:.0f})")
    print(f"idle                      {idle:6.2f} % of a core (under {MOST_IDLE:.0f})")
    with table("--camera", "sim") as (process, port):
        cookie = begin_game_and_put_its_first_scan_aside(port)
        watching = busy(process.pid, given.seconds)
        reading = megabytes(process.pid)
        stopping = seconds_to_stop_in_a_scan(process, port, cookie)
    print(
        f"watching the simulation   {watching:6.2f} % of a core (at most {MOST_WATCHING:.0f}), {reading:.0f} MB by then"
    )
    print(f"stop in a scan            {stopping:6.2f} s (at most {MOST_STOPPING:.0f})")
    fine = times <= MOST_TIMES and memory < MOST_MEMORY and idle < MOST_IDLE and watching <= MOST_WATCHING
    return 0 if fine and stopping <= MOST_STOPPING else 1


def seconds_of(command: list[str]) -> float:
    begun = time.perf_counter()
    subprocess.run(command, check=True)
    return time.perf_counter() - begun


def first_answer() -> float:
    """From the start of the process to the first request that it answers."""
    port = free_port()
    with tempfile.TemporaryDirectory() as data:
        begun = time.perf_counter()
        process = start(data, port, "--camera", "none")
        try:
            while True:
                try:
                    assert get(port, "/healthz") == 200
                    return time.perf_counter() - begun
                except OSError:
                    assert process.poll() is None
                    time.sleep(0.002)
        finally:
            process.terminate()
            process.wait(10)


@contextmanager
def table(*options: str) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A table that answers."""
    port = free_port()
    with tempfile.TemporaryDirectory() as data:
        process = start(data, port, *options)
        try:
            assert process.stdout is not None
            assert process.stdout.readline().startswith("ready: ")
            yield process, port
        finally:
            process.terminate()
            process.wait(10)


def start(data: str, port: int, *options: str) -> subprocess.Popen[str]:
    companion = Path(sys.executable).with_name("companion")
    fixed = ["--host", "127.0.0.1", "--port", str(port), "--data", data, "--panel", "none", "--join-code", JOIN_CODE]
    return subprocess.Popen(
        [str(companion), "run", *fixed, *options], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


def get(port: int, path: str) -> int:
    caller = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        caller.request("GET", path)
        return caller.getresponse().status
    finally:
        caller.close()


def begin_game_and_put_its_first_scan_aside(port: int) -> str:
    """Then the camera is watched on and on: the pieces lie still, and nobody moves them. The cookie of the seat."""
    seat = call(port, "POST", "/api/seats", {"code": JOIN_CODE})
    cookie = seat.headers["Set-Cookie"].split(";")[0]
    game = {"do": "new_game", "game": "pergamon", "players": ["Ada", "Ben"]}
    assert call(port, "POST", "/api/table/commands", game, cookie).status == 200
    while json.loads(call(port, "GET", "/api/scans/current").read())["scan"] is None:
        time.sleep(0.5)
    assert call(port, "DELETE", "/api/scans/current", None, cookie).status == 200
    time.sleep(2)
    return cookie


def seconds_to_stop_in_a_scan(process: subprocess.Popen[str], port: int, cookie: str) -> float:
    """From SIGTERM to the end, while a photograph that was asked for is taken and read."""
    caller = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    sent = {"Content-Type": "application/json", "Cookie": cookie}
    caller.request("POST", "/api/scans", json.dumps({"source": "camera", "expect": "finds"}), sent)
    time.sleep(0.1)
    begun = time.perf_counter()
    process.terminate()
    process.wait(60)
    caller.close()
    return time.perf_counter() - begun


def call(port: int, method: str, path: str, body: object = None, cookie: str = "") -> http.client.HTTPResponse:
    caller = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    sent = {"Content-Type": "application/json", "Cookie": cookie}
    caller.request(method, path, None if body is None else json.dumps(body), sent)
    return caller.getresponse()


def busy(process: int, seconds: float) -> float:
    """Per cent of one core that a process takes."""
    before, begun = ticks(process), time.perf_counter()
    time.sleep(seconds)
    return 100 * (ticks(process) - before) / os.sysconf("SC_CLK_TCK") / (time.perf_counter() - begun)


def ticks(process: int) -> int:
    fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return int(fields[11]) + int(fields[12])


def megabytes(process: int) -> float:
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:")) / 1024


if __name__ == "__main__":
    sys.exit(main())
