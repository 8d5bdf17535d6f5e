"""What the doctor looks at outside the companion: files of the system and other programmes' answers."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path


class Machine:
    """The machine as it is; a test gives one with another root and other answers."""

    root = Path("/")

    def text(self, path: str) -> str | None:
        """What a file of the system says; None if it is not there or not ours to read."""
        try:
            return (self.root / path.lstrip("/")).read_text("utf-8", "replace").strip("\0\n ")
        except OSError:
            return None

    def there(self, path: str) -> bool:
        return (self.root / path.lstrip("/")).exists()

    def ask(self, *command: str) -> str | None:
        """What a programme answers; None if it is not there or fails."""
        if shutil.which(command[0]) is None:
            return None
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=10, check=True, errors="replace")
        except (OSError, subprocess.SubprocessError):
            return None
        return done.stdout.strip()

    @property
    def model(self) -> str:
        """Which Pi this is; "" if it is none."""
        model = self.text("/proc/device-tree/model") or ""
        return model if "Raspberry Pi" in model else ""
