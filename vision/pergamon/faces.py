"""The faces of the printable set as pixels, drawn when first asked for."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from companion.games.pergamon import funds
from vision.drawing import Picture, to_pixels
from vision.pergamon.art import find_picture
from vision.pergamon.art_funds import back_picture, funds_picture
from vision.pergamon.printable import FINDS

VALUES: Final[tuple[str, ...]] = tuple(str(value) for value in funds.VALUES)
BACKS: Final[tuple[str, ...]] = tuple(funds.BACKS)
CODES: Final[tuple[str, ...]] = (*FINDS, *VALUES, *BACKS)


def picture(code: str) -> Picture:
    """The drawing of a piece: a find's code, a funds value "1" to "8", or the back "bag" or "chest"."""
    if code in BACKS:
        return back_picture(code)
    return funds_picture(int(code)) if code in VALUES else find_picture(code)


@lru_cache(maxsize=160)
def face(code: str, size: int) -> NDArray[np.uint8]:
    """A piece's face as BGR pixels, `size` wide, height as the piece; shared and therefore read-only."""
    pixels = to_pixels(picture(code), size)
    pixels.flags.writeable = False
    return pixels
