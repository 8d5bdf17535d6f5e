"""What may break at a table: each time the game goes on, says so, and takes back what comes back."""

from __future__ import annotations

import errno
import http.client
import os
import socket
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin
from msgspec.structs import replace

from companion.data_folder import CannotStart, hold, holder
from companion.eyes import SIMULATED_SEED
from companion.settings import CameraSettings, Network, PanelSettings, Settings
from companion.station import Outside, Station
from tests.companion.box import PATIENCE, Box, open_box
from vision.pergamon.box import SimulatedBox

FINDS = ("V10J1", "J20M2", "M30B3", "B40V4", "V50M5")
ALONE = Settings(network=Network(host="127.0.0.1", port=0), panel=PanelSettings(use="none"))
NO_CAMERA = replace(ALONE, camera=replace(ALONE.camera, use="none"))


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Box]:
    with open_box(tmp_path) as box:
        box.new_game()
        yield box


def test_camera_gone_the_game_goes_on_by_hand_and_says_so(box: Box) -> None:
    box.camera.there = False
    box.until_sight("away")
    assert box.situation == "by_hand"
    assert box.station.status()["camera"]["message"] == "The camera was unplugged: plug it in again."
    box.press("scan")
    assert box.status == "red"
    box.do("lay_out", finds=FINDS)
    assert box.phase == "draw_funds"


def test_camera_back_it_is_taken_back(box: Box) -> None:
    box.camera.there = False
    box.until_sight("away")
    box.camera.there = True
    box.until_sight("ready")
    assert box.situation == "pieces"
    box.press("scan")
    box.press("next")
    assert box.phase == "draw_funds"


def test_camera_hangs_the_page_and_the_buttons_go_on(box: Box) -> None:
    box.wait(1)
    box.camera.hang()
    box.down("scan")
    box.wait(0.1)
    assert box.camera.hangs.wait(PATIENCE)
    assert _healthy(box.station)
    box.wait(100)
    box.station.attendant.finish()
    assert box.eye.state.sight == "hanging"
    assert "hangs" in box.station.status()["camera"]["message"]
    box.wait(0)
    assert box.status == "red"
    box.up("scan")
    box.wait(3)
    assert box.situation == "by_hand"
    box.do("lay_out", finds=FINDS)
    box.hold_undo()
    assert box.phase == "lay_out"


def test_camera_that_hung_is_taken_back_when_it_answers(box: Box) -> None:
    box.camera.hang()
    assert box.camera.hangs.wait(PATIENCE)
    box.wait(100)
    box.until_sight("hanging")
    box.camera.answers.set()
    box.wait(100)
    box.until_sight("ready")
    assert box.situation == "pieces"


def _healthy(station: Station) -> bool:
    caller = http.client.HTTPConnection("127.0.0.1", station.server.port, timeout=PATIENCE)
    caller.request("GET", "/api/table")
    answer = caller.getresponse()
    answer.read()
    caller.close()
    return answer.status == 200


class BusyPin(MockPWMPin):  # type: ignore[misc]  # gpiozero has no types
    """A pin that another programme holds."""

    def _set_function(self, value: str) -> None:
        if value == "output":
            raise RuntimeError("'GPIO busy'")
        super()._set_function(value)


def test_pin_busy_the_table_runs_without_its_panel_and_says_so(tmp_path: Path) -> None:
    settings = replace(NO_CAMERA, panel=PanelSettings(use="gpio"))
    station = Station(tmp_path, settings, Outside(pins=MockFactory(pin_class=BusyPin)))
    station.start()
    try:
        assert station.panel is None
        assert "A pin is used by something else" in station.status()["panel"]["message"]
        assert _healthy(station)
    finally:
        station.stop()


