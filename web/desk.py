"""What the page needs of the desk, where the table's photographs are read and wait to be confirmed."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Protocol

from web.languages import tell_in

MOST_DRAWN = 4


class Scan(Protocol):
    """A photograph that was read."""

    @property
    def id(self) -> str: ...

    @property
    def photo(self) -> bytes:
        """The photograph's file, as it was taken."""

    def to_json(self) -> dict[str, Any]:
        """The reading with its `id`, as the outside sees it."""


class Desk(Protocol):
    """May be called from any thread. What it cannot do it says by Refused: `no_camera`, `busy`, `unknown_scan`,
    `not_a_photo`, `cannot_read`, or a code of its own."""

    @property
    def camera(self) -> bool:
        """Whether the table has an eye of its own that works now."""

    @property
    def current(self) -> Scan | None:
        """The scan that waits for a person; a new object whenever it changes."""

    def scan_camera(self, expect: str | None) -> Scan: ...

    def scan_photo(self, photo: bytes, expect: str | None) -> Scan: ...

    def get(self, scan_id: str) -> Scan: ...

    def outlined(self, scan_id: str, say: Callable[[str], str]) -> bytes:
        """That photograph as JPEG with each piece outlined and named, as `say` says it, and where it goes."""

    def dismiss(self) -> bool:
        """Throw the current scan away; whether there was one."""

    def listen(self, listener: Callable[..., None]) -> Callable[[], None]:
        """Call this, from any thread, whenever the current scan changes."""


class Teacher(Protocol):
    """Where a box is taught. Like the desk, it says by Refused what it cannot do."""

    @property
    def in_use(self) -> str | None:
        """The set that was chosen to be read by; None: none was, "" is the printable one."""

    def choose(self, name: str) -> None:
        """Read by this set from now on."""

    def sets(self) -> list[dict[str, Any]]:
        """Each set: `name`, `labels` with the number of pictures of each, `learning`, and `trouble` or None."""

    def scan(self, name: str, photo: bytes | None, expect: str | None) -> Scan:
        """Read this photograph, or one by the table's camera, for a set to be taught: what the set knows already is
        named, what was only read is a piece's `guess`. It is no scan of the game's."""

    def keep(self, name: str, scan_id: str, labels: Mapping[int, str]) -> dict[str, Any]:
        """Keep these pieces of a scan under their labels, and the set as it then is; it is learned by and by."""

    def forget(self, name: str, label: str) -> dict[str, Any]:
        """Forget one label, and the set as it then is."""


class Pictures:
    """The last scans with their outlines, drawn once however many phones look at them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._drawn: dict[tuple[str, str], bytes] = {}

    def of(self, desk: Desk, scan_id: str, spoken: str) -> bytes:
        """That scan's picture, its pieces named in this language, or Refused."""
        desk.get(scan_id)
        key = (scan_id, spoken)
        with self._lock:
            if key not in self._drawn:
                drawn = desk.outlined(scan_id, partial(tell_in, spoken))
                self._drawn = {**dict(list(self._drawn.items())[1 - MOST_DRAWN :]), key: drawn}
            return self._drawn[key]
