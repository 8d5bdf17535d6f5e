"""Vector drawings as plain data, written as SVG for a page, as PDF for a printer, as pixels for the eyes.

One list of shapes serves all three, so that what is printed is what the reader knows and what a phone shows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Point = tuple[float, float]
Step = tuple[str, tuple[Point, ...]]

_TOKEN: Final = re.compile(r"[MLCZ]|-?\d+(?:\.\d+)?")
_POINTS: Final = {"M": 1, "L": 1, "C": 3, "Z": 0}
_CURVE_STEPS: Final = 14
_ROUND: Final = 0.5523  # how far a Bézier's handles reach for a quarter of a circle


@dataclass(frozen=True, slots=True)
class Shape:
    """One path, filled (even-odd) or stroked with round ends, in one colour each."""

    steps: tuple[Step, ...]
    fill: str | None = None
    stroke: str | None = None
    width: float = 0.0

    def moved(self, dx: float, dy: float, scale: float = 1.0, mirror: bool = False) -> Shape:
        """The same shape scaled, then mirrored left to right if asked, then moved."""
        sx = -scale if mirror else scale
        steps = tuple((op, tuple((x * sx + dx, y * scale + dy) for x, y in points)) for op, points in self.steps)
        return replace(self, steps=steps, width=self.width * scale)


@dataclass(frozen=True, slots=True)
class Picture:
    """Shapes in a frame of width x height units; what lies outside the frame is bleed."""

    width: float
    height: float
    shapes: tuple[Shape, ...]


def path(text: str, fill: str | None = None, stroke: str | None = None, width: float = 0.0) -> Shape:
    """A shape from the absolute commands M, L, C and Z of an SVG path."""
    tokens = _TOKEN.findall(text)
    steps: list[Step] = []
    at, op = 0, ""
    while at < len(tokens):
        if tokens[at] in _POINTS:
            op = tokens[at]
            at += 1
        count = _POINTS[op]
        numbers = [float(token) for token in tokens[at : at + 2 * count]]
        steps.append((op, tuple(zip(numbers[::2], numbers[1::2], strict=True))))
        at += 2 * count
        op = "L" if op == "M" else op
    return Shape(tuple(steps), fill, stroke, width)


def rectangle(
    x: float,
    y: float,
    wide: float,
    high: float,
    fill: str | None = None,
    stroke: str | None = None,
    width: float = 0.0,
) -> Shape:
    """An upright rectangle."""
    return polygon(((x, y), (x + wide, y), (x + wide, y + high), (x, y + high)), fill, stroke, width)


def polygon(corners: Iterable[Point], fill: str | None = None, stroke: str | None = None, width: float = 0) -> Shape:
    """A closed shape with straight sides."""
    first, *rest = corners
    steps: list[Step] = [("M", (first,)), *(("L", (corner,)) for corner in rest), ("Z", ())]
    return Shape(tuple(steps), fill, stroke, width)


def ellipse(
    cx: float,
    cy: float,
    rx: float,
    ry: float,
    fill: str | None = None,
    stroke: str | None = None,
    width: float = 0.0,
) -> Shape:
    """An ellipse of four curves."""
    kx, ky = round(rx * _ROUND), round(ry * _ROUND)
    steps: tuple[Step, ...] = (
        ("M", ((cx + rx, cy),)),
        ("C", ((cx + rx, cy + ky), (cx + kx, cy + ry), (cx, cy + ry))),
        ("C", ((cx - kx, cy + ry), (cx - rx, cy + ky), (cx - rx, cy))),
        ("C", ((cx - rx, cy - ky), (cx - kx, cy - ry), (cx, cy - ry))),
        ("C", ((cx + kx, cy - ry), (cx + rx, cy - ky), (cx + rx, cy))),
        ("Z", ()),
    )
    return Shape(steps, fill, stroke, width)


def circle(
    cx: float, cy: float, radius: float, fill: str | None = None, stroke: str | None = None, width: float = 0
) -> Shape:
    """A round shape."""
    return ellipse(cx, cy, radius, radius, fill, stroke, width)


def moved(shapes: Iterable[Shape], dx: float, dy: float, scale: float = 1.0, mirror: bool = False) -> tuple[Shape, ...]:
    """Several shapes moved as one."""
    return tuple(shape.moved(dx, dy, scale, mirror) for shape in shapes)


def to_svg(picture: Picture, title: str = "") -> str:
    """The picture as one SVG document without scripts, fonts or outside references."""
    return svg_document(picture.width, picture.height, svg_paths(picture.shapes), title)


def svg_document(width: float, height: float, body: str, title: str = "") -> str:
    """An SVG document around elements already written."""
    name = f"<title>{title}</title>" if title else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_short(width)} {_short(height)}" '
        f'fill="none" fill-rule="evenodd" stroke-linecap="round" stroke-linejoin="round">{name}{body}</svg>'
    )


def svg_paths(shapes: Iterable[Shape]) -> str:
    """Shapes as SVG path elements."""
    return "".join(_svg_path(shape) for shape in shapes)


def to_pdf_operators(picture: Picture) -> str:
    """The picture as PDF drawing operators in its own units, y downwards as drawn."""
    lines: list[str] = ["1 J 1 j"]
    for shape in picture.shapes:
        if shape.fill:
            lines.append(f"{_pdf_colour(shape.fill)} rg")
        if shape.stroke:
            lines.append(f"{_pdf_colour(shape.stroke)} RG {_short(shape.width)} w")
        for op, points in shape.steps:
            numbers = " ".join(f"{_short(x)} {_short(y)}" for x, y in points)
            lines.append(f"{numbers} {_PDF_OPS[op]}" if points else _PDF_OPS[op])
        lines.append("B*" if shape.fill and shape.stroke else "f*" if shape.fill else "S")
    return "\n".join(lines)


def to_pixels(picture: Picture, width: int) -> NDArray[np.uint8]:
    """The picture as BGR pixels, `width` wide, edges smoothed; opaque where shapes cover it, else white."""
    import cv2  # loaded when first needed: the page starts without them
    import numpy as np

    finer = 4 if width <= 400 else 2
    scale = width * finer / picture.width
    size = (round(width * picture.height / picture.width), width)
    canvas = np.full((size[0] * finer, size[1] * finer, 3), 255, np.uint8)
    for shape in picture.shapes:
        outlines = [
            np.round((np.array(points) * scale - 0.5) * 16).astype(np.int32) for points in _flattened(shape.steps)
        ]
        if shape.fill:
            cv2.fillPoly(canvas, outlines, _bgr(shape.fill), cv2.LINE_8, 4)
        if shape.stroke:
            thick = max(1, round(shape.width * scale))
            cv2.polylines(canvas, outlines, False, _bgr(shape.stroke), thick, cv2.LINE_8, 4)
    pixels = cv2.resize(canvas, (size[1], size[0]), interpolation=cv2.INTER_AREA)
    return np.asarray(pixels, np.uint8)


_PDF_OPS: Final = {"M": "m", "L": "l", "C": "c", "Z": "h"}


def _svg_path(shape: Shape) -> str:
    data = "".join(op + " ".join(f"{_short(x)} {_short(y)}" for x, y in points) for op, points in shape.steps)
    fill = f' fill="{shape.fill}"' if shape.fill else ""
    stroke = f' stroke="{shape.stroke}" stroke-width="{_short(shape.width)}"' if shape.stroke else ""
    return f'<path d="{data}"{fill}{stroke}/>'


def _short(value: float) -> str:
    """A coordinate to a tenth of a unit, which is a hundredth of a millimetre."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def _rgb(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _bgr(colour: str) -> tuple[int, int, int]:
    red, green, blue = _rgb(colour)
    return blue, green, red


def _pdf_colour(colour: str) -> str:
    return " ".join(f"{channel / 255:.3f}" for channel in _rgb(colour))


def _flattened(steps: tuple[Step, ...]) -> list[list[Point]]:
    outlines: list[list[Point]] = []
    for op, points in steps:
        if op == "M":
            outlines.append([points[0]])
        elif op == "L":
            outlines[-1].append(points[0])
        elif op == "C":
            outlines[-1].extend(_curve(outlines[-1][-1], *points))
        else:
            outlines[-1].append(outlines[-1][0])
    return outlines


def _curve(a: Point, b: Point, c: Point, d: Point) -> list[Point]:
    points: list[Point] = []
    for step in range(1, _CURVE_STEPS + 1):
        t = step / _CURVE_STEPS
        s = 1 - t
        wa, wb, wc, wd = s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t
        x, y = (wa * a[i] + wb * b[i] + wc * c[i] + wd * d[i] for i in (0, 1))
        points.append((x, y))
    return points
