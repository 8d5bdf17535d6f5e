"""Who sits at the table: the join code, the seats that phones hold, and asking to be let in.

Whoever knows the join code, or is let in at the box, sits at the table. Two phones may hold the same player's seat.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
import secrets
import threading
import time
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from companion.listeners import Listeners
from companion.whole_file import write_whole
from web.guesses import Guesses, Spent

log = logging.getLogger(__name__)

LETTERS = "ACDEFGHJKMNPQRTUVWXY34679"
"""No two of them look or sound alike on a box's label: no 0 and O, 1 and I, 2 and Z, 5 and S, 8 and B."""
CODE_LENGTH = 6
MOST_SEATS = 64
"""Phones that forgot their cookie leave seats behind: the oldest make room."""
MOST_ASKING = 8
MOST_FROM_AN_ADDRESS = 3
"""Of those who ask: one stranger cannot take every place."""
ASKING_SECONDS = 120.0
PASS_SECONDS = 300.0


class SeatRefused(Exception):
    """No seat: a stable code and a sentence for the person with the phone; `wait` in seconds where waiting helps."""

    def __init__(self, code: str, message: str, wait: float = 0) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.wait = wait


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


class Ask(msgspec.Struct, frozen=True):
    """A phone that asks to be let in."""

    id: int
    player: str | None


class _Asking(msgspec.Struct):
    ask: Ask
    address: str
    token: str
    until: float
    let_in: bool = False


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
        self._asking: list[_Asking] = []
        self._passes: list[_Pass] = []
        self._last_ask = 0
        self._file = _load(path)
        self._guesses = Guesses(clock, self._file.guesses)
        self._own_code = join_code
        if join_code is not None and not _plain(join_code):
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
            self._forget_old()
            return tuple(asking.ask for asking in self._asking if not asking.let_in)

    def seat_of(self, token: str | None) -> Seat | None:
        """The seat that a phone with this token holds."""
        return self._by_token.get(_digest(token)) if token else None

    def claim(self, code: str, player: str | None, address: str, old_token: str | None = None) -> tuple[str, Seat]:
        """A seat for whoever knows the join code, and the token that proves it. The phone's old seat is given up."""
        with self._lock:
            wait = self._guesses.wait(address)
            if wait > 0:
                raise SeatRefused("too_many_guesses", f"Too many wrong codes: wait {int(wait) + 1} seconds.", wait)
            passed = self._pass_for(code)
            if passed is None and not _same(_plain(code), _plain(self.join_code)):
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
        """Ask to be let in, or look whether that has happened: then the seat, with its token; else the asking token.

        A phone that keeps no cookie is known by its address and the player.
        """
        with self._lock:
            self._forget_old()
            digest = _digest(ask_token) if ask_token else None
            for asking in self._asking:
                mine = asking.token == digest if digest else asking.address == address
                if mine and asking.ask.player == player:
                    break
            else:
                return self._begin_to_ask(player, address, digest), None
            if not asking.let_in:
                token = ask_token or secrets.token_urlsafe(32)
                asking.token = _digest(token)
                return token, None
            with self._change():
                self._asking.remove(asking)
                return self._sit_down(player, old_token)

    def let_in(self, ask_id: int | None = None) -> Ask | None:
        """Let in one who asks, the longest waiting unless another is meant; None if nobody does."""
        with self._lock:
            self._forget_old()
            waiting = [asking for asking in self._asking if not asking.let_in and ask_id in (None, asking.ask.id)]
            if not waiting:
                return None
            waiting[0].let_in = True
            waiting[0].until = self._clock() + ASKING_SECONDS
        self._listeners.tell()
        return waiting[0].ask

    def hand_over(self, seat: Seat) -> str:
        """A code, good once and for five minutes, that gives this very seat to the phone that shows it."""
        with self._lock:
            self._forget_old()
            code = "".join(secrets.choice(LETTERS) for _ in range(2 * CODE_LENGTH))
            self._passes = [old for old in self._passes if old.seat != seat]
            self._passes.append(_Pass(_digest(_plain(code)), seat, self._clock() + PASS_SECONDS))
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
            self._asking.clear()
            self._passes.clear()

    def listen(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Tell this listener whenever seats change or somebody asks; call what is returned to stop it."""
        return self._listeners.add(listener)

    def _begin_to_ask(self, player: str | None, address: str, digest: str | None) -> str:
        self._asking = [
            asking
            for asking in self._asking
            if asking.token != digest and (asking.address, asking.ask.player) != (address, player)
        ]
        same = [asking for asking in self._asking if asking.address == address]
        if len(same) >= MOST_FROM_AN_ADDRESS:
            self._asking.remove(same[0])
        if len(self._asking) >= MOST_ASKING:
            raise SeatRefused("too_many_asking", "Too many phones ask at once: wait a little.", ASKING_SECONDS)
        token = secrets.token_urlsafe(32)
        self._last_ask += 1
        until = self._clock() + ASKING_SECONDS
        self._asking.append(_Asking(Ask(self._last_ask, player), address, _digest(token), until))
        self._listeners.tell()
        return token

    def _forget_old(self) -> None:
        now = self._clock()
        self._asking = [asking for asking in self._asking if asking.until > now]
        self._passes = [old for old in self._passes if old.until > now]

    def _pass_for(self, code: str) -> _Pass | None:
        self._forget_old()
        digest = _digest(_plain(code))
        return next((old for old in self._passes if _same(old.token, digest)), None)

    def _sit_down(self, player: str | None, old_token: str | None) -> tuple[str, Seat]:
        old = _digest(old_token) if old_token else ""
        self._drop(lambda held: held.token == old)
        token = secrets.token_urlsafe(32)
        self._file.last_id += 1
        seat = Seat(self._file.last_id, player)
        self._file.seats = [*self._file.seats[-MOST_SEATS + 1 :], _Held(seat, _digest(token))]
        return token, seat

    def _drop(self, which: Callable[[_Held], bool]) -> bool:
        kept = [held for held in self._file.seats if not which(held)]
        dropped = len(kept) < len(self._file.seats)
        self._file.seats = kept
        return dropped

    @contextmanager
    def _change(self) -> Any:
        """What changes here is on disk afterwards, or not changed at all (SeatRefused)."""
        before = (list(self._file.seats), self._file.last_id, self._file.code, list(self._asking), list(self._passes))
        try:
            yield
            self._save()
        except OSError as error:
            self._file.seats, self._file.last_id, self._file.code, self._asking, self._passes = before
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


def new_code() -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))


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


def _plain(code: str) -> str:
    """A code as it counts: small letters, spaces and dashes make no difference."""
    return "".join(code.split()).replace("-", "").casefold()


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode(errors="replace"), other.encode(errors="replace"))


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()
