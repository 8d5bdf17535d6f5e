"""Watching the table: when pieces were put down and hands are gone, they are read without a button."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vision.photo import Pixels
    from vision.steady import Watcher
    from vision.troubles import Trouble


class Watch:
    """Takes every watched frame on the camera's thread, and says when it is time to read."""

    def __init__(self, settled: Callable[[], None], clock: Callable[[], float] = time.monotonic) -> None:
        self._settled = settled
        self._clock = clock
        self._watcher: Watcher | None = None
        self.troubles: list[Trouble] = []
        """What is in the way just now."""

    def frame(self, frame: Pixels) -> None:
        """Look at one more frame; the eyes are loaded with the first one."""
        if self._watcher is None:
            from vision.steady import Watcher

            self._watcher = Watcher()
        seen = self._watcher.see(frame, self._clock())
        self.troubles = seen.troubles
        if seen.to_read:
            self._settled()
