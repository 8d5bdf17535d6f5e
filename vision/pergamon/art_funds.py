"""How the funds cards look: 1-4 on clay with a bag behind, 5-8 on sea blue with a chest behind."""

from __future__ import annotations

import math
from functools import cache
from typing import Final

from companion.games.pergamon.funds import back_of
from vision.drawing import Picture, Shape, circle, moved, path, polygon, rectangle, to_svg
from vision.pergamon import art_digits
from vision.pergamon.art_objects import CLAY, GOLD, INK, IVORY, SEA
from vision.pergamon.printable import CARD_MM

WIDE: Final = CARD_MM[0] * 10
HIGH: Final = CARD_MM[1] * 10
BLEED: Final = 20.0
_EDGE: Final = 15.0
_LINE: Final = 6.0
_GROUND: Final = {"bag": CLAY, "chest": SEA}
_WOOD: Final = "#8a4a1f"
_CANVAS: Final = "#dfba7c"
_LEAF: Final = "#c08a2b"


@cache
def funds_picture(value: int) -> Picture:
    """The front of a funds card: its value in a medallion, and as many coins below."""
    numeral = art_digits.digit(str(value), INK)
    scale = 2.1
    left = WIDE / 2 - art_digits.WIDTH / 2 * scale
    shapes = (
        *_card(_GROUND[back_of(value)]),
        *_waves(46),
        circle(WIDE / 2, 258, 146, IVORY, INK, 8),
        *_wreath(WIDE / 2, 258, 122),
        numeral.moved(left, 258 - art_digits.HEIGHT / 2 * scale, scale),
        *_coins(value),
    )
    return Picture(WIDE, HIGH, shapes)


@cache
def back_picture(back: str) -> Picture:
    """The back of a funds card: a bag or a chest under an awning of waves."""
    drawing = moved(bag(), WIDE / 2, 196, 1.5) if back == "bag" else moved(chest(), WIDE / 2, 206, 1.4)
    shapes = (
        *_card(_GROUND[back]),
        *_waves(46),
        *_waves(592),
        *drawing,
    )
    return Picture(WIDE, HIGH, shapes)


def funds_svg(value: int) -> str:
    """The front of a funds card as SVG."""
    return to_svg(funds_picture(value), str(value))


def back_svg(back: str) -> str:
    """The back of a funds card as SVG: "bag" or "chest"."""
    return to_svg(back_picture(back), back)


def coin(x: float, y: float, radius: float) -> tuple[Shape, ...]:
    """A gold coin with a struck rim and a star."""
    r = radius * 0.42
    s = r * 0.3
    points = ((0, -r), (s, -s), (r, 0), (s, s), (0, r), (-s, s), (-r, 0), (-s, -s))
    return (
        circle(x, y, radius, GOLD, INK, radius * 0.16),
        circle(x, y, radius * 0.68, None, INK, radius * 0.08),
        polygon(((x + dx, y + dy) for dx, dy in points), INK),
    )


def bag() -> tuple[Shape, ...]:
    """A tied money bag around x = 0, from y = 0 to 200."""
    body = "M-34 62 C-84 96 -112 132 -112 160 C-112 190 -80 200 0 200 "
    body += "C80 200 112 190 112 160 C112 132 84 96 34 62 Z"
    neck = "M-30 56 C-44 40 -62 24 -66 8 C-44 18 -26 0 0 10 C26 0 44 18 66 8 C62 24 44 40 30 56 Z"
    return (
        path(body, stroke=IVORY, width=18),
        path(neck, stroke=IVORY, width=18),
        path(body, _CANVAS, INK, 8),
        path(neck, _CANVAS, INK, 8),
        path("M-44 60 L44 60", stroke=INK, width=20),
        path("M-44 60 L44 60", stroke=CLAY, width=8),
        path("M-62 112 C-76 128 -84 142 -84 156 M62 112 C76 128 84 142 84 156", stroke=INK, width=6),
        *coin(0, 136, 42),
    )


