"""How Pergamon's pieces look: finds as vector drawings of our own, for page, printer and eyes.

On a find each half stands on its half of a plinth; two finds put together make a whole object on a whole plinth
whose inscription is its year: the left find's century, then the right find's number. Units are tenths of a
millimetre.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

from companion.games.pergamon.notation import KINDS, parse_find
from vision.drawing import Picture, Shape, moved, path, polygon, rectangle, svg_document, svg_paths, to_svg
from vision.pergamon import art_digits
from vision.pergamon.art_funds import back_svg, funds_svg
from vision.pergamon.art_objects import CLAY, INK, IVORY, Side, half
from vision.pergamon.art_symbols import SYMBOLS, symbol_svg
from vision.pergamon.printable import FIND_MM, FRIEZE_CELLS, frieze

__all__ = [
    "SYMBOLS",
    "back_svg",
    "find_back_picture",
    "find_picture",
    "find_svg",
    "find_use_svg",
    "funds_svg",
    "row_svg",
    "sprite_svg",
    "symbol_svg",
]

SIDE: Final = FIND_MM * 10
BLEED: Final = 20.0
EDGE: Final = 15.0
LINE: Final = 6.0
STONE: Final = "#f6ead0"
FIELDS: Final = ("#f1e2bd", "#e9cf99", "#dfba7c", "#d3a469", "#c58f5a")
_LAYERS: Final = ("#dcc697", "#d3b477", "#c79e5d", "#b9874c", "#a97340")

FRIEZE_BOX: Final = (29.0, 27.0, 342.0, 34.0)
PLINTH_TOP: Final = 274.0
NUMBER_BOX: Final = (0.0, PLINTH_TOP, 152.0, SIDE - EDGE - PLINTH_TOP)
CENTURY_BOX: Final = (SIDE - 96.0, PLINTH_TOP, 96.0, SIDE - EDGE - PLINTH_TOP)
_DIGIT_TOP: Final = PLINTH_TOP + 23
_DIGIT_LEFTS: Final = (32.0, 92.0, SIDE - 72)
_OBJECT_TOP: Final = PLINTH_TOP - 200
_SIDES: Final[tuple[Side, Side]] = ("left", "right")


@cache
def find_picture(code: str) -> Picture:
    """The face of one find."""
    find = parse_find(code)
    tens, units = divmod(find.number, 10)
    shapes = (
        *_ground(find.century),
        *_frieze(code),
        *_pips(find.century),
        *moved(half(find.left, "right"), 0, _OBJECT_TOP),
        *moved(half(find.right, "left"), SIDE, _OBJECT_TOP, mirror=True),
        *_plinths(),
        *(
            art_digits.digit(str(number), INK).moved(x, _DIGIT_TOP)
            for number, x in zip((tens, units, find.century), _DIGIT_LEFTS, strict=True)
        ),
    )
    return Picture(SIDE, SIDE, shapes)


def find_svg(code: str) -> str:
    """A find's face as SVG; any legal find can be drawn, also one that only a published box has."""
    return to_svg(find_picture(code), code)


def row_svg(codes: Sequence[str]) -> str:
    """Finds side by side as in a collection, as one SVG."""
    side = f"{SIDE:g}"
    frames = "".join(
        f'<svg x="{place * SIDE:g}" width="{side}" height="{side}" viewBox="0 0 {side} {side}">'
        f"{svg_paths(find_picture(code).shapes)}</svg>"
        for place, code in enumerate(codes)
    )
    return svg_document(SIDE * len(codes), SIDE, frames, " ".join(codes))


@cache
def find_back_picture() -> Picture:
    """The back of every find: five layers of earth and a trowel, the same on all."""
    depth = (SIDE - 2 * (EDGE + LINE)) / 5
    layers = [path(_wavy(EDGE + LINE + depth * layer), FIELDS[layer], INK, 4) for layer in range(1, 5)]
    return Picture(SIDE, SIDE, (*_ground(1), *layers, *_frame(), *_trowel()))


def _wavy(y: float) -> str:
    """Everything below a wavy surface at this height, within the light line."""
    left, right, bottom = EDGE + LINE, SIDE - EDGE - LINE, SIDE - EDGE - LINE
    step = (right - left) / 4
    line = "".join(
        f"C{left + step * (wave + 0.3):.0f} {y - 14:.0f} {left + step * (wave + 0.7):.0f} {y + 14:.0f} "
        f"{left + step * (wave + 1):.0f} {y:.0f} "
        for wave in range(4)
    )
    return f"M{left:.0f} {y:.0f} {line}L{right:.0f} {bottom:.0f} L{left:.0f} {bottom:.0f} Z"


def _frame() -> tuple[Shape, ...]:
    middle = EDGE + LINE / 2
    return (rectangle(middle, middle, SIDE - 2 * middle, SIDE - 2 * middle, None, IVORY, LINE),)


def _trowel() -> tuple[Shape, ...]:
    blade = "M200 340 C176 310 150 262 150 214 C168 202 232 202 250 214 C250 262 224 310 200 340 Z"
    return (
        path(f"{blade} M200 206 L200 166", stroke=IVORY, width=30),
        path("M200 70 L200 150", stroke=IVORY, width=54),
        path("M200 206 L200 166", stroke=INK, width=16),
        path(blade, STONE, INK, 8),
        path("M200 224 L200 316", stroke=INK, width=4),
        path("M200 74 L200 146", stroke=INK, width=44),
        path("M200 74 L200 146", stroke=CLAY, width=28),
        path("M188 92 L212 92 M188 128 L212 128", stroke=IVORY, width=5),
    )


