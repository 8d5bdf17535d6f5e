"""`companion doctor`: each part ok, or with the step that mends it."""

from __future__ import annotations

import os
import sys
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli_station import doctor
from companion.data_folder import hold
from companion.doctor import CHECKS, Finding, Patient, examine
from companion.machine import Machine
from companion.report import collect_scans, lay_down, without_secrets, write_bundle
from companion.settings import CameraSettings, PanelSettings, Settings
from tests.companion.box import open_box
from tests.vision import fake_picamera2
from tests.vision.fake_picamera2 import Picamera2


class OtherMachine(Machine):
    """A machine made up of a folder and of answers."""

    def __init__(self, root: Path, **answers: str) -> None:
        self.root = root
        self._answers = {name.replace("_", " "): answer for name, answer in answers.items()}

    def put(self, path: str, text: str) -> OtherMachine:
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text)
        return self

    def ask(self, *command: str) -> str | None:
        known = [
            answer for name, answer in self._answers.items() if " ".join(command).replace("--", "").startswith(name)
        ]
        return known[0] if known else None


def a_pi(tmp_path: Path, **answers: str) -> OtherMachine:
    return OtherMachine(tmp_path / "root", **answers).put("proc/device-tree/model", "Raspberry Pi 4 Model B Rev 1.4\0")


def a_laptop(tmp_path: Path, **answers: str) -> OtherMachine:
    return OtherMachine(tmp_path / "root", **answers)


def look(part: str, machine: Machine, data: Path, settings: Settings | None = None, now: float = 2e9) -> Finding:
    return CHECKS[part](Patient(data, settings or Settings(), machine, now=lambda: now))


def test_one_line_a_part_each_with_a_verdict(tmp_path: Path) -> None:
    findings = list(examine(tmp_path, a_laptop(tmp_path)))
    assert [finding.part for finding in findings] == ["configuration", *CHECKS]
    for finding in findings:
        assert "\n" not in str(finding)
        assert finding.verdict == "ok" or finding.mend


def test_a_wrong_configuration_is_a_fault_and_the_other_parts_are_looked_at(tmp_path: Path) -> None:
    (tmp_path / "companion.toml").write_text("[network]\nport = 'x'\n")
    findings = list(examine(tmp_path, a_laptop(tmp_path)))
    assert findings[0].verdict == "fault"
    assert "line 2" in findings[0].said
    assert len(findings) == len(CHECKS) + 1


def test_a_check_that_breaks_is_a_fault_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(_patient: Patient) -> Finding:
        raise OSError("no such thing")

    monkeypatch.setitem(CHECKS, "clock", breaks)
    found = {finding.part: finding for finding in examine(tmp_path, a_laptop(tmp_path))}
    assert (found["clock"].verdict, found["power"].verdict) == ("fault", "ok")


def test_tesseract_missing_is_a_warning_with_what_to_install(tmp_path: Path) -> None:
    finding = look("OCR", a_laptop(tmp_path), tmp_path)
    assert (finding.verdict, finding.mend) == ("warning", "sudo apt install tesseract-ocr")


def test_tesseract_without_its_language_says_what_to_install(tmp_path: Path) -> None:
    machine = a_laptop(tmp_path, tesseract_version="tesseract 5.3.0", tesseract_list_langs="osd")
    assert look("OCR", machine, tmp_path).mend == "sudo apt install tesseract-ocr-eng"


def test_tesseract_with_its_language_is_fine(tmp_path: Path) -> None:
    machine = OtherMachine(
        tmp_path, **{"tesseract version": "tesseract 5.3.0\n leptonica", "tesseract list-langs": "x\neng"}
    )
    assert look("OCR", machine, tmp_path) == Finding("OCR", "ok", "tesseract 5.3.0")


