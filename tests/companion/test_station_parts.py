"""The small parts of the station: switching off, working one after another, finding a camera."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

import pytest

from companion.power import switch_off
from companion.worker import MOST_WAITING, Worker
from tests.vision import fake_picamera2
from tests.vision.fake_picamera2 import Picamera2
from vision.cameras.base import CameraTrouble
from vision.cameras.choice import CameraChoice
from vision.cameras.folder import FolderCamera
from vision.cameras.opening import first_there, opener
from vision.cameras.picamera import PiCamera

SIZE = (1280, 720)


def test_a_service_leaves_its_wish_to_switch_off_for_systemd_and_waits_to_be_stopped(tmp_path: Path) -> None:
    assert switch_off(["false"], {"RUNTIME_DIRECTORY": str(tmp_path)})
    assert (tmp_path / "power-off").exists()


def test_by_hand_the_command_is_run_and_the_table_stops_by_itself(tmp_path: Path) -> None:
    assert not switch_off(["touch", str(tmp_path / "off")], {})
    assert (tmp_path / "off").exists()


@pytest.mark.parametrize("command", [[], ["false"], ["/nowhere/at/all"]])
def test_a_machine_that_cannot_be_switched_off_still_stops_the_table(command: list[str]) -> None:
    assert not switch_off(command, {})


def test_a_wish_that_cannot_be_left_stops_the_table(tmp_path: Path) -> None:
    assert not switch_off(["false"], {"RUNTIME_DIRECTORY": str(tmp_path / "gone")})


def test_tasks_are_done_in_order_and_one_that_fails_does_not_end_the_others() -> None:
    worker, done = Worker("worker"), []

    def fail() -> None:
        raise RuntimeError

    worker.start()
    for task in (lambda: done.append(1), fail, lambda: done.append(2)):
        worker.later(task)
    worker.finish()
    worker.stop(timeout=60)
    assert done == [1, 2]


def test_too_many_tasks_at_once_are_left_out_and_stopping_forgets_what_waits() -> None:
    worker, done = Worker("worker"), []
    busy, go_on = threading.Event(), threading.Event()

    def wait() -> None:
        busy.set()
        go_on.wait(60)

    worker.start()
    worker.later(wait)
    assert busy.wait(60)
    for number in range(MOST_WAITING + 5):
        worker.later(lambda number=number: done.append(number))  # type: ignore[misc]  # bound to this number
    go_on.set()
    worker.finish()
    assert done == list(range(MOST_WAITING))
    worker.stop(timeout=60)


def test_the_pi_s_own_camera_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    module = fake_picamera2.module(Picamera2)
    monkeypatch.setitem(sys.modules, "picamera2", module)
    monkeypatch.setattr("vision.cameras.opening.find_spec", lambda _name: object())
    monkeypatch.setattr("vision.cameras.opening.usb_cameras", lambda: [0])
    assert isinstance(first_there(SIZE), PiCamera)


def test_without_any_camera_it_says_what_can_be_done_instead(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.cameras.opening.find_spec", lambda _name: None)
    monkeypatch.setattr("vision.cameras.opening.usb_cameras", list)
    with pytest.raises(CameraTrouble, match="photograph with a phone, enter the pieces by hand, or plug one in"):
        first_there(SIZE)


def test_every_choice_opens_its_camera(tmp_path: Path) -> None:
    def simulated() -> FolderCamera:
        return FolderCamera(tmp_path)

    assert opener(CameraChoice("none"), SIZE, simulated) is None
    assert opener(CameraChoice("sim"), SIZE, simulated) is simulated
    folder = opener(CameraChoice("folder", str(tmp_path)), SIZE, simulated)
    assert folder is not None
    with pytest.raises(CameraTrouble, match="holds no photographs"):
        folder()
