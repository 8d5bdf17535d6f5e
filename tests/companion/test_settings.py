"""The configuration file: every value documented and checked, sensible without any file."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.settings import LARGEST_FILE, SAMPLE, Settings, WrongSettings, load, read

FILE = Path("companion.toml")


def wrong(text: str) -> tuple[int, str]:
    """The line and the reason for which this text is refused."""
    with pytest.raises(WrongSettings) as error:
        read(text, FILE)
    assert str(error.value).startswith(f"companion.toml, line {error.value.line}: ")
    return error.value.line, error.value.reason


def test_without_a_file_everything_has_its_default(tmp_path: Path) -> None:
    assert load(tmp_path / "companion.toml") == Settings()


def test_a_file_that_was_named_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(WrongSettings, match="there is no such file"):
        load(tmp_path / "my.toml", must_be_there=True)


def test_the_sample_says_every_value_as_it_is_without_a_file() -> None:
    assert read(SAMPLE, FILE) == Settings()
    assert _keys(tomllib.loads(SAMPLE)) == _keys(msgspec.to_builtins(Settings())) - {"panel.pins.buzzer"}


def test_the_sample_explains_every_value_in_the_line_above_it() -> None:
    lines = SAMPLE.splitlines()
    for number, line in enumerate(lines):
        if re.match(r"(# )?\w+ =", line):
            above = lines[number - 1]
            assert above.startswith("#") or "=" in above, line


def _keys(tables: dict[str, Any], path: str = "") -> set[str]:
    found = set()
    for key, value in tables.items():
        found |= _keys(value, f"{path}{key}.") if isinstance(value, dict) else {path + key}
    return found


def test_a_file_may_say_just_what_differs(tmp_path: Path) -> None:
    (tmp_path / "companion.toml").write_text("[network]\nport = 80\n")
    settings = load(tmp_path / "companion.toml")
    assert (settings.network.port, settings.camera.use) == (80, "auto")


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("[network]\n\nport = 99999", 3, "network.port: expected int <= 65535"),
        ("[network]\nport = '80'", 2, "network.port: expected int, got str"),
        ("[network]\nprot = 80", 2, "there is no 'prot' here; what there is: host, port, join_code, names"),
        ("[netwrok]\nport = 80", 1, "there is no 'netwrok' here; what there is: network, camera, panel, record"),
        ("[network]\njoin_code = 'a b'", 2, "network.join_code"),
        ("[network]\nnames = ['ok', 'not ok']", 2, "network.names"),
        ("[camera]\nwatch = 1", 2, "camera.watch: expected bool, got int"),
        ("[camera]\nuse = 'webcam'", 2, "There is no camera 'webcam'. Cameras are auto, picamera2"),
        ("[camera]\nframes_a_second = 60", 2, "camera.frames_a_second: expected int <= 15"),
        ("[panel]\nuse = 'gpoi'", 2, "panel.use: invalid enum value 'gpoi'"),
        ("[panel.pins]\nscan = 5", 2, "scan: GPIO 5 is used twice, here and by places"),
        ("[panel]\nuse = 'none'\n[panel.pins]\nnext = 40", 4, "next: GPIO 40 is not on the Pi's header"),
        ("[panel.pins]\nplaces = [5, 6]", 2, "panel.pins.places: expected array of length >= 5"),
        ("[record]\nscans = 0", 2, "record.scans: expected int >= 1"),
        ("[network]\nport = 80\nport = 81", 3, "Cannot overwrite a value"),
        ("[network\nport = 80", 1, "Expected ']' at the end of a table declaration"),
        ("network = 5", 1, "network: expected object, got int"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(text: str, line: int, reason: str) -> None:
    found = wrong(text)
    assert found[0] == line
    assert found[1].startswith(reason)


def test_a_file_that_is_not_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "companion.toml"
    path.write_bytes(b"[network]\n\xff\xfe")
    with pytest.raises(WrongSettings, match=r"line 2: this is not UTF-8 text"):
        load(path)


def test_a_folder_in_the_place_of_the_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WrongSettings, match="Is a directory"):
        load(tmp_path)


def test_a_file_that_is_far_too_long_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "companion.toml"
    path.write_text("#" * (LARGEST_FILE + 1))
    with pytest.raises(WrongSettings, match="too long"):
        load(path)


@given(st.text(max_size=200) | st.text("[]=.\"'{}#\n ports12network", max_size=200))
def test_any_text_is_read_or_refused_with_a_line_of_it(text: str) -> None:
    line = 1
    try:
        read(text, FILE)
    except WrongSettings as error:
        line = error.line
    assert 1 <= line <= text.count("\n") + 1
