"""A photograph with each piece outlined and named, and where it goes, as a phone shows it."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from vision.photo import Pixels

WIDEST = 1600
"""Pixels: sharp on any phone, and quickly sent."""
QUALITY = 82


class Named(NamedTuple):
    """A piece to draw: its corners clockwise from its own top left, its status, its name, and where it goes."""

    corners: Sequence[Sequence[float]]
    status: str
    name: str
    place: str = ""


COLOURS = {"sure": (38, 166, 91), "unsure": (235, 149, 20), "unknown": (214, 69, 65)}
SIGNS = {"sure": "", "unsure": "?", "unknown": "?"}
"""Colour is not the only sign: an unsure outline is also broken, and named with a question mark."""
DASH = 0.06
INK = (255, 255, 255)


def outlined(pixels: Pixels, pieces: Sequence[Named]) -> bytes:
    """The photograph as JPEG, at most 1600 pixels wide."""
    height, width = pixels.shape[:2]
    scale = min(1.0, WIDEST / max(height, width))
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    small = pixels if scale == 1.0 else cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)
    picture = Image.fromarray(cv2.cvtColor(small, cv2.COLOR_BGR2RGB))
    draw = ImageDraw.Draw(picture, "RGBA")
    labels = []
    for piece in pieces:
        corners = np.asarray(piece.corners, np.float64) * scale
        side = float(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).mean())
        colour = COLOURS[piece.status]
        line = max(2, round(side / 30))
        _frame(draw, corners, colour, line, broken=piece.status != "sure")
        labels.append((corners, side, colour, piece))
    for corners, side, colour, piece in labels:  # names lie above every outline
        _name(draw, corners, side, colour, piece)
    out = io.BytesIO()
    picture.save(out, "JPEG", quality=QUALITY)
    return out.getvalue()


def _frame(
    draw: ImageDraw.ImageDraw, corners: np.ndarray, colour: tuple[int, int, int], line: int, broken: bool
) -> None:
    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        steps = np.arange(0, 1, 2 * DASH) if broken else np.array([0.0])
        length = DASH if broken else 1.0
        for step in steps:
            a, b = start + (end - start) * step, start + (end - start) * min(1.0, step + length)
            draw.line([tuple(a), tuple(b)], fill=(*colour, 255), width=line)
    if not broken:
        for x, y in corners:
            draw.ellipse([x - line / 2, y - line / 2, x + line / 2, y + line / 2], fill=(*colour, 255))


def _name(
    draw: ImageDraw.ImageDraw, corners: np.ndarray, side: float, colour: tuple[int, int, int], piece: Named
) -> None:
    """The place in large letters in the middle of the piece, the name below it."""
    middle = corners.mean(axis=0)
    name = f"{piece.name}{SIGNS[piece.status]}" if piece.name else "?"
    large, small = (ImageFont.load_default(size=max(12.0, side * part)) for part in (0.34, 0.17))
    lines = [(piece.place, large), (name, small)] if piece.place else [(name, large if len(name) < 4 else small)]
    boxes = [draw.textbbox((0, 0), text, font=font) for text, font in lines]
    gap = side * 0.04
    wide = max(right - left for left, _, right, _ in boxes) + 3 * gap
    high = sum(bottom - top for _, top, _, bottom in boxes) + gap * (len(boxes) + 1)
    x, y = middle[0] - wide / 2, middle[1] - high / 2
    draw.rounded_rectangle([x, y, x + wide, y + high], radius=side * 0.06, fill=(*colour, 225))
    y += gap
    for (text, font), (left, top, right, bottom) in zip(lines, boxes, strict=True):
        draw.text((middle[0] - (right - left) / 2 - left, y - top), text, font=font, fill=(*INK, 255))
        y += bottom - top + gap
