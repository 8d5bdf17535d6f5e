"""Draws the wiring diagram of the build guide from the same table of pins that the panel uses.

python -m hardware.wiring docs/pictures/wiring.svg
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple

from hardware.pins import HEADER, Pins

PLACES = ("I", "II", "III", "IV", "V")
"""What is written beside the five lights for places."""
PLAYERS = ("yellow", "blue", "red", "green")
"""The colours of the players' lights."""
OPTIONAL_BUZZER = 18
"""Where the diagram draws the buzzer of a panel that has none yet."""

Sort = Literal["light", "button", "buzzer"]

LENS = {
    "white": "#fdfbf2", "yellow": "#f7c933", "blue": "#3f7fe0", "red": "#e2453c", "green": "#3fae5a",
}  # fmt: skip
WIRE = {**LENS, "white": "#d9d2c1"}
OHMS = {"white": 100, "yellow": 330, "blue": 100, "red": 330, "green": 100}
"""So that every colour is bright enough on 3.3 V with at most some five milliamperes."""
BANDS = {100: ("#6b4226", "#22211f", "#6b4226"), 330: ("#e8792b", "#e8792b", "#6b4226")}
LEFT_GROUND, RIGHT_GROUND = 39, 6
"""The last ground on the left and the first on the right: no wire ever has to cross another."""

WIDTH, HEIGHT = 1120, 830
MIDDLE, TOP, PITCH, GAP = 560.0, 118.0, 30.0, 17.0
"""Where the header stands, its first row, the step between rows, and half of that between its columns."""
ROWS_TOP, ROWS_BOTTOM = 128.0, 664.0
INK, PAPER, SOFT = "#2b2a28", "#fbf8f1", "#7d766a"


class Part(NamedTuple):
    """Something that hangs on one pin of the header."""

    pin: int
    sort: Sort
    label: str
    colour: str = "white"
    optional: bool = False

    @property
    def place(self) -> int:
        """Its place on the header."""
        return HEADER[self.pin]

    @property
    def side(self) -> int:
        """-1 on the left of the header, where the odd places are, 1 on the right."""
        return -1 if self.place % 2 else 1


def parts(pins: Pins) -> list[Part]:
    """All that has to be wired."""
    return [
        *(Part(pin, "light", f"place {name}") for pin, name in zip(pins.places, PLACES, strict=True)),
        *(Part(pin, "light", f"player {name}", name) for pin, name in zip(pins.players, PLAYERS, strict=True)),
        *(Part(pin, "light", f"status, {c}", c) for pin, c in zip(pins.status, ("red", "green", "blue"), strict=True)),
        *(Part(getattr(pins, key), "button", f"button {key.title()}") for key in ("scan", "next", "undo")),
        *_buzzer(pins),
    ]


def _buzzer(pins: Pins) -> Iterator[Part]:
    """The buzzer, or where one could still go."""
    if pins.buzzer is not None:
        yield Part(pins.buzzer, "buzzer", "buzzer")
    elif OPTIONAL_BUZZER not in (pin for _, pin in pins.named()):
        yield Part(OPTIONAL_BUZZER, "buzzer", "buzzer", optional=True)


def pin_at(place: int) -> tuple[float, float]:
    """The middle of a place of the header."""
    return MIDDLE + (-GAP if place % 2 else GAP), TOP + (place - 1) // 2 * PITCH


def draw(pins: Pins) -> str:
    """The diagram as an SVG document."""
    every = parts(pins)
    body = [
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="18" fill="{PAPER}"/>',
        _text(40, 52, "Wiring of the panel", 27, weight=700),
        _text(
            40, 78, "The Pi lies with its USB sockets towards you: pin 1 is at the top left of the header.", 15, SOFT
        ),
    ]
    body += _header({part.place for part in every})
    for side, ground in ((-1, LEFT_GROUND), (1, RIGHT_GROUND)):
        here = sorted((part for part in every if part.side == side), key=lambda part: part.place)
        step = (ROWS_BOTTOM - ROWS_TOP) / max(len(here), 1)
        rows = [(part, ROWS_TOP + step * (number + 0.5)) for number, part in enumerate(here)]
        if rows:
            body += _ground(side, ground, rows[0][1], rows[-1][1])
        for part, y in rows:
            body += _row(part, y)
        body += _one_light([y for part, y in rows if part.label.startswith("status")], side, step)
    body += _legend()
    inner = "\n".join(body)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'font-family="Helvetica, Arial, sans-serif">\n<title>Wiring of the panel</title>\n{inner}\n</svg>\n'
    )


def _header(used: set[int]) -> Iterator[str]:
    """The forty places, the wired ones in gold."""
    top, bottom = TOP - 24, TOP + 19 * PITCH + 24
    yield _box(MIDDLE - 48, top, 96, bottom - top, 10, "#2f6b4f")
    yield _box(MIDDLE - 34, top + 8, 68, bottom - top - 16, 4, "#1d1d1f")
    for place in range(1, 41):
        x, y = pin_at(place)
        wired = place in used or place in (LEFT_GROUND, RIGHT_GROUND)
        yield _box(x - 11, y - 11, 22, 22, 5, "#d8b24a" if wired else "#8c8c8c")
        yield _text(x, y + 4.5, str(place), 12, "#1d1d1f", "middle", 700 if wired else 400)
    yield _text(MIDDLE, bottom + 20, "USB and network sockets", 13, SOFT, "middle")


