"""Which taught piece a picture shows: `sure` only when it fits well, fits alone, and the colours allow it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from vision.families import CLEARLY_NEARER, Family
from vision.framing import Corners, frames, whole
from vision.looks import DOUBT, INSET, Agreement, Look, lamp_can
from vision.matching import Match, Search, lines, outline
from vision.photo import Pixels
from vision.reading import Status
from vision.rims import rims
from vision.turning import Turns, is_sign, quarters

LONGEST_SIDE = 160
LABELS_FIRST, LABELS_MORE, LABELS_ALIKE, LABELS_AGAIN = 5, 12, 4, 2
LABELS_AT_LEAST, LOOKS = 2, 3
PLAINLY = 0.95
"""A fit so good that no more looks of its label need be tried."""
LIKE_LINES = 0.4
"""How alike lines must be at a glance for a look to be worth comparing."""
POSES = 2
USUAL_ACCEPT = 0.9
CLEAR_LEAD = 0.3
"""How far a label must be ahead of every other to be sure, in excess."""
NO_MATCH = -1.2
"""An excess below which nothing was recognised at all."""


@dataclass(frozen=True)
class Bounds:
    """What a set taught about itself: how well each look must fit to be sure, how far colours may stray."""

    accept: tuple[float, ...]
    tint: float = 0.5
    detail: float = 0.9
    """How alike even the least alike small place must be."""
    turns: Turns = "any"

    @classmethod
    def even(cls, looks: int) -> Bounds:
        return cls((USUAL_ACCEPT,) * looks)


@dataclass(frozen=True)
class Candidate:
    """One label that could be it; corners begin at the piece's own top left.

    `excess` is 0 where the look just fits well enough to be sure, and 1 where it fits perfectly.
    """

    label: str
    excess: float
    corners: Corners
    match: Match

    @property
    def agreement(self) -> Agreement:
        return self.match.agreement

    @property
    def worth(self) -> float:
        """For ranking: what fits in shape, and of that what fits in colour."""
        return self.excess - self.agreement.tint - (0.0 if lamp_can(self.agreement.cast) else 1.0)


@dataclass(frozen=True)
class Identification:
    """What a picture shows. `sure` is never wrong; `unsure` has a best guess; `unknown` has none."""

    label: str | None
    status: Status
    confidence: float
    alternatives: list[str] = field(default_factory=list)
    corners: Corners | None = None

    def as_json(self, picture: str) -> dict[str, object]:
        confidence = round(self.confidence, 3)
        return {"picture": picture, "label": self.label, "status": self.status, "confidence": confidence}


class Matcher:
    """A taught set, ready to be asked; build it once, ask it often."""

    def __init__(
        self, looks: Sequence[Look], bounds: Bounds, families: Sequence[tuple[Sequence[int], float]] = ()
    ) -> None:
        self.looks = list(looks)
        self.bounds = bounds
        self._outlines = np.stack([outline(look) for look in self.looks])
        self._lines = np.stack([lines(look) for look in self.looks])
        self._accept = {id(look): accept for look, accept in zip(self.looks, bounds.accept, strict=True)}
        drawn = {look.label for look in self.looks if not look.plain}
        self._plain = {look.label for look in self.looks} - drawn
        self._family: dict[str, Family] = {}
        for places, limit in families:
            family = Family([self.looks[place] for place in places], bounds.tint, limit)
            self._family.update(dict.fromkeys(family.labels, family))

    def identify(self, picture: Pixels, squared: bool = False) -> Identification:
        """The piece that fills the picture, in any turn; `squared` says that its outline is the picture's."""
        small = _no_larger(picture)
        search = Search(small, [whole(small)] if squared else [*rims(small)[:1], *frames(small)])
        ranked = self._ranked(self.matches(search))
        if ranked and ranked[0].excess >= NO_MATCH and ranked[0].label in self._family:
            found = self._among_twins(search, ranked)
        else:
            found = self._judged(ranked)
        if found.corners is None:
            return found
        middle = found.corners.mean(axis=0)
        outline = middle + (found.corners - middle) / (1 - 2 * INSET)
        placed = replace(found, corners=(outline * (picture.shape[1] / small.shape[1])).astype(np.float32))
        if found.status == "sure" and not self._way_up_is_clear(found.label or "", found.corners, squared):
            return replace(placed, status="unsure", confidence=0.6)
        return placed

    def _way_up_is_clear(self, label: str, corners: Corners, cut_out: bool) -> bool:
        """Whether the piece, as it lies, cannot be another one that was never taught; a cut-out lies in any turn."""
        if self.bounds.turns == "upright":
            return not cut_out and quarters(corners) == 0
        if self.bounds.turns == "shown":
            return not is_sign(label)
        return self.bounds.turns == "any"

    def _ranked(self, matches: list[Match]) -> list[Candidate]:
        """The labels that come nearest, best first."""
        best: dict[str, Candidate] = {}
        for match in matches:
            candidate = self._candidate(match)
            known = best.get(candidate.label)
            if known is None or candidate.worth > known.worth:
                best[candidate.label] = candidate
        return sorted(best.values(), key=lambda candidate: -candidate.worth)

    def _candidate(self, match: Match) -> Candidate:
        accept = self._accept[id(match.look)]
        excess = (match.agreement.score - accept) / (1 - accept)
        corners = np.roll(match.corners, -match.look.up, axis=0)
        return Candidate(match.look.label, excess, corners, match)

    def matches(self, search: Search, without: Sequence[Look] = ()) -> list[Match]:
        """The looks worth aligning, aligned; `without` leaves some out, to try a set on its own pictures.

        The likeliest at a glance say where the piece lies; what is drawn there says which looks are like it.
        """
        rows, scores = search.nearest(self._outlines)
        left_out = {id(look) for look in without}
        nearest: dict[str, list[int]] = {}
        for index in np.argsort(-scores):
            if id(self.looks[index]) not in left_out:
                nearest.setdefault(self.looks[index].label, []).append(int(index))
        matches: list[Match] = []
        for begin, end in ((0, LABELS_FIRST), (LABELS_FIRST, LABELS_FIRST + LABELS_MORE)):
            for place, label in enumerate(list(nearest)[begin:end]):
                match = search.align(self.looks[nearest[label][0]], int(rows[nearest[label][0]]))
                matches.extend([match] if match else [])
                if place >= LABELS_AT_LEAST and any(found.agreement.score >= PLAINLY for found in matches):
                    break
            matches.sort(key=self._worth)
            poses = 1 if _fits(matches) else POSES
            matches += self._alike(search, matches[:poses], left_out | {id(match.look) for match in matches})
            matches.sort(key=self._worth)
            if without or _fits(matches):
                break
        if matches and matches[0].agreement.score >= PLAINLY:
            return matches
        for label in dict.fromkeys(match.look.label for match in matches[:LABELS_AGAIN]):
            for index in nearest[label][1:LOOKS]:
                match = search.align(self.looks[index], int(rows[index]))
                matches.extend([match] if match else [])
        return matches

    def _worth(self, match: Match) -> float:
        return -self._candidate(match).worth

    def _alike(self, search: Search, lying: list[Match], left_out: set[int], label: str | None = None) -> list[Match]:
        """The looks, one a label or all of one label, most like what is drawn where a piece was found, aligned."""
        poses = [pose for match in lying for pose in search.poses(match)]
        if not poses:
            return []
        scores = np.stack([(self._lines @ pose.lines.T).max(axis=1) for pose in poses], axis=1)
        matches = []
        chosen: list[str] = []
        for index in np.argsort(-scores.max(axis=1)):
            look = self.looks[index]
            if label is None and float(scores[index].max()) < LIKE_LINES:
                break
            if id(look) in left_out or (look.label in chosen if label is None else look.label != label):
                continue
            chosen.append(look.label)
            match = search.align_at(look, poses[int(scores[index].argmax())])
            matches.extend([match] if match else [])
            if len(chosen) == (LABELS_ALIKE if label is None else LOOKS):
                break
        return matches

    def _judged(self, ranked: list[Candidate]) -> Identification:
        """What may be said of the ranked labels."""
        if not ranked or ranked[0].excess < NO_MATCH:
            return Identification(None, "unknown", 0.05)
        first, others = ranked[0], ranked[1:]
        lead = min((first.excess - other.excess for other in others if self._lives(other)), default=1.0)
        fits = first.excess >= 0 and first.agreement.tint <= self.bounds.tint
        fits = fits and first.agreement.detail >= self.bounds.detail
        if fits and lead >= CLEAR_LEAD and lamp_can(first.agreement.cast) and first.label not in self._plain:
            slack = min(first.excess, lead - CLEAR_LEAD, 1.0)
            return Identification(first.label, "sure", 0.95 + 0.05 * slack, [], first.corners)
        return _doubted(first, [other.label for other in others if other.excess >= NO_MATCH])

    def _among_twins(self, search: Search, ranked: list[Candidate]) -> Identification:
        """The same for a piece with near twins: the family says which of them, and whether it is clear."""
        family = self._family[ranked[0].label]
        posed = max((one for one in ranked if one.label in family.labels), key=lambda one: one.agreement.score)
        pixels = family.squared(search.picture, np.roll(posed.corners, family.up(posed.label), axis=0))
        if pixels is None:
            return _doubted(ranked[0], [other.label for other in ranked[1:]])
        by_label: dict[str, float] = {}
        for distance, index in family.distances(pixels):
            by_label.setdefault(family.labels[index], distance)
        nearest = [(distance, label) for label, distance in by_label.items()]
        if not nearest:
            return _doubted(ranked[0], [other.label for other in ranked[1:]])
        distance, label = nearest[0]
        runner_up = nearest[1][0] if len(nearest) > 1 else np.inf
        match = self._match_of(search, label, posed)
        others = [one for one in ranked if one.label not in family.labels]
        first = self._candidate(match) if match else posed
        clear = distance <= family.limit and distance <= CLEARLY_NEARER * runner_up
        if clear and match:
            return self._judged([first, *others])
        twins = [label for _, label in nearest[1:]]
        return _doubted(replace(first, label=label), [*twins, *(one.label for one in others if one.excess >= NO_MATCH)])

    def _match_of(self, search: Search, label: str, twin: Candidate) -> Match | None:
        """The best fit of one label's looks, where a near twin was found."""
        found = self._alike(search, [twin.match], set(), label)
        return max(found, key=lambda match: match.agreement.score, default=None)

    def _lives(self, rival: Candidate) -> bool:
        """Whether a rival label is still possible: neither its colours nor its light rule it out."""
        return rival.agreement.tint <= DOUBT * self.bounds.tint and lamp_can(rival.agreement.cast, DOUBT)


def _fits(matches: list[Match]) -> bool:
    return bool(matches) and matches[0].agreement.score >= USUAL_ACCEPT


def _doubted(first: Candidate, others: list[str]) -> Identification:
    """A best guess with its alternatives."""
    likely = 0.1 + 0.7 * min(1.0, max(0.0, (first.excess - NO_MATCH) / (1 - NO_MATCH))) * (0.6 if others else 1.0)
    names = [label for label in dict.fromkeys(others) if label != first.label]
    return Identification(first.label, "unsure", likely, names[:4], first.corners)


def _no_larger(picture: Pixels) -> Pixels:
    """The picture at a size that is quick to search; a look needs no more of it."""
    shrink = LONGEST_SIDE / max(picture.shape[:2])
    if shrink >= 1:
        return picture
    height, width = (max(1, round(side * shrink)) for side in picture.shape[:2])
    return np.asarray(cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
