"""Pieces of any game in a photograph, by shape and light alone: what has four straight sides that show.

Known art is found more surely by its own drawing (`vision.album`); this is for what nobody has drawn for us.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.one_box.search import of_one_box
from vision.outline import Corners
from vision.photo import Pixels
from vision.register import Placing, corners_of, from_grid, mapped, placing_of
from vision.sketch import Sketch
from vision.standing_out import standing_out

MOST_PIECES: Final = 12
SHOWN: Final = 0.62
"""The part of an outline's weakest side that must be an edge."""
EDGE: Final = 9.0
"""Grey levels a pixel: what counts as an edge."""
LONGEST: Final = 2.3
SMALLEST: Final = 0.0012
LARGEST: Final = 0.45
"""Parts of the picture's area."""
SAMPLES: Final = 24


@dataclass(frozen=True)
class Found:
    """One piece: its corners, clockwise, and how plainly its outline shows (1 is wholly)."""

    corners: Corners
    support: float

    def squared(self, pixels: Pixels, longest: int = 240) -> Pixels:
        """The piece cut out and straightened, in its own proportions."""
        import cv2

        lengths = np.linalg.norm(self.corners[[1, 2, 3, 0]] - self.corners, axis=1)
        wide, high = float(lengths[0] + lengths[2]), float(lengths[1] + lengths[3])
        width, height = (max(8, round(longest * side / max(wide, high))) for side in (wide, high))
        matrix = placing_of(self.corners) @ from_grid(width, height)
        flags = cv2.INTER_AREA | cv2.WARP_INVERSE_MAP
        return np.asarray(cv2.warpPerspective(pixels, matrix, (width, height), flags=flags), np.uint8)

    def in_photograph(self, points: Corners, picture: Pixels) -> Corners:
        """Where points of the cut-out picture lie in the photograph."""
        return mapped(points, placing_of(self.corners) @ from_grid(picture.shape[1], picture.shape[0]))


def find_pieces(pixels: Pixels) -> list[Found]:
    """Up to twelve pieces of one size, whole and not overlapping; rows and grids that touch are taken apart."""
    if min(pixels.shape[:2]) < 24:
        return []
    sketch = Sketch(pixels)
    area = sketch.small.shape[0] * sketch.small.shape[1]
    every = [*sketch.plain, *sketch.others(), *standing_out(sketch.small)]
    large = [corners for corners in every if _area(corners) > SMALLEST / 2 * area]
    alike = of_one_box(sketch, large)
    found = [Found(corners, plain) for corners, plain in alike if _inside(corners, sketch.small)]
    return _in_photograph(found, sketch) if len(found) <= 2 * MOST_PIECES else []  # a tablecloth: nobody lays so many


def pieces_among(sketch: Sketch, found: Sequence[Corners], taken: Sequence[Corners] = ()) -> list[Found]:
    """The pieces among outlines, in pixels of the photograph, beside those already known."""
    known = sketch.shrunk(taken)
    free = [corners for corners in sketch.shrunk(found) if not any(_overlap(corners, other) for other in known)]
    kept = _apart(_pieces(sketch, free))
    return _in_photograph(kept, sketch) if len(kept) <= 2 * MOST_PIECES else []  # a tablecloth: nobody lays so many


def side_support(small: Pixels, outlines: Sequence[Corners]) -> list[float]:
    """For each outline, the part of its weakest side along which the picture really changes."""
    return _support(outlines, _slopes(small))


def _pieces(sketch: Sketch, found: Sequence[Corners]) -> list[tuple[float, Found]]:
    """The outlines of a working copy that show, or the parts of those that are rows, each with its worth."""
    area = sketch.small.shape[0] * sketch.small.shape[1]
    left = [corners for corners in found if _area(corners) > SMALLEST * area]
    if not left:
        return []
    slopes = _slopes(sketch.small)
    parts = [piece for corners in left for piece in _taken_apart(corners, slopes)]
    sizes = [_area(piece) / area for piece in parts]
    likely = [
        (piece, size)
        for piece, size in zip(parts, sizes, strict=True)
        if SMALLEST < size < LARGEST and _inside(piece, sketch.small)
    ]
    support = _support([piece for piece, _ in likely], slopes)
    return [
        (shown + 0.25 * float(np.sqrt(size)), Found(piece, shown))
        for (piece, size), shown in zip(likely, support, strict=True)
        if shown > SHOWN
    ]


