"""The server: HTTP as phones speak it, patience that ends, and a clean stop."""

from __future__ import annotations

import json
import re
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

import pytest
from flask import Flask, Response, request
from werkzeug.middleware.dispatcher import DispatcherMiddleware

from tests.web.conftest import CODE, Phone, patient, wait_until
from web.connection import LONGEST_HEAD, Patience
from web.server import MOST_CONNECTIONS, CannotServe, Server, serve

GET = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
IMPATIENT = Patience(head=0.01, body=0.01, next_request=0.01, answer_taken=0.01, last_word=5, look_around=0.01)


@contextmanager
def calling(port: int) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", port), timeout=60) as caller:
        yield caller


def read_answer(caller: socket.socket) -> tuple[int, dict[str, str], bytes]:
    """One whole answer, as its own head says where it ends."""
    with caller.makefile("rb", buffering=0) as file:
        status = int(file.readline().split()[1])
        headers = {}
        while line := file.readline().strip():
            name, _, value = line.decode().partition(": ")
            headers[name.lower()] = value
        size, body = int(headers.get("content-length", 0)), b""
        while len(body) < size and (more := file.read(size - len(body))):
            body += more
    return status, headers, body


def read_to_the_end(caller: socket.socket) -> bytes:
    data = b""
    with suppress(ConnectionResetError):
        while more := caller.recv(65536):
            data += more
    return data


def test_a_connection_is_kept_for_the_next_request(server: Server) -> None:
    with calling(server.port) as caller:
        for _ in range(3):
            caller.sendall(GET)
            assert read_answer(caller)[0] == 200


def test_requests_sent_ahead_are_answered_in_order(server: Server) -> None:
    with calling(server.port) as caller:
        caller.sendall(GET + GET.replace(b"/healthz", b"/api/none") + GET)

        assert [read_answer(caller)[0] for _ in range(3)] == [200, 404, 200]


def test_a_request_may_come_byte_by_byte(server: Server) -> None:
    with calling(server.port) as caller:
        for byte in GET:
            caller.sendall(bytes([byte]))

        assert read_answer(caller)[0] == 200


def test_an_old_client_is_answered_and_let_go(server: Server) -> None:
    with calling(server.port) as caller:
        caller.sendall(b"GET /healthz HTTP/1.0\r\nHost: localhost\r\n\r\n")

        assert read_to_the_end(caller).startswith(b"HTTP/1.1 200")


def test_whoever_says_close_is_let_go(server: Server) -> None:
    with calling(server.port) as caller:
        caller.sendall(GET.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))

        assert read_to_the_end(caller).endswith(b'"version":0}')


def test_head_is_get_without_the_body(server: Server) -> None:
    with calling(server.port) as caller:
        caller.sendall(GET.replace(b"GET", b"HEAD") + GET)

        first = b""
        while not first.endswith(b"\r\n\r\n"):
            first += caller.recv(1)
        assert b"content-length: " in first.lower()
        assert read_answer(caller)[0] == 200


def test_a_body_in_chunks_is_put_together(server: Server) -> None:
    claim = json.dumps({"code": CODE}).encode()
    with calling(server.port) as caller:
        caller.sendall(
            b"POST /api/seats HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n"
        )
        for byte in claim:
            caller.sendall(b"1\r\n%c\r\n" % byte)
        caller.sendall(b"0\r\n\r\n")

        assert read_answer(caller)[0] == 200


def test_a_phone_that_waits_for_leave_to_send_gets_it(server: Server) -> None:
    claim = json.dumps({"code": CODE}).encode()
    with calling(server.port) as caller:
        caller.sendall(
            b"POST /api/seats HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Expect: 100-continue\r\nContent-Length: %d\r\n\r\n" % len(claim)
        )
        assert read_answer(caller)[0] == 100
        caller.sendall(claim)
        assert read_answer(caller)[0] == 200


@pytest.mark.parametrize(
    "sent",
    [
        b"hello\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n",
        b"GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nbad header\r\n\r\n",
        b"POST /api/seats HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n",
        b"POST /api/seats HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
        b"POST /api/seats HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        b"POST /api/seats HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
        b"\x00" * 50 + b"\r\n\r\n",
        b"GET /" + b"a" * LONGEST_HEAD * 2 + b" HTTP/1.1\r\n\r\n",
    ],
)
def test_what_is_no_request_is_refused_with_a_code(server: Server, sent: bytes) -> None:
    with calling(server.port) as caller:
        caller.sendall(sent)

        answer = read_to_the_end(caller)

    assert re.match(rb"HTTP/1.1 4\d\d ", answer)
    assert json.loads(answer.partition(b"\r\n\r\n")[2])["error"]["code"] == "malformed"


def test_a_body_that_is_too_large_is_refused_before_it_is_sent(server: Server) -> None:
    with calling(server.port) as caller:
        caller.sendall(b"POST /api/seats HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\n")

        assert read_answer(caller)[0] == 413


