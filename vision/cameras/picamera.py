"""The Pi's own cameras, through Picamera2 from the system's packages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from vision.cameras.base import WATCHED_WIDTH, CameraTrouble

if TYPE_CHECKING:
    from vision.photo import Pixels

WAIT = 4.0
"""Seconds for one frame; versions that cannot time out are noticed from outside."""
FOCUS_WAIT = 10.0
"""Seconds to focus in; in dim light a frame takes three times as long."""
SLOWEST_FRAME = 100_000
"""Microseconds: at most a tenth of a second of light for a frame, so that a dim room still gives a picture."""
SETTLING_FRAMES = 60
SETTLED_FRAMES = 5
"""Exposure and white balance have settled when so many frames in a row agree within two per cent."""
LOCKED = ("ExposureTime", "AnalogueGain", "ColourGains")
LIGHT_CHANGED = 1.6
"""The table got so many times brighter or darker than when exposure was locked."""
LIGHT_CHANGED_LOOKS = 10


def pi_cameras() -> list[str]:
    """The models of the cameras that are connected to this Pi; none without Picamera2."""
    try:
        from picamera2 import Picamera2
    except ImportError:
        return []
    return [str(info.get("Model", "camera")) for info in Picamera2.global_camera_info() if "/usb" not in info["Id"]]


class PiCamera:
    """The first camera on the ribbon cable. Exposure and white balance are locked once they have settled."""

    live = True

    def __init__(self, size: tuple[int, int]) -> None:
        try:
            from picamera2 import Picamera2
        except ImportError:
            raise CameraTrouble("Picamera2 is missing: sudo apt install python3-picamera2.") from None
        models = pi_cameras()
        if not models:
            raise CameraTrouble("No camera is connected to the Pi: check the ribbon cable at both ends.")
        self.name = f"Pi camera {models[0]}"
        self._small = (WATCHED_WIDTH, WATCHED_WIDTH * size[1] // size[0] // 2 * 2)
        self._brightness = 0.0
        self._changed = 0
        try:
            self._device = Picamera2(0)
        except (RuntimeError, IndexError) as error:
            raise CameraTrouble(f"The Pi's camera cannot be opened ({error}): is another programme using it?") from None
        try:
            self._begin(size)
        except BaseException:
            self._device.close()
            raise

    def _begin(self, size: tuple[int, int]) -> None:
        # Picamera2 names formats by their order in a register: RGB888 lies in memory as blue, green, red.
        wanted: dict[str, Any] = {
            "main": {"size": size, "format": "RGB888"},
            "lores": {"size": self._small, "format": "YUV420"},
            "buffer_count": 3,
            "queue": False,  # a frame from before the question would still show a hand, or a light
        }
        if "FrameDurationLimits" in self._device.camera_controls:
            wanted["controls"] = {"FrameDurationLimits": (33_333, SLOWEST_FRAME)}
        self._device.configure(self._device.create_video_configuration(**wanted))
        given = self._device.camera_configuration()["main"]["format"]
        if given != "RGB888":
            raise CameraTrouble(f"{self.name} gives {given} pictures, which cannot be read: try a USB camera.")
        self._device.start()
        self._focus()
        self._settle()

    def look(self) -> Pixels:
        import cv2
        import numpy as np

        width, height = self._small
        planes = self._device.capture_array("lores", wait=WAIT)
        frame = np.asarray(cv2.cvtColor(planes, cv2.COLOR_YUV2BGR_I420)[:height, :width], np.uint8)
        self._mind_the_light(float(planes[:height, :width].mean()))
        return frame

    def photograph(self) -> Pixels:
        import numpy as np

        self._device.capture_array("lores", wait=WAIT)  # its exposure may have begun before the question
        return np.asarray(self._device.capture_array("main", wait=WAIT), np.uint8)

    def close(self) -> None:
        self._device.close()

    def _focus(self) -> None:
        """Focus once on the table, where there is a lens that moves: its distance does not change."""
        if "AfMode" not in self._device.camera_controls:
            return
        try:
            focused = self._device.autofocus_cycle(wait=FOCUS_WAIT)
        except TimeoutError:
            focused = False
        if not focused:
            self._device.set_controls({"AfMode": 2})  # nothing to focus on yet: go on trying

    def _settle(self) -> None:
        """Let exposure and white balance find the table's light, then keep them, so that colours stay as they are."""
        if "AeEnable" not in self._device.camera_controls:
            return
        self._device.set_controls({"AeEnable": True, "AwbEnable": True})
        before: dict[str, Any] = {}
        agreeing = 0
        for _ in range(SETTLING_FRAMES):
            told = self._device.capture_metadata(wait=WAIT)
            now = {name: told[name] for name in LOCKED if name in told}
            agreeing = agreeing + 1 if _close_to(now, before) else 0
            before = now
            if agreeing >= SETTLED_FRAMES:
                break
        self._device.set_controls({"AeEnable": False, "AwbEnable": False, **before})
        self._brightness = 0.0
        self._changed = 0

    def _mind_the_light(self, brightness: float) -> None:
        """Settle again when a lamp was switched on or off, not when a hand passes."""
        if not self._brightness:
            self._brightness = max(brightness, 1.0)
            return
        ratio = max(brightness, 1.0) / self._brightness
        self._changed = self._changed + 1 if not 1 / LIGHT_CHANGED < ratio < LIGHT_CHANGED else 0
        if self._changed >= LIGHT_CHANGED_LOOKS:
            self._settle()


def _close_to(now: dict[str, Any], before: dict[str, Any]) -> bool:
    """Whether two frames were taken with the same exposure and white balance, within two per cent."""
    return now.keys() == before.keys() and all(
        abs(a - b) <= 0.02 * abs(b)
        for name in now
        for a, b in zip(_numbers(now[name]), _numbers(before[name]), strict=True)
    )


def _numbers(value: Any) -> tuple[float, ...]:
    return tuple(map(float, value)) if isinstance(value, tuple | list) else (float(value),)
