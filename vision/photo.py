"""A file or its bytes in, an upright colour photograph out: bounded in time and memory, whatever it holds."""

from __future__ import annotations

import io
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from PIL.Image import Image as PillowImage

Pixels: TypeAlias = NDArray[np.uint8]

FORMATS = ("JPEG", "PNG", "WEBP", "GIF", "BMP", "TIFF", "PPM")
LARGEST_FILE = 100_000_000
LARGEST_JPEG = 200_000_000
LARGEST_OTHER = 25_000_000
"""Pixels. A JPEG can be decoded at a fraction of its size; every other kind must be held whole."""
WORKING_PIXELS = 13_000_000
"""Photographs above this are shrunk; a tile keeps far more pixels than reading it takes."""
SWAPPED = {5, 6, 7, 8}
"""The EXIF orientations that lay the picture on its side."""


class PhotoRefused(Exception):
    """A file that cannot be read as a photograph; the message says why, and what to do, to a player."""


@dataclass(frozen=True)
class Photo:
    """An upright photograph in blue, green, red; `scale` is how many of the file's pixels one of ours is."""

    pixels: Pixels
    scale: float = 1.0


def open_photo(source: Path | str | bytes) -> Photo:
    """The photograph in a file or in the bytes of one; PhotoRefused if there is none."""
    data = source if isinstance(source, bytes) else _bytes_of(Path(source))
    if not data:
        raise PhotoRefused("The file is empty; take the photograph again.")
    if len(data) > LARGEST_FILE:
        raise PhotoRefused(_too_large("The file"))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return _decode(data)
    except PhotoRefused:
        raise
    except MemoryError:
        raise PhotoRefused(_too_large("The photograph")) from None
    except Exception:  # a decoder may stumble over foreign bytes in any way it likes
        raise PhotoRefused("The file is damaged or no photograph; take it again, as JPEG or PNG.") from None


def _bytes_of(path: Path) -> bytes:
    try:
        if path.is_dir():
            raise PhotoRefused("This is a folder, not a photograph; name the photographs in it.")
        if not path.exists():
            raise PhotoRefused("There is no such file; check its name.")
        if not path.is_file():
            raise PhotoRefused("This is not a file with a photograph.")
        if path.stat().st_size > LARGEST_FILE:
            raise PhotoRefused(_too_large("The file"))
        return path.read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "its name is no file name"
        raise PhotoRefused(f"The file cannot be opened ({reason}).") from None


def _too_large(what: str) -> str:
    return f"{what} is too large; send a smaller one, some 2000 to 4000 pixels wide, as JPEG."


def _decode(data: bytes) -> Photo:
    from PIL import Image, UnidentifiedImageError

    Image.init()
    # Our own bounds below are tighter than Pillow's, and Pillow's would write a warning to the terminal.
    Image.MAX_IMAGE_PIXELS = None
    try:
        image: PillowImage = Image.open(io.BytesIO(data), formats=FORMATS)
    except UnidentifiedImageError:
        raise PhotoRefused("This is not a photograph I know; send JPEG or PNG.") from None
    with image:
        _check_size(image)
        full = image.size
        orientation = image.getexif().get(0x0112, 1)
        if image.format in ("JPEG", "MPO") and full[0] * full[1] > WORKING_PIXELS:
            # The decoder halves as often as it can while staying at least this large.
            shrink = (WORKING_PIXELS / 4 / (full[0] * full[1])) ** 0.5
            image.draft(None, (max(1, int(full[0] * shrink)), max(1, int(full[1] * shrink))))
        image.load()
        while image.size[0] * image.size[1] > WORKING_PIXELS:
            image = image.reduce(2)
        pixels = _upright(_colours(image), orientation)
    width = full[1] if orientation in SWAPPED else full[0]
    return Photo(pixels, scale=width / pixels.shape[1])


def _check_size(image: PillowImage) -> None:
    """Refuses by the header alone what could not be decoded in bounded time and memory."""
    if image.format == "TIFF" and image.info.get("compression") != "raw":
        raise PhotoRefused("This is not a photograph I know; send JPEG or PNG.")
    count = image.size[0] * image.size[1]
    jpeg = image.format in ("JPEG", "MPO")
    # A progressive JPEG is held whole before it can be shrunk.
    bounded = jpeg and not image.info.get("progressive")
    if count > (LARGEST_JPEG if bounded else LARGEST_OTHER) or max(image.size) > 60_000:
        raise PhotoRefused(_too_large("The photograph"))


def _colours(image: PillowImage) -> Pixels:
    """Any kind of picture (grey, 16-bit, palette, see-through, print colours) as blue, green, red."""
    if image.mode.startswith("I") or image.mode == "F":
        return _deep_grey(np.asarray(image))
    if image.mode in ("RGBA", "LA", "PA", "La", "RGBa") or "transparency" in image.info:
        from PIL import Image

        see_through = image.convert("RGBA")
        white = Image.new("RGB", image.size, "white")
        white.paste(see_through, mask=see_through.getchannel("A"))
        image = white
    rgb = np.asarray(image if image.mode == "RGB" else image.convert("RGB"))
    return np.ascontiguousarray(rgb[:, :, ::-1])


def _deep_grey(values: NDArray[np.generic]) -> Pixels:
    """Grey of more than 8 bits, brought to 8: 16-bit by its fixed range, anything else by what it holds."""
    grey = values.astype(np.float32)
    grey[~np.isfinite(grey)] = 0
    if values.dtype.kind == "f" or float(grey.max(initial=0)) > 65535 or float(grey.min(initial=0)) < 0:
        low, high = float(grey.min(initial=0)), float(grey.max(initial=1))
        grey = (grey - low) * (255 / max(high - low, 1e-6))
    elif float(grey.max(initial=0)) > 255:
        grey /= 257
    flat: Pixels = np.clip(grey, 0, 255).astype(np.uint8)
    return np.ascontiguousarray(np.repeat(flat[:, :, None], 3, axis=2))


def _upright(pixels: Pixels, orientation: int) -> Pixels:
    """The picture as it was seen: the camera only notes how it was held."""
    if orientation in (2, 3):
        pixels = pixels[:, ::-1]
    if orientation in (3, 4):
        pixels = pixels[::-1]
    if orientation in SWAPPED:
        pixels = pixels.transpose(1, 0, 2)
        if orientation in (6, 7):
            pixels = pixels[:, ::-1]
        if orientation in (7, 8):
            pixels = pixels[::-1]
    return np.ascontiguousarray(pixels)