class TestPatience:
    """Whoever is slow on purpose is let go; nobody else notices."""

    def test_a_head_that_never_ends(self, app: Flask) -> None:
        with patient(app, IMPATIENT) as server, calling(server.port) as caller:
            caller.sendall(b"GET /healthz HTTP/1.1\r\nHost: ")

            assert read_to_the_end(caller) == b""

    def test_dripping_bytes_does_not_help(self, app: Flask) -> None:
        with patient(app, Patience(head=0.2, look_around=0.01)) as server, calling(server.port) as caller:
            caller.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: ")
            wait_until(lambda: bool(server.connections))

            def gone() -> bool:
                with suppress(BrokenPipeError, ConnectionResetError):
                    caller.sendall(b"y")
                return not server.connections

            wait_until(gone)

    def test_a_body_that_never_comes(self, app: Flask) -> None:
        with patient(app, IMPATIENT) as server, calling(server.port) as caller:
            caller.sendall(b"POST /api/seats HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{")

            status, _, body = read_answer(caller)

            assert (status, json.loads(body)["error"]["code"]) == (408, "too_slow")

    def test_a_kept_connection_that_is_not_used(self, app: Flask) -> None:
        with patient(app, IMPATIENT._replace(head=10, answer_taken=10)) as server, calling(server.port) as caller:
            caller.sendall(GET)
            assert read_answer(caller)[0] == 200

            assert caller.recv(1) == b""

    def test_an_answer_that_is_not_taken(self, app: Flask) -> None:
        app.add_url_rule("/large", view_func=lambda: Response(b"x" * 8_000_000))
        with patient(app, IMPATIENT._replace(head=10, next_request=10)) as server, calling(server.port) as caller:
            caller.sendall(GET.replace(b"/healthz", b"/large"))

            wait_until(lambda: bool(server.connections))
            wait_until(lambda: not server.connections)

    def test_many_that_hold_a_place_make_room_for_one_who_asks(self, app: Flask) -> None:
        with patient(app, Patience()) as server:
            idle = []
            for number in range(MOST_CONNECTIONS):
                idle.append(socket.create_connection(("127.0.0.1", server.port)))
                wait_until(lambda n=number: len(server.connections) > n)  # type: ignore[misc]  # bound at once

            assert Phone(server.port).get("/healthz").status == 200

            for caller in idle:
                caller.close()


class TestStopping:
    def test_listening_phones_are_let_go_at_once(self, server: Server, phone: Phone) -> None:
        listening = [phone.listen() for _ in range(20)]
        for one in listening:
            one.event("seats")

        server.stop()

        assert not server.connections
        for one in listening:
            assert one.file.read() == b""

    def test_an_answer_under_way_still_goes_out(self, app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("web.server.GRACE", 60)  # however slow the machine is
        asked, go_on = threading.Event(), threading.Event()

        def slow() -> str:
            asked.set()
            assert go_on.wait(60)
            return "done"

        app.add_url_rule("/slow", view_func=slow)
        server = serve(app, "127.0.0.1", 0)
        server.start()
        with calling(server.port) as caller:
            caller.sendall(GET.replace(b"/healthz", b"/slow"))
            assert asked.wait(60)
            stopping = threading.Thread(target=server.stop)
            stopping.start()
            go_on.set()

            assert read_answer(caller)[2] == b"done"
            stopping.join()

    def test_a_page_that_hangs_does_not_hold_up_the_end(self, app: Flask) -> None:
        asked, for_ever = threading.Event(), threading.Event()

        def hanging() -> str:
            asked.set()
            for_ever.wait(30)
            return ""

        app.add_url_rule("/hang", view_func=hanging)
        server = serve(app, "127.0.0.1", 0)
        server.start()
        with calling(server.port) as caller:
            caller.sendall(GET.replace(b"/healthz", b"/hang"))
            assert asked.wait(60)

            server.stop()

            assert not for_ever.is_set()
            assert caller.recv(1) == b""
        for_ever.set()

    def test_stopping_twice_or_before_the_start_does_no_harm(self, app: Flask) -> None:
        server = serve(app, "127.0.0.1", 0)
        server.stop()
        server.stop()

    def test_no_thread_is_left_over(self, app: Flask) -> None:
        before = set(threading.enumerate())
        with patient(app, Patience()) as server:
            Phone(server.port).get("/healthz")

        wait_until(lambda: set(threading.enumerate()) <= before)


def test_a_port_that_is_taken_is_said_in_one_sentence(server: Server, app: Flask) -> None:
    with pytest.raises(CannotServe, match=f"Port {server.port} is taken"):
        serve(app, "127.0.0.1", server.port)


def test_an_address_that_is_not_ours_is_said_too(app: Flask) -> None:
    with pytest.raises(CannotServe, match=r"192\.0\.2\.1 port 8080 cannot be used"):
        serve(app, "192.0.2.1", 8080)


def raises(_environ: WSGIEnvironment, _start: StartResponse) -> list[bytes]:
    raise ValueError


def answers_nonsense(_environ: WSGIEnvironment, start: StartResponse) -> list[bytes]:
    start("200 OK", [("Bad Name", "x")])
    return [b"body"]


def says_more_than_it_announced(_environ: WSGIEnvironment, start: StartResponse) -> list[bytes]:
    start("200 OK", [("Content-Length", "1")])
    return [b"body"]


def never_starts(_environ: WSGIEnvironment, _start: StartResponse) -> list[bytes]:
    return []


@pytest.mark.parametrize("page", [raises, answers_nonsense, says_more_than_it_announced, never_starts])
def test_a_page_that_fails_harms_nobody_else(page: WSGIApplication, app: Flask) -> None:
    broken = DispatcherMiddleware(app, {"/broken": page})
    with patient(broken, Patience()) as server:
        with calling(server.port) as caller:
            caller.sendall(GET.replace(b"/healthz", b"/broken"))
            assert caller.recv(12) in (b"", b"HTTP/1.1 500")

        assert Phone(server.port).get("/healthz").status == 200


def test_the_page_sees_the_request_as_it_was_sent(app: Flask) -> None:
    @app.get("/echo/<path:rest>")
    def echo(rest: str) -> Response:
        return Response(json.dumps([rest, request.args.get("q"), request.remote_addr, request.headers.get("X-A")]))

    with patient(app, Patience()) as server:
        answer = Phone(server.port).get("/echo/%C3%A4/b?q=%F0%9F%8F%BA", {"X-A": "1", "X_A": "2"})

    assert answer.json == ["ä/b", "🏺", "127.0.0.1", "1"]
