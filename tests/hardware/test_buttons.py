"""Pressing the buttons: what counts, and what does no harm."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from hardware.keys import KEYS, Key, Keys
from tests.hardware.bench import Bench


@pytest.fixture
def bench() -> Iterator[Bench]:
    bench = Bench()
    yield bench
    bench.panel.close()


def test_scan_and_next_act_when_pressed(bench: Bench) -> None:
    bench.press("scan")
    bench.press("next")
    assert bench.presses == ["scan", "next"]


def test_a_bouncing_contact_is_one_press(bench: Bench) -> None:
    for _ in range(5):
        bench.down("scan")
        bench.wait(0.004)
        bench.up("scan")
        bench.wait(0.003)
    bench.press("scan")
    for _ in range(5):
        bench.down("scan")
        bench.wait(0.002)
        bench.up("scan")
        bench.wait(0.004)
    bench.wait(1)
    assert bench.presses == ["scan"]


def test_a_spark_shorter_than_any_finger_is_no_press(bench: Bench) -> None:
    bench.down("next")
    bench.wait(0.01)
    bench.up("next")
    bench.wait(1)
    assert bench.presses == []


def test_a_long_press_of_next_counts_once(bench: Bench) -> None:
    bench.press("next", seconds=30)
    assert bench.presses == ["next"]


def test_undo_let_go_too_early_does_nothing(bench: Bench) -> None:
    bench.press("undo", seconds=1.9)
    assert bench.presses == []


def test_undo_acts_when_held_for_two_seconds_and_only_once(bench: Bench) -> None:
    bench.down("undo")
    bench.wait(2.1)
    assert bench.presses == ["undo"]
    bench.wait(20)
    bench.up("undo")
    bench.wait(1)
    assert bench.presses == ["undo"]


def test_scan_and_undo_held_for_five_seconds_switch_off(bench: Bench) -> None:
    bench.down("undo")
    bench.wait(0.3)
    bench.down("scan")
    bench.wait(4.9)
    assert bench.presses == []
    bench.wait(0.3)
    assert bench.presses == ["power_off"]
    bench.wait(10)
    assert bench.presses == ["power_off"]


def test_scan_first_and_undo_after_it_switch_off_too(bench: Bench) -> None:
    bench.down("scan")
    bench.wait(0.3)
    bench.down("undo")
    bench.wait(5.1)
    assert bench.presses == ["scan", "power_off"]


@pytest.mark.parametrize(("first", "other"), [("scan", "undo"), ("undo", "scan")])
def test_letting_one_of_them_go_before_five_seconds_does_nothing(bench: Bench, first: Key, other: Key) -> None:
    bench.down("undo")
    bench.wait(0.3)
    bench.down("scan")
    bench.wait(4)
    bench.up(first)
    bench.wait(10)
    bench.up(other)
    bench.wait(1)
    assert bench.presses == []


def test_all_three_at_once_mean_nothing(bench: Bench) -> None:
    bench.down("undo")
    bench.down("next")
    bench.down("scan")
    bench.wait(10)
    for key in KEYS:
        bench.up(key)
    bench.wait(1)
    assert bench.presses.count("power_off") + bench.presses.count("undo") == 0


def test_next_during_a_hold_of_undo_spoils_the_hold(bench: Bench) -> None:
    bench.down("undo")
    bench.wait(1)
    bench.press("next")
    bench.wait(5)
    bench.up("undo")
    assert bench.presses == []


def test_a_button_that_is_stuck_from_the_start_does_nothing_until_let_go() -> None:
    keys = Keys(stuck=frozenset({"undo"}))
    assert keys.tick(30.0) == []
    keys.edge("undo", False, 31.0)
    assert keys.tick(32.0) == []
    keys.edge("undo", True, 40.0)
    keys.tick(40.1)
    assert keys.tick(42.1) == ["undo"]


def test_a_release_whose_edge_got_lost_is_not_taken_for_a_hold(bench: Bench) -> None:
    bench.down("undo")
    bench.wait(0.1)
    bench.factory.pin(bench.pins.undo)._state = True  # let go, but nobody was told
    bench.wait(10)
    assert bench.presses == []


def test_a_press_that_cannot_be_followed_does_not_stop_the_panel() -> None:
    bench = Bench()

    def fails(_press: object) -> None:
        raise RuntimeError

    bench.panel._on_press = fails
    bench.press("scan")
    bench.panel._on_press = bench.presses.append
    bench.press("scan")
    assert bench.presses == ["scan"]
    bench.panel.close()
