"""Pieces of one box in a photograph: they have one size on one flat table, so the plain ones tell where others lie."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.one_box.boldness import Boldness
from vision.one_box.box_size import likely_sizes, of_size
from vision.one_box.fitting_together import fitting_together
from vision.one_box.slant import seen_from, slants
from vision.one_box.tabletop import Tabletop, sure_slopes
from vision.one_box.trueing import Edges
from vision.outline import Corners
from vision.sketch import Sketch

MOST_OUTLINES: Final = 1000
MOST_OUTLINED: Final = 200
"""More of one size is a pattern of the cloth."""
MOST_SIZES: Final = (4, 3)
"""Sizes that are tried, where the table's slant is sure and where there are two."""
NEARBY_SIZES: Final = (0.97, 1.05)
"""Outlines are often drawn along a frame inside of the rim: around the best size, others are tried."""
HALF_SHOWN: Final = 0.5
"""How much of an edge an outline's weakest side must be to tell how large pieces are and how the table lies."""
AS_PLAIN: Final = 0.85
"""A piece shows at least so plainly, against the plainest."""
AS_BOLD: Final = 0.4
"""A piece stands out at least so much, against the usual one."""
BARE: Final = 0.1
"""What an outline counts that does not stand out from the table at all."""
MANY: Final = 1.0
"""What it counts that pieces are many: six that touch are not one."""


class _Try(NamedTuple):
    """A size that was tried on a table: what it explains, and the pieces, each with how plainly it shows."""

    worth: float
    table: Tabletop
    outlined: NDArray[np.float32]
    corners: NDArray[np.float32]
    plain: NDArray[np.float64]


def of_one_box(sketch: Sketch, outlines: Sequence[Corners]) -> list[tuple[Corners, float]]:
    """The pieces in a working copy, of one size, that stand out best from the table; and how plainly each shows."""
    if not outlines:
        return []
    boldness, edges = Boldness(sketch), Edges(*sure_slopes(sketch.lab))
    corners = np.stack(outlines[:MOST_OUTLINES])
    shown = edges.shown(corners)
    corners, shown = corners[shown > HALF_SHOWN], shown[shown > HALF_SHOWN]
    if not len(corners):
        return []
    weights = shown * np.sqrt(np.linalg.norm(corners[:, 2] - corners[:, 0], axis=1))
    bold = np.maximum(boldness.of_outlines(corners), 0) + BARE
    tried: list[_Try] = []
    views = slants(corners, weights, (sketch.small.shape[1], sketch.small.shape[0]))
    for view in views:
        lying = seen_from(view, corners)
        for size in likely_sizes(lying, bold, MOST_SIZES[len(views) - 1]):
            outlined = seen_from(np.linalg.inv(view), of_size(lying, size)[:MOST_OUTLINED]).astype(np.float32)
            tried.append(_tried(Tabletop(sketch.lab, view, size), outlined, 1.0, boldness, edges))
    if not tried:
        return []
    best = max(tried, key=_worth)
    nearby = [_tried(best.table, best.outlined, factor, boldness, edges) for factor in NEARBY_SIZES]
    best = max([best, *nearby], key=_worth)
    return list(zip(best.corners, best.plain.tolist(), strict=True))


def _worth(one: _Try) -> float:
    return one.worth


def _tried(table: Tabletop, outlined: NDArray[np.float32], factor: float, boldness: Boldness, edges: Edges) -> _Try:
    """The pieces that lie where an outline says or where four sides of this size show, drawn to the edges there."""
    by_sides = seen_from(np.linalg.inv(table.view), table.places(factor)).astype(np.float32)
    corners, plain = edges.trued(np.concatenate([outlined, by_sides]))
    chosen = fitting_together(seen_from(table.view, corners), plain)
    chosen = [at for at in chosen if plain[at] > AS_PLAIN * plain[chosen].max()]
    corners, plain = corners[chosen], plain[chosen]
    if not chosen:
        return _Try(0.0, table, outlined, corners, plain)
    each = boldness.inside(table, corners)
    as_bold = each >= AS_BOLD * np.median(each)
    corners, plain = corners[as_bold], plain[as_bold]
    side = float(np.sqrt(len(corners))) * table.side
    many = 1 + MANY * (1 - 1 / len(corners))
    worth = side * float(plain.mean()) * (BARE + max(0.0, boldness.against_table(table, corners))) * many
    return _Try(worth, table, outlined, corners, plain)
