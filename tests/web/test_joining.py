"""Seats over HTTP: what a phone does to sit down, and what others may do about it."""

from __future__ import annotations

import re

import cv2
import numpy as np
import pytest

from companion.table import Table
from tests.web.conftest import CODE, NEW_GAME, NewPhone, Phone
from web import Settings, create_app
from web.guesses import EACH_ADDRESS
from web.seats import Seats


def test_the_code_gives_a_seat_that_the_phone_keeps(phone: Phone) -> None:
    answer = phone.sit("Ada")

    assert answer.status == 200
    assert answer.json["player"] == "Ada"
    assert phone.get("/api/seats").json["me"]["player"] == "Ada"


def test_without_a_player_it_is_the_tables_own_device(phone: Phone) -> None:
    assert phone.sit().json["player"] is None
    assert phone.get("/api/seats").json["me"] is not None


def test_the_cookie_is_out_of_reach_for_scripts_and_other_sites(phone: Phone) -> None:
    cookie = phone.sit("Ada").headers["Set-Cookie"]

    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie


def test_a_wrong_code_is_401(phone: Phone) -> None:
    answer = phone.sit("Ada", code="WRONG")

    assert (answer.status, answer.code) == (401, "wrong_code")
    assert "Set-Cookie" not in answer.headers


def test_guessing_is_slowed_down(phone: Phone) -> None:
    for _ in range(EACH_ADDRESS.at_once):
        assert phone.sit("Ada", code="WRONG").status == 401

    answer = phone.sit("Ada")

    assert (answer.status, answer.code) == (429, "too_many_guesses")
    assert 0 < int(answer.headers["Retry-After"]) <= EACH_ADDRESS.seconds_each + 1


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"player": "Ada"},
        {"code": None, "player": "Ada"},
        {"code": 123456},
        {"code": ["TESTED"]},
        {"code": CODE, "player": 5},
        {"code": CODE, "player": ""},
        {"code": CODE, "player": " "},
        {"code": CODE, "player": "A" * 41},
        {"code": CODE, "player": "A\nB"},
        {"ask": "yes"},
        [],
        "TESTED",
        None,
    ],
)
def test_a_claim_of_another_shape_is_malformed(phone: Phone, body: object) -> None:
    answer = phone.post("/api/seats", body, headers={"Content-Type": "application/json"})

    assert (answer.status, answer.code) == (400, "malformed")


@pytest.mark.usefixtures("tablet")
def test_while_a_game_is_under_way_only_its_players_have_seats(phone: Phone) -> None:
    answer = phone.sit("Zoe")

    assert (answer.status, answer.code) == (409, "unknown_player")
    assert phone.sit("Ada").status == 200


def test_asking_is_answered_by_a_press_on_the_box(phone: Phone, seats: Seats) -> None:
    first = phone.post("/api/seats", {"ask": True, "player": "Ada"})
    still = phone.post("/api/seats", {"ask": True, "player": "Ada"})
    seats.let_in()
    then = phone.post("/api/seats", {"ask": True, "player": "Ada"})

    assert [first.status, still.status, then.status] == [202, 202, 200]
    assert phone.get("/api/seats").json["me"]["player"] == "Ada"
    assert phone.do(**NEW_GAME).status == 200


def test_asking_alone_lets_nobody_act(phone: Phone) -> None:
    phone.post("/api/seats", {"ask": True})

    assert phone.do(**NEW_GAME).status == 401


def test_a_phone_at_the_table_lets_another_in(phone: Phone, new_phone: NewPhone) -> None:
    phone.sit()
    other = new_phone()
    other.post("/api/seats", {"ask": True, "player": "Ben"})
    ask = phone.get("/api/seats").json["asking"][0]

    assert other.post("/api/seats/let-in", {"ask": ask["id"]}).status == 401
    assert phone.post("/api/seats/let-in", {"ask": ask["id"]}).status == 200

    assert other.post("/api/seats", {"ask": True, "player": "Ben"}).status == 200
    assert phone.post("/api/seats/let-in", {"ask": ask["id"]}).status == 404


