"""The desk: photographs are read here, and the one unconfirmed scan of the table waits here for a person."""

from __future__ import annotations

import logging
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol

import msgspec

from companion.games.base import Expected, Refused
from companion.listeners import Listeners
from companion.play import Moment
from companion.table import Table

if TYPE_CHECKING:
    from vision.cameras.eye import Eye, Sight
    from vision.photo import Photo
    from vision.reading import Piece, Reading
    from vision.troubles import Trouble

log = logging.getLogger(__name__)

WAITING = 3.0
"""Seconds that a scan waits for the one that is being read; then the table is busy."""
PHOTOGRAPHS = 2
"""A live camera's scan takes so many, a moment apart, and reads the sharpest."""
QUALITY = 95
"""Of the JPEG in which a camera's photograph is kept. It is read from that very file, so that it can be read again."""

CANNOT_READ = "Reading failed: enter the pieces by hand. `companion doctor` says what is missing."

Source = Literal["camera", "watch", "phone"]
Verdict = Literal["ready", "question", "missing"]
"""Ready to confirm; some piece is unsure, or the rules say no; pieces are still missing."""


@dataclass(frozen=True, eq=False)
class DeskScan:
    """A photograph that was read, and what it means for the game as it was then."""

    id: str
    source: Source
    moment: Moment
    expected: Expected | None
    photo: bytes
    reading: Reading
    codes: tuple[str, ...]
    """The sure pieces."""
    where: tuple[str, ...]
    """Where each piece goes, in the players' words; "" where it is not known."""
    verdict: Verdict
    problem: Refused | None
    """Why it cannot be confirmed as it is."""
    troubles: tuple[Trouble, ...]
    """What is in the way of a better photograph."""
    size: tuple[int, int]
    """Width and height of the photograph, in the pixels in which corners are told."""

    def to_json(self) -> dict[str, Any]:
        """The reading as the outside sees it, with its id, where each piece goes, and whether it can be confirmed."""
        shown = self.reading.as_json()
        for piece, place in zip(shown["pieces"], self.where, strict=True):
            piece["where"] = place
        problem = {"code": self.problem.code, "message": self.problem.message} if self.problem else None
        return {
            **shown,
            "id": self.id,
            "source": self.source,
            "version": self.moment.version,
            "verdict": self.verdict,
            "problem": problem,
            "troubles": msgspec.to_builtins(self.troubles),
            "size": self.size,
            "expected": {"kind": self.expected.kind, "count": self.expected.count} if self.expected else None,
        }


