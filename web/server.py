"""Serves the page: one thread owns all sockets and tells the listening phones, a few others work out the answers.

A listening phone costs a socket, not a thread, so that 200 of them leave the page as quick as it was.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import queue
import socket
import threading
import time
from collections.abc import Callable
from wsgiref.types import WSGIApplication

from web.answers import SMALL_BODY
from web.connection import Connection, Patience
from web.live import Feed, Live
from web.security import SAFE_METHODS
from web.wsgi import Answer, Environ, ask, busy

log = logging.getLogger(__name__)

READERS = 4
CHANGERS = 4
"""Workers of their own for what changes something: a slow disk holds up none who only look."""
MOST_CONNECTIONS = 600
MOST_LISTENING = 400
MOST_LARGE_BODIES = 3
"""Photographs that may arrive at the same time."""
MOST_UNSENT = 32 * 1024 * 1024
"""Bytes of answers that slow phones may keep waiting here, all together."""
GRACE = 0.5
"""Seconds that answers under way get when the server stops."""
LEFT_BEHIND = 0.1
"""Seconds that workers get to end after that; one that hangs is left behind."""

Jobs = queue.SimpleQueue[Callable[[], None] | None]


class CannotServe(Exception):
    """The page cannot be offered; the sentence says what to do."""


def serve(app: WSGIApplication, host: str, port: int, patience: Patience | None = None) -> Server:
    """A server that holds its port already and answers after `start`. Port 0 takes a free one."""
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listener = socket.create_server((host, port), family=family, backlog=512, dualstack_ipv6=host == "::")
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            hint = f"Port {port} is taken by another program: choose another one with --port"
        elif error.errno == errno.EACCES:
            hint = f"Port {port} is not for everyone: choose one above 1023 with --port"
        else:
            hint = f"{host} port {port} cannot be used: {error.strerror or error}"
        raise CannotServe(f"{hint}.") from None
    return Server(app, listener, patience or Patience())


class Server:
    """The page on one port."""

    def __init__(self, app: WSGIApplication, listener: socket.socket, patience: Patience) -> None:
        self._app = app
        self.patience = patience
        self._listener = listener
        self.port: int = listener.getsockname()[1]
        self.connections: set[Connection] = set()
        self.listening: set[Connection] = set()
        self._looks: Jobs = queue.SimpleQueue()
        self._changes: Jobs = queue.SimpleQueue()
        self._sources: dict[Live, Callable[[], None]] = {}
        self._spreading = threading.Event()
        self._threads: list[threading.Thread] = []
        self._stopped = threading.Event()

    def start(self) -> None:
        """Answer requests from now on."""
        ready = threading.Event()
        for number, jobs in enumerate([self._looks] * READERS + [self._changes] * CHANGERS):
            self._threads.append(threading.Thread(target=self._work, args=(jobs,), name=f"page-{number}", daemon=True))
        self._threads.append(threading.Thread(target=self._run, args=(ready,), name="server", daemon=True))
        for thread in self._threads:
            thread.start()
        ready.wait()

    def stop(self) -> None:
        """Close every connection; answers under way get a moment to go out."""
        if self._stopped.is_set():
            return
        self._stopped.set()
        if not self._threads:
            self._listener.close()
            return
        self.loop.call_soon_threadsafe(self._closing.set)
        self._threads[-1].join()
        for jobs in [self._looks] * READERS + [self._changes] * CHANGERS:
            jobs.put(None)
        end = time.monotonic() + LEFT_BEHIND
        for thread in self._threads[:-1]:
            thread.join(max(0.0, end - time.monotonic()))

    def _run(self, ready: threading.Event) -> None:
        try:
            asyncio.run(self._serve(ready))
        finally:
            ready.set()

    async def _serve(self, ready: threading.Event) -> None:
        self.loop = asyncio.get_running_loop()
        self._closing = asyncio.Event()
        server = await self.loop.create_server(lambda: Connection(self), sock=self._listener)
        ready.set()
        while not self._closing.is_set():
            self._look_after()
            try:
                await asyncio.wait_for(self._closing.wait(), timeout=self.patience.look_around)
            except TimeoutError:
                continue
        server.close()
        for stop_listening in self._sources.values():
            stop_listening()
        for connection in list(self.connections):
            if not connection.being_answered:
                connection.hang_up()
        end = self.loop.time() + GRACE
        while self.connections and self.loop.time() < end:
            await asyncio.sleep(0.01)
        for connection in list(self.connections):
            connection.abort()
        await asyncio.sleep(0)

    def _look_after(self) -> None:
        now = self.loop.time()
        for source in self._sources:
            self._safely(source.look_after)
        for connection in list(self.connections):
            self._safely(connection.look_after, now)

    def room_for_connection(self) -> bool:
        """Whether one more may come in; of those that only hold a place, the longest waiting makes room."""
        if len(self.connections) < MOST_CONNECTIONS:
            return True
        idle = min((c for c in self.connections if c.idle), key=lambda c: c.deadline, default=None)
        if idle is not None:
            idle.abort()
        return idle is not None

    def _room_to_listen(self, feed: Feed) -> bool:
        """Whether one more may listen; onlookers make room for those who sit at the table."""
        if len(self.listening) < MOST_LISTENING:
            return True
        onlooker = next((c for c in self.listening if not c.seated), None) if feed.seated else None
        if onlooker is not None:
            onlooker.abort()
        return onlooker is not None

    def largest_body(self, environ: Environ) -> int:
        """How many bytes this request may bring along."""
        limit: Callable[[Environ], int] | None = getattr(self._app, "largest_body", None)
        return limit(environ) if limit else SMALL_BODY

    def room_for_body(self, size: int) -> bool:
        """Whether one more request with so large a body may come in now."""
        return size <= SMALL_BODY or sum(c.takes_large_body for c in self.connections) <= MOST_LARGE_BODIES

    def answer(self, environ: Environ, body: bytes, connection: Connection) -> None:
        """Have a worker find the answer; it comes back in the server's thread."""

        def job() -> None:
            answer = ask(self._app, environ, body)
            self.loop.call_soon_threadsafe(self._answered, connection, environ, answer)

        (self._looks if environ["REQUEST_METHOD"] in SAFE_METHODS else self._changes).put(job)

    def _answered(self, connection: Connection, environ: Environ, answer: Answer) -> None:
        if answer.feed is not None:
            if self._room_to_listen(answer.feed) and not self._closing.is_set():
                self._hear(answer.feed.source)
            else:
                answer = busy(environ, "Too many phones listen already.")
        elif len(answer.body) > SMALL_BODY and sum(c.unsent for c in self.connections) > MOST_UNSENT:
            answer = busy(environ, "Too many phones are slow: try again in a moment.")
        if not self._safely(connection.answered, answer):
            connection.abort()
        elif self._closing.is_set():
            connection.close()

    def _hear(self, source: Live) -> None:
        if source not in self._sources:
            self._sources[source] = source.listen(self._wake)

    def _wake(self) -> None:
        """There is news. Called from any thread; several calls at once lead to one round."""
        if not self._spreading.is_set():
            self._spreading.set()
            with contextlib.suppress(RuntimeError):  # the server has just stopped
                self.loop.call_soon_threadsafe(self._spread)

    def _spread(self) -> None:
        self._spreading.clear()
        for connection in list(self.listening):
            if not self._safely(connection.tell):
                connection.abort()

    def _safely(self, do: Callable[..., None], *what: object) -> bool:
        """Do this; should it fail, nobody else is to suffer for it."""
        try:
            do(*what)
        except Exception:
            log.exception("Something failed for one phone; the others go on")
            return False
        return True

    def _work(self, jobs: Jobs) -> None:
        while (job := jobs.get()) is not None:
            with contextlib.suppress(RuntimeError):  # the server has stopped meanwhile
                job()