def test_no_camera_is_a_warning_where_none_was_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    monkeypatch.setattr("vision.cameras.usb.usb_cameras", list)
    assert look("camera", a_laptop(tmp_path), tmp_path).verdict == "warning"
    wanted = Settings(camera=CameraSettings(use="usb:1"))
    assert look("camera", a_laptop(tmp_path), tmp_path, wanted) == Finding(
        "camera", "fault", "usb:1 is not there", "plug it in"
    )


def test_the_pi_s_camera_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", fake_picamera2.module(Picamera2))
    assert look("camera", a_pi(tmp_path), tmp_path) == Finding("camera", "ok", "Pi camera imx708")


def test_pins_that_cannot_be_reached_are_a_fault(tmp_path: Path) -> None:
    finding = look("panel", a_pi(tmp_path), tmp_path, Settings(panel=PanelSettings(use="gpio")))
    assert finding.verdict == "fault"
    assert "python3-lgpio" in finding.said


def test_the_panel_of_a_table_that_runs_is_left_alone(tmp_path: Path) -> None:
    held = hold(tmp_path)
    assert look("panel", a_pi(tmp_path), tmp_path).said == "in the hands of the table that runs"
    held.release()


def test_a_damaged_journal_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "journal.sqlite").write_bytes(b"SQLite format 3\0" + b"\1" * 5000)
    finding = look("data folder", a_laptop(tmp_path), tmp_path)
    assert finding.verdict == "fault"
    assert "the journal is damaged" in finding.said


@pytest.mark.parametrize(("free", "verdict"), [(10_000_000, "fault"), (100_000_000, "warning"), (10**10, "ok")])
def test_a_disk_without_space_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free: int, verdict: str) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda _path: type("Usage", (), {"free": free}))
    assert look("data folder", a_laptop(tmp_path), tmp_path).verdict == verdict


def test_looking_at_a_data_folder_leaves_nothing_behind(tmp_path: Path) -> None:
    data = tmp_path / "data"
    assert look("data folder", a_laptop(tmp_path), data).verdict == "ok"
    assert not data.exists()
    data.mkdir()
    assert look("data folder", a_laptop(tmp_path), data).verdict == "ok"
    assert list(data.iterdir()) == []


def test_a_data_folder_that_may_not_be_written_is_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda *_asked: False)
    assert look("data folder", a_laptop(tmp_path), tmp_path).said.endswith("may not be written")


def test_a_data_folder_that_is_a_file_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("")
    assert look("data folder", a_laptop(tmp_path), tmp_path / "data").verdict == "fault"


@pytest.mark.parametrize(("sectors", "verdict"), [(2_000_000, "ok"), (200_000_000, "warning")])
def test_card_wear_is_told_by_what_is_written_a_day(tmp_path: Path, sectors: int, verdict: str) -> None:
    device = tmp_path.stat().st_dev
    machine = a_pi(tmp_path).put("proc/uptime", "86400.00 300000.00")
    machine.put(f"sys/dev/block/{os.major(device)}:{os.minor(device)}/stat", f"1 2 3 4 5 6 {sectors} 8")
    finding = look("card wear", machine, tmp_path)
    assert finding.verdict == verdict
    assert f"{sectors * 512 // 1_000_000} MB a day" in finding.said


def test_a_clock_that_was_never_set_is_a_warning(tmp_path: Path) -> None:
    assert look("clock", a_laptop(tmp_path), tmp_path, now=1000.0).verdict == "warning"
    assert look("clock", a_laptop(tmp_path), tmp_path, now=1.9e9).verdict == "ok"


def test_a_clock_before_the_last_command_is_a_warning(tmp_path: Path) -> None:
    with open_box(tmp_path) as box:
        box.wall = 1.8e9
        box.new_game()
    assert look("clock", a_laptop(tmp_path), tmp_path, now=1.79e9).said.endswith(
        "before the last command of the record"
    )
    assert look("clock", a_laptop(tmp_path), tmp_path, now=1.81e9).verdict == "ok"


