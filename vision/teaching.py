"""Teaching a set from whole photographs of laid-out pieces: found and pre-read here, confirmed by a person.

What a person confirms waits beside the set until it is learned, so a photograph is never lost and never half kept.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

import cv2
import msgspec
import numpy as np

from vision.framing import Corners
from vision.identifying import Identification
from vision.learning import Picture, Progress, no_progress
from vision.photo import Pixels
from vision.pieces import Found, find_pieces
from vision.reading import Status
from vision.sets import (
    SetRefused,
    Taught,
    TaughtSet,
    add_pictures,
    fit_for_label,
    load_set,
    set_file,
    tidy,
)

WAITING = "waiting"
LONGEST = 240
LONGEST_LABEL = 80
LIKE_SIZE = 0.35


@dataclass(frozen=True)
class Guess:
    """What was read on a piece that is not known yet; `turn` quarter turns clockwise bring it upright."""

    label: str | None
    """With a `?` for each sign that was not read."""
    turn: int = 0

    def fits(self, label: str) -> bool:
        """Whether what was read is no other than this label."""
        read = self.label or "?" * len(label)
        return len(read) == len(label) and all(sign in ("?", other) for sign, other in zip(read, label, strict=True))


Guesser: TypeAlias = Callable[[Sequence[Pixels]], list[Guess]]
"""Reads what it can on squared pieces of any turn, all of them at once."""


@dataclass(frozen=True)
class Proposal:
    """A piece in the photograph and what it may be; a person confirms or corrects the label."""

    corners: Corners
    picture: Pixels
    """Squared, and upright as far as that is known."""
    label: str | None
    """What the set says; None where it knows nothing like it."""
    status: Status
    confidence: float
    alternatives: list[str]
    guess: str | None
    """What was read on it, with a `?` for each sign that was not."""


@dataclass(frozen=True)
class Confirmed:
    """A piece that a person has named."""

    label: str
    picture: Pixels


@dataclass(frozen=True)
class Coverage:
    """How much of a box is taught: labels that are learned, that wait to be learned, and that are missing."""

    learned: list[str]
    waiting: list[str]
    missing: list[str]


class _Waiting(msgspec.Struct):
    label: str


def propose(photo: Pixels, known: TaughtSet | None = None, guess: Guesser | None = None) -> list[Proposal]:
    """The pieces in a photograph, each named as well as the set or the guesser can."""
    found = _of_one_box(find_pieces(photo))
    pictures = [piece.squared(photo, LONGEST) for piece in found]
    guesses = guess(pictures) if guess and pictures else [Guess(None)] * len(pictures)
    proposals = []
    for piece, picture, guessed in zip(found, pictures, guesses, strict=True):
        told = known.identify(picture, squared=True) if known else Identification(None, "unknown", 0.0)
        told = _checked(told, guessed)
        turn = guessed.turn if told.corners is None else _turn(told.corners, picture)
        turned = np.ascontiguousarray(np.rot90(picture, -turn))
        corners = np.roll(piece.corners, turn, axis=0).astype(np.float32)
        said = (told.label, told.status, told.confidence, told.alternatives, guessed.label)
        proposals.append(Proposal(corners, turned, *said))
    return proposals


def _checked(told: Identification, guessed: Guess) -> Identification:
    """What the set says, as far as it can be true of what was read."""
    if told.label is None or guessed.fits(told.label):
        return told
    if told.status == "sure":
        return replace(told, status="unsure", confidence=min(told.confidence, 0.5))
    return Identification(None, "unknown", 0.0)


def _turn(own: Corners, picture: Pixels) -> int:
    """Quarter turns clockwise that bring a picture upright in which a piece's own corners lie like this."""
    high, wide = picture.shape[:2]
    square = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32)
    return min(range(4), key=lambda turn: float(np.abs(np.roll(square, turn, axis=0) - own).sum()))


