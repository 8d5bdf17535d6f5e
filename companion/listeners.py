"""Telling whoever listens: one that fails does not keep the others from hearing."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Generic, TypeVarTuple

log = logging.getLogger(__name__)

News = TypeVarTuple("News")


class Listeners(Generic[*News]):
    """Who wants to be told. May be used from any thread; a listener may stop itself while it is told."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._all: tuple[Callable[[*News], None], ...] = ()

    def __len__(self) -> int:
        return len(self._all)

    def add(self, listener: Callable[[*News], None]) -> Callable[[], None]:
        """Tell this listener from now on; call what is returned to stop it."""
        with self._lock:
            self._all += (listener,)

        def stop() -> None:
            with self._lock:
                self._all = tuple(other for other in self._all if other is not listener)

        return stop

    def tell(self, *news: *News) -> None:
        for listener in self._all:
            try:
                listener(*news)
            except Exception:
                log.exception("A listener failed; the others go on")
