"""Taught sets against their peers on the same pictures: `python -m tests.bench.teaching [--quick] [--tuning]`.

Every set is taught from a few pictures and tried on others: other tables, other light, other days. Every label is also
left out once, a third of them at a time, and shown all the same; none of those may be sure, nor anything foreign.
Beside it, in the same run: plain pytesseract on the crop (letters only), and the nearest neighbour of raw crops. Then
whole photographs of a box that was taught: what its set reads in them; and of one that was not: how many pieces are
found, and how many numbers are pre-read right and wrong.

`--tuning` takes the pictures and the art that the bounds were tuned on; without it all are others. `--quick` leaves out
two thirds of it all.
"""

from __future__ import annotations

import os
import string
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path

import cv2
import numpy as np

from tests.bench.laid_out import print_photographs
from tests.bench.taught_photographs import print_readings
from tests.vision import piece_shop as shop
from vision.identifying import Matcher
from vision.learning import Picture, learn
from vision.pergamon.box import piece
from vision.pergamon.printable import FINDS
from vision.photo import Pixels, open_photo
from vision.simulated import Scene, photograph
from vision.simulated_layout import scattered
from vision.simulated_light import Light, Sensor
from vision.simulated_view import View

Album = Mapping[str, list[Pixels]]
COLUMNS = (
    "set", "labels", "taught", "shown", "right", "WRONG", "unsure", "unknown", "strangers", "SURE", "teach s", "ms"
)  # fmt: skip
FOLDS = 3
HELD_OUT = 40_000_000
"""The first seed of pictures that nothing was tuned on."""
HEAD = "{:38}{:>7}{:>7}{:>6}{:>8}{:>6}{:>7}{:>8}{:>10}{:>5}{:>8}{:>4}"


@dataclass
class Counts:
    """How a set did: pieces that were taught, and strangers that were not."""

    right: int = 0
    wrong: int = 0
    unsure: int = 0
    unknown: int = 0
    strangers: int = 0
    strangers_sure: int = 0
    seconds: list[float] = field(default_factory=list)


def main() -> int:
    quick, tuning = "--quick" in sys.argv, "--tuning" in sys.argv
    cv2.setNumThreads(1)
    print(HEAD.format(*COLUMNS), end="")
    print(f" | {'tesseract':>9} {'ms':>4} | {'raw nearest':>11}")
    wrong = 0
    for name, taught, shown, letters in _sets(quick, 0 if tuning else HELD_OUT):
        wrong += _row(name, taught, shown, letters, 1 if quick else FOLDS)
    wrong += print_readings(quick, 0 if tuning else HELD_OUT)
    print_photographs(quick, 0 if tuning else HELD_OUT)
    return 1 if wrong else 0


def _sets(quick: bool, seed: int) -> list[tuple[str, Album, Album, bool]]:
    alphabet = string.ascii_uppercase
    made: list[tuple[str, Album, Album, bool]] = []

    def add(name: str, faces: Mapping[str, Pixels], each: int, letters: bool = False) -> None:
        shots = 1 if quick else 3
        shown = shop.album(faces, shots, seed + 500_000)
        made.append((f"{name}, {each} each", shop.album(faces, each, seed), shown, letters))

    add("letters, sand", shop.letter_tiles(alphabet, 0), 2, letters=True)
    add("letters, white on green", shop.letter_tiles(alphabet, 2, (60, 120, 40), (240, 240, 240)), 1, letters=True)
    if not quick:
        add("letters, script, blue on grey", shop.letter_tiles(alphabet, 3, (230, 230, 235), (130, 30, 20)), 3, True)
    add("coloured art", shop.art_tiles(40, seed + 5), 1)
    add("a box of finds", shop.box_tiles(60, seed + 1), 1)
    if not quick:
        add("a box of finds", shop.box_tiles(60, seed + 2), 3)
    add("near twins: halves and digits", shop.numbered_tiles(60), 2)
    add("nearest twins: one number", shop.digit_twins(range(10, 70)), 2)
    add("one drawing, other colours", shop.coloured_twins(), 2)
    made.append(("the printable set, 2 each", *_printable(quick, seed), False))
    letters = _shared_letters()
    if letters:
        made.append(("photographs: wooden letters", *letters, True))
    return made


def _printable(quick: bool, first: int) -> tuple[Album, Album]:
    """Crops of simulated photographs: taught on two tables, shown on others."""
    taught: dict[str, list[Pixels]] = {code: [] for code in FINDS}
    shown: dict[str, list[Pixels]] = {code: [] for code in FINDS}
    tables = [("oak", 5200.0, 0.0), ("white", 4000.0, 8.0)]
    others = [("red cloth", 3000.0, 15.0), ("walnut", 6500.0, 25.0), ("rhombs", 4500.0, 30.0)]
    for album, places in ((taught, tables), (shown, others[: 1 if quick else 3])):
        for number, (table, kelvin, tilt) in enumerate(places):
            for start in range(0, len(FINDS), 10):
                seed = first + 100 * number + start + (5000 if album is shown else 0)
                for code, crop in _crops(FINDS[start : start + 10], table, kelvin, tilt, seed):
                    album[code].append(crop)
    return taught, {code: crops for code, crops in shown.items() if crops}


