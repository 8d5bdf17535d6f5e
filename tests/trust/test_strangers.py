"""Strangers at a real table: what they try over the network, and what they find if they get hold of its logs."""

from __future__ import annotations

import http.client
import io
import socket
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from click.testing import CliRunner
from PIL import Image

from companion import cli_station
from companion.cli import companion
from companion.report import without_secrets
from tests.faults.real_station import CODE, Phone, Station, running
from tests.faults.targets import house
from web.limits import LARGEST_PHOTO
from web.security import HEADERS

assert cli_station  # adds the commands

COOKIE = "companion_seat"
MEGABYTE = 1_000_000


@pytest.fixture(scope="module")
def station(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Station]:
    with running(tmp_path_factory.mktemp("strangers") / "data") as station:
        yield station


def form(photo: bytes) -> bytes:
    return b'--b\r\nContent-Disposition: form-data; name="photo"; filename="a.png"\r\n\r\n' + photo + b"\r\n--b--\r\n"


def upload(phone: Phone, photo: bytes) -> tuple[int, bytes]:
    return phone.call("POST", "/api/scans", form(photo), "multipart/form-data; boundary=b")


def test_guessing_is_slowed_down_and_neither_a_power_cut_nor_invented_addresses_help(tmp_path: Path) -> None:
    with running(tmp_path) as station:
        guesser = station.phone()
        statuses = [guesser.sit(code=f"GUESS{number}") for number in range(7)]
        assert statuses == [401] * 5 + [429] * 2
    with running(tmp_path) as station:
        guesser = station.phone()
        for number in range(3):
            body = f'{{"code":"GUESS{number}"}}'.encode()
            status, _ = guesser.call("POST", "/api/seats", body, headers={"X-Forwarded-For": f"192.0.2.{number}"})
            assert status == http.client.TOO_MANY_REQUESTS
        assert guesser.sit(code=CODE) == http.client.TOO_MANY_REQUESTS


def test_every_page_and_call_binds_the_browser_and_holds_no_inline_script(station: Station) -> None:
    stranger = station.phone()
    for rule in house().rules:
        if "GET" not in (rule.methods or ()) or rule.rule == "/api/table/events":
            continue
        path = rule.rule
        for name in rule.arguments:
            path = path.replace(f"<int:{name}>", "1").replace(f"<path:{name}>", "x").replace(f"<{name}>", "x")
        line = http.client.HTTPConnection("127.0.0.1", station.port, timeout=60)
        line.request("GET", path)
        answer = line.getresponse()
        body = answer.read()
        line.close()
        assert {name: answer.headers[name] for name in HEADERS} == HEADERS, path
        assert b"<script>" not in body, path
    assert "'unsafe" not in HEADERS["Content-Security-Policy"]
    assert stranger.call("GET", "/healthz")[0] == http.client.OK


def test_a_photograph_of_a_thousand_million_pixels_costs_nothing(station: Station) -> None:
    phone = station.phone()
    assert phone.sit() == http.client.OK
    upload(phone, b"warm up")
    before = station.status("VmRSS")
    bomb = io.BytesIO()
    Image.new("1", (32000, 32000)).save(bomb, "PNG")
    assert len(bomb.getvalue()) < MEGABYTE

    status, text = upload(phone, bomb.getvalue())

    assert (status, b"too large" in text) == (http.client.BAD_REQUEST, True)
    assert station.status("VmRSS") - before < 60_000


def test_photographs_beyond_the_bounds_are_not_taken_in(station: Station) -> None:
    phone = station.phone()
    assert phone.sit() == http.client.OK
    with socket.create_connection(("127.0.0.1", station.port), 20) as wire:
        head = f"POST /api/scans HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: {COOKIE}={phone.cookies[COOKIE]}\r\n"
        wire.sendall(f"{head}Content-Length: {LARGEST_PHOTO + 1}\r\n\r\n".encode())
        assert b" 413 " in wire.recv(4096)


def test_many_large_photographs_at_once_leave_memory_bounded_and_the_page_free(station: Station) -> None:
    phone = station.phone()
    assert phone.sit() == http.client.OK
    statuses: list[int] = []

    def send() -> None:
        sender = Phone(station.port)
        sender.cookies = dict(phone.cookies)
        try:
            statuses.append(upload(sender, bytes(15 * MEGABYTE))[0])
        except OSError:
            statuses.append(0)  # refused before all of it was sent
        sender.hang_up()

    senders = [threading.Thread(target=send) for _ in range(12)]
    for sender in senders:
        sender.start()
    assert phone.call("GET", "/api/table")[0] == http.client.OK
    for sender in senders:
        sender.join()

    assert http.client.OK not in statuses
    assert station.status("VmHWM") < 400_000


