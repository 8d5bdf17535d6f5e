"""The lights of the panel, read from its pins."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

import pytest

from hardware.lights import SIGNALS, Board, Showing, Situation
from hardware.pins import Pins
from tests.hardware.bench import Bench


@pytest.fixture
def bench() -> Iterator[Bench]:
    bench = Bench(Pins(buzzer=18))
    yield bench
    bench.panel.close()


def test_the_status_light_is_white_while_the_table_starts(bench: Bench) -> None:
    assert bench.status == "white"
    assert (bench.galleries, bench.players) == ("", "")


def test_every_situation_has_its_signal_and_no_two_look_the_same_but_for_what_comes_next() -> None:
    assert set(SIGNALS) == set(get_args(Situation))
    looks = [(signal.colour, signal.rhythm, signal.next) for signal in SIGNALS.values()]
    assert len(set(looks)) == len(looks)


@pytest.mark.parametrize("situation", get_args(Situation))
def test_the_light_shows_what_the_table_in_the_code_says(bench: Bench, situation: Situation) -> None:
    bench.panel.show(Showing(situation))
    seen = []
    for _ in range(40):
        bench.wait(0.05)
        seen.append(bench.status)
    signal = SIGNALS[situation]
    assert set(seen) == ({signal.colour} if signal.rhythm == "on" else {signal.colour, None})


def test_a_slow_blink_is_once_a_second(bench: Bench) -> None:
    bench.panel.show(Showing("confirm"))
    seen = [_after(bench, 0.25) for _ in range(8)]
    assert seen in (["yellow", "yellow", None, None] * 2, ["yellow", None, None, "yellow"] * 2) or seen[0] is None
    assert seen[:4] == seen[4:]
    assert seen.count("yellow") == 4


def test_lights_of_places_and_players_stand_where_they_should(bench: Bench) -> None:
    board = Board(("on", "off", "on", "off", "on"), ("off", "on", "off", "off"))
    bench.panel.show(Showing("turn", board))
    assert (bench.galleries, bench.players, bench.status) == ("I III V", "blue", "green")


def test_no_light_changes_while_a_photograph_is_taken(bench: Bench) -> None:
    bench.panel.show(Showing("pieces", Board(("slow",) * 5)))
    bench.wait(0.1)
    before = (bench.galleries, bench.players, bench.status)
    with bench.panel.still():
        for _ in range(20):
            bench.wait(0.1)
            assert (bench.galleries, bench.players, bench.status) == before
        bench.panel.show(Showing("fault"))
        assert (bench.galleries, bench.players, bench.status) == before
    bench.wait(0.5)
    assert bench.galleries == ""


def test_two_photographs_at_once_hold_the_lights_until_both_are_taken(bench: Bench) -> None:
    with bench.panel.still():
        with bench.panel.still():
            bench.panel.show(Showing("ready"))
        held = _after(bench, 0.1)
    assert (held, _after(bench, 0.1)) == ("white", "green")


def test_a_refusal_beeps_three_times_and_then_is_silent(bench: Bench) -> None:
    bench.panel.show(Showing("refused"))
    heard = [bool(_after(bench, 0.02) and bench.is_lit(18)) for _ in range(60)]
    starts = sum(now and not before for before, now in zip([False, *heard], heard, strict=False))
    assert starts == 3
    assert not heard[-1]


def test_the_panel_sleeps_while_nothing_blinks(bench: Bench) -> None:
    bench.panel.show(Showing("ready"))
    bench.wait(1)
    assert bench.panel.tick() is None


def test_all_lights_are_out_after_closing() -> None:
    bench = Bench()
    bench.panel.show(Showing("turn", Board(("on",) * 5, ("on",) * 4)))
    bench.panel.close()
    assert (bench.galleries, bench.players, bench.status) == ("", "", None)


def test_the_thread_shows_what_it_is_told_and_ends_when_closed() -> None:
    bench = Bench()
    bench.panel.start()
    bench.panel.show(Showing("ready"))
    bench.panel.close()
    assert bench.panel._thread is not None
    assert not bench.panel._thread.is_alive()


def _after(bench: Bench, seconds: float) -> object:
    bench.wait(seconds)
    return bench.status
