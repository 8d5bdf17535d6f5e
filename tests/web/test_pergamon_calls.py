"""Pergamon's own calls: pictures, advice, previews. They read, and never change anything."""

from __future__ import annotations

import pytest

from companion.table import Table
from tests.web.conftest import FINDS, Phone


def test_the_drawings_hold_every_find_of_the_printable_set(phone: Phone) -> None:
    drawings = phone.get("/pergamon/art.json").json
    assert len(drawings["teeth"]) == 60
    assert drawings["sprite"].startswith("<svg")
    assert "script" not in drawings["sprite"]


@pytest.mark.parametrize(("name", "status"), [("bag", 200), ("8", 200), ("9", 404), ("../bag", 404)])
def test_a_funds_card_is_drawn_by_its_name(phone: Phone, name: str, status: int) -> None:
    answer = phone.get(f"/pergamon/cards/{name}.svg")
    assert answer.status == status


def test_advice_knows_the_money_once_cards_lie_there(tablet: Phone) -> None:
    assert tablet.get("/api/pergamon/advice").json["funds"] is None
    tablet.do(do="lay_out", finds=FINDS)
    tablet.do(do="draw_funds", backs=["bag", "bag"])
    advice = tablet.get("/api/pergamon/advice").json
    assert set(advice["funds"]["odds"]) == {"2", "3", "4", "5", "6", "7", "8"}
    assert advice["evaluation"]["round"] == 5


def test_advice_for_a_player_who_does_not_play_is_refused(tablet: Phone) -> None:
    answer = tablet.get("/api/pergamon/advice?player=Zoe")
    assert (answer.status, answer.code) == (409, "unknown_player")


def test_a_preview_changes_nothing(tablet: Phone, table: Table) -> None:
    before = table.now
    answer = tablet.post("/api/pergamon/preview", {"player": "Ada", "finds": ["V50J3", "J12M4"]})
    assert (answer.status, answer.code) == (409, "unknown_find")
    assert table.now is before


@pytest.mark.parametrize(
    "body",
    [{}, [], {"player": 1}, {"player": "Ada", "finds": "V50J3"}, {"player": "Ada", "finds": [], "polish": "x"}, "Ada"],
)
def test_a_malformed_preview_is_refused(tablet: Phone, body: object) -> None:
    assert tablet.post("/api/pergamon/preview", body).status == 400


@pytest.mark.parametrize("polish", [-1, 2**70])
def test_a_preview_with_an_impossible_polish_is_refused(tablet: Phone, polish: int) -> None:
    answer = tablet.post("/api/pergamon/preview", {"player": "Ada", "finds": ["V50J3", "J12M4"], "polish": polish})
    assert answer.status in (400, 409)


def test_without_a_game_there_is_no_advice(phone: Phone) -> None:
    assert phone.get("/api/pergamon/advice").code == "wrong_phase"
