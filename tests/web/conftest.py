"""A whole page over a real table in a folder of its own, and phones that call it over real sockets."""

from __future__ import annotations

import contextlib
import http.client
import itertools
import json
import os
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar
from wsgiref.types import WSGIApplication

import pytest
from flask import Flask

from companion.journal import Journal
from companion.owner import OwnerFiles
from companion.table import Table
from web import create_app
from web.connection import Patience
from web.seats import Seats
from web.server import Server, serve

CODE = "TESTED"
NEW_GAME = {"do": "new_game", "game": "pergamon", "players": ["Ada", "Ben"]}
FINDS = ["V50J3", "J12M4", "M30B2", "B45V1", "V21B5"]


class Clock:
    """Time that passes when a test says so."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class Answer:
    """What a call came back with."""

    def __init__(self, status: int, headers: http.client.HTTPMessage, body: bytes) -> None:
        self.status, self.headers, self.body = status, headers, body

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def code(self) -> str:
        return str(self.json["error"]["code"])


class Phone:
    """A browser's worth of HTTP: keeps its cookies, says where it is."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.cookies: dict[str, str] = {}

    def call(
        self,
        method: str,
        path: str,
        body: Any = None,
        headers: dict[str, str] | None = None,
        raw: bytes | Iterator[bytes] | None = None,
    ) -> Answer:
        """One request; a body in pieces is sent without saying how large it is."""
        sent = {"Host": f"127.0.0.1:{self.port}"}
        if body is not None:
            raw = json.dumps(body).encode()
        if raw is not None:
            sent["Content-Type"] = "application/json"
        if self.cookies:
            sent["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # refused before all of it was sent
                connection.request(method, path, raw, {**sent, **(headers or {})})
            response = connection.getresponse()
            answer = Answer(response.status, response.headers, response.read())
        finally:
            connection.close()
        for cookie in answer.headers.get_all("Set-Cookie") or []:
            name, _, rest = cookie.partition("=")
            value = rest.partition(";")[0]
            self.cookies[name] = value
            if not value:
                del self.cookies[name]
        return answer

    def get(self, path: str, headers: dict[str, str] | None = None) -> Answer:
        return self.call("GET", path, headers=headers)

    def post(self, path: str, body: Any, headers: dict[str, str] | None = None) -> Answer:
        return self.call("POST", path, body, headers)

    def do(self, **command: Any) -> Answer:
        return self.post("/api/table/commands", command)

    def sit(self, player: str | None = None, code: str = CODE) -> Answer:
        return self.post("/api/seats", {"code": code, "player": player} if player else {"code": code})

    def listen(self, headers: str = "") -> Listening:
        return Listening(self, headers)


class Event:
    """One server-sent event."""

    def __init__(self, lines: list[str]) -> None:
        fields = dict(line.split(": ", 1) for line in lines)
        self.name = fields.get("event", "message")
        self.id = fields.get("id")
        self.data: Any = json.loads(fields["data"]) if "data" in fields else None


class Listening:
    """A phone that listens for events on a socket of its own, until the test is over."""

    ears: ClassVar[list[Listening]] = []

    def __init__(self, phone: Phone, headers: str) -> None:
        self.ears.append(self)
        self.socket = socket.create_connection(("127.0.0.1", phone.port), timeout=60)
        cookie = "; ".join(f"{name}={value}" for name, value in phone.cookies.items())
        self.socket.sendall(
            f"GET /api/table/events HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: {cookie}\r\n{headers}\r\n".encode()
        )
        self.file = self.socket.makefile("rb")
        self.head = b"".join(iter(lambda: self.file.readline().rstrip(b"\r\n") + b"\n", b"\n")).decode()

    def event(self, name: str | None = None) -> Event:
        """The next event, of this name if one is given; EOFError when the server has closed."""
        while True:
            lines = []
            while (line := self.file.readline()) not in (b"\n", b""):
                lines.append(line.decode().rstrip("\n"))
            if not line:
                raise EOFError
            lines = [line for line in lines if not line.startswith((":", "retry"))]
            if lines:
                event = Event(lines)
                if name in (None, event.name):
                    return event

    def close(self) -> None:
        self.file.close()
        self.socket.close()


@contextmanager
def patient(app: WSGIApplication, patience: Patience) -> Iterator[Server]:
    """The page on a server with its own idea of how long to wait."""
    server = serve(app, "127.0.0.1", 0, patience)
    server.start()
    try:
        yield server
    finally:
        server.stop()


def wait_until(holds: Callable[[], bool]) -> None:
    """Give the server's thread its turn until something holds; fail if it never does."""
    end = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < end, "this never came about"
        os.sched_yield()


@pytest.fixture(autouse=True)
def close_ears() -> Iterator[None]:
    yield
    while Listening.ears:
        Listening.ears.pop().close()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    ticks = itertools.count(1_700_000_000)
    journal = Journal(tmp_path / "journal.sqlite", now=lambda: float(next(ticks)))
    yield journal
    journal.close()


@pytest.fixture
def table(journal: Journal) -> Table:
    return Table(journal)


@pytest.fixture
def seats(tmp_path: Path, clock: Clock) -> Seats:
    return Seats(tmp_path / "seats.json", CODE, clock)


@pytest.fixture
def app(table: Table, seats: Seats, tmp_path: Path) -> Flask:
    return create_app(table, seats, owner=OwnerFiles(tmp_path))


@pytest.fixture
def server(app: Flask) -> Iterator[Server]:
    server = serve(app, "127.0.0.1", 0)
    server.start()
    yield server
    server.stop()


NewPhone = Callable[[], Phone]


@pytest.fixture
def new_phone(server: Server) -> NewPhone:
    """Phones that nobody has used yet."""
    return lambda: Phone(server.port)


@pytest.fixture
def phone(new_phone: NewPhone) -> Phone:
    return new_phone()


@pytest.fixture
def tablet(new_phone: NewPhone) -> Phone:
    """The table's own device, with a game of Ada and Ben begun."""
    tablet = new_phone()
    assert tablet.sit().status == 200
    assert tablet.do(**NEW_GAME).status == 200
    return tablet
