"""Past games and the owner's data over HTTP."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.records import LARGEST_RECORD
from tests.companion.games.players import random_game
from tests.web.conftest import FINDS, NEW_GAME, NewPhone, Phone
from web.limits import LARGEST_IMPORT

WHOLE_GAME = b"\n".join(random_game(3)).decode()


def test_the_record_lists_the_newest_first(tablet: Phone) -> None:
    tablet.do(**NEW_GAME, replace=True)

    games = tablet.get("/api/games").json["games"]

    assert [game["id"] for game in games] == [2, 1]
    assert [game["under_way"] for game in games] == [True, False]
    assert tablet.get("/api/games?before=2&limit=5").json["games"] == games[1:]


@pytest.mark.parametrize("query", ["limit=0", "limit=-1", "before=0", "before=99999999999999999999"])
def test_a_page_of_the_record_that_cannot_be_is_malformed(phone: Phone, query: str) -> None:
    assert phone.get(f"/api/games?{query}").status == 400


def test_a_game_goes_out_as_text_and_comes_in_again(tablet: Phone) -> None:
    tablet.do(do="lay_out", finds=FINDS)
    text = tablet.get("/api/games/1/record")
    assert text.headers["Content-Type"].startswith("text/plain")
    assert "attachment" in text.headers["Content-Disposition"]

    answer = tablet.post("/api/games/import", {"record": text.body.decode()})

    assert answer.json == {"games": [2]}
    again = tablet.get("/api/games/2/record").body
    assert again.splitlines()[1:] == text.body.splitlines()[1:]
    assert tablet.get("/api/table").json["version"] == 2


def test_a_whole_game_is_imported_with_its_winners(phone: Phone) -> None:
    phone.sit()

    phone.post("/api/games/import", {"record": WHOLE_GAME})

    assert phone.get("/api/games").json["games"][0]["winners"]


@pytest.mark.parametrize(
    ("record", "status", "code"),
    [
        ("", 400, "malformed"),
        ("hello", 400, "malformed"),
        ("\ud800", 400, "malformed"),
        ('{"do":"undo"}', 409, "nothing_to_undo"),
        ('{"do":"lay_out","finds":[]}', 409, "wrong_phase"),
    ],
)
def test_a_record_that_does_not_play_is_refused_with_its_line(
    phone: Phone, record: str, status: int, code: str
) -> None:
    phone.sit()

    answer = phone.post("/api/games/import", {"record": record})

    assert (answer.status, answer.code) == (status, code)
    assert phone.get("/api/games").json["games"] == []


def test_an_import_has_a_largest_size(phone: Phone) -> None:
    phone.sit()

    assert phone.post("/api/games/import", {"record": "#" * LARGEST_IMPORT}).status == 413
    assert phone.post("/api/games/import", {"record": "#\n" * (LARGEST_RECORD // 2 + 1)}).status == 400


def test_an_unfinished_game_is_taken_up_again(tablet: Phone) -> None:
    tablet.do(do="lay_out", finds=FINDS)
    tablet.do(**{**NEW_GAME, "players": ["Cleo", "Dino"]}, replace=True)

    answer = tablet.post("/api/games/1/resume", {})

    assert answer.json == {"version": 4}
    state = tablet.get("/api/table").json
    assert (state["phase"], state["players"][0]["name"]) == ("draw_funds", "Ada")


def test_those_who_do_not_play_cannot_put_another_game_on_the_table(tablet: Phone, new_phone: NewPhone) -> None:
    ada = new_phone()
    ada.sit("Ada")
    tablet.do(**{**NEW_GAME, "players": ["Cleo", "Dino"]}, replace=True)

    assert ada.post("/api/games/1/resume", {}).status == 403
    assert new_phone().post("/api/games/1/resume", {}).status == 401
    assert new_phone().post("/api/games/import", {"record": WHOLE_GAME}).status == 401


@pytest.mark.parametrize("number", [0, 7, 10**18, 10**30])
def test_games_that_are_not_there_are_not_found(tablet: Phone, number: int) -> None:
    assert tablet.get(f"/api/games/{number}/record").status == 404
    assert tablet.post(f"/api/games/{number}/resume", {}).status == 404


def test_the_page_learns_what_can_be_set_up(phone: Phone) -> None:
    (game,) = phone.get("/api/description").json["games"]

    assert (game["name"], game["fewest_players"], game["most_players"]) == ("pergamon", 2, 4)


class TestOwnersData:
    DATA = "/api/description/pergamon/data"

    def test_it_is_as_shipped_at_first(self, phone: Phone) -> None:
        told = phone.get(self.DATA).json

        assert told["data"]["confirmed"] is False
        assert told["wrong"] is None

    def test_what_was_checked_is_kept_with_the_comments(self, phone: Phone, tmp_path: Path) -> None:
        phone.sit()
        coins = [6, 6, 5, 5, 4, 4, 3, 3, 2, 2, 2, 1, 1]

        answer = phone.call("PUT", self.DATA, {"data": {"confirmed": True, "coins": coins, "raider": {"two_bags": 8}}})

        assert answer.status == 200
        kept = phone.get(self.DATA).json["data"]
        assert (kept["confirmed"], kept["coins"], kept["raider"]["two_bags"]) == (True, coins, 8)
        text = (tmp_path / "pergamon-board.toml").read_text()
        assert text.startswith("# The board of Pergamon")

    def test_the_whole_of_it_may_be_sent_back(self, phone: Phone) -> None:
        phone.sit()
        data = phone.get(self.DATA).json["data"]

        assert phone.call("PUT", self.DATA, {"data": {**data, "confirmed": True}}).json["data"]["confirmed"] is True

    @pytest.mark.parametrize(
        "data",
        [
            {"coins": [1]},
            {"coins": "x\n[evil]"},
            {"coins": {"a": 1}},
            {"unknown": 1},
            {"raider": {"unknown": 1}},
            {"raider": 5},
            {"raider": {"two_bags": 99}},
            {"confirmed": "yes"},
            {"confirmed": None},
            {"a\nb = 1": 2},
        ],
    )
    def test_what_the_game_does_not_know_is_refused(self, phone: Phone, tmp_path: Path, data: object) -> None:
        phone.sit()

        answer = phone.call("PUT", self.DATA, {"data": data})

        assert (answer.status, answer.code) == (400, "malformed")
        assert not (tmp_path / "pergamon-board.toml").exists()

    def test_strangers_change_nothing(self, phone: Phone) -> None:
        assert phone.call("PUT", self.DATA, {"data": {"confirmed": True}}).status == 401

    def test_a_file_that_the_owner_broke_is_said(self, phone: Phone, tmp_path: Path) -> None:
        (tmp_path / "pergamon-board.toml").write_text("confirmed = true\ncoins = [1]\n")

        told = phone.get(self.DATA).json

        assert told["wrong"]["line"] == 2

    def test_a_game_that_is_not_known_has_none(self, phone: Phone) -> None:
        assert phone.get("/api/description/chess/data").status == 404
