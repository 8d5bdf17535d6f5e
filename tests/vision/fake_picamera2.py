"""A stand-in for the module `picamera2` at its own boundary: what it is asked is noted, what it gives is made up.

Shapes and orders are those of the real one: RGB888 lies in memory as blue, green, red; the small stream is YUV420,
one plane of light above two of colour.
"""

from __future__ import annotations

import types
from typing import Any, ClassVar

import numpy as np

BLUE, GREEN, RED = 200, 100, 50
BRIGHTNESS = 120


class Picamera2:
    """One camera. Class attributes say what is connected; tests change them on a subclass of their own."""

    connected: ClassVar[list[dict[str, Any]]] = [
        {"Id": "/base/soc/i2c0mux/i2c@1/imx708@1a", "Model": "imx708", "Num": 0}
    ]
    controls_there: ClassVar[tuple[str, ...]] = (
        "AeEnable",
        "AwbEnable",
        "ExposureTime",
        "FrameDurationLimits",
        "AfMode",
    )
    given_format = "RGB888"
    focuses = True
    settles_after = 8
    made: ClassVar[list[Picamera2]] = []

    @classmethod
    def global_camera_info(cls) -> list[dict[str, Any]]:
        return cls.connected

    def __init__(self, camera_num: int = 0) -> None:
        if camera_num >= len(self.connected):
            raise RuntimeError("No camera number 0 found")
        self.camera_controls = dict.fromkeys(self.controls_there, (0, 1, 0))
        self.controls: dict[str, Any] = {}
        self.asked: list[str] = []
        self.metadata_asked = 0
        self.brightness = BRIGHTNESS
        self.running = False
        self.closed = False
        self.made.append(self)

    def create_video_configuration(self, **wanted: Any) -> dict[str, Any]:
        return wanted

    def configure(self, configuration: dict[str, Any]) -> None:
        self.configuration = configuration

    def camera_configuration(self) -> dict[str, Any]:
        return {**self.configuration, "main": {**self.configuration["main"], "format": self.given_format}}

    def start(self) -> None:
        self.running = True

    def autofocus_cycle(self, wait: float) -> bool:
        assert wait
        self.asked.append("autofocus")
        self.controls["AfMode"] = 1
        return self.focuses

    def set_controls(self, controls: dict[str, Any]) -> None:
        self.controls.update(controls)

    def capture_metadata(self, wait: float) -> dict[str, Any]:
        assert wait
        self.metadata_asked += 1
        off = 5_000 * (self.metadata_asked % 2) if self.metadata_asked < self.settles_after else 0
        return {"ExposureTime": 20_000 + off, "AnalogueGain": 2.0, "ColourGains": (1.8, 1.5)}

    def capture_array(self, name: str, wait: float) -> np.ndarray[Any, np.dtype[np.uint8]]:
        assert self.running
        assert wait
        self.asked.append(name)
        width, height = self.configuration[name]["size"]
        if name == "main":
            return np.full((height, width, 3), (BLUE, GREEN, RED), np.uint8)
        planes = np.full((height * 3 // 2, width), 128, np.uint8)
        planes[:height] = self.brightness
        return planes

    def close(self) -> None:
        self.closed = True


def module(camera: type[Picamera2]) -> types.ModuleType:
    """The module, with this class in it."""
    made = types.ModuleType("picamera2")
    made.Picamera2 = camera  # type: ignore[attr-defined]  # a module is made up here
    return made
