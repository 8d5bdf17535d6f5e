"""Light falling on the simulated table, and the sensor that turns it into a photograph."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Linear = NDArray[np.float32]

_STEPS: Final = 4096


@dataclass(frozen=True)
class Glare:
    """A lamp mirrored in what lies there: where in the picture (0 to 1), how big, how strong."""

    at: tuple[float, float]
    radius: float
    strength: float


@dataclass(frozen=True)
class Light:
    """The light in the room."""

    kelvin: float = 5000.0
    balance: float = 0.8
    """How much of the light's colour the camera takes out again, 0 to 1."""
    from_mm: tuple[float, float] = (0.5, -0.7)
    """Where the lamp stands: sideways millimetres for each millimetre of height."""
    shadow: float = 0.55
    softness: float = 0.35
    slope: float = 0.25
    """How much brighter one side of the table is."""
    shades: int = 0
    """Shadows of people and lamps that fall across the table."""
    hard_shades: bool = False
    glares: tuple[Glare, ...] = ()


@dataclass(frozen=True)
class Sensor:
    """The camera behind the lens."""

    exposure: float = 1.0
    noise: float = 0.01
    defocus: float = 0.6
    """Blur in pixels of a picture 1000 wide."""
    motion: float = 0.0
    """Length of motion blur, measured the same way."""
    motion_turn: float = 0.0
    vignette: float = 0.25
    sharpen: float = 0.4
    jpeg: int = 88


def lit(surface: Linear, light: Light, rng: np.random.Generator) -> Linear:
    """The table as the light shows it: what every surface sends to the camera."""
    height, width = surface.shape[:2]
    lamp = _illumination(light, width, height, rng)
    out = surface * lamp[..., None]
    for glare in light.glares:
        out += _mirrored(glare, width, height, rng)[..., None]
    colour = _lamp_colour(light.kelvin)
    tint = colour ** (1 - light.balance)
    return np.asarray(out * tint.astype(np.float32), np.float32)


def _lamp_colour(kelvin: float) -> NDArray[np.float64]:
    """Roughly the red, green and blue of a glowing body, green being 1."""
    t = kelvin / 100
    red = 255.0 if t <= 66 else 329.7 * (t - 60) ** -0.1332
    green = 99.47 * math.log(t) - 161.1 if t <= 66 else 288.1 * (t - 60) ** -0.0755
    blue = 255.0 if t >= 66 else 138.5 * math.log(max(t - 10, 1.01)) - 305.0
    encoded = np.clip(np.array([red, green, blue]), 12, 255) / 255
    linear = encoded**2.2
    return np.asarray(linear / linear[1], np.float64)


def _illumination(light: Light, width: int, height: int, rng: np.random.Generator) -> Linear:
    """How much light arrives where; drawn small and enlarged, since light is smooth."""
    small_w = 384
    small_h = max(2, round(small_w * height / width))
    x, y = np.meshgrid(np.linspace(-1, 1, small_w), np.linspace(-1, 1, small_h) * height / width)
    turn = rng.uniform(0, 2 * np.pi)
    field = 1 + light.slope * (x * np.cos(turn) + y * np.sin(turn))
    for _ in range(light.shades):
        field *= 1 - _shade(small_w, small_h, light.hard_shades, rng)
    small = np.clip(field, 0.05, 3).astype(np.float32)
    return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC), np.float32)


def _shade(width: int, height: int, hard: bool, rng: np.random.Generator) -> NDArray[np.float64]:
    """The shadow of somebody or something beside the table, darkest inside."""
    mask = np.zeros((height, width), np.float32)
    edge, along = rng.uniform(0, 2 * np.pi), rng.uniform(-0.2, 0.2)
    centre = np.array([width / 2 + math.cos(edge) * width * (0.55 + along), height / 2 + math.sin(edge) * height * 0.6])
    turns = np.linspace(0, 2 * np.pi, 9, endpoint=False)
    radius = width * rng.uniform(0.22, 0.42) * rng.uniform(0.6, 1.3, turns.shape)
    blob = centre + np.stack([np.cos(turns), np.sin(turns)], axis=1) * radius[:, None]
    cv2.fillPoly(mask, [np.round(blob).astype(np.int32)], 1.0, cv2.LINE_AA)
    blur = width * (rng.uniform(0.006, 0.015) if hard else rng.uniform(0.02, 0.06))
    return np.asarray(cv2.GaussianBlur(mask, (0, 0), blur) * rng.uniform(0.3, 0.62), np.float64)


