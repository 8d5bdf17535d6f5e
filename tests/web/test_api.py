"""The table over HTTP: state, commands, and who may give them."""

from __future__ import annotations

import threading

import pytest

from companion.journal import CannotRecord, Journal
from companion.play import Moment
from companion.table import Table
from tests.web.conftest import FINDS, NEW_GAME, NewPhone, Phone
from web import Settings, create_app
from web.seats import Seats


@pytest.fixture
def ada(tablet: Phone, new_phone: NewPhone) -> Phone:
    """Ada's phone, when Ada is to place her figure."""
    tablet.do(do="lay_out", finds=FINDS)
    tablet.do(do="draw_funds", backs=["bag", "chest"])
    phone = new_phone()
    assert phone.sit("Ada").status == 200
    return phone


@pytest.fixture
def ben(ada: Phone, new_phone: NewPhone) -> Phone:
    assert ada
    phone = new_phone()
    assert phone.sit("Ben").status == 200
    return phone


def test_the_table_answers_that_it_works(phone: Phone) -> None:
    assert phone.get("/healthz").status == 200


def test_the_page_learns_how_the_parts_are(phone: Phone, table: Table, seats: Seats) -> None:
    with_parts = create_app(table, seats, settings=Settings(status=lambda: {"camera": {"sight": "gone"}}))

    assert phone.get("/api/status").json == {}
    assert with_parts.test_client().get("/api/status").json == {"camera": {"sight": "gone"}}


def test_before_the_first_game_there_is_a_state_too(phone: Phone) -> None:
    state = phone.get("/api/table").json

    assert (state["game"], state["version"], state["to_act"]) == (None, 0, None)


@pytest.mark.usefixtures("tablet")
def test_anyone_may_read_the_state(phone: Phone) -> None:
    state = phone.get("/api/table").json

    assert state["game"] == "pergamon"
    assert state["version"] == 1
    assert [player["name"] for player in state["players"]] == ["Ada", "Ben"]


def test_a_command_is_answered_with_the_new_version(tablet: Phone) -> None:
    answer = tablet.do(do="lay_out", finds=FINDS)

    assert (answer.status, answer.json) == (200, {"version": 2})
    assert tablet.get("/api/table").json["phase"] == "draw_funds"


def test_names_with_markup_emoji_and_right_to_left_come_back_as_they_are(phone: Phone) -> None:
    names = ["<b>Ada</b>&amp;", "עדה 👩‍🏺"]
    phone.sit()
    phone.do(**{**NEW_GAME, "players": names})

    assert [player["name"] for player in phone.get("/api/table").json["players"]] == names
    assert phone.sit(names[1]).json["player"] == names[1]


