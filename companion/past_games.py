"""Past games as text: out of the journal as a recorded game, and in again."""

from __future__ import annotations

from datetime import datetime

from companion import records
from companion.games.base import Refused
from companion.journal import Journal
from companion.play import Moment


def export_game(journal: Journal, game_id: int) -> bytes:
    """One game of the record as a recorded game."""
    game = next(iter(journal.games(1, game_id + 1)), None)
    if game is None or game.id != game_id:
        raise Refused("unknown_game", f"There is no game {game_id} in the record.")
    began = datetime.fromtimestamp(game.began).strftime("%Y-%m-%d %H:%M")
    return records.write(journal.lines(game_id), f"{game.game}, {began}: {', '.join(game.players)}")


def import_games(journal: Journal, path: str) -> list[int]:
    """Every game in a recorded file, put beside the past games; their numbers in the record."""
    played: list[list[Moment]] = []
    for moment in records.moments(path):
        if moment.begins_game:
            played.append([])
        played[-1].append(moment)
    numbers = []
    for moments in played:
        last = moments[-1]
        assert last.game is not None
        winners = last.game.winners(last.state) if last.game.is_over(last.state) else None
        lines = [moment.line for moment in moments]
        numbers.append(journal.add_past_game(last.game.name, last.game.players(last.state), lines, winners))
    return numbers
