"""Past games as text: out of the journal as a recorded game, and in again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime

from companion import records
from companion.games.base import Refused
from companion.journal import Journal, JournalError
from companion.play import Moment, follow


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
        lines = [moment.line for moment in moments]
        numbers.append(journal.add_past_game(last.game.name, last.game.players(last.state), lines, last.ending))
    return numbers


def last_moment(journal: Journal, game_id: int) -> Moment:
    """A game of the record as it stands, or ended; Refused or JournalError where its record is damaged."""
    moment = Moment()
    for line in journal.lines(game_id):
        moment = follow(moment, line)
    return moment


def count_older_games(journal: Journal) -> Iterator[int]:
    """Play games through once that ended before standings were kept, so that they count; the number of each.

    One that cannot be read does not keep the others from being counted.
    """
    for game_id in journal.not_counted():
        with suppress(JournalError, Refused):
            ending = last_moment(journal, game_id).ending
            if ending is not None:
                journal.count(game_id, ending)
                yield game_id
