"""Phones that ask to be let in, until somebody does or they give up. Whoever calls holds the seats' lock."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from web.codes import digest, new_token

MOST_ASKING = 8
MOST_FROM_AN_ADDRESS = 3
"""Of those who ask: one stranger cannot take every place."""
ASKING_SECONDS = 120.0


class SeatRefused(Exception):
    """No seat: a stable code and a sentence for the person with the phone; `wait` in seconds where waiting helps."""

    def __init__(self, code: str, message: str, wait: float = 0) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.wait = wait


class Ask(msgspec.Struct, frozen=True):
    """A phone that asks to be let in."""

    id: int
    player: str | None


class Asking(msgspec.Struct):
    ask: Ask
    address: str
    token: str
    until: float
    let_in: bool = False


class Doorstep:
    """Everyone who asks, the longest waiting first."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._last = 0
        self.phones: list[Asking] = []

    @property
    def waiting(self) -> tuple[Ask, ...]:
        self.forget_old()
        return tuple(asking.ask for asking in self.phones if not asking.let_in)

    def find(self, player: str | None, address: str, token: str | None) -> Asking | None:
        """The phone that asks already; one that keeps no cookie is known by its address and the player."""
        self.forget_old()
        for asking in self.phones:
            mine = asking.token == digest(token) if token else asking.address == address
            if mine and asking.ask.player == player:
                return asking
        return None

    def ring(self, player: str | None, address: str, old_token: str | None) -> str:
        """Begin to ask, and the token to ask again with; SeatRefused where too many do."""
        old = digest(old_token) if old_token else None
        self.phones = [
            asking
            for asking in self.phones
            if asking.token != old and (asking.address, asking.ask.player) != (address, player)
        ]
        neighbours = [asking for asking in self.phones if asking.address == address]
        if len(neighbours) >= MOST_FROM_AN_ADDRESS:
            self.phones.remove(neighbours[0])
        if len(self.phones) >= MOST_ASKING:
            raise SeatRefused("too_many_asking", "Too many phones ask at once: wait a little.", ASKING_SECONDS)
        token = new_token()
        self._last += 1
        until = self._clock() + ASKING_SECONDS
        self.phones.append(Asking(Ask(self._last, player), address, digest(token), until))
        return token

    def open(self, ask_id: int | None) -> Ask | None:
        """Let in one who asks, the longest waiting unless another is meant; None if nobody does."""
        self.forget_old()
        for asking in self.phones:
            if not asking.let_in and ask_id in (None, asking.ask.id):
                asking.let_in = True
                asking.until = self._clock() + ASKING_SECONDS
                return asking.ask
        return None

    def forget_old(self) -> None:
        now = self._clock()
        self.phones = [asking for asking in self.phones if asking.until > now]
