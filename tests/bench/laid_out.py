"""Whole photographs of laid-out finds of a box that is not ours: what is found of them, and what is pre-read."""

from __future__ import annotations

import time
from collections import Counter

import numpy as np
from numpy.typing import NDArray

from tests.vision import piece_shop as shop
from vision.pergamon.prereading import preread
from vision.simulated import Photograph, Scene, Thing, photograph
from vision.simulated_layout import scattered
from vision.simulated_light import Light, Sensor
from vision.simulated_view import View
from vision.teaching import propose

TUNING_TABLES = ("oak", "walnut", "white")
TABLES = ("beech planks", "rough wood", "linen", "slate", "white laminate", "carpet")
EACH = 9
ROW = "{:20}{:>8}{:>7}{:>7}{:>12}{:>12}{:>8}"


def print_photographs(quick: bool, seed: int) -> None:
    """A line for each table: pieces that lie there, found, made up, and their numbers read right and wrong."""
    print()
    print(ROW.format("whole photographs", "pieces", "found", "extra", "read right", "read WRONG", "ms"))
    tables = TABLES if seed else TUNING_TABLES
    for number, table in enumerate(tables[:2] if quick else tables):
        print(ROW.format(table, *_counted(_laid_out(table, seed + number))), flush=True)


def _laid_out(table: str, seed: int) -> Photograph:
    rng = np.random.default_rng(seed)
    faces = shop.box_tiles(60, seed + 11)
    codes = [str(code) for code in rng.permutation(list(faces))[:EACH]]
    view = View(size=(1920, 1080), tilt=float(rng.uniform(0, 25)), turn=float(rng.uniform(0, 360)))
    things = scattered(view, [Thing(faces[code], (45.0, 45.0), (0.0, 0.0), 0.0, code, "find") for code in codes], rng)
    light = Light(kelvin=float(rng.uniform(2800, 6500)))
    return photograph(Scene(tuple(things), table, view, light, Sensor(), seed % 1_000_000))


def _counted(shot: Photograph) -> tuple[int, int, int, int, int, int]:
    began = time.process_time()
    proposals = propose(shot.image, guess=preread)
    ms = round(1000 * (time.process_time() - began))
    counts: Counter[str] = Counter()
    for proposal in proposals:
        truth = next((one for one in shot.truth if _same(proposal.corners, one.corners)), None)
        if truth is None:
            counts["extra"] += 1
            continue
        counts["found"] += 1
        code = str(truth.label)
        if proposal.guess is not None:
            counts["right" if proposal.guess == f"?{code[1:3]}?{code[4]}" else "wrong"] += 1
    return len(shot.truth), counts["found"], counts["extra"], counts["right"], counts["wrong"], ms


def _same(corners: NDArray[np.floating], truth: NDArray[np.floating]) -> bool:
    """Whether both are the same piece: no corner is off by more than a twelfth of its side."""
    side = float(np.linalg.norm(truth[1] - truth[0]))
    return any(float(np.abs(np.roll(corners, turn, axis=0) - truth).max()) < side / 12 for turn in range(4))
