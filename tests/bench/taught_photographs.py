"""Whole photographs of a taught box, read by its set: loose pieces, rows and heaps that touch, strangers among them."""

from __future__ import annotations

import time
from collections import Counter

import numpy as np
from numpy.typing import NDArray

from tests.vision import piece_shop as shop
from vision.finders import find_by
from vision.learning import Picture, learn
from vision.pergamon.reader import read_photograph
from vision.sets import TaughtSet
from vision.simulated import Photograph, Scene, Thing, photograph
from vision.simulated_layout import scattered
from vision.simulated_light import Light, Sensor
from vision.simulated_view import View

TUNING_TABLES = ("oak", "white", "linen", "gingham")
TABLES = ("walnut", "cream", "slate", "red cloth", "dark velvet", "carpet", "stripes", "rhombs")
LAYOUTS = ("loose", "row", "heap")
BOX, EACH, STRANGERS = 60, 2, 2
SIDE_MM = 45.0
COLUMNS = ("by a taught set", "photos", "pieces", "right", "WRONG", "unsure", "missed", "strangers", "SURE", "ms")
ROW = "{:20}{:>7}{:>7}{:>6}{:>6}{:>7}{:>7}{:>10}{:>5}{:>6}"


def print_readings(quick: bool, seed: int) -> int:
    """A line for each layout; how many pieces were sure and wrong, or sure though they are strangers."""
    print()
    print(ROW.format(*COLUMNS))
    faces = shop.box_tiles(BOX, seed + 21)
    others = shop.box_tiles(STRANGERS, seed + 22)
    box = _taught(faces, seed)
    tables = TABLES if seed else TUNING_TABLES
    wrong = 0
    for layout in LAYOUTS:
        counts: Counter[str] = Counter()
        for number, table in enumerate(tables[:2] if quick else tables):
            _count(_laid(layout, table, faces, others, seed + number), box, counts)
        names = ("photographs", "pieces", "right", "wrong", "unsure", "missed", "strangers", "sure")
        print(ROW.format(layout, *(counts[name] for name in names), counts["ms"] // counts["photographs"]), flush=True)
        wrong += counts["wrong"] + counts["sure"]
    return wrong


def _taught(faces: dict[str, NDArray[np.uint8]], seed: int) -> TaughtSet:
    pictures = {
        label: [Picture(f"{label}/{shot}", picture) for shot, picture in enumerate(shots)]
        for label, shots in shop.album(faces, EACH, seed).items()
    }
    lesson = learn(pictures)
    return TaughtSet("box", lesson.matcher(), pictures, find_by(lesson.looks, pictures))


def _laid(
    layout: str, table: str, faces: dict[str, NDArray[np.uint8]], others: dict[str, NDArray[np.uint8]], seed: int
) -> Photograph:
    rng = np.random.default_rng([seed, LAYOUTS.index(layout)])
    codes = [str(code) for code in rng.permutation(list(faces))[: 4 if layout == "row" else 6]]
    view = View(size=(1920, 1080), wide_mm=330, tilt=float(rng.uniform(0, 25)), turn=float(rng.uniform(0, 360)))
    if layout == "loose":
        things = [Thing(faces[code], (SIDE_MM, SIDE_MM), (0.0, 0.0), 0.0, code, "find") for code in codes]
        things += [Thing(face, (SIDE_MM, SIDE_MM), (0.0, 0.0), 0.0, None, "find") for face in others.values()]
        things = scattered(view, things, rng)
    else:
        across = 4 if layout == "row" else 3
        angle = np.radians(-view.turn)
        things = []
        for number, code in enumerate(codes):
            x, y = (number % across - (across - 1) / 2) * SIDE_MM, (number // across - 0.5) * SIDE_MM
            at = (float(x * np.cos(angle) - y * np.sin(angle)), float(x * np.sin(angle) + y * np.cos(angle)))
            turn = 0.0 if layout == "row" else float(rng.choice([0, 90, 180, 270]))
            things.append(Thing(faces[code], (SIDE_MM, SIDE_MM), at, turn - view.turn, code, "find"))
    light = Light(kelvin=float(rng.uniform(2800, 6500)))
    return photograph(Scene(tuple(things), table, view, light, Sensor(), seed % 1_000_000))


def _count(shot: Photograph, box: TaughtSet, counts: Counter[str]) -> None:
    began = time.process_time()
    pieces = read_photograph(shot.image, pieces_set=box).pieces
    counts["ms"] += round(1000 * (time.process_time() - began))
    counts["photographs"] += 1
    for truth in shot.truth:
        middle, side = truth.corners.mean(axis=0), float(np.linalg.norm(truth.corners[1] - truth.corners[0]))
        there = [one for one in pieces if np.linalg.norm(np.mean(one.corners, axis=0) - middle) < 0.3 * side]
        sure = [one.code for one in there if one.status == "sure"]
        if truth.label is None:
            counts["strangers"] += 1
            counts["sure"] += bool(sure)
            continue
        counts["pieces"] += 1
        if not there:
            counts["missed"] += 1
        elif not sure:
            counts["unsure"] += 1
        else:
            counts["right" if sure == [truth.label] else "wrong"] += 1
