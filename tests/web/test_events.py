"""Listening phones: the newest state for each, whatever the others do."""

from __future__ import annotations

import socket

import pytest

from companion.play import Moment
from companion.table import Table
from tests.web.conftest import CODE, FINDS, NEW_GAME, Clock, NewPhone, Phone, patient, wait_until
from web import create_app
from web.connection import Patience
from web.doorstep import ASKING_SECONDS
from web.seats import Seats
from web.server import Server

STEPS = ({"do": "lay_out", "finds": FINDS}, {"do": "undo"})


def test_a_phone_that_begins_to_listen_is_told_the_state(tablet: Phone, phone: Phone) -> None:
    listening = phone.listen()

    event = listening.event()

    assert "text/event-stream" in listening.head
    assert (event.name, event.id) == ("message", "1")
    assert event.data == tablet.get("/api/table").json


def test_every_accepted_command_is_told_with_its_version(tablet: Phone, new_phone: NewPhone) -> None:
    phones = [new_phone().listen() for _ in range(3)]
    for listening in phones:
        listening.event("message")

    tablet.do(do="lay_out", finds=FINDS)
    tablet.do(do="draw_funds", backs=["bag", "bag"])

    for listening in phones:
        events = [listening.event("message"), listening.event("message")]
        assert [event.id for event in events] == ["2", "3"]
        assert events[1].data["phase"] == "place_figures"


def test_a_refused_command_is_not_told(tablet: Phone, phone: Phone) -> None:
    listening = phone.listen()
    listening.event("message")

    tablet.do(do="lay_out", finds=[])
    tablet.do(do="lay_out", finds=FINDS)

    assert listening.event("message").id == "2"


def test_a_phone_that_comes_back_gets_the_newest_at_once(tablet: Phone, phone: Phone) -> None:
    phone.listen().close()
    tablet.do(do="lay_out", finds=FINDS)
    tablet.do(do="draw_funds", backs=["bag", "bag"])

    assert phone.listen("Last-Event-ID: 1\r\n").event("message").id == "3"


@pytest.mark.parametrize("last", ["3", "999999", "-1", "x", "\x00", ""])
def test_whatever_a_phone_says_it_saw_last_it_gets_the_newest(tablet: Phone, phone: Phone, last: str) -> None:
    tablet.do(do="lay_out", finds=FINDS)

    listening = phone.listen(f"Last-Event-ID: {last}\r\n")

    if last == "\x00":
        assert listening.head.startswith("HTTP/1.1 400")
    else:
        assert listening.event("message").id == "2"


def test_hidden_points_are_told_to_their_player_only(phone: Phone, new_phone: NewPhone) -> None:
    phone.sit()
    phone.do(**NEW_GAME, house_rules={"hidden_points": True})
    ada = new_phone()
    ada.sit("Ada")
    onlooker = new_phone()
    listening = [ada.listen(), onlooker.listen()]
    phone.do(do="lay_out", finds=FINDS)

    seen = []
    for one in listening:
        event = one.event("message")
        while event.id != "2":
            event = one.event("message")
        seen.append([player["name"] for player in event.data["players"] if "points" in player])

    assert seen == [["Ada"], []]


def test_a_phone_whose_seat_is_freed_sees_no_more_than_an_onlooker(phone: Phone, new_phone: NewPhone) -> None:
    phone.sit()
    phone.do(**NEW_GAME, house_rules={"hidden_points": True})
    ada = new_phone()
    seat = ada.sit("Ada").json["seat"]["id"]
    listening = ada.listen()
    assert "points" in listening.event("message").data["players"][0]

    phone.call("DELETE", f"/api/seats/{seat}")

    assert "points" not in listening.event("message").data["players"][0]


def test_phones_hear_who_asks_and_who_sits(phone: Phone, new_phone: NewPhone) -> None:
    listening = phone.listen()
    assert listening.event("seats").data == {"seats": [], "asking": []}

    other = new_phone()
    other.post("/api/seats", {"ask": True, "player": "Ada"})
    assert [ask["player"] for ask in listening.event("seats").data["asking"]] == ["Ada"]

    other.sit("Ada")
    assert [seat["player"] for seat in listening.event("seats").data["seats"]] == ["Ada"]


