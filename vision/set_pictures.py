"""The pictures that a set is taught from: a folder of folders, each named after the piece that its pictures show."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import cv2
import numpy as np

from vision.learning import Picture, Progress
from vision.photo import PhotoRefused, Pixels, open_photo

ENDINGS = {".png", ".jpg", ".jpeg"}
KEPT_SIDE = 144
"""Pixels of the longer side of a kept picture: some more than a look needs."""


class SetRefused(Exception):
    """A set that cannot be taught or opened: a stable code, and a sentence that says how to mend it."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def tidy(label: str) -> str:
    """One spelling for one label, however a file system writes its accents."""
    return unicodedata.normalize("NFC", label).strip()


def fit_for_label(label: str) -> bool:
    """Whether people and files can write it: anything but control signs, line ends and broken characters."""
    return bool(label) and not any(unicodedata.category(sign) in {"Cc", "Cs", "Zl", "Zp"} for sign in label)


def read_folder(folder: Path, progress: Progress, squared: bool) -> dict[str, list[Picture]]:
    """The labelled pictures in a folder of folders, small; SetRefused says what is missing or unreadable."""
    if not folder.is_dir():
        raise SetRefused("no_folder", f"There is no folder “{folder}”; give the folder that holds one folder a label.")
    shown: dict[str, list[Picture]] = {}
    places = [child for child in _within(folder) if child.is_dir() and not child.name.startswith(".")]
    for done, place in enumerate(places):
        label = tidy(place.name)
        if not fit_for_label(label):
            raise SetRefused("wrong_label", f"The folder name {place.name!r} cannot be a label; rename it.")
        progress(done, len(places), label)
        files = [file for file in _within(place) if file.suffix.lower() in ENDINGS and file.is_file()]
        files = [file for file in files if not file.name.startswith(".")]
        if not files:
            message = f"The folder “{place}” holds no picture; put a few PNG or JPEG pictures in it, or remove it."
            raise SetRefused("no_pictures", message)
        for file in files:
            shown.setdefault(label, []).append(small(Picture(f"{label}/{file.name}", _read(file), squared)))
    if not shown:
        message = f"“{folder}” holds no labelled pictures; make a folder for each piece in it, named after the piece."
        raise SetRefused("no_pictures", message)
    return shown


def _within(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError as error:
        reason = error.strerror or "it is closed to this user"
        raise SetRefused("no_folder", f"The folder “{folder}” cannot be opened ({reason}).") from None


def _read(file: Path) -> Pixels:
    try:
        return open_photo(file).pixels
    except PhotoRefused as refused:
        raise SetRefused("unreadable_picture", f"“{file}” cannot be read. {refused}") from None


def small(picture: Picture) -> Picture:
    shrink = KEPT_SIDE / max(picture.pixels.shape[:2])
    if shrink >= 1:
        return picture
    height, width = (max(1, round(side * shrink)) for side in picture.pixels.shape[:2])
    smaller = cv2.resize(picture.pixels, (width, height), interpolation=cv2.INTER_AREA)
    return Picture(picture.name, np.asarray(smaller, np.uint8), picture.squared)
