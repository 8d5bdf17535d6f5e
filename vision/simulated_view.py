"""Where the camera of a simulated table is, and how its lens throws the table on the sensor."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]


@dataclass(frozen=True)
class View:
    """Where the camera is: how wide a strip of table it sees, how far it is tilted, how it is turned."""

    size: tuple[int, int] = (2304, 1296)
    wide_mm: float = 330.0
    tilt: float = 0.0
    turn: float = 0.0
    focal: float = 0.85
    """Focal length in picture widths."""
    bulge: float = 0.0
    """Barrel distortion of the lens."""

    def project(self, points: Points, height_mm: float) -> Points:
        """Where points on the table, so high above it, are in the photograph."""
        return self._bulged(self.flat(points, height_mm))

    def flat(self, points: Points, height_mm: float) -> Points:
        """The same before the lens bulges them."""
        seen = cv2.perspectiveTransform(points.reshape(-1, 1, 2), self.plane(height_mm))
        return np.asarray(seen.reshape(-1, 2), np.float64)

    def plane(self, height_mm: float) -> NDArray[np.float64]:
        """From millimetres in the plane at this height to pixels, before the lens bulges them."""
        width, height = self.size
        f, distance = self.focal * width, self.focal * self.wide_mm
        c, s = math.cos(math.radians(self.tilt)), math.sin(math.radians(self.tilt))
        scene = np.array([[1, 0, 0], [0, c, -height_mm * s], [0, -s, distance - height_mm * c]])
        lens = np.array([[f, 0, width / 2], [0, f, height / 2], [0, 0, 1]])
        a = math.radians(self.turn)
        turned = np.array([[math.cos(a), -math.sin(a), 0], [math.sin(a), math.cos(a), 0], [0, 0, 1]])
        return np.asarray(lens @ scene @ turned, np.float64)

    def _bulged(self, points: Points) -> Points:
        centre = np.array(self.size) / 2
        aim = (points - centre) / centre[0]
        seen = aim.copy()
        for _ in range(6):
            seen = aim * self._shrink() / (1 + self.bulge * np.square(seen).sum(axis=1, keepdims=True))
        return np.asarray(seen * centre[0] + centre, np.float64)

    def _shrink(self) -> float:
        """How much the picture shrinks so that a bulging lens shows nothing from outside it."""
        width, height = self.size
        return 1 + max(self.bulge, 0) * (1 + (height / width) ** 2)

    def bend(self, image: NDArray[np.float32]) -> NDArray[np.float32]:
        """The picture as this lens throws it on the sensor."""
        if not self.bulge:
            return image
        width, height = self.size
        x, y = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
        dx, dy = (x - width / 2) / (width / 2), (y - height / 2) / (width / 2)
        grown = (1 + self.bulge * (dx * dx + dy * dy)) / np.float32(self._shrink())
        map_x, map_y = dx * grown * (width / 2) + width / 2, dy * grown * (width / 2) + height / 2
        bent = cv2.remap(image, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(bent, np.float32)
