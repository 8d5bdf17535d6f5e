"""Pieces on A4 sheets in real size, with cut marks, as a PDF of pure vectors; for any game's printable set."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from vision.drawing import Picture, to_pdf_operators

A4_MM: Final = (210.0, 297.0)
BLEED_MM: Final = 2.0
RULER_MM: Final = 50.0
_POINT: Final = 72 / 25.4
_MARK_MM: Final = 3.0
_MARK_GAP_MM: Final = 1.0
_TOP_MM: Final = 16.0
_BOTTOM_MM: Final = 20.0


@dataclass(frozen=True, slots=True)
class Grid:
    """How pieces of one size lie on a page: their bleeds touch, and the whole is centred for printing both sides."""

    piece_mm: tuple[float, float]
    columns: int
    rows: int

    @property
    def per_page(self) -> int:
        """How many pieces one page holds."""
        return self.columns * self.rows

    def place(self, index: int, mirrored: bool = False) -> tuple[float, float]:
        """The top left corner of a piece, from the top left of the page; mirrored for the page's other side."""
        row, column = divmod(index, self.columns)
        column = self.columns - 1 - column if mirrored else column
        left, top = self._margins()
        return left + column * self._step(0), top + row * self._step(1)

    def _step(self, axis: int) -> float:
        return self.piece_mm[axis] + 2 * BLEED_MM

    def _margins(self) -> tuple[float, float]:
        wide = self.columns * self._step(0) - 2 * BLEED_MM
        high = self.rows * self._step(1) - 2 * BLEED_MM
        return (A4_MM[0] - wide) / 2, _TOP_MM + (A4_MM[1] - _TOP_MM - _BOTTOM_MM - high) / 2

    def cut_marks(self) -> list[tuple[float, float, float, float]]:
        """Short lines in the margins, (x, y, x, y) each, two for every cut across or down the page."""
        left, top = self._margins()
        right = A4_MM[0] - left
        bottom = top + self.rows * self._step(1) - 2 * BLEED_MM
        far = BLEED_MM + _MARK_GAP_MM
        marks: list[tuple[float, float, float, float]] = []
        for column in range(self.columns):
            for x in (left + column * self._step(0), left + column * self._step(0) + self.piece_mm[0]):
                marks.append((x, top - far - _MARK_MM, x, top - far))
                marks.append((x, bottom + far, x, bottom + far + _MARK_MM))
        for row in range(self.rows):
            for y in (top + row * self._step(1), top + row * self._step(1) + self.piece_mm[1]):
                marks.append((left - far - _MARK_MM, y, left - far, y))
                marks.append((right + far, y, right + far + _MARK_MM, y))
        return marks


def sheet(grid: Grid, pictures: Sequence[Picture], note: str, mirrored: bool = False) -> str:
    """One page's drawing operators; the other side of a page is mirrored, so that backs meet their fronts."""
    lines = [f"{_POINT:.6f} 0 0 {-_POINT:.6f} 0 {A4_MM[1] * _POINT:.4f} cm", "0 0 0 RG 0.1 w"]
    lines += [f"{ax:.3f} {ay:.3f} m {bx:.3f} {by:.3f} l S" for ax, ay, bx, by in grid.cut_marks()]
    for index, picture in enumerate(pictures):
        x, y = grid.place(index, mirrored)
        scale = grid.piece_mm[0] / picture.width
        bleed = BLEED_MM / scale
        lines.append(
            f"q {scale:.6f} 0 0 {scale:.6f} {x:.4f} {y:.4f} cm "
            f"{-bleed:.2f} {-bleed:.2f} {picture.width + 2 * bleed:.2f} {picture.height + 2 * bleed:.2f} re W n"
        )
        lines += [to_pdf_operators(picture), "Q"]
    lines += _ruler(note)
    return "\n".join(lines)


def _ruler(note: str) -> list[str]:
    """A line to hold a ruler against, and what to do."""
    x, y = 20.0, A4_MM[1] - 10.0
    ticks = "".join(
        f"{x + step * 10:.2f} {y - (2.5 if step % 5 == 0 else 1.5):.2f} m {x + step * 10:.2f} {y:.2f} l "
        for step in range(6)
    )
    return [
        f"0 0 0 RG 0.25 w {x} {y} m {x + RULER_MM} {y} l {ticks}S",
        f"BT 0 0 0 rg /F1 3 Tf 1 0 0 -1 {x + RULER_MM + 4} {y} Tm ({_text(note)}) Tj ET",
    ]


def _text(note: str) -> str:
    return note.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")


def pdf(pages: Sequence[str], title: str) -> bytes:
    """A whole PDF of these pages."""
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(len(pages)))
    size = f"{A4_MM[0] * _POINT:.3f} {A4_MM[1] * _POINT:.3f}"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None /Duplex /DuplexFlipLongEdge >> >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    for number, page in enumerate(pages):
        content = zlib.compress(page.encode("cp1252"), 9)
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {size}] /Contents {5 + 2 * number} 0 R "
            "/Resources << /Font << /F1 3 0 R >> >> >>".encode()
        )
        head = f"<< /Length {len(content)} /Filter /FlateDecode >>\nstream\n".encode()
        objects.append(head + content + b"\nendstream")
    objects.append(f"<< /Title ({_text(title)}) >>".encode("cp1252"))
    return _document(objects)


def _document(objects: Sequence[bytes]) -> bytes:
    out = bytearray(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
    starts = []
    for number, body in enumerate(objects, 1):
        starts.append(len(out))
        out += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
    table = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    out += b"".join(f"{start:010d} 00000 n \n".encode() for start in starts)
    trailer = f"<< /Size {len(objects) + 1} /Root 1 0 R /Info {len(objects)} 0 R >>"
    out += f"trailer\n{trailer}\nstartxref\n{table}\n%%EOF\n".encode()
    return bytes(out)
