"""The one thread that looks through the camera: nobody else ever waits for the device itself."""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from typing import TYPE_CHECKING, Literal, NamedTuple

from vision.cameras.base import Camera, CameraTrouble, NoPictureNow

if TYPE_CHECKING:
    from vision.photo import Pixels

log = logging.getLogger(__name__)

OPENING = 30.0
"""Seconds that a camera may take to open, settle and focus."""
ANSWERING = 6.0
"""Seconds that one frame may take; a camera that takes longer hangs."""
DRAWING = 90.0
"""The same for a camera whose frames are drawn: a slow machine is no reason to call it broken."""
RETRY = 2.0
"""Seconds between two attempts to find a camera that is away."""
STILL_THERE = 2.0
"""Seconds between two looks while nothing is watched: an unplugged camera is noticed soon all the same."""
MOST_ABANDONED = 5
"""A camera that hangs again and again is left alone after so many attempts, for a minute each."""

Sight = Literal["none", "opening", "ready", "away", "hanging"]


class EyeState(NamedTuple):
    """Whether the table can see, and what to say to the players."""

    sight: Sight
    camera: str = ""
    message: str = ""
    live: bool = False


class Eye:
    """Opens a camera, watches with it, photographs on request, and takes it back when it was away."""

    def __init__(
        self,
        open_camera: Callable[[], Camera],
        on_frame: Callable[[Pixels], None],
        *,
        frames_a_second: float = 5.0,
        wanted: bool = True,
        patience: float = ANSWERING,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`wanted` says that the owner asked for this camera: that it is not there is worth saying."""
        self._open_camera = open_camera
        self._on_frame = on_frame
        self._pause = 1.0 / frames_a_second
        self._patience = patience
        self._clock = clock
        self._wake = threading.Condition()
        self._requests: deque[Future[Pixels]] = deque()
        self._answering: Future[Pixels] | None = None
        self._listeners: list[Callable[[EyeState], None]] = []
        self._had_one = wanted
        self._watching = False
        self._stopping = False
        self._turn = 0
        self._due: float | None = None
        self._retry_at: float | None = None
        self._hangs = 0
        self._thread: threading.Thread | None = None
        self.state = EyeState("opening")

    def start(self) -> None:
        """Begin to look, in a thread of its own."""
        with self._wake:
            self._turn += 1
            turn = self._turn
        self._thread = threading.Thread(target=self._run, args=(turn,), name="camera", daemon=True)
        self._thread.start()

    def stop(self, timeout: float) -> bool:
        """Let the camera go; false if it hangs and had to be left."""
        with self._wake:
            self._stopping = True
            self._wake.notify_all()
        self._fail_requests("The table is stopping.")
        if self._thread is not None:
            self._thread.join(timeout)
            return not self._thread.is_alive()
        return True

    def watch(self, on: bool) -> None:
        """Look often and pass the frames on, or just see that the camera is still there."""
        with self._wake:
            self._watching = on
            self._wake.notify_all()

    def listen(self, listener: Callable[[EyeState], None]) -> None:
        """Tell this listener whenever the camera comes or goes."""
        self._listeners.append(listener)

    def photograph(self) -> Pixels:
        """A photograph taken from now on, or CameraTrouble; never waits for a camera that is not there."""
        request: Future[Pixels] = Future()
        with self._wake:
            if self.state.sight != "ready":
                raise CameraTrouble(self.state.message or "The camera is not ready yet; try again in a moment.")
            self._requests.append(request)
            self._wake.notify_all()
        try:
            return request.result(self._patience + 2)
        except TimeoutError:
            with self._wake, suppress(ValueError):
                self._requests.remove(request)
            raise CameraTrouble("The camera does not answer. Enter the pieces by hand, or try again.") from None

    def check(self) -> None:
        """Called now and then from elsewhere: notices a camera that hangs, and looks for it anew."""
        now = self._clock()
        with self._wake:
            hangs = self._due is not None and now > self._due
            if hangs:
                self._due = None
                self._turn += 1  # whatever the stuck thread still brings comes too late
                self._hangs += 1
                self._retry_at = now + (RETRY if self._hangs < MOST_ABANDONED else 60.0)
            look_again = self._retry_at is not None and now >= self._retry_at and not self._stopping
            if look_again:
                self._retry_at = None
        if hangs:
            log.warning("The camera hangs")
            self._become(EyeState("hanging", message="The camera hangs: go on by hand, and plug it in again."))
            self._fail_requests("The camera hangs. Enter the pieces by hand.")
        if look_again:
            self.start()

    def _run(self, turn: int) -> None:
        camera: Camera | None = None
        while self._mine(turn):
            try:
                if camera is None:
                    camera = self._open(turn)
                else:
                    self._use(camera, turn)
            except NoPictureNow as error:
                log.info("No picture now: %s", error)
            except Exception as error:
                if not isinstance(error, CameraTrouble):
                    log.exception("The camera failed")
                if camera is not None:
                    _close(camera)
                    camera = None
                self._lost(error, turn)
        if camera is not None:
            _close(camera)

    def _open(self, turn: int) -> Camera:
        self._call_begins(OPENING, turn)
        try:
            camera = self._open_camera()
        finally:
            self._call_ends(turn)
        with self._wake:
            mine = turn == self._turn
            self._had_one = True
        if mine:
            log.info("Looking through %s", camera.name)
            self._become(EyeState("ready", camera.name, live=camera.live))
        return camera

    def _use(self, camera: Camera, turn: int) -> None:
        """One photograph if somebody waits for one, otherwise one look."""
        with self._wake:
            pause = self._pause if self._watching and camera.live else STILL_THERE
            if not self._requests:
                self._wake.wait(pause)
            if not self._mine(turn):
                return
            request = self._requests.popleft() if self._requests else None
            watching = self._watching and camera.live
        if request is not None:
            self._answer(camera, request, turn)
            return
        self._call_begins(self._patience, turn)
        try:
            frame = camera.look()
        finally:
            self._call_ends(turn)
        if watching and self._mine(turn):
            try:
                self._on_frame(frame)
            except Exception:
                log.exception("Watching failed; the camera goes on")

    def _answer(self, camera: Camera, request: Future[Pixels], turn: int) -> None:
        with self._wake:
            self._answering = request
        self._call_begins(self._patience, turn)
        try:
            photograph = camera.photograph()
        except BaseException as error:
            said = str(error) if isinstance(error, CameraTrouble) else "The camera failed; try again in a moment."
            _settle(request, CameraTrouble(said))
            raise
        finally:
            self._call_ends(turn)
        _settle(request, photograph)

    def _call_begins(self, allowed: float, turn: int) -> None:
        with self._wake:
            if turn == self._turn:
                self._due = self._clock() + allowed

    def _call_ends(self, turn: int) -> None:
        with self._wake:
            if turn == self._turn:
                self._due = None
                self._hangs = 0

    def _lost(self, error: Exception, turn: int) -> None:
        said = str(error) if isinstance(error, CameraTrouble) else "The camera failed; it is tried again."
        with self._wake:
            if turn != self._turn:
                return
            had_one = self._had_one
        self._become(EyeState("away" if had_one else "none", message=said))
        self._fail_requests(said)
        with self._wake:
            if self._mine(turn):
                self._wake.wait_for(lambda: not self._mine(turn), RETRY)

    def _mine(self, turn: int) -> bool:
        return turn == self._turn and not self._stopping

    def _fail_requests(self, said: str) -> None:
        with self._wake:
            waiting = [*self._requests, *([self._answering] if self._answering else [])]
            self._requests.clear()
            self._answering = None
        for request in waiting:
            _settle(request, CameraTrouble(said))

    def _become(self, state: EyeState) -> None:
        if state == self.state:
            return
        self.state = state
        for listener in list(self._listeners):
            try:
                listener(state)
            except Exception:
                log.exception("A listener failed; the others go on")


def _settle(request: Future[Pixels], outcome: Pixels | CameraTrouble) -> None:
    """Answer whoever waits, unless they gave up or were answered already."""
    with suppress(InvalidStateError):
        if isinstance(outcome, CameraTrouble):
            request.set_exception(outcome)
        else:
            request.set_result(outcome)


def _close(camera: Camera) -> None:
    with suppress(Exception):
        camera.close()
