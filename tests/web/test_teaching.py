"""Teaching a box over HTTP."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from companion.games.base import Refused
from companion.table import Table
from tests.web.conftest import Phone
from tests.web.test_scans import PaperDesk, Sheet, form, send
from web import create_app
from web.seats import Seats
from web.server import Server, serve


class Slate:
    """Remembers what it was taught."""

    def __init__(self) -> None:
        self.kept: list[tuple[str, str, dict[int, str]]] = []
        self.scanned: list[tuple[str, bytes | None, str | None]] = []
        self.in_use: str | None = None

    def choose(self, name: str) -> None:
        if name == "other":
            raise Refused("unknown_set", "Nothing was taught as other.")
        self.in_use = name

    def sets(self) -> list[dict[str, Any]]:
        return [{"name": name} for name, _, _ in self.kept]

    def scan(self, name: str, photo: bytes | None, expect: str | None) -> Sheet:
        self.scanned.append((name, photo, expect))
        return Sheet("t1", expect)

    def keep(self, name: str, scan_id: str, labels: Mapping[int, str]) -> dict[str, Any]:
        self.kept.append((name, scan_id, dict(labels)))
        return {"name": name}

    def forget(self, name: str, label: str) -> dict[str, Any]:
        raise Refused("unknown_set", f"Nothing was taught as {label} in {name}.")


@pytest.fixture
def slate() -> Slate:
    return Slate()


@pytest.fixture
def server(table: Table, seats: Seats, slate: Slate) -> Iterator[Server]:
    server = serve(create_app(table, seats, PaperDesk(), teacher=slate), "127.0.0.1", 0)
    server.start()
    yield server
    server.stop()


def test_pieces_of_a_scan_are_kept_under_their_names(phone: Phone, slate: Slate) -> None:
    phone.sit()

    answer = phone.post("/api/sets/my%20box/pieces", {"scan": "a1", "labels": {"0": "V50J3", "2": "bag"}})

    assert answer.json == {"name": "my box"}
    assert slate.kept == [("my box", "a1", {0: "V50J3", 2: "bag"})]
    assert phone.get("/api/sets").json == {"sets": [{"name": "my box"}], "in_use": None}


def test_a_photograph_is_read_for_a_set_to_be_taught(phone: Phone, slate: Slate) -> None:
    phone.sit()

    answer = send(phone, form(b"photo", expect="finds", teach="my box"))
    again = phone.post("/api/scans", {"source": "camera", "expect": "funds", "teach": "my box"})

    assert (answer.json["id"], again.json["id"]) == ("t1", "t1")
    assert slate.scanned == [("my box", b"photo", "finds"), ("my box", None, "funds")]
    assert phone.get("/api/scans/current").json["scan"] is None


def test_strangers_have_nothing_read_for_teaching(phone: Phone, slate: Slate) -> None:
    answer = phone.post("/api/scans", {"source": "camera", "teach": "my box"})

    assert (answer.status, answer.code) == (401, "no_seat")
    assert not slate.scanned


@pytest.mark.parametrize(
    "teach", ["", "..", "../box", "a/b", "a" * 41, "a\0b", "<b>", 5, ["box"], {"name": "box"}, True]
)
def test_a_set_of_no_fit_name_has_nothing_read(phone: Phone, slate: Slate, teach: object) -> None:
    phone.sit()

    answers = [phone.post("/api/scans", {"source": "camera", "teach": teach})]
    if isinstance(teach, str) and teach:
        answers.append(send(phone, form(b"photo", teach=teach)))

    assert {(answer.status, answer.code) for answer in answers} == {(400, "malformed")}
    assert not slate.scanned


def test_a_set_is_chosen_to_be_read_by(phone: Phone) -> None:
    assert phone.call("PUT", "/api/sets/in-use", {"name": "box"}).status == 401
    phone.sit()

    assert phone.call("PUT", "/api/sets/in-use", {"name": "my box"}).json == {"in_use": "my box"}
    assert phone.get("/api/sets").json["in_use"] == "my box"
    assert phone.call("PUT", "/api/sets/in-use", {"name": ""}).status == 200
    assert phone.call("PUT", "/api/sets/in-use", {"name": "other"}).status == 404
    assert phone.call("PUT", "/api/sets/in-use", {"name": "../other"}).status == 400


def test_what_was_not_taught_cannot_be_forgotten(phone: Phone) -> None:
    phone.sit()

    assert phone.call("DELETE", "/api/sets/box/pieces/A").status == 404


def test_strangers_teach_nothing(phone: Phone, slate: Slate) -> None:
    assert phone.post("/api/sets/box/pieces", {"scan": "a1", "labels": {"0": "A"}}).status == 401
    assert phone.call("DELETE", "/api/sets/box/pieces/A").status == 401
    assert not slate.kept


@pytest.mark.parametrize("name", ["..", "...", "%2e%2e", ".hidden", "a%00b", "-", "a" * 41, "a%0ab", " "])
def test_a_name_cannot_lead_out_of_the_data_folder(phone: Phone, slate: Slate, name: str) -> None:
    phone.sit()

    answer = phone.post(f"/api/sets/{name.replace(' ', '%20')}/pieces", {"scan": "a1", "labels": {"0": "A"}})

    assert (answer.status, answer.code) == (400, "malformed")
    assert not slate.kept


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"scan": "a1"},
        {"scan": "a1", "labels": {}},
        {"scan": "a1", "labels": {"x": "A"}},
        {"scan": "a1", "labels": {"-1": "A"}},
        {"scan": "a1", "labels": {"0": "../A"}},
        {"scan": "a1", "labels": {"0": ""}},
        {"scan": "a1", "labels": {"0": 5}},
        {"scan": 1, "labels": {"0": "A"}},
    ],
)
def test_a_lesson_of_another_shape_is_malformed(phone: Phone, slate: Slate, body: object) -> None:
    phone.sit()

    answer = phone.post("/api/sets/box/pieces", body)

    assert (answer.status, answer.code) == (400, "malformed")
    assert not slate.kept


def test_a_table_without_eyes_says_so(table: Table, seats: Seats) -> None:
    here = create_app(table, seats).test_client()
    here.post("/api/seats", json={"code": seats.join_code})

    assert here.get("/api/sets").json == {"sets": [], "in_use": None}
    assert here.post("/api/sets/box/pieces", json={"scan": "a1", "labels": {"0": "A"}}).status_code == 503
    assert here.post("/api/scans", json={"source": "camera", "teach": "box"}).status_code == 503
