"""Small files that are replaced whole or not at all, also when the power goes in between."""

from __future__ import annotations

import os
from pathlib import Path


def write_whole(path: Path, data: bytes, rights: int = 0o644) -> None:
    """Put this in the file's place; when this returns, a power cut cannot take it. OSError leaves the old one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_suffix(".new")
    with os.fdopen(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, rights), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    aside.replace(path)
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """What was renamed or removed here stays so over a power cut."""
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