def _apart(candidates: list[tuple[float, Found]]) -> list[Found]:
    """The worthiest that do not overlap."""
    kept: list[Found] = []
    for _, piece in sorted(candidates, key=lambda candidate: -candidate[0]):
        if not any(_overlap(piece.corners, other.corners) for other in kept):
            kept.append(piece)
    return kept


def _in_photograph(kept: list[Found], sketch: Sketch) -> list[Found]:
    enlarged = sketch.enlarged([one.corners for one in kept[:MOST_PIECES]])
    return [Found(corners, one.support) for corners, one in zip(enlarged, kept, strict=False)]


def _slopes(small: Pixels) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """How steeply brightness or colour changes, across and down."""
    import cv2

    lab = cv2.GaussianBlur(cv2.cvtColor(small, cv2.COLOR_BGR2LAB), (3, 3), 0)
    across = cv2.Sobel(lab, cv2.CV_32F, 1, 0, scale=0.25)
    down = cv2.Sobel(lab, cv2.CV_32F, 0, 1, scale=0.25)
    return np.asarray(across, np.float32), np.asarray(down, np.float32)


def _support(outlines: Sequence[Corners], slopes: tuple[NDArray[np.float32], NDArray[np.float32]]) -> list[float]:
    """For each outline, the part of its weakest side along which the picture really changes."""
    if not outlines:
        return []
    starts = np.stack(outlines)
    shares = _edge_shares(starts.reshape(-1, 2), np.roll(starts, -1, axis=1).reshape(-1, 2), slopes)
    return [float(share) for share in shares.reshape(-1, 4).min(axis=1)]


def _edge_shares(
    starts: NDArray[np.float32], ends: NDArray[np.float32], slopes: tuple[NDArray[np.float32], NDArray[np.float32]]
) -> NDArray[np.float64]:
    """The part of each line that is an edge, or has one beside it."""
    across, down = slopes
    lines = ends - starts
    normals = np.stack([-lines[:, 1], lines[:, 0]], axis=1) / (np.linalg.norm(lines, axis=1, keepdims=True) + 1e-6)
    along = starts[:, None] + lines[:, None] * np.linspace(0.08, 0.92, SAMPLES)[:, None]
    strongest = np.zeros(along.shape[:2])
    for off in (-1.5, 0.0, 1.5):
        points = np.round(along + normals[:, None] * off).astype(int)
        x = np.clip(points[..., 0], 0, across.shape[1] - 1)
        y = np.clip(points[..., 1], 0, across.shape[0] - 1)
        steep = np.abs(across[y, x] * normals[:, :1, None] + down[y, x] * normals[:, 1:, None]).max(axis=2)
        strongest = np.maximum(strongest, steep)
    return np.asarray((strongest > EDGE).mean(axis=1))


def _taken_apart(corners: Corners, slopes: tuple[NDArray[np.float32], NDArray[np.float32]]) -> list[Corners]:
    """The outline itself or, where seams show across a long one, the pieces of the row."""
    lengths = np.linalg.norm(corners[[1, 2, 3, 0]] - corners, axis=1)
    wide, high = float(lengths[0] + lengths[2]), float(lengths[1] + lengths[3])
    ratio = max(wide, high) / min(wide, high)
    whole = [corners] if ratio < LONGEST else []
    if ratio < 1.6 or ratio > MOST_PIECES * 1.2:
        return whole
    placing = placing_of(corners if wide > high else corners[[1, 2, 3, 0]])
    best: tuple[float, list[Corners]] = (SHOWN, whole)
    for number in range(max(2, int(ratio * 0.75)), min(MOST_PIECES, int(ratio * 1.4)) + 1):
        parts = [_part(placing, number, at) for at in range(number)]
        seams = np.stack(parts[:-1])
        shown = float(_edge_shares(seams[:, 1], seams[:, 2], slopes).min())
        if shown > best[0]:
            best = (shown, parts)
    return best[1]


def _part(whole: Placing, number: int, at: int) -> Corners:
    return corners_of(whole @ np.array([[1 / number, 0, (2 * at + 1) / number - 1], [0, 1, 0], [0, 0, 1]]))


def _inside(corners: Corners, small: Pixels) -> bool:
    height, width = small.shape[:2]
    return bool((corners > 1).all() and (corners < np.array([width - 2, height - 2])).all())


def _area(corners: Corners) -> float:
    import cv2

    return cv2.contourArea(corners)


def _overlap(one: Corners, other: Corners) -> bool:
    """Whether two outlines share more than an edge."""
    import cv2

    shared, _ = cv2.intersectConvexConvex(one, other)
    return shared > 0.12 * min(_area(one), _area(other))
