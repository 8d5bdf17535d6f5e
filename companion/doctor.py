"""`companion doctor`: looks at one part after the other, and says how to mend what is wrong with it."""

from __future__ import annotations

import os
import re
import shutil
import socket
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Literal, NamedTuple

from companion.data_folder import JOURNAL_FILE, holder
from companion.machine import Machine
from companion.settings import FILE, Settings, WrongSettings, load
from hardware.panel import Panel, PanelTrouble
from vision.cameras.base import CameraTrouble
from vision.cameras.choice import CameraChoice

Verdict = Literal["ok", "warning", "fault"]
MB = 1_000_000
LITTLE_SPACE = 500 * MB
NO_SPACE = 50 * MB
MUCH_WRITTEN = 20_000
"""Megabytes a day: a card of 32 GB rated for 1,000 rounds lasts some four years at that rate."""
SECTOR = 512
LONG_AGO = 1_735_689_600
"""The beginning of 2025: a clock that says an earlier time has not been set."""
NEEDED = ("cv2", "numpy", "flask", "PIL", "pytesseract", "segno", "msgspec")


class Finding(NamedTuple):
    """One line of the doctor's: a part, how it is, and the step that mends it."""

    part: str
    verdict: Verdict
    said: str
    mend: str = ""

    def __str__(self) -> str:
        return f"{self.verdict:<8} {self.part}: {self.said}{f' -> {self.mend}' if self.mend else ''}"


@dataclass(frozen=True)
class Patient:
    """What is looked at: the data folder, its settings (None: they are wrong), the machine around it."""

    data: Path
    settings: Settings | None
    machine: Machine
    now: Callable[[], float] = time.time

    @property
    def running(self) -> int | None:
        """The process of the table, if it runs."""
        return holder(self.data)


def examine(data: Path, machine: Machine | None = None, config: Path | None = None) -> Iterator[Finding]:
    """Every part in turn. A check that fails itself is a fault, and the others go on."""
    settings = None
    path = config or data / FILE
    try:
        settings = load(path, must_be_there=config is not None)
        said = str(path) if path.exists() else "none, everything as it comes"
        yield Finding("configuration", "ok", said)
    except WrongSettings as wrong:
        yield Finding("configuration", "fault", str(wrong), "mend that line, or compare with `run --write-config`")
    patient = Patient(data, settings, machine or Machine())
    for part, check in CHECKS.items():
        try:
            yield check(patient)
        except Exception as error:
            yield Finding(part, "fault", f"could not be looked at ({type(error).__name__}: {error})", "report this")


def python(_patient: Patient) -> Finding:
    missing = [name for name in NEEDED if find_spec(name) is None]
    version = ".".join(map(str, sys.version_info[:3]))
    if missing:
        return Finding(
            "Python", "fault", f"{version}, without {', '.join(missing)}", "run ./run once more: it installs them"
        )
    return Finding("Python", "ok", version)


def camera(patient: Patient) -> Finding:
    from vision.cameras.picamera import pi_cameras
    from vision.cameras.usb import usb_cameras

    choice = CameraChoice.parse(patient.settings.camera.use if patient.settings else "auto")
    if choice.kind in ("none", "sim"):
        return Finding("camera", "ok", f"{choice}, as the configuration says")
    if choice.kind == "folder":
        from vision.cameras.folder import FolderCamera

        try:
            return Finding("camera", "ok", FolderCamera(Path(choice.which)).name)
        except CameraTrouble as trouble:
            return Finding("camera", "fault", str(trouble), "put photographs there")
    on_the_pi = pi_cameras() if choice.kind != "usb" else []
    usb = usb_cameras() if choice.kind != "picamera2" else []
    if on_the_pi:
        return Finding("camera", "ok", f"Pi camera {on_the_pi[0]}")
    if len(usb) > int(choice.which or 0):
        return Finding("camera", "ok", f"USB camera {choice.which or 0} (of {len(usb)})")
    if choice.kind == "auto":
        if patient.machine.model and find_spec("picamera2") is None:
            return Finding(
                "camera", "warning", "Picamera2 is missing", "sudo apt install python3-picamera2, then ./run again"
            )
        return Finding("camera", "warning", "none is there", "plug one in, or photograph with a phone")
    mend = "check the ribbon cable at both ends" if choice.kind == "picamera2" else "plug it in"
    return Finding("camera", "fault", f"{choice} is not there", mend)


def panel(patient: Patient) -> Finding:
    use = patient.settings.panel.use if patient.settings else "auto"
    if use in ("none", "mock") or (use == "auto" and not patient.machine.model):
        said = f"{use}, as the configuration says" if use != "auto" else "not looked for: this is not a Pi"
        return Finding("panel", "ok", said)
    if patient.running:
        return Finding("panel", "ok", "in the hands of the table that runs")
    try:
        Panel((patient.settings or Settings()).panel.pins, lambda _press: None).close()
    except PanelTrouble as trouble:
        return Finding("panel", "fault", str(trouble), "mend the wiring or [panel.pins]; --panel none plays without it")
    return Finding("panel", "ok", "all pins answer")


def ocr(patient: Patient) -> Finding:
    version = patient.machine.ask("tesseract", "--version")
    mend = "sudo apt install tesseract-ocr"
    if version is None:
        return Finding("OCR", "warning", "tesseract is missing: more pieces will be asked about", mend)
    languages = (patient.machine.ask("tesseract", "--list-langs") or "").splitlines()
    if "eng" not in languages:
        return Finding("OCR", "warning", "tesseract has no language data", "sudo apt install tesseract-ocr-eng")
    return Finding("OCR", "ok", version.splitlines()[0])