def test_phones_hear_when_somebody_has_given_up_asking(table: Table, seats: Seats, clock: Clock) -> None:
    with patient(create_app(table, seats), Patience(look_around=0.01)) as server:
        phone = Phone(server.port)
        phone.post("/api/seats", {"ask": True, "player": "Ada"})
        listening = phone.listen()
        assert len(listening.event("seats").data["asking"]) == 1

        clock.now += ASKING_SECONDS

        assert listening.event("seats").data["asking"] == []


def test_quiet_phones_get_a_sign_of_life(table: Table, seats: Seats) -> None:
    with patient(create_app(table, seats), Patience(heartbeat=0.01, look_around=0.01)) as server:
        listening = Phone(server.port).listen()

        lines = iter(listening.file.readline, b"")

        assert b":\n" in lines


def test_a_state_that_cannot_be_shown_to_one_is_still_told_to_the_others(
    tablet: Phone, new_phone: NewPhone, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, onlooker = new_phone(), new_phone()
    ada.sit("Ada")
    listening = [ada.listen(), onlooker.listen()]
    for one in listening:
        one.event("seats")
    view = Moment.view

    def fails_for_ada(moment: Moment, seat: str | None) -> dict[str, object]:
        if seat == "Ada":
            raise ValueError
        return view(moment, seat)

    monkeypatch.setattr(Moment, "view", fails_for_ada)
    tablet.do(do="lay_out", finds=FINDS)

    assert listening[1].event("message").id == "2"
    with pytest.raises(EOFError):
        listening[0].event("message")


class TestSlowPhones:
    def never_reads(self, port: int) -> socket.socket:
        """A phone with a small ear that listens and takes nothing."""
        slow = socket.socket()
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        slow.settimeout(10)
        slow.connect(("127.0.0.1", port))
        slow.sendall(b"GET /api/table/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        return slow

    def play(self, table: Table, times: int) -> None:
        for number in range(times):
            table.submit(str(STEPS[number % 2]).replace("'", '"').encode())

    def test_others_are_told_meanwhile(self, tablet: Phone, server: Server, table: Table, phone: Phone) -> None:
        slow = self.never_reads(server.port)
        wait_until(lambda: len(server.listening) == 1)
        self.play(table, 400)

        listening = phone.listen()

        assert listening.event("message").id == "401"
        assert tablet.get("/healthz").status == 200
        slow.close()

    def test_a_slow_phone_gets_the_newest_not_all_that_it_missed(
        self, tablet: Phone, server: Server, table: Table
    ) -> None:
        assert tablet
        slow = self.never_reads(server.port)
        wait_until(lambda: len(server.listening) == 1)
        self.play(table, 400)

        ids: list[int] = []
        with slow.makefile("rb") as file:
            while ids[-1:] != [401]:
                line = file.readline()
                if line.startswith(b"id: "):
                    ids.append(int(line[4:]))

        assert ids == sorted(ids)
        assert len(ids) < 390
        slow.close()

    def test_a_phone_that_takes_nothing_for_long_is_dropped(self, table: Table, seats: Seats) -> None:
        seats.claim(CODE, None, "")
        with patient(create_app(table, seats), Patience(news_taken=0.01, look_around=0.01)) as server:
            table.submit(b'{"do":"new_game","game":"pergamon","players":["Ada","Ben"]}')
            slow = self.never_reads(server.port)
            wait_until(lambda: len(server.listening) == 1)

            self.play(table, 400)

            wait_until(lambda: not server.listening)
            slow.close()

    def test_a_phone_that_is_gone_is_forgotten(self, phone: Phone, server: Server) -> None:
        listening = phone.listen()
        wait_until(lambda: len(server.listening) == 1)

        listening.close()

        wait_until(lambda: not server.listening and not server.connections)


def test_200_phones_leave_the_page_free(tablet: Phone, server: Server, new_phone: NewPhone) -> None:
    phones = [new_phone().listen() for _ in range(200)]
    wait_until(lambda: len(server.listening) == 200)

    assert tablet.do(do="lay_out", finds=FINDS).status == 200

    for listening in phones:
        event = listening.event("message")
        assert event.id in ("1", "2")
        assert event.id == "2" or listening.event("message").id == "2"
