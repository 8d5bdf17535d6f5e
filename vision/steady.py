"""Watching a table: when hands have come and gone and something new lies still, say which frames to read.

A pure state machine: frames and their times come in, what to do goes out. No clock, no camera, no waiting here.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.photo import Pixels
from vision.troubles import Trouble, light_troubles, sharpness, trouble

State: TypeAlias = Literal["waiting", "moving", "settled", "read"]
Plane: TypeAlias = NDArray[np.float32]

WIDE = 160
"""Cells across; a cell is four pixels of a watched frame."""
SETTLED_FRAMES = 4
SETTLED_SECONDS = 0.6
KEPT_FRAMES = 3
LEAST_STEP, MOST_STEP = 7.0, 15.0
"""Hundredths that a cell's contrast must change by, however quiet or noisy the picture is."""
NOISE_TIMES = 6.0
BLINK = 0.003
"""Part of the picture that may change without being motion: a blinking light, a reflection of it."""
COVERED = 0.18
HAND = 0.03
"""Part of the picture that something reaching in from the edge must cover to be a hand."""
HAND_RESTS = 5.0
"""Seconds: what reaches in and stays longer is no hand but a sleeve, a box, or pieces laid up to the edge."""
ANOTHER_VIEW = 0.6
"""When more than this has changed, the camera was moved or another cloth was laid: not a hand."""


@dataclass(frozen=True)
class Observation:
    """What one frame told: the state, the frames to read now (sharpest first), and what is in the way."""

    state: State
    to_read: list[Pixels] = field(default_factory=list)
    troubles: list[Trouble] = field(default_factory=list)


@dataclass(frozen=True)
class _Kept:
    frame: Pixels
    sharpness: float


class Watcher:
    """Follows one camera. `see` every frame; read what it hands out; it hands out a scene only once."""

    def __init__(self, settled_frames: int = SETTLED_FRAMES, settled_seconds: float = SETTLED_SECONDS) -> None:
        self._settled_frames = settled_frames
        self._settled_seconds = settled_seconds
        self._state: State = "waiting"
        self._last: Plane | None = None
        self._read: Plane | None = None
        self._read_grey: Plane = np.zeros((1, 1), np.float32)
        self._still_since: float | None = None
        self._still: list[_Kept] = []
        self._count = 0

    @property
    def state(self) -> State:
        return self._state

    def forget(self) -> None:
        """Takes the next still scene as new, though it may have been read before: somebody asked again."""
        self._read = None
        self._state = "waiting"
        self._restart()

    def see(self, frame: Pixels, at: float) -> Observation:
        """Takes one frame, seen at a time in seconds, and says what to do."""
        grey = _cells(frame)
        dark = light_troubles(grey)
        if dark:
            self._last = None
            self._restart()
            self._state = "waiting"
            return Observation("waiting", [], dark)
        cells = _evened(grey)
        moved = self._last is None or self._last.shape != cells.shape or changed(self._last, cells).any()
        first = self._last is None
        self._last = cells
        if moved:
            self._restart()
            self._state = "waiting" if first and self._read is None else "moving"
            return Observation(self._state)
        return self._still_frame(frame, cells, grey, at)

    def _still_frame(self, frame: Pixels, cells: Plane, grey: Plane, at: float) -> Observation:
        """Nothing moved since the frame before."""
        if self._state == "read":
            return self._against_read(cells)
        if self._still_since is None:
            self._still_since = at
        self._count += 1
        self._keep(frame)
        if self._count < self._settled_frames or at - self._still_since < self._settled_seconds:
            return Observation(self._state)
        known = self._read is not None and self._read.shape == cells.shape
        if known and self._read is not None and not changed(self._read, cells).any():
            self._state = "read"
            self._restart()
            return Observation("read")
        if known and at - self._still_since < HAND_RESTS and _reaches_in(_covered(self._read_grey, grey)):
            self._state = "moving"
            return Observation("moving", [], [trouble("hand_in_picture")])
        best = [kept.frame for kept in self._still]
        self._read, self._read_grey = cells, grey
        self._state = "read"
        self._restart()
        return Observation("settled", best)

    def _against_read(self, cells: Plane) -> Observation:
        """A slow change (a shadow that crept in, a tile pushed gently) still makes a new scene."""
        if self._read is not None and self._read.shape == cells.shape and changed(self._read, cells).any():
            self._state = "moving"
            return Observation("moving")
        return Observation("read")

    def _restart(self) -> None:
        self._still_since = None
        self._still = []
        self._count = 0

    def _keep(self, frame: Pixels) -> None:
        """The sharpest few of the still frames."""
        together = [*self._still, _Kept(frame, sharpness(frame))]
        self._still = sorted(together, key=lambda kept: -kept.sharpness)[:KEPT_FRAMES]


def _cells(frame: Pixels) -> Plane:
    high = max(1, round(frame.shape[0] * WIDE / frame.shape[1]))
    small = cv2.resize(frame, (WIDE, high), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.float32)


def _evened(grey: Plane) -> Plane:
    """Cells without the light: a lamp's flicker and an exposure that drifts change large parts alike."""
    logs = np.log(grey + 24)
    soft = cv2.blur(cv2.blur(logs, (31, 31)), (31, 31))
    return np.asarray((logs - soft) * 100, np.float32)


def changed(before: Plane, now: Plane) -> NDArray[np.bool_]:
    """The cells that truly changed: more than noise, and in a patch larger than a blinking light."""
    step = cv2.blur(np.abs(now - before), (3, 3))
    noise = float(np.percentile(step, 25))
    mask = (step > min(MOST_STEP, max(LEAST_STEP, NOISE_TIMES * noise))).astype(np.uint8)
    if int(mask.sum()) <= BLINK * mask.size:
        return np.zeros(mask.shape, np.bool_)
    count, patches, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    large = [index for index in range(1, count) if stats[index, cv2.CC_STAT_AREA] > BLINK * mask.size]
    return np.asarray(np.isin(patches, large), np.bool_)


def _covered(before: Plane, now: Plane) -> NDArray[np.bool_]:
    """The cells that something new covers, or something gone has laid bare; all that a lamp does is taken out."""
    change = np.log(now + 24) - np.log(before + 24)
    step = np.abs(change - float(np.median(change)))
    return np.asarray(cv2.blur(np.asarray(step, np.float32), (3, 3)) > COVERED, np.bool_)


def _reaches_in(difference: NDArray[np.bool_]) -> bool:
    """Whether what is new reaches in from the edge and is as large as a hand."""
    count, patches, stats, _ = cv2.connectedComponentsWithStats(difference.astype(np.uint8), connectivity=8)
    if float(difference.mean()) > ANOTHER_VIEW:
        return False
    edge = np.concatenate([patches[0], patches[-1], patches[:, 0], patches[:, -1]])
    touching = np.bincount(edge, minlength=count)
    return any(
        stats[index, cv2.CC_STAT_AREA] > HAND * difference.size and touching[index] > 0.02 * edge.size
        for index in range(1, count)
    )