def _crops(codes: tuple[str, ...], table: str, kelvin: float, tilt: float, seed: int) -> list[tuple[str, Pixels]]:
    rng = np.random.default_rng(seed)
    view = View(wide_mm=360, tilt=tilt, turn=float(rng.uniform(0, 360)))
    things = scattered(view, [piece(code, rng) for code in codes], rng)
    shot = photograph(Scene(tuple(things), table, view, Light(kelvin=kelvin), Sensor(), seed))
    crops = []
    for truth in shot.truth:
        middle, half = truth.corners.mean(axis=0), 0.6 * float(np.ptp(truth.corners, axis=0).max())
        left, top = np.maximum(0, middle - half).astype(int)
        right, bottom = (middle + half).astype(int)
        crops.append((truth.label or "", np.ascontiguousarray(shot.image[top:bottom, left:right])))
    return crops


def _shared_letters() -> tuple[Album, Album] | None:
    """Real photographs of letter tiles, if they are on this machine: never part of the project."""
    here = Path(__file__).resolve().parents[2]
    root = Path(os.environ.get("COMPANION_PHOTOS", here.parent / "shared" / "photos")) / "scrabble"
    if not (root / "teach").is_dir():
        return None
    return _folder(root / "teach"), _folder(root / "test")


def _folder(root: Path) -> Album:
    return {
        place.name: [open_photo(file).pixels for file in sorted(place.iterdir())] for place in sorted(root.iterdir())
    }


def _row(name: str, taught: Album, shown: Album, letters: bool, folds: int) -> int:
    began = time.process_time()
    lesson = learn(_named(taught))
    teaching = time.process_time() - began
    matcher = lesson.matcher()
    counts = _tried(matcher, shown)
    for picture in _foreign():
        counts.strangers += 1
        counts.strangers_sure += matcher.identify(picture).status == "sure"
    for fold in range(folds if len(taught) > 6 else 0):
        strangers = sorted(taught)[fold::FOLDS]
        fewer = {label: pictures for label, pictures in taught.items() if label not in strangers}
        matcher = learn(_named(fewer)).matcher()
        for label in strangers:
            for picture in shown.get(label, []):
                counts.strangers += 1
                counts.strangers_sure += matcher.identify(picture).status == "sure"
    ms = 1000 * float(np.mean(counts.seconds))
    total = len(counts.seconds)
    many = (len(taught), sum(map(len, taught.values())), total, f"{counts.right / total:.1%}", counts.wrong)
    rest = (counts.unsure, counts.unknown, counts.strangers, counts.strangers_sure, f"{teaching:.1f}", f"{ms:.0f}")
    print(HEAD.format(name, *many, *rest), end="")
    print(f" | {_tesseract(shown) if letters else '':>14} | {_raw(taught, shown):>11}", flush=True)
    return counts.wrong + counts.strangers_sure


def _foreign() -> list[Pixels]:
    """Pictures of nothing that was taught: other art, tables, noise, and a face of the printable set."""
    rng = np.random.default_rng(9)
    art = [shop.photographed(face, 7_000_000 + index) for index, face in enumerate(shop.art_tiles(4, 991).values())]
    noise = rng.integers(0, 255, (120, 120, 3)).astype(np.uint8)
    return [*art, *(shop.table(rng, 140) for _ in range(4)), noise]


def _named(album: Album) -> dict[str, list[Picture]]:
    return {
        label: [Picture(f"{label}/{index}", pixels) for index, pixels in enumerate(pictures)]
        for label, pictures in album.items()
    }


def _tried(matcher: Matcher, shown: Album) -> Counts:
    counts = Counts()
    for label, pictures in shown.items():
        for picture in pictures:
            began = time.process_time()
            found = matcher.identify(picture)
            counts.seconds.append(time.process_time() - began)
            if found.status == "sure":
                counts.right += found.label == label
                counts.wrong += found.label != label
            counts.unsure += found.status == "unsure"
            counts.unknown += found.status == "unknown"
    return counts


def _tesseract(shown: Album) -> str:
    """Plain pytesseract, one crop a call: how many letters it gets right, and how long it takes."""
    pytesseract = import_module("pytesseract")
    right, seconds, total = 0, 0.0, 0
    for label, pictures in shown.items():
        for picture in pictures[:1]:
            larger = cv2.resize(picture, None, fx=3, fy=3, interpolation=cv2.INTER_CUBIC)
            began = time.perf_counter()
            said = pytesseract.image_to_string(larger, config="--psm 10")
            seconds += time.perf_counter() - began
            right += said.strip()[:1] == label
            total += 1
    return f"{right / total:>9.0%} {1000 * seconds / total:>4.0f}"


def _raw(taught: Album, shown: Album) -> str:
    """The nearest neighbour of the crops as they are; it is never unsure, so what is not right is wrong."""

    def described(picture: Pixels) -> np.ndarray:
        grey = cv2.cvtColor(cv2.resize(picture, (32, 32), interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
        flat = grey.astype(np.float64).ravel()
        return np.asarray((flat - flat.mean()) / (flat.std() + 1e-6))

    labels = [label for label, pictures in taught.items() for _ in pictures]
    known = np.stack([described(picture) for pictures in taught.values() for picture in pictures])
    tries = [(label, described(picture)) for label, pictures in shown.items() for picture in pictures]
    right = sum(labels[int(np.argmax(known @ one))] == label for label, one in tries)
    return f"{right / len(tries):.0%} right"


if __name__ == "__main__":
    sys.exit(main())
