"""`companion print`: the printable set as sheets to cut and as single faces."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

from companion.games.pergamon.funds import back_of
from vision.drawing import Picture, to_pixels
from vision.pergamon.art import find_back_picture
from vision.pergamon.faces import BACKS, VALUES, picture
from vision.pergamon.printable import CARD_MM, FIND_MM, FINDS, FUNDS
from vision.sheets import Grid, pdf, sheet

FACE_PIXELS: Final = 800
FIND_GRID: Final = Grid((FIND_MM, FIND_MM), 4, 5)
FUNDS_GRID: Final = Grid(CARD_MM, 4, 3)
_NOTE: Final = "Print at 100 %, both sides, flipped on the long edge. This line is 50 mm long."


class CannotPrint(Exception):
    """The set cannot be written there: what is wrong and what to do, in one sentence."""


def write_printable_set(folder: Path, progress: Callable[[str], None] = lambda _: None) -> None:
    """Writes sheets and faces into a folder, which is made if it is missing; CannotPrint if that fails."""
    try:
        for name, content in _files():
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
            progress(name)
    except OSError as error:
        reason = error.strerror or "it cannot be written"
        raise CannotPrint(f"cannot write to {folder}: {reason}. Choose a folder that you may write to.") from error


def _files() -> Iterator[tuple[str, bytes]]:
    finds = [picture(code) for code in FINDS]
    yield "finds.pdf", _both_sides(FIND_GRID, finds, [find_back_picture()] * len(finds), "Pergamon: finds")
    cards = [picture(str(value)) for value in FUNDS]
    backs = [picture(back_of(value)) for value in FUNDS]
    yield "funds.pdf", _both_sides(FUNDS_GRID, cards, backs, "Pergamon: funds")
    for code in FINDS:
        yield f"faces/finds/{code}.png", _png(picture(code))
    for code in (*VALUES, *BACKS):
        yield f"faces/funds/{code}.png", _png(picture(code))


def _both_sides(grid: Grid, fronts: Sequence[Picture], backs: Sequence[Picture], title: str) -> bytes:
    """Every page of fronts is followed by its page of backs."""
    pages: list[str] = []
    for first in range(0, len(fronts), grid.per_page):
        batch = slice(first, first + grid.per_page)
        pages.append(sheet(grid, fronts[batch], _NOTE))
        pages.append(sheet(grid, backs[batch], _NOTE, mirrored=True))
    return pdf(pages, title)


def _png(drawing: Picture) -> bytes:
    import cv2  # loaded when first needed

    written, data = cv2.imencode(".png", to_pixels(drawing, FACE_PIXELS))
    assert written
    return data.tobytes()