def test_a_clock_that_the_network_does_not_keep_is_a_warning(tmp_path: Path) -> None:
    assert look("clock", a_laptop(tmp_path, timedatectl="no"), tmp_path).mend == "sudo timedatectl set-ntp true"


def test_a_name_that_nobody_announces_is_a_warning(tmp_path: Path) -> None:
    machine = a_laptop(tmp_path)
    assert look("network name", machine, tmp_path).mend == "sudo apt install avahi-daemon"
    assert look("network name", machine.put("run/avahi-daemon/socket", ""), tmp_path).verdict == "ok"


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [("throttled=0x0", "ok"), ("throttled=0x50000", "warning"), ("throttled=0x50005", "fault"), ("what?", "warning")],
)
def test_too_little_voltage_on_a_pi_is_said(tmp_path: Path, answer: str, verdict: str) -> None:
    assert look("power", a_pi(tmp_path, vcgencmd=answer), tmp_path).verdict == verdict


def test_the_exit_code_is_1_only_when_there_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "companion.toml").write_text('[camera]\nuse = "none"\n[panel]\nuse = "none"\n')
    assert CliRunner().invoke(doctor, ["--data", str(tmp_path)]).exit_code == 0
    (tmp_path / "companion.toml").write_text('[camera]\nuse = "folder:/nowhere"\n')
    assert CliRunner().invoke(doctor, ["--data", str(tmp_path)]).exit_code == 1


def test_a_bundle_holds_what_a_report_needs_and_no_secret(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with open_box(data) as box:
        box.new_game()
        box.press("scan")
        lay_down(data, box.desk.kept)
        (data / "companion.toml").write_text('[network]\njoin_code = "SECRET42"\nport = 0\n')
        (data / "companion.log").write_text("INFO something happened\n")
        scans = sorted((data / "report").iterdir())
        assert [path.suffix for path in scans] == [".jpg", ".json", ""]
        photo = box.desk.kept[0].photo
    report = tmp_path / "report.zip"
    write_bundle(report, data, [Finding("camera", "ok", "there")], a_laptop(tmp_path))
    with zipfile.ZipFile(report) as bundle:
        assert {"doctor.txt", "versions.txt", "companion.toml", "journal.sqlite", "logs/companion.log"} <= set(
            bundle.namelist()
        )
        assert b"SECRET42" not in b"".join(bundle.read(name) for name in bundle.namelist())
        assert not any("seats" in name for name in bundle.namelist())
        assert bundle.read("doctor.txt") == b"ok       camera: there\n"
    assert photo[:2] == b"\xff\xd8"
    assert not (data / "report").exists()


def test_a_bundle_is_never_written_over_another_file(tmp_path: Path) -> None:
    (tmp_path / "report.zip").write_text("mine")
    result = CliRunner().invoke(doctor, ["--data", str(tmp_path), "--bundle", str(tmp_path / "report.zip")])
    assert (result.exit_code, (tmp_path / "report.zip").read_text()) == (1, "mine")
    assert result.output.endswith("report.zip is there already and is left as it is.\n")


def test_a_bundle_of_a_damaged_journal_keeps_it_as_it_lies_there(tmp_path: Path) -> None:
    (tmp_path / "journal.sqlite").write_bytes(b"nothing of the kind")
    write_bundle(tmp_path / "report.zip", tmp_path, [], a_laptop(tmp_path))
    with zipfile.ZipFile(tmp_path / "report.zip") as bundle:
        assert bundle.read("journal.sqlite") == b"nothing of the kind"


def test_without_a_table_that_runs_there_are_no_scans(tmp_path: Path) -> None:
    assert collect_scans(tmp_path) == []


@pytest.mark.parametrize("line", ['join_code = "abc"', "  join_code='abc'  # mine", '"join_code" = "abc"'])
def test_the_join_code_is_left_out_however_it_is_written(line: str) -> None:
    assert "abc" not in without_secrets(f"[network]\n{line}\nport = 1\n")
