"""Small signs for the page, cut from the same drawings as the pieces."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from companion.games.pergamon.notation import KINDS
from vision.drawing import Picture, Shape, circle, moved, path, svg_document, svg_paths, to_svg
from vision.pergamon.art_funds import bag, chest, coin
from vision.pergamon.art_objects import CLAY, INK, IVORY, half


def _half(kind: str, side: str) -> Picture:
    if side == "left":
        return Picture(140, 228, moved(half(kind, "left"), 140, 14, mirror=True))
    return Picture(140, 228, moved(half(kind, "right"), 0, 14))


def _around(shapes: tuple[Shape, ...]) -> Picture:
    return Picture(260, 228, moved(shapes, 130, 14))


def _coin() -> Picture:
    return Picture(100, 100, coin(50, 50, 44))


def _marker() -> Picture:
    """A collection's marker: a column drum seen from the side."""
    return Picture(
        100,
        100,
        (
            path("M22 20 L78 20 L72 80 L28 80 Z", "#d3a469", INK, 6),
            path("M14 12 L86 12 L86 22 L14 22 Z M14 80 L86 80 L86 90 L14 90 Z", IVORY, INK, 6),
            path("M40 28 L42 74 M50 28 L50 74 M60 28 L58 74", stroke=INK, width=4),
        ),
    )


def _raider() -> Picture:
    """The tomb raider: a hat, a scarf, and no face to remember."""
    return Picture(
        200,
        200,
        (
            path("M30 200 C30 150 60 132 100 132 C140 132 170 150 170 200 Z", INK),
            circle(100, 92, 44, "#d3a469", INK, 7),
            path("M52 104 L148 104 C148 138 128 152 100 152 C72 152 52 138 52 104 Z", CLAY, INK, 7),
            path("M8 84 C50 66 150 66 192 84 C150 96 50 96 8 84 Z", INK),
            path("M56 76 C56 30 76 18 100 26 C124 18 144 30 144 76 Z", INK),
            path("M58 66 C84 58 116 58 142 66", stroke=IVORY, width=6),
        ),
    )


_DRAWN: Final[dict[str, Callable[[], Picture]]] = {
    "bag": lambda: _around(bag()),
    "chest": lambda: _around(chest()),
    "coin": _coin,
    "marker": _marker,
    "raider": _raider,
}
_NAMED_KINDS: Final = {name: kind for kind, name in KINDS.items()}

SYMBOLS: Final[tuple[str, ...]] = (
    *_NAMED_KINDS,
    *(f"{name}-{side}" for name in _NAMED_KINDS for side in ("left", "right")),
    *_DRAWN,
)


def symbol_svg(name: str) -> str:
    """One of SYMBOLS: a whole object, a half of one ("vase-left"), or a thing on the table."""
    if name in _DRAWN:
        return to_svg(_DRAWN[name](), name)
    kind, _, side = name.partition("-")
    if side:
        return to_svg(_half(_NAMED_KINDS[kind], side), name)
    return svg_document(280, 228, _joined(_NAMED_KINDS[kind]), name)


def _joined(kind: str) -> str:
    """Both halves, each clipped at the seam by a frame of its own; the left one laps over so that no gap shows."""
    left, right = svg_paths(_half(kind, "left").shapes), svg_paths(_half(kind, "right").shapes)
    return (
        f'<svg width="141" height="228" viewBox="0 0 141 228">{left}</svg>'
        f'<svg x="140" width="140" height="228" viewBox="0 0 140 228">{right}</svg>'
    )
