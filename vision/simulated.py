"""A table under a camera, drawn: any flat pieces, light, shadow, lens and sensor, all seeded.

It knows pieces only as pictures of their faces, and tells nothing to the reader but the photograph.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.simulated_light import Light, Sensor, develop, lit
from vision.simulated_tables import table_top
from vision.simulated_view import Points, View

Image = NDArray[np.uint8]

_LINEAR: Final = np.where(
    np.arange(256) <= 10, np.arange(256) / 255 / 12.92, ((np.arange(256) / 255 + 0.055) / 1.055) ** 2.4
).astype(np.float32)


@dataclass(frozen=True, eq=False)
class Thing:
    """Something flat or nearly so on the table: a piece of the game, or whatever else lies about."""

    face: Image
    """Its face, blue green red, and transparent where a fourth channel says so."""
    size_mm: tuple[float, float]
    at_mm: tuple[float, float]
    """Its middle; x to the right, y towards the viewer, from where the camera looks."""
    turn: float = 0.0
    """Degrees clockwise."""
    label: str | None = None
    kind: str = "foreign"
    thick_mm: float = 1.8
    shape: str = "square"
    """square, rounded or round."""
    miscut_mm: tuple[float, float] = (0.0, 0.0)
    """How far the print lies off the cut."""

    def outline(self) -> Points:
        """Its corners in millimetres on the table, clockwise from its own top left; a circle has many."""
        wide, high = self.size_mm[0] / 2, self.size_mm[1] / 2
        if self.shape == "round":
            turns = np.linspace(0, 2 * np.pi, 48, endpoint=False)
            flat = np.stack([wide * np.cos(turns), high * np.sin(turns)], axis=1)
        else:
            flat = np.array([(-wide, -high), (wide, -high), (wide, high), (-wide, high)])
        angle = math.radians(self.turn)
        turned = flat @ np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
        return np.asarray(turned + np.array(self.at_mm), np.float64)


@dataclass(frozen=True)
class Scene:
    """All that is in front of the camera; what comes later in `things` lies above what came before."""

    things: tuple[Thing, ...]
    table: str = "oak"
    view: View = field(default_factory=View)
    light: Light = field(default_factory=Light)
    sensor: Sensor = field(default_factory=Sensor)
    seed: int = 0


@dataclass(frozen=True, eq=False)
class Truth:
    """What one thing in a photograph really is."""

    label: str | None
    kind: str
    corners: Points
    """Four, in pixels, clockwise from its own top left."""
    covered: float
    """Which part of it is hidden under something or outside the picture."""


@dataclass(frozen=True, eq=False)
class Photograph:
    """A drawn photograph, and what is in it."""

    image: Image
    truth: tuple[Truth, ...]


def photograph(scene: Scene) -> Photograph:
    """Draws the scene as its camera would see it."""
    canvas = _table(scene)
    prints, lamps, pixels = (np.random.default_rng([scene.seed, part]) for part in range(3))
    hidden: list[NDArray[np.float32]] = []
    boxes: list[tuple[int, int, int, int]] = []
    for thing in scene.things:
        box, alpha = _lay(canvas, thing, scene, prints)
        for index, earlier in enumerate(boxes):
            _hide(hidden[index], earlier, alpha, box)
        boxes.append(box)
        hidden.append(alpha.copy())
    image = develop(scene.view.bend(lit(canvas, scene.light, lamps)), scene.sensor, pixels)
    truth = [_truth(thing, scene.view, left) for thing, left in zip(scene.things, hidden, strict=True)]
    return Photograph(image, tuple(truth))


def _truth(thing: Thing, view: View, left: NDArray[np.float32]) -> Truth:
    wide, high = thing.size_mm
    square = Thing(thing.face, (wide, high), thing.at_mm, thing.turn)
    corners = view.project(square.outline(), thing.thick_mm)
    whole = float(cv2.contourArea(view.flat(thing.outline(), thing.thick_mm).astype(np.float32)))
    covered = 1 - float(left.sum()) / whole if whole > 1 else 1.0
    return Truth(thing.label, thing.kind, corners, min(1.0, max(0.0, covered)))


def _hide(
    seen: NDArray[np.float32],
    box: tuple[int, int, int, int],
    above: NDArray[np.float32],
    above_box: tuple[int, int, int, int],
) -> None:
    """Takes away from what is seen of a thing whatever a later thing covers."""
    left, top = max(box[0], above_box[0]), max(box[1], above_box[1])
    right, bottom = min(box[2], above_box[2]), min(box[3], above_box[3])
    if left < right and top < bottom:
        over = above[top - above_box[1] : bottom - above_box[1], left - above_box[0] : right - above_box[0]]
        seen[top - box[1] : bottom - box[1], left - box[0] : right - box[0]] *= 1 - over


def _table(scene: Scene) -> NDArray[np.float32]:
    """The empty table, warped into the picture."""
    width, height = scene.view.size
    frame = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float64).reshape(-1, 1, 2)
    onto = scene.view.plane(0)
    seen = cv2.perspectiveTransform(frame, np.linalg.inv(onto)).reshape(-1, 2)
    low, high = seen.min(axis=0), seen.max(axis=0)
    span = float((high - low).max())
    texture = table_top(scene.table, scene.seed, span)
    scale = span / texture.shape[0]
    place = np.array([[scale, 0, low[0]], [0, scale, low[1]], [0, 0, 1]])
    warped = cv2.warpPerspective(
        texture, onto @ place, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101
    )
    return np.asarray(warped, np.float32)


def _lay(
    canvas: NDArray[np.float32], thing: Thing, scene: Scene, rng: np.random.Generator
) -> tuple[tuple[int, int, int, int], NDArray[np.float32]]:
    """Draws one thing with its shadow and its sides; returns its box in the picture and how far it fills it."""
    view = scene.view
    bottom, top = view.flat(thing.outline(), 0), view.flat(thing.outline(), thing.thick_mm)
    see_through = thing.face.shape[2] == 4
    _shadow(canvas, thing, scene, bottom)
    if not see_through:
        _sides(canvas, thing, np.concatenate([bottom, top]), rng)
    return _face(canvas, thing, view, rng)


def _clip(points: Points, size: tuple[int, int], margin: float) -> tuple[int, int, int, int]:
    low, high = np.floor(points.min(axis=0) - margin), np.ceil(points.max(axis=0) + margin)
    left, top = max(0, int(low[0])), max(0, int(low[1]))
    return left, top, max(left, min(size[0], int(high[0]))), max(top, min(size[1], int(high[1])))


def _filled(points: Points, box: tuple[int, int, int, int], blur: float) -> NDArray[np.float32]:
    """A convex patch with smooth edges, in its box."""
    mask = np.zeros((box[3] - box[1], box[2] - box[0]), np.uint8)
    hull = cv2.convexHull(((points - np.array(box[:2])) * 16).astype(np.int32))
    cv2.fillConvexPoly(mask, hull, 255, cv2.LINE_AA, 4)
    soft = mask.astype(np.float32) / 255
    return np.asarray(cv2.GaussianBlur(soft, (0, 0), blur) if blur > 0.3 else soft, np.float32)


def _shadow(canvas: NDArray[np.float32], thing: Thing, scene: Scene, bottom: Points) -> None:
    """The shadow that the lamp casts, softer the higher the thing, and the dark line where it touches the table."""
    light, view = scene.light, scene.view
    scale = view.size[0] / view.wide_mm
    if thing.face.shape[2] == 4:
        _shadow_of_hand(canvas, thing, scene)
        return
    thrown = np.array(light.from_mm) * -thing.thick_mm
    far = view.flat(thing.outline() + thrown, 0)
    blur = scale * (0.25 + thing.thick_mm * light.softness)
    for points, strength, soft in ((np.concatenate([bottom, far]), light.shadow, blur), (bottom, 0.35, scale * 0.5)):
        box = _clip(points, view.size, 3 * soft + 2)
        if box[0] < box[2] and box[1] < box[3]:
            canvas[box[1] : box[3], box[0] : box[2]] *= 1 - strength * _filled(points, box, soft)[..., None]


def _shadow_of_hand(canvas: NDArray[np.float32], thing: Thing, scene: Scene) -> None:
    """A thing of free shape throws its own outline."""
    thrown = (
        thing.at_mm[0] - scene.light.from_mm[0] * thing.thick_mm,
        thing.at_mm[1] - scene.light.from_mm[1] * thing.thick_mm,
    )
    low = Thing(thing.face, thing.size_mm, thrown, thing.turn, thick_mm=0)
    box, _, alpha = _warped(low, scene.view)
    if alpha.size:
        scale = scene.view.size[0] / scene.view.wide_mm
        soft = cv2.GaussianBlur(alpha, (0, 0), scale * (0.5 + thing.thick_mm * scene.light.softness))
        canvas[box[1] : box[3], box[0] : box[2]] *= 1 - scene.light.shadow * soft[..., None]


def _sides(canvas: NDArray[np.float32], thing: Thing, points: Points, rng: np.random.Generator) -> None:
    """The cut edge of the cardboard below the face; what is thicker than cardboard is of one colour throughout."""
    size = (canvas.shape[1], canvas.shape[0])
    box = _clip(points, size, 2)
    if box[0] < box[2] and box[1] < box[3]:
        alpha = _filled(points, box, 0)[..., None]
        board = np.array((0.33, 0.31, 0.27), np.float32) * np.float32(rng.uniform(0.6, 1.1))
        if thing.thick_mm > 4:
            board = _LINEAR[thing.face[2, 2, 2::-1]] * np.float32(0.5)
        patch = canvas[box[1] : box[3], box[0] : box[2]]
        patch += alpha * (board - patch)


def _face(
    canvas: NDArray[np.float32], thing: Thing, view: View, rng: np.random.Generator
) -> tuple[tuple[int, int, int, int], NDArray[np.float32]]:
    box, colour, alpha = _warped(thing, view)
    if alpha.size:
        paper = np.float32(rng.uniform(0.84, 0.93))
        mottle = 1 + rng.standard_normal(alpha.shape, np.float32) * np.float32(0.018)
        printed = (colour * paper + np.float32(0.008)) * mottle[..., None]
        patch = canvas[box[1] : box[3], box[0] : box[2]]
        patch += alpha[..., None] * (printed - patch)
    return box, alpha


def _warped(thing: Thing, view: View) -> tuple[tuple[int, int, int, int], NDArray[np.float32], NDArray[np.float32]]:
    """A thing's face in the picture: its box there, linear light red green blue, and how far it fills each pixel."""
    face = thing.face
    wide, high = thing.size_mm
    corners = Thing(face, (wide, high), thing.at_mm, thing.turn).outline()
    onto = view.flat(corners, thing.thick_mm)
    longest = max(float(np.linalg.norm(onto[a] - onto[b])) for a, b in ((0, 1), (2, 3)))
    longest = max(longest, 8.0)
    if longest < face.shape[1]:
        new = (round(longest), max(8, round(longest * face.shape[0] / face.shape[1])))
        face = np.asarray(cv2.resize(face, new, interpolation=cv2.INTER_AREA), np.uint8)
    rows, columns = face.shape[:2]
    box = _clip(onto, view.size, 2)
    shape = (box[2] - box[0], box[3] - box[1])
    if shape[0] <= 0 or shape[1] <= 0:
        return box, np.zeros((0, 0, 3), np.float32), np.zeros((0, 0), np.float32)
    pixels = np.array([(0, 0), (columns, 0), (columns, rows), (0, rows)], np.float32) - np.float32(0.5)
    matrix = cv2.getPerspectiveTransform(pixels, (onto - np.array(box[:2])).astype(np.float32))
    off = np.array([[1, 0, thing.miscut_mm[0] * columns / wide], [0, 1, thing.miscut_mm[1] * rows / high], [0, 0, 1]])
    linear = _LINEAR[face[..., 2::-1]]
    colour = cv2.warpPerspective(linear, matrix @ off, shape, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    alpha = cv2.warpPerspective(_mask(thing, face), matrix, shape, flags=cv2.INTER_LINEAR)
    return box, np.asarray(colour, np.float32), np.asarray(alpha, np.float32)


def _mask(thing: Thing, face: Image) -> NDArray[np.float32]:
    """Which part of the rectangle of a face is really there."""
    rows, columns = face.shape[:2]
    if face.shape[2] == 4:
        return np.asarray(face[..., 3].astype(np.float32) / 255, np.float32)
    mask = np.zeros((rows, columns), np.uint8)
    if thing.shape == "round":
        cv2.ellipse(mask, (((columns - 1) / 2, (rows - 1) / 2), (columns, rows), 0), 255, -1)
    elif thing.shape == "rounded":
        radius = round(columns * 0.06)
        mask[radius : rows - radius] = 255
        mask[:, radius : columns - radius] = 255
        for x in (radius, columns - 1 - radius):
            for y in (radius, rows - 1 - radius):
                cv2.circle(mask, (x, y), radius, 255, -1, cv2.LINE_AA)
    else:
        mask[:] = 255
    return np.asarray(mask.astype(np.float32) / 255, np.float32)
