"""The configuration file: every value checked, with the line that is wrong; sensible without any file."""

from __future__ import annotations

import re
import tomllib
from importlib import resources
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from hardware.pins import Pins, WrongPins, check
from vision.cameras.choice import CameraChoice, WrongCamera

FILE = "companion.toml"
"""Its name in the data folder."""

SAMPLE = (resources.files("companion") / FILE).read_text("utf-8")
"""The file as shipped: every value with its default and what it means."""

LARGEST_FILE = 256 * 1024


class WrongSettings(Exception):
    """A configuration that cannot be used: the file, the line and the reason."""

    def __init__(self, path: Path, line: int, reason: str) -> None:
        super().__init__(f"{path}, line {line}: {reason}.")
        self.path = path
        self.line = line
        self.reason = reason


class _Section(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table of the file; a key that it does not know is an error."""


class Network(_Section, frozen=True):
    host: Annotated[str, msgspec.Meta(min_length=1, max_length=255)] = "0.0.0.0"
    port: Annotated[int, msgspec.Meta(ge=0, le=65535)] = 8080
    join_code: Annotated[str, msgspec.Meta(pattern=r"^([A-Za-z0-9][A-Za-z0-9_-]{2,63})?$")] = ""
    names: Annotated[
        tuple[Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9.-]{1,253}$")], ...], msgspec.Meta(max_length=20)
    ] = ()


class CameraSettings(_Section, frozen=True):
    use: str = "auto"
    width: Annotated[int, msgspec.Meta(ge=640, le=4608)] = 2304
    height: Annotated[int, msgspec.Meta(ge=480, le=3456)] = 1296
    watch: bool = True
    frames_a_second: Annotated[int, msgspec.Meta(ge=1, le=15)] = 5
    set: Annotated[str, msgspec.Meta(max_length=100)] = ""


PanelChoice = Literal["auto", "gpio", "mock", "none"]


class PanelSettings(_Section, frozen=True):
    use: PanelChoice = "auto"
    power_off: Annotated[tuple[str, ...], msgspec.Meta(max_length=20)] = ("systemctl", "poweroff")
    pins: Pins = Pins()


class RecordSettings(_Section, frozen=True):
    scans: Annotated[int, msgspec.Meta(ge=1, le=20)] = 5


class Settings(_Section, frozen=True):
    """All of it. A table or a key that the file leaves out has its default."""

    network: Network = Network()
    camera: CameraSettings = CameraSettings()
    panel: PanelSettings = PanelSettings()
    record: RecordSettings = RecordSettings()


def load(path: Path, must_be_there: bool = False) -> Settings:
    """The settings in a file, or the defaults where there is none; WrongSettings says file, line and reason."""
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
        text = data.decode("utf-8")
    except FileNotFoundError:
        if must_be_there:
            raise WrongSettings(path, 1, "there is no such file") from None
        return Settings()
    except UnicodeDecodeError as error:
        raise WrongSettings(path, data.count(b"\n", 0, error.start) + 1, "this is not UTF-8 text") from None
    except (OSError, ValueError) as error:
        raise WrongSettings(path, 1, getattr(error, "strerror", None) or str(error)) from None
    if len(data) > LARGEST_FILE:
        raise WrongSettings(path, 1, "this is too long for a configuration")
    return read(text, path)


def read(text: str, path: Path) -> Settings:
    """The settings in this text."""
    try:
        settings = msgspec.convert(_tables(text, path), Settings)
    except msgspec.ValidationError as error:
        keys, reason = _explain(str(error))
        raise WrongSettings(path, _line_of(text, keys), reason) from None
    try:
        CameraChoice.parse(settings.camera.use)
        check(settings.panel.pins)
    except WrongCamera as wrong:
        raise WrongSettings(path, _line_of(text, ["camera", "use"]), str(wrong).rstrip(".")) from None
    except WrongPins as wrong:
        raise WrongSettings(path, _line_of(text, ["panel", "pins", wrong.key]), str(wrong)) from None
    return settings


def _tables(text: str, path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"at line (\d+)", str(error))
        reason = str(error).split(" (at ")[0]
        raise WrongSettings(path, int(line[1]) if line else text.count("\n") + 1, reason) from None
    except RecursionError:
        raise WrongSettings(path, 1, "this is nested too deeply") from None


def _explain(error: str) -> tuple[list[str], str]:
    """Where (the keys that lead there) and why, in an owner's words."""
    reason, _, where = error.partition(" - at ")
    keys = re.findall(r"\w+", re.sub(r"\[[^]]*\]", "", where))
    if unknown := re.search(r"unknown field `(.*)`", reason):
        known: Any = Settings
        for key in keys:
            known = next(field.type for field in msgspec.structs.fields(known) if field.name == key)
        takes = ", ".join(field.name for field in msgspec.structs.fields(known))
        return [*keys, unknown[1]], f"there is no {unknown[1]!r} here; what there is: {takes}"
    reason = reason.replace("`", "")
    return keys, f"{'.'.join(keys)}: {reason[:1].lower()}{reason[1:]}" if keys else reason


def _line_of(text: str, keys: list[str]) -> int:
    """The line that sets these keys, or the table that they are in; the first line if it is written otherwise."""
    *tables, last = keys or [""]
    table: list[str] = []
    header = 1
    for number, line in enumerate(text.split("\n"), start=1):
        if opened := re.match(r"\s*\[\s*([^\]]*?)\s*\]", line):
            table = [part.strip(" \"'") for part in opened[1].split(".")]
            if table == keys:
                return number
            if table and table == tables[: len(table)]:
                header = number
        elif table == tables and re.match(rf"""\s*["']?{re.escape(last)}["']?\s*[=.]""", line):
            return number
    return header
