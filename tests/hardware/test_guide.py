"""The tables of the build guide are those of the code."""

from __future__ import annotations

from pathlib import Path

from hardware import guide
from hardware.lights import SIGNALS
from hardware.pergamon import LIGHTS

BUILD = (Path(__file__).parents[2] / "docs" / "build.md").read_text("utf-8")


def test_the_guide_has_every_table_as_the_code_has_it() -> None:
    assert guide.with_tables(BUILD) == BUILD, "python -m hardware.guide docs/build.md"


def test_no_table_is_left_out_of_the_guide() -> None:
    for name, table in guide.TABLES.items():
        assert f"<!-- {name} -->\n{table()}\n<!-- end -->" in BUILD


def test_every_meaning_of_the_status_light_is_told() -> None:
    assert [signal.meaning for signal in SIGNALS.values() if signal.meaning not in guide.status_light()] == []


def test_every_phase_has_its_lights_told_in_words() -> None:
    rows = guide.board_lights().splitlines()[2:]
    assert [row.split(" | ")[0] for row in rows] == [f"| {phase.replace('_', ' ')}" for phase in LIGHTS]
    assert all(len(cell) > 3 for row in rows for cell in row.strip("| ").split(" | "))


def test_a_table_that_has_fallen_behind_is_brought_up_to_date() -> None:
    old = BUILD.replace("GPIO | pin on the header", "GPIO | old")
    assert guide.with_tables(old) == BUILD
