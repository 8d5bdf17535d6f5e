"""The shell, its files and its texts; past games as the page shows them."""

from __future__ import annotations

import gzip
import json
import re
from urllib.parse import unquote

import pytest

from companion.table import Table
from tests.web.browser.quickly import Quickly
from tests.web.conftest import Phone

GZIP = {"Accept-Encoding": "gzip"}


def test_the_shell_has_no_inline_script_or_style(phone: Phone) -> None:
    html = phone.get("/").body.decode()
    assert not re.search(r"<script(?![^>]*src=)|<style|\sstyle=|\son\w+=", html)
    assert phone.get("/join").status == 200


def test_every_file_of_the_shell_is_there_and_may_be_kept_for_ever(phone: Phone) -> None:
    files = re.findall(r'(?:href|src)="(/assets/[^"]+)"', phone.get("/").body.decode())
    assert len(files) > 10
    for file in files:
        answer = phone.get(file)
        assert answer.status == 200, file
        assert "immutable" in answer.headers["Cache-Control"]


def test_an_old_version_still_gets_a_file_but_does_not_keep_it(phone: Phone) -> None:
    assert phone.get("/assets/old/app.css").headers["Cache-Control"] == "no-cache"


def test_files_are_sent_packed_to_those_who_can_unpack(phone: Phone) -> None:
    packed, plain = phone.get("/assets/x/app.css", GZIP), phone.get("/assets/x/app.css")
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.body) == plain.body


@pytest.mark.parametrize("path", ["/", "/pergamon/art.json", "/pergamon/cards/bag.svg"])
def test_what_a_phone_has_already_is_not_sent_again(phone: Phone, path: str) -> None:
    tag = phone.get(path, GZIP).headers["ETag"]
    again = phone.get(path, {**GZIP, "If-None-Match": tag})
    assert (again.status, again.body) == (304, b"")


@pytest.mark.parametrize("path", ["../pages.py", "%2e%2e/pages.py", "js/../../pages.py", "nothing.js", "js"])
def test_only_files_of_the_page_can_be_asked_for(phone: Phone, path: str) -> None:
    assert phone.get(f"/assets/x/{path}").status == 404


@pytest.mark.parametrize(
    ("asked", "cookie", "language"),
    [("de-CH,de;q=0.9,en;q=0.8", "", "de"), ("fr", "", "en"), ("en", "de", "de"), ("de", "xx", "de"), ("", "", "en")],
)
def test_the_language_is_the_owners_choice_else_the_phones(
    phone: Phone, asked: str, cookie: str, language: str
) -> None:
    if cookie:
        phone.cookies["language"] = cookie
    html = phone.get("/", {"Accept-Language": asked}).body.decode()
    assert f'<html lang="{language}"' in html


def test_there_are_texts_in_german_and_in_no_unknown_language(phone: Phone) -> None:
    assert phone.get("/texts/x/de.json").json["Undo"] == "Rückgängig"
    assert phone.get("/texts/x/xx.json").status == 404


def test_a_past_game_is_shown_with_its_result_and_a_link_for_bg_stats(phone: Phone, table: Table) -> None:
    quick = Quickly(table, ["Ada", "<b>Ben & Co"], seed=3)
    while quick.state["phase"] != "over":
        quick.step()
    told = phone.get("/api/games/1").json
    assert told["state"]["winners"] == quick.state["winners"]
    play = json.loads(unquote(told["bg_stats"].partition("?data=")[2]))
    assert {player["name"]: player["score"] for player in play["players"]} == {
        player["name"]: player["points"] for player in quick.state["players"]
    }
    assert [player["name"] for player in play["players"] if player["winner"]] == quick.state["winners"]


def test_an_unfinished_game_hides_what_onlookers_may_not_see(phone: Phone, table: Table) -> None:
    Quickly(table, ["Ada", "Ben"], house_rules={"hidden_points": True}).until(3, "lay_out")
    told = phone.get("/api/games/1").json
    assert "points" not in told["state"]["players"][0]
    assert "bg_stats" not in told


@pytest.mark.parametrize("game_id", ["0", "99", str(2**80)])
def test_a_game_that_is_not_there_is_not_found(phone: Phone, game_id: str) -> None:
    answer = phone.get(f"/api/games/{game_id}")
    assert (answer.status, answer.code) == (404, "unknown_game")


def test_statistics_count_finished_games_only(phone: Phone, table: Table) -> None:
    assert phone.get("/api/statistics").json == {"players": []}
    quick = Quickly(table, ["Ada", "Ben"], seed=3)
    while quick.state["phase"] != "over":
        quick.step()
    points = {player["name"]: player["points"] for player in quick.state["players"]}
    winners = quick.state["winners"]
    Quickly(table, ["Ada", "Zoe"])
    players = {player["name"]: player for player in phone.get("/api/statistics").json["players"]}
    assert set(players) == {"Ada", "Ben"}
    assert players["Ada"] == {
        "name": "Ada",
        "games": 1,
        "won": int("Ada" in winners),
        "best": points["Ada"],
        "average": points["Ada"],
    }
