"""The camera thread: cameras that go, come back or hang harm nobody."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from vision.cameras import eye as eye_module
from vision.cameras.base import CameraTrouble, NoPictureNow
from vision.cameras.eye import Eye, EyeState, Sight
from vision.photo import Pixels

PATIENCE = 10.0
"""Seconds after which a test gives up; none waits so long when all is well."""


class FakeCamera:
    """A camera that can be unplugged, and whose calls can be made to hang."""

    name = "fake camera"

    def __init__(self, live: bool = True) -> None:
        self.live = live
        self.plugged_in = True
        self.answers = threading.Event()
        self.answers.set()
        self.stuck = threading.Event()
        self.opened = 0
        self.closed = 0
        self.photographs = 0

    def open(self) -> FakeCamera:
        self._must_be_there()
        self.opened += 1
        return self

    def look(self) -> Pixels:
        self._must_be_there()
        self._answer()
        return np.zeros((4, 4, 3), np.uint8)

    def photograph(self) -> Pixels:
        self._must_be_there()
        self._answer()
        self.photographs += 1
        return np.full((8, 8, 3), self.photographs, np.uint8)

    def close(self) -> None:
        self.closed += 1

    def hang(self) -> None:
        """From now on no call comes back; returns when one hangs."""
        self.answers.clear()
        assert self.stuck.wait(PATIENCE)

    def _answer(self) -> None:
        if not self.answers.is_set():
            self.stuck.set()
            self.answers.wait(PATIENCE)

    def _must_be_there(self) -> None:
        if not self.plugged_in:
            raise CameraTrouble("The camera was unplugged: plug it in again.")


class Watched:
    """An eye on a fake camera, with what it told and a clock of its own."""

    def __init__(
        self,
        camera: FakeCamera,
        wanted: bool = True,
        open_camera: Callable[[], FakeCamera] | None = None,
        patience: float = eye_module.ANSWERING,
    ) -> None:
        self.camera = camera
        self.now = 0.0
        self.states: queue.Queue[EyeState] = queue.Queue()
        self.frames: queue.Queue[Pixels] = queue.Queue()
        self.eye = Eye(
            open_camera or camera.open,
            self.frames.put,
            frames_a_second=1000,
            wanted=wanted,
            patience=patience,
            clock=lambda: self.now,
        )
        self.eye.listen(self.states.put)

    def becomes(self, sight: Sight) -> EyeState:
        while True:
            state = self.states.get(timeout=PATIENCE)
            if state.sight == sight:
                return state


def _ask(watched: Watched, answers: queue.Queue[str]) -> threading.Thread:
    """Somebody who waits for a photograph, and what they are told instead."""

    def ask() -> None:
        try:
            watched.eye.photograph()
        except CameraTrouble as trouble:
            answers.put(str(trouble))

    asking = threading.Thread(target=ask)
    asking.start()
    return asking


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(eye_module, "RETRY", 0.005)
    monkeypatch.setattr(eye_module, "STILL_THERE", 0.005)


@pytest.fixture
def watched() -> Iterator[Watched]:
    watched = Watched(FakeCamera())
    watched.eye.start()
    watched.becomes("ready")
    yield watched
    watched.camera.answers.set()
    assert watched.eye.stop(PATIENCE)


def test_a_photograph_comes_from_the_camera_thread(watched: Watched) -> None:
    assert watched.eye.photograph().shape == (8, 8, 3)
    assert watched.eye.state == EyeState("ready", "fake camera", live=True)


def test_frames_are_passed_on_only_while_watching(watched: Watched) -> None:
    assert watched.frames.empty()
    watched.eye.watch(True)
    assert watched.frames.get(timeout=PATIENCE).shape == (4, 4, 3)


def test_a_watcher_that_fails_does_not_stop_the_camera(watched: Watched) -> None:
    failed = threading.Event()

    def fail(_frame: Pixels) -> None:
        failed.set()
        raise RuntimeError

    watched.eye._on_frame = fail
    watched.eye.watch(True)
    assert failed.wait(PATIENCE)
    assert watched.eye.photograph().shape == (8, 8, 3)


def test_a_camera_that_is_unplugged_is_noticed_without_anybody_asking_and_taken_back(watched: Watched) -> None:
    watched.camera.plugged_in = False
    away = watched.becomes("away")
    assert away.message == "The camera was unplugged: plug it in again."
    with pytest.raises(CameraTrouble, match="unplugged"):
        watched.eye.photograph()
    watched.camera.plugged_in = True
    watched.becomes("ready")
    assert watched.eye.photograph().shape == (8, 8, 3)
    assert (watched.camera.opened, watched.camera.closed) == (2, 1)


def test_whoever_waits_for_a_photograph_when_the_camera_is_unplugged_is_told(watched: Watched) -> None:
    watched.camera.hang()
    answers: queue.Queue[str] = queue.Queue()
    asking = _ask(watched, answers)
    watched.camera.plugged_in = False
    watched.camera.answers.set()
    watched.becomes("away")
    asking.join(PATIENCE)
    assert "unplugged" in answers.get(timeout=PATIENCE)


def test_a_camera_that_hangs_is_noticed_said_and_left(watched: Watched) -> None:
    watched.camera.hang()
    answers: queue.Queue[str] = queue.Queue()
    asking = _ask(watched, answers)
    watched.now += 100
    watched.eye.check()
    assert "hangs" in watched.becomes("hanging").message
    assert "hangs" in answers.get(timeout=PATIENCE)
    with pytest.raises(CameraTrouble, match="hangs"):
        watched.eye.photograph()
    watched.camera.answers.set()
    watched.now += 100
    watched.eye.check()
    watched.becomes("ready")
    asking.join(PATIENCE)
    assert watched.eye.photograph().shape == (8, 8, 3)


def test_a_call_that_is_only_slow_is_not_taken_for_a_hang(watched: Watched) -> None:
    watched.now += 5
    watched.eye.check()
    assert watched.eye.state.sight == "ready"


def test_a_camera_whose_frames_are_drawn_may_take_longer_on_a_slow_machine() -> None:
    watched = Watched(FakeCamera(), patience=eye_module.DRAWING)
    watched.eye.start()
    watched.becomes("ready")
    watched.camera.answers.clear()
    watched.eye.watch(True)
    assert watched.camera.stuck.wait(PATIENCE)
    sights: list[str] = []
    for now in (eye_module.ANSWERING + 30, eye_module.DRAWING + 1):
        watched.now = now
        watched.eye.check()
        sights.append(watched.eye.state.sight)
    assert sights == ["ready", "hanging"]
    watched.camera.answers.set()
    assert watched.eye.stop(PATIENCE)


def test_a_camera_that_nobody_asked_for_and_that_is_not_there_is_no_trouble() -> None:
    camera = FakeCamera()
    camera.plugged_in = False
    watched = Watched(camera, wanted=False)
    watched.eye.start()
    watched.becomes("none")
    camera.plugged_in = True
    watched.becomes("ready")
    camera.plugged_in = False
    watched.becomes("away")
    assert watched.eye.stop(PATIENCE)


def test_a_driver_that_breaks_in_its_own_way_is_a_camera_that_is_away() -> None:
    def breaks() -> FakeCamera:
        raise OSError("VIDIOC_DQBUF")

    watched = Watched(FakeCamera(), open_camera=breaks)
    watched.eye.start()
    assert watched.becomes("away").message == "The camera failed; it is tried again."
    assert watched.eye.stop(PATIENCE)


def test_stopping_does_not_wait_for_a_camera_that_hangs() -> None:
    watched = Watched(FakeCamera())
    watched.eye.start()
    watched.becomes("ready")
    watched.camera.hang()
    assert not watched.eye.stop(timeout=0.01)
    watched.camera.answers.set()


def test_a_camera_that_has_nothing_to_show_now_is_not_taken_for_one_that_is_gone(watched: Watched) -> None:
    def nothing() -> Pixels:
        raise NoPictureNow("All photographs have been shown.")

    watched.camera.photograph = nothing  # type: ignore[method-assign]  # a folder that is at its end
    with pytest.raises(CameraTrouble, match="have been shown"):
        watched.eye.photograph()
    assert (watched.eye.state.sight, watched.camera.closed) == ("ready", 0)


def test_the_camera_is_let_go_when_the_eye_stops() -> None:
    watched = Watched(FakeCamera())
    watched.eye.start()
    watched.becomes("ready")
    assert watched.eye.stop(PATIENCE)
    assert watched.camera.closed == 1
