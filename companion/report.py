"""A bundle for a bug report: all that is needed to see what happened, and nothing that opens a door."""

from __future__ import annotations

import json
import os
import platform
import re
import signal
import sqlite3
import tempfile
import time
import zipfile
from collections.abc import Iterable
from contextlib import closing, suppress
from importlib.metadata import distributions
from pathlib import Path
from typing import TYPE_CHECKING

from companion.data_folder import JOURNAL_FILE, LOG_FILE, holder
from companion.machine import Machine
from companion.settings import FILE, WrongSettings, read

if TYPE_CHECKING:
    from companion.doctor import Finding
    from companion.scan import DeskScan

SCANS = "report"
"""Where a running table lays its scans down when it is asked to."""
COMPLETE = "complete"
PATIENCE = 5.0
LOG_LINES = "2000"


def write_bundle(target: Path, data: Path, findings: Iterable[Finding], machine: Machine | None = None) -> int:
    """Write the zip; how many scans are in it. OSError if it cannot be written."""
    machine = machine or Machine()
    scans = collect_scans(data)
    with zipfile.ZipFile(target, "x", zipfile.ZIP_DEFLATED) as bundle:
        bundle.writestr("doctor.txt", "\n".join(map(str, findings)) + "\n")
        bundle.writestr("versions.txt", _versions(machine))
        with suppress(OSError):
            bundle.writestr(FILE, without_secrets((data / FILE).read_text("utf-8", "replace")))
        journal = _copy_of(data / JOURNAL_FILE)
        if journal is not None:
            bundle.writestr(JOURNAL_FILE, journal)
        for name in (LOG_FILE, f"{LOG_FILE}.1"):
            with suppress(OSError):
                bundle.writestr(f"logs/{name}", (data / name).read_bytes())
        service = machine.ask("journalctl", "-u", "table-companion", "-n", LOG_LINES, "--no-pager", "-o", "short-iso")
        if service:
            bundle.writestr("logs/service.log", service)
        for path in scans:
            bundle.write(path, f"scans/{path.name}")
    _forget(data / SCANS)
    return sum(path.suffix == ".json" for path in scans)


def collect_scans(data: Path) -> list[Path]:
    """The last scans of the table that runs on this folder: it is asked to lay them down. None if none runs."""
    folder = data / SCANS
    _forget(folder)
    process = holder(data)
    if process is None:
        return []
    try:
        os.kill(process, signal.SIGUSR1)
    except OSError:
        return []
    end = time.monotonic() + PATIENCE
    while not (folder / COMPLETE).exists() and time.monotonic() < end:
        time.sleep(0.05)
    return sorted(path for path in folder.glob("*") if path.suffix in (".jpg", ".json")) if folder.is_dir() else []


def lay_down(data: Path, scans: Iterable[DeskScan]) -> None:
    """Write the scans in memory as files: each photograph as it was read, and what was read in it."""
    folder = data / SCANS
    folder.mkdir(exist_ok=True)
    for number, scan in enumerate(scans, start=1):
        stem = folder / f"{number}-{scan.id}"
        stem.with_suffix(".jpg").write_bytes(scan.photo)
        stem.with_suffix(".json").write_text(json.dumps(scan.to_json(), indent=1), "utf-8")
    (folder / COMPLETE).touch()


def without_secrets(text: str) -> str:
    """The configuration without its join code, however it was written."""
    with suppress(WrongSettings):
        if code := read(text, Path(FILE)).network.join_code:
            text = text.replace(code, "")
    return re.sub(r"""(?m)(join_code["']?\s*=).*$""", r'\1 "(left out)"', text)


def _versions(machine: Machine) -> str:
    packages = sorted({f"{found.metadata['Name']} {found.version}" for found in distributions()}, key=str.lower)
    system = (machine.text("/etc/os-release") or "").splitlines()[:1]
    return (
        "\n".join([f"Python {platform.python_version()}", platform.platform(), *system, machine.model, *packages])
        + "\n"
    )


def _copy_of(journal: Path) -> bytes | None:
    """The journal as it is at one moment, while the table may be writing it; as it lies there if it is damaged."""
    if not journal.exists():
        return None
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "copy.sqlite")
        try:
            with (
                closing(sqlite3.connect(f"file:{journal}?mode=ro", uri=True, timeout=5)) as source,
                closing(sqlite3.connect(copy)) as target,
            ):
                source.backup(target)
            return copy.read_bytes()
        except sqlite3.Error:
            with suppress(OSError):
                return journal.read_bytes()
    return None


def _forget(folder: Path) -> None:
    if folder.is_dir():
        for path in folder.iterdir():
            with suppress(OSError):
                path.unlink()
        with suppress(OSError):
            folder.rmdir()
