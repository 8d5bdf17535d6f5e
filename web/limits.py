"""How much a request may bring along: little, but for photographs and recorded games of those at the table."""

from __future__ import annotations

from io import BytesIO
from typing import IO, Any

from flask import Flask, Request
from werkzeug.http import parse_cookie

from companion.records import LARGEST_RECORD
from web.answers import SMALL_BODY, Denied
from web.parts import EXTENSION, Parts
from web.permissions import COOKIE, NO_SEAT

LARGEST_PHOTO = 16 * 1024 * 1024
"""What the newest phones make of one photograph, and some."""
LARGEST_IMPORT = 2 * LARGEST_RECORD
"""A recorded game inside JSON, where quotation marks take two characters."""
MOST_SCANS = 2
"""Photographs that are read at the same time."""

LARGE = {"/api/scans": LARGEST_PHOTO, "/api/games/import": LARGEST_IMPORT}


class InMemory(Request):
    """A request whose photograph is never put on disk, for the life of the SD card."""

    max_form_memory_size = 2 * SMALL_BODY  # one for the field, one for the part of a photograph that is being read
    max_form_parts = 8

    def _get_file_stream(self, *_args: Any, **_kwargs: Any) -> IO[bytes]:
        return BytesIO()


class Page(Flask):
    """The app, which also tells the server how much it takes before anything is received."""

    request_class = InMemory

    def largest_body(self, environ: dict[str, Any]) -> int:
        """The bytes that this request may bring along; Denied if it should not even begin."""
        limit = LARGE.get(environ["PATH_INFO"].rstrip("/"), SMALL_BODY)
        if limit > SMALL_BODY and environ["REQUEST_METHOD"] == "POST":
            at: Parts = self.extensions[EXTENSION]
            if at.seats.seat_of(parse_cookie(environ.get("HTTP_COOKIE")).get(COOKIE)) is None:
                raise Denied(*NO_SEAT)
            return limit
        return SMALL_BODY
