"""Who sits at the table: the join code, the seats that phones hold, and asking to be let in.

Whoever knows the join code, or is let in at the box, sits at the table. Two phones may hold the same player's seat.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from companion.listeners import Listeners
from companion.whole_file import write_whole
from web.codes import CODE_LENGTH, digest, new_code, new_token, plain, same
from web.doorstep import Ask, Doorstep, SeatRefused
from web.guesses import Guesses, Spent

log = logging.getLogger(__name__)

MOST_SEATS = 64
"""Phones that forgot their cookie leave seats behind: the oldest make room."""
PASS_SECONDS = 300.0


class Seat(msgspec.Struct, frozen=True):
    """A place at the table. Without a player it is the table's own device, which may act for everyone."""

    id: int
    player: str | None


class _Held(msgspec.Struct, frozen=True):
    seat: Seat
    token: str
    """A digest: whoever reads the file cannot sit down with it."""


class _File(msgspec.Struct):
    code: str
    seats: list[_Held] = []
    last_id: int = 0
    guesses: Spent = msgspec.field(default_factory=Spent)


class _Pass(msgspec.Struct, frozen=True):
    """Hands one seat over to the phone that shows it in time."""

    token: str
    seat: Seat
    until: float


class Seats:
    """All seats, kept in one file of the data folder. May be used from any thread."""

    def __init__(self, path: Path, join_code: str | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._path = path
        self._clock = clock
        self._lock = threading.RLock()
        self._listeners = Listeners[()]()
        self._door = Doorstep(clock)
        self._passes: list[_Pass] = []
        self._file = _load(path)
        self._guesses = Guesses(clock, self._file.guesses)
        self._own_code = join_code
        if join_code is not None and not plain(join_code):
            raise ValueError("A join code needs letters or digits.")
        self._by_token = {held.token: held.seat for held in self._file.seats}
        if not path.exists():
            self._try_to_save()

    @property
    def join_code(self) -> str:
        """What a phone must show to sit down."""
        return self._own_code or self._file.code

    @property
    def all(self) -> tuple[Seat, ...]:
        return tuple(held.seat for held in self._file.seats)

    @property
    def asking(self) -> tuple[Ask, ...]:
        """Who waits to be let in, the longest waiting first."""
        with self._lock:
            return self._door.waiting

    def seat_of(self, token: str | None) -> Seat | None:
        """The seat that a phone with this token holds."""
        return self._by_token.get(digest(token)) if token else None

    def claim(self, code: str, player: str | None, address: str, old_token: str | None = None) -> tuple[str, Seat]:
        """A seat for whoever knows the join code, and the token that proves it. The phone's old seat is given up."""
        with self._lock:
            wait = self._guesses.wait(address)
            if wait > 0:
                raise SeatRefused("too_many_guesses", f"Too many wrong codes: wait {int(wait) + 1} seconds.", wait)
            passed = self._pass_for(code)
            if passed is None and not same(plain(code), plain(self.join_code)):
                self._guesses.wrong(address)
                self._try_to_save()
                raise SeatRefused("wrong_code", "This is not the code of this table.")
            with self._change():
                if passed:
                    self._passes.remove(passed)
                    self._drop(lambda held: held.seat.id == passed.seat.id)
                    player = passed.seat.player
                return self._sit_down(player, old_token)

    def ask(
        self, player: str | None, address: str, ask_token: str | None, old_token: str | None = None
    ) -> tuple[str, Seat | None]:
        """Ask to be let in, or look whether that has happened: then the seat, with its token; else the asking token."""
        with self._lock:
            asking = self._door.find(player, address, ask_token)
            if asking is None:
                token = self._door.ring(player, address, ask_token)
                self._listeners.tell()
                return token, None
            if not asking.let_in:
                token = ask_token or new_token()
                asking.token = digest(token)
                return token, None
            with self._change():
                self._door.phones.remove(asking)
                return self._sit_down(player, old_token)

    def let_in(self, ask_id: int | None = None) -> Ask | None:
        """Let in one who asks, the longest waiting unless another is meant; None if nobody does."""
        with self._lock:
            ask = self._door.open(ask_id)
        if ask is not None:
            self._listeners.tell()
        return ask

    def hand_over(self, seat: Seat) -> str:
        """A code, good once and for five minutes, that gives this very seat to the phone that shows it."""
        with self._lock:
            self._forget_old()
            code = new_code(2 * CODE_LENGTH)
            self._passes = [old for old in self._passes if old.seat != seat]
            self._passes.append(_Pass(digest(plain(code)), seat, self._clock() + PASS_SECONDS))
            return code

    def free(self, seat_id: int) -> bool:
        """Give up a seat; False if there is none of that number."""
        with self._lock, self._change():
            self._passes = [old for old in self._passes if old.seat.id != seat_id]
            return self._drop(lambda held: held.seat.id == seat_id)

    def start_afresh(self, keep: Seat | None = None) -> None:
        """Everybody but one gets up, and the code is a new one: for a code that has got about."""
        with self._lock, self._change():
            self._drop(lambda held: held.seat != keep)
            self._file.code = new_code()
            self._door.phones.clear()
            self._passes.clear()

    def listen(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Tell this listener whenever seats change or somebody asks; call what is returned to stop it."""
        return self._listeners.add(listener)

    def _forget_old(self) -> None:
        self._passes = [old for old in self._passes if old.until > self._clock()]

    def _pass_for(self, code: str) -> _Pass | None:
        self._forget_old()
        shown = digest(plain(code))
        return next((old for old in self._passes if same(old.token, shown)), None)

    def _sit_down(self, player: str | None, old_token: str | None) -> tuple[str, Seat]:
        old = digest(old_token) if old_token else ""
        self._drop(lambda held: held.token == old)
        token = new_token()
        self._file.last_id += 1
        seat = Seat(self._file.last_id, player)
        self._file.seats = [*self._file.seats[-MOST_SEATS + 1 :], _Held(seat, digest(token))]
        return token, seat

    def _drop(self, which: Callable[[_Held], bool]) -> bool:
        kept = [held for held in self._file.seats if not which(held)]
        dropped = len(kept) < len(self._file.seats)
        self._file.seats = kept
        return dropped

    @contextmanager
    def _change(self) -> Any:
        """What changes here is on disk afterwards, or not changed at all (SeatRefused)."""
        file, door = self._file, self._door
        before = (list(file.seats), file.last_id, file.code, list(door.phones), list(self._passes))
        try:
            yield
            self._save()
        except OSError as error:
            file.seats, file.last_id, file.code, door.phones, self._passes = before
            raise SeatRefused(
                "cannot_record", f"The seat could not be written ({error.strerror}). Check the disk's space and rights."
            ) from error
        self._by_token = {held.token: held.seat for held in self._file.seats}
        self._listeners.tell()

    def _save(self) -> None:
        self._file.guesses = self._guesses.spent()
        write_whole(self._path, msgspec.json.encode(self._file), rights=0o600)

    def _try_to_save(self) -> None:
        try:
            self._save()
        except OSError as error:
            log.warning("%s could not be written: %s. Seats will not outlast a restart.", self._path, error.strerror)


def _load(path: Path) -> _File:
    """The seats on disk. A file that cannot be used is put aside: everybody sits down once more."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=_File)
    except FileNotFoundError:
        return _File(new_code())
    except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
        log.warning("%s cannot be used (%s): phones must join again.", path, type(error).__name__)
        try:
            path.replace(path.with_suffix(".damaged"))
        except OSError:
            log.warning("%s could not be put aside.", path)
        return _File(new_code())
