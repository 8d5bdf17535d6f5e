"""What a taught piece is found by: its drawing, cut out along the rim that its pictures agree on."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import cv2
import numpy as np

from tests.vision import piece_shop as shop
from vision.finders import find_by
from vision.learning import Picture, learn
from vision.looks import SIDE, flattened
from vision.photo import Pixels
from vision.register import UNIT
from vision.sets import add_pictures, load_set, set_file

FACES = shop.box_tiles(8, 5)


def pictures_of(each: int, squared: bool = False) -> dict[str, list[Picture]]:
    """Each piece on so many tables, or cut out along its rim."""

    def shown(face: Pixels, seed: int) -> Pixels:
        return face if squared else shop.photographed(face, seed, turn=0, size=200)

    return {
        label: [Picture(f"{label}/{shot}", shown(face, 40 * index + shot), squared) for shot in range(each)]
        for index, (label, face) in enumerate(FACES.items())
    }


def off(drawing: Pixels, face: Pixels) -> float:
    """How far, in parts of its side, the face must be moved at some corner to lie on the drawing."""
    seen, true = (flattened(np.asarray(cv2.resize(picture, (SIDE, SIDE)), np.uint8)) for picture in (drawing, face))
    steps = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 100, 1e-5)
    all_of_it = np.full((SIDE, SIDE), 255, np.uint8)
    _, warp = cv2.findTransformECC(true, seen, np.eye(2, 3, dtype=np.float32), cv2.MOTION_AFFINE, steps, all_of_it, 3)
    ends = np.array([[0, 0], [SIDE, 0], [SIDE, SIDE], [0, SIDE]], np.float32)
    return float(np.linalg.norm(cv2.transform(ends[None], warp)[0] - ends, axis=1).max()) / SIDE


def test_a_piece_is_cut_out_along_its_rim_whatever_table_it_was_shown_on() -> None:
    pictures = pictures_of(each=3)
    found = find_by(learn(pictures).looks, pictures)
    assert [finder.label for finder in found] == list(FACES)
    far = [off(finder.drawing, FACES[finder.label]) for finder in found]
    assert float(np.median(far)) < 0.05
    assert max(far) < 0.12


def test_a_picture_that_is_the_piece_itself_is_taken_whole() -> None:
    pictures = pictures_of(each=1, squared=True)
    for finder in find_by(learn(pictures).looks, pictures):
        assert off(finder.drawing, FACES[finder.label]) < 0.015
        assert np.abs(finder.frame - UNIT).max() < 0.05


def test_a_set_keeps_its_finders_and_one_without_them_makes_them_anew(tmp_path: Path) -> None:
    add_pictures("box", pictures_of(each=2), tmp_path)
    kept = load_set("box", tmp_path).finders
    _forget_finders(set_file("box", tmp_path))
    made = load_set("box", tmp_path).finders
    assert [finder.label for finder in kept] == [finder.label for finder in made] == sorted(FACES)
    for one, other in zip(kept, made, strict=True):
        assert (one.drawing == other.drawing).all()
        assert np.allclose(one.frame, other.frame, atol=1e-5)


def _forget_finders(path: Path) -> None:
    """As a companion wrote a set before there were finders."""
    with zipfile.ZipFile(path) as kept:
        files = {name: kept.read(name) for name in kept.namelist() if not name.startswith("finders/")}
    index = json.loads(files["set.json"])
    del index["finders"]
    files["set.json"] = json.dumps(index).encode()
    with zipfile.ZipFile(path, "w") as kept:
        for name, data in files.items():
            kept.writestr(name, data)
