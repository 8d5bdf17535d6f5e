"""From the owner's choice to an open camera."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

from vision.cameras.base import Camera, CameraTrouble
from vision.cameras.choice import CameraChoice
from vision.cameras.picamera import PiCamera, pi_cameras
from vision.cameras.usb import UsbCamera, usb_cameras

Opener = Callable[[], Camera]


def opener(choice: CameraChoice, size: tuple[int, int], simulated: Opener) -> Opener | None:
    """What opens this camera, again and again as it comes and goes; None for no camera."""
    openers: dict[str, Opener | None] = {
        "auto": lambda: first_there(size),
        "picamera2": lambda: PiCamera(size),
        "usb": lambda: UsbCamera(int(choice.which or 0), size),
        "folder": lambda: _folder(choice.which),
        "sim": simulated,
        "none": None,
    }
    return openers[choice.kind]


def first_there(size: tuple[int, int]) -> Camera:
    """The Pi's own camera, or else a USB camera."""
    if find_spec("picamera2") is not None and pi_cameras():
        return PiCamera(size)
    if usb_cameras():
        return UsbCamera(0, size)
    raise CameraTrouble("No camera is there: photograph with a phone, enter the pieces by hand, or plug one in.")


def _folder(path: str) -> Camera:
    from vision.cameras.folder import FolderCamera

    return FolderCamera(Path(path))
