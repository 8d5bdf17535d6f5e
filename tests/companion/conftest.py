"""A journal in a folder of its own, closed when the test ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.journal import Journal

NOON = 1_800_000_000.0


@pytest.fixture
def open_journal(tmp_path: Path) -> Iterator[Callable[..., Journal]]:
    """Opens the journal of a data folder, as often as a test wants; every journal's clock stands at noon."""
    opened: list[Journal] = []

    def open_(folder: Path = tmp_path / "data") -> Journal:
        opened.append(Journal(folder / "journal.sqlite", now=lambda: NOON))
        return opened[-1]

    yield open_
    for journal in opened:
        journal.close()
