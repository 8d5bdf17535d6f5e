"""Known faces found in a photograph: outlines propose, the faces decide, found pieces point to their neighbours."""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vision.outline import Corners, plausible
from vision.register import (
    ROUGH,
    Face,
    Layers,
    Placing,
    Plane,
    corners_of,
    evened,
    led_home,
    placing_of,
    product,
    pulled,
    turned,
)

SOFT: Final = 1.2
RIM: Final = 2
LIKELY: Final = 0.35
"""A coarse likeness below this is not worth a closer look."""
SEEN: Final = 0.55
"""A fit from here on says that a piece of this set lies here; which one, and how surely, others decide."""
STRONG: Final = 0.78
"""From here on nothing else is looked for in the same place."""
TIGHT: Final = 0.9
"""A fit below this may still be improved."""
PATIENCE: Final = 20
"""Steps of the last pull for a face that comes slowly."""
SHAKES: Final = (
    *(np.diag([*by, 1.0]) for by in ((0.94, 0.94), (1.06, 1.06), (1.0, 1.06), (1.06, 1.0))),
    *(np.array([[1, 0, 0], [0, 1, 0], [*by, 1]]) for by in ((0.03, 0), (-0.03, 0), (0, 0.03), (0, -0.03))),
)
ALIKE: Final = 3
"""How many faces may try to pull themselves into one place."""
PROBABLE: Final = 0.5
MOST_TRIES: Final = 80
FEW_TRIES: Final = 24
"""How many failures in a row end the search, among what looks probable and among what hardly does."""
SAME_PLACE: Final = 2
"""How often nearly the same place is tried."""
SHORTEST_ROW: Final = 1.4
LONGEST_PIECE: Final = 2.4
"""Length by height, as seen: tilted away, a square may look like two, and two like one."""
FRAME_GROWTH: Final = (1.0, 1.085)
"""An outline is the piece's rim or, where the rim is as dark as the table, the line printed inside it."""


TILTED: Final = 2.3
"""Sum of squares of the axes against their area, which is 2 for a square; 40 degrees of tilt give 2.07."""
BAND_HEIGHTS: Final = (1.0, 0.85, 1.18)
"""How high a piece may look against its width."""

Box: TypeAlias = tuple[float, float, float, float]


@dataclass(frozen=True)
class Sighting:
    """A known face laid onto the photograph where it fits well."""

    face: Face
    placing: Placing
    fit: float

    @property
    def corners(self) -> Corners:
        """From the piece's own top left, clockwise."""
        return corners_of(self.placing)


