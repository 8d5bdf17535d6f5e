"""Seats: who may sit down, how guessing is slowed, what outlasts a restart."""

from __future__ import annotations

import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.web.conftest import CODE, Clock
from web.codes import CODE_LENGTH, LETTERS
from web.doorstep import ASKING_SECONDS, MOST_ASKING, SeatRefused
from web.guesses import ALL_TOGETHER, EACH_ADDRESS
from web.seats import MOST_SEATS, PASS_SECONDS, Seats

PHONE = "192.168.1.20"


@pytest.fixture
def reopened(tmp_path: Path, clock: Clock) -> Callable[[], Seats]:
    """The seats as the next start of the box finds them."""
    return lambda: Seats(tmp_path / "seats.json", CODE, clock)


def refused(seats: Seats, code: str, address: str = PHONE) -> str:
    with pytest.raises(SeatRefused) as refusal:
        seats.claim(code, "Ada", address)
    return refusal.value.code


def test_the_join_code_gives_a_seat(seats: Seats) -> None:
    token, seat = seats.claim(CODE, "Ada", PHONE)

    assert seat.player == "Ada"
    assert seats.seat_of(token) == seat


def test_a_code_may_be_typed_small_and_with_gaps(seats: Seats) -> None:
    _, seat = seats.claim("tes-t ed", "Ada", PHONE)

    assert seat.player == "Ada"


def test_a_wrong_code_gives_none(seats: Seats) -> None:
    assert refused(seats, "WRONG") == "wrong_code"
    assert seats.all == ()


@pytest.mark.parametrize("token", [None, "", "x", "companion", "\udcff"])
def test_an_invented_token_holds_no_seat(seats: Seats, token: str | None) -> None:
    seats.claim(CODE, "Ada", PHONE)

    assert seats.seat_of(token) is None


def test_a_code_made_here_is_hard_to_guess_and_easy_to_read(tmp_path: Path) -> None:
    codes = {Seats(tmp_path / f"{number}.json").join_code for number in range(20)}

    assert len(codes) == 20
    assert all(len(code) == CODE_LENGTH and set(code) <= set(LETTERS) for code in codes)
    assert not set(LETTERS) & set("0O1IL2Z5S8B")


def test_at_the_allowed_pace_a_code_outlasts_years_of_guessing() -> None:
    guesses_a_year = 365 * 24 * 3600 / ALL_TOGETHER.seconds_each

    assert len(LETTERS) ** CODE_LENGTH / guesses_a_year > 50


def test_a_code_made_here_stays_the_same(tmp_path: Path) -> None:
    code = Seats(tmp_path / "seats.json").join_code

    assert Seats(tmp_path / "seats.json").join_code == code


@pytest.mark.parametrize("code", ["", " ", "--"])
def test_a_join_code_of_nothing_is_refused(tmp_path: Path, code: str) -> None:
    with pytest.raises(ValueError, match="letters or digits"):
        Seats(tmp_path / "seats.json", code)


def test_seats_outlast_a_restart(seats: Seats, reopened: Callable[[], Seats]) -> None:
    token, seat = seats.claim(CODE, "Ada", PHONE)

    assert reopened().seat_of(token) == seat


def test_the_file_is_for_the_owner_only_and_holds_no_token(seats: Seats, tmp_path: Path) -> None:
    token, _ = seats.claim(CODE, "Ada", PHONE)
    file = tmp_path / "seats.json"

    assert token not in file.read_text()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


@pytest.mark.parametrize("damage", [b"", b"{", b'{"code": 5}', b"\xff\xfe", b"[]"])
def test_a_damaged_file_is_put_aside_and_phones_join_again(tmp_path: Path, clock: Clock, damage: bytes) -> None:
    file = tmp_path / "seats.json"
    file.write_bytes(damage)

    seats = Seats(file, CODE, clock)

    assert seats.all == ()
    assert file.with_suffix(".damaged").read_bytes() == damage
    assert seats.claim(CODE, "Ada", PHONE)[1].player == "Ada"


def test_a_phone_that_sits_down_again_gives_up_its_old_seat(seats: Seats) -> None:
    old, _ = seats.claim(CODE, "Ada", PHONE)

    new, seat = seats.claim(CODE, "Ben", PHONE, old)

    assert seats.seat_of(old) is None
    assert seats.seat_of(new) == seat
    assert seats.all == (seat,)


def test_two_phones_may_sit_for_one_player(seats: Seats) -> None:
    first, _ = seats.claim(CODE, "Ada", PHONE)
    seats.claim(CODE, "Ada", "192.168.1.21")

    assert seats.seat_of(first) is not None
    assert [seat.player for seat in seats.all] == ["Ada", "Ada"]


