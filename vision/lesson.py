"""What a teaching comes to: the looks, and how well a piece must fit one to be sure, learned from the set itself."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from vision.identifying import Bounds, Matcher
from vision.looks import Look
from vision.matching import outline, turned
from vision.turning import PAIRS, Turns, safe_in_any_turn, same_way_up, shown_in_all_turns

TWINS, TWINS_OVERALL = 0.8, 0.92
"""How well a picture must fit another label, or fit it apart from its worst place, for the two to be near twins."""
FLOOR, CEILING = 0.885, 0.975
"""No set asks less of a sure fit than the floor, or more than the ceiling."""
NEAR, FAR = 0.7, 0.45
"""How well a wrong label fits in a set of pieces that have much, or next to nothing, in common."""
EASIER = 0.04
"""How much less is asked of a fit in a set of the latter kind."""
FEW = 8
LEAST_DETAIL, MOST_DETAIL = 0.88, 0.95
TURNED_TWINS = 0.93
NEVER = 0.999
"""What is asked of a look that could not be compared with its label's twins."""
BEYOND_LIKENESS = 0.25
"""How far above the best wrong fit ever seen a sure one must be, as a share of what is left to perfect."""
TIGHT_TINT, LOOSE_TINT = 0.35, 0.8


@dataclass
class Lesson:
    """What was learned, and what was left out and why."""

    looks: list[Look] = field(default_factory=list)
    bounds: Bounds = field(default_factory=lambda: Bounds.even(0))
    families: list[tuple[list[int], float]] = field(default_factory=list)
    """Near twins: which looks, and how near a piece must come to one of them."""
    left_out: list[str] = field(default_factory=list)
    alike: list[tuple[str, str]] = field(default_factory=list)
    tint: float = TIGHT_TINT
    turned: dict[str, list[int | None]] = field(default_factory=dict)
    """By label, how its pictures were turned against each other."""

    def matcher(self) -> Matcher:
        """The set as it was learned, ready to be asked."""
        return Matcher(self.looks, self.bounds, self.families)


@dataclass(frozen=True)
class Wrong:
    """How well a picture of one label fits a look of another."""

    label: str
    look: int
    score: float
    overall: float
    detail: float

    @property
    def twins(self) -> bool:
        """Whether the two share nearly all of their drawing."""
        return self.score >= TWINS or self.overall >= TWINS_OVERALL


def set_bounds(lesson: Lesson, wrong: list[Wrong], turns: Turns) -> None:
    """A look must fit better than any wrong picture did; twins of its family are told apart by other means."""
    together = [{lesson.looks[index].label for index in family} for family, _ in lesson.families]
    most = [0.0] * len(lesson.looks)
    for entry in wrong:
        label = lesson.looks[entry.look].label
        if not any(entry.label in labels and label in labels for labels in together):
            most[entry.look] = max(most[entry.look], entry.score)
    apart = _how_far_apart(wrong)
    floor = FLOOR - EASIER * apart
    accept = [min(CEILING, max(floor, score + BEYOND_LIKENESS * (1 - score))) for score in most]
    framed = {index for family, _ in lesson.families for index in family}
    for index, look in enumerate(lesson.looks):
        if index not in framed and any(look.label in labels for labels in together):
            accept[index] = NEVER
    detail = _least_detail(lesson, wrong, together) - EASIER * apart
    tint = max(lesson.tint, TIGHT_TINT + (LOOSE_TINT - TIGHT_TINT) / 2 * apart)
    lesson.bounds = Bounds(tuple(accept), tint, detail, turns)


def _how_far_apart(wrong: list[Wrong]) -> float:
    """1 where the pieces have next to nothing in common, so that a fair fit is a sure one; 0 where they have much."""
    nearest: dict[str, float] = {}
    for entry in wrong:
        nearest[entry.label] = max(nearest.get(entry.label, 0.0), entry.score)
    if len(nearest) < FEW:
        return 0.0
    usual = float(np.quantile(list(nearest.values()), 0.95))
    return min(1.0, max(0.0, (NEAR - usual) / (NEAR - FAR)))


def drop_needless(lesson: Lesson) -> None:
    """Leaves out looks that could never be sure, where their label has better ones."""
    accept = lesson.bounds.accept
    good = {look.label for look, least in zip(lesson.looks, accept, strict=True) if least < NEVER}
    kept = [index for index, look in enumerate(lesson.looks) if accept[index] < NEVER or look.label not in good]
    place = {index: at for at, index in enumerate(kept)}
    lesson.looks = [lesson.looks[index] for index in kept]
    lesson.bounds = replace(lesson.bounds, accept=tuple(accept[index] for index in kept))
    lesson.families = [([place[index] for index in family], limit) for family, limit in lesson.families]


def _least_detail(lesson: Lesson, wrong: list[Wrong], together: list[set[str]]) -> float:
    """How alike the small places must be: more so the nearer the pieces of this set come to each other."""
    nearest: dict[str, float] = {}
    for entry in wrong:
        label = lesson.looks[entry.look].label
        if not any(entry.label in labels and label in labels for labels in together):
            nearest[entry.label] = max(nearest.get(entry.label, 0.0), entry.detail)
    usual = float(np.quantile(list(nearest.values()), 0.95)) if nearest else 0.0
    return min(MOST_DETAIL, max(LEAST_DETAIL, usual + BEYOND_LIKENESS * (1 - usual)))


def safe_turns(lesson: Lesson, wrong: list[Wrong], framed: list[int]) -> Turns:
    """In which turns a piece of this set can be sure."""
    looks = {index: lesson.looks[index] for index in framed}
    described = {index: outline(look)[None] for index, look in looks.items()}
    upright = np.concatenate([turned(described[index], look.up) for index, look in looks.items()])
    labels = [look.label for look in looks.values()]
    if safe_in_any_turn(upright, labels):
        return "any"
    if safe_in_any_turn(same_way_up(upright), labels):
        return "any"
    if not shown_in_all_turns(lesson.turned):
        return "upright"
    pairs = {entry.label for entry in wrong if entry.score >= TURNED_TWINS}
    return "none" if len(pairs) >= max(2, PAIRS * len(set(labels))) else "shown"