def test_a_phone_gets_up(phone: Phone) -> None:
    phone.sit("Ada")
    kept = dict(phone.cookies)

    assert phone.call("DELETE", "/api/seats/me").status == 200

    phone.cookies = kept
    assert phone.get("/api/seats").json["me"] is None
    assert phone.do(**NEW_GAME).status == 401


def test_only_the_tables_device_frees_others(phone: Phone, new_phone: NewPhone) -> None:
    ada, ben = phone, new_phone()
    ada.sit("Ada")
    bens = ben.sit("Ben").json["seat"]["id"]
    tablet = new_phone()
    tablet.sit()

    assert new_phone().call("DELETE", f"/api/seats/{bens}").status == 401
    assert ada.call("DELETE", f"/api/seats/{bens}").status == 403
    assert tablet.call("DELETE", f"/api/seats/{bens}").status == 200
    assert tablet.call("DELETE", f"/api/seats/{bens}").status == 404
    assert ben.get("/api/seats").json["me"] is None


def test_only_the_tables_device_clears_the_table(phone: Phone, new_phone: NewPhone) -> None:
    phone.sit("Ada")
    tablet = new_phone()
    tablet.sit()

    assert phone.call("DELETE", "/api/seats").status == 403
    assert tablet.call("DELETE", "/api/seats").status == 200
    assert phone.get("/api/seats").json["me"] is None
    assert tablet.get("/api/seats").json["me"] is not None


def test_a_seat_is_handed_over_by_a_link(phone: Phone, new_phone: NewPhone) -> None:
    phone.sit("Ada")
    other = new_phone()
    link = phone.post("/api/seats/hand-over", {}).json["join"]

    answer = other.sit(code=link.partition("#")[2])

    assert answer.json["player"] == "Ada"
    assert phone.get("/api/seats").json["me"] is None


def test_the_link_carries_the_code_where_no_log_and_no_other_site_sees_it(phone: Phone) -> None:
    phone.sit("Ada")

    assert phone.get("/api/seats").json["join"] == f"http://127.0.0.1:{phone.port}/join#{CODE}"


def test_onlookers_see_who_sits_but_not_the_code(phone: Phone, new_phone: NewPhone) -> None:
    phone.sit("Ada")
    onlooker = new_phone()

    answer = onlooker.get("/api/seats")

    assert [seat["player"] for seat in answer.json["seats"]] == ["Ada"]
    assert CODE not in answer.body.decode()
    assert onlooker.get("/api/seats/qr").status == 401


def read_qr(svg: str) -> str:
    """What a phone's camera reads in the picture, which has one stroke for every run of dark modules."""
    size = int(svg.split('viewBox="0 0 ')[1].split()[0])
    pixels = np.full((size, size), 255, np.uint8)
    strokes = svg.split('stroke="#000" d="M')[1].split('"')[0]
    x, y = 0.0, 0.0
    for move, run in re.findall(r"([-\d. ]+)h(\d+)", strokes):
        dx, dy = map(float, move.split())
        x, y = x + dx, y + dy
        pixels[int(y), int(x) : int(x) + int(run)] = 0
        x += int(run)
    large = cv2.resize(pixels, None, fx=8, fy=8, interpolation=cv2.INTER_NEAREST)
    return str(cv2.QRCodeDetector().detectAndDecode(large)[0])


def test_the_qr_code_leads_to_the_same_link(phone: Phone) -> None:
    phone.sit("Ada")

    answer = phone.get("/api/seats/qr")

    assert answer.headers["Content-Type"] == "image/svg+xml"
    assert read_qr(answer.body.decode()) == f"http://127.0.0.1:{phone.port}/join#{CODE}"


def test_on_the_box_itself_the_link_names_the_address_for_phones(table: Table, seats: Seats) -> None:
    here = create_app(table, seats, settings=Settings(address=lambda: "http://pi.local:8080")).test_client()
    here.post("/api/seats", json={"code": CODE})

    told = here.get("/api/seats").json

    assert told
    assert told["join"] == f"http://pi.local:8080/join#{CODE}"
