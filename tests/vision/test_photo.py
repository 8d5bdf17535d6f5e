"""Opening photographs: whatever the file holds, an upright picture or a sentence that says what to do."""

from __future__ import annotations

import io
import struct
import zlib
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from vision.photo import PhotoRefused, open_photo


def corner_marked() -> Image.Image:
    """Blue, with a red top left corner."""
    picture = Image.new("RGB", (64, 48), (0, 0, 255))
    picture.paste((255, 0, 0), (0, 0, 16, 16))
    return picture


def as_file(picture: Image.Image, form: str, **options: Any) -> bytes:
    out = io.BytesIO()
    picture.save(out, form, **options)
    return out.getvalue()


def png_header(width: int, height: int, body: bytes) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(body)) + chunk(b"IEND", b"")


@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP", "BMP", "GIF", "TIFF", "PPM"])
def test_usual_files_open_in_blue_green_red(form: str) -> None:
    pixels = open_photo(as_file(corner_marked(), form)).pixels

    assert pixels.shape == (48, 64, 3)
    assert pixels[4, 4, 2] > 200 > 60 > pixels[4, 4, 0]


@pytest.mark.parametrize("mode", ["L", "CMYK", "P", "RGBA", "LA", "1", "YCbCr"])
def test_every_kind_of_colour_becomes_colour(mode: str) -> None:
    form = "JPEG" if mode in ("CMYK", "YCbCr") else "PNG"

    assert open_photo(as_file(corner_marked().convert(mode), form)).pixels.shape == (48, 64, 3)


def test_what_is_see_through_is_white() -> None:
    assert open_photo(as_file(Image.new("RGBA", (40, 40), (0, 0, 0, 0)), "PNG")).pixels.min() == 255


def test_sixteen_bits_keep_their_brightness() -> None:
    grey = np.full((40, 40), 40000, np.uint16)

    assert abs(int(open_photo(as_file(Image.fromarray(grey), "PNG")).pixels[0, 0, 0]) - 40000 // 257) <= 1


@pytest.mark.parametrize("orientation", range(1, 9))
def test_a_picture_held_sideways_is_turned_upright(orientation: int) -> None:
    # given what a camera writes: the pixels as they lie, and a note how it was held
    turns = {
        1: None,
        2: Image.Transpose.FLIP_LEFT_RIGHT,
        3: Image.Transpose.ROTATE_180,
        4: Image.Transpose.FLIP_TOP_BOTTOM,
        5: Image.Transpose.TRANSPOSE,
        6: Image.Transpose.ROTATE_90,
        7: Image.Transpose.TRANSVERSE,
        8: Image.Transpose.ROTATE_270,
    }
    turn = turns[orientation]
    stored = corner_marked() if turn is None else corner_marked().transpose(turn)
    exif = Image.Exif()
    exif[0x0112] = orientation

    photo = open_photo(as_file(stored, "PNG", exif=exif))

    assert photo.pixels.shape == (48, 64, 3)
    assert photo.pixels[4, 4].tolist() == [0, 0, 255]
    assert photo.scale == 1.0


def test_of_an_animation_the_first_picture_counts() -> None:
    later = [Image.new("RGB", (64, 48), "green")] * 2

    pixels = open_photo(as_file(corner_marked(), "GIF", save_all=True, append_images=later)).pixels

    assert pixels[4, 4, 2] > 200


def test_a_huge_jpeg_is_read_smaller_and_says_so() -> None:
    photo = open_photo(as_file(Image.new("RGB", (8000, 5000)), "JPEG"))

    assert photo.pixels.shape[1] * photo.scale == 8000
    assert photo.pixels.size < 3 * 14_000_000


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "empty"),
        (b"no photograph at all", "not a photograph"),
        (as_file(corner_marked(), "JPEG")[:400], "damaged"),
        (as_file(corner_marked(), "PNG")[:60], "damaged"),
        (png_header(50_000, 50_000, b"\0" * 1000), "too large"),
        (png_header(5000, 5000, b"\0" * 1000), "damaged"),
        (as_file(Image.new("L", (7000, 7000)), "JPEG", progressive=True), "too large"),
    ],
    ids=["empty", "text", "cut JPEG", "cut PNG", "bomb", "hollow", "huge progressive"],
)
def test_what_is_no_photograph_is_refused_in_words(data: bytes, words: str) -> None:
    with pytest.raises(PhotoRefused, match=words):
        open_photo(data)


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PhotoRefused, match="folder"):
        open_photo(tmp_path)


@pytest.mark.parametrize("name", ["nowhere.jpg", "a\0b"])
def test_a_file_that_is_not_there_is_refused(name: str) -> None:
    with pytest.raises(PhotoRefused, match=r"no such file|cannot be opened"):
        open_photo(name)


def test_damaged_bytes_never_escape_as_another_error() -> None:
    random = np.random.default_rng(5)
    for form in ("JPEG", "PNG", "GIF", "WEBP", "TIFF", "BMP"):
        whole = as_file(corner_marked(), form)
        for _ in range(40):
            broken = bytearray(whole)
            for at in random.integers(0, len(whole), 6):
                broken[at] = int(random.integers(256))
            with suppress(PhotoRefused):
                assert open_photo(bytes(broken)).pixels.ndim == 3
