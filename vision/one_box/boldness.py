"""How much pieces stand out from the table: by what is drawn on them, and by a colour that is not the table's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.one_box.slant import seen_from
from vision.one_box.tabletop import Tabletop
from vision.photo import Pixels
from vision.register import Plane
from vision.sketch import Sketch
from vision.standing_out import UNLIKE, from_table

COLOUR: Final = 0.5
"""What such a colour counts against the strongest print."""
SMOOTH: Final = 2.0
AROUND: Final = 0.15
"""Parts of a side: how far around pieces the table is looked at."""
_HALF: Final = np.array([[2, 0, 0.5], [0, 2, 0.5], [0, 0, 1.0]])


class Boldness:
    """How much each place of a working copy stands out, at half its size."""

    def __init__(self, sketch: Sketch) -> None:
        import cv2

        drawn = sketch.contrast / (float(np.percentile(sketch.contrast[::2, ::2], 99.5)) + 1e-6)
        half = cv2.resize(sketch.lab, (drawn.shape[1], drawn.shape[0]), interpolation=cv2.INTER_AREA)
        unlike = from_table(np.asarray(cv2.GaussianBlur(half, (0, 0), SMOOTH), np.float32))
        self._plane: Plane = np.asarray(np.minimum(drawn, 1) + COLOUR * np.minimum(unlike / UNLIKE, 1), np.float32)

    def of_outlines(self, corners: NDArray[np.float32]) -> NDArray[np.float64]:
        """How much more each outline stands out inside than around."""
        import cv2

        ticks = np.linspace(-0.9, 0.9, 7)
        x, y = (axis.ravel() for axis in np.meshgrid(ticks, ticks))
        parts = np.stack([(1 - x) * (1 - y), (1 + x) * (1 - y), (1 + x) * (1 + y), (1 - x) * (1 + y)], axis=1) / 4
        rim = np.maximum(np.abs(x), np.abs(y)) > 0.89
        grown = corners + (corners - corners.mean(axis=1, keepdims=True)) / 4
        means = []
        for points in (parts @ corners, parts[rim] @ grown):
            u, v = (np.ascontiguousarray(points[..., axis] / 2 - 0.25, np.float32) for axis in (0, 1))
            means.append(cv2.remap(self._plane, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).mean(axis=1))
        return np.asarray(means[0] - means[1], np.float64)

    def inside(self, table: Tabletop, corners: NDArray[np.float32]) -> NDArray[np.float64]:
        """How much each piece on a table stands out."""
        import cv2

        flat = np.maximum(self._from_above(table), 0)
        return np.array([cv2.mean(flat, _filled([one], table))[0] for one in seen_from(table.view, corners)])

    def against_table(self, table: Tabletop, corners: NDArray[np.float32]) -> float:
        """How much more pieces together stand out than what lies around them."""
        import cv2

        flat = self._from_above(table)
        pieces = _filled(list(seen_from(table.view, corners)), table)
        reach = 2 * round(AROUND * table.size.short) + 1
        around = (cv2.dilate(pieces, np.ones((reach, reach), np.uint8)) > pieces) & (flat >= 0)
        return float(cv2.mean(flat, pieces)[0] - cv2.mean(flat, around.astype(np.uint8))[0])

    def _from_above(self, table: Tabletop) -> Plane:
        """The table from above; less than nothing where the photograph does not show it."""
        import cv2

        return np.asarray(
            cv2.warpPerspective(self._plane, table.view @ _HALF, table.extent, borderValue=(-9.0,)), np.float32
        )


def _filled(outlines: Sequence[NDArray[np.float64]], table: Tabletop) -> Pixels:
    import cv2

    plane = np.zeros(table.extent[::-1], np.uint8)
    for one in outlines:
        cv2.fillConvexPoly(plane, np.round(one).astype(np.int32), (1,))
    return plane
