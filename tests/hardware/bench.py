"""A panel on mock pins with a clock that a test turns: buttons are pressed and lights are read as on the real one."""

from __future__ import annotations

from gpiozero.pins.mock import MockFactory, MockPWMPin

from hardware.keys import Key, Press
from hardware.lights import RGB, Colour
from hardware.panel import Panel
from hardware.pins import Pins

GALLERIES = ("I", "II", "III", "IV", "V")
COLOURS = ("yellow", "blue", "red", "green")


class Clock:
    """Seconds that pass only when a test says so."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class PinsInMemory:
    """The mock pins of one panel: fingers on the buttons, eyes on the lights."""

    def __init__(self, pins: Pins) -> None:
        self.pins = pins
        self.factory = MockFactory(pin_class=MockPWMPin)

    def down(self, key: Key) -> None:
        self.factory.pin(getattr(self.pins, key)).drive_low()

    def up(self, key: Key) -> None:
        self.factory.pin(getattr(self.pins, key)).drive_high()

    def is_lit(self, pin: int) -> bool:
        return bool(self.factory.pin(pin).state)

    @property
    def galleries(self) -> str:
        """The galleries whose lights are on, such as "I III"."""
        return " ".join(name for name, pin in zip(GALLERIES, self.pins.places, strict=True) if self.is_lit(pin))

    @property
    def players(self) -> str:
        return " ".join(name for name, pin in zip(COLOURS, self.pins.players, strict=True) if self.is_lit(pin))

    @property
    def status(self) -> Colour | None:
        """The colour of the status light; None while it is dark."""
        shown = tuple(self.is_lit(pin) for pin in self.pins.status)
        return next((colour for colour, levels in RGB.items() if levels == shown), None)


class Bench(PinsInMemory):
    """A panel without its thread: it does what is due whenever the test lets time pass."""

    def __init__(self, pins: Pins | None = None) -> None:
        super().__init__(pins or Pins())
        self.clock = Clock()
        self.presses: list[Press] = []
        self.panel = Panel(self.pins, self.presses.append, factory=self.factory, clock=self.clock)

    def wait(self, seconds: float) -> None:
        """Let time pass, with everything that is due on the way."""
        end = self.clock.now + seconds
        while True:
            due = self.panel.tick()
            if due is None or due > end:
                break
            self.clock.now = max(due, self.clock.now + 0.001)
        self.clock.now = max(self.clock.now, end)
        self.panel.tick()

    def press(self, key: Key, seconds: float = 0.1) -> None:
        self.down(key)
        self.wait(seconds)
        self.up(key)
        self.wait(0.1)
