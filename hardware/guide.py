"""The tables of the build guide, made from the tables in the code so that the two never part.

python -m hardware.guide docs/build.md
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from hardware import pergamon
from hardware.lights import SIGNALS, Signal
from hardware.pins import Pins
from hardware.wiring import parts

NEXT = {
    "nothing": "–", "let_in": "lets the phone in", "confirm": "confirms", "propose": "asks whether the turn is to end",
    "do_it": "ends the turn",
}  # fmt: skip
RHYTHM = {"on": "steady", "slow": "blinking", "fast": "flickering"}


def pins() -> str:
    """What hangs on which pin."""
    return _table(
        ("part", "GPIO", "pin on the header"),
        ((f"{part.label}{' (if you like)' if part.optional else ''}", part.pin, part.place) for part in parts(Pins())),
    )


def status_light() -> str:
    """What the status light says, and what Next does then."""
    return _table(
        ("status light", "beeps", "it means", "Next"),
        ((_light(row), row.beeps or "–", row.meaning, NEXT[row.next]) for row in SIGNALS.values()),
    )


def board_lights() -> str:
    """What the lights of a game of Pergamon show, phase by phase."""
    return _table(
        ("phase", "lights of the galleries", "lights of the players"),
        ((phase.replace("_", " "), _told(row.galleries), _told(row.players)) for phase, row in pergamon.LIGHTS.items()),
    )


TABLES: dict[str, Callable[[], str]] = {"pins": pins, "status light": status_light, "board lights": board_lights}


def with_tables(text: str) -> str:
    """The guide with every table as the code has it now."""
    for name, table in TABLES.items():
        start, end = f"<!-- {name} -->\n", "<!-- end -->"
        before, _, after = text.partition(start)
        text = f"{before}{start}{table()}\n{end}{after.partition(end)[2]}"
    return text


def _light(row: Signal) -> str:
    return f"{row.colour}, {RHYTHM[row.rhythm]}"


def _told(shows: Callable[..., Any]) -> str:
    """What a function of the table shows: its own words, or else its name."""
    name = shows.__name__
    if name in ("nothing", "nobody"):
        return "dark"
    return (shows.__doc__ or name.replace("_", " ")).strip()


def _table(head: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    names = list(head)
    lines = [names, ["---"] * len(names), *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


if __name__ == "__main__":
    guide = Path(sys.argv[1])
    guide.write_text(with_tables(guide.read_text("utf-8")), "utf-8")
