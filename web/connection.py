"""One phone's connection, in the server's thread: reads requests, has them answered, tells a phone that listens."""

from __future__ import annotations

import asyncio
import socket
from email.utils import formatdate
from typing import NamedTuple, Protocol, cast

import h11
import msgspec

from web.answers import SMALL_BODY, STATUS, Denied
from web.languages import language_of, tell_in
from web.live import COME_BACK, HEARTBEAT, Feed
from web.security import HEADERS
from web.wsgi import Answer, Environ, environ_of

LONGEST_HEAD = 16 * 1024
LIVE_BUFFER = 64 * 1024
"""What the system may hold back for a listening phone, in bytes."""


class Patience(NamedTuple):
    """How long, in seconds, a phone may keep the server waiting."""

    head: float = 10.0
    """To send a whole request head; dripping bytes does not prolong it."""
    body: float = 60.0
    answer_taken: float = 60.0
    next_request: float = 120.0
    news_taken: float = 30.0
    """A phone that takes no news for so long is dropped; its page comes back by itself."""
    last_word: float = 2.0
    """To read why it was refused."""
    heartbeat: float = 15.0
    """Between two signs of life to a listening phone."""
    look_around: float = 1.0
    """Between two looks at all of this."""


class House(Protocol):
    """What a connection needs of its server."""

    loop: asyncio.AbstractEventLoop
    patience: Patience
    connections: set[Connection]
    listening: set[Connection]

    def largest_body(self, environ: Environ) -> int: ...

    def room_for_body(self, size: int) -> bool: ...

    def room_for_connection(self) -> bool: ...

    def answer(self, environ: Environ, body: bytes, connection: Connection) -> None: ...


