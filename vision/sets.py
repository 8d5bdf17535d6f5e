"""Taught sets: learned from a folder of pictures, kept in the data folder, asked what a picture shows.

A set is one file, `<data>/sets/<name>/set.zip`. It is written aside and moved into place, so a set is always whole, old
or new.
"""

from __future__ import annotations

import os
import re
import tempfile
import unicodedata
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import cv2
import msgspec

from vision.album import Album
from vision.finders import Finder, find_by
from vision.framing import Corners
from vision.identifying import Identification, Matcher
from vision.learning import Picture, Progress, learn, no_progress
from vision.lesson import Lesson
from vision.photo import Pixels
from vision.register import Face
from vision.set_pictures import SetRefused as SetRefused
from vision.set_pictures import fit_for_label as fit_for_label
from vision.set_pictures import read_folder, small
from vision.set_pictures import tidy as tidy
from vision.set_zip import opened, packed
from vision.turning import Turns

FILE = "set.zip"
NAME = re.compile(r"\w(?:[\w .-]{0,38}[\w-])?")
MOST_LABELS = 2000


@dataclass(frozen=True)
class TaughtSet:
    """A set in memory: its labels, the pictures it was learned from, and the matcher that knows it."""

    name: str
    matcher: Matcher
    pictures: Mapping[str, Sequence[Picture]]
    finders: Sequence[Finder]

    @property
    def labels(self) -> list[str]:
        return list(self.pictures)

    @cached_property
    def album(self) -> Album:
        """Its pieces as they were shown, to find them by in a photograph."""
        return Album([Face(finder.label, finder.drawing) for finder in self.finders])

    def frame(self, face: Face) -> Corners:
        """Where the piece that a face of the album finds is compared, from -1 to 1 on that face."""
        return self.finders[self.album.faces.index(face)].frame

    def wider(self, face: Face) -> tuple[Face, Corners] | None:
        """What lies around that face may belong to the piece: as a face of its own, and where on the other it lies."""
        finder = self.finders[self.album.faces.index(face)]
        if finder.wider is None:
            return None
        return self._wider_faces.setdefault(face.code, Face(face.code, finder.wider.drawing)), finder.wider.corners

    @cached_property
    def _wider_faces(self) -> dict[str, Face]:
        return {}

    def identify(self, picture: Pixels, squared: bool = False) -> Identification:
        """The piece that fills a picture, in any turn; `squared` says that its outline is the picture's."""
        return self.matcher.identify(picture, squared)


@dataclass(frozen=True)
class Taught:
    """What a teaching did: how much was learned, which pictures were left out, which labels look the same."""

    name: str
    labels: int
    pictures: int
    left_out: list[str]
    alike: list[tuple[str, str]]
    advice: str
    """What would make more pieces sure, in a sentence; "" where nothing would."""


ADVICE: Mapping[Turns, str] = {
    "any": "",
    "shown": "Signs that turn into others, such as 6 and 9, will be asked about.",
    "upright": "Turned, some of them look alike: only upright ones will be sure.",
    "none": "Turned, some of them are each other, and they were shown in all turns: all will be asked about. "
    "Teach them again, all of them upright.",
}


def teach(name: str, folder: Path, data_dir: Path, progress: Progress = no_progress, squared: bool = False) -> Taught:
    """Learns `folder/<label>/*.png|jpg` as the set `name`; a set of that name is replaced once all is learned.

    `squared` says that each picture was cut out along its piece's outline.
    """
    path = set_file(name, data_dir)
    shown = read_folder(folder, lambda done, total, label: progress(done, 3 * total, label), squared)
    return _learn_and_keep(
        name, path, shown, lambda done, total, label: progress(total // 2 + done, 3 * total // 2, label)
    )


def add_pictures(
    name: str, shown: Mapping[str, Sequence[Picture]], data_dir: Path, progress: Progress = no_progress
) -> Taught:
    """Adds pictures to a set, which begins with them if it is new; a picture of the same name is replaced."""
    path = set_file(name, data_dir)
    together: dict[str, dict[str, Picture]] = {}
    known = load_set(name, data_dir).pictures if path.exists() else {}
    for source in (known, shown):
        for label, pictures in source.items():
            for picture in pictures:
                together.setdefault(tidy(label), {})[picture.name] = small(picture)
    merged = {label: list(together[label].values()) for label in sorted(together)}
    return _learn_and_keep(name, path, merged, progress)


def set_names(data_dir: Path) -> list[str]:
    """The sets that were taught, by name."""
    return sorted(path.parent.name for path in (data_dir / "sets").glob(f"*/{FILE}"))


def load_set(name: str, data_dir: Path) -> TaughtSet:
    """The set of that name; SetRefused if there is none, or it is damaged, or another companion's."""
    path = set_file(name, data_dir)
    if not path.exists():
        known = ", ".join(set_names(data_dir)) or "none yet"
        raise SetRefused("unknown_set", f"There is no taught set “{name}”; taught are: {known}.")
    try:
        with zipfile.ZipFile(path) as kept:
            return TaughtSet(name, *opened(name, kept))
    except SetRefused:
        raise
    except (OSError, ValueError, KeyError, zipfile.BadZipFile, IndexError, msgspec.MsgspecError, cv2.error, EOFError):
        raise SetRefused("damaged_set", f"The set “{name}” is damaged; teach it again.") from None


def _learn_and_keep(name: str, path: Path, shown: Mapping[str, Sequence[Picture]], progress: Progress) -> Taught:
    if len(shown) < 2:
        only = next(iter(shown), "")
        message = f"Only one label (“{only}”) was shown; a set needs at least two to tell apart."
        raise SetRefused("one_label", message)
    if len(shown) > MOST_LABELS:
        raise SetRefused("too_many_labels", f"{len(shown)} labels are too many; a set holds up to {MOST_LABELS}.")
    lesson = learn(shown, lambda done, total, label: progress(done, total * 3 // 2, label))
    finders = find_by(lesson.looks, shown, lambda done, total, label: progress(2 * total + done, 3 * total, label))
    _keep(path, shown, lesson, finders)
    count = sum(len(pictures) for pictures in shown.values())
    return Taught(name, len(shown), count, lesson.left_out, lesson.alike, ADVICE[lesson.bounds.turns])


def set_file(name: str, data_dir: Path) -> Path:
    """Where a set of that name is kept; SetRefused if it cannot be a name."""
    if not NAME.fullmatch(name):
        message = f"{name!r} cannot be a set's name; take letters, digits, spaces, dots or dashes, up to 40."
        raise SetRefused("wrong_name", message)
    return data_dir / "sets" / unicodedata.normalize("NFC", name) / FILE


def _keep(path: Path, shown: Mapping[str, Sequence[Picture]], lesson: Lesson, finders: Sequence[Finder]) -> None:
    """Writes the whole set beside the old one, then takes its place in one step."""
    data = packed(shown, lesson, finders)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, aside = tempfile.mkstemp(prefix=".set-", dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            Path(aside).replace(path)
        except BaseException:
            Path(aside).unlink(missing_ok=True)
            raise
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    except OSError as error:
        reason = error.strerror or "it is not writable"
        raise SetRefused("cannot_store", f"The set cannot be stored in “{path.parent}” ({reason}).") from None
