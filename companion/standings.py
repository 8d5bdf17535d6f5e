"""How games ended and what that comes to for each player, kept up to date in the journal's own tables.

So the page never adds up past games, however many there are. These functions work inside the journal's transactions.
"""

from __future__ import annotations

import sqlite3
from typing import NamedTuple

from companion.play import Ending


class Standing(NamedTuple):
    """A player's finished games; best and average are None where no points were counted."""

    name: str
    games: int
    won: int
    best: int | None
    average: float | None


def note_end(db: sqlite3.Connection, game_id: int, at: float, ending: Ending) -> None:
    """The game is over, and counts."""
    take_back_end(db, game_id)
    db.execute("UPDATE games SET ended = ?, winners = ? WHERE id = ?", (at, "\n".join(ending.winners), game_id))
    count(db, game_id, ending)


def count(db: sqlite3.Connection, game_id: int, ending: Ending) -> None:
    """Count a game that has ended, once."""
    fresh = db.execute(
        "UPDATE games SET counted = 1 WHERE id = ? AND ended NOT NULL AND NOT counted RETURNING players", (game_id,)
    ).fetchall()
    for (players,) in fresh:
        names = players.split("\n")
        results = [(game_id, name, name in ending.winners, ending.points.get(name)) for name in names]
        db.executemany("INSERT INTO results VALUES (?, ?, ?, ?)", results)
        _add_up(db, names)


def take_back_end(db: sqlite3.Connection, game_id: int) -> None:
    """The game goes on, and counts no more, if it had ended."""
    ended = db.execute(
        "UPDATE games SET ended = NULL, winners = '', counted = 0 WHERE id = ? AND ended NOT NULL RETURNING players",
        (game_id,),
    ).fetchall()
    for (players,) in ended:
        db.execute("DELETE FROM results WHERE game_id = ?", (game_id,))
        _add_up(db, players.split("\n"))


def best_first(db: sqlite3.Connection, most: int) -> list[Standing]:
    """The most successful players."""
    rows = db.execute(
        "SELECT name, games, won, best, average FROM standings ORDER BY won DESC, games DESC, name LIMIT ?", (most,)
    )
    return [Standing(*row) for row in rows]


def _add_up(db: sqlite3.Connection, names: list[str]) -> None:
    """These players' standings, from all of their results."""
    for name in names:
        db.execute("DELETE FROM standings WHERE name = ?", (name,))
        db.execute(
            """INSERT INTO standings SELECT name, count(*), sum(won), max(points), avg(points)
               FROM results WHERE name = ? GROUP BY name""",
            (name,),
        )
