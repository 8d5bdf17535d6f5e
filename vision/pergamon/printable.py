"""The project's own box of Pergamon: which finds and which funds cards it holds, and how big they are.

The numbers have no zero and no doubles, and none reads as a number when it lies upside down. Numbers that a tired
eye could take for each other (3 and 8, 1 and 7, digits swapped) sit on finds that differ in both halves and in
century.
"""

from __future__ import annotations

from typing import Final

from companion.games.pergamon.funds import CARDS_OF_A_VALUE, VALUES

_FINDS: Final = (
    "M12B1 V13J1 B14J3 J15V5 B17M2 J21M5 B23J2 M24J2 M25B3 B26V5 V27B1 V28M4 J29B3 J31V3 V32B3 "
    "V34M1 J35M1 B36V2 B37J4 V38J5 M39B4 V41M2 J42B4 M43B5 B45M1 M46V4 M47V5 V48J2 B49M3 B51M4 "
    "B52J5 M53J3 M54V3 M56J1 J57V2 J58B2 V59M5 V62B2 V63B5 B64J1 J65V4 M67J4 M71V1 B72V4 J73M3 "
    "V74B4 V75J4 J76M2 B78V1 M79J5 J82V1 J83M4 J84B5 V85J3 V87M3 B92M5 B93V3 M94V2 M95B2 J97B1"
)
FINDS: Final[tuple[str, ...]] = tuple(_FINDS.split())

FUNDS: Final[tuple[int, ...]] = tuple(value for value in VALUES for _ in range(CARDS_OF_A_VALUE))

FIND_MM: Final = 40.0
CARD_MM: Final[tuple[float, float]] = (44.0, 67.0)


FRIEZE_CELLS: Final = 12
_FRIEZE_ROWS: Final = (
    0b011101000110, 0b101100111101, 0b011111110001, 0b011110010100, 0b010011111101, 0b010101111110,
)  # fmt: skip
_FRIEZE_OF_FIRST: Final = 0b011000000100


def frieze(code: str) -> tuple[bool, ...]:
    """The teeth at the top of a find, left to right, True pointing up: two finds differ in at least four.

    A find that is not of this box, as in a published one, has teeth that alternate.
    """
    if code not in FINDS:
        return (True, False) * (FRIEZE_CELLS // 2)
    word, index = _FRIEZE_OF_FIRST, FINDS.index(code)
    for bit, row in enumerate(_FRIEZE_ROWS):
        if index >> bit & 1:
            word ^= row
    return tuple(bool(word >> (FRIEZE_CELLS - 1 - cell) & 1) for cell in range(FRIEZE_CELLS))
