"""The four kinds of object, each as two halves that meet on the axis x = 0 with one unbroken outline.

A half is drawn outwards from the axis (x grows away from the seam), standing on y = 200; it begins at x = -30 so
that a cut that is a little off still shows the object up to the edge. Each kind has its own silhouette, its own
lightness (vase black, jug red, bracelet gold, mask white) and its own pattern.
"""

from __future__ import annotations

import math
from typing import Final, Literal

from vision.drawing import Shape, circle, ellipse, path, polygon

Side = Literal["left", "right"]

INK: Final = "#201714"
CLAY: Final = "#b4491f"
IVORY: Final = "#fbf3e0"
GOLD: Final = "#e8ac36"
SEA: Final = "#1f5a66"
HEIGHT: Final = 200.0

_VASE: Final = (
    "M-30 0 L40 0 C50 0 50 14 40 17 C32 20 30 30 31 48 C33 66 58 66 88 86 C116 105 116 138 88 160 "
    "C64 178 34 178 27 188 L46 192 C52 194 52 200 48 200 L-30 200 Z"
)
_JUG: Final = {
    "right": "M-30 22 L22 22 C34 22 34 34 28 40 C26 50 26 58 28 66 C34 82 118 84 118 136 "
    "C118 172 72 184 40 187 C38 190 52 190 54 200 L-30 200 Z",
    "left": "M-30 22 L6 22 C28 22 42 10 66 2 C70 24 46 38 32 52 C28 58 27 62 28 66 C34 82 118 84 118 136 "
    "C118 172 72 184 40 187 C38 190 52 190 54 200 L-30 200 Z",
}
_JUG_HANDLE: Final = "M26 36 C34 -4 112 -6 116 52 C118 78 110 92 100 102"
_MASK: Final = "M-30 10 L0 10 C66 10 112 44 112 98 C112 158 62 200 0 200 L-30 200 Z"


def half(kind: str, side: Side) -> tuple[Shape, ...]:
    """The half of an object that lies to this side of the seam, drawn outwards from the axis."""
    return {"V": _vase, "J": lambda: _jug(side), "M": _mask, "B": _bracelet}[kind]()


def _outlined(outline: str, fill: str) -> tuple[Shape, ...]:
    """A silhouette with a dark contour and a light halo, which part it from any field."""
    return path(outline, stroke=IVORY, width=17), path(outline, fill, INK, 7)


def _vase() -> tuple[Shape, ...]:
    handle = "M36 24 C74 6 106 34 88 90"
    band = "M-30 96 L98 96 C107 108 108 120 104 128 L-30 128 Z"
    key = "".join(f"M{x} 121 L{x} 104 L{x + 20} 104 L{x + 20} 115 L{x + 10} 115" for x in (6, 38, 70))
    mirrored_base = "M-30 122 L94 122"
    rays = tuple(polygon(((x - 7, 182), (x, 142), (x + 7, 182)), CLAY) for x in (0, 20, 40))
    tongues = "M12 72 L12 84 M28 70 L28 84 M44 72 L44 84 M60 76 L60 86"
    return (
        path(handle, stroke=IVORY, width=24),
        path(handle, stroke=INK, width=14),
        *_outlined(_VASE, INK),
        path(band, CLAY),
        path(key, stroke=INK, width=5),
        path(mirrored_base, stroke=INK, width=3),
        *rays,
        path(tongues, stroke=CLAY, width=6),
        path("M-30 30 L28 30 M-30 40 L28 40", stroke=CLAY, width=4),
    )


def _jug(side: Side) -> tuple[Shape, ...]:
    outline = _JUG[side]
    handle: tuple[Shape, ...] = ()
    if side == "right":
        handle = (
            path(_JUG_HANDLE, stroke=IVORY, width=32),
            path(_JUG_HANDLE, stroke=INK, width=23),
            path(_JUG_HANDLE, stroke=CLAY, width=10),
        )
    dots = tuple(circle(x, 135, 8, IVORY) for x in (0, 25, 50, 75, 98))
    return (
        *handle,
        *_outlined(outline, CLAY),
        path("M-30 114 L108 114 C118 128 118 146 108 157 L-30 157 Z", INK),
        *dots,
        path("M-30 99 L94 99 M-30 171 L80 171", stroke=IVORY, width=6),
        path("M-30 72 L34 72 M-30 58 L22 58", stroke=INK, width=5),
    )


def _mask() -> tuple[Shape, ...]:
    curls = [
        (round(104 * math.sin(turn)), round(98 - 86 * math.cos(turn)))
        for turn in map(math.radians, (104, 83, 62, 41, 20.5, 0))
    ]
    return (
        path(_MASK, stroke=IVORY, width=17),
        *(circle(x, y, 22, IVORY) for x, y in curls),
        path(_MASK, IVORY, INK, 7),
        *(circle(x, y, 17, INK, IVORY, 3) for x, y in curls),
        path("M20 74 C34 54 66 54 84 72", stroke=INK, width=9),
        path("M20 98 C32 78 64 78 78 98 C62 112 34 112 20 98 Z", INK),
        circle(49, 95, 6, IVORY),
        path("M-30 126 L4 126 C16 126 18 120 13 112 L6 80", stroke=INK, width=5),
        circle(72, 122, 11, CLAY),
        path("M-30 143 L0 143 C34 145 52 138 66 134 C68 164 40 184 0 184 L-30 184 Z", INK),
        path("M-30 168 L0 168 C18 168 30 170 36 174 C26 182 14 184 0 184 L-30 184 Z", CLAY),
    )


def _bracelet() -> tuple[Shape, ...]:
    centre, outer, inner = 102.0, 98.0, 60.0
    ring = (
        "M-30 4 L0 4 C54 4 98 48 98 102 C98 156 54 200 0 200 L-30 200 "
        "L-30 162 L0 162 C33 162 60 135 60 102 C60 69 33 42 0 42 L-30 42 Z"
    )
    twists = "".join(
        f"M{_on_ring(inner + 3, degrees)} L{_on_ring(outer - 3, degrees + 13)}"
        for degrees in (8, 24, 40, 56, 114, 130, 146, 162)
    )
    return (
        ellipse(96, centre, 32, 38, IVORY),
        path("M-30 42 L0 42 C33 42 60 69 60 102 C60 135 33 162 0 162 L-30 162 Z", SEA),
        *_outlined(ring, GOLD),
        path(twists, stroke=INK, width=7),
        ellipse(92, centre, 27, 33, GOLD, INK, 7),
        ellipse(92, centre, 13, 19, CLAY, INK, 4),
    )


def _on_ring(radius: float, degrees: float) -> str:
    turn = math.radians(degrees)
    return f"{radius * math.sin(turn):.1f} {102 - radius * math.cos(turn):.1f}"
