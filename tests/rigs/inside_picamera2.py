"""Runs in the system of picamera2.sh: lets libcamera's virtual camera pass for the sensor of a Pi.

It knows only NV12 pictures, so the last step, to the format that was asked for, is done here. Everything else is the
real Picamera2: configurations, requests, threads, timeouts. What it was asked and what it gave is noted.

    inside_picamera2.py colours FILE        the camera class by itself, at a colour card; notes to FILE
    inside_picamera2.py lay NUMBER FILE     puts a photograph before the camera; what lies there to FILE
    inside_picamera2.py run OPTIONS         `companion run` with this camera
"""

from __future__ import annotations

import ctypes
import functools
import importlib.metadata
import inspect
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import cv2
import numpy as np

SIZE = (2304, 1296)
SMALL = (640, 360)
PHOTO = Path("/srv/photo.jpg")
CONFIGURATION = Path("/usr/share/libcamera/pipeline/virtual/virtual.yaml")
CARD = {"red": (0, 0, 220), "green": (0, 200, 0), "blue": (210, 0, 0), "white": (240, 240, 240)}
ASKED = (
    "create_video_configuration", "configure", "camera_configuration", "start", "set_controls", "autofocus_cycle",
    "capture_metadata", "capture_array", "close",
)  # fmt: skip
"""What our camera class uses of Picamera2."""
PR_SET_MDWE = 65
NOTED: list[dict[str, Any]] = []


def show(photo: np.ndarray[Any, Any]) -> None:
    """Put a photograph before the camera."""
    PHOTO.write_bytes(cv2.imencode(".jpg", photo, [cv2.IMWRITE_JPEG_QUALITY, 97])[1].tobytes())
    sizes = "".join(f"    - {{width: {wide}, height: {high}, frame_rates: [30]}}\n" for wide, high in (SMALL, SIZE))
    CONFIGURATION.parent.mkdir(parents=True, exist_ok=True)
    CONFIGURATION.write_text(
        f"%YAML 1.1\n---\nVirtual0:\n  supported_formats:\n{sizes}  frames:\n    path: {PHOTO}\n"
        "  location: CameraLocationExternal\n  model: rig\n"
    )