class FullDisk:
    """A database whose disk takes nothing more."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def execute(self, statement: str, *args: Any) -> Any:
        if statement.startswith("INSERT"):
            raise sqlite3.OperationalError("database or disk is full")
        return self._db.execute(statement, *args)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._db, name)


def test_disk_full_nothing_is_confirmed_the_light_says_fault_and_it_goes_on_when_there_is_space(box: Box) -> None:
    box.press("scan")
    journal = box.station.journal
    db = journal._db
    journal._db = FullDisk(db)  # type: ignore[assignment]  # stands in for a disk
    version = box.table.now.version
    box.press("next")
    assert (box.situation, box.phase, box.table.now.version) == ("fault", "lay_out", version)
    assert "full" in box.station.status()["record"]["message"]
    assert _healthy(box.station)
    journal._db = db
    box.wait(11)
    assert box.situation == "confirm"
    box.press("next")
    assert (box.situation, box.phase) == ("pieces", "draw_funds")
    assert box.station.status()["record"]["ok"]


def test_tesseract_missing_the_table_reads_on_and_is_not_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.digits._tesseract", lambda: None)
    settings = Settings(camera=CameraSettings(width=1280, height=720))
    with open_box(tmp_path, settings, simulated=True) as box:
        moment = box.new_game()
        scan = box.desk.scan_camera()
        assert moment.game is not None
        expected = moment.game.expected(moment.state)
        assert expected is not None
        lying = SimulatedBox(SIMULATED_SEED).draw(expected)
        assert len(scan.reading.pieces) == len(lying)
        assert set(scan.codes) <= set(lying)


@pytest.mark.parametrize("reason", [errno.EACCES, errno.EROFS])
def test_data_folder_read_only_is_a_clear_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reason: int) -> None:
    def read_only(*_args: object) -> int:
        raise OSError(reason, os.strerror(reason))

    monkeypatch.setattr(os, "open", read_only)
    monkeypatch.setattr(os, "access", lambda *_asked: False)
    with pytest.raises(CannotStart, match="may not be written: change its rights, or choose another one with --data"):
        hold(tmp_path)


def test_data_folder_that_is_a_file_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("")
    with pytest.raises(CannotStart, match="is not a folder"):
        hold(tmp_path / "data")


def test_data_folder_in_use_names_the_process_and_is_free_afterwards(tmp_path: Path) -> None:
    held = hold(tmp_path)
    assert holder(tmp_path) == os.getpid()
    with pytest.raises(CannotStart, match=rf"Another companion \(process {os.getpid()}\) is using the data folder"):
        hold(tmp_path)
    held.release()
    assert holder(tmp_path) is None
    hold(tmp_path).release()


def test_a_lock_that_another_user_left_behind_does_not_keep_the_table_from_starting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "in-use.lock").write_text("1\n")
    really_open = os.open

    def may_only_read(path: Path, flags: int, *mode: int) -> int:
        if flags & os.O_RDWR:
            raise PermissionError(errno.EACCES, "Permission denied")
        return really_open(path, flags, *mode)

    monkeypatch.setattr(os, "open", may_only_read)
    held = hold(tmp_path)
    with pytest.raises(CannotStart, match="is using the data folder"):
        hold(tmp_path)
    held.release()


def test_port_taken_is_a_clear_error_and_lets_the_data_folder_go(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(CannotStart, match=f"Port {port} is taken by another program"):
            Station(tmp_path, replace(NO_CAMERA, network=Network(host="127.0.0.1", port=port)))
    assert holder(tmp_path) is None


@pytest.mark.parametrize("jump", [3600.0, -3600.0])
def test_clock_jumping_an_hour_harms_nothing(box: Box, jump: float) -> None:
    box.press("scan")
    box.wall += jump
    box.wait(1)
    assert (box.situation, box.eye.state.sight) == ("confirm", "ready")
    box.press("next")
    box.hold_undo()
    assert box.phase == "lay_out"
    assert [b'"do":"lay_out"' in line for line in box.table.journal.lines(1)] == [False, True, False]


def test_no_camera_at_all_is_no_trouble(tmp_path: Path) -> None:
    station = Station(tmp_path, NO_CAMERA)
    station.start()
    try:
        assert station.status()["camera"] == {"sight": "none"}
        assert not station.desk.camera
    finally:
        station.stop()


def test_a_part_that_fails_while_it_is_looked_after_stops_nobody(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise RuntimeError

    monkeypatch.setattr(box.eye, "check", fail)
    box.station.look_after()
    assert _healthy(box.station)


def test_a_page_that_does_not_answer_gives_no_sign_of_life(box: Box) -> None:
    assert box.station.answers()
    box.station.server.stop()
    assert not box.station.answers()
