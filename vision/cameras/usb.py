"""USB cameras, through OpenCV."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from vision.cameras.base import CameraTrouble, shrunk

if TYPE_CHECKING:
    from vision.photo import Pixels

DEVICES = Path("/sys/class/video4linux")
STALE_FRAMES = 4
"""A driver keeps some frames in store; those are older than the question."""


def usb_cameras(devices: Path = DEVICES) -> list[int]:
    """The numbers of the video devices that are USB cameras; a Pi has many that are none."""
    found = []
    for device in devices.glob("video*") if devices.is_dir() else ():
        try:
            first = (device / "index").read_text().strip() == "0"
        except OSError:
            continue
        number = re.fullmatch(r"video(\d+)", device.name)
        if first and number and "/usb" in str(device.resolve()):
            found.append(int(number[1]))
    return sorted(found)


class UsbCamera:
    """The N-th USB camera, counted from 0."""

    live = True

    def __init__(self, which: int, size: tuple[int, int], devices: Path = DEVICES) -> None:
        cameras = usb_cameras(devices)
        if which >= len(cameras):
            raise CameraTrouble(
                f"USB camera {which} is not there: plug it in." if which else "No USB camera is there: plug one in."
            )
        import cv2

        self.name = f"USB camera {which}"
        self._device = cv2.VideoCapture(cameras[which], cv2.CAP_V4L2)
        if not self._device.isOpened():
            raise CameraTrouble(f"{self.name} is used by another programme, or may not be opened: close the other one.")
        self._device.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        self._device.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
        self._device.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
        self._device.set(cv2.CAP_PROP_BUFFERSIZE, 1)

    def look(self) -> Pixels:
        return shrunk(self._read())

    def photograph(self) -> Pixels:
        for _ in range(STALE_FRAMES):
            if not self._device.grab():
                break
        return self._read()

    def close(self) -> None:
        self._device.release()

    def _read(self) -> Pixels:
        import numpy as np

        there, frame = self._device.read()
        if not there or frame is None:
            raise CameraTrouble(f"{self.name} was unplugged: go on by hand, or plug it in again.")
        return np.asarray(frame, np.uint8)
