"""Which way up pieces come, and whether a turned one could be another: a 6 is a 9 to whoever was never shown the 6.

A set says it itself: where no piece, turned, resembles another or itself, any turn is safe. Where some do, the pieces
are signs, and a sign that was never taught may be a known one upside down; then only an upright one is sure, or, if
the pictures came in all turns, none that could be read in another.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, TypeAlias

import numpy as np

from vision.framing import Corners, Plane
from vision.matching import turned

Turns: TypeAlias = Literal["any", "shown", "upright", "none"]
"""In which turn a piece can be sure: any; any, as it was shown so, unless its label is a sign that turns into another;
upright alone; none at all."""

ALIKE, ALIKE_OF_FEW = 0.89, 0.84
"""How far a turned piece may resemble any piece of the set; less where few pieces speak for all."""
FEW = 10
MOST = 0.9
"""The part of the labels that must keep clear of it: a single round piece makes no set of signs."""
STEPS = 12
LEANING = 30.0
"""Degrees: an upright piece leans no more."""
TURNED_OFTEN = 0.35
"""The part of the labels that must have been shown in several turns for turns to be free."""
PAIRS = 0.04
"""The part of the labels that look like another when turned, from which on any may."""
SIGNS = frozenset("0123456789abcdeghmnpqrsuwyzCEHILMNOSTUVWXZ")
"""What is another sign, or may be taken for one, when it is turned."""
LONGEST_SIGN = 3


def quarters(corners: Corners) -> int | None:
    """The quarter turns clockwise by which a piece lies, from its corners; None where it lies askew."""
    across = corners[1] - corners[0]
    angle = float(np.degrees(np.arctan2(across[1], across[0])))
    nearest = round(angle / 90)
    return nearest % 4 if abs(angle - 90 * nearest) <= LEANING else None


def same_way_up(described: Plane) -> Plane:
    """Coarse descriptions, each turned until it goes best with all others: how pieces in any turn share a way up."""
    four = np.stack([turned(described, quarter) for quarter in range(4)])
    chosen = np.argmax(four @ described[np.argmax((described @ described.T).sum(axis=0))], axis=0)
    rows = np.arange(len(described))
    for _ in range(STEPS):
        together = four[chosen, rows].sum(axis=0)
        before = chosen
        chosen = np.argmax(four @ together, axis=0)
        if (chosen == before).all():
            break
    return np.asarray(four[chosen, rows], np.float32)


def safe_in_any_turn(described: Plane, labels: Sequence[str]) -> bool:
    """Whether no piece, turned, resembles a piece of the set; one coarse description a look, all the same way up."""
    alike: dict[str, float] = {}
    for quarter in (1, 2, 3):
        for label, score in zip(labels, (described @ turned(described, quarter).T).max(axis=1), strict=True):
            alike[label] = max(alike.get(label, 0.0), float(score))
    scores = list(alike.values())
    if len(scores) < FEW:
        return max(scores, default=1.0) < ALIKE_OF_FEW
    return float(np.quantile(scores, MOST)) < ALIKE


def shown_in_all_turns(seen: Mapping[str, Iterable[int | None]]) -> bool:
    """Whether pictures of the same label were turned against each other, for too many labels to be chance."""
    turned_labels = sum(any(quarter != 0 for quarter in turns) for turns in seen.values())
    return turned_labels >= 2 and turned_labels >= TURNED_OFTEN * len(seen)


def is_sign(label: str) -> bool:
    """Whether a label names a sign, or a few, that turned may be read as others."""
    return len(label) <= LONGEST_SIGN and all(letter in SIGNS for letter in label)
