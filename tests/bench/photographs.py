"""Drawn photographs in named classes, for measuring the reader.

Two families, `tuning` and `test`, have no table, no lamp and no seed in common: what is tuned on one is proved on
the other. In every class but `covered`, `foreign` and `empty` each piece of the box can be read by a person.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from vision.drawing import to_pixels
from vision.pergamon.art import find_back_picture
from vision.pergamon.box import piece
from vision.pergamon.faces import BACKS, VALUES
from vision.pergamon.printable import FIND_MM, FINDS
from vision.simulated import Photograph, Scene, Thing, Truth, photograph
from vision.simulated_layout import inside, scattered
from vision.simulated_light import Glare, Light, Sensor
from vision.simulated_things import coin, cup, die, foreign_card, foreign_tile, hand, pen
from vision.simulated_view import View

Family = Literal["tuning", "test"]
Rng = np.random.Generator

_TABLES: Final[dict[Family, tuple[str, ...]]] = {
    "tuning": ("oak", "pine planks", "white", "black", "linen", "green felt", "gingham", "dots"),
    "test": (
        "walnut", "rough wood", "beech planks", "white laminate", "cream", "slate", "red cloth", "dark velvet",
        "carpet", "stripes", "rhombs",
    ),
}  # fmt: skip
_ANYWHERE: Final = (0.0, 0.0)
_SIZES: Final = ((2304, 1296), (1536, 864), (1920, 1080))
READABLE: Final = 0.03
"""A piece of which no more than this is hidden can be read."""
HIDDEN: Final = 0.3
"""A piece of which more than this is hidden must not be called sure."""


@dataclass(frozen=True)
class _Setting:
    """What a family leaves to chance, drawn once for each photograph."""

    rng: Rng
    family: Family
    table: str
    view: View
    light: Light
    sensor: Sensor


def generate(family: Family, cls: str, index: int) -> tuple[NDArray[np.uint8], tuple[Truth, ...]]:
    """One photograph of a class, always the same for the same index, and what is in it."""
    for attempt in range(40):
        rng = np.random.default_rng([_SEEDS[family], *cls.encode(), index, attempt])
        taken = photograph(_CLASSES[cls](_setting(rng, family, index, sum(cls.encode()))))
        if _fair(cls, taken):
            return taken.image, taken.truth
    raise RuntimeError(f"no fair photograph for {family} {cls} {index}")


def _fair(cls: str, taken: Photograph) -> bool:
    """Every piece can be read whole; in `covered` each can be read or is well hidden, and at least one is hidden."""
    hidden = [truth.covered for truth in taken.truth if truth.label is not None]
    if cls == "covered":
        return any(part > HIDDEN for part in hidden) and all(
            part <= READABLE or HIDDEN + 0.05 < part < 0.9 for part in hidden
        )
    return all(part <= READABLE for part in hidden)


_SEEDS: Final[dict[Family, int]] = {"tuning": 11, "test": 4099}


def _setting(rng: Rng, family: Family, index: int, variety: int) -> _Setting:
    tables = _TABLES[family]
    tuning = family == "tuning"
    angle = rng.uniform(0, 2 * np.pi)
    light = Light(
        kelvin=rng.uniform(4200, 5600) if tuning else rng.uniform(3700, 6300),
        balance=rng.uniform(0.75, 0.95) if tuning else rng.uniform(0.6, 1.0),
        from_mm=(1.1 * math.cos(angle), 1.1 * math.sin(angle)),
        shadow=rng.uniform(0.4, 0.65),
        softness=rng.uniform(0.2, 0.5) if tuning else rng.uniform(0.05, 0.8),
        slope=rng.uniform(0.0, 0.35),
        shades=int(rng.integers(0, 2 if tuning else 3)),
        hard_shades=not tuning and rng.random() < 0.4,
    )
    view = View(
        size=_SIZES[index % 3],
        wide_mm=rng.uniform(270, 400),
        tilt=rng.uniform(0, 14),
        turn=rng.uniform(-180, 180),
        focal=rng.uniform(0.75, 1.0),
        bulge=rng.uniform(-0.02, 0.05),
    )
    sensor = Sensor(
        exposure=rng.uniform(0.8, 1.15),
        noise=rng.uniform(0.005, 0.02),
        defocus=rng.uniform(0.3, 0.8),
        vignette=rng.uniform(0.1, 0.4),
        sharpen=rng.uniform(0.0, 0.7),
        jpeg=int(rng.integers(80, 95)),
    )
    table = tables[(index + variety) % len(tables)]
    return _Setting(rng, family, table, view, light, sensor)


def _scene(setting: _Setting, things: list[Thing]) -> Scene:
    seed = int(setting.rng.integers(2**31))
    return Scene(tuple(things), setting.table, setting.view, setting.light, setting.sensor, seed)


def _finds(rng: Rng, count: int) -> list[str]:
    return [str(code) for code in rng.choice(FINDS, count, replace=False)]


def _among(setting: _Setting, things: list[Thing], others: list[Thing]) -> list[Thing]:
    return scattered(setting.view, things, setting.rng, others)


def _own(setting: _Setting, codes: list[str]) -> list[Thing]:
    return [piece(code, setting.rng) for code in codes]


def _thrown_finds(setting: _Setting, fewest: int, most: int) -> list[Thing]:
    count = int(setting.rng.integers(fewest, most + 1))
    return _among(setting, _own(setting, _finds(setting.rng, count)), [])


def _loose(setting: _Setting) -> Scene:
    return _scene(setting, _thrown_finds(setting, 1, 7))


def _chain(rng: Rng, count: int) -> list[str]:
    """Finds whose halves join, as in a collection, as far as luck allows."""
    row = _finds(rng, 1)
    while len(row) < count:
        fitting = [code for code in FINDS if code not in row and code[0] == row[-1][3]]
        row.append(str(rng.choice(fitting)))
    return row


def _in_row(setting: _Setting, codes: list[str], at: tuple[float, float], turn: float, gap: float) -> list[Thing]:
    rng, angle = setting.rng, math.radians(turn)
    along, down = np.array([math.cos(angle), math.sin(angle)]), np.array([-math.sin(angle), math.cos(angle)])
    things = []
    for number, code in enumerate(codes):
        far = (number - (len(codes) - 1) / 2) * (FIND_MM + gap)
        spot = np.array(at) + along * far + down * rng.normal(0, 0.3)
        things.append(piece(code, rng, (float(spot[0]), float(spot[1])), turn))
    return things


def _row(setting: _Setting) -> Scene:
    rng = setting.rng
    codes = _chain(rng, int(rng.integers(2, 7)))
    turn = float(-setting.view.turn + rng.uniform(-35, 35))
    wide = max(setting.view.wide_mm, (len(codes) + 1.2) * FIND_MM)
    setting = replace(setting, view=replace(setting.view, wide_mm=wide))
    things = _in_row(setting, codes, (0.0, 0.0), turn, float(rng.uniform(0, 0.5)))
    if not all(inside(setting.view, thing.outline()) for thing in things):
        things = _in_row(setting, codes, (0.0, 0.0), -setting.view.turn, 0.2)
    return _scene(setting, things)


def _tight(setting: _Setting) -> Scene:
    """A heap pushed together: rows and columns that nearly touch, each piece a little askew or all in line."""
    rng = setting.rng
    columns, rows = int(rng.integers(2, 5)), int(rng.integers(1, 4))
    askew = rng.random() < 0.5
    gap = float(rng.uniform(2.2, 3.2) if askew else rng.uniform(0.1, 1.2))
    turn = float(-setting.view.turn + rng.choice([0, 90, 180, 270]) + rng.uniform(-30, 30))
    wide = max(setting.view.wide_mm, 1.9 * rows * (FIND_MM + gap) + 60, (columns + 1.5) * FIND_MM)
    setting = replace(setting, view=replace(setting.view, wide_mm=wide))
    angle, codes = math.radians(turn), _finds(rng, columns * rows)
    things = []
    for number, code in enumerate(codes):
        x = (number % columns - (columns - 1) / 2) * (FIND_MM + gap)
        y = (number // columns - (rows - 1) / 2) * (FIND_MM + gap)
        at = (x * math.cos(angle) - y * math.sin(angle), x * math.sin(angle) + y * math.cos(angle))
        own = turn + (rng.uniform(-2.5, 2.5) if askew else 0) + float(rng.choice([0, 90, 180, 270]))
        things.append(piece(code, rng, at, own))
    return _scene(setting, [thing for thing in things if inside(setting.view, thing.outline())])


def _tilted(setting: _Setting) -> Scene:
    view = replace(setting.view, tilt=float(setting.rng.uniform(25, 40)), wide_mm=setting.view.wide_mm * 1.05)
    return _loose(replace(setting, view=view))


def _dim(setting: _Setting) -> Scene:
    rng = setting.rng
    sensor = replace(setting.sensor, exposure=float(rng.uniform(0.16, 0.34)), noise=float(rng.uniform(0.02, 0.045)))
    return _loose(replace(setting, sensor=sensor))


def _in_light(setting: _Setting, kelvin: float, balanced_at_most: float) -> _Setting:
    balance = float(setting.rng.uniform(0, balanced_at_most))
    return replace(setting, light=replace(setting.light, kelvin=kelvin, balance=balance))


def _warm(setting: _Setting) -> Scene:
    low, high = (2600, 3100) if setting.family == "tuning" else (2200, 2900)
    return _loose(_in_light(setting, float(setting.rng.uniform(low, high)), 0.35))


def _cool(setting: _Setting) -> Scene:
    low, high = (7500, 10000) if setting.family == "tuning" else (9000, 15000)
    return _loose(_in_light(setting, float(setting.rng.uniform(low, high)), 0.2))


def _glare(setting: _Setting) -> Scene:
    """A lamp mirrored on the upper part of some pieces; digits shine through a veil at most."""
    rng, scene = setting.rng, _loose(setting)
    glares = []
    for thing in scene.things[:: int(rng.integers(1, 3))]:
        corners = setting.view.project(thing.outline(), thing.thick_mm)
        spot = corners.mean(axis=0) + (corners[:2].mean(axis=0) - corners.mean(axis=0)) * rng.uniform(0.3, 1.1)
        at = (float(spot[0] / setting.view.size[0]), float(spot[1] / setting.view.size[1]))
        glares.append(Glare(at, float(rng.uniform(0.012, 0.03)), float(rng.uniform(0.5, 1.3))))
    return replace(scene, light=replace(setting.light, glares=tuple(glares[:3])))


def _blur(setting: _Setting) -> Scene:
    rng = setting.rng
    if rng.random() < 0.5:
        sensor = replace(setting.sensor, defocus=float(rng.uniform(1.1, 1.7)))
    else:
        sensor = replace(setting.sensor, motion=float(rng.uniform(3, 5.5)), motion_turn=float(rng.uniform(0, 180)))
    view = replace(setting.view, wide_mm=float(rng.uniform(270, 330)))
    return _loose(replace(setting, sensor=sensor, view=view))


def _other_things(rng: Rng) -> list[Thing]:
    things = [
        coin(rng, _ANYWHERE),
        coin(rng, _ANYWHERE),
        die(rng, _ANYWHERE),
        pen(rng, _ANYWHERE),
        foreign_card(rng, _ANYWHERE, 0),
        cup(rng, _ANYWHERE),
    ]
    return [things[index] for index in rng.permutation(len(things))[: int(rng.integers(2, 6))]]


def _clutter(setting: _Setting) -> Scene:
    return _scene(setting, _among(setting, _other_things(setting.rng), _thrown_finds(setting, 2, 5)))


def _covered(setting: _Setting) -> Scene:
    """Some pieces lie half under a hand, a card or a cup."""
    rng = setting.rng
    things = _thrown_finds(setting, 2, 5)
    victim = things[int(rng.integers(len(things)))]
    off = rng.uniform(-0.35, 0.35, 2) * FIND_MM
    at = (victim.at_mm[0] + float(off[0]), victim.at_mm[1] + float(off[1]))
    covers = (
        hand(rng, at, float(-setting.view.turn + rng.uniform(-50, 50)), int(rng.integers(2, 5))),
        foreign_card(rng, at, float(rng.uniform(0, 360))),
        replace(cup(rng, at), thick_mm=25.0),
    )
    return _scene(setting, [*things, covers[int(rng.integers(3))]])


def _foreign(setting: _Setting) -> Scene:
    """Pieces of other games, now and then a find of ours face down, and some that are ours."""
    rng = setting.rng
    strange = [
        foreign_tile(rng, _ANYWHERE, 0) if rng.random() < 0.55 else foreign_card(rng, _ANYWHERE, 0)
        for _ in range(int(rng.integers(2, 7)))
    ]
    if rng.random() < 0.3:
        strange.append(Thing(to_pixels(find_back_picture(), 400), (FIND_MM, FIND_MM), _ANYWHERE))
    return _scene(setting, _among(setting, strange, _thrown_finds(setting, 0, 2)))


def _empty(setting: _Setting) -> Scene:
    things = _other_things(setting.rng) if setting.rng.random() < 0.4 else []
    return _scene(setting, _among(setting, things, []))


def _cards(setting: _Setting) -> Scene:
    rng = setting.rng
    codes = [str(code) for code in rng.choice((*VALUES, *BACKS), int(rng.integers(2, 5)))]
    codes += _finds(rng, int(rng.integers(0, 3)))
    view = replace(setting.view, wide_mm=max(setting.view.wide_mm, 330.0))
    setting = replace(setting, view=view)
    return _scene(setting, _among(setting, _own(setting, codes), []))


def _many(setting: _Setting) -> Scene:
    view = replace(setting.view, wide_mm=float(setting.rng.uniform(400, 460)), size=_SIZES[0])
    setting = replace(setting, view=view)
    return _scene(setting, _thrown_finds(setting, 9, 12))


_CLASSES: Final[dict[str, Callable[[_Setting], Scene]]] = {
    "loose": _loose,
    "many": _many,
    "row": _row,
    "tight": _tight,
    "tilted": _tilted,
    "dim": _dim,
    "warm": _warm,
    "cool": _cool,
    "glare": _glare,
    "blur": _blur,
    "clutter": _clutter,
    "cards": _cards,
    "covered": _covered,
    "foreign": _foreign,
    "empty": _empty,
}
CLASSES: Final[tuple[str, ...]] = tuple(_CLASSES)