def data_folder(patient: Patient) -> Finding:
    part = "data folder"
    if not patient.data.exists():
        return Finding(part, "ok", f"{patient.data} is made when the table first starts")
    if not patient.data.is_dir():
        return Finding(part, "fault", f"{patient.data} is not a folder", "choose another one with --data")
    if not os.access(patient.data, os.W_OK | os.X_OK):
        return Finding(part, "fault", f"{patient.data} may not be written", "sudo chown -R it to the user of the table")
    free = shutil.disk_usage(patient.data).free
    said = f"{patient.data}, {free // MB} MB free"
    damage = _damage(patient.data / JOURNAL_FILE)
    if damage:
        return Finding(
            part,
            "fault",
            f"{said}; the journal is damaged: {damage}",
            "run `companion repair`: it saves what can be read, and keeps the damaged files",
        )
    if free < LITTLE_SPACE:
        return Finding(part, "fault" if free < NO_SPACE else "warning", said, "make room on the disk")
    return Finding(part, "ok", said)


def _damage(journal: Path) -> str | None:
    """What SQLite itself finds wrong with the journal."""
    if not journal.exists():
        return None
    try:
        db = sqlite3.connect(f"file:{journal}?mode=ro", uri=True, timeout=5)
        try:
            found = str(db.execute("PRAGMA quick_check(1)").fetchone()[0])
        finally:
            db.close()
    except sqlite3.Error as error:
        return str(error)
    return None if found == "ok" else found


def card_wear(patient: Patient) -> Finding:
    """How much the disk under the data folder has been written to since the machine started."""
    part = "card wear"
    machine, device = patient.machine, patient.data.stat().st_dev if patient.data.exists() else 0
    numbers = (machine.text(f"/sys/dev/block/{os.major(device)}:{os.minor(device)}/stat") or "").split()
    uptime = (machine.text("/proc/uptime") or "").split()
    if len(numbers) < 7 or not uptime:
        return Finding(part, "ok", "not known here: the data folder is on no disk of its own")
    days = max(float(uptime[0]), 3600.0) / 86400
    daily = int(numbers[6]) * SECTOR / MB / days
    said = f"{daily:.0f} MB a day written since the start"
    if daily > MUCH_WRITTEN:
        return Finding(part, "warning", said, "see what writes so much (sudo iotop -ao): the card will not last")
    return Finding(part, "ok", said)


def clock(patient: Patient) -> Finding:
    now = patient.now()
    said = time.strftime("%Y-%m-%d %H:%M", time.localtime(now))
    last = _last_command(patient.data / JOURNAL_FILE)
    if now < LONG_AGO:
        return Finding(
            "clock", "warning", f"{said}: it has not been set", "connect to a network once, or sudo date -s ..."
        )
    if last is not None and now < last - 60:
        return Finding(
            "clock", "warning", f"{said}: before the last command of the record", "set it: games get wrong dates"
        )
    synchronised = patient.machine.ask("timedatectl", "show", "-p", "NTPSynchronized", "--value")
    if synchronised == "no":
        return Finding("clock", "warning", f"{said}, not kept by the network", "sudo timedatectl set-ntp true")
    return Finding("clock", "ok", said)


def _last_command(journal: Path) -> float | None:
    if not journal.exists():
        return None
    try:
        db = sqlite3.connect(f"file:{journal}?mode=ro", uri=True, timeout=5)
        try:
            return float(db.execute("SELECT max(at) FROM commands").fetchone()[0] or 0)
        finally:
            db.close()
    except (sqlite3.Error, TypeError):
        return None


def network_name(patient: Patient) -> Finding:
    part, name = "network name", socket.gethostname().split(".")[0]
    if not re.fullmatch(r"[A-Za-z0-9-]{1,63}", name):
        return Finding(part, "warning", f"{name!r} cannot be called by phones", "sudo hostnamectl set-hostname table")
    if not patient.machine.there("/run/avahi-daemon/socket"):
        return Finding(part, "warning", f"{name}.local is not announced", "sudo apt install avahi-daemon")
    return Finding(part, "ok", f"{name}.local")


def power(patient: Patient) -> Finding:
    if not patient.machine.model:
        return Finding("power", "ok", "not looked at: this is not a Pi")
    answer = patient.machine.ask("vcgencmd", "get_throttled") or ""
    flags = re.fullmatch(r"throttled=0x([0-9a-fA-F]+)", answer)
    if flags is None:
        return Finding("power", "warning", "vcgencmd does not answer", "sudo apt install raspi-utils")
    bits = int(flags[1], 16)
    mend = "use the Pi's own power supply and a short cable"
    if bits & 0x1:
        return Finding("power", "fault", "too little voltage now", mend)
    if bits & 0x10000:
        return Finding("power", "warning", "too little voltage since the start", mend)
    return Finding("power", "ok", patient.machine.model)


def table(patient: Patient) -> Finding:
    if patient.running:
        return Finding("table", "ok", f"runs (process {patient.running})")
    return Finding("table", "ok", "does not run now")


CHECKS: dict[str, Callable[[Patient], Finding]] = {
    "Python": python,
    "camera": camera,
    "panel": panel,
    "OCR": ocr,
    "data folder": data_folder,
    "card wear": card_wear,
    "clock": clock,
    "network name": network_name,
    "power": power,
    "table": table,
}
