"""The stand-in for Picamera2 against what the real one was asked and gave: tests/rigs/picamera2.sh wrote the notes."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, ClassVar

import pytest

from tests.vision import fake_picamera2
from tests.vision.fake_picamera2 import Picamera2
from vision.cameras.picamera import PiCamera

SEEN: dict[str, Any] = json.loads(Path(__file__).with_name("picamera2_seen.json").read_text("utf-8"))
Call = tuple[str, tuple[Any, ...], dict[str, Any], Any]


def seen(call: str, *args: Any) -> dict[str, Any]:
    """The note of a call with these arguments."""
    note: dict[str, Any] = next(n for n in SEEN["calls"] if n["call"] == call and n["args"][: len(args)] == list(args))
    return note


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[Call]:
    """All that our camera class asks of the stand-in from opening to closing."""
    made: list[Call] = []

    class Noted(Picamera2):
        made: ClassVar[list[Picamera2]] = []

    def noting(name: str) -> Any:
        real = getattr(Picamera2, name)

        def noted(self: Noted, *args: Any, **options: Any) -> Any:
            given = real(self, *args, **options)
            made.append((name, args, options, given))
            return given

        return noted

    for name in SEEN["parameters"]:
        monkeypatch.setattr(Noted, name, noting(name), raising=False)
    monkeypatch.setitem(sys.modules, "picamera2", fake_picamera2.module(Noted))
    camera = PiCamera((2304, 1296))
    camera.look()
    camera.photograph()
    camera.close()
    return made


def test_the_real_camera_knows_every_option_that_we_use(calls: list[Call]) -> None:
    asked = {(name, option) for name, _, options, _ in calls for option in options}
    assert ("capture_array", "wait") in asked
    assert [(name, option) for name, option in asked if option not in SEEN["parameters"][name]] == []


def test_the_real_camera_was_configured_as_the_stand_in_is(calls: list[Call]) -> None:
    options = next(options for name, _, options, _ in calls if name == "create_video_configuration")
    assert json.loads(json.dumps(options)) == seen("create_video_configuration")["options"]


def test_the_stand_in_gives_pictures_of_the_real_shapes(calls: list[Call]) -> None:
    given = {args[0]: picture for name, args, _, picture in calls if name == "capture_array"}
    for stream in ("main", "lores"):
        assert seen("capture_array", stream)["gave"] == {
            "shape": list(given[stream].shape),
            "dtype": str(given[stream].dtype),
        }


def test_the_real_camera_says_its_format_where_we_look_for_it(calls: list[Call]) -> None:
    given = next(given for name, _, _, given in calls if name == "camera_configuration")
    assert seen("camera_configuration")["gave"]["main"]["format"] == given["main"]["format"]


def test_the_stand_in_describes_a_camera_with_the_real_keys() -> None:
    assert {"Id", "Model", "Num"} <= SEEN["cameras"][0].keys()
    assert {"Id", "Model", "Num"} <= Picamera2.connected[0].keys()


def test_a_frame_that_does_not_come_in_time_is_told_and_a_second_user_is_refused() -> None:
    assert SEEN["no frame in time"].startswith("TimeoutError")
    assert SEEN["opened twice"].startswith("CameraTrouble")
