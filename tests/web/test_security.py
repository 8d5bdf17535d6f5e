"""Strangers on the same Wi-Fi: each test tries an attack."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
from flask import Flask

from companion.table import Table
from tests.web.conftest import CODE, NEW_GAME, NewPhone, Phone
from web import Settings, create_app
from web.seats import Seats
from web.security import is_own_host, own_names

OWN = frozenset({"localhost", "pi", "pi.local"})


class TestHosts:
    """DNS rebinding: a page from outside reaches the table under a name of its own."""

    @pytest.mark.parametrize(
        "host",
        [
            "evil.example",
            "evil.example:8080",
            "localhost.evil.example",
            "127.0.0.1.evil.example",
            "pi.local.evil",
            "",
            ":80",
        ],
    )
    def test_a_foreign_name_is_refused(self, phone: Phone, host: str) -> None:
        for method, path in (("GET", "/api/table"), ("GET", "/api/table/events"), ("GET", "/"), ("POST", "/api/seats")):
            answer = phone.call(method, path, headers={"Host": host})

            assert (answer.status, answer.code) == (403, "foreign_host")

    @pytest.mark.parametrize(
        "host",
        [
            "localhost",
            "LOCALHOST:8080",
            "pi",
            "pi.local",
            "pi.local.",
            "192.168.1.5",
            "192.168.1.5:80",
            "[::1]:8080",
            "[fe80::1]",
        ],
    )
    def test_its_own_names_and_bare_addresses_are_fine(self, host: str) -> None:
        assert is_own_host(host, OWN)

    @pytest.mark.parametrize(
        "host", ["pi.locals", "xpi", "192.168.1", "1.2.3.4.5", "[::1", "a b", "pi@evil.example", "0x7f.1"]
    )
    def test_what_only_looks_like_them_is_not(self, host: str) -> None:
        assert not is_own_host(host, OWN)

    def test_the_owner_may_name_more(self, table: Table, seats: Seats) -> None:
        page = create_app(table, seats, settings=Settings(names=("Games.Example",))).test_client()

        assert page.get("/healthz", headers={"Host": "games.example:8080"}).status_code == 200
        assert "games.example" in own_names(("Games.Example",))


class TestOtherSites:
    """A page from outside has the phone's browser send a command, cookie and all."""

    @pytest.mark.parametrize(
        "headers",
        [
            {"Origin": "http://evil.example"},
            {"Origin": "null"},
            {"Origin": "http://127.0.0.1"},
            {"Origin": "http://127.0.0.1:1"},
            {"Origin": "http://127.0.0.1.evil.example"},
            {"Origin": "file://"},
            {"Sec-Fetch-Site": "cross-site"},
            {"Sec-Fetch-Site": "same-site"},
            {"Sec-Fetch-Site": "nonsense"},
        ],
    )
    def test_its_posts_are_refused(self, phone: Phone, headers: dict[str, str]) -> None:
        phone.sit()

        for method, path in (("POST", "/api/table/commands"), ("POST", "/api/seats"), ("DELETE", "/api/seats/me")):
            answer = phone.call(method, path, NEW_GAME, headers)
            assert (answer.status, answer.code) == (403, "cross_site")
        assert phone.get("/api/table").json["version"] == 0

    @pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
    def test_a_form_cannot_carry_a_command(self, phone: Phone, kind: str) -> None:
        phone.sit()

        answer = phone.call("POST", "/api/table/commands", NEW_GAME, {"Content-Type": kind})

        assert (answer.status, answer.code) == (415, "wrong_type")

    def test_the_own_page_may_post(self, phone: Phone) -> None:
        own = {"Origin": f"http://127.0.0.1:{phone.port}", "Sec-Fetch-Site": "same-origin"}
        phone.sit()

        assert phone.post("/api/table/commands", NEW_GAME, own).status == 200

    def test_nothing_that_is_read_changes_anything(self, tablet: Phone, app: Flask) -> None:
        paths = [
            str(rule) for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ()) and "<" not in str(rule)
        ]
        assert "/api/seats" in paths
        for path in set(paths) - {"/api/table/events"}:
            tablet.get(path)

        assert tablet.get("/api/table").json["version"] == 1
        assert len(tablet.get("/api/seats").json["seats"]) == 1

    def test_no_other_site_may_read_an_answer(self, phone: Phone) -> None:
        answer = phone.get("/api/table", {"Origin": "http://evil.example"})

        assert not [name for name in answer.headers if name.lower().startswith("access-control")]


@pytest.mark.parametrize(
    "path", ["/", "/healthz", "/api/table", "/api/none", "/none", "/api/seats", "/manifest.webmanifest"]
)
def test_every_answer_binds_the_browser(phone: Phone, path: str) -> None:
    headers = phone.get(path).headers
    rules = dict(rule.strip().split(" ", 1) for rule in headers["Content-Security-Policy"].split(";"))

    assert rules["default-src"] == "'none'"
    assert rules["script-src"] == "'self'"
    assert rules["style-src"] == "'self'"
    assert rules["frame-ancestors"] == "'none'"
    assert rules["base-uri"] == "'none'"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert "Server" not in headers