def sprite_svg() -> str:
    """The halves, grounds and digits that all finds share, hidden, for a page that shows many by `find_use_svg`."""
    parts = {
        **{f"half-{kind}-{side}": half(kind, side) for kind in KINDS for side in _SIDES},
        **{f"ground-{century}": (*_ground(century), *_pips(century)) for century in range(1, 6)},
        **{f"digit-{number}": (art_digits.digit(str(number), INK),) for number in range(10)},
        "plinths": _plinths(),
    }
    body = "".join(f'<g id="{name}">{svg_paths(shapes)}</g>' for name, shapes in parts.items())
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="0" height="0" aria-hidden="true"><defs>{body}</defs></svg>'


def find_use_svg(code: str) -> str:
    """A find's face as a light SVG that borrows its parts from the sprite on the same page."""
    find = parse_find(code)
    tens, units = divmod(find.number, 10)
    body = (
        _use(f"ground-{find.century}")
        + svg_paths(_frieze(code))
        + _use(f"half-{find.left}-right", f"translate(0 {_OBJECT_TOP:g})")
        + _use(f"half-{find.right}-left", f"matrix(-1 0 0 1 {SIDE:g} {_OBJECT_TOP:g})")
        + _use("plinths")
        + "".join(
            _use(f"digit-{number}", f"translate({x:g} {_DIGIT_TOP:g})")
            for number, x in zip((tens, units, find.century), _DIGIT_LEFTS, strict=True)
        )
    )
    return svg_document(SIDE, SIDE, body, code)


def measures() -> dict[str, object]:
    """Where a find's parts lie, for a page that puts them together by itself as `find_use_svg` does."""
    return {
        "top": _OBJECT_TOP,
        "digits": _DIGIT_TOP,
        "lefts": _DIGIT_LEFTS,
        "frieze": FRIEZE_BOX,
        "ink": INK,
        "ivory": IVORY,
    }


def _use(name: str, transform: str = "") -> str:
    return f'<use href="#{name}" transform="{transform}"/>' if transform else f'<use href="#{name}"/>'


def _ground(century: int) -> tuple[Shape, ...]:
    """Dark edge, light line, and a field that darkens with age: some of it stands out on every table."""
    inset = EDGE + LINE
    return (
        rectangle(-BLEED, -BLEED, SIDE + 2 * BLEED, SIDE + 2 * BLEED, INK),
        rectangle(EDGE, EDGE, SIDE - 2 * EDGE, SIDE - 2 * EDGE, IVORY),
        rectangle(inset, inset, SIDE - 2 * inset, SIDE - 2 * inset, FIELDS[century - 1]),
        path(_strata(century), stroke=_LAYERS[century - 1], width=6),
    )


def _strata(count: int) -> str:
    """As many layers of earth as centuries, behind the objects."""
    middle, step = (FRIEZE_BOX[1] + FRIEZE_BOX[3] + PLINTH_TOP) / 2, 36.0
    left, right = EDGE + LINE + 3, SIDE - EDGE - LINE - 3
    tops = (middle + (layer - (count - 1) / 2) * step for layer in range(count))
    return "".join(f"M{left} {y:.0f}C130 {y - 26:.0f} 270 {y + 26:.0f} {right} {y:.0f}" for y in tops)


def _plinths() -> tuple[Shape, ...]:
    return (*_plinth(-30, NUMBER_BOX[2]), *_plinth(CENTURY_BOX[0], SIDE + 30))


def _plinth(left: float, right: float) -> tuple[Shape, ...]:
    """Half a plinth, open at the seam: a light stone with a moulding, on which the digits stand free."""
    bottom = SIDE - EDGE
    return (
        rectangle(left, PLINTH_TOP, right - left, bottom - PLINTH_TOP, STONE, INK, 5),
        path(f"M{left} {PLINTH_TOP + 8} L{right} {PLINTH_TOP + 8}", stroke=INK, width=2.5),
    )


def _frieze(code: str) -> tuple[Shape, ...]:
    """A row of teeth, up or down, that spells which find this is."""
    x, y, wide, high = FRIEZE_BOX
    step = wide / FRIEZE_CELLS
    up: list[str] = []
    for cell, points_up in enumerate(frieze(code)):
        left, right = x + cell * step + 2, x + (cell + 1) * step - 2
        base, tip = (y + high - 5, y + 5) if points_up else (y + 5, y + high - 5)
        up.append(f"M{left:.1f} {base} L{(left + right) / 2:.1f} {tip} L{right:.1f} {base} Z")
    return rectangle(x, y, wide, high, INK), path("".join(up), IVORY)


_PIP_PLACES: Final = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
}


def _pips(count: int) -> tuple[Shape, ...]:
    """The century once more, as on a die, between the two plinths."""
    x, y = (NUMBER_BOX[2] + CENTURY_BOX[0]) / 2, PLINTH_TOP + 55
    return tuple(_lozenge(x + 34 * dx, y + 30 * dy, 15, CLAY, INK) for dx, dy in _PIP_PLACES[count])


def _lozenge(x: float, y: float, reach: float, fill: str, stroke: str) -> Shape:
    return polygon(((x, y - reach), (x + reach, y), (x, y + reach), (x - reach, y)), fill, stroke, 4)