class Connection(asyncio.Protocol):
    """Waiting for a request, receiving it, being answered; or listening until one side goes."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._http = h11.Connection(h11.SERVER, max_incomplete_event_size=LONGEST_HEAD)
        self._environ: Environ | None = None
        self._body = bytearray()
        self._largest = 0
        self._answering = self._closing = self._full = False
        self._feed: Feed | None = None
        self._next_heartbeat = 0.0
        self.deadline = 0.0
        self._stalled_since: float | None = None

    @property
    def idle(self) -> bool:
        """Between two requests."""
        return self._environ is None and not self._answering and self._feed is None

    @property
    def being_answered(self) -> bool:
        return self._answering

    @property
    def seated(self) -> bool:
        """Whether it listens for somebody who sits at the table."""
        return self._feed is not None and self._feed.seated

    @property
    def unsent(self) -> int:
        """Bytes of an answer that the phone has not taken yet."""
        return self._transport.get_write_buffer_size()

    @property
    def takes_large_body(self) -> bool:
        """Whether it is about to bring a photograph or the like."""
        return self._environ is not None and self._largest > SMALL_BODY

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._expect(self._house.patience.head)
        if self._house.room_for_connection():
            self._house.connections.add(self)
        else:
            self._transport.abort()

    def connection_lost(self, _error: Exception | None) -> None:
        self._house.connections.discard(self)
        self._house.listening.discard(self)
        self._body = bytearray()

    def data_received(self, data: bytes) -> None:
        if self._feed is not None or self._closing:
            return
        self._http.receive_data(data)
        self._read_on()

    def eof_received(self) -> bool:
        if self._feed is None and not self._closing and not self._answering:
            self._http.receive_data(b"")
            self._read_on()
        return self._answering

    def pause_writing(self) -> None:
        self._full = True
        self._stalled_since = self._house.loop.time()

    def resume_writing(self) -> None:
        self._full = False
        self._stalled_since = None
        if self._feed is not None:
            self.tell()
        elif not self._answering:
            self._next_request()

    def tell(self) -> None:
        """Send a listening phone what is new, unless it has not taken the last news yet."""
        if self._feed is None or self._full or self._transport.is_closing():
            return
        news = self._feed.news()
        if news:
            self._transport.write(news)
            self._next_heartbeat = self._house.loop.time() + self._house.patience.heartbeat

    def look_after(self, now: float) -> None:
        """Called every now and then: heartbeats, and an end to those who keep the server waiting."""
        if self._feed is not None:
            if self._stalled_since is not None and now - self._stalled_since > self._house.patience.news_taken:
                self._transport.abort()
            elif self._stalled_since is None and now >= self._next_heartbeat:
                self._next_heartbeat = now + self._house.patience.heartbeat
                self._transport.write(HEARTBEAT)
        elif now > self.deadline and not self._answering:
            if self._environ is not None:
                self._refuse(408, "too_slow", "The request took too long to arrive.")
            else:
                self._transport.abort()

    def close(self) -> None:
        """Say good-bye: what is being sent still goes out."""
        self._closing = True
        self._transport.close()

    def hang_up(self) -> None:
        """End it now, unless an answer is still on its way; a phone that is behind with its news is not waited for."""
        if self._feed is not None and self._full:
            self.abort()
        else:
            self.close()

    def abort(self) -> None:
        self._transport.abort()

    def _expect(self, seconds: float) -> None:
        self.deadline = self._house.loop.time() + seconds

    def _read_on(self) -> None:
        """Take what has arrived as far as it goes: up to one whole request."""
        try:
            while not (self._answering or self._closing):
                event = self._http.next_event()
                if isinstance(event, h11.Request):
                    self._begin(event)
                elif isinstance(event, h11.Data):
                    self._body += event.data
                    if len(self._body) > self._largest:
                        self._refuse(413, "too_large", "This is too large.")
                elif isinstance(event, h11.EndOfMessage):
                    self._dispatch()
                elif isinstance(event, h11.ConnectionClosed):
                    self.close()
                else:
                    return
        except h11.RemoteProtocolError as error:
            self._refuse(error.error_status_hint, "malformed", "This is not a request that the table understands.")

    def _begin(self, request: h11.Request) -> None:
        environ = environ_of(request, self._transport)
        if environ is None:
            self._refuse(400, "malformed", "This is not an address at this table.")
            return
        self._environ = environ
        try:
            self._largest = self._house.largest_body(environ)
        except Denied as denied:
            self._refuse(STATUS[denied.code], denied.code, denied.message)
            return
        self._expect(self._house.patience.body)
        size = environ.get("CONTENT_LENGTH", "")
        if size and int(size) > self._largest:
            self._refuse(413, "too_large", f"At most {self._largest} bytes, please.")
        elif not self._house.room_for_body(self._largest):
            self._refuse(503, "busy", "Too many photographs at once: try again in a moment.")
        elif self._http.they_are_waiting_for_100_continue:
            go_on = h11.InformationalResponse(status_code=100, headers=[])
            self._transport.write(self._http.send(go_on) or b"")

    def _dispatch(self) -> None:
        assert self._environ is not None
        self._answering = True
        self._transport.pause_reading()
        body, self._body = bytes(self._body), bytearray()
        self._house.answer(self._environ, body, self)

    def answered(self, answer: Answer) -> None:
        """Send the answer, and go on to the next request."""
        if self._transport.is_closing():
            return
        if answer.feed is not None:
            self._listen(answer.feed, answer)
            return
        assert self._environ is not None
        body = b"" if self._environ["REQUEST_METHOD"] == "HEAD" else answer.body
        headers = [*answer.headers, ("Date", formatdate(usegmt=True))]
        response = h11.Response(status_code=answer.status, headers=headers, reason=answer.reason)
        sent = [self._http.send(event) for event in (response, h11.Data(data=body), h11.EndOfMessage())]
        self._environ = None
        self._answering = False
        self._expect(self._house.patience.answer_taken)
        self._transport.write(b"".join(part for part in sent if part))
        if self._http.our_state is h11.MUST_CLOSE:
            self.close()
        elif not self._full:
            self._next_request()

    def _next_request(self) -> None:
        """Nothing is read before the last answer is taken: a phone cannot pile up answers here."""
        if self._closing or self._http.our_state is not h11.DONE:
            return
        self._http.start_next_cycle()
        self._expect(self._house.patience.next_request)
        self._transport.resume_reading()
        self._read_on()

    def _listen(self, feed: Feed, answer: Answer) -> None:
        """From now on this phone is only told. Its answer has no end but the connection's."""
        self._feed = feed
        self._environ = None
        self._answering = False
        lines = [f"HTTP/1.1 {answer.status} OK", *(f"{name}: {value}" for name, value in answer.headers)]
        lines += [f"Date: {formatdate(usegmt=True)}", "Connection: close", "", ""]
        sock: socket.socket = self._transport.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, LIVE_BUFFER)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(self._house.patience.news_taken * 1000))
        self._transport.set_write_buffer_limits(high=0)
        self._house.listening.add(self)
        self._next_heartbeat = self._house.loop.time() + self._house.patience.heartbeat
        self._transport.write("\r\n".join(lines).encode("latin-1") + COME_BACK + feed.news())
        self._transport.resume_reading()

    def _refuse(self, status: int, code: str, message: str) -> None:
        """Say why, then hang up; what still arrives is thrown away, so that the phone gets to read the answer."""
        self._closing = True
        self._body = bytearray()
        message = tell_in(language_of(self._environ), message)
        body = msgspec.json.encode({"error": {"code": code, "message": message}})
        headers = [("Content-Type", "application/json"), ("Content-Length", str(len(body))), ("Connection", "close")]
        lines = [f"HTTP/1.1 {status} Refused", *(f"{name}: {value}" for name, value in [*HEADERS.items(), *headers])]
        self._transport.write("\r\n".join([*lines, "", ""]).encode("latin-1") + body)
        if self._transport.can_write_eof():
            self._transport.write_eof()
        self._environ = None
        self._expect(self._house.patience.last_word)
