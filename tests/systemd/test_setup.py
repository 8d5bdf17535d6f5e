"""What ./run and ./test do to a machine before they start: only what is missing, said aloud, clear when it fails."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


class Machine:
    """A folder of pretended commands; what they are asked is kept."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.commands = folder / "bin"
        self.commands.mkdir()
        self.log = folder / "asked"
        self.log.write_text("")

    def has(self, name: str, then: str = "true") -> None:
        path = self.commands / name
        path.write_text(f'#!/bin/bash\necho "{name} $*" >>"{self.log}"\n{then}\n')
        path.chmod(0o755)

    def does(self, script: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run a script that has sourced the set-up, with the pretended commands before the real ones."""
        paths = f"{self.commands}:{os.environ['PATH']}"
        return subprocess.run(
            ["bash", "-euo", "pipefail", "-c", f'. "{ROOT}/scripts/setup.sh"\n{script}'],
            capture_output=True, text=True, check=False, env={"PATH": paths, "HOME": str(self.folder), **environment},
        )  # fmt: skip

    @property
    def asked(self) -> list[str]:
        return self.log.read_text().splitlines()


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """A Debian machine on which nothing is installed, and a normal user."""
    made = Machine(tmp_path)
    made.has("dpkg-query", "exit 1")
    made.has("apt-get")
    made.has("id", "echo 1000")
    made.has("sudo", 'exec "$@"')
    return made


def test_what_is_missing_is_installed_by_sudo_and_said(machine: Machine) -> None:
    done = machine.does("apt_install tesseract-ocr python3-venv")
    assert done.returncode == 0
    assert done.stderr == "Installing tesseract-ocr python3-venv ...\n"
    assert "apt-get install -y -qq --no-install-recommends tesseract-ocr python3-venv" in machine.asked
    assert any(line.startswith("sudo") for line in machine.asked)


def test_root_needs_no_sudo(machine: Machine) -> None:
    machine.has("id", "echo 0")
    assert machine.does("apt_install tesseract-ocr").returncode == 0
    assert not any(line.startswith("sudo") for line in machine.asked)


def test_what_is_there_is_left_alone_and_nothing_is_said(machine: Machine) -> None:
    machine.has("dpkg-query", "echo install ok installed")
    done = machine.does("apt_install tesseract-ocr")
    assert (done.returncode, done.stderr) == (0, "")
    assert not any("apt-get" in line for line in machine.asked)


def test_a_list_of_packages_that_cannot_be_renewed_is_no_reason_to_stop(machine: Machine) -> None:
    machine.has("apt-get", '[ "$1" != update ]')
    done = machine.does("apt_install tesseract-ocr")
    assert done.returncode == 0
    assert "going on with the old one" in done.stderr


def test_packages_that_cannot_be_had_end_it_with_the_reason_and_the_step(machine: Machine) -> None:
    machine.has("apt-get", '[ "$1" = update ] || { echo "E: no such package"; exit 100; }')
    done = machine.does("apt_install tesseract-ocr; echo went on")
    assert done.returncode == 1
    assert "E: no such package" in done.stderr
    assert "Could not install tesseract-ocr. Is there a network?" in done.stderr
    assert "went on" not in done.stdout


def test_python_is_asked_for_only_where_it_cannot_make_an_environment(machine: Machine) -> None:
    assert machine.does("python_packages").stdout == ""
    machine.has("python3", "exit 1")
    assert machine.does("python_packages").stdout == "python3 python3-venv\n"


def test_an_old_python_is_named(machine: Machine) -> None:
    machine.has("python3", '[ "$1" = -V ] && echo Python 3.9.2 || exit 1')
    done = machine.does("check_python")
    assert done.returncode == 1
    assert done.stderr == "Python 3.11 or newer is needed; this is Python 3.9.2.\n"


def test_a_laptop_gets_the_ocr_and_an_environment_of_its_own(machine: Machine) -> None:
    done = machine.does('echo "${system_packages[@]}" "${venv_options[@]}"')
    assert done.stdout.split() == ["tesseract-ocr"]


def test_a_pi_gets_camera_and_pins_from_apt_and_an_environment_that_sees_them(machine: Machine) -> None:
    done = machine.does('echo "${system_packages[@]}" "${venv_options[@]}"', COMPANION_PI="1")
    given = done.stdout.split()
    assert {"python3-picamera2", "python3-gpiozero", "python3-lgpio", "tesseract-ocr"} <= set(given)
    assert given[-1] == "--system-site-packages"


def test_on_a_pi_no_other_numpy_comes_before_the_one_that_its_camera_was_built_for(machine: Machine) -> None:
    machine.has("python3", "echo numpy==1.24.2")
    assert machine.does("keep_system_numpy", COMPANION_PI="1").stdout == "numpy==1.24.2\n"
    assert machine.does("keep_system_numpy").stdout == ""


@pytest.mark.parametrize("options", [["--install", "--port", "90"], ["--uninstall", "now"]])
def test_install_takes_no_other_options(options: list[str]) -> None:
    done = subprocess.run([ROOT / "run", *options], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "Usage: ./run --install | --uninstall\n"


@pytest.mark.parametrize("script", ["run", "test", "scripts/setup.sh", "systemd/install.sh"])
def test_the_scripts_are_good_bash(script: str) -> None:
    assert subprocess.run(["bash", "-n", ROOT / script], check=False).returncode == 0
