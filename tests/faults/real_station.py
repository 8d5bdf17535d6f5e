"""A real `companion run` as a process of its own, and phones that call it: what every proof of trust stands on."""

from __future__ import annotations

import http.client
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import msgspec

from companion.play import Moment, follow
from tests.companion.games.players import RandomPlayer, new_game

CODE = "TRUSTED7"
ALONE = ("--host", "127.0.0.1", "--port", "0", "--camera", "none", "--panel", "none", "--join-code", CODE)


class NotReady(Exception):
    """The station ended before it was ready; the text is what it said."""


class Station:
    """One life of the table: from `companion run` until it is killed or told to stop."""

    def __init__(
        self, data: Path, options: tuple[str, ...] = ALONE, environment: dict[str, str] | None = None, wait: bool = True
    ) -> None:
        self._log: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - closed when the station is over
        self._said = ""
        self._began = time.monotonic()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "companion", "run", "--data", str(data), *options],
            stdout=subprocess.PIPE,
            stderr=self._log,
            env=os.environ | (environment or {}),
        )
        self.port = 0
        self._phones: list[Phone] = []
        self.seconds_to_ready = 0.0
        if wait:
            self.wait_until_ready()

    def wait_until_ready(self) -> None:
        assert self.process.stdout is not None
        line = self.process.stdout.readline().decode()
        self.seconds_to_ready = time.monotonic() - self._began
        if not line.startswith("ready: http://"):
            self._over()
            raise NotReady(self.said())
        self.port = int(line.strip().rpartition(":")[2])

    def phone(self) -> Phone:
        """A phone that hangs up when the table is gone."""
        self._phones.append(Phone(self.port))
        return self._phones[-1]

    def said(self) -> str:
        """Everything that it has written to its log so far."""
        if not self._log.closed:
            self._said = os.pread(self._log.fileno(), 1 << 24, 0).decode(errors="replace")
        return self._said

    def kill(self) -> None:
        """The plug is pulled."""
        self.process.kill()
        self._over()

    def stop(self) -> int:
        """Switched off as it should be; the exit code."""
        self.process.terminate()
        return self._over()

    def _over(self) -> int:
        if self._log.closed:
            return self.process.returncode
        self.process.communicate()
        for phone in self._phones:
            phone.hang_up()
        self.said()
        self._log.close()
        return self.process.returncode

    def status(self, field: str) -> int:
        """A number from /proc/<pid>/status, such as VmRSS (in kB) or Threads."""
        text = Path(f"/proc/{self.process.pid}/status").read_text()
        return next(int(line.split()[1]) for line in text.splitlines() if line.startswith(f"{field}:"))

    def processor_seconds(self) -> float:
        """The processor time that it has used so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def bytes_written(self) -> int:
        """What this process has sent to the disk."""
        text = Path(f"/proc/{self.process.pid}/io").read_text()
        return next(int(line.split()[1]) for line in text.splitlines() if line.startswith("write_bytes:"))


@contextmanager
def running(
    data: Path, options: tuple[str, ...] = ALONE, environment: dict[str, str] | None = None
) -> Iterator[Station]:
    station = Station(data, options, environment)
    try:
        yield station
    finally:
        station.kill()


class Phone:
    """A phone with its cookies. Calls raise OSError or HTTPException when the table goes away meanwhile."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.cookies: dict[str, str] = {}
        self._line: http.client.HTTPConnection | None = None

    def call(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        kind: str = "application/json",
        headers: dict[str, str] | None = None,
    ) -> tuple[int, bytes]:
        if self._line is None:
            self._line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        sent = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())} if self.cookies else {}
        if body is not None:
            sent["Content-Type"] = kind
        try:
            self._line.request(method, path, body, {**sent, **(headers or {})})
            answer = self._line.getresponse()
            text = answer.read()
        except (OSError, http.client.HTTPException):
            self.hang_up()
            raise
        for cookie in answer.headers.get_all("Set-Cookie") or []:
            name, _, rest = cookie.partition("=")
            self.cookies[name] = rest.partition(";")[0]
        return answer.status, text

    def get(self, path: str) -> Any:
        status, text = self.call("GET", path)
        assert status == http.client.OK, (path, status, text)
        return json.loads(text)

    def post(self, path: str, value: Any) -> tuple[int, Any]:
        status, text = self.call("POST", path, msgspec.json.encode(value))
        return status, json.loads(text)

    def sit(self, player: str | None = None, code: str = CODE) -> int:
        return self.post("/api/seats", {"code": code} | ({"player": player} if player else {}))[0]

    def record(self, game_id: int) -> list[bytes]:
        """The commands of one game, as the table keeps them."""
        status, text = self.call("GET", f"/api/games/{game_id}/record")
        assert status == http.client.OK, text
        return [line for line in text.splitlines() if line and not line.startswith(b"#")]

    def game_under_way(self) -> int:
        return int(self.get("/api/games?limit=1")["games"][0]["id"])

    def hang_up(self) -> None:
        if self._line is not None:
            self._line.close()
            self._line = None


def played(lines: list[bytes]) -> Moment:
    """The moment that these commands lead to; Refused if one of them is not whole or not legal."""
    moment = Moment()
    for line in lines:
        moment = follow(moment, line)
    return moment


class Game:
    """Knows a legal next command for whatever the table shows, game after game."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)
        self._player = RandomPlayer(self._rng)

    def next_command(self, moment: Moment) -> dict[str, Any]:
        if moment.under_way:
            return self._player.next_command(moment.state)
        self._player = RandomPlayer(self._rng)
        return new_game(self._rng.choice((2, 3, 4)))
