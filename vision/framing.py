"""Where the piece lies in a picture that it roughly fills: a few likely frames, the likeliest first."""

from __future__ import annotations

from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.photo import Pixels

Corners: TypeAlias = NDArray[np.float32]
"""Four points, clockwise from the top left, in pixels of the picture."""
Plane: TypeAlias = NDArray[np.float32]

WORK = 48
MARGIN = 10
USUAL_FILL = 0.82
SMALLEST, LARGEST = 0.56, 1.02
SOFT_EDGE = 3.0
"""Lightness steps a pixel: a side this strong counts half."""
UNSEEN_SIDE = 0.32
"""What a side outside the picture counts: less than a seen one, more than none."""


def frames(picture: Pixels, most: int = 4) -> list[Corners]:
    """Up to `most` frames that could be the piece's outline; the whole picture is always one of them."""
    height, width = picture.shape[:2]
    scale = WORK / max(height, width)
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    shrunk = cv2.cvtColor(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=how), cv2.COLOR_BGR2LAB)
    lab = np.asarray(cv2.GaussianBlur(shrunk.astype(np.float32), (3, 3), 0), np.float32)
    chosen: list[Corners] = []
    for corners in [*_standing_out(lab), *_squares(lab)]:
        corners = corners / scale
        if all(_apart(corners, other) > 0.05 * max(height, width) for other in chosen):
            chosen.append(corners)
        if len(chosen) == most - 1:
            break
    return [*chosen, whole(picture)]


def whole(picture: Pixels) -> Corners:
    """The picture's own corners."""
    height, width = picture.shape[:2]
    return np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)


def _apart(one: Corners, other: Corners) -> float:
    return float(np.abs(one - other).max())


def clockwise(corners: Corners) -> Corners:
    """The same four points, clockwise from the one nearest to the picture's top left."""
    middle = corners.mean(axis=0)
    turned = corners[np.argsort(np.arctan2(corners[:, 1] - middle[1], corners[:, 0] - middle[0]))]
    first = int(np.argmin(turned.sum(axis=1)))
    return np.roll(turned, -first, axis=0).astype(np.float32)


