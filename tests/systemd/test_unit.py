"""The service's unit: systemd takes it, its sandbox is tight, and it keeps the companion's promises."""

from __future__ import annotations

import configparser
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from companion import power

FOLDER = Path(__file__).parents[2] / "systemd"
UNITS = ("table-companion.service", "table-companion-poweroff.service", "table-companion-poweroff.path")
TIGHT = 20
"""In tenths: systemd-analyze calls 2.0 and less OK."""

needs_systemd = pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd-analyze is not here")


class _Unit(configparser.RawConfigParser):
    def optionxform(self, optionstr: str) -> str:
        return optionstr


def unit(name: str) -> _Unit:
    found = _Unit(strict=False, delimiters=("=",))
    found.read(FOLDER / name, "utf-8")
    return found


@needs_systemd
def test_systemd_takes_the_units_without_a_word(tmp_path: Path) -> None:
    for name in UNITS:
        text = (FOLDER / name).read_text("utf-8")
        (tmp_path / name).write_text(text.replace("/opt/table-companion/.venv/bin/companion", sys.executable), "utf-8")
    said = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *UNITS], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert [line for line in said.stderr.splitlines() if "table-companion" in line] == []
    assert said.returncode == 0


@needs_systemd
def test_the_sandbox_is_tight() -> None:
    command = ["systemd-analyze", "security", "--offline=true", f"--threshold={TIGHT}", "--no-pager"]
    said = subprocess.run([*command, str(FOLDER / UNITS[0])], capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stdout[-400:] + said.stderr


def test_it_starts_at_boot_and_comes_back_whatever_ends_it() -> None:
    service = unit("table-companion.service")
    assert service["Install"]["WantedBy"] == "multi-user.target"
    assert service["Service"]["Restart"] == "always"
    assert service["Unit"]["StartLimitIntervalSec"] == "0"


def test_systemd_is_told_of_readiness_and_watches() -> None:
    service = unit("table-companion.service")["Service"]
    assert service["Type"] == "notify"
    assert int(service["WatchdogSec"]) > 0


def test_games_are_in_its_state_folder_and_it_writes_nowhere_else() -> None:
    service = unit("table-companion.service")["Service"]
    assert service["StateDirectory"] == "table-companion"
    assert "--data ${STATE_DIRECTORY}" in service["ExecStart"]
    assert (service["ProtectSystem"], service["ProtectHome"]) == ("strict", "yes")
    assert "ReadWritePaths" not in service


def test_what_the_buttons_leave_is_what_the_machine_is_switched_off_by(tmp_path: Path) -> None:
    runtime = unit("table-companion.service")["Service"]["RuntimeDirectory"]
    watched = Path(unit("table-companion-poweroff.path")["Path"]["PathExists"])
    assert watched.parent == Path("/run") / runtime
    assert power.switch_off(("false",), {"RUNTIME_DIRECTORY": str(tmp_path)})
    assert [path.name for path in tmp_path.iterdir()] == [watched.name]