class Album:
    """The faces of one set, ready to be compared with squared pieces of a photograph.

    `landmarks` are boxes (left, top, right, bottom, from -1 to 1) printed on the faces that have an outline of their
    own, `band` one that is long and dark: they give a piece away whose rim cannot be told from the table.
    """

    def __init__(self, faces: Sequence[Face], landmarks: Sequence[Box] = (), band: Box | None = None) -> None:
        self.faces = tuple(faces)
        self.landmarks = tuple(landmarks)
        self.band = band

    def prepare(self) -> None:
        """Works out now what would be worked out on first use."""
        for face in self.faces:
            face.prepare()
        assert len(self._turned_faces) == 4 * len(self.faces)

    @cached_property
    def _turned_faces(self) -> NDArray[np.float32]:
        """Row 4 * face + quarters: the face as it looks in a square that is turned by quarters against it."""
        rows = [np.rot90(_gist(face.grey(ROUGH)), -quarters).ravel() for face in self.faces for quarters in range(4)]
        return np.stack(rows).astype(np.float32)

    def likeness(self, layers: Layers, placings: Sequence[Placing]) -> NDArray[np.float32]:
        """How much what lies at each place (rows) looks like each face in each of four turns (columns)."""
        seen = np.stack([_gist(layers.squared(placing, ROUGH)).ravel() for placing in placings])
        return product(seen, self._turned_faces)

    def sightings(self, layers: Layers, found: Sequence[Corners], bands: Sequence[Corners] = ()) -> list[Sighting]:
        """The set's pieces in the photograph: by their outlines first, then by what is printed on them."""
        seen: list[Sighting] = []
        weak = self._follow(layers, [placing for corners in found for placing in guesses(corners)], seen)
        for plane in [sighting.placing for sighting in seen if sighting.face.square][:1]:
            weak += self._follow(layers, self._in_plane(plane, found, bands, seen), seen, upright=True)
        printed = [*self._by_landmarks(found, seen), *self._by_bands(bands, seen)]
        weak += self._follow(layers, printed, seen, upright=True)
        for sighting in sorted(weak, key=lambda sighting: -sighting.fit):
            if not _taken(sighting.placing, seen):
                seen.append(sighting)
        return seen

    def _follow(
        self, layers: Layers, places: Sequence[Placing], seen: list[Sighting], upright: bool = False
    ) -> list[Sighting]:
        """Looks closely at the likeliest places, and beside every piece found there; adds what it sees.

        What fits only weakly, because it is covered or hangs beside its place, is handed back: others may fit better.
        """
        weak: list[Sighting] = []
        queue: list[tuple[float, int, Placing, list[Face]]] = []
        order = count()

        def propose(placings: Sequence[Placing], upright: bool) -> None:
            if not placings:
                return
            scores = self.likeness(layers, placings)
            if upright:
                scores = scores * np.tile(np.array([1, 0, 0, 0], np.float32), len(self.faces))
            for placing, row in zip(placings, scores, strict=True):
                best = int(row.argmax())
                if row[best] > LIKELY:
                    alike = np.argsort(-row[best % 4 :: 4])[:ALIKE]
                    faces = [self.faces[int(index)] for index in alike]
                    heapq.heappush(queue, (-float(row[best]), next(order), turned(placing, best % 4), faces))

        propose(places, upright)
        tries = 0
        tried: Counter[tuple[int, ...]] = Counter()
        while queue:
            unlikeness, _, placing, faces = heapq.heappop(queue)
            if tries >= (MOST_TRIES if -unlikeness > PROBABLE else FEW_TRIES):
                break
            where = _about(placing)
            if _taken(placing, seen) or tried[where] >= SAME_PLACE:
                continue
            tries += 1
            tried[where] += 1
            placing, fit, face = led_home(layers, placing, faces)
            if fit < SEEN or not plausible(corners_of(placing)) or _taken(placing, seen):
                continue
            sighting = self._best(layers, Sighting(face, placing, fit))
            if sighting.fit < STRONG:
                weak.append(sighting)
                continue
            seen.append(sighting)
            tries = 0
            beside = [
                seen[-1].placing @ np.array([[1, 0, across], [0, 1, down], [0, 0, 1]])
                for across, down in ((-2.0, 0.0), (2.0, 0.0), (0.0, -2.0), (0.0, 2.0))
            ]
            propose([place for place in beside if _inside(place, layers) and not _taken(place, seen)], False)
        return weak

    def _in_plane(
        self, plane: Placing, found: Sequence[Corners], bands: Sequence[Corners], seen: Sequence[Sighting]
    ) -> list[Placing]:
        """Where pieces as large as one already seen would lie on its table, to have what is printed on them here."""
        import cv2

        back = np.linalg.inv(plane)
        boxes = [*((box, found) for box in self.landmarks), *(((self.band, bands),) if self.band else ())]
        places: list[Placing] = []
        for (left, top, right, bottom), outlines in boxes:
            wide, high = right - left, bottom - top
            slack = 0.25 if min(wide, high) > 0.3 else 0.6
            for corners in outlines:
                flat = cv2.perspectiveTransform(corners[None].astype(np.float64), back)[0]
                middle = flat.mean(axis=0)
                for quarters in range(4):
                    a, b, c, d = np.roll(flat, -quarters, axis=0)
                    along, down = (b + c - a - d) / 2, (c + d - a - b) / 2
                    length = math.hypot(along[0], along[1])
                    if abs(length / wide - 1) > 0.2 or abs(math.hypot(down[0], down[1]) / high - 1) > slack:
                        continue
                    cos, sin = along[0] / length, along[1] / length
                    turn = np.array([[cos, -sin, middle[0]], [sin, cos, middle[1]], [0, 0, 1]])
                    shift = np.array([[1, 0, -(left + right) / 2], [0, 1, -(top + bottom) / 2], [0, 0, 1]])
                    place = plane @ turn @ shift
                    place = place / place[2, 2]
                    if not _taken(place, seen):
                        places.append(place)
        return places

    def _by_landmarks(self, found: Sequence[Corners], seen: Sequence[Sighting]) -> list[Placing]:
        """Where pieces would lie if outlines that no piece explains were boxes printed on them."""
        if not found or not self.landmarks:
            return []
        sizes = [_size(sighting.placing) for sighting in seen]
        turns = np.stack([np.roll(np.stack(found), -quarters, axis=1) for quarters in range(4)], axis=1)
        places: list[Placing] = []
        for left, top, right, bottom in self.landmarks:
            box = np.array([[left, top, 1], [right, top, 1], [right, bottom, 1], [left, bottom, 1]])
            drawn = np.einsum("ij,fqjk->fqki", np.linalg.pinv(box), turns.astype(np.float64)).reshape(-1, 2, 3)
            (a, b, _), (c, d, _) = drawn.transpose(1, 2, 0)
            grown, area = a * a + b * b + c * c + d * d, a * d - b * c
            # Whether a square seen from up to 40 degrees could look like this.
            good = (area > 0) & (grown < TILTED * area)
            if sizes:
                size = 2 * np.sqrt(np.maximum(area, 0))
                good &= (size > min(sizes) / 1.6) & (size < max(sizes) * 1.6)
            places += [np.vstack([place, [0, 0, 1]]) for place in drawn[good]]
        return [place for place in places if not _taken(place, seen)]

    def _by_bands(self, bands: Sequence[Corners], seen: Sequence[Sighting]) -> list[Placing]:
        """Where pieces would lie if dark bands were the one printed along their rim; tilt makes them look lower."""
        if self.band is None:
            return []
        left, top, right, bottom = self.band
        places: list[Placing] = []
        for corners in bands:
            middle = corners.mean(axis=0).astype(np.float64)
            sides = corners[[1, 2]] - corners[[0, 1]]
            along = max(sides, key=lambda side: float(side @ side)).astype(np.float64) / (right - left)
            for direction in (along, -along):
                for height in BAND_HEIGHTS:
                    down = np.array([-direction[1], direction[0]]) * height
                    start = middle - direction * (left + right) / 2 - down * (top + bottom) / 2
                    place = np.array([[direction[0], down[0], start[0]], [direction[1], down[1], start[1]], [0, 0, 1]])
                    if not _taken(place, seen):
                        places.append(place)
        return places

    def _best(self, layers: Layers, first: Sighting) -> Sighting:
        """The face that fits here best, which need not be the one that led here, pulled as tight as it goes."""
        best, face = first, self.faces[int(self.likeness(layers, [first.placing])[0, ::4].argmax())]
        starts = [] if face is first.face else [first.placing]
        if first.fit < TIGHT:
            best = Sighting(first.face, *pulled(layers, first.placing, first.face.fine, PATIENCE))
        if best.fit < TIGHT:
            # It may hang beside its place by a line or two: shaken a little, it falls right.
            starts += [first.placing @ shake for shake in SHAKES]
        for start in starts:
            placing, fit, _ = led_home(layers, start, [face])
            if fit > best.fit:
                best = Sighting(face, placing, fit)
            if best.fit > TIGHT:
                break
        return best


