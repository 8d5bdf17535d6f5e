"""The README tells the truth: its commands are run as they stand, its links lead somewhere."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")
COMMANDS = [
    line.split("#")[0].strip() for block in re.findall(r"```sh\n(.*?)```", README, re.S) for line in block.splitlines()
]
ENVIRONMENT = {**os.environ, "PATH": f"{ROOT / '.venv/bin'}:{os.environ['PATH']}"}


def test_the_readme_shows_the_two_commands_first() -> None:
    assert [command.split()[0] for command in COMMANDS[:2]] == ["./run", "./test"]


@pytest.mark.parametrize("link", sorted(set(re.findall(r"\]\(([^)#:]+)\)", README))))
def test_a_link_leads_to_a_file(link: str) -> None:
    assert (ROOT / link).exists()


def test_run_starts_a_table_that_says_where_it_is(tmp_path: Path) -> None:
    command = [*COMMANDS[0].split(), "--port", "0", "--data", str(tmp_path / "data")]
    table = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert table.stdout is not None
    with table.stdout as said:
        first = said.readline()
        table.send_signal(signal.SIGTERM)
    assert table.wait(timeout=60) == 0
    assert first.startswith("ready: http://")


def test_the_other_commands_do_what_they_say(tmp_path: Path) -> None:
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    said = ""
    for command in COMMANDS[2:]:
        assert command.startswith("companion ")
        done = subprocess.run(
            ["bash", "-c", command], cwd=tmp_path, env=ENVIRONMENT, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        said += done.stdout
    assert len(re.findall(r"^  V\d\d[JMB][1-5] \(sure\)$", said, re.M)) == 15
    assert "Won by Ben" in said


def test_ci_runs_the_test_command_and_nothing_else() -> None:
    steps = [line for line in (ROOT / ".ci/run").read_text().splitlines() if line and not line.startswith("#")]
    assert steps == ['exec "$(dirname -- "${BASH_SOURCE[0]}")/../test"']
