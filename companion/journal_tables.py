"""The tables of the record, and how a journal of an older companion is brought up to them."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

APPLICATION = 0x7AB1E
"""Marks the file as ours, so that a foreign database is never touched."""


def _first_tables(db: sqlite3.Connection) -> None:
    db.execute(
        """CREATE TABLE games (
            id INTEGER PRIMARY KEY,
            game TEXT NOT NULL,
            players TEXT NOT NULL,
            began REAL NOT NULL,
            ended REAL,
            winners TEXT NOT NULL DEFAULT '',
            imported INTEGER NOT NULL DEFAULT 0
        ) STRICT"""
    )
    db.execute(
        """CREATE TABLE commands (
            game_id INTEGER NOT NULL REFERENCES games (id),
            number INTEGER NOT NULL,
            version INTEGER UNIQUE,
            at REAL NOT NULL,
            line BLOB NOT NULL,
            seal INTEGER NOT NULL,
            PRIMARY KEY (game_id, number)
        ) STRICT, WITHOUT ROWID"""
    )


def _points(db: sqlite3.Connection) -> None:
    db.execute(
        """CREATE TABLE points (
            game_id INTEGER PRIMARY KEY REFERENCES games (id),
            number INTEGER NOT NULL,
            points TEXT NOT NULL
        ) STRICT"""
    )


def _standings(db: sqlite3.Connection) -> None:
    """Games that ended before this step are counted when they have been played through again."""
    db.execute("DROP TABLE points")
    db.execute("ALTER TABLE games ADD COLUMN counted INTEGER NOT NULL DEFAULT 0")
    db.execute(
        """CREATE TABLE results (
            game_id INTEGER NOT NULL REFERENCES games (id),
            name TEXT NOT NULL,
            won INTEGER NOT NULL,
            points INTEGER,
            PRIMARY KEY (game_id, name)
        ) STRICT, WITHOUT ROWID"""
    )
    db.execute("CREATE INDEX results_of_a_player ON results (name, won, points)")
    db.execute(
        """CREATE TABLE standings (
            name TEXT PRIMARY KEY,
            games INTEGER NOT NULL,
            won INTEGER NOT NULL,
            best INTEGER,
            average REAL
        ) STRICT, WITHOUT ROWID"""
    )
    db.execute("CREATE INDEX standings_best_first ON standings (won DESC, games DESC, name)")


MIGRATIONS: tuple[Callable[[sqlite3.Connection], None], ...] = (_first_tables, _points, _standings)
"""What brings a journal from schema version N to N + 1. Steps are only ever added."""


def bring_up_to_date(db: sqlite3.Connection) -> None:
    """Every step that this journal has not seen yet, all of them or none."""
    db.execute("BEGIN IMMEDIATE")
    version = db.execute("PRAGMA user_version").fetchone()[0]
    for migrate in MIGRATIONS[version:]:
        migrate(db)
    if version < len(MIGRATIONS):
        db.execute(f"PRAGMA application_id = {APPLICATION}")
        db.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
    db.execute("COMMIT")
