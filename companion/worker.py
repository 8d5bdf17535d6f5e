"""A thread that does one thing after another, so that whoever asks for it need not wait."""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable

log = logging.getLogger(__name__)

MOST_WAITING = 8

Task = Callable[[], None]


class Worker:
    """Carries out tasks in order. Too many at once are left out, and one that fails does not end the others."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._tasks: queue.Queue[Task | None] = queue.Queue(MOST_WAITING)
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        self._thread = threading.Thread(target=self._work, name=self._name, daemon=True)
        self._thread.start()

    def stop(self, timeout: float) -> None:
        """End after the task under way; what still waits is left out."""
        while True:
            try:
                self._tasks.get_nowait()
            except queue.Empty:
                break
            self._tasks.task_done()
        self._tasks.put(None)
        if self._thread is not None:
            self._thread.join(timeout)

    def later(self, task: Task) -> None:
        try:
            self._tasks.put_nowait(task)
        except queue.Full:
            log.warning("Too much at once for the %s; something is left out", self._name)

    def finish(self) -> None:
        """Wait until everything asked for so far is done."""
        self._tasks.join()

    def _work(self) -> None:
        while (task := self._tasks.get()) is not None:
            try:
                task()
            except Exception:
                log.exception("The %s stumbled; it goes on", self._name)
            self._tasks.task_done()
        self._tasks.task_done()
