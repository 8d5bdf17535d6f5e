"""The cameras behind the protocol: the Pi's own, USB, a folder of photographs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import ClassVar

import cv2
import numpy as np
import pytest

from tests.vision import fake_picamera2
from tests.vision.fake_picamera2 import BLUE, GREEN, RED, Picamera2
from vision.cameras.base import CameraTrouble, shrunk
from vision.cameras.choice import CameraChoice, WrongCamera
from vision.cameras.folder import FolderCamera
from vision.cameras.picamera import LIGHT_CHANGED_LOOKS, PiCamera, pi_cameras
from vision.cameras.usb import UsbCamera, usb_cameras

SIZE = (2304, 1296)


@pytest.fixture
def pi(monkeypatch: pytest.MonkeyPatch) -> type[Picamera2]:
    """A Pi with a Camera Module 3; tests change what this class says to have another one."""

    class Connected(Picamera2):
        made: ClassVar[list[Picamera2]] = []

    monkeypatch.setitem(sys.modules, "picamera2", fake_picamera2.module(Connected))
    return Connected


def test_cameras_are_called_as_on_the_command_line() -> None:
    assert CameraChoice.parse("usb") == ("usb", "")
    assert CameraChoice.parse("usb:1") == ("usb", "1")
    assert CameraChoice.parse("folder:an evening") == ("folder", "an evening")
    assert str(CameraChoice.parse("folder:x:y")) == "folder:x:y"


@pytest.mark.parametrize("wrong", ["", "webcam", "usb:", "usb:x", "folder:", "SIM", "sim:3"])
def test_a_camera_that_there_is_not_is_refused_with_those_that_there_are(wrong: str) -> None:
    with pytest.raises(WrongCamera, match="picamera2, usb, usb:N"):
        CameraChoice.parse(wrong)


def test_a_photograph_of_the_pi_has_its_colours_in_the_order_that_the_reader_takes(pi: type[Picamera2]) -> None:
    photograph = PiCamera(SIZE).photograph()
    assert photograph.shape == (1296, 2304, 3)
    assert photograph[0, 0].tolist() == [BLUE, GREEN, RED]
    assert pi.made[0].configuration["main"]["format"] == "RGB888"


def test_a_photograph_begins_after_it_was_asked_for(pi: type[Picamera2]) -> None:
    camera = PiCamera(SIZE)
    pi.made[0].asked.clear()
    camera.photograph()
    assert pi.made[0].asked == ["lores", "main"]
    assert pi.made[0].configuration["queue"] is False


def test_a_frame_to_watch_by_is_small_and_in_colour(pi: type[Picamera2]) -> None:
    frame = PiCamera(SIZE).look()
    assert frame.shape == (360, 640, 3)
    assert np.ptp(frame[0, 0].astype(int)) <= 3
    assert len(pi.made) == 1


def test_exposure_and_white_balance_are_locked_once_they_have_settled(pi: type[Picamera2]) -> None:
    PiCamera(SIZE)
    locked = pi.made[0].controls
    assert (locked["AeEnable"], locked["AwbEnable"]) == (False, False)
    assert (locked["ExposureTime"], locked["AnalogueGain"], locked["ColourGains"]) == (20_000, 2.0, (1.8, 1.5))
    assert pi.made[0].metadata_asked > pi.settles_after


def test_light_that_never_settles_does_not_keep_the_table_waiting(pi: type[Picamera2]) -> None:
    pi.settles_after = 10_000
    PiCamera(SIZE)
    assert pi.made[0].metadata_asked == 60
    assert pi.made[0].controls["AeEnable"] is False


def test_a_lamp_switched_on_makes_it_settle_anew_but_a_passing_hand_does_not(pi: type[Picamera2]) -> None:
    camera = PiCamera(SIZE)
    device = pi.made[0]
    camera.look()
    asked = device.metadata_asked
    device.brightness = 250
    for _ in range(LIGHT_CHANGED_LOOKS - 1):
        camera.look()
    device.brightness = fake_picamera2.BRIGHTNESS
    camera.look()
    assert device.metadata_asked == asked
    device.brightness = 250
    for _ in range(LIGHT_CHANGED_LOOKS):
        camera.look()
    assert device.metadata_asked > asked


def test_a_camera_with_a_lens_that_moves_focuses_once_on_the_table(pi: type[Picamera2]) -> None:
    PiCamera(SIZE)
    assert pi.made[0].asked.count("autofocus") == 1
    assert pi.made[0].controls["AfMode"] == 1


def test_on_an_empty_table_it_goes_on_trying_to_focus(pi: type[Picamera2]) -> None:
    pi.focuses = False
    PiCamera(SIZE)
    assert pi.made[0].controls["AfMode"] == 2


def test_a_focus_that_takes_too_long_does_not_keep_the_camera_from_working(
    pi: type[Picamera2], monkeypatch: pytest.MonkeyPatch
) -> None:
    def takes_long(_camera: Picamera2, wait: float) -> bool:
        raise TimeoutError(wait)

    monkeypatch.setattr(pi, "autofocus_cycle", takes_long)
    assert PiCamera(SIZE).photograph().shape == (1296, 2304, 3)
    assert pi.made[0].controls["AfMode"] == 2


def test_a_camera_that_tells_no_white_balance_is_locked_as_far_as_it_tells(
    pi: type[Picamera2], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pi, "capture_metadata", lambda _camera, wait: {"ExposureTime": 9000, "AnalogueGain": wait})
    PiCamera(SIZE)
    assert pi.made[0].controls["ExposureTime"] == 9000
    assert "ColourGains" not in pi.made[0].controls


def test_a_camera_module_2_has_a_fixed_lens(pi: type[Picamera2]) -> None:
    pi.controls_there = ("AeEnable", "AwbEnable", "ExposureTime", "FrameDurationLimits")
    PiCamera(SIZE)
    assert "autofocus" not in pi.made[0].asked


def test_a_camera_without_any_controls_works_as_it_is(pi: type[Picamera2]) -> None:
    pi.controls_there = ()
    assert PiCamera(SIZE).photograph().shape == (1296, 2304, 3)
    assert pi.made[0].controls == {}


def test_pictures_in_a_format_that_was_not_asked_for_are_not_read_as_if_they_were(pi: type[Picamera2]) -> None:
    pi.given_format = "NV12"
    with pytest.raises(CameraTrouble, match="NV12"):
        PiCamera(SIZE)
    assert pi.made[0].closed


def test_a_pi_without_a_camera_says_to_check_the_cable(pi: type[Picamera2]) -> None:
    pi.connected = []
    assert pi_cameras() == []
    with pytest.raises(CameraTrouble, match="check the ribbon cable"):
        PiCamera(SIZE)


def test_a_usb_camera_that_libcamera_lists_is_not_taken_for_the_pi_s(pi: type[Picamera2]) -> None:
    pi.connected = [{"Id": "/base/scb/pcie/usb-1.2:1.0-046d:0825", "Model": "webcam", "Num": 0}]
    assert pi_cameras() == []


def test_without_picamera2_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    assert pi_cameras() == []
    with pytest.raises(CameraTrouble, match="sudo apt install python3-picamera2"):
        PiCamera(SIZE)


def test_usb_cameras_are_told_from_the_pi_s_other_video_devices(tmp_path: Path) -> None:
    classes = tmp_path / "class"
    classes.mkdir()
    for name, bus, index in (
        ("video0", "usb1/1-1", 0),
        ("video1", "usb1/1-1", 1),
        ("video10", "codec", 0),
        ("video2", "usb2", 0),
    ):
        device = tmp_path / "devices" / bus / name
        device.mkdir(parents=True)
        (device / "index").write_text(f"{index}\n")
        (classes / name).symlink_to(device)
    assert usb_cameras(classes) == [0, 2]


def test_without_a_usb_camera_it_says_to_plug_one_in(tmp_path: Path) -> None:
    with pytest.raises(CameraTrouble, match="plug one in"):
        UsbCamera(0, SIZE, tmp_path)
    with pytest.raises(CameraTrouble, match="USB camera 1 is not there"):
        UsbCamera(1, SIZE, tmp_path)


class FakeCapture:
    """What OpenCV gives for a USB camera."""

    def __init__(self, *_device: object) -> None:
        self.unplugged = False
        self.released = False
        self.grabbed = 0

    def isOpened(self) -> bool:
        return True

    def set(self, *_property: float) -> bool:
        return True

    def grab(self) -> bool:
        self.grabbed += 1
        return not self.unplugged

    def read(self) -> tuple[bool, object]:
        return (False, None) if self.unplugged else (True, np.full((720, 1280, 3), 7, np.uint8))

    def release(self) -> None:
        self.released = True


@pytest.fixture
def usb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> UsbCamera:
    device = tmp_path / "usb1" / "video3"
    device.mkdir(parents=True)
    (device / "index").write_text("0\n")
    classes = tmp_path / "class"
    classes.mkdir()
    (classes / "video3").symlink_to(device)
    monkeypatch.setattr(cv2, "VideoCapture", FakeCapture)
    return UsbCamera(0, SIZE, classes)


def test_a_usb_photograph_skips_what_the_driver_had_in_store(usb: UsbCamera) -> None:
    assert usb.photograph().shape == (720, 1280, 3)
    assert usb._device.grabbed == 4  # type: ignore[attr-defined]  # the fake counts
    assert usb.look().shape == (360, 640, 3)


def test_a_usb_camera_that_was_unplugged_says_so(usb: UsbCamera) -> None:
    usb._device.unplugged = True  # type: ignore[attr-defined]  # the fake can be unplugged
    with pytest.raises(CameraTrouble, match="was unplugged"):
        usb.photograph()
    usb.close()


def _save(folder: Path, name: str, shade: int) -> None:
    assert cv2.imwrite(str(folder / name), np.full((60, 80, 3), shade, np.uint8))


def test_a_folder_gives_its_photographs_one_a_scan_in_the_order_of_their_names(tmp_path: Path) -> None:
    _save(tmp_path, "b.png", 20)
    _save(tmp_path, "a.png", 10)
    (tmp_path / "notes.txt").write_text("not a photograph")
    camera = FolderCamera(tmp_path)
    assert camera.look()[0, 0, 0] == 10
    assert [camera.photograph()[0, 0, 0] for _ in range(2)] == [10, 20]


def test_after_the_last_photograph_it_says_so_and_takes_one_that_is_added(tmp_path: Path) -> None:
    _save(tmp_path, "a.png", 10)
    camera = FolderCamera(tmp_path)
    camera.photograph()
    with pytest.raises(CameraTrouble, match="have been shown"):
        camera.photograph()
    _save(tmp_path, "b.png", 20)
    assert camera.photograph()[0, 0, 0] == 20


def test_a_folder_without_photographs_is_no_camera(tmp_path: Path) -> None:
    with pytest.raises(CameraTrouble, match="holds no photographs"):
        FolderCamera(tmp_path)
    with pytest.raises(CameraTrouble, match="cannot be read"):
        FolderCamera(tmp_path / "nowhere")


def test_a_damaged_photograph_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(b"nothing of the kind")
    with pytest.raises(CameraTrouble, match=r"a\.jpg"):
        FolderCamera(tmp_path).photograph()


def test_a_small_photograph_is_watched_as_it_is() -> None:
    small = np.zeros((48, 64, 3), np.uint8)
    assert shrunk(small) is small
