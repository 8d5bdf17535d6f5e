"""A disk that takes no more; `python -m tests.faults.disk` also tries full, read-only and slow file systems."""

from __future__ import annotations

from pathlib import Path

from tests.faults.disk import MOST_WRITTEN, bytes_of_a_game, limited


def test_a_full_disk_refuses_commands_serves_the_rest_and_goes_on_when_there_is_space(tmp_path: Path) -> None:
    assert limited(tmp_path) == []


def test_a_whole_game_spares_the_card(tmp_path: Path) -> None:
    written, commands, _ = bytes_of_a_game(tmp_path, scans=0)

    assert commands > 50
    assert written < MOST_WRITTEN
