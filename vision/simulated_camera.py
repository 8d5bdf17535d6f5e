"""The camera called `sim`: it looks at a simulated table on which the pieces lie that the game waits for."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.base import Expected
from vision.cameras.base import WATCHED_WIDTH
from vision.simulated import Scene, Thing, photograph
from vision.simulated_layout import scattered
from vision.simulated_light import Light, Sensor
from vision.simulated_things import hand
from vision.simulated_view import View

Image = NDArray[np.uint8]
Box = Callable[[Expected], Sequence[Thing]]

HANDS_IN: Final = 3
"""So many frames to watch by show a hand at work before the pieces lie still."""
_SURROUNDINGS: Final = (
    ("oak", 4600.0, 8.0),
    ("green felt", 3600.0, 14.0),
    ("linen", 5200.0, 4.0),
    ("walnut", 4000.0, 18.0),
    ("white laminate", 5600.0, 11.0),
    ("gingham", 4300.0, 6.0),
)


class SimulatedCamera:
    """Lays down what the game expects, lets a hand be seen doing it, and then shows it as a camera would."""

    name = "the simulated table"
    live = True

    def __init__(self, box: Box, seed: int = 1, size: tuple[int, int] = (2304, 1296)) -> None:
        self._box = box
        self._seed = seed
        table, kelvin, tilt = _SURROUNDINGS[seed % len(_SURROUNDINGS)]
        view = View(size=size, wide_mm=300.0, tilt=tilt, bulge=0.02)
        self._scene = Scene((), table, view, Light(kelvin=kelvin), Sensor(), seed)
        self._lock = threading.Lock()
        self._expected: Expected | None = None
        self._lays = 0
        self._hands = 0
        self._small: Image | None = None
        self._large: Image | None = None
        self._noise = _sensor_noise(seed)
        self._frames = 0

    def expect(self, expected: Expected | None) -> None:
        """Clears the table and lays down what the game now waits for; the same again changes nothing."""
        with self._lock:
            if expected == self._expected:
                return
            self._expected = expected
            self._lays += 1
            rng = np.random.default_rng([self._seed, self._lays])
            things = scattered(self._scene.view, self._box(expected), rng) if expected else []
            self._scene = replace(self._scene, things=tuple(things))
            self._hands = HANDS_IN
            self._small = self._large = None

    @property
    def lying(self) -> tuple[str, ...]:
        """The pieces that lie on the table."""
        return tuple(thing.label for thing in self._scene.things if thing.label is not None)

    def look(self) -> Image:
        """A small frame; nothing is drawn anew but the noise while the table lies still."""
        with self._lock:
            self._frames += 1
            if self._hands:
                self._hands -= 1
                return self._small_frame(self._with_hand(self._hands))
            if self._small is None:
                self._small = self._small_frame(self._scene)
            dy, dx = (self._frames * 7) % 31, (self._frames * 13) % 29
            height, width = self._small.shape[:2]
            noise = self._noise[dy : dy + height, dx : dx + width]
            return np.asarray(cv2.add(self._small, noise, dtype=cv2.CV_8U), np.uint8)

    def photograph(self) -> Image:
        """The table in full size, hands gone."""
        with self._lock:
            if self._large is None:
                self._large = photograph(self._scene).image
            return self._large.copy()

    def close(self) -> None:
        """Nothing to let go."""

    def _small_frame(self, scene: Scene) -> Image:
        width, height = scene.view.size
        if width > WATCHED_WIDTH:
            size = (WATCHED_WIDTH, round(height * WATCHED_WIDTH / width))
            scene = replace(scene, view=replace(scene.view, size=size))
        return photograph(scene).image

    def _with_hand(self, step: int) -> Scene:
        rng = np.random.default_rng([self._seed, 5])
        reaching = hand(rng, (-60.0 + 55.0 * step, 10.0), -15.0 + 12.0 * step)
        return replace(self._scene, things=(*self._scene.things, reaching))


def _sensor_noise(seed: int) -> NDArray[np.int16]:
    """A patch of noise, larger than a small frame, from which every frame takes another cut."""
    rng = np.random.default_rng([seed, 9])
    return np.round(rng.standard_normal((WATCHED_WIDTH + 40, WATCHED_WIDTH + 40, 3)) * 1.3).astype(np.int16)
