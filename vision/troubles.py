"""What keeps a photograph from being read, as stable codes with a sentence that a player can act on."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.photo import Pixels
from vision.reading import Piece

SENTENCES = {
    "camera_covered": "The camera sees nothing. Take away what covers it.",
    "too_dark": "It is too dark to read. Turn on a lamp.",
    "too_bright": "It is too bright to read. Dim the lamp or turn it away from the table.",
    "blurred": "The picture is blurred. Check that the camera is fixed and in focus.",
    "glare": "A lamp is mirrored here. Move the lamp or the pieces a little.",
    "piece_cut_off": "A piece is cut off at the edge of the picture. Push it towards the middle.",
    "hand_in_picture": "A hand is still in the picture. Take it away from the table.",
}
DARKEST, DIMMEST_LIGHT = 26.0, 60.0
"""Grey levels: when the middle of all is below the first and the brightest parts are below the second."""
FLATTEST = 5.0
GLARING = 250
MOST_GLARE = 0.35
LEAST_GLARE, LARGEST_GLARE = 0.0008, 0.12
SOFT_RIM = 150
SHARP_ENOUGH = 2.5
SEEN_WIDTH = 320
EDGE = 0.006

Box = tuple[float, float, float, float]


class Trouble(msgspec.Struct, frozen=True):
    """One thing in the way: its code, a sentence, and where it is (left, top, right, bottom, as parts of 1)."""

    code: str
    message: str
    where: Box | None = None


def trouble(code: str, where: Box | None = None) -> Trouble:
    """The trouble of that code in plain English; other languages are found by the code."""
    return Trouble(code, SENTENCES[code], where)


def light_troubles(grey: NDArray[np.float32]) -> list[Trouble]:
    """What a glance tells: covered, too dark, too bright. Cheap enough for every frame."""
    low, middle, high = (float(value) for value in np.percentile(grey, (5, 50, 95)))
    if high - low < FLATTEST and high < DIMMEST_LIGHT:
        return [trouble("camera_covered")]
    if middle < DARKEST and high < DIMMEST_LIGHT:
        return [trouble("too_dark")]
    if float((grey >= GLARING).mean()) > MOST_GLARE:
        return [trouble("too_bright")]
    return []


def troubles(photo: Pixels, pieces: Sequence[Piece] = ()) -> list[Trouble]:
    """Everything that is in the way in a photograph, given the pieces that were found in it."""
    width = min(SEEN_WIDTH, photo.shape[1])
    high = max(1, round(photo.shape[0] * width / photo.shape[1]))
    small = cv2.resize(photo, (width, high), interpolation=cv2.INTER_AREA)
    grey = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.float32)
    found = light_troubles(grey)
    if found:
        return found
    if sharpness(photo) < SHARP_ENOUGH:
        found.append(trouble("blurred"))
    found.extend(trouble("glare", box) for box in glares(np.asarray(small, np.uint8)))
    found.extend(trouble("piece_cut_off", box) for box in _cut_off(photo, pieces))
    return found


def sharpness(photo: Pixels) -> float:
    """How crisp the crispest edges are, whatever is drawn and however bright it is."""
    step = max(1, photo.shape[1] // 640)
    grey = cv2.cvtColor(np.ascontiguousarray(photo[::step, ::step]), cv2.COLOR_BGR2GRAY)
    quiet = cv2.GaussianBlur(grey, (0, 0), 0.8)
    fine = np.abs(cv2.Laplacian(quiet, cv2.CV_16S, ksize=1))
    crispest = float(np.percentile(fine[::2, ::2], 99.5))
    contrast = float(np.percentile(quiet[::4, ::4], 95)) - float(np.percentile(quiet[::4, ::4], 5))
    return 100 * crispest / (contrast + 20) / 4


def glares(small: Pixels) -> list[Box]:
    """Where a lamp is mirrored: burnt-out patches with a soft rim on something that is not white itself."""
    height, width = small.shape[:2]
    burnt = (small.min(axis=2) >= GLARING - 4).astype(np.uint8)
    count, patches, stats, _ = cv2.connectedComponentsWithStats(burnt, connectivity=8)
    boxes: list[Box] = []
    for index in range(1, count):
        left, top, wide, high, area = (int(value) for value in stats[index])
        if not LEAST_GLARE < area / (height * width) < LARGEST_GLARE:
            continue
        patch = (patches == index).astype(np.uint8)
        ring = cv2.dilate(patch, np.ones((9, 9), np.uint8)) - cv2.dilate(patch, np.ones((3, 3), np.uint8))
        around = small[ring > 0].min(axis=1)
        if around.size and SOFT_RIM <= float(np.median(around)) < GLARING:
            boxes.append((left / width, top / height, (left + wide) / width, (top + high) / height))
    return boxes


def _cut_off(photo: Pixels, pieces: Sequence[Piece]) -> list[Box]:
    """The pieces that reach the picture's edge."""
    height, width = photo.shape[:2]
    boxes: list[Box] = []
    for piece in pieces:
        corners = np.array(piece.corners) / (width, height)
        if corners.min() < EDGE or corners.max() > 1 - EDGE:
            low, high = np.clip(corners.min(axis=0), 0, 1), np.clip(corners.max(axis=0), 0, 1)
            boxes.append((float(low[0]), float(low[1]), float(high[0]), float(high[1])))
    return boxes
