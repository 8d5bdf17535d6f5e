"""What an owner has checked against the real box: one file a game in the data folder, to be edited."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from companion.games import Game
from companion.games.base import Refused, WrongData
from companion.whole_file import write_whole


class OwnerFiles:
    """The owner's data of every game. A file that is not there counts as shipped."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __call__(self, game: Game) -> Any:
        """The data for a new game; Refused if the owner's file cannot be used."""
        try:
            return self.read(game)
        except WrongData as wrong:
            path = self.path(game)
            raise Refused("wrong_data_file", f"{path.name}, line {wrong.line}: {wrong.reason}.") from None

    def path(self, game: Game) -> Path:
        return self._folder / game.data_file

    def read(self, game: Game) -> Any:
        """The owner's data, or WrongData with the line and the reason."""
        try:
            text = self.path(game).read_text("utf-8-sig")
        except FileNotFoundError:
            text = game.data_text
        except UnicodeDecodeError:
            raise WrongData(1, "this is not UTF-8 text") from None
        except OSError as error:
            raise WrongData(1, f"the file cannot be read: {error.strerror}") from None
        return game.read_data(text)

    def write(self, game: Game, text: str) -> None:
        """Keep a checked text as the owner's file; the file there is replaced whole or not at all."""
        game.read_data(text)
        write_whole(self.path(game), text.encode("utf-8"))
