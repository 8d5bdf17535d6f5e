"""A shuffled box of the printable set, from which the simulated camera's table is laid.

It keeps no record: what it gives depends only on the seed and on what the game says can still come. So it fits a game
that was undone, restarted in the middle, or partly entered by hand.
"""

from __future__ import annotations

import random

import numpy as np

from companion.games.base import Expected
from companion.games.pergamon.funds import back_of
from vision.pergamon.faces import BACKS, VALUES, face
from vision.pergamon.printable import CARD_MM, FIND_MM, FINDS
from vision.simulated import Thing

_FACE_PIXELS = 480


class SimulatedBox:
    """Calling it gives the pieces that a player would lay down now."""

    def __init__(self, seed: int = 1) -> None:
        self._seed = seed
        self._shuffled = random.Random(f"finds {seed}").sample(FINDS, len(FINDS))

    def __call__(self, expected: Expected) -> list[Thing]:
        rng = np.random.default_rng(self._seed)
        return [piece(code, rng) for code in self.draw(expected)]

    def draw(self, expected: Expected) -> list[str]:
        """The codes of the next pieces: finds face up, funds by their backs or by their values."""
        if expected.kind == "finds":
            return [code for code in self._shuffled if code not in expected.impossible][: expected.count]
        return self._funds(expected)

    def _funds(self, expected: Expected) -> list[str]:
        """Cards from those that are left; where backs of both sorts lie, one value of each sort."""
        kinds = VALUES if set(BACKS) <= expected.impossible else BACKS
        left = {code: expected.left.get(code, expected.count) for code in kinds if code not in expected.impossible}
        chance = random.Random(f"funds {self._seed} {sorted(left.items())}")
        cards = [code for code, count in left.items() for _ in range(count)]
        chance.shuffle(cards)
        if kinds is BACKS or len({back_of(int(card)) for card in cards}) == 1:
            return cards[: expected.count]
        return [next(card for card in cards if back_of(int(card)) == back) for back in BACKS][: expected.count]


def piece(code: str, rng: np.random.Generator, at_mm: tuple[float, float] = (0.0, 0.0), turn: float = 0.0) -> Thing:
    """A piece of the printable set, printed on board of some thickness and cut by hand."""
    miscut = (float(rng.normal(0, 0.15)), float(rng.normal(0, 0.15)))
    if code in (*VALUES, *BACKS):
        size, kind, thick = CARD_MM, "funds" if code in VALUES else "funds_back", rng.uniform(0.3, 0.8)
    else:
        size, kind, thick = (FIND_MM, FIND_MM), "find", rng.uniform(0.4, 2.2)
    return Thing(face(code, _FACE_PIXELS), size, at_mm, turn, code, kind, thick, miscut_mm=miscut)
