"""Number and century pre-read on finds whose art nobody has drawn for us: a help to the person who teaches them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import cv2
import numpy as np

from vision import digits
from vision.photo import Pixels
from vision.teaching import Guess

SIDE: Final = 240
LEFT: Final = (slice(140, 236), slice(6, 128))
RIGHT: Final = (slice(140, 236), slice(112, 234))
"""Where a find has its number and its century when it is upright."""
LOWEST, HIGHEST = 0.14, 0.75
"""How high a digit is, as a part of its corner."""
CENTURIES: Final = "12345"


def preread(pictures: Sequence[Pixels]) -> list[Guess]:
    """For each squared find, in any turn: `?50?3` where its digits were read, and how to turn it upright."""
    crops: list[Pixels] = []
    for picture in pictures:
        square = cv2.resize(picture, (SIDE, SIDE), interpolation=cv2.INTER_AREA)
        grey = np.asarray(cv2.cvtColor(square, cv2.COLOR_BGR2GRAY), np.uint8)
        for turn in range(4):
            upright = np.rot90(grey, -turn)
            crops.extend((_digits_alone(upright[LEFT], 2), _digits_alone(upright[RIGHT], 1)))
    texts = digits.read_sheet(crops)
    return [_guess(texts[8 * index : 8 * index + 8]) for index in range(len(pictures))]


def _guess(texts: Sequence[str]) -> Guess:
    """The one turn in which both the number and the century can be read."""
    readable = [
        (turn, texts[2 * turn], texts[2 * turn + 1])
        for turn in range(4)
        if len(texts[2 * turn]) == 2 and texts[2 * turn + 1] in tuple(CENTURIES)
    ]
    if len(readable) != 1:
        return Guess(None)
    turn, number, century = readable[0]
    return Guess(f"?{number}?{century}", turn)


def _digits_alone(corner: Pixels, count: int) -> Pixels:
    """The corner with nothing left but what stands like digits in a line, dark on white; blank if nothing does."""
    smooth = cv2.GaussianBlur(np.ascontiguousarray(corner), (0, 0), 0.8)
    best: tuple[float, Pixels] | None = None
    for dark in (True, False):
        how = cv2.THRESH_BINARY_INV if dark else cv2.THRESH_BINARY
        mask = cv2.adaptiveThreshold(smooth, 255, cv2.ADAPTIVE_THRESH_GAUSSIAN_C, how, 61, 12 if dark else -12)
        line = _line(np.asarray(mask, np.uint8), count)
        if line is not None and (best is None or line[0] > best[0]):
            best = line
    return best[1] if best else np.full((digits.LINE, digits.LINE), 255, np.uint8)


def _line(mask: Pixels, count: int) -> tuple[float, Pixels] | None:
    """So many marks of one height side by side: the tallest such line, cut out, and its height."""
    high, wide = mask.shape
    total, marks, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    boxes = []
    for index in range(1, total):
        x, y, width, height, area = (int(value) for value in stats[index])
        inside = x > 0 and y > 0 and x + width < wide and y + height < high
        if inside and LOWEST * high < height < HIGHEST * high and width < 1.1 * height and area > 0.12 * width * height:
            boxes.append((x, y, width, height, index))
    boxes.sort()
    best: tuple[float, Pixels] | None = None
    for start in range(len(boxes) - count + 1):
        group = boxes[start : start + count]
        heights = [box[3] for box in group]
        tops = [box[1] for box in group]
        close = all(b[0] - (a[0] + a[2]) < 0.6 * heights[0] for a, b in pairwise(group))
        if min(heights) < 0.75 * max(heights) or max(tops) - min(tops) > 0.25 * heights[0] or not close:
            continue
        if best is None or max(heights) > best[0]:
            drawn = np.where(np.isin(marks, [box[4] for box in group]), 0, 255).astype(np.uint8)
            left, right = group[0][0], group[-1][0] + group[-1][2]
            cut = drawn[min(tops) : max(tops) + max(heights), left:right]
            framed = cv2.copyMakeBorder(cut, 4, 4, 4, 4, cv2.BORDER_CONSTANT, value=255)
            best = (float(max(heights)), np.asarray(framed, np.uint8))
    return best
