"""Watching a table: frames come in, and a still scene that is new is handed out once."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache

import cv2
import numpy as np
import pytest

from tests.vision import piece_shop as shop
from vision.photo import Pixels
from vision.steady import Observation, Watcher

HIGH, WIDE = 360, 640
TILES = list(shop.numbered_tiles(6).values())


@cache
def table_with(tiles: int, hand: float = 0.0, seed: int = 3) -> Pixels:
    """A table with so many tiles on it, and a hand that reaches in so far (0 to 1)."""
    rng = np.random.default_rng(seed)
    grain = cv2.GaussianBlur(rng.normal(0, 1, (HIGH, WIDE)), (0, 0), sigmaX=14, sigmaY=1.5)
    scene = np.clip(np.array([70, 105, 140]) + 90 * grain[:, :, None], 0, 255).astype(np.uint8)
    for index in range(tiles):
        x, y = 60 + 95 * index, 130 + 20 * (index % 3)
        scene[y : y + 70, x : x + 70] = cv2.resize(TILES[index], (70, 70), interpolation=cv2.INTER_AREA)
    if hand:
        reach = int(hand * 260)
        cv2.ellipse(scene, (330, HIGH), (85, reach), 0, 0, 360, (120, 150, 205), -1, cv2.LINE_AA)
        for finger in range(4):
            at = (280 + 34 * finger, HIGH - reach)
            cv2.ellipse(scene, at, (13, 42), 0, 0, 360, (115, 145, 200), -1, cv2.LINE_AA)
    return scene


GRAIN = np.random.default_rng(9).normal(0, 2.5, (HIGH + 64, WIDE + 64, 3)).astype(np.float32)


def noisy(scene: Pixels, seed: int) -> Pixels:
    """The scene with a sensor's noise, another for each seed."""
    y, x = seed * 7 % 64, seed * 13 % 64
    return np.asarray(np.clip(scene + GRAIN[y : y + HIGH, x : x + WIDE], 0, 255), np.uint8)


class Film:
    """Frames at ten a second, shown to a watcher."""

    def __init__(self) -> None:
        self.watcher = Watcher()
        self.frames = 0

    def show(self, scenes: Iterable[Pixels]) -> list[Observation]:
        seen = []
        for scene in scenes:
            seen.append(self.watcher.see(noisy(scene, self.frames), self.frames / 10))
            self.frames += 1
        return seen

    def still(self, scene: Pixels, frames: int = 12) -> list[Observation]:
        return self.show([scene] * frames)


def handed_out(observations: list[Observation]) -> int:
    return sum(bool(observation.to_read) for observation in observations)


def codes(observations: list[Observation]) -> set[str]:
    return {trouble.code for observation in observations for trouble in observation.troubles}


def reaching(tiles: int) -> list[Pixels]:
    return [table_with(tiles, hand) for hand in (0.3, 0.6, 0.9, 1.0, 0.9, 0.6, 0.3)]


def test_a_still_table_is_handed_out_once_and_then_left_alone() -> None:
    seen = Film().still(table_with(3), 30)
    assert handed_out(seen) == 1
    assert seen[-1].state == "read"


def test_nothing_is_handed_out_while_a_hand_moves() -> None:
    film = Film()
    film.still(table_with(2))
    seen = film.show(reaching(2))
    assert handed_out(seen) == 0
    assert seen[-2].state == "moving"


def test_tiles_put_down_are_handed_out_when_the_hand_is_gone() -> None:
    film = Film()
    film.still(table_with(2))
    film.show(reaching(5))
    seen = film.still(table_with(5))
    assert handed_out(seen) == 1


def test_an_unchanged_table_is_not_handed_out_again_after_a_hand_came_and_went() -> None:
    film = Film()
    film.still(table_with(4))
    film.show(reaching(4))
    seen = film.still(table_with(4))
    assert handed_out(seen) == 0
    assert seen[-1].state == "read"


def test_one_tile_taken_away_makes_a_new_scene() -> None:
    film = Film()
    film.still(table_with(5))
    film.show(reaching(4))
    assert handed_out(film.still(table_with(4))) == 1


