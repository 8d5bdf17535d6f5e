"""What a camera is to the table: it gives small frames to watch by, and photographs to read from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from vision.photo import Pixels

WATCHED_WIDTH = 640
"""Frames to watch by are about so wide: enough to see a hand, cheap enough to look all evening."""


class CameraTrouble(Exception):
    """The camera gives no picture; the message says what to do, to a player."""


class NoPictureNow(CameraTrouble):
    """The camera is all right but has nothing to show at the moment."""


class Camera(Protocol):
    """An open camera. Only the one camera thread calls it; each call may take its time, or raise."""

    name: str
    """What a player would call it."""
    live: bool
    """Whether it sees the table as it is, so that watching it makes sense."""

    def look(self) -> Pixels:
        """A small frame as it is now, in blue, green, red."""

    def photograph(self) -> Pixels:
        """A frame in full size, in blue, green, red, begun after this was called."""

    def close(self) -> None:
        """Let the device go."""


def shrunk(pixels: Pixels) -> Pixels:
    """A photograph as a frame to watch by."""
    import cv2
    import numpy as np

    height, width = pixels.shape[:2]
    if width <= WATCHED_WIDTH:
        return pixels
    size = (WATCHED_WIDTH, max(1, round(height * WATCHED_WIDTH / width)))
    return np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.uint8)
