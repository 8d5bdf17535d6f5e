"""200 phones listen while the table takes a command every 100 ms: how soon each one has the new state.

Run as `python -m tests.bench.phones`. Prints one table: the companion's own server beside a bare threaded server that
holds a thread for each phone, in the same run; then requests a second for the state beside a bare Flask hello.
Each server is a process of its own; times are from the moment when a command is on disk to the phone's socket.
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import json
import multiprocessing
import queue
import selectors
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from multiprocessing.connection import Connection as Pipe
from pathlib import Path

from flask import Flask, Response
from werkzeug.serving import ThreadedWSGIServer, WSGIRequestHandler

from companion.journal import Journal
from companion.play import Moment
from companion.table import Table
from tests.companion.games.players import random_game
from web import create_app
from web.seats import Seats
from web.server import serve

CODE = "BENCHED"
MEGABYTE = 1024 * 1024
KINDS = ("companion", "bare threads")


def bare_app(table: Table) -> Flask:
    """The least that does it: a thread and a queue for each phone."""
    app = Flask("bare")
    phones: list[queue.SimpleQueue[bytes]] = []

    def told(moment: Moment) -> None:
        event = b"id: %d\ndata: %b\n\n" % (moment.version, json.dumps(moment.show()).encode())
        for phone in list(phones):
            phone.put(event)

    table.listen(told)

    @app.get("/api/table/events")
    def events() -> Response:
        news: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        news.put(b"id: %d\ndata: {}\n\n" % table.now.version)
        phones.append(news)
        return Response(iter(news.get, b""), content_type="text/event-stream")

    return app


class Quiet(WSGIRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        pass


def run_server(kind: str, folder: str, pipe: Pipe) -> None:
    """A server in its own process. It carries out lines from the pipe, and says when each one was on disk."""
    table = Table(Journal(Path(folder) / "journal.sqlite", now=time.time))
    accepted: dict[int, float] = {}
    table.listen(lambda moment: accepted.update({moment.version: time.monotonic()}))
    hello = Flask("hello")
    hello.add_url_rule("/", view_func=lambda: "hello")
    if kind.startswith("bare"):
        bare = ThreadedWSGIServer("127.0.0.1", 0, hello if kind == "bare hello" else bare_app(table), handler=Quiet)
        bare.daemon_threads = True
        threading.Thread(target=bare.serve_forever, daemon=True).start()
        port = bare.port
    else:
        app = create_app(table, Seats(Path(folder) / "seats.json", CODE)) if kind == "companion" else hello
        server = serve(app, "127.0.0.1", 0)
        server.start()
        port = server.port
    pipe.send(port)
    while (line := pipe.recv()) is not None:
        table.submit(line)
    pipe.send((accepted, peak_memory(), threading.active_count()))


def peak_memory() -> int:
    """The most memory that this process has had, in bytes."""
    status = Path("/proc/self/status").read_text()
    return next(int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmHWM"))


@contextlib.contextmanager
def started(kind: str) -> Iterator[tuple[int, Pipe]]:
    """A server process of its own, with its port and the pipe to it."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    with tempfile.TemporaryDirectory() as folder:
        process = context.Process(target=run_server, args=(kind, folder, theirs), daemon=True)
        process.start()
        try:
            yield ours.recv(), ours
        finally:
            process.kill()
            process.join()