def test_other_pieces_all_over_the_table_make_a_new_scene() -> None:
    film = Film()
    film.still(table_with(6))
    film.show(reaching(0))
    cards = table_with(0).copy()
    cards[20:200, 40:170] = (40, 50, 160)
    cards[120:330, 420:580] = (40, 50, 160)
    assert handed_out(film.still(cards)) == 1


def test_somebody_who_asks_again_gets_the_same_scene_again() -> None:
    film = Film()
    film.still(table_with(4))
    film.watcher.forget()
    assert handed_out(film.still(table_with(4))) == 1


def test_a_hand_that_rests_on_the_table_is_named_and_nothing_is_read() -> None:
    film = Film()
    film.still(table_with(2))
    film.show(reaching(3)[:3])
    seen = film.still(table_with(3, 0.9), 20)
    assert handed_out(seen) == 0
    assert codes(seen) == {"hand_in_picture"}


def test_what_reaches_in_and_never_goes_does_not_stop_the_reading_for_ever() -> None:
    film = Film()
    film.still(table_with(2))
    film.show(reaching(3)[:3])
    assert handed_out(film.still(table_with(3, 0.9), 70)) == 1


def flickering(scene: Pixels) -> list[Pixels]:
    bands = 1 + 0.12 * np.sin(np.arange(HIGH) / 40)[:, None, None]
    lamps = [1.0, 0.9, 1.08, 0.94]
    lit = [scene * (lamps[i % 4] * np.roll(bands, 37 * i, 0)) for i in range(16)]
    return [np.asarray(np.clip(frame, 0, 255), np.uint8) for frame in lit]


def drifting(scene: Pixels) -> list[Pixels]:
    return [np.asarray(np.clip(scene * (1 - 0.025 * i), 0, 255), np.uint8) for i in range(16)]


def blinking(scene: Pixels) -> list[Pixels]:
    frames = []
    for i in range(16):
        frame = scene.copy()
        if i % 2:
            cv2.circle(frame, (600, 30), 7, (80, 255, 120), -1)
        frames.append(frame)
    return frames


@pytest.mark.parametrize("light", [flickering, drifting, blinking])
def test_light_that_changes_is_not_motion(light: Callable[[Pixels], list[Pixels]]) -> None:
    film = Film()
    film.still(table_with(4))
    seen = film.show(light(table_with(4)))
    assert {observation.state for observation in seen} == {"read"}


def test_the_sharpest_of_the_still_frames_comes_first() -> None:
    watcher = Watcher()
    sharp = table_with(4)
    soft = np.asarray(cv2.GaussianBlur(sharp, (0, 0), 0.9), np.uint8)
    handed: list[Pixels] = []
    for index in range(12):
        shown = sharp if index == 5 else soft
        handed = handed or watcher.see(noisy(shown, index), index / 10).to_read
    assert np.array_equal(handed[0], noisy(sharp, 5))


def test_frames_that_come_too_fast_do_not_settle_before_their_time() -> None:
    watcher = Watcher()
    seen = [watcher.see(noisy(table_with(3), i), i / 100) for i in range(30)]
    assert handed_out(seen) == 0


@pytest.mark.parametrize(
    ("scene", "code"),
    [
        (np.full((HIGH, WIDE, 3), 12, np.uint8), "camera_covered"),
        (np.asarray(table_with(4) * 0.12, np.uint8), "too_dark"),
        (np.asarray(np.clip(table_with(4).astype(np.float64) * 4, 0, 255), np.uint8), "too_bright"),
    ],
)
def test_light_that_cannot_be_read_by_is_named(scene: Pixels, code: str) -> None:
    seen = Film().still(scene)
    assert handed_out(seen) == 0
    assert codes(seen) == {code}


def test_when_the_light_is_back_the_table_is_read() -> None:
    film = Film()
    film.still(np.full((HIGH, WIDE, 3), 5, np.uint8))
    assert handed_out(film.still(table_with(3))) == 1