class Read(Protocol):
    """Reads a photograph, looking for this kind of pieces, knowing what the game still allows."""

    def __call__(self, photo: Photo, expect: str | None, expected: Expected | None, /) -> Reading: ...


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

    def scan_camera(self, expect: str | None = None, source: Source = "camera") -> DeskScan:
        """Photograph the table and read it; the panel's lights hold still meanwhile."""
        several = PHOTOGRAPHS if self._eye is not None and self._eye.state.live else 1
        return self._scan(lambda: [self._photograph() for _ in range(several)], expect, source)

    def scan_photo(self, photo: bytes, expect: str | None = None) -> DeskScan:
        """Read a photograph that a phone took."""
        return self._scan(lambda: [photo], expect, "phone")

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

    def _scan(self, take: Callable[[], list[bytes]], expect: str | None, source: Source) -> DeskScan:
        """Take photographs, then read them: while the camera is waited for, another one may be read."""
        self._count(+1)
        try:
            photos = take()
            if not self._one_at_a_time.acquire(timeout=WAITING):
                raise Refused("busy", "The table is reading another photograph: try again in a moment.")
            try:
                scan = self._understand(photos, expect, source)
            finally:
                self._one_at_a_time.release()
            if source != "watch" or any(_awaited(piece, scan.expected) for piece in scan.reading.pieces):
                self._put(scan)
            return scan
        finally:
            self._count(-1)

    def _count(self, step: int) -> None:
        with self._lock:
            self._under_way += step
        self._listeners.tell()

    def _put(self, scan: DeskScan) -> None:
        """Let this scan wait for a person, unless the table has moved on meanwhile."""
        with self._lock:
            self._scans[scan.id] = scan
            while len(self._scans) > self._keep:
                self._scans.popitem(last=False)
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

    def _understand(self, photos: list[bytes], expect: str | None, source: Source) -> DeskScan:
        """Read the sharpest photograph, and find out what its pieces mean for the game.

        Where a piece is not sure, the other photographs of the same scene are read too, and all of them vote.
        """
        from vision.troubles import troubles
        from vision.voting import vote

        moment = self._table.now
        expected = moment.game.expected(moment.state) if moment.game else None
        if expected is not None and expect not in (None, expected.kind):
            expected = None  # somebody looks for other pieces than the game waits for
        opened = _sharpest_first(photos)
        best = opened[0][1]
        readings: list[Reading] = []
        for _, photo in opened:
            readings.append(self._read_safely(photo, expect or (expected.kind if expected else None), expected))
            reading = vote(readings)
            codes = tuple(
                piece.code
                for piece in reading.pieces
                if piece.status == "sure" and piece.code and _awaited(piece, expected)
            )
            verdict, problem = _judge(moment, expected, reading, codes)
            if verdict == "ready":
                break
        unclear = not reading.pieces or any(piece.status != "sure" for piece in reading.pieces)
        return DeskScan(
            id=secrets.token_hex(4),
            source=source,
            moment=moment,
            expected=expected,
            photo=opened[0][0],
            reading=reading,
            codes=codes,
            where=_places(moment, reading),
            verdict=verdict,
            problem=problem,
            troubles=tuple(troubles(best.pixels, reading.pieces)) if verdict != "ready" and unclear else (),
            size=(round(best.pixels.shape[1] * best.scale), round(best.pixels.shape[0] * best.scale)),
        )

    def _read_safely(self, photo: Photo, expect: str | None, expected: Expected | None) -> Reading:
        try:
            return self._read(photo, expect, expected)
        except Refused:
            raise
        except Exception:
            log.exception("The reader failed")
            raise Refused("cannot_read", CANNOT_READ) from None

    def _moved_on(self, moment: Moment) -> None:
        """A command was carried out: what was read before it has had its time."""
        with self._lock:
            gone = self._current is not None and self._current.moment.version != moment.version
            if gone:
                self._current = None
        if gone:
            self._listeners.tell()


def _judge(
    moment: Moment, expected: Expected | None, reading: Reading, codes: tuple[str, ...]
) -> tuple[Verdict, Refused | None]:
    """Whether these pieces can be confirmed as they are. The rules are asked; nothing is carried out."""
    game = moment.game
    if game is None or expected is None:
        return "question", Refused("wrong_phase", "The game waits for no pieces now.")
    unsure = [piece for piece in reading.pieces if piece.status == "unsure" and _awaited(piece, expected)]
    if unsure:
        return "question", Refused("not_sure", "Not all pieces are sure: answer on a phone, or scan again.")
    try:
        game.apply(moment.state, game.from_pieces(moment.state, codes))
    except Refused as refused:
        return "missing" if len(reading.pieces) < expected.count else "question", refused
    return "ready", None


def _awaited(piece: Piece, expected: Expected | None) -> bool:
    """Whether the game waits for this kind of piece: `find` for finds, `funds` and `funds_back` for funds."""
    return expected is None or expected.kind.startswith(piece.kind) or piece.kind.startswith(expected.kind)


def _sharpest_first(photos: list[bytes]) -> list[tuple[bytes, Photo]]:
    from vision.photo import PhotoRefused, open_photo
    from vision.troubles import sharpness

    try:
        opened = [(photo, open_photo(photo)) for photo in photos]
    except PhotoRefused as refused:
        raise Refused("not_a_photo", str(refused)) from None
    return sorted(opened, key=lambda pair: -sharpness(pair[1].pixels)) if len(opened) > 1 else opened


def _places(moment: Moment, reading: Reading) -> tuple[str, ...]:
    """Where each piece goes, as far as it is read."""
    codes = [piece.code or "" for piece in reading.pieces]
    known = [code for code in codes if code]
    if moment.game is None or not known:
        return ("",) * len(codes)
    places = iter(moment.game.where(moment.state, known))
    return tuple(next(places) if code else "" for code in codes)
