"""Digits: a reader for glyphs whose shapes are known, and Tesseract for all crops of a photograph in one call."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any, Final

import numpy as np

from vision.photo import Pixels
from vision.register import Plane, product

GLYPH: Final = (24, 36)
"""Pixels, wide and high, of a known glyph."""
SLACK: Final = 3
"""Pixels that a glyph may lie beside its place, each way."""
SOFTNESS: Final = (0.6, 1.5, 2.6)
"""Pixels of a glyph by which a photograph may blur it."""
LINE: Final = 48
"""Pixels: the height of a crop on the sheet for Tesseract."""
GAP: Final = 28
SETTINGS: Final = "--psm 6 -c tessedit_char_whitelist=0123456789"


@dataclass(frozen=True)
class Glyph:
    """A digit read: how well it fits, and by how much better than the next."""

    digit: str
    fit: float
    lead: float
    ranked: tuple[str, ...]


class GlyphReader:
    """Tells a closed set of glyphs apart: every shape is laid over the crop, shifted a little, sharp and soft."""

    def __init__(self, shapes: Mapping[str, Plane]) -> None:
        import cv2

        self._digits = tuple(shapes)
        drawn = [cv2.GaussianBlur(shape, (0, 0), soft) for shape in shapes.values() for soft in SOFTNESS]
        self._rows = _alike(np.stack([row.ravel() for row in drawn]).astype(np.float32))

    def read(self, crop: Plane) -> Glyph:
        """The digit in a crop of GLYPH size with SLACK on every side."""
        wide, high = GLYPH
        places = np.lib.stride_tricks.sliding_window_view(crop, (high, wide))
        seen = _alike(np.ascontiguousarray(places).reshape(-1, wide * high))
        fits = product(self._rows, seen).max(axis=1).reshape(len(self._digits), -1).max(axis=1)
        order = np.argsort(fits)[::-1].tolist()
        ranked = tuple(self._digits[index] for index in order)
        return Glyph(ranked[0], float(fits[order[0]]), float(fits[order[0]] - fits[order[1]]), ranked)


def _alike(rows: Plane) -> Plane:
    """Rows brought to mean 0 and length 1, so that their products tell how alike they are."""
    rows = rows - rows.mean(axis=1, keepdims=True)
    return np.asarray(rows / (np.linalg.norm(rows, axis=1, keepdims=True) + 1e-6), np.float32)


@cache
def _tesseract() -> Any:
    """pytesseract, or None where Tesseract is not installed."""
    try:
        pytesseract = import_module("pytesseract")
        pytesseract.get_tesseract_version()
    except (ImportError, OSError, RuntimeError, SystemExit):
        return None
    return pytesseract


def tesseract_there() -> bool:
    """Whether Tesseract can be asked."""
    return _tesseract() is not None


def read_sheet(crops: Sequence[Pixels]) -> list[str]:
    """The digits in each crop (grey, dark on light), all in one call; empty where none was read."""
    import cv2

    if not crops or not tesseract_there():
        return [""] * len(crops)
    lines = []
    for crop in crops:
        width = max(8, round(crop.shape[1] * LINE / crop.shape[0]))
        line = cv2.resize(crop, (width, LINE), interpolation=cv2.INTER_CUBIC)
        lines.append(cv2.normalize(line, None, 0, 255, cv2.NORM_MINMAX))  # type: ignore[call-overload]
    wide = max(line.shape[1] for line in lines) + 2 * GAP
    sheet = np.full((GAP + len(lines) * (LINE + GAP), wide), 255, np.uint8)
    for index, line in enumerate(lines):
        top = GAP + index * (LINE + GAP)
        sheet[top : top + LINE, GAP : GAP + line.shape[1]] = line
    return _read_lines(sheet, len(lines))


def _read_lines(sheet: Pixels, count: int) -> list[str]:
    """Asks Tesseract once, on one core, and gives every word back to the line it stands on."""
    pytesseract = _tesseract()
    before = os.environ.get("OMP_THREAD_LIMIT")
    os.environ["OMP_THREAD_LIMIT"] = "1"
    try:
        words = pytesseract.image_to_data(sheet, config=SETTINGS, output_type=pytesseract.Output.DICT, timeout=20)
    except (pytesseract.TesseractError, RuntimeError, OSError):
        return [""] * count
    finally:
        if before is None:
            os.environ.pop("OMP_THREAD_LIMIT", None)
        else:
            os.environ["OMP_THREAD_LIMIT"] = before
    found = [""] * count
    for text, left, top, height in sorted(
        zip(words["text"], words["left"], words["top"], words["height"], strict=True), key=lambda word: word[1]
    ):
        index = int((top + height / 2 - GAP / 2) // (LINE + GAP))
        if text.strip() and 0 <= index < count and left >= 0:
            found[index] += text.strip()
    return found
