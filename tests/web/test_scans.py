"""Scans over HTTP: what a phone sends, what it gets, and what strangers cannot do."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from companion.games.base import Refused
from companion.table import Table
from tests.web.conftest import FINDS, Answer, NewPhone, Phone
from web import create_app
from web.limits import LARGEST_PHOTO, MOST_SCANS
from web.seats import Seats
from web.server import Server, serve

BOUNDARY = "leaf"


class Sheet:
    """A scan that the desk of these tests made."""

    def __init__(self, scan_id: str, expect: str | None) -> None:
        self.id, self.expect = scan_id, expect
        self.photo = b"photo of " + scan_id.encode()

    def to_json(self) -> dict[str, Any]:
        return {"id": self.id, "photo": "photo", "ms": 1, "pieces": [], "expect": self.expect}


class PaperDesk:
    """Reads nothing, and remembers what it was given."""

    def __init__(self) -> None:
        self.camera = True
        self.current: Sheet | None = None
        self.photos: list[bytes] = []
        self.drawn = 0
        self.listeners: list[Callable[[], None]] = []
        self.before_reading: Callable[[], None] = lambda: None

    def scan_camera(self, expect: str | None) -> Sheet:
        if not self.camera:
            raise Refused("no_camera", "The camera is gone: enter the pieces by hand.")
        return self.put(Sheet("c1", expect))

    def scan_photo(self, photo: bytes, expect: str | None) -> Sheet:
        self.before_reading()
        if photo.startswith(b"text"):
            raise Refused("not_a_photo", "This is not a photograph.")
        self.photos.append(photo)
        return self.put(Sheet(f"p{len(self.photos)}", expect))

    def get(self, scan_id: str) -> Sheet:
        if self.current is None or self.current.id != scan_id:
            raise Refused("unknown_scan", "This scan is no longer kept: scan again.")
        return self.current

    def outlined(self, scan_id: str, say: Callable[[str], str]) -> bytes:
        self.drawn += 1
        return b"jpeg of %b with a %b" % (scan_id.encode(), say("chest").encode())

    def dismiss(self) -> bool:
        there_was = self.current is not None
        self.current = None
        self.tell()
        return there_was

    def put(self, sheet: Sheet) -> Sheet:
        self.current = sheet
        self.tell()
        return sheet

    def tell(self) -> None:
        for listener in self.listeners:
            listener()

    def listen(self, listener: Callable[..., None]) -> Callable[[], None]:
        self.listeners.append(listener)
        return lambda: self.listeners.remove(listener)


@pytest.fixture
def desk() -> PaperDesk:
    return PaperDesk()


@pytest.fixture
def server(table: Table, seats: Seats, desk: PaperDesk) -> Iterator[Server]:
    server = serve(create_app(table, seats, desk), "127.0.0.1", 0)
    server.start()
    yield server
    server.stop()


@pytest.fixture
def seated(phone: Phone) -> Phone:
    phone.sit("Ada")
    return phone


def form(photo: bytes, name: str = "photo", **fields: str) -> bytes:
    """A photograph as a page sends it."""
    begins = f"--{BOUNDARY}\r\nContent-Disposition: form-data; name="
    parts = [f'{begins}"{name}"; filename="a.jpg"\r\n\r\n'.encode() + photo]
    parts.extend(f'{begins}"{field}"\r\n\r\n{value}'.encode() for field, value in fields.items() if value)
    return b"\r\n".join([*parts, f"--{BOUNDARY}--\r\n".encode()])


def send(phone: Phone, body: bytes | Iterator[bytes]) -> Answer:
    kind = f"multipart/form-data; boundary={BOUNDARY}"
    return phone.call("POST", "/api/scans", raw=body, headers={"Content-Type": kind})


def test_a_photograph_is_read(seated: Phone, desk: PaperDesk) -> None:
    photo = bytes(range(256)) * 8000

    answer = send(seated, form(photo, expect="finds"))

    assert answer.status == 200
    assert (answer.json["id"], answer.json["expect"]) == ("p1", "finds")
    assert desk.photos == [photo]


def test_a_photograph_may_have_line_breaks_anywhere(seated: Phone, desk: PaperDesk) -> None:
    photo = b"\r\n" * 100_000

    assert send(seated, form(photo)).status == 200
    assert desk.photos == [photo]


def test_the_tables_camera_takes_one(seated: Phone) -> None:
    answer = seated.post("/api/scans", {"source": "camera", "expect": "finds"})

    assert answer.status == 200
    assert answer.json["id"] == "c1"


def test_a_scan_changes_nothing_at_the_table(seated: Phone) -> None:
    seated.post("/api/scans", {"source": "camera"})

    assert seated.get("/api/table").json["version"] == 0


def test_its_picture_is_drawn_once_for_all_phones(seated: Phone, new_phone: NewPhone, desk: PaperDesk) -> None:
    seated.post("/api/scans", {"source": "camera"})

    for phone in (seated, new_phone(), new_phone()):
        answer = phone.get("/api/scans/c1/photo")
        assert (answer.body, answer.headers["Content-Type"]) == (b"jpeg of c1 with a chest", "image/jpeg")
    assert desk.drawn == 1


def test_every_phone_hears_of_a_scan_and_of_its_end(seated: Phone, new_phone: NewPhone) -> None:
    listening = new_phone().listen()
    assert listening.event("scan").data is None

    seated.post("/api/scans", {"source": "camera", "expect": "finds"})
    assert listening.event("scan").data["id"] == "c1"
    assert seated.get("/api/scans/current").json == {
        "scan": seated.get("/api/scans/c1").json,
        "camera": True,
        "says": "",
    }

    assert seated.call("DELETE", "/api/scans/current").json == {"dismissed": True}
    assert listening.event("scan").data is None


def test_a_scan_that_cannot_be_told_silences_nobody(tablet: Phone, new_phone: NewPhone, desk: PaperDesk) -> None:
    listening = new_phone().listen()
    listening.event("scan")
    broken = Sheet("b", None)
    broken.to_json = lambda: {"id": object()}  # type: ignore[method-assign]  # what no JSON can say

    with pytest.raises(TypeError):
        desk.put(broken)
    tablet.do(do="lay_out", finds=FINDS)

    assert listening.event("message").id == "2"


@pytest.mark.parametrize("path", ["/api/scans/zz", "/api/scans/zz/photo", "/api/scans/..%2F..%2Fseats.json/photo"])
def test_an_unknown_scan_is_not_found(phone: Phone, path: str) -> None:
    assert phone.get(path).status == 404


def test_without_a_camera_it_says_so(seated: Phone, desk: PaperDesk) -> None:
    desk.camera = False

    answer = seated.post("/api/scans", {"source": "camera"})

    assert (answer.status, answer.code) == (503, "no_camera")
    assert seated.get("/api/scans/current").json["camera"] is False


def test_what_is_no_photograph_is_refused(seated: Phone) -> None:
    answer = send(seated, form(b"text, not a picture"))

    assert (answer.status, answer.code) == (400, "not_a_photo")


@pytest.mark.parametrize(
    "body",
    [
        form(b""),
        form(b"x", name="picture"),
        form(b"x", expect="../etc"),
        form(b"x")[:50],
        b"",
        b"--leaf--",
        b"\xff" * 100,
    ],
)
def test_a_form_without_a_photograph_is_malformed(seated: Phone, desk: PaperDesk, body: bytes) -> None:
    answer = send(seated, body)

    assert (answer.status, answer.code) == (400, "malformed")
    assert not desk.photos


@pytest.mark.parametrize("body", [{}, {"source": "moon"}, {"source": 1}, {"source": "camera", "expect": "a b"}, []])
def test_a_wish_of_another_shape_is_malformed(seated: Phone, body: object) -> None:
    answer = seated.post("/api/scans", body)

    assert (answer.status, answer.code) == (400, "malformed")


class TestStrangers:
    @pytest.mark.parametrize("size", [1, 100_000, LARGEST_PHOTO + 1])
    def test_without_a_seat_no_photograph_is_taken_in(self, phone: Phone, desk: PaperDesk, size: int) -> None:
        answer = send(phone, form(b"x" * size))

        assert (answer.status, answer.code) == (401, "no_seat")
        assert not desk.photos

    def test_without_a_seat_the_camera_is_left_alone(self, phone: Phone, desk: PaperDesk) -> None:
        assert phone.post("/api/scans", {"source": "camera"}).status == 401
        assert desk.current is None

    def test_a_photograph_has_a_largest_size(self, seated: Phone, desk: PaperDesk) -> None:
        answer = send(seated, form(b"x" * LARGEST_PHOTO))

        assert (answer.status, answer.code) == (413, "too_large")
        assert not desk.photos

    def test_so_has_one_that_does_not_say_how_large_it_is(self, seated: Phone, desk: PaperDesk) -> None:
        """A chunked body, announced by nobody."""
        pieces = (b"x" * 65536 for _ in range(2 + LARGEST_PHOTO // 65536))

        answer = send(seated, pieces)

        assert (answer.status, answer.code) == (413, "too_large")
        assert not desk.photos

    def test_only_so_many_are_read_at_once(self, seated: Phone, new_phone: NewPhone, desk: PaperDesk) -> None:
        reading = threading.Semaphore(0)
        go_on = threading.Event()

        def wait() -> None:
            reading.release()
            assert go_on.wait(10)

        desk.before_reading = wait
        phones = [new_phone() for _ in range(MOST_SCANS)]
        for phone in phones:
            phone.cookies = dict(seated.cookies)
        threads = [threading.Thread(target=send, args=(phone, form(b"photo"))) for phone in phones]
        for thread in threads:
            thread.start()
        for _ in threads:
            assert reading.acquire(timeout=60)

        answer = send(seated, form(b"one more"))

        go_on.set()
        for thread in threads:
            thread.join()
        assert (answer.status, answer.code) == (503, "busy")
        assert len(desk.photos) == MOST_SCANS


def test_without_eyes_the_table_says_so(table: Table, seats: Seats) -> None:
    here = create_app(table, seats).test_client()
    here.post("/api/seats", json={"code": seats.join_code})

    assert here.post("/api/scans", json={"source": "camera"}).status_code == 503
    assert here.get("/api/scans/current").json == {"scan": None, "camera": False, "says": ""}


def test_the_photograph_can_be_had_as_it_was_taken(tablet: Phone) -> None:
    tablet.post("/api/scans", {"source": "camera", "expect": "finds"})

    answer = tablet.get("/api/scans/c1/plain")

    assert (answer.status, answer.headers["Content-Type"], answer.body) == (200, "image/jpeg", b"photo of c1")
    assert tablet.get("/api/scans/c2/plain").status == 404
