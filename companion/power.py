"""Switching the machine off when the buttons ask for it."""

from __future__ import annotations

import logging
import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

log = logging.getLogger(__name__)

WISH = "power-off"
"""A service has no right to switch off: it leaves this file in its runtime folder, and systemd does the rest."""


def switch_off(command: Sequence[str], environment: Mapping[str, str] = os.environ) -> bool:
    """Ask for the machine to be switched off; whether somebody will now stop us (otherwise stop by yourself)."""
    folder = environment.get("RUNTIME_DIRECTORY", "").split(":")[0]
    try:
        if folder:
            Path(folder, WISH).touch()
            return True
        if command:
            subprocess.run(command, check=True, timeout=10, stdin=subprocess.DEVNULL, capture_output=True)
    except (OSError, subprocess.SubprocessError) as error:
        log.error("The machine could not be switched off: %s", error)
    return False
