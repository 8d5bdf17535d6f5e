"""What the reader knows of the printable set: every face, where its fields are, and the shapes of its digits."""

from __future__ import annotations

from functools import cached_property
from typing import Final

import numpy as np

from vision.album import Album
from vision.digits import GLYPH, SLACK, GlyphReader
from vision.drawing import Picture, rectangle, to_pixels
from vision.pergamon import art_digits
from vision.pergamon.art import CENTURY_BOX, NUMBER_BOX, SIDE, find_back_picture
from vision.pergamon.faces import CODES, face
from vision.pergamon.printable import CARD_MM, FIND_MM, FINDS
from vision.photo import Pixels
from vision.places import Box
from vision.register import FINE, Face, Layers, Placing, Plane, evened, product

DRAWN: Final = 240
"""Pixels across of a face as the reader keeps it."""
CELL: Final = (60.0, 90.0)
"""Tenths of a millimetre: a digit on a find with some room around it."""
DIGIT_MIDDLES: Final = ((52.0, 332.0), (112.0, 332.0), (348.0, 332.0))
"""Tens, units and century on a find."""
CARD_DIGIT: Final = (220.0, 258.0, 2.1)
"""On a funds card: the middle, and how much larger than on a find."""


HALF_BOXES: Final = ((0.0, 66.0, 125.0, 204.0), (275.0, 66.0, 125.0, 204.0))
"""Where the halves of two objects are drawn on a find."""
DIGIT_BOX: Final = (15.0, 285.0, 132.0, 94.0)
CENTURY_DIGIT_BOX: Final = (312.0, 285.0, 73.0, 94.0)


def is_find(code: str) -> bool:
    """Whether this is the code of a find, not of a card."""
    return code in FINDS


class Book:
    """The faces and what to look for on them; made once, on first use."""

    def draw(self) -> None:
        """Draws everything now that would be drawn on first use."""
        self.album.prepare()
        for name in ("back", "glyphs", "find_drawings", "card_drawings", "_halves"):
            getattr(self, name)

    @cached_property
    def finds(self) -> list[Face]:
        """The 60 finds."""
        return [Face(code, face(code, DRAWN), FIND_MM) for code in FINDS]

    @cached_property
    def cards(self) -> list[Face]:
        """Eight values and two backs."""
        return [Face(code, face(code, DRAWN), CARD_MM[0]) for code in CODES if not is_find(code)]

    @cached_property
    def album(self) -> Album:
        """Every face that can be read."""
        return Album([*self.finds, *self.cards], [_box(*NUMBER_BOX), _box(*CENTURY_BOX)])

    @cached_property
    def back(self) -> Face:
        """A find that lies on its face: known, but nothing can be read from it."""
        return Face("", to_pixels(find_back_picture(), DRAWN))

    @cached_property
    def glyphs(self) -> GlyphReader:
        """The ten digits as they are printed."""
        return GlyphReader({digit: _shape(digit) for digit in "0123456789"})

    @cached_property
    def find_drawings(self) -> Plane:
        """A row for each find: its evened face without the digits, so that digits and drawing judge apart."""
        return np.stack([_without_digits(face.fine.even, DIGIT_MIDDLES, SIDE, SIDE, 1.0) for face in self.finds])

    @cached_property
    def card_drawings(self) -> Plane:
        """A row for each card, likewise."""
        wide, high = CARD_MM[0] * 10, CARD_MM[1] * 10
        x, y, scale = CARD_DIGIT
        return np.stack([_without_digits(face.fine.even, ((x, y),), wide, high, scale) for face in self.cards])

    def drawing(self, even: Plane, find: bool) -> Plane:
        """An evened photographed piece without its digits, to be compared with the rows above."""
        if find:
            return _without_digits(even, DIGIT_MIDDLES, SIDE, SIDE, 1.0)
        x, y, scale = CARD_DIGIT
        return _without_digits(even, ((x, y),), CARD_MM[0] * 10, CARD_MM[1] * 10, scale)

    @cached_property
    def _halves(self) -> tuple[Plane, Plane]:
        """A row for each find: its left half, and its right half."""
        left, right = (np.stack([_half(face.fine.even, box) for face in self.finds]) for box in HALF_BOXES)
        return left, right

    def halves(self, even: Plane) -> tuple[tuple[str, float], tuple[str, float]]:
        """The kind of each half of an evened photographed find, and how far it is ahead of the next kind."""
        return self._half_read(even, 0), self._half_read(even, 1)

    def _half_read(self, even: Plane, side: int) -> tuple[str, float]:
        scores = product(self._halves[side], _half(even, HALF_BOXES[side])[None])[:, 0]
        best: dict[str, float] = {}
        for find, score in zip(FINDS, scores.tolist(), strict=True):
            kind = find[3 * side]
            best[kind] = max(score, best.get(kind, -1.0))
        first, second, *_ = sorted(best, key=lambda kind: -best[kind])
        return first, best[first] - best[second]

    def digit_crops(self, layers: Layers, placing: Placing, find: bool) -> list[Plane]:
        """The crops that hold one digit each."""
        if find:
            return [layers.cut(placing, _cell(x, y, 1.0, SIDE, SIDE), *_cut_size()) for x, y in DIGIT_MIDDLES]
        x, y, scale = CARD_DIGIT
        return [layers.cut(placing, _cell(x, y, scale, CARD_MM[0] * 10, CARD_MM[1] * 10), *_cut_size())]

    def number_crops(self, layers: Layers, placing: Placing, find: bool) -> list[Pixels]:
        """What stands together, for a reader of text: a find's number and its century, or a card's value.

        The strokes are made thinner: bold as they are drawn, Tesseract takes a 3 for a 5.
        """
        import cv2

        if find:
            boxes = [_box(*DIGIT_BOX), _box(*CENTURY_DIGIT_BOX)]
        else:
            x, y, scale = CARD_DIGIT
            boxes = [_cell(x, y, scale, CARD_MM[0] * 10, CARD_MM[1] * 10)]
        widths = (76, 42) if find else (42,)
        crops = [layers.cut(placing, box, width, 54) for box, width in zip(boxes, widths, strict=True)]
        return [np.clip(cv2.dilate(crop, np.ones((3, 3), np.uint8)), 0, 255).astype(np.uint8) for crop in crops]


