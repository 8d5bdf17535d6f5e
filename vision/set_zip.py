"""A taught set as one file: `set.json`, every look that is compared, every drawing that it finds pieces by, and every
picture it was learned from, made small."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

import cv2
import msgspec
import numpy as np

from vision.finders import Finder, Wider, find_by
from vision.framing import Corners
from vision.identifying import Bounds, Matcher
from vision.learning import Picture
from vision.lesson import Lesson
from vision.looks import FINE, Look
from vision.photo import Pixels
from vision.set_pictures import SetRefused
from vision.turning import Turns

FORMAT = 2

_Point: TypeAlias = tuple[float, float]
_Four: TypeAlias = tuple[_Point, _Point, _Point, _Point]


class _KeptPicture(msgspec.Struct):
    label: str
    name: str
    file: str
    squared: bool


class _KeptLook(msgspec.Struct):
    label: str
    file: str
    accept: float
    up: int


class _KeptFamily(msgspec.Struct):
    looks: list[int]
    limit: float


class _KeptWider(msgspec.Struct):
    file: str
    corners: _Four


class _KeptFinder(msgspec.Struct):
    label: str
    file: str
    frame: _Four
    wider: _KeptWider | None = None


class _Index(msgspec.Struct):
    format: int
    looks: list[_KeptLook]
    pictures: list[_KeptPicture]
    families: list[_KeptFamily]
    tint: float
    detail: float
    turns: Turns
    finders: list[_KeptFinder] = []
    """None in a set that was taught before there were any."""


class _FormatOnly(msgspec.Struct):
    format: int


class Contents(NamedTuple):
    """What a set consists of."""

    matcher: Matcher
    pictures: dict[str, list[Picture]]
    finders: list[Finder]


def opened(name: str, kept: zipfile.ZipFile) -> Contents:
    """What the file holds; SetRefused if another companion wrote it, one of many errors if it is damaged."""
    raw = kept.read("set.json")
    kind = msgspec.json.decode(raw, type=_FormatOnly).format
    if kind > FORMAT:
        message = f"The set “{name}” was taught by a newer companion; update this one or teach the set again."
        raise SetRefused("newer_set", message)
    if kind < FORMAT:
        message = f"The set “{name}” was taught by an older companion; teach it again."
        raise SetRefused("older_set", message)
    index = msgspec.json.decode(raw, type=_Index)
    looks = []
    for entry in index.looks:
        pixels = _decoded(kept.read(entry.file), cv2.IMREAD_UNCHANGED)
        if pixels.shape != (FINE, FINE, 4):
            raise ValueError(entry.file)
        looks.append(Look(entry.label, np.ascontiguousarray(pixels[:, :, :3]), pixels[:, :, 3], entry.up))
    pictures: dict[str, list[Picture]] = {}
    for shown in index.pictures:
        pixels = _decoded(kept.read(shown.file), cv2.IMREAD_COLOR)
        pictures.setdefault(shown.label, []).append(Picture(shown.name, pixels, shown.squared))
    if not looks:
        raise ValueError(name)
    bounds = Bounds(tuple(entry.accept for entry in index.looks), index.tint, index.detail, index.turns)
    families = [(family.looks, family.limit) for family in index.families]
    finders = [_finder(kept, entry) for entry in index.finders]
    return Contents(Matcher(looks, bounds, families), pictures, finders or find_by(looks, pictures))


def _finder(kept: zipfile.ZipFile, entry: _KeptFinder) -> Finder:
    wider = None
    if entry.wider is not None:
        wider = Wider(_drawing(kept, entry.wider.file), np.array(entry.wider.corners, np.float32))
    return Finder(entry.label, _drawing(kept, entry.file), np.array(entry.frame, np.float32), wider)


def _drawing(kept: zipfile.ZipFile, file: str) -> Pixels:
    return _decoded(kept.read(file), cv2.IMREAD_COLOR)


def packed(shown: Mapping[str, Sequence[Picture]], lesson: Lesson, finders: Sequence[Finder]) -> bytes:
    """The file's bytes."""
    families = [_KeptFamily(looks, limit) for looks, limit in lesson.families]
    index = _Index(FORMAT, [], [], families, lesson.bounds.tint, lesson.bounds.detail, lesson.bounds.turns)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as kept:
        for number, (look, accept) in enumerate(zip(lesson.looks, lesson.bounds.accept, strict=True)):
            file = f"looks/{number:05}.png"
            kept.writestr(file, _encoded(np.dstack([look.pixels, look.valid])))
            index.looks.append(_KeptLook(look.label, file, accept, look.up))
        for label, pictures in shown.items():
            for picture in pictures:
                file = f"pictures/{len(index.pictures):05}.png"
                kept.writestr(file, _encoded(picture.pixels))
                index.pictures.append(_KeptPicture(label, picture.name, file, picture.squared))
        for number, finder in enumerate(finders):
            entry = _KeptFinder(finder.label, f"finders/{number:05}.png", _four(finder.frame))
            kept.writestr(entry.file, _encoded(finder.drawing))
            if finder.wider is not None:
                entry.wider = _KeptWider(f"finders/{number:05}-wider.png", _four(finder.wider.corners))
                kept.writestr(entry.wider.file, _encoded(finder.wider.drawing))
            index.finders.append(entry)
        kept.writestr("set.json", msgspec.json.encode(index))
    return buffer.getvalue()


def _four(corners: Corners) -> _Four:
    one, two, three, four = ((float(x), float(y)) for x, y in corners)
    return one, two, three, four


def _encoded(pixels: Pixels) -> bytes:
    done, data = cv2.imencode(".png", pixels)
    if not done:
        raise ValueError("A picture could not be packed.")
    return data.tobytes()


def _decoded(data: bytes, how: int) -> Pixels:
    pixels = cv2.imdecode(np.frombuffer(data, np.uint8), how)
    if pixels is None:
        raise ValueError("A picture could not be unpacked.")
    return np.asarray(pixels, np.uint8)
