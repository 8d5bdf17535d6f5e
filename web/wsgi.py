"""Between HTTP and the page: a request as WSGI knows it, and the page's answer as a whole."""

from __future__ import annotations

import asyncio
import io
import logging
import sys
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, NamedTuple
from urllib.parse import unquote_to_bytes
from wsgiref.types import WSGIApplication

import h11
import msgspec

from web.languages import language_of, tell_in
from web.live import Feed

log = logging.getLogger(__name__)

Environ = dict[str, Any]


class Answer(NamedTuple):
    """What the page answers; with a feed, the answer has no end."""

    status: int
    reason: bytes
    headers: list[tuple[str, str]]
    body: bytes = b""
    feed: Feed | None = None


def environ_of(request: h11.Request, transport: asyncio.Transport) -> Environ | None:
    """The request as WSGI has it, its body still to come; None if it does not mean a path here."""
    target = request.target
    if not target.startswith(b"/"):
        return None
    path, _, query = target.partition(b"?")
    name, port, *_ = transport.get_extra_info("sockname")
    peer: str = (transport.get_extra_info("peername") or ("",))[0]
    environ: Environ = {
        "REQUEST_METHOD": request.method.decode("ascii"),
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(path).decode("latin-1"),
        "QUERY_STRING": query.decode("latin-1"),
        "SERVER_NAME": name,
        "SERVER_PORT": str(port),
        "SERVER_PROTOCOL": f"HTTP/{request.http_version.decode('ascii')}",
        "REMOTE_ADDR": peer.removeprefix("::ffff:").partition("%")[0],
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
        "wsgi.input_terminated": True,
    }
    for raw_name, raw_value in request.headers:
        if b"_" in raw_name:
            continue
        key = raw_name.decode("ascii").upper().replace("-", "_")
        if key not in ("CONTENT_TYPE", "CONTENT_LENGTH"):
            key = f"HTTP_{key}"
        value = raw_value.decode("latin-1")
        separator = "; " if key == "HTTP_COOKIE" else ","
        environ[key] = f"{environ[key]}{separator}{value}" if key in environ else value
    return environ


def ask(app: WSGIApplication, environ: Environ, body: bytes) -> Answer:
    """The page's whole answer; a page that fails answers 500."""
    environ["wsgi.input"] = io.BytesIO(body)
    environ["CONTENT_LENGTH"] = str(len(body))
    started: list[tuple[str, list[tuple[str, str]]]] = []

    def start_response(
        status: str, headers: list[tuple[str, str]], _exc_info: object = None, /
    ) -> Callable[[bytes], object]:
        started.append((status, headers))
        return lambda _data: None

    try:
        parts = app(environ, start_response)
        try:
            if isinstance(parts, Feed):
                whole, feed = b"", parts
            else:
                whole, feed = b"".join(parts), None
        finally:
            if close := getattr(parts, "close", None):
                close()
        status, headers = started[-1]
        number, _, reason = status.partition(" ")
        return Answer(int(number), reason.encode("latin-1"), headers, whole, feed)
    except Exception:
        log.exception("The page failed on %s %s", environ["REQUEST_METHOD"], environ["PATH_INFO"])
        return failed(environ, HTTPStatus.INTERNAL_SERVER_ERROR, "fault", "Something went wrong in the box.")


def busy(environ: Environ, message: str) -> Answer:
    """Too much at once: the phone comes again by itself."""
    return failed(environ, HTTPStatus.SERVICE_UNAVAILABLE, "busy", message)


def failed(environ: Environ, status: HTTPStatus, code: str, message: str) -> Answer:
    """An answer that the page itself could not give."""
    body = msgspec.json.encode({"error": {"code": code, "message": tell_in(language_of(environ), message)}})
    headers = [("Content-Type", "application/json"), ("Content-Length", str(len(body)))]
    return Answer(status, status.phrase.encode(), headers, body)
