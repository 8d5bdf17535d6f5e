"""Known faces found in a photograph: outlines propose, the faces decide, found pieces point to their neighbours."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision import glance, places
from vision.glance import QUARTERS, Patches, Placings
from vision.outline import Corners, plausible
from vision.places import NOWHERE, Box
from vision.register import ROUGH, Face, Layers, Placing, corners_of, product, pulled
from vision.remains import Remains
from vision.sketch import Sketch

SOFT: Final = 1.8
RIM: Final = 2
LIKELY: Final = 0.45
"""A coarse likeness below this is not worth a closer look."""
STRAYING: Final = 0.55
COMING: Final = 0.65
"""Rough fits: below the first after a few pulls, and below the second after some more, no face is there."""
HOPELESS: Final = 0.4
"""A face that fits no better than this at middle size is not there."""
SEEN: Final = 0.55
"""A fit from here on says that a piece of this set lies here; which one, and how surely, others decide."""
STRONG: Final = 0.78
"""From here on nothing else is looked for in the same place."""
TIGHT: Final = 0.9
"""A fit below this may still be improved."""
LAST_STEPS: Final = 40
"""Steps of the last pull; most faces lie still after a few."""
PATIENCE: Final = 20
"""Steps of the last pull for a face that comes slowly."""
SHAKES: Final = (
    *(np.diag([*by, 1.0]) for by in ((0.94, 0.94), (1.06, 1.06), (1.0, 1.06), (1.06, 1.0))),
    *(np.array([[1, 0, 0], [0, 1, 0], [*by, 1]]) for by in ((0.03, 0), (-0.03, 0), (0, 0.03), (0, -0.03))),
)
LIKELIEST: Final = 3
"""How many of the ways in which an outline may be a piece are looked at closely."""
MOST_TRIES: Final = 120
"""How many places are looked at more closely at a time, the likeliest of all."""
AT_A_TIME: Final = 160
SAME_PLACE: Final = 2
"""How often nearly the same place is tried."""


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


class Tries(NamedTuple):
    """Places to be looked at, each in the turn in which it looks most like a face, and those faces; likeliest first."""

    placings: Placings
    faces: list[Face]

    def _only(self, chosen: NDArray[np.bool_]) -> Tries:
        return Tries(
            self.placings[chosen], [face for face, good in zip(self.faces, chosen.tolist(), strict=True) if good]
        )

    def beside(self, seen: Placings) -> Tries:
        """Those that no piece seen has taken."""
        return self._only(~places.taken(self.placings, seen))

    def parted(self) -> tuple[Tries, Tries]:
        """Those that overlap with no likelier one, and the others."""
        free = np.ones(len(self.placings), np.bool_)
        overlapping = places.overlapping(self.placings, self.placings)
        for index in range(len(free)):
            free[index] = not (overlapping[index, :index] & free[:index]).any()
        return self._only(free), self._only(~free)


class Album:
    """The faces of one set, ready to be compared with squared pieces of a photograph.

    `landmarks` are boxes (left, top, right, bottom, from -1 to 1) printed on the faces that have an outline of their
    own: they give a piece away whose rim cannot be told from the table.
    """

    def __init__(self, faces: Sequence[Face], landmarks: Sequence[Box] = ()) -> None:
        self.faces = tuple(faces)
        self.landmarks = tuple(landmarks)

    def prepare(self) -> None:
        """Works out now what would be worked out on first use."""
        for face in self.faces:
            face.prepare()
        assert len(self._turned_faces) == 4 * len(self.faces)

    @cached_property
    def _turned_faces(self) -> NDArray[np.float32]:
        """Row 4 * face + quarters: the face as it looks in a square that is turned by quarters against it."""
        gists = _gists(np.stack([face.grey(ROUGH) for face in self.faces]))
        turns = [np.rot90(gists, -quarters, axes=(1, 2)) for quarters in range(4)]
        return np.ascontiguousarray(np.stack(turns, axis=1).reshape(4 * len(gists), -1))

    def likeness(self, layers: Layers, placings: Placings) -> NDArray[np.float32]:
        """How much what lies at each place (rows) looks like each face in each of four turns (columns)."""
        # Some hundred at a time: what they need then stays in the processor's own memory.
        parts = [placings[begin : begin + AT_A_TIME] for begin in range(0, len(placings), AT_A_TIME)]
        gists = [_gists(glance.squared(layers, part, ROUGH)) for part in parts]
        rows = [product(gist.reshape(len(gist), -1), self._turned_faces) for gist in gists]
        return np.concatenate(rows) if rows else np.zeros((0, len(self._turned_faces)), np.float32)

    def sightings(self, layers: Layers, sketch: Sketch) -> tuple[list[Sighting], list[Corners]]:
        """The set's pieces in the photograph, and all outlines that were looked at on the way.

        Plain outlines come first; only where something drawn is left that no piece explains is more searched for.
        """
        seen: list[Sighting] = []
        found = sketch.enlarged(sketch.plain)
        if not self.faces:
            return seen, found
        weak = self._follow(layers, places.by_outlines(found), seen)
        remains = Remains(sketch)
        if seen:
            weak += self._follow_drawn(layers, remains, seen)
        where = remains.unexplained(_corners(seen))
        if where.any():
            others = sketch.enlarged(sketch.others(where))
            found += others
            known = len(seen)
            weak += self._follow(layers, places.by_outlines(others), seen)
            if not seen:
                landmarks = places.by_landmarks(self.landmarks, found)
                weak += self._follow(layers, landmarks, seen)
            if len(seen) > known or not seen:
                weak += self._follow_drawn(layers, remains, seen)
        for sighting in sorted(weak, key=lambda sighting: -sighting.fit):
            if not _taken(sighting.placing, seen):
                seen.append(sighting)
        return seen, found

    def closer(self, layers: Layers, outline: Corners, seen: Sequence[Sighting]) -> Sighting | None:
        """The piece inside an outline that looked like none at a glance: a mirrored lamp may have outshone it.

        What would overlap with a piece already seen is none.
        """
        at = places.by_outlines([outline])
        scores = self.likeness(layers, at)
        sightings = []
        for index in np.argsort(-scores.max(axis=1))[:LIKELIEST].tolist():
            best = int(scores[index].argmax())
            sightings.append(self._seen(layers, at[index] @ QUARTERS[best % 4], self.faces[best // 4]))
        best_of_all = max(filter(None, sightings), key=lambda sighting: sighting.fit, default=None)
        return None if best_of_all is None or _taken(best_of_all.placing, seen) else best_of_all

    def _follow_drawn(self, layers: Layers, remains: Remains, seen: list[Sighting]) -> list[Sighting]:
        """Looks for pieces wherever something drawn is left: as those seen lie or, if none is seen, at any slant."""
        weak: list[Sighting] = []
        blobs = [] if seen else remains.blobs()
        shapes = [sighting.face for sighting in seen] or self.faces
        for half in dict.fromkeys(face.half for face in shapes):
            if not seen:
                weak += self._follow(layers, places.on_blobs(blobs, half), seen)
                continue
            known = 0
            while len(seen) > known:  # each piece found leaves fewer spots, and shows better how its neighbours lie
                known = len(seen)
                spots = remains.spots(_corners(seen))
                nearest = places.nearest(spots, _placings(seen))
                at = [places.on_spots(_plane(one), spots[nearest == index], half) for index, one in enumerate(seen)]
                weak += self._follow(layers, np.concatenate(at), seen)
        return weak

    def _follow(self, layers: Layers, at: Placings, seen: list[Sighting]) -> list[Sighting]:
        """Looks closely at the likeliest places, and beside every piece found there; adds what it sees.

        What fits only weakly, because it is covered or hangs beside its place, is handed back: others may fit better.
        """
        weak: list[Sighting] = []
        while len(at):
            neighbours = [NOWHERE]
            # First the likeliest of all that overlap: on most tables nothing is left after them.
            for some in self._likely(layers, at, seen).parted():
                for placing, face in self._coming(layers, some.beside(_placings(seen))):
                    if _taken(placing, seen):
                        continue
                    sighting = self._seen(layers, placing, face)
                    if sighting is None or _taken(sighting.placing, seen):
                        continue
                    if sighting.fit < STRONG:
                        weak.append(sighting)
                        continue
                    seen.append(sighting)
                    neighbours.append(places.beside(sighting.placing, layers))
            at = np.concatenate(neighbours)
        return weak

    def _likely(self, layers: Layers, at: Placings, seen: Sequence[Sighting]) -> Tries:
        """The places that look most like a face, each the right way up, none of them taken, few nearly the same."""
        at = at[~places.taken(at, _placings(seen))]
        scores = self.likeness(layers, at)
        best = scores.argmax(axis=1)
        score = scores.max(axis=1)
        order = np.argsort(-score)
        order = order[score[order] > LIKELY]
        cells: Counter[tuple[int, ...]] = Counter()
        chosen: list[int] = []
        for index, cell in zip(order.tolist(), places.about(at[order]).tolist(), strict=True):
            cells[tuple(cell)] += 1
            if cells[tuple(cell)] <= SAME_PLACE:
                chosen.append(index)
        chosen = chosen[:MOST_TRIES]
        turned = at[chosen] @ QUARTERS[best[chosen] % 4]
        return Tries(turned, [self.faces[index] for index in (best[chosen] // 4).tolist()])

    def _coming(self, layers: Layers, tries: Tries) -> list[tuple[Placing, Face]]:
        """The places into which a face pulls itself, roughly, the best first."""
        near, fits = glance.pulled(layers, tries.placings, [face.loose for face in tries.faces], 3, free=6)
        near = near[fits > STRAYING]
        faces: list[Face] = []
        for free in (6, 8):
            # From nearer by, another face may be the likelier one.
            faces = [self.faces[index] for index in self.likeness(layers, near)[:, ::4].argmax(axis=1).tolist()]
            near, fits = glance.pulled(layers, near, [face.rough for face in faces], 4, free)
        return [(near[index], faces[index]) for index in np.argsort(-fits).tolist() if fits[index] > COMING]

    def _seen(self, layers: Layers, placing: Placing, face: Face) -> Sighting | None:
        """The face laid exactly where it was found roughly, or the one that fits there better; None if none does."""
        near, fit = pulled(layers, placing, face.coarse, 6)
        if fit > HOPELESS:
            near, fit = pulled(layers, near, face.fine, LAST_STEPS)
        if fit < SEEN or not plausible(corners_of(near)):
            return None
        return self._best(layers, Sighting(face, near, fit))

    def _best(self, layers: Layers, first: Sighting) -> Sighting:
        """The face that fits here best, which need not be the one that led here, pulled as tight as it goes."""
        face = self.faces[int(self.likeness(layers, first.placing[None])[0, ::4].argmax())]
        best = first
        if face is not first.face:
            best = _better(best, Sighting(face, *pulled(layers, first.placing, face.fine, LAST_STEPS)))
        if best.fit < TIGHT:
            best = _tightened(layers, best)
        if best.fit < TIGHT:
            # It may hang beside its place by a line or two: shaken a little, it falls right.
            starts = best.placing @ np.stack(SHAKES)
            for level in (best.face.rough, best.face.coarse):
                starts, fits = glance.pulled(layers, starts, [level] * len(starts), 5, free=8)
            near = pulled(layers, starts[int(fits.argmax())], best.face.fine, LAST_STEPS)
            best = _better(best, _tightened(layers, Sighting(best.face, *near)))
        return best


def _better(one: Sighting, other: Sighting) -> Sighting:
    return other if other.fit > one.fit else one


def _tightened(layers: Layers, sighting: Sighting) -> Sighting:
    """The same pulled with patience, also as if out of focus: in a blurred photograph that fits better."""
    for level in (sighting.face.fine, sighting.face.soft):
        sighting = _better(sighting, Sighting(sighting.face, *pulled(layers, sighting.placing, level, PATIENCE)))
    return sighting


def _gists(patches: Patches) -> Patches:
    """What a first look compares: all but the rim, which every square thing has."""
    inner = glance.evened(patches, SOFT)[:, RIM:-RIM, RIM:-RIM]
    length = np.sqrt(np.einsum("nij,nij->n", inner, inner)) + 1e-6
    return np.asarray(inner / length[:, None, None], np.float32)


def _plane(sighting: Sighting) -> Placing:
    """The table on which a piece lies: from the unit of its size to the photograph."""
    return np.asarray(sighting.placing @ np.linalg.inv(np.diag([*sighting.face.half, 1.0])))


def _corners(seen: Sequence[Sighting]) -> list[Corners]:
    return [sighting.corners for sighting in seen]


def _placings(seen: Sequence[Sighting]) -> Placings:
    return np.stack([sighting.placing for sighting in seen]) if seen else NOWHERE


def _taken(placing: Placing, seen: Sequence[Sighting]) -> bool:
    return bool(places.taken(placing[None], _placings(seen))[0])