def _of_one_box(found: list[Found]) -> list[Found]:
    """The pieces without the small panels that are drawn on some of them: pieces of one box are of like size."""
    areas = [float(cv2.contourArea(piece.corners)) for piece in found]
    return [piece for piece, area in zip(found, areas, strict=True) if area > LIKE_SIZE * max(areas)]


def confirm(name: str, confirmed: Sequence[Confirmed], data_dir: Path) -> int:
    """Keeps named pieces until they are learned; says how many are waiting. All of them are kept, or none."""
    for piece in confirmed:
        label = tidy(piece.label)
        if not fit_for_label(label) or len(label) > LONGEST_LABEL:
            raise SetRefused("wrong_label", f"{piece.label!r} cannot be a label; take a short name.")
        if min(piece.picture.shape[:2]) < 16:
            raise SetRefused("unreadable_picture", f"The picture of “{label}” is too small; take it from nearer.")
    folder = _waiting_folder(name, data_dir)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".aside-", dir=folder) as aside:
            files = [_write(Path(aside), index, piece) for index, piece in enumerate(confirmed)]
            taken = len(list(folder.glob("*.json")))
            for index, (picture, note) in enumerate(files):
                stem = f"{taken + index:05}-{os.urandom(3).hex()}"
                picture.replace(folder / f"{stem}.png")
                note.replace(folder / f"{stem}.json")
    except OSError as error:
        reason = error.strerror or "it is not writable"
        raise SetRefused("cannot_store", f"The pieces cannot be stored in “{folder}” ({reason}).") from None
    return len(list(folder.glob("*.json")))


def _write(folder: Path, index: int, piece: Confirmed) -> tuple[Path, Path]:
    picture, note = folder / f"{index}.png", folder / f"{index}.json"
    done, data = cv2.imencode(".png", piece.picture)
    if not done:
        raise SetRefused("unreadable_picture", f"The picture of “{piece.label}” cannot be kept.")
    for path, content in ((picture, data.tobytes()), (note, msgspec.json.encode(_Waiting(tidy(piece.label))))):
        with path.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
    return picture, note


def learn_confirmed(name: str, data_dir: Path, progress: Progress = no_progress) -> Taught:
    """Learns what is waiting together with what is known; nothing stops waiting before it is learned."""
    waiting = _waiting(name, data_dir)
    if not waiting:
        raise SetRefused("no_pictures", f"Nothing new was confirmed for “{name}”; photograph some pieces first.")
    shown: dict[str, list[Picture]] = {}
    for label, file in waiting:
        pixels = cv2.imread(os.fspath(file), cv2.IMREAD_COLOR)
        if pixels is not None:
            picture = Picture(f"{label}/{file.name}", np.asarray(pixels, np.uint8), squared=True)
            shown.setdefault(label, []).append(picture)
    taught = add_pictures(name, shown, data_dir, progress)
    for _, file in waiting:
        file.with_suffix(".json").unlink(missing_ok=True)
        file.unlink(missing_ok=True)
    return taught


def coverage(name: str, targets: Sequence[str], data_dir: Path) -> Coverage:
    """How far the teaching of a known list of pieces has come."""
    known = set(load_set(name, data_dir).labels) if set_file(name, data_dir).exists() else set()
    waiting = {label for label, _ in _waiting(name, data_dir)}
    return Coverage(
        [label for label in targets if label in known],
        [label for label in targets if label in waiting and label not in known],
        [label for label in targets if label not in known and label not in waiting],
    )


def _waiting_folder(name: str, data_dir: Path) -> Path:
    return set_file(name, data_dir).parent / WAITING


def _waiting(name: str, data_dir: Path) -> list[tuple[str, Path]]:
    """The labels and pictures that wait; a note that cannot be read is passed over."""
    found = []
    for note in sorted(_waiting_folder(name, data_dir).glob("*.json")):
        try:
            label = msgspec.json.decode(note.read_bytes(), type=_Waiting).label
        except (OSError, msgspec.MsgspecError):
            continue
        if note.with_suffix(".png").exists():
            found.append((label, note.with_suffix(".png")))
    return found
