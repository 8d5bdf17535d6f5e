"""How the calls read what they are sent and how they say no: always `{"error": {"code", "message"}}`."""

from __future__ import annotations

import logging
from typing import Any, TypeVar

import msgspec
from flask import Flask, Response, render_template, request
from werkzeug.exceptions import HTTPException

from companion.games.base import Refused
from companion.journal import CannotRecord, JournalError
from companion.records import RecordRefused
from web.doorstep import SeatRefused
from web.languages import language, page_texts, tell

log = logging.getLogger(__name__)

Body = TypeVar("Body")
SMALL_BODY = 64 * 1024
"""Enough for every call that is not a photograph or a recorded game."""

STATUS: dict[str, int] = {
    "malformed": 400,
    "not_a_photo": 400,
    "wrong_code": 401,
    "no_seat": 401,
    "not_yours": 403,
    "cross_site": 403,
    "foreign_host": 403,
    "not_found": 404,
    "unknown_game": 404,
    "unknown_scan": 404,
    "unknown_set": 404,
    "wrong_method": 405,
    "too_large": 413,
    "wrong_type": 415,
    "too_many_guesses": 429,
    "too_many_asking": 429,
    "busy": 503,
    "no_camera": 503,
    "cannot_read": 503,
    "cannot_record": 503,
}
"""Every other refusal is a rule that says no: 409."""


class Denied(Exception):
    """A call that is not carried out: a stable code and a sentence."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


HTTP_ERRORS = {
    404: Denied("not_found", "There is nothing at this address."),
    405: Denied("wrong_method", "This address cannot be used in that way."),
    413: Denied("too_large", "This is too large."),
    415: Denied("wrong_type", "Send this as application/json."),
}
MALFORMED = Denied("malformed", "This is not a request that the table understands.")


def json_answer(value: Any, status: int = 200) -> Response:
    encoded = value if isinstance(value, bytes) else msgspec.json.encode(value)
    return Response(encoded, status, content_type="application/json")


def error_answer(code: str, message: str, status: int | None = None, wait: float = 0) -> Response:
    """A no, with its sentence in the phone's language."""
    answer = json_answer({"error": {"code": code, "message": tell(message)}}, status or STATUS.get(code, 409))
    if wait > 0:
        answer.headers["Retry-After"] = str(int(wait) + 1)
    return answer


def error_page(denied: Denied, status: int) -> Response:
    """The same for a person who came by a wrong address, with the way to the table."""
    words = {"language": language(), "sentence": tell(denied.message), "say": page_texts.gettext}
    html = render_template("error.html", **words)
    return Response(html, status, content_type="text/html; charset=utf-8")


def body_bytes() -> bytes:
    """The JSON that was sent. A form on another site cannot send this type."""
    if request.mimetype != "application/json":
        raise Denied("wrong_type", "Send this as application/json.")
    return request.get_data(cache=False)


def read_body(kind: type[Body]) -> Body:
    """What was sent, in the shape that the call takes, or Denied as malformed."""
    try:
        return msgspec.json.decode(body_bytes(), type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Denied("malformed", f"This cannot be read: {error}.") from None


def tell_errors(app: Flask) -> None:
    """Every failure of a call becomes an answer that a page can show, never a traceback."""

    @app.errorhandler(Denied)
    @app.errorhandler(Refused)
    def refused(error: Denied | Refused) -> Response:
        return error_answer(error.code, error.message)

    @app.errorhandler(SeatRefused)
    def no_seat(error: SeatRefused) -> Response:
        return error_answer(error.code, error.message, wait=error.wait)

    @app.errorhandler(RecordRefused)
    def bad_record(error: RecordRefused) -> Response:
        status = 400 if error.code in ("malformed", "unreadable") else 409
        return error_answer(error.code, f"Line {error.line}: {error.message}", status)

    @app.errorhandler(CannotRecord)
    @app.errorhandler(JournalError)
    def no_disk(error: Exception) -> Response:
        return error_answer("cannot_record", str(error))

    @app.errorhandler(HTTPException)
    def http_error(error: HTTPException) -> Response:
        status = error.code or 400
        known = HTTP_ERRORS.get(status, MALFORMED)
        if not request.path.startswith("/api/"):
            return error_page(known, status)
        answer = error_answer(known.code, known.message, status)
        if status == 405:
            answer.headers.extend({name: value for name, value in error.get_headers() if name == "Allow"})
        return answer

    @app.errorhandler(Exception)
    def fault(error: Exception) -> Response:
        log.error("%s %s failed", request.method, request.path, exc_info=error)
        return error_answer("fault", "Something went wrong in the box. The table is as it was.", 500)
