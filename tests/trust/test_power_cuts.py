"""The plug is pulled in the middle of everything; `python -m tests.faults.power_cuts` does it 500 times."""

from __future__ import annotations

from pathlib import Path

from tests.faults.power_cuts import cut_power


def test_what_was_answered_is_there_after_every_cut(tmp_path: Path) -> None:
    figures = cut_power(tmp_path, cuts=12, seed=3, jitter=0)

    assert figures["wrong"] == []
    assert figures["carried out twice"] == 0
    assert figures["called damaged though nothing is"] == 0
    assert figures["commands answered"] > 20
    assert figures["version at the end"] >= figures["commands answered"]