def _mirrored(glare: Glare, width: int, height: int, rng: np.random.Generator) -> Linear:
    """A lamp's mirror image: a bright heart and a wide veil."""
    x, y = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    turn, stretch = rng.uniform(0, np.pi), rng.uniform(1, 2.2)
    dx, dy = (x / width - glare.at[0]), (y - glare.at[1] * height) / width
    a = dx * math.cos(turn) + dy * math.sin(turn)
    b = (dy * math.cos(turn) - dx * math.sin(turn)) * stretch
    far = (a * a + b * b) / glare.radius**2
    return np.asarray(glare.strength * (0.75 * np.exp(-far * 2.5) + 0.25 * np.exp(-far * 0.35)), np.float32)


def develop(light: Linear, sensor: Sensor, rng: np.random.Generator) -> NDArray[np.uint8]:
    """Lens blur, exposure, noise, tone and JPEG: the photograph, blue green red."""
    height, width = light.shape[:2]
    scale = width / 1000
    out = _blurred(light, sensor, scale)
    out *= _vignette(width, height, sensor.vignette)
    out *= np.float32(_metered(out) * sensor.exposure)
    noise = rng.standard_normal(out.shape, np.float32)
    noise = np.asarray(cv2.GaussianBlur(noise, (0, 0), 0.6) * 1.9, np.float32)
    out += noise * np.sqrt(np.maximum(out, 0) * 0.6 + 0.02) * np.float32(sensor.noise)
    encoded = _TONE[np.clip(out * _STEPS, 0, _STEPS - 1).astype(np.int32)]
    if sensor.sharpen:
        soft = cv2.GaussianBlur(encoded, (0, 0), 1.1)
        encoded = np.asarray(cv2.addWeighted(encoded, 1 + sensor.sharpen, soft, -sensor.sharpen, 0), np.uint8)
    bgr = encoded[..., ::-1]
    _, data = cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, sensor.jpeg])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def _blurred(light: Linear, sensor: Sensor, scale: float) -> Linear:
    out = light
    if sensor.defocus * scale > 0.25:
        out = np.asarray(cv2.GaussianBlur(out, (0, 0), sensor.defocus * scale), np.float32)
    length = sensor.motion * scale
    if length > 1:
        reach = math.ceil(length)
        kernel = np.zeros((2 * reach + 1, 2 * reach + 1), np.float32)
        turn = math.radians(sensor.motion_turn)
        dx, dy = math.cos(turn) * length / 2, math.sin(turn) * length / 2
        start, end = ((round((reach + s * dx) * 16), round((reach + s * dy) * 16)) for s in (-1, 1))
        cv2.line(kernel, start, end, 1.0, 1, cv2.LINE_AA, 4)
        out = np.asarray(cv2.filter2D(out, -1, kernel / kernel.sum()), np.float32)
    return out.copy() if out is light else out


def _vignette(width: int, height: int, strength: float) -> Linear:
    x = np.linspace(-1, 1, width, dtype=np.float32)[None, :]
    y = np.linspace(-1, 1, height, dtype=np.float32)[:, None] * np.float32(height / width)
    return np.asarray(1 - np.float32(strength) * (x * x + y * y) * np.float32(0.7), np.float32)[..., None]


def _metered(light: Linear) -> float:
    """The gain that an automatic exposure would choose: a middling picture without burnt-out lights."""
    small = cv2.resize(light, (96, 54), interpolation=cv2.INTER_AREA)
    seen = max(float(small.mean()), 1e-3)
    middling = (0.2 + 0.25 * min(seen, 1.0)) / seen
    brightest = 0.92 / max(float(np.percentile(small, 99)), 1e-3)
    return min(middling, brightest * 1.15, 40.0)


def _tone() -> NDArray[np.uint8]:
    light = (np.arange(_STEPS) + 0.5) / _STEPS
    encoded = np.where(light <= 0.0031308, light * 12.92, 1.055 * light ** (1 / 2.4) - 0.055)
    curve = encoded + 0.04 * np.sin((encoded - 0.5) * 2 * np.pi) * encoded
    return np.asarray(np.clip(np.round(curve * 255), 0, 255), np.uint8)


_TONE: Final = _tone()