def chest() -> tuple[Shape, ...]:
    """A bound treasure chest around x = 0, from y = 0 to 200."""
    lid = "M-116 92 C-116 34 -84 10 -56 10 L56 10 C84 10 116 34 116 92 Z"
    return (
        path(lid, stroke=IVORY, width=18),
        rectangle(-116, 92, 232, 108, None, IVORY, 18),
        path(lid, _WOOD, INK, 8),
        rectangle(-116, 92, 232, 108, _WOOD, INK, 8),
        path("M-78 18 L-78 196 M78 18 L78 196", stroke=INK, width=28),
        path("M-78 18 L-78 196 M78 18 L78 196", stroke=GOLD, width=14),
        path("M-116 92 L116 92", stroke=INK, width=22),
        path("M-112 92 L112 92", stroke=GOLD, width=9),
        rectangle(-28, 74, 56, 62, GOLD, INK, 7),
        circle(0, 98, 9, INK),
        path("M0 98 L0 118", stroke=INK, width=8),
        path("M-50 150 L50 150 M-50 172 L50 172", stroke=INK, width=5),
    )


def _card(ground: str) -> tuple[Shape, ...]:
    inset = _EDGE + _LINE
    return (
        rectangle(-BLEED, -BLEED, WIDE + 2 * BLEED, HIGH + 2 * BLEED, INK),
        rectangle(_EDGE, _EDGE, WIDE - 2 * _EDGE, HIGH - 2 * _EDGE, IVORY),
        rectangle(inset, inset, WIDE - 2 * inset, HIGH - 2 * inset, ground),
    )


def _waves(y: float) -> tuple[Shape, ...]:
    """A running wave across the card."""
    line = "".join(
        f"M{x} {y + 24} C{x + 4} {y - 8} {x + 40} {y - 8} {x + 40} {y + 12} "
        f"C{x + 40} {y + 24} {x + 24} {y + 24} {x + 24} {y + 13}"
        for x in range(40, 400, 46)
    )
    ground = f"M36 {y + 34} L{WIDE - 36} {y + 34}"
    return path(line, stroke=IVORY, width=7), path(ground, stroke=IVORY, width=6)


def _wreath(x: float, y: float, radius: float) -> tuple[Shape, ...]:
    """Two branches of laurel that meet below, leaves pointing up."""
    leaves = ""
    for side in (-1, 1):
        for step in range(8):
            turn = math.radians(14 + step * 18)
            px, py = x + side * radius * math.sin(turn), y + radius * math.cos(turn)
            tip = turn + 0.17
            for far in (radius - 15, radius + 15):
                tx, ty = x + side * far * math.sin(tip), y + far * math.cos(tip)
                ax, ay = (px + tx) / 2 + (ty - py) * 0.3, (py + ty) / 2 - (tx - px) * 0.3
                bx, by = (px + tx) / 2 - (ty - py) * 0.3, (py + ty) / 2 + (tx - px) * 0.3
                leaves += f"M{px:.0f} {py:.0f}C{ax:.0f} {ay:.0f} {ax:.0f} {ay:.0f} {tx:.0f} {ty:.0f}"
                leaves += f"C{bx:.0f} {by:.0f} {bx:.0f} {by:.0f} {px:.0f} {py:.0f}Z"
    return (path(leaves, _LEAF, _LEAF, 2),)


def _coins(value: int) -> tuple[Shape, ...]:
    """One row of up to four coins, two rows above that."""
    rows = (value,) if value <= 4 else (4, value - 4)
    shapes: list[Shape] = []
    for row, count in enumerate(rows):
        y = 512 if len(rows) == 1 else 480 + 104 * row
        for place in range(count):
            shapes.extend(coin(WIDE / 2 + (place - (count - 1) / 2) * 94, y, 41))
    return tuple(shapes)
