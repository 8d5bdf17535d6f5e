"""The desk: photographs are read here, and the one unconfirmed scan of the table waits here for a person."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING

import msgspec

from companion.games.base import Refused
from companion.listeners import Listeners
from companion.play import Moment
from companion.scan import DeskScan, Read, Source, is_awaited, understand
from companion.table import Table

if TYPE_CHECKING:
    from vision.cameras.eye import Eye, Sight

WAITING = 3.0
"""Seconds that a scan waits for the one that is being read; then the table is busy."""
PHOTOGRAPHS = 2
"""A live camera's scan takes so many, a moment apart, and reads the sharpest."""
QUALITY = 95
"""Of the JPEG in which a camera's photograph is kept. It is read from that very file, so that it can be read again."""


class Desk:
    """May be used from any thread; one photograph is read at a time. Refused says what cannot be done."""

    def __init__(
        self,
        table: Table,
        eye: Eye | None,
        read: Read,
        *,
        still: Callable[[], AbstractContextManager[None]] = nullcontext,
        keep: int = 5,
    ) -> None:
        """`still` holds the panel's lights while a photograph is taken; so many scans are kept."""
        self._table = table
        self._eye = eye
        self._read = read
        self._still = still
        self._keep = keep
        self._one_at_a_time = threading.Lock()
        self._lock = threading.Lock()
        self._scans: OrderedDict[str, DeskScan] = OrderedDict()
        self._current: DeskScan | None = None
        self._listeners = Listeners[()]()
        self._under_way = 0
        table.listen(self._moved_on)
        if eye is not None:
            eye.listen(lambda _state: self._listeners.tell())

    @property
    def camera(self) -> bool:
        """Whether the table has an eye of its own that works now."""
        return self.sight == "ready"

    @property
    def sight(self) -> Sight:
        """How the table's own eye is."""
        return self._eye.state.sight if self._eye is not None else "none"

    @property
    def current(self) -> DeskScan | None:
        """The scan that waits for a person."""
        return self._current

    @property
    def reading(self) -> bool:
        """Whether a photograph is being taken or read now."""
        return self._under_way > 0

    @property
    def kept(self) -> tuple[DeskScan, ...]:
        """The last scans, the oldest first; they are in memory only."""
        with self._lock:
            return tuple(self._scans.values())

    def scan_camera(
        self, expect: str | None = None, source: Source = "camera", teaching: Read | None = None
    ) -> DeskScan:
        """Photograph the table and read it; the panel's lights hold still meanwhile."""
        several = PHOTOGRAPHS if self._eye is not None and self._eye.state.live and not teaching else 1
        return self._scan(lambda: [self._photograph() for _ in range(several)], expect, source, teaching)

    def scan_photo(self, photo: bytes, expect: str | None = None, teaching: Read | None = None) -> DeskScan:
        """Read a photograph that a phone took. What is scanned for `teaching`, by its reader, is none of the game's."""
        return self._scan(lambda: [photo], expect, "phone", teaching)

    def get(self, scan_id: str) -> DeskScan:
        with self._lock:
            scan = self._scans.get(scan_id)
        if scan is None:
            raise Refused("unknown_scan", "This scan is no longer kept: scan again.")
        return scan

    def outlined(self, scan_id: str, say: Callable[[str], str] = str) -> bytes:
        """That photograph as JPEG with each piece outlined and named, as `say` says it, and where it goes."""
        from vision.outlined import Named, outlined
        from vision.photo import open_photo

        scan = self.get(scan_id)
        pieces = [
            Named(piece.corners, piece.status, say(piece.code or ""), place)
            for piece, place in zip(scan.reading.pieces, scan.where, strict=True)
        ]
        photo = open_photo(scan.photo)
        shrunk = [
            named._replace(corners=[[x / photo.scale, y / photo.scale] for x, y in named.corners]) for named in pieces
        ]
        return outlined(photo.pixels, shrunk)

    def confirm(self, scan_id: str | None = None) -> Moment:
        """Carry out what the unconfirmed scan means; Refused if it is another one, not sure, or against the rules."""
        scan = self._current
        if scan is None or scan_id not in (None, scan.id):
            raise Refused("unknown_scan", "There is no scan to confirm: scan first.")
        if scan.verdict != "ready":
            raise scan.problem or Refused("not_sure", "Not all pieces are sure: answer on a phone, or scan again.")
        game = scan.moment.game
        assert game is not None
        command = msgspec.json.decode(game.encode(game.from_pieces(scan.moment.state, scan.codes)))
        return self._table.submit(msgspec.json.encode({**command, "on": scan.moment.version}))

    def dismiss(self) -> bool:
        """Throw the unconfirmed scan away; whether there was one."""
        with self._lock:
            there_was = self._current is not None
            self._current = None
        if there_was:
            self._listeners.tell()
        return there_was

    def listen(self, listener: Callable[..., None]) -> Callable[[], None]:
        """Call this, from any thread, whenever the scan, the reading or the camera changes."""
        return self._listeners.add(listener)

    def _scan(
        self, take: Callable[[], list[bytes]], expect: str | None, source: Source, teaching: Read | None
    ) -> DeskScan:
        """Take photographs, then read them: while the camera is waited for, another one may be read."""
        self._count(+1)
        try:
            photos = take()
            if not self._one_at_a_time.acquire(timeout=WAITING):
                raise Refused("busy", "The table is reading another photograph: try again in a moment.")
            try:
                now = self._table.now
                moment = Moment(now.version) if teaching else now
                scan = understand(moment, photos, expect, source, teaching or self._read)
            finally:
                self._one_at_a_time.release()
            if source != "watch" or any(is_awaited(piece, scan.expected) for piece in scan.reading.pieces):
                self._put(scan, waits=teaching is None)
            return scan
        finally:
            self._count(-1)

    def _count(self, step: int) -> None:
        with self._lock:
            self._under_way += step
        self._listeners.tell()

    def _put(self, scan: DeskScan, waits: bool) -> None:
        """Keep this scan; it is the current one if it `waits` for a person and the table has not moved on meanwhile."""
        with self._lock:
            self._scans[scan.id] = scan
            while len(self._scans) > self._keep:
                self._scans.popitem(last=False)
            if waits:
                fits = scan.moment.version == self._table.now.version
                self._current = scan if fits else None

    def _photograph(self) -> bytes:
        from vision.cameras.base import CameraTrouble

        if self._eye is None:
            raise Refused("no_camera", "This table has no camera: enter the pieces by hand.")
        try:
            with self._still():
                pixels = self._eye.photograph()
        except CameraTrouble as trouble:
            raise Refused("no_camera", str(trouble)) from None
        import cv2

        done, encoded = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        assert done
        return encoded.tobytes()

    def _moved_on(self, moment: Moment) -> None:
        """A command was carried out: what was read before it has had its time."""
        with self._lock:
            gone = self._current is not None and self._current.moment.version != moment.version
            if gone:
                self._current = None
        if gone:
            self._listeners.tell()