def test_a_freed_seat_is_nobodys(seats: Seats, reopened: Callable[[], Seats]) -> None:
    token, seat = seats.claim(CODE, "Ada", PHONE)

    assert seats.free(seat.id)
    assert not seats.free(seat.id)
    assert seats.seat_of(token) is None
    assert reopened().seat_of(token) is None


def test_forgotten_seats_make_room(seats: Seats) -> None:
    first, _ = seats.claim(CODE, "Ada", PHONE)
    for _ in range(MOST_SEATS):
        seats.claim(CODE, "Ben", PHONE)

    assert len(seats.all) == MOST_SEATS
    assert seats.seat_of(first) is None


def test_clearing_the_table_keeps_one_seat_and_changes_the_code(tmp_path: Path, clock: Clock) -> None:
    seats = Seats(tmp_path / "seats.json", clock=clock)
    old_code = seats.join_code
    mine, seat = seats.claim(old_code, None, PHONE)
    other, _ = seats.claim(old_code, "Ada", PHONE)

    seats.start_afresh(keep=seat)

    assert seats.seat_of(mine) == seat
    assert seats.seat_of(other) is None
    assert seats.join_code != old_code
    assert refused(seats, old_code) == "wrong_code"


class TestGuessing:
    def test_after_some_wrong_codes_even_the_right_one_has_to_wait(self, seats: Seats) -> None:
        for _ in range(EACH_ADDRESS.at_once):
            assert refused(seats, "WRONG") == "wrong_code"

        assert refused(seats, "WRONG") == "too_many_guesses"
        assert refused(seats, CODE) == "too_many_guesses"

    def test_others_do_not_have_to_wait_for_one_who_guesses(self, seats: Seats) -> None:
        for _ in range(EACH_ADDRESS.at_once):
            refused(seats, "WRONG")

        assert seats.claim(CODE, "Ada", "192.168.1.99")[1].player == "Ada"

    def test_waiting_helps(self, seats: Seats, clock: Clock) -> None:
        for _ in range(EACH_ADDRESS.at_once):
            refused(seats, "WRONG")

        clock.now += EACH_ADDRESS.seconds_each

        assert seats.claim(CODE, "Ada", PHONE)[1].player == "Ada"

    def test_changing_addresses_does_not_help(self, seats: Seats) -> None:
        answers = [refused(seats, "WRONG", f"10.0.{n // 250}.{n % 250}") for n in range(1000)]

        assert answers.count("wrong_code") == ALL_TOGETHER.at_once

    def test_a_restart_does_not_help(self, seats: Seats, reopened: Callable[[], Seats]) -> None:
        for _ in range(EACH_ADDRESS.at_once):
            refused(seats, "WRONG")

        assert refused(reopened(), CODE) == "too_many_guesses"

    def test_a_restart_does_not_help_those_who_change_addresses(
        self, seats: Seats, reopened: Callable[[], Seats]
    ) -> None:
        for number in range(ALL_TOGETHER.at_once):
            refused(seats, "WRONG", f"10.0.0.{number}")

        assert refused(reopened(), "WRONG", "10.0.9.9") == "too_many_guesses"

    def test_a_clock_that_starts_anew_frees_nobody_and_locks_nobody_out(self, seats: Seats, tmp_path: Path) -> None:
        for _ in range(EACH_ADDRESS.at_once):
            refused(seats, "WRONG")
        clock = Clock()
        clock.now = 3.0

        again = Seats(tmp_path / "seats.json", CODE, clock)

        assert refused(again, CODE) == "too_many_guesses"
        clock.now += EACH_ADDRESS.seconds_each
        assert again.claim(CODE, "Ada", PHONE)[1].player == "Ada"