class Phones:
    """Listening phones, all in one thread, which note when each version reached them."""

    def __init__(self, port: int, count: int) -> None:
        self.arrivals: list[dict[int, float]] = [{} for _ in range(count)]
        self._selector = selectors.DefaultSelector()
        self._rest = [b""] * count
        for number in range(count):
            phone = socket.create_connection(("127.0.0.1", port))
            phone.sendall(b"GET /api/table/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
            phone.setblocking(False)
            self._selector.register(phone, selectors.EVENT_READ, number)

    def close(self) -> None:
        for key in list(self._selector.get_map().values()):
            key.fileobj.close()  # type: ignore[union-attr]  # only sockets are registered
        self._selector.close()

    def wait_for(self, version: int, seconds: float) -> None:
        """Read until every phone has this version, or the time is over."""
        end = time.monotonic() + seconds
        missing = {number for number, had in enumerate(self.arrivals) if version not in had}
        while missing and time.monotonic() < end:
            for key, _ in self._selector.select(timeout=0.05):
                number = key.data
                data = key.fileobj.recv(262144)  # type: ignore[union-attr]  # only sockets are registered
                now = time.monotonic()
                lines = (self._rest[number] + data).split(b"\n")
                self._rest[number] = lines.pop()[-100:]
                for line in lines:
                    if line.startswith(b"id: "):
                        self.arrivals[number].setdefault(int(line[4:]), now)
                if version in self.arrivals[number]:
                    missing.discard(number)


def listen_and_play(kind: str, phones: int, seconds: float, pause: float) -> dict[str, float]:
    """Play whole games while phones listen; what each of them had to wait, in milliseconds."""
    with started(kind) as (port, pipe):
        listening = Phones(port, phones)
        listening.wait_for(0, 20)
        lines = list(games(int(seconds / pause)))

        def play() -> None:
            began = time.monotonic()
            for number, line in enumerate(lines):
                time.sleep(max(0.0, began + number * pause - time.monotonic()))
                pipe.send(line)

        player = threading.Thread(target=play)
        player.start()
        listening.wait_for(len(lines), seconds + 10)
        player.join()
        pipe.send(None)
        accepted, memory, threads = pipe.recv()
    waits = sorted(
        1000 * (at - accepted[version])
        for had in listening.arrivals
        for version, at in had.items()
        if version in accepted
    )
    return {
        "p50": waits[len(waits) // 2],
        "p95": waits[len(waits) * 95 // 100],
        "p99": waits[len(waits) * 99 // 100],
        "max": waits[-1],
        "missed the end": sum(len(lines) not in had for had in listening.arrivals),
        "memory MB": memory / MEGABYTE,
        "threads": threads,
    }


def games(count: int) -> Iterator[bytes]:
    """So many commands of whole games of four, one after the other."""
    seed = 0
    while count > 0:
        for line in random_game(seed, players=4)[:count]:
            yield line.replace(b'{"do":"new_game"', b'{"replace":true,"do":"new_game"')
            count -= 1
        seed += 1


def requests_a_second(port: int, path: str, seconds: float, callers: int) -> float:
    """GET requests over kept connections, from so many callers at once."""
    counts = [0] * callers
    end = time.monotonic() + seconds

    def call(number: int) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        while time.monotonic() < end:
            connection.request("GET", path)
            answer = connection.getresponse()
            answer.read()
            assert answer.status == http.client.OK, answer.status
            counts[number] += 1
        connection.close()

    threads = [threading.Thread(target=call, args=(number,)) for number in range(callers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(counts) / seconds


def compare_requests(seconds: float) -> dict[str, float]:
    """The state and a bare hello on the same kind of server, and a bare hello on bare threads: in turns, so that all
    meet the same machine."""
    turns = 5
    counts = {"state": 0.0, "hello": 0.0, "hello on bare threads": 0.0}
    with started("companion") as (table, pipe), started("hello") as (hello, _), started("bare hello") as (bare, _):
        for line in games(120):
            pipe.send(line)
        for _ in range(turns):
            for name, port, path in zip(counts, (table, hello, bare), ("/api/table", "/", "/"), strict=True):
                counts[name] += requests_a_second(port, path, seconds / turns, 2) / turns
    return counts


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    options.add_argument("--phones", type=int, default=200)
    options.add_argument("--seconds", type=float, default=30)
    options.add_argument("--every", type=float, default=0.1, help="seconds between two commands")
    given = options.parse_args()
    print(f"{given.phones} phones listen, a command every {1000 * given.every:.0f} ms for {given.seconds:.0f} s")
    rows = {kind: listen_and_play(kind, given.phones, given.seconds, given.every) for kind in KINDS}
    print(f"{'':16}" + "".join(f"{kind:>16}" for kind in KINDS))
    for name in rows[KINDS[0]]:
        unit = " ms" if name in ("p50", "p95", "p99", "max") else ""
        print(f"{name + unit:16}" + "".join(f"{rows[kind][name]:16.1f}" for kind in KINDS))
    counts = compare_requests(5)
    ratio = counts["state"] / counts["hello"]
    print("requests a second: " + ", ".join(f"{name} {count:.0f}" for name, count in counts.items()))
    print(f"state to hello: {ratio:.2f}")
    ours = rows["companion"]
    aims = {
        "p95 under 50 ms": ours["p95"] < 50,
        "no phone misses the final state": ours["missed the end"] == 0,
        "under 150 MB": ours["memory MB"] < 150,
        "state at least half as quick as hello": ratio >= 0.5,
    }
    for aim, reached in aims.items():
        print(f"{'reached' if reached else 'MISSED'}: {aim}")
    sys.exit(0 if all(aims.values()) else 1)


if __name__ == "__main__":
    main()
