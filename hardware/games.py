"""Which game's lights are which. A game that has none here simply leaves its lights dark."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from hardware import pergamon
from hardware.lights import Board


class OnThePanel(NamedTuple):
    """What the panel knows of one game."""

    lights: Callable[[Any, bool], Board]
    """Its lights for a state, and whether a proposal is shown."""
    proposal: Callable[[Any], bytes | None]
    """The command that Next may propose in a state."""


GAMES: dict[str, OnThePanel] = {"pergamon": OnThePanel(pergamon.board_lights, pergamon.proposal)}


def board_of(game: str | None, state: Any, proposed: bool = False) -> Board:
    """The lights that a game shows; all dark without one."""
    panel = GAMES.get(game or "")
    return panel.lights(state, proposed) if panel else Board()


def proposal_of(game: str | None, state: Any) -> bytes | None:
    """The command that Next may propose, if any."""
    panel = GAMES.get(game or "")
    return panel.proposal(state) if panel else None
