"""The table: one live game that takes commands, keeps the record and tells its listeners."""

from __future__ import annotations

import threading
from collections.abc import Callable

from companion.games.base import Refused
from companion.journal import Journal, JournalError
from companion.listeners import Listeners
from companion.play import Moment, OwnerData, follow

Listener = Callable[[Moment], None]


class Table:
    """Every command goes this way: the rules check it, the journal keeps it, then everyone sees it."""

    def __init__(self, journal: Journal, owner_data: OwnerData | None = None) -> None:
        self._journal = journal
        self._owner_data = owner_data
        self._lock = threading.Lock()
        self._listeners = Listeners[Moment]()
        self._moment = self._load(journal.game_under_way(), journal.version())

    @property
    def now(self) -> Moment:
        """The table as it is; the value never changes, the table moves on to another one."""
        return self._moment

    @property
    def journal(self) -> Journal:
        """The record, for past games."""
        return self._journal

    def submit(self, line: bytes) -> Moment:
        """Carry out one command: when this returns it is on disk. Refused and CannotRecord change nothing."""
        with self._lock:
            moment = follow(self._moment, line, self._owner_data)
            game = moment.game
            if game is None:
                raise Refused("wrong_phase", "There is no game yet: a new game comes first.")
            if moment.begins_game:
                self._journal.begin_game(game.name, game.players(moment.state), moment.line, moment.version)
            else:
                self._journal.append(moment.line, moment.version, moment.ending)
            return self._move_on(moment)

    def resume(self, game_id: int) -> Moment:
        """Take up an earlier unfinished game again; the one under way stays in the record."""
        with self._lock:
            version = self._moment.version + 1
            moment = self._load(game_id, version)
            if moment.game is None:
                raise Refused("unknown_game", f"There is no game {game_id} in the record.")
            if not moment.under_way:
                raise Refused("game_over", "That game is over.")
            self._journal.resume_game(game_id, version)
            return self._move_on(moment)

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Tell this listener every moment from now on, in order; call what is returned to stop it.

        A listener may stop itself; it must not submit, because the table waits for it.
        """
        return self._listeners.add(listener)

    def _move_on(self, moment: Moment) -> Moment:
        self._moment = moment
        self._listeners.tell(moment)
        return moment

    def _load(self, game_id: int | None, version: int) -> Moment:
        """The moment that a game's record leads to."""
        moment = Moment()
        for number, line in enumerate([] if game_id is None else self._journal.lines(game_id), start=1):
            try:
                moment = follow(moment, line)
            except Refused as refused:
                raise JournalError(
                    f"{self._journal.path}: command {number} of game {game_id} is refused ({refused.message}). "
                    "It was written under other rules or is damaged; it is left as it is."
                ) from None
        return moment._replace(version=version)
