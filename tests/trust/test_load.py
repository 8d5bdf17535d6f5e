"""Many phones at once; `python -m tests.faults.load` does it with 200 and 20 for ten minutes."""

from __future__ import annotations

from pathlib import Path

from tests.faults.load import press


def test_no_update_is_lost_and_nothing_is_left_over(tmp_path: Path) -> None:
    figures = press(tmp_path, seconds=2, listening=40, acting=12, burdens=3, pause=0.01)

    assert figures["versions"] > 5
    assert figures["updates lost or double"] == 0
    assert figures["answered otherwise"] == 0
    assert figures["phones without the last state"] == 0
    assert (figures["threads left over"], figures["files left over"]) == (0, 0)
