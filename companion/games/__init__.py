"""The games that this companion knows, by name."""

from __future__ import annotations

from companion.games.base import Game
from companion.games.pergamon import PERGAMON

GAMES: dict[str, Game] = {game.name: game for game in (PERGAMON,)}

__all__ = ["GAMES", "Game"]