class TestAsking:
    def test_next_on_the_box_lets_in_who_asks(self, seats: Seats) -> None:
        ask_token, seat = seats.ask("Ada", PHONE, None)
        assert seat is None
        assert [ask.player for ask in seats.asking] == ["Ada"]

        let_in = seats.let_in()

        token, seat = seats.ask("Ada", PHONE, ask_token)
        assert let_in is not None
        assert seat is not None
        assert seats.seat_of(token) == seat
        assert seats.asking == ()

    def test_asking_alone_gives_no_seat(self, seats: Seats) -> None:
        ask_token, _ = seats.ask("Ada", PHONE, None)

        again, seat = seats.ask("Ada", PHONE, ask_token)

        assert seat is None
        assert seats.seat_of(again) is None
        assert len(seats.asking) == 1

    def test_without_anyone_asking_next_lets_nobody_in(self, seats: Seats) -> None:
        assert seats.let_in() is None

    def test_one_press_lets_one_in_the_longest_waiting_first(self, seats: Seats) -> None:
        ada, _ = seats.ask("Ada", "10.0.0.1", None)
        ben, _ = seats.ask("Ben", "10.0.0.2", None)

        seats.let_in()

        assert seats.ask("Ada", "10.0.0.1", ada)[1] is not None
        assert seats.ask("Ben", "10.0.0.2", ben)[1] is None

    def test_whoever_was_let_in_gets_one_seat_not_two(self, seats: Seats) -> None:
        ask_token, _ = seats.ask("Ada", PHONE, None)
        seats.let_in()
        seats.ask("Ada", PHONE, ask_token)

        assert seats.ask("Ada", PHONE, ask_token)[1] is None
        assert len(seats.all) == 1

    def test_another_phone_cannot_take_the_seat_that_was_granted(self, seats: Seats) -> None:
        seats.ask("Ada", PHONE, None)
        seats.let_in()

        assert seats.ask("Ada", "10.9.9.9", None)[1] is None
        assert seats.ask("Ada", "10.9.9.9", "invented")[1] is None
        assert seats.ask("Ben", PHONE, None)[1] is None

    def test_a_phone_without_cookies_is_known_by_its_address(self, seats: Seats) -> None:
        seats.ask("Ada", PHONE, None)
        seats.let_in()

        token, seat = seats.ask("Ada", PHONE, None)

        assert seat is not None
        assert seats.seat_of(token) == seat

    def test_asking_is_forgotten_after_a_while(self, seats: Seats, clock: Clock) -> None:
        seats.ask("Ada", PHONE, None)

        clock.now += ASKING_SECONDS

        assert seats.asking == ()
        assert seats.let_in() is None

    def test_a_granted_seat_must_be_taken_in_time(self, seats: Seats, clock: Clock) -> None:
        ask_token, _ = seats.ask("Ada", PHONE, None)
        seats.let_in()

        clock.now += ASKING_SECONDS

        assert seats.ask("Ada", PHONE, ask_token)[1] is None

    def test_strangers_cannot_pile_up_questions(self, seats: Seats) -> None:
        for number in range(MOST_ASKING):
            seats.ask("Ada", f"10.0.0.{number}", None)

        with pytest.raises(SeatRefused, match="wait a little"):
            seats.ask("Ada", "10.0.0.99", None)

    def test_nor_can_one_of_them_take_every_place(self, seats: Seats) -> None:
        for number in range(50):
            seats.ask(f"Stranger {number}", "10.6.6.6", None)

        seats.ask("Ada", PHONE, None)

        assert [ask.player for ask in seats.asking][-1] == "Ada"
        assert len(seats.asking) <= 4

    def test_listeners_hear_of_questions_and_seats(self, seats: Seats) -> None:
        heard: list[int] = []
        stop = seats.listen(lambda: heard.append(len(seats.asking)))
        ask_token, _ = seats.ask("Ada", PHONE, None)
        seats.let_in()
        seats.ask("Ada", PHONE, ask_token)
        stop()
        seats.claim(CODE, "Ben", PHONE)

        assert heard == [1, 0, 0]


class TestHandingOver:
    def test_a_pass_moves_the_seat_to_another_phone(self, seats: Seats) -> None:
        old, seat = seats.claim(CODE, "Ada", PHONE)

        new, got = seats.claim(seats.hand_over(seat), None, "10.0.0.7")

        assert got.player == "Ada"
        assert seats.seat_of(new) == got
        assert seats.seat_of(old) is None

    def test_a_pass_is_good_once(self, seats: Seats) -> None:
        _, seat = seats.claim(CODE, "Ada", PHONE)
        code = seats.hand_over(seat)
        seats.claim(code, None, "10.0.0.7")

        assert refused(seats, code) == "wrong_code"

    def test_a_pass_runs_out(self, seats: Seats, clock: Clock) -> None:
        _, seat = seats.claim(CODE, "Ada", PHONE)
        code = seats.hand_over(seat)

        clock.now += PASS_SECONDS

        assert refused(seats, code) == "wrong_code"

    def test_a_freed_seat_cannot_be_handed_over(self, seats: Seats) -> None:
        _, seat = seats.claim(CODE, "Ada", PHONE)
        code = seats.hand_over(seat)
        seats.free(seat.id)

        assert refused(seats, code) == "wrong_code"


def test_a_disk_that_takes_nothing_gives_no_seat_and_keeps_the_old_ones(seats: Seats, tmp_path: Path) -> None:
    token, seat = seats.claim(CODE, "Ada", PHONE)
    (tmp_path / "seats.new").mkdir()

    assert refused(seats, CODE) == "cannot_record"
    assert seats.all == (seat,)

    (tmp_path / "seats.new").rmdir()
    assert seats.seat_of(token) == seat
    assert seats.claim(CODE, "Ben", PHONE)[1].player == "Ben"