@pytest.mark.parametrize(
    "name", ["../../outside", "..", ".", "a/../../b", "/tmp/outside", "a\0b", "..\\outside", "C:x"]
)
def test_no_name_leads_out_of_the_data_folder(station: Station, name: str) -> None:
    phone = station.phone()
    assert phone.sit() == http.client.OK
    lesson = b'{"scan":"x","labels":{"0":"V50J3"}}'
    calls = [
        phone.call("PUT", "/api/sets/in-use", b'{"name":"' + name.replace("\\", "\\\\").encode() + b'"}'),
        phone.call("POST", f"/api/sets/{quote(name, safe='')}/pieces", lesson),
        phone.call("DELETE", f"/api/sets/{quote(name, safe='')}/pieces/x"),
        phone.call("DELETE", f"/api/sets/box/pieces/{quote(name, safe='')}"),
        phone.call("GET", f"/api/scans/{quote(name, safe='')}/photo"),
        phone.call("GET", f"/pergamon/cards/{quote(name, safe='')}.svg"),
        phone.call("PUT", f"/api/description/{quote(name, safe='')}/data", b'{"data":{}}'),
    ]

    assert all(400 <= status < 500 for status, _ in calls), calls


def test_another_players_seat_cannot_be_taken_or_used(station: Station) -> None:
    tablet, ada, thief = station.phone(), station.phone(), station.phone()
    assert tablet.sit() == http.client.OK
    opening = {"do": "new_game", "game": "pergamon", "players": ["Ada", "Ben"], "replace": True}
    assert tablet.post("/api/table/commands", opening)[0] == http.client.OK
    assert (ada.sit("Ada"), thief.sit("Ben")) == (200, 200)
    seats = {seat["player"]: seat["id"] for seat in tablet.get("/api/seats")["seats"]}
    version = tablet.get("/api/table")["version"]

    attacks = [
        thief.call("DELETE", f"/api/seats/{seats['Ada']}")[0],
        thief.call("DELETE", "/api/seats")[0],
        thief.post("/api/table/commands", {"do": "place_figure", "player": "Ada", "space": 7})[0],
        thief.post("/api/seats", {"code": str(seats["Ada"]), "player": "Ada"})[0],
    ]

    assert attacks == [403, 403, 403, 401]
    assert ada.get("/api/seats")["me"]["player"] == "Ada"
    assert tablet.get("/api/table")["version"] == version


def test_nothing_that_a_whole_session_leaves_behind_tells_a_secret(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    (data / "companion.toml").write_text('network.join_code = "FROMFILE9"\n')
    with running(data) as station:
        phone, other, nosy = station.phone(), station.phone(), station.phone()
        phone.sit()
        phone.sit("Ada", code="NEARLYRIGHT")
        other.post("/api/seats", {"ask": True, "player": "Ben"})
        nosy.call("GET", f"/join?code={CODE}")
        nosy.call("GET", f"/api/table?code={CODE}", headers={"Cookie": f"{COOKIE}={phone.cookies[COOKIE]}x"})
        nosy.call("POST", "/api/table/commands", f'{{"code":"{CODE}"'.encode())
        passed = phone.post("/api/seats/hand-over", {})[1]["join"].partition("#")[2]
        upload(phone, b"no photograph")
        bundle = tmp_path / "report.zip"
        result = CliRunner().invoke(companion, ["doctor", "--bundle", str(bundle), "--data", str(data)])
        assert bundle.exists(), result.output
        station.stop()
    left = {"its log": station.said().encode(), "the doctor": result.output.encode()}
    with zipfile.ZipFile(bundle) as report:
        left |= {f"the report's {name}": report.read(name) for name in report.namelist()}
    left |= {
        path.name: path.read_bytes() for path in data.iterdir() if path.is_file() and path.name != "companion.toml"
    }

    secrets = [CODE, "FROMFILE9", "NEARLYRIGHT", passed, *phone.cookies.values(), *other.cookies.values()]
    told = [(where, secret) for where, text in left.items() for secret in secrets if secret.encode() in text]
    assert told == []
    assert b"Traceback" not in left["its log"]


@pytest.mark.parametrize(
    "text",
    [
        'network.join_code = "SECRET42"',
        'network = {port = 1, join_code = "SECRET42"}',
        "[network]\n\"join_code\"='SECRET42'",
        '[network]\njoin_code = """\nSECRET42"""',
    ],
)
def test_a_bug_report_leaves_the_code_out_however_it_was_written(text: str) -> None:
    assert "SECRET42" not in without_secrets(text)
