"""Which camera the owner wants, as it is written on the command line and in the configuration."""

from __future__ import annotations

import re
from typing import NamedTuple

CHOICES = "auto, picamera2, usb, usb:N (N counts from 0), folder:DIR, sim, none"


class WrongCamera(Exception):
    """No camera is called that; the message names those that there are."""


class CameraChoice(NamedTuple):
    """A kind of camera and, where it needs one, which one: `usb:1`, `folder:evening`."""

    kind: str
    which: str = ""

    @classmethod
    def parse(cls, text: str) -> CameraChoice:
        """The camera called that, or WrongCamera."""
        match = re.fullmatch(r"(auto|picamera2|sim|none)|(usb)(?::(\d{1,2}))?|(folder):(.+)", text)
        if match is None:
            raise WrongCamera(f"There is no camera {text!r}. Cameras are {CHOICES}.")
        plain, usb, number, folder, path = match.groups()
        return cls(plain or usb or folder, number or path or "")

    def __str__(self) -> str:
        return f"{self.kind}:{self.which}" if self.which else self.kind