def test_so_does_a_listening_one(phone: Phone) -> None:
    head = phone.listen().head

    assert "Content-Security-Policy: default-src 'none'" in head
    assert "X-Content-Type-Options: nosniff" in head


@pytest.mark.parametrize("page", ["/", "/join"])
def test_the_page_has_no_script_or_style_inside(phone: Phone, page: str) -> None:
    html = phone.get(page).body.decode()

    assert "<script" in html
    for inline in ("<style", " style=", "onclick=", "onload=", "javascript:"):
        assert inline not in html
    assert all("src=" in tag.split(">")[0] for tag in html.split("<script")[1:])


class TestTakingSeatsOver:
    def test_no_cookie_can_be_made_up(self, tablet: Phone, phone: Phone) -> None:
        seat = tablet.get("/api/seats").json["me"]["id"]
        for value in (str(seat), CODE, "companion", "", "0" * 43, '"', "\\", "a" * 5000):
            phone.cookies = {"companion_seat": value}
            assert phone.do(do="undo").status == 401

    def test_nobody_is_told_a_token_or_the_code(self, tablet: Phone, new_phone: NewPhone) -> None:
        onlooker = new_phone()
        listening = onlooker.listen()
        said = "".join(
            [
                *(onlooker.get(path).body.decode() for path in ("/api/seats", "/api/table", "/api/games", "/")),
                listening.head,
                str(listening.event("seats").data),
            ]
        )

        assert tablet.cookies["companion_seat"] not in said
        assert CODE not in said

    def test_sitting_down_always_makes_a_new_token(self, phone: Phone) -> None:
        """A token that somebody planted in the phone beforehand is worth nothing afterwards."""
        phone.cookies = {"companion_seat": "planted"}
        phone.sit("Ada")

        assert phone.cookies["companion_seat"] != "planted"
        assert len(phone.cookies["companion_seat"]) >= 40

    def test_a_freed_seat_does_not_come_back(self, tablet: Phone, new_phone: NewPhone) -> None:
        thief = new_phone()
        thief.cookies = dict(tablet.cookies)
        tablet.call("DELETE", "/api/seats/me")

        assert thief.do(do="undo").status == 401


@pytest.mark.parametrize(
    "path",
    [
        "/../seats.json",
        "/%2e%2e/seats.json",
        "/..%2fseats.json",
        "/assets/x/../../seats.json",
        "/assets/x/%2e%2e%2f%2e%2e%2fseats.json",
        "/assets/x/..%5c..%5cseats.json",
        "/assets/x//etc/passwd",
        "/static/../seats.json",
        "/texts/x/..%2f..%2fmessages.json",
        "/api/games/..%2f..%2fseats.json/record",
        "/api/description/..%2fseats/data",
        "/api/scans/..%2f..%2fseats.json/photo",
        "//seats.json",
        "/seats.json",
        "/journal.sqlite",
        "/assets/x/\x00",
    ],
)
def test_no_path_leads_to_the_data_folder(tablet: Phone, tmp_path: Path, path: str) -> None:
    assert (tmp_path / "seats.json").exists()
    answer = tablet.call("GET", path.replace("\x00", "%00"))

    assert answer.status in (400, 404, 503)
    assert b"guesses" not in answer.body
    assert b"root:" not in answer.body


def test_no_secret_is_logged(
    phone: Phone,
    new_phone: NewPhone,
    seats: Seats,
    table: Table,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    caplog.set_level(logging.DEBUG)
    phone.sit("Ada")
    phone.sit("Ada", code="NEARLY")
    other = new_phone()
    other.post("/api/seats", {"ask": True, "player": "Ben"})
    seats.let_in()
    other.post("/api/seats", {"ask": True, "player": "Ben"})
    passed = phone.post("/api/seats/hand-over", {}).json["join"].partition("#")[2]
    phone.get(f"/join?code={CODE}")
    monkeypatch.setattr(table, "submit", lambda _line: 1 / 0)
    phone.do(**NEW_GAME)

    assert "failed" in caplog.text
    for secret in (CODE, passed, "NEARLY", *phone.cookies.values(), *other.cookies.values()):
        assert secret not in caplog.text


def test_the_owners_names_outside_are_not_told(phone: Phone) -> None:
    """Errors name no file and no folder of the box."""
    phone.sit()
    bodies = [
        phone.call("POST", "/api/games/import", {"record": "nonsense"}).body,
        phone.get("/api/games/99/record").body,
        phone.call("PUT", "/api/description/pergamon/data", {"data": {"coins": "x"}}).body,
    ]

    for body in bodies:
        assert b"/tmp" not in body
        assert b"error" in body
