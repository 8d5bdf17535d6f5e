"""The panel on its pins: shows what it is told, and tells what is pressed."""

from __future__ import annotations

import logging
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from hardware.keys import KEYS, Key, Keys, Press
from hardware.lights import RGB, SIGNALS, Showing, lit, next_change
from hardware.pins import Pins

log = logging.getLogger(__name__)

MODEL = Path("/proc/device-tree/model")
BEEP = 0.08
"""Seconds of a beep, and of the silence after it."""


class PanelTrouble(Exception):
    """The pins cannot be used; the message says what to do."""


class Light(Protocol):
    """What the panel needs of a gpiozero output."""

    def on(self) -> None: ...
    def off(self) -> None: ...


def is_a_pi(model: Path = MODEL) -> bool:
    """Whether this machine has the pins at all."""
    try:
        return "Raspberry Pi" in model.read_text("utf-8", "replace")
    except OSError:
        return False


class Panel:
    """Lights and buttons, with one thread that sleeps until something must change."""

    def __init__(
        self,
        pins: Pins,
        on_press: Callable[[Press], None],
        *,
        factory: Any = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`factory` is gpiozero's way to the pins; without one it takes the machine's own."""
        self._on_press = on_press
        self._clock = clock
        self._wake = threading.Condition()
        self._showing = Showing("starting")
        self._still = 0
        self._beeps: list[float] = []
        self._shown: dict[int, bool] = {}
        self._closed = False
        self._thread: threading.Thread | None = None
        self._devices: list[Any] = []
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # gpiozero tells of every way to the pins that it tried in vain
                self._open(pins, factory)
            self.tick()
        except Exception as error:
            self._release()
            raise PanelTrouble(_explain(error)) from error

    def _open(self, pins: Pins, factory: Any) -> None:
        from gpiozero import LED, Buzzer, DigitalInputDevice

        def light(pin: int) -> Any:
            self._devices.append(LED(pin, pin_factory=factory))
            return self._devices[-1]

        self._lights: list[Light] = [light(pin) for pin in (*pins.places, *pins.players, *pins.status)]
        self._buzzer: Light | None = None
        if pins.buzzer is not None:
            self._buzzer = Buzzer(pins.buzzer, pin_factory=factory)
            self._devices.append(self._buzzer)
        self._buttons: dict[Key, Any] = {}
        for key in KEYS:
            self._buttons[key] = DigitalInputDevice(getattr(pins, key), pull_up=True, pin_factory=factory)
            self._devices.append(self._buttons[key])
        stuck = frozenset(key for key in KEYS if self._buttons[key].is_active)
        for key in sorted(stuck):
            log.warning("The button %s is down from the start and is left out until it is let go", key)
        self._keys = Keys(stuck)
        for key in KEYS:
            self._buttons[key].when_activated = self._edge(key, True)
            self._buttons[key].when_deactivated = self._edge(key, False)

    def _edge(self, key: Key, level: bool) -> Callable[[], None]:
        def edge() -> None:
            with self._wake:
                self._keys.edge(key, level, self._clock())
                self._wake.notify_all()

        return edge

    def start(self) -> None:
        self._thread = threading.Thread(target=self._run, name="panel", daemon=True)
        self._thread.start()

    def close(self, timeout: float = 1.0) -> None:
        """All lights out, and the pins free again."""
        with self._wake:
            self._closed = True
            self._wake.notify_all()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(timeout)
        self._release()

    @property
    def showing(self) -> Showing:
        return self._showing

    def show(self, showing: Showing) -> None:
        """From now on the lights say this."""
        with self._wake:
            if showing.situation != self._showing.situation:
                now = self._clock()
                beeps = SIGNALS[showing.situation].beeps
                self._beeps = [now + half * BEEP for half in range(2 * beeps)]
            self._showing = showing
            self._wake.notify_all()
        if self._thread is None:
            self.tick()

    @contextmanager
    def still(self) -> Iterator[None]:
        """No light changes while a photograph is taken: the camera would see it as something moving."""
        with self._wake:
            self._still += 1
        try:
            yield
        finally:
            with self._wake:
                self._still -= 1
                self._wake.notify_all()

    def tick(self) -> float | None:
        """Set every light as it should be now, tell the presses up to now; when to do so again (None: when woken)."""
        with self._wake:
            now = self._clock()
            if not self._closed:
                for key, button in self._buttons.items():
                    self._keys.check(key, bool(button.is_active), now)
            presses = self._keys.tick(now)
            rhythms = (*self._showing.board.places, *self._showing.board.players)
            signal = SIGNALS[self._showing.situation]
            if not self._still and not self._closed:
                bright = lit(signal.rhythm, now)
                status = tuple(bright and colour for colour in RGB[signal.colour])
                self._set((*(lit(rhythm, now) for rhythm in rhythms), *status))
            self._buzz(now)
            coming = [next_change((*rhythms, signal.rhythm), now), self._keys.next_tick(now), *self._beeps[:1]]
        for press in presses:
            try:
                self._on_press(press)
            except Exception:
                log.exception("The button %s could not be followed", press)
        return min((at for at in coming if at is not None), default=None)

    def _set(self, levels: tuple[bool, ...]) -> None:
        """Touch only the pins that change."""
        for number, (light, level) in enumerate(zip(self._lights, levels, strict=True)):
            if self._shown.get(number) is not level:
                (light.on if level else light.off)()
                self._shown[number] = level

    def _buzz(self, now: float) -> None:
        while self._beeps and self._beeps[0] <= now:
            del self._beeps[0]
            if self._buzzer is not None:
                (self._buzzer.on if len(self._beeps) % 2 else self._buzzer.off)()

    def _run(self) -> None:
        while not self._closed:
            try:
                at = self.tick()
            except Exception:
                log.exception("The panel stumbled; it goes on")
                at = self._clock() + 1.0
            with self._wake:
                if not self._closed:
                    self._wake.wait(None if at is None else max(0.0, at - self._clock()))

    def _release(self) -> None:
        for device in self._devices:
            device.close()
        self._devices = []


def _explain(error: Exception) -> str:
    name = type(error).__name__
    if name == "BadPinFactory" or isinstance(error, ImportError):
        return "This machine's pins cannot be reached: sudo apt install python3-lgpio, or run with --panel none."
    if "busy" in str(error).lower() or name in ("GPIOPinInUse", "PinFixedPull"):
        return f"A pin is used by something else ({error}): choose another one in [panel.pins], or stop the other."
    if isinstance(error, PermissionError):
        return "The pins may not be used by this user: sudo usermod -aG gpio $USER, then log in again."
    return f"The panel's pins cannot be used: {error or name}."
