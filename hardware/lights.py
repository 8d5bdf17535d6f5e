"""What the lights say. Reading the table in this module explains the panel, whatever the game."""

from __future__ import annotations

from typing import Literal, NamedTuple

Rhythm = Literal["off", "on", "slow", "fast"]
PERIODS: dict[Rhythm, float] = {"slow": 1.0, "fast": 0.3}
"""Seconds of a blink. Lights are on or off, never dimmed: a dimmed one flickers in photographs."""

Colour = Literal["white", "green", "cyan", "blue", "yellow", "magenta", "red"]
RGB: dict[Colour, tuple[bool, bool, bool]] = {
    "white": (True, True, True),
    "green": (False, True, False),
    "cyan": (False, True, True),
    "blue": (False, False, True),
    "yellow": (True, True, False),
    "magenta": (True, False, True),
    "red": (True, False, False),
}

Situation = Literal[
    "starting", "ready", "turn", "pieces", "by_hand", "reading", "confirm", "question", "proposal", "asking",
    "refused", "fault", "stopping",
]  # fmt: skip
Next = Literal["nothing", "let_in", "confirm", "propose", "do_it"]


class Signal(NamedTuple):
    """A row of the table: how the status light shows a situation, and what a press of Next then does."""

    colour: Colour
    rhythm: Rhythm
    beeps: int
    next: Next
    meaning: str


SIGNALS: dict[Situation, Signal] = {
    # situation         status light            beeps  what Next does   what it means, and what to do
    "starting": Signal("white",   "on",   0, "nothing", "The table is starting."),
    "ready":    Signal("green",   "on",   0, "nothing", "All is well; a phone goes on."),
    "turn":     Signal("green",   "on",   0, "propose", "A player's turn. Next asks whether it is to end."),
    "pieces":   Signal("cyan",    "on",   0, "nothing", "Lay the pieces down: the camera watches. Scan reads at once."),
    "by_hand":  Signal("magenta", "on",   0, "nothing", "No camera: enter the pieces on a phone."),
    "reading":  Signal("blue",    "on",   0, "nothing", "Hands off for a moment: the camera reads."),
    "confirm":  Signal("yellow",  "slow", 1, "confirm", "All pieces are read. Next confirms, Scan reads again."),
    "question": Signal("magenta", "slow", 2, "nothing", "Some piece is unsure: answer on a phone, or Scan again."),
    "proposal": Signal("yellow",  "slow", 1, "do_it",   "End this turn? Next ends it, Undo leaves it."),
    "asking":   Signal("white",   "slow", 1, "let_in",  "A phone asks to join. Next lets it in."),
    "refused":  Signal("red",     "on",   3, "nothing", "That did not work, and changed nothing. A phone says why."),
    "fault":    Signal("red",     "fast", 3, "nothing", "Something is broken. A phone says what."),
    "stopping": Signal("white",   "fast", 0, "nothing", "Switching off: wait until the light is out."),
}  # fmt: skip
"""The panel at a glance. Where Next does nothing, pressing it does no harm either.

Nothing blinks while the camera watches: it would see that as something moving.
"""


class Board(NamedTuple):
    """The lights that a game itself decides about."""

    places: tuple[Rhythm, ...] = ("off",) * 5
    players: tuple[Rhythm, ...] = ("off",) * 4


class Showing(NamedTuple):
    """Everything that the panel shows at one time."""

    situation: Situation
    board: Board = Board()


def lit(rhythm: Rhythm, now: float) -> bool:
    """Whether a light is on at this moment; all that blink do so in step."""
    if rhythm in PERIODS:
        period = PERIODS[rhythm]
        return now % period < period / 2
    return rhythm == "on"


def next_change(rhythms: tuple[Rhythm, ...], now: float) -> float | None:
    """When the next of these lights goes on or off."""
    halves = [PERIODS[rhythm] / 2 for rhythm in rhythms if rhythm in PERIODS]
    return min((now // half + 1) * half for half in halves) if halves else None
