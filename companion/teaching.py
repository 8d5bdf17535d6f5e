"""Teaching a box from the page: pieces of scans are kept as pictures, and learned while the table goes on.

The pictures lie in the data folder under `lessons/<set>/<label>/`, so that nothing is lost when the plug is pulled
while a set is being learned; it is then learned again.
"""

from __future__ import annotations

import logging
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from companion.desk import Desk
from companion.games.base import Refused
from companion.journal import CannotRecord
from companion.scan import DeskScan, Read
from companion.worker import Worker

log = logging.getLogger(__name__)

LESSONS = "lessons"
CHOICE = "set-in-use"
SIDE = 200
"""Pixels of a kept picture's longer side."""
MOST_PICTURES = 8
"""Of one label; the oldest make room."""
MOST_LABELS = 400
MOST_SETS = 20


class Teacher:
    """One set is learned at a time, in a thread of its own. May be used from any thread."""

    def __init__(self, desk: Desk, data: Path, use: Callable[[str], None], reader: Callable[[str], Read]) -> None:
        """`use` makes the table read by a set as it now is ("": the printable one); `reader` reads for teaching it."""
        self._desk = desk
        self._data = data
        self._use = use
        self._reader = reader
        self._learning = ""
        self._waiting: list[str] = []
        self._troubles: dict[str, str] = {}
        self._worker = Worker("teacher")

    def start(self) -> None:
        if (chosen := self.in_use) is not None:
            self._use(chosen)
        self._worker.start()

    def stop(self, timeout: float) -> None:
        self._worker.stop(timeout)

    def finish(self) -> None:
        """Wait until everything taught so far is learned."""
        self._worker.finish()

    @property
    def in_use(self) -> str | None:
        """The set that was chosen to be read by; None: none was, "" is the printable one."""
        try:
            return (self._data / CHOICE).read_text("utf-8")
        except (OSError, UnicodeDecodeError):
            return None

    def choose(self, name: str) -> None:
        """Read by this set from now on, also after a restart."""
        if name and name not in {shown["name"] for shown in self.sets()}:
            raise Refused("unknown_set", f"Nothing was taught as {name}.")
        try:
            aside = self._data / f"{CHOICE}.new"
            aside.write_text(name, "utf-8")
            aside.replace(self._data / CHOICE)
        except OSError as error:
            raise CannotRecord(f"The choice could not be written ({error.strerror}).") from error
        self._use(name)

    def sets(self) -> list[dict[str, Any]]:
        """Every set that is being taught here."""
        folder = self._data / LESSONS
        return [self._shown(path.name) for path in sorted(folder.iterdir())] if folder.is_dir() else []

    def scan(self, name: str, photo: bytes | None, expect: str | None) -> DeskScan:
        """Read a photograph, or one by the table's camera, for this set to be taught; nothing is kept of it yet."""
        teaching = self._reader(name)
        if photo is None:
            return self._desk.scan_camera(expect, teaching=teaching)
        return self._desk.scan_photo(photo, expect, teaching)

    def keep(self, name: str, scan_id: str, labels: Mapping[int, str]) -> dict[str, Any]:
        """Keep pieces of a scan under their labels, and learn the set anew."""
        scan = self._desk.get(scan_id)
        pieces = scan.reading.pieces
        if any(index >= len(pieces) for index in labels):
            raise Refused("malformed", f"That scan has {len(pieces)} pieces.")
        self._check_room(name, labels)
        cut_out = _cut_out(scan.photo, [pieces[index].corners for index in labels])
        try:
            for (index, label), picture in zip(labels.items(), cut_out, strict=True):
                self._put(self._data / LESSONS / name / label, f"{scan_id}-{index}.png", picture)
        except OSError as error:
            raise CannotRecord(f"The pictures could not be written ({error.strerror}).") from error
        self.learn(name)
        return self._shown(name)

    def forget(self, name: str, label: str) -> dict[str, Any]:
        """Forget one label."""
        folder = self._data / LESSONS / name / label
        if not folder.is_dir():
            raise Refused("unknown_set", f"Nothing was taught as {label}.")
        shutil.rmtree(folder, ignore_errors=True)
        self.learn(name)
        return self._shown(name)

    def learn(self, name: str) -> None:
        """Learn this set anew, unless it waits for that already."""
        if name not in self._waiting:
            self._waiting.append(name)
            self._worker.later(lambda: self._learn_next(name))

    def _learn_next(self, name: str) -> None:
        self._learning = name
        self._waiting.remove(name)
        self._troubles.pop(name, None)
        if trouble := self._learn(name):
            self._troubles[name] = trouble
        self._learning = ""

    def _learn(self, name: str) -> str:
        """Learn one set; what went wrong, in a sentence."""
        from vision.sets import SetRefused, teach

        try:
            teach(name, self._data / LESSONS / name, self._data, squared=True)
            if name == self.in_use:
                self._use(name)
        except SetRefused as refused:
            return refused.message
        except OSError as error:
            return f"The set could not be written ({error.strerror}). Check the disk's space and rights."
        except Exception:
            log.exception("Learning a set failed")
            return "Learning failed: teach the last pieces again."
        return ""

    def _check_room(self, name: str, labels: Mapping[int, str]) -> None:
        """A box has some hundred pieces; whoever names thousands fills the disk."""
        known = {shown["name"]: shown["labels"] for shown in self.sets()}
        if len({*known, name}) > MOST_SETS or len({*known.get(name, ()), *labels.values()}) > MOST_LABELS:
            raise Refused("too_many", f"At most {MOST_SETS} sets of {MOST_LABELS} pieces each.")

    def _put(self, folder: Path, name: str, picture: bytes) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        aside = folder / f".{name}"
        aside.write_bytes(picture)
        aside.replace(folder / name)
        kept = sorted(folder.glob("[!.]*.png"), key=lambda path: path.stat().st_mtime)
        for old in kept[:-MOST_PICTURES]:
            old.unlink(missing_ok=True)

    def _shown(self, name: str) -> dict[str, Any]:
        folder = self._data / LESSONS / name
        labels = {path.name: len(list(path.glob("[!.]*.png"))) for path in sorted(folder.iterdir()) if path.is_dir()}
        return {
            "name": name,
            "labels": labels,
            "learning": name == self._learning or name in self._waiting,
            "trouble": self._troubles.get(name),
        }


def _cut_out(photo: bytes, pieces: list[tuple[tuple[float, float], ...]]) -> list[bytes]:
    """Each piece upright and by itself, as PNG."""
    import cv2
    import numpy as np

    from vision.photo import open_photo

    opened = open_photo(photo)
    pictures = []
    for corners in pieces:
        outline = np.array(corners, np.float32) / opened.scale
        across, down = np.linalg.norm(outline[1] - outline[0]), np.linalg.norm(outline[3] - outline[0])
        scale = SIDE / max(float(across), float(down), 1.0)
        width, height = max(8, round(float(across) * scale)), max(8, round(float(down) * scale))
        square = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
        turned = cv2.getPerspectiveTransform(outline, square)
        cut = cv2.warpPerspective(opened.pixels, turned, (width, height), flags=cv2.INTER_AREA)
        pictures.append(cv2.imencode(".png", cut)[1].tobytes())
    return pictures