def _row(part: Part, y: float) -> Iterator[str]:
    """One part with its wire, from the header outwards to the ground rail."""
    side = part.side
    wire = {"light": WIRE[part.colour], "button": "#8a5cc7", "buzzer": "#c7843b"}[part.sort]
    x, pin_y = pin_at(part.place)
    x += side * 11
    near, middle, rail = MIDDLE + side * 190, MIDDLE + side * 300, MIDDLE + side * 360
    dashes = ' stroke-dasharray="9 5"' if part.optional else ""
    path = f"M{x:g} {pin_y:g}C{x + side * 90:g} {pin_y:g} {near - side * 70:g} {y:g} {near:g} {y:g}H{middle:g}"
    yield _line(f"M{middle:g} {y:g}H{rail:g}", INK, 4)
    yield _line(path, INK, 6.6, dashes)
    yield _line(path, wire, 4.2, dashes)
    yield f'<circle cx="{rail:g}" cy="{y:g}" r="5.5" fill="{INK}"/>'
    if part.sort == "light":
        yield from _resistor(near + side * 42, y, OHMS[part.colour])
        yield from _lens(middle, y, LENS[part.colour])
    elif part.sort == "button":
        yield _box(middle - 19, y - 19, 38, 38, 6, "#c9c7c2", INK)
        yield f'<circle cx="{middle:g}" cy="{y:g}" r="11.5" fill="#8a5cc7" stroke="{INK}" stroke-width="2"/>'
    else:
        yield f'<circle cx="{middle:g}" cy="{y:g}" r="18" fill="#38373a" stroke="{INK}" stroke-width="2"/>'
        yield f'<circle cx="{middle:g}" cy="{y:g}" r="4" fill="#9b9aa0"/>'
    anchor = "end" if side < 0 else "start"
    extra = " (if you like)" if part.optional else ""
    yield _text(rail + side * 18, y - 2, part.label + extra, 17, INK, anchor, 700)
    yield _text(rail + side * 18, y + 16, f"GPIO {part.pin}, pin {part.place}", 13.5, SOFT, anchor)


def _one_light(rows: list[float], side: int, step: float) -> Iterator[str]:
    """A frame around the three legs of the status light, where they lie together."""
    if len(rows) == 3 and rows[2] - rows[0] < 2.5 * step:
        x = MIDDLE + side * 300
        yield (
            f'<rect x="{x - 28:g}" y="{rows[0] - 30:g}" width="56" height="{rows[2] - rows[0] + 60:g}" rx="28" '
            f'fill="none" stroke="{SOFT}" stroke-width="2" stroke-dasharray="2 6" stroke-linecap="round"/>'
        )
        yield _text(x, rows[2] + 46, "one RGB light", 13, SOFT, "middle")


def _ground(side: int, place: int, first: float, last: float) -> Iterator[str]:
    """The rail to which everything on one side returns, and its wire to the header."""
    x, y = pin_at(place)
    x += side * 11
    rail = MIDDLE + side * 360
    turn = last + 40 if side < 0 else first - 40
    start, end = (first, turn) if side < 0 else (turn, last)
    path = f"M{x:g} {y:g}C{x + side * 110:g} {y:g} {x + side * 60:g} {turn:g} {x + side * 170:g} {turn:g}H{rail:g}"
    yield _line(f"{path}M{rail:g} {start:g}V{end:g}", INK, 5)
    yield _text(rail + side * 18, turn + 5, f"ground, pin {place}", 13.5, SOFT, "end" if side < 0 else "start")


def _resistor(x: float, y: float, ohms: int) -> Iterator[str]:
    yield _line(f"M{x - 40:g} {y:g}H{x + 40:g}", SOFT, 3.4)
    yield _box(x - 25, y - 8, 50, 16, 8, "#e6cfa4", INK)
    for number, band in enumerate((*BANDS[ohms], "#c9a227")):
        yield _box(x - 17 + number * 9 + (3 if number == 3 else 0), y - 7, 4.6, 14, 0, band)
    yield _text(x, y - 13, f"{ohms} Ω", 12, SOFT, "middle")


def _lens(x: float, y: float, colour: str) -> Iterator[str]:
    glow = "#ffdf80" if colour == LENS["white"] else colour
    yield f'<circle cx="{x:g}" cy="{y:g}" r="22" fill="{glow}" opacity="0.35"/>'
    yield f'<circle cx="{x:g}" cy="{y:g}" r="13.5" fill="{colour}" stroke="{INK}" stroke-width="2"/>'
    yield f'<circle cx="{x - 4:g}" cy="{y - 5:g}" r="3.6" fill="#ffffff" opacity="0.85"/>'


def _legend() -> Iterator[str]:
    lines = (
        "Lights: the long leg to the resistor, the short leg to ground. "
        "The RGB light has a common cathode: its longest leg to ground.",
        "Buttons connect their pin to ground and need no resistor. The buzzer is an active one for 3 V, below 10 mA.",
        "Nothing here may ever touch the 5 V of pins 2 and 4.",
    )
    for number, line in enumerate(lines):
        yield _text(40, HEIGHT - 66 + 21 * number, line, 14.5, SOFT)


def _line(path: str, colour: str, width: float, more: str = "") -> str:
    return f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{width:g}"{more}/>'


def _box(x: float, y: float, wide: float, high: float, round_: float, fill: str, stroke: str = "") -> str:
    edge = f' stroke="{stroke}" stroke-width="1.6"' if stroke else ""
    return f'<rect x="{x:g}" y="{y:g}" width="{wide:g}" height="{high:g}" rx="{round_:g}" fill="{fill}"{edge}/>'


def _text(
    x: float, y: float, text: str, size: float, colour: str = INK, anchor: str = "start", weight: int = 400
) -> str:
    bold = f' font-weight="{weight}"' if weight != 400 else ""
    where = f' text-anchor="{anchor}"' if anchor != "start" else ""
    return f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" fill="{colour}"{where}{bold}>{text}</text>'


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(draw(Pins()), "utf-8")