def _standing_out(lab: Plane) -> list[Corners]:
    """The outline of what differs from the picture's border, when that is one four-cornered thing."""
    height, width = lab.shape[:2]
    border = [lab[:2], lab[-2:], lab[:, :2], lab[:, -2:]]
    ring = np.concatenate([strip.reshape(-1, 3) for strip in border])
    distance = np.sqrt(np.square(lab - np.median(ring, axis=0)).sum(axis=2))
    grey = np.clip(distance * 3, 0, 255).astype(np.uint8)
    _, mask = cv2.threshold(grey, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not outlines:
        return []
    hull = cv2.convexHull(max(outlines, key=cv2.contourArea))
    area = cv2.contourArea(hull)
    if not SMALLEST**2 * 0.6 < area / (height * width) < 0.97:
        return []
    around = cv2.approxPolyDP(hull, 0.05 * cv2.arcLength(hull, True), True).reshape(-1, 2).astype(np.float32)
    box = cv2.boxPoints(cv2.minAreaRect(hull)).astype(np.float32)
    four = clockwise(around if len(around) == 4 and cv2.contourArea(around) > 0.9 * area else box)
    sides = np.linalg.norm(four - np.roll(four, -1, axis=0), axis=1)
    clear = (four > 0.5).all() and (four < (width - 1.5, height - 1.5)).all()
    if not clear or cv2.contourArea(four) * 0.85 > area or sides.max() > 2 * sides.min():
        return []
    return [four + 0.5]


def _leanings(lightness: Plane) -> list[float]:
    """The angles, within 45 degrees of upright, at which most edges run."""
    across = cv2.Sobel(lightness, cv2.CV_32F, 1, 0)
    down = cv2.Sobel(lightness, cv2.CV_32F, 0, 1)
    angles = np.degrees(np.arctan2(down, across)) % 90
    counts, _ = np.histogram(angles, bins=90, range=(0, 90), weights=np.hypot(across, down))
    smooth = np.convolve(np.r_[counts[-2:], counts, counts[:2]], [1, 2, 3, 2, 1], "valid")
    found: list[float] = []
    for index in np.argsort(-smooth):
        angle = float(index) + 0.5
        if all(min(abs(angle - other), 90 - abs(angle - other)) > 4 for other in found):
            found.append(angle)
        if len(found) == 2:
            break
    found = [angle if angle <= 45 else angle - 90 for angle in found]
    return found if any(abs(angle) < 1 for angle in found) else [0.0, *found]


def _squares(lab: Plane) -> list[Corners]:
    """Squares whose four sides are edges, best first: every position and size at a few leanings."""
    height, width = lab.shape[:2]
    scored: list[tuple[float, Corners]] = []
    for leaning in _leanings(lab[:, :, 0]):
        turn = cv2.getRotationMatrix2D((width / 2 - 0.5, height / 2 - 0.5), leaning, 1)
        turn[:, 2] += MARGIN
        size = (width + 2 * MARGIN, height + 2 * MARGIN)
        turned = np.asarray(cv2.warpAffine(lab, turn, size, borderMode=cv2.BORDER_REPLICATE), np.float32)
        inside = np.asarray(cv2.warpAffine(np.ones((height, width), np.float32), turn, size), np.float32)
        back = cv2.invertAffineTransform(turn)
        for score, x, y, side in _upright_squares(turned, inside):
            square = np.array([[[x, y], [x + side, y], [x + side, y + side], [x, y + side]]], np.float32)
            scored.append((score, cv2.transform(square, back)[0] + 0.5))
    scored.sort(key=lambda item: -item[0])
    return [corners for _, corners in scored]


def _upright_squares(lab: Plane, inside: Plane) -> list[tuple[float, int, int, int]]:
    """The best upright square of each size as (score, x, y, side)."""
    height, width = inside.shape
    planes = np.ascontiguousarray(lab.transpose(2, 0, 1))
    across_sum = np.zeros((3, height + 1, width), np.float32)
    down_sum = np.zeros((3, height, width + 1), np.float32)
    seen_across = np.zeros((height + 1, width), np.float32)
    seen_down = np.zeros((height, width + 1), np.float32)
    across_sum[:, 1:, 1:-1] = np.cumsum((planes[:, :, 2:] - planes[:, :, :-2]) / 2 * inside[:, 1:-1], axis=1)
    down_sum[:, 1:-1, 1:] = np.cumsum((planes[:, 2:] - planes[:, :-2]) / 2 * inside[1:-1], axis=2)
    seen_across[1:] = np.cumsum(inside, axis=0)
    seen_down[:, 1:] = np.cumsum(inside, axis=1)
    rows, columns = np.mgrid[:height, :width]
    best: list[tuple[float, int, int, int]] = []
    for side in range(int(WORK * SMALLEST), int(WORK * LARGEST), 2):
        ny, nx = height - side, width - side
        if ny < 1 or nx < 1:
            continue
        upright = np.abs(across_sum[:, side:] - across_sum[:, :-side]).max(axis=0)
        level = np.abs(down_sum[:, :, side:] - down_sum[:, :, :-side]).max(axis=0)
        strength = _four_sides(upright, level, side) / side
        seen_upright = seen_across[side:] - seen_across[:-side]
        seen = _four_sides(seen_upright, seen_down[:, side:] - seen_down[:, :-side], side) / side
        strength = np.where(seen < 0.4, UNSEEN_SIDE, strength / (strength + SOFT_EDGE))
        off = np.hypot(rows[:ny, :nx] + (side - height) / 2, columns[:ny, :nx] + (side - width) / 2) / WORK
        score = strength.mean(axis=0) + 0.5 * strength.min(axis=0) - 0.6 * off
        y, x = divmod(int(np.argmax(score)), nx)
        best.append((float(score[y, x]) - 0.5 * abs(float(np.log(side / (USUAL_FILL * WORK)))), x, y, side))
    return best


def _four_sides(upright: Plane, level: Plane, side: int) -> Plane:
    """Left, right, top and bottom of every square of this size, from its upright and level lines."""
    rows, columns = level.shape[0] - side, upright.shape[1] - side
    left, right = upright[:rows, :columns], upright[:rows, side : side + columns]
    top, bottom = level[:rows, :columns], level[side : side + rows, :columns]
    return np.stack([left, right, top, bottom]).astype(np.float32)
