"""Our own digits: bold single lines with round ends, all of one width, made to be told apart from afar.

The 3 has a flat top (no 8), the 1 a flag and a foot (no 7), 6 and 9 straight stems (no 8, no 0).
"""

from __future__ import annotations

from typing import Final

from vision.drawing import Shape, path

WIDTH: Final = 40.0
HEIGHT: Final = 70.0
STROKE: Final = 14.0

_LINES: Final[dict[str, str]] = {
    "0": "M20 0 C7 0 2 14 2 35 C2 56 7 70 20 70 C33 70 38 56 38 35 C38 14 33 0 20 0 Z",
    "1": "M7 14 L22 0 L22 70 M6 70 L38 70",
    "2": "M3 17 C4 6 11 0 20 0 C31 0 37 7 37 18 C37 29 29 36 2 70 L38 70",
    "3": "M4 0 L36 0 L18 27 C31 27 38 36 38 48 C38 61 30 70 19 70 C10 70 4 66 1 58",
    "4": "M28 70 L28 0 L1 50 L40 50",
    "5": "M35 0 L8 0 L5 32 C9 28 14 26 20 26 C31 26 38 35 38 47 C38 61 30 70 19 70 C10 70 4 66 1 59",
    "6": "M28 0 C12 17 2 31 2 49 C2 62 9 70 20 70 C31 70 38 61 38 49 C38 36 31 28 20 28 C11 28 4 34 2 46",
    "7": "M2 0 L38 0 L14 70",
    "8": "M20 0 C10 0 4 6 4 16 C4 26 10 32 20 32 C30 32 36 26 36 16 C36 6 30 0 20 0 Z "
    "M20 32 C9 32 2 40 2 51 C2 63 9 70 20 70 C31 70 38 63 38 51 C38 40 31 32 20 32 Z",
    "9": "M12 70 C28 53 38 39 38 21 C38 8 31 0 20 0 C9 0 2 9 2 21 C2 34 9 42 20 42 C29 42 36 36 38 24",
}


def digit(character: str, colour: str) -> Shape:
    """One digit, its middle lines in a box of WIDTH x HEIGHT from the origin."""
    return path(_LINES[character], stroke=colour, width=STROKE)