def _box(x: float, y: float, wide: float, high: float) -> Box:
    """A box on a find in tenths of a millimetre, told from -1 to 1."""
    return x / SIDE * 2 - 1, y / SIDE * 2 - 1, (x + wide) / SIDE * 2 - 1, (y + high) / SIDE * 2 - 1


def _cut_size() -> tuple[int, int]:
    return GLYPH[0] + 2 * SLACK, GLYPH[1] + 2 * SLACK


def _cell(x: float, y: float, scale: float, wide: float, high: float) -> Box:
    """A digit's box with slack, from -1 to 1 on its face."""
    across = CELL[0] * scale / 2 * (1 + 2 * SLACK / GLYPH[0])
    down = CELL[1] * scale / 2 * (1 + 2 * SLACK / GLYPH[1])
    return (
        (x - across) / wide * 2 - 1,
        (y - down) / high * 2 - 1,
        (x + across) / wide * 2 - 1,
        (y + down) / high * 2 - 1,
    )


def _shape(digit: str) -> Plane:
    """A digit in the middle of its cell, dark on light."""
    left, top = (CELL[0] - art_digits.WIDTH) / 2, (CELL[1] - art_digits.HEIGHT) / 2
    shapes = (rectangle(0, 0, *CELL, "#ffffff"), art_digits.digit(digit, "#000000").moved(left, top))
    return to_pixels(Picture(*CELL, shapes), GLYPH[0])[:, :, 0].astype(np.float32)


def _without_digits(
    even: Plane, middles: tuple[tuple[float, float], ...], wide: float, high: float, scale: float
) -> Plane:
    kept = even.copy()
    for x, y in middles:
        across, down = CELL[0] * scale / 2, CELL[1] * scale / 2
        left, right = round((x - across) / wide * FINE), round((x + across) / wide * FINE)
        top, bottom = round((y - down) / high * FINE), round((y + down) / high * FINE)
        kept[max(0, top) : bottom, max(0, left) : right] = 0
    flat = kept.ravel()
    return np.asarray(flat / (float(np.linalg.norm(flat)) + 1e-6), np.float32)


def _half(even: Plane, box: tuple[float, float, float, float]) -> Plane:
    """A part of an evened find, as one row of length 1."""
    left, top, wide, high = (round(value / SIDE * FINE) for value in box)
    part = even[top : top + high, left : left + wide].ravel()
    part = part - part.mean()
    return np.asarray(part / (float(np.linalg.norm(part)) + 1e-6), np.float32)


def seen_at(layers: Layers, placing: Placing) -> Plane:
    """What lies under a placed face, evened, as large as the faces are compared."""
    return evened(layers.squared(placing, FINE))