class TestWhoMayDoWhat:
    @pytest.mark.usefixtures("tablet")
    def test_without_a_seat_nothing_changes(self, phone: Phone) -> None:
        answer = phone.do(do="lay_out", finds=FINDS)

        assert (answer.status, answer.code) == (401, "no_seat")
        assert phone.get("/api/table").json["version"] == 1

    def test_a_player_does_what_the_table_must_do(self, tablet: Phone, new_phone: NewPhone) -> None:
        ben = new_phone()
        ben.sit("Ben")

        assert tablet.get("/api/table").json["to_act"] is None
        assert ben.do(do="lay_out", finds=FINDS).status == 200

    def test_a_player_does_what_is_theirs_to_do(self, ada: Phone) -> None:
        assert ada.do(do="place_figure", space=2).status == 200

    def test_another_player_may_not(self, ben: Phone) -> None:
        answer = ben.do(do="place_figure", space=2)

        assert (answer.status, answer.code) == (403, "not_yours")
        assert ben.get("/api/table").json["version"] == 3

    def test_nor_in_the_others_name(self, ada: Phone, ben: Phone) -> None:
        assert ada.do(do="place_figure", space=2).status == 200

        answer = ada.do(do="place_figure", player="Ben", space=3)

        assert (answer.status, answer.code) == (403, "not_yours")
        assert ben.do(do="place_figure", player="Ben", space=3).status == 200

    @pytest.mark.usefixtures("ada")
    def test_the_tables_own_device_acts_for_everyone(self, tablet: Phone) -> None:
        assert tablet.do(do="place_figure", player="Ada", space=2).status == 200
        assert tablet.do(do="place_figure", space=3).status == 200

    def test_a_player_may_undo(self, ben: Phone) -> None:
        assert ben.do(do="undo").status == 200

    def test_a_player_may_not_undo_in_anothers_name(self, ben: Phone) -> None:
        assert ben.do(do="undo", player="Ada").status == 403

    def test_a_seat_of_an_earlier_game_only_watches(self, tablet: Phone, ada: Phone) -> None:
        tablet.do(**{**NEW_GAME, "players": ["Cleo", "Dino"], "replace": True})

        for command in ({"do": "lay_out", "finds": FINDS}, {"do": "undo"}, {**NEW_GAME, "replace": True}):
            answer = ada.do(**command)
            assert (answer.status, answer.code) == (403, "not_yours")

    def test_any_seat_begins_a_game_where_none_is_under_way(self, phone: Phone) -> None:
        phone.sit("Ada")

        assert phone.do(**NEW_GAME).json == {"version": 1}

    def test_a_player_may_replace_the_game_by_another(self, ada: Phone) -> None:
        assert ada.do(**NEW_GAME).code == "game_under_way"
        assert ada.do(**NEW_GAME, replace=True).status == 200

    def test_being_quick_does_not_win_anothers_turn(
        self, tablet: Phone, ada: Phone, table: Table, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Between the look at whose turn it is and the command, the table moves on to Ben."""
        submit = table.submit

        def overtaken(line: bytes) -> Moment:
            monkeypatch.setattr(table, "submit", submit)
            submit(b'{"do":"place_figure","space":2}')
            return submit(line)

        monkeypatch.setattr(table, "submit", overtaken)

        answer = ada.do(do="place_figure", space=3)

        assert (answer.status, answer.code) == (403, "not_yours")
        assert tablet.get("/api/table").json["figures"].get("Ben") is None


class TestRefusals:
    def test_a_rule_that_says_no_is_409_and_changes_nothing(self, tablet: Phone) -> None:
        answer = tablet.do(do="lay_out", finds=FINDS[:2])

        assert (answer.status, answer.code) == (409, "wrong_number_of_finds")
        assert answer.json["error"]["message"]
        assert tablet.get("/api/table").json["version"] == 1

    def test_a_command_on_an_older_state_is_refused(self, tablet: Phone) -> None:
        tablet.do(do="lay_out", finds=FINDS, on=1)

        answer = tablet.do(do="draw_funds", backs=["bag", "bag"], on=1)

        assert (answer.status, answer.code) == (409, "stale_state")

    def test_of_many_commands_on_one_state_one_is_carried_out(self, tablet: Phone, new_phone: NewPhone) -> None:
        phones = [new_phone() for _ in range(10)]
        for phone in phones:
            phone.cookies = dict(tablet.cookies)
        statuses: list[int] = []
        threads = [
            threading.Thread(target=lambda p=phone: statuses.append(p.do(do="lay_out", finds=FINDS, on=1).status))
            for phone in phones
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

        assert sorted(statuses) == [200] + [409] * 9
        assert tablet.get("/api/table").json["version"] == 2

    @pytest.mark.parametrize(
        "raw",
        [
            b"",
            b"{",
            b"null",
            b"[]",
            b"7",
            b'"undo"',
            b"{}",
            b'{"do": null}',
            b'{"do": "fly"}',
            b'{"do": "undo", "on": "1"}',
            b'{"do": "undo", "on": true}',
            b'{"do": "undo", "more": 1}',
            b'{"do": "lay_out"}',
            b'{"do": "lay_out", "finds": "V50J3"}',
            b'{"do": "lay_out", "finds": [1, 2]}',
            b'{"do": "lay_out", "finds": [], "player": 5}',
            b'{"do": "new_game", "game": "chess", "players": ["A", "B"], "replace": true}',
            b'{"do": "new_game", "game": "pergamon", "players": ["A"], "replace": true}',
            b'{"do": "lay_out", "finds": ["\xff\xfe"]}',
            b'{"do": "lay_out", "finds": ["\\ud800"]}',
            b'{"do": "lay_out", "finds": ' + b"[" * 20_000,
            b'{"do": "lay_out", "finds": [' + b"9" * 5000 + b"]}",
        ],
    )
    def test_what_is_no_command_is_malformed(self, tablet: Phone, raw: bytes) -> None:
        answer = tablet.call("POST", "/api/table/commands", raw=raw)

        assert (answer.status, answer.code) == (400, "malformed")
        assert tablet.get("/api/table").json["version"] == 1

    def test_a_command_is_sent_as_json(self, tablet: Phone) -> None:
        answer = tablet.call(
            "POST", "/api/table/commands", raw=b'{"do":"undo"}', headers={"Content-Type": "text/plain"}
        )

        assert (answer.status, answer.code) == (415, "wrong_type")

    def test_a_huge_body_is_refused(self, tablet: Phone) -> None:
        answer = tablet.call("POST", "/api/table/commands", raw=b'{"do":"' + b"x" * 100_000 + b'"}')

        assert (answer.status, answer.code) == (413, "too_large")

    @pytest.mark.parametrize(
        ("method", "path", "status", "code"),
        [
            ("GET", "/api/nothing", 404, "not_found"),
            ("GET", "/api/", 404, "not_found"),
            ("GET", "/api/games/x/record", 404, "not_found"),
            ("DELETE", "/api/table", 405, "wrong_method"),
            ("GET", "/api/table/commands", 405, "wrong_method"),
            ("PUT", "/api/seats", 405, "wrong_method"),
            ("BREW", "/api/table", 405, "wrong_method"),
        ],
    )
    def test_wrong_addresses_and_methods_say_so(
        self, phone: Phone, method: str, path: str, status: int, code: str
    ) -> None:
        answer = phone.call(method, path)

        assert (answer.status, answer.code) == (status, code)

    def test_a_failure_inside_shows_no_traceback(
        self, phone: Phone, table: Table, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        phone.sit()
        monkeypatch.setattr(table, "submit", lambda _line: 1 / 0)

        answer = phone.do(**NEW_GAME)

        assert (answer.status, answer.code) == (500, "fault")
        assert "Traceback" not in answer.body.decode()
        assert "division" not in answer.body.decode()


def test_a_disk_that_takes_nothing_is_told_and_gone_once_it_is_mended(
    tablet: Phone, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_args: object) -> None:
        raise CannotRecord("The record could not be written (disk full). Check the disk's space and rights.")

    with monkeypatch.context() as broken:
        broken.setattr(journal, "append", full)
        answer = tablet.do(do="lay_out", finds=FINDS)

        assert (answer.status, answer.code) == (503, "cannot_record")
        assert tablet.get("/api/table").json["version"] == 1

    assert tablet.do(do="lay_out", finds=FINDS).json == {"version": 2}


class TestHiddenPoints:
    @pytest.fixture
    def hidden(self, phone: Phone) -> Phone:
        phone.sit()
        phone.do(**NEW_GAME, house_rules={"hidden_points": True})
        return phone

    def test_a_player_sees_their_own_points_only(self, hidden: Phone, new_phone: NewPhone) -> None:
        assert hidden
        ada = new_phone()
        ada.sit("Ada")

        mine, other = ada.get("/api/table").json["players"]

        assert mine["points"] == 0
        assert "points" not in other

    def test_onlookers_and_the_tables_device_see_none(self, hidden: Phone, new_phone: NewPhone) -> None:
        for phone in (hidden, new_phone()):
            assert all("points" not in player for player in phone.get("/api/table").json["players"])