def _gist(patch: Plane) -> Plane:
    """What a first look compares: all but the rim, which every square thing has."""
    inner = evened(patch, SOFT)[RIM:-RIM, RIM:-RIM]
    return np.asarray(inner / np.float32(np.linalg.norm(inner) + 1e-6), np.float32)


def guesses(corners: Corners) -> list[Placing]:
    """Where one piece would lie if the outline were its rim, the line inside its rim, or a row of pieces."""
    lengths = np.linalg.norm(corners[[1, 2, 3, 0]] - corners, axis=1)
    wide, high = float(lengths[0] + lengths[2]), float(lengths[1] + lengths[3])
    ratio = max(wide, high) / min(wide, high)
    whole = placing_of(corners if wide > high else corners[[1, 2, 3, 0]])
    places = [_part(whole, 1, 0)] if ratio < LONGEST_PIECE else []
    if ratio > SHORTEST_ROW:
        for number in range(max(2, int(ratio * 0.75)), min(12, int(np.ceil(ratio * 1.4))) + 1):
            # Two of a row's pieces are enough: each one found shows where its neighbours lie.
            places += [_part(whole, number, at) for at in {number // 2, 0}]
    return [place @ np.diag([growth, growth, 1.0]) for place in places for growth in FRAME_GROWTH]


def _part(whole: Placing, number: int, at: int) -> Placing:
    """One of a number of equal pieces side by side in a whole."""
    part: Placing = whole @ np.array([[1 / number, 0, (2 * at + 1) / number - 1], [0, 1, 0], [0, 0, 1]])
    return part


def _about(placing: Placing) -> tuple[int, ...]:
    """Roughly where a face lies and how large it is: the same for places that differ by little."""
    size = _size(placing)
    x, y = placing[:2, 2] / placing[2, 2]
    step = 0.15 * 1.25 ** round(math.log(max(size, 1.0), 1.25))
    return round(x / step), round(y / step), round(math.log(max(size, 1.0), 1.25))


def _size(placing: Placing) -> float:
    """A placed face's side in pixels."""
    return 2 * math.sqrt(abs(placing[0, 0] * placing[1, 1] - placing[0, 1] * placing[1, 0]))


def _taken(placing: Placing, seen: Sequence[Sighting]) -> bool:
    """Whether this place's middle lies in a piece already seen, or that piece's middle in this one."""
    middle = placing[:2, 2] / placing[2, 2]
    return any(
        _within(middle, sighting.placing, 0.8)
        or _within(sighting.placing[:2, 2] / sighting.placing[2, 2], placing, 0.8)
        for sighting in seen
    )


def _within(point: NDArray[np.float64], placing: Placing, reach: float) -> bool:
    """Whether a point of the photograph lies on the placed face, or on its inner part."""
    (a, b, c), (d, e, f), (g, h, i) = placing.tolist()
    x, y = float(point[0]), float(point[1])
    # Solved by hand: this is asked thousands of times.
    a, b, c, d, e, f = a - g * x, b - h * x, i * x - c, d - g * y, e - h * y, i * y - f
    area = a * e - b * d
    if abs(area) < 1e-12:
        return False
    return bool(abs((c * e - b * f) / area) < reach and abs((a * f - c * d) / area) < reach)


def _inside(placing: Placing, layers: Layers) -> bool:
    """Whether the piece's middle lies in the photograph."""
    height, width = layers.grey[0].shape
    x, y = placing[:2, 2] / placing[2, 2]
    return bool(0 <= x < width and 0 <= y < height)