def described(value: Any) -> Any:
    """A value in few words: an array by its shape, a dictionary by its keys and their types."""
    if isinstance(value, np.ndarray):
        return {"shape": list(value.shape), "dtype": str(value.dtype)}
    if isinstance(value, dict):
        return {str(key): described(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [described(entry) for entry in value]
    return value if isinstance(value, str | int | float | bool | None) else type(value).__name__


def noting(name: str, method: Any) -> Any:
    """The method, with a note of what it was asked and what it gave."""

    @functools.wraps(method)
    def noted(self: Any, *args: Any, **options: Any) -> Any:
        given = method(self, *args, **options)
        NOTED.append({"call": name, "args": described(args), "options": described(options), "gave": described(given)})
        return given

    return noted


def luma_rows(planes: np.ndarray[Any, Any]) -> int:
    return int(planes.shape[0] * 2 // 3)


def within_video_range(planes: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """A JPEG uses all 256 levels; a Pi's video streams keep to 16 to 235, and colours to 16 to 240."""
    levels = planes.astype(np.float32)
    light, colour = levels[: luma_rows(planes)], levels[luma_rows(planes) :]
    return np.round(np.concatenate([light * 219 / 255 + 16, (colour - 128) * 224 / 255 + 128])).astype(np.uint8)


def keep_to_the_sandbox() -> None:
    """As the service's unit does: no memory that is both written and executed."""
    assert ctypes.CDLL(None).prctl(PR_SET_MDWE, 1, 0, 0, 0) == 0, "this kernel is older than 6.3"


def pass_for_a_pi() -> Any:
    """Make `from picamera2 import Picamera2` give a Pi's camera; returns the real class."""
    keep_to_the_sandbox()
    sys.modules["kms"] = MagicMock()  # shows previews on a screen, of which there is none
    import picamera2
    from picamera2.allocators import Allocator, LibcameraAllocator

    picamera2.picamera2.DmaAllocator = Allocator  # what a closed camera gets; this machine has no such heap

    class VirtualPicamera2(picamera2.Picamera2):  # type: ignore[misc]  # it has no types
        """The virtual camera has no raw modes, and its buffers come from libcamera."""

        def _get_raw_modes(self) -> list[dict[str, Any]]:
            return [{"format": "NV12", "size": SIZE}]

        def __init__(self, *args: Any) -> None:
            super().__init__(*args, allocator=LibcameraAllocator(None))
            self.allocator.camera = self.camera
            self._asked: dict[str, Any] = {}

        def configure(self, camera_config: Any = "preview") -> None:
            self._asked = {name: camera_config[name]["format"] for name in ("main", "lores")}
            super().configure(camera_config)

        def camera_configuration(self) -> Any:
            given = super().camera_configuration()
            assert given["main"]["format"] == given["lores"]["format"] == "NV12"
            return {**given, **{name: {**given[name], "format": asked} for name, asked in self._asked.items()}}

        def capture_array(self, name: str = "main", **options: Any) -> Any:
            planes = within_video_range(super().capture_array(name, **options))
            if self._asked[name] == "RGB888":
                return cv2.cvtColor(planes, cv2.COLOR_YUV2BGR_NV12)
            height = luma_rows(planes)
            colours = planes[height:].reshape(-1, 2)
            return np.concatenate([planes[:height].ravel(), colours[:, 0], colours[:, 1]]).reshape(planes.shape)

    for name in ASKED:
        setattr(VirtualPicamera2, name, noting(name, getattr(VirtualPicamera2, name)))
    real, picamera2.Picamera2 = picamera2.Picamera2, VirtualPicamera2
    return real


def colours(notes: Path) -> None:
    """Four fields of known colours come through the camera class as they are."""
    card = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
    middles = {}
    for number, (name, colour) in enumerate(CARD.items()):
        left, top = number % 2 * SIZE[0] // 2, number // 2 * SIZE[1] // 2
        card[top : top + SIZE[1] // 2, left : left + SIZE[0] // 2] = colour
        middles[name] = (number % 2 / 2 + 0.25, number // 2 / 2 + 0.25)
    show(card)
    real = pass_for_a_pi()
    from picamera2 import Picamera2

    from vision.cameras.picamera import PiCamera, pi_cameras

    info = described(Picamera2.global_camera_info())
    assert pi_cameras() == ["rig"], info
    camera = PiCamera(SIZE)
    controls = sorted(camera._device.camera_controls)
    for taken, size in ((camera.photograph(), SIZE), (camera.look(), SMALL), (camera.photograph(), SIZE)):
        assert taken.shape == (size[1], size[0], 3), taken.shape
        for name, (x, y) in middles.items():
            seen = taken[round(y * size[1]), round(x * size[0])].astype(int)
            assert np.abs(seen - CARD[name]).max() < 12, (name, seen)
            print(f"== {size[0]} x {size[1]}: {name} {CARD[name]} seen as {tuple(map(int, seen))}")
    given = camera._device.capture_metadata(wait=4.0)
    second = said(lambda: PiCamera(SIZE))
    camera._device.stop()
    late = said(lambda: camera._device.capture_array("lores", wait=0.5))
    camera.close()
    PiCamera(SIZE).close()
    seen_once = list(
        {json.dumps(note, sort_keys=True): note for note in NOTED if note["call"] != "capture_metadata"}.values()
    )
    found = {
        "picamera2": importlib.metadata.version("picamera2"),
        "cameras": info,
        "controls": controls,
        "metadata": {key: type(value).__name__ for key, value in given.items()},
        "parameters": {name: list(inspect.signature(getattr(real, name)).parameters)[1:] for name in ASKED},
        "opened twice": second,
        "no frame in time": late,
        "calls": [note for note in seen_once if note["call"] != "create_video_configuration" or note["options"]],
    }
    notes.write_text(json.dumps(found, indent=1) + "\n")


def said(attempt: Callable[[], object]) -> str:
    """The trouble that this makes."""
    try:
        attempt()
    except Exception as trouble:
        return f"{type(trouble).__name__}: {trouble}"
    return "no trouble"


def lay(number: int, notes: Path) -> None:
    """Finds as a player lays them down, on another table each time."""
    from vision.pergamon.box import piece
    from vision.pergamon.printable import FINDS
    from vision.simulated import Scene, photograph
    from vision.simulated_layout import scattered
    from vision.simulated_light import Light
    from vision.simulated_view import View

    rng = np.random.default_rng([2304, number])
    view = View(size=SIZE, wide_mm=300.0, tilt=4.0 * number, bulge=0.02)
    codes = [str(code) for code in rng.choice(FINDS, 5, replace=False)]
    things = scattered(view, [piece(code, rng) for code in codes], rng)
    tables = ("oak", "green felt", "linen", "walnut", "white laminate", "slate")
    scene = Scene(tuple(things), tables[number % len(tables)], view, Light(kelvin=3200.0 + 400 * number), seed=number)
    show(photograph(scene).image)
    notes.write_text(json.dumps([thing.label for thing in things]))


if __name__ == "__main__":
    if sys.argv[1] == "colours":
        colours(Path(sys.argv[2]))
    elif sys.argv[1] == "lay":
        lay(int(sys.argv[2]), Path(sys.argv[3]))
    else:
        pass_for_a_pi()
        from companion.__main__ import main

        sys.argv = ["companion", *sys.argv[1:]]
        main()
