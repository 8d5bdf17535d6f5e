"""Scans over HTTP: photographs in, readings out. Nothing is applied until somebody confirms."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec
from flask import Blueprint, Response, request

from web.answers import Denied, json_answer, read_body
from web.desk import Desk, Scan
from web.languages import language, tell, tell_scan
from web.limits import LARGEST_PHOTO, MOST_SCANS
from web.parts import parts
from web.permissions import check, seated
from web.teaching import teacher_of

scans = Blueprint("scans", __name__)

_places = threading.BoundedSemaphore(MOST_SCANS)


class ScanWish(msgspec.Struct, frozen=True):
    """A photograph by the table's own camera."""

    source: str
    expect: str | None = None
    teach: str | None = None
    """The set that its pieces are to be taught to."""


@scans.post("/api/scans")
def scan() -> Response:
    """Read a photograph that was sent, or one by the table's camera."""
    check(seated(), parts().table.now, "scan")
    desk = _desk()
    photo: bytes | None = None
    if request.mimetype == "multipart/form-data":
        photo, expect = _sent_photo()
        teach = request.form.get("teach")
    else:
        wish = read_body(ScanWish)
        if wish.source != "camera":
            raise Denied("malformed", "A scan comes from the camera, or as a photograph.")
        expect, teach = _kind(wish.expect), wish.teach
    if teach is not None:
        teacher, name = teacher_of(teach)
        with _one_at_a_time():
            return _scan_answer(teacher.scan(name, photo, expect))
    with _one_at_a_time():
        return _scan_answer(desk.scan_camera(expect) if photo is None else desk.scan_photo(photo, expect))


@scans.get("/api/scans/current")
def current() -> Response:
    """The scan that waits to be confirmed, whether the table has a camera that works, and what is in its way."""
    desk, status = parts().desk, parts().settings.status
    camera = status()["camera"] if status else {}
    waiting = desk.current if desk else None
    told = tell_scan(language(), waiting.to_json()) if waiting else None
    return json_answer({"scan": told, "camera": bool(desk and desk.camera), "says": tell(camera.get("message", ""))})


@scans.delete("/api/scans/current")
def dismiss() -> Response:
    """Throw that scan away."""
    check(seated(), parts().table.now, "scan")
    return json_answer({"dismissed": _desk().dismiss()})


@scans.get("/api/scans/<scan_id>")
def one(scan_id: str) -> Response:
    return _scan_answer(_desk().get(scan_id))


@scans.get("/api/scans/<scan_id>/photo")
def photo(scan_id: str) -> Response:
    """That photograph with each piece outlined and named, and where it goes."""
    return Response(parts().pictures.of(_desk(), scan_id, language()), content_type="image/jpeg")


@scans.get("/api/scans/<scan_id>/plain")
def plain(scan_id: str) -> Response:
    """That photograph as it was taken, so that a page can cut out the piece it asks about."""
    taken = _desk().get(scan_id).photo
    return Response(taken, content_type="image/png" if taken.startswith(b"\x89PNG") else "image/jpeg")


def _scan_answer(scan: Scan) -> Response:
    return json_answer(tell_scan(language(), scan.to_json()))


def _desk() -> Desk:
    desk = parts().desk
    if desk is None:
        raise Denied("no_camera", "This table has no eyes: enter the pieces by hand.")
    return desk


def _sent_photo() -> tuple[bytes, str | None]:
    request.max_content_length = LARGEST_PHOTO
    sent = request.files.get("photo")
    if sent is None:
        raise Denied("malformed", "There is no photograph in this: send it as `photo`.")
    data = sent.stream.read()
    if not data:
        raise Denied("malformed", "The photograph is empty: take it again.")
    return data, _kind(request.form.get("expect"))


def _kind(expect: str | None) -> str | None:
    if expect is not None and not (expect.isascii() and expect.isidentifier() and len(expect) <= 40):
        raise Denied("malformed", "What is to be expected is one word, such as finds.")
    return expect or None


@contextmanager
def _one_at_a_time() -> Iterator[None]:
    """Reading takes memory and time: whoever comes on top of that is asked to try again."""
    if not _places.acquire(blocking=False):
        raise Denied("busy", "The table is reading another photograph: try again in a moment.")
    try:
        yield
    finally:
        _places.release()
