"""`companion run` as a process of its own: it says when it is ready, answers, and ends when told to."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import cv2
import pytest
from click.testing import CliRunner

from companion.cli_station import doctor, invite, run
from companion.eyes import SimulatedTable
from companion.games.base import Expected
from companion.settings import SAMPLE

PATIENCE = 60.0
ALONE = ("--host", "127.0.0.1", "--port", "0", "--camera", "none", "--panel", "none")


@contextmanager
def running(data: Path, *options: str, **environment: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A table that has said where it is; it is killed in the end if it is still there."""
    process = subprocess.Popen(
        [sys.executable, "-m", "companion", "run", "--data", str(data), *(options or ALONE)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | environment,
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line.startswith("ready: http://"), process.stderr and process.stderr.read()
        yield process, line.removeprefix("ready: ").strip()
    finally:
        process.kill()
        process.communicate()


def get(address: str, path: str) -> int:
    caller = http.client.HTTPConnection(urlsplit(address).netloc, timeout=PATIENCE)
    caller.request("GET", path)
    status = caller.getresponse().status
    caller.close()
    return status


def refused(*args: str) -> tuple[int, str]:
    """The exit code and the one line with which a start is refused."""
    result = CliRunner().invoke(run, list(args))
    assert result.exception is None or isinstance(result.exception, SystemExit)
    *_, last = result.output.strip().splitlines()
    return result.exit_code, last


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_says_once_where_it_is_answers_and_stops_cleanly(tmp_path: Path, number: signal.Signals) -> None:
    with running(tmp_path) as (process, address):
        assert (get(address, "/healthz"), get(address, "/api/table")) == (200, 200)
        process.send_signal(number)
        rest, said = process.communicate(timeout=PATIENCE)
        assert (process.returncode, rest) == (0, "")
        assert "Traceback" not in said


def test_it_stops_cleanly_with_phones_listening(tmp_path: Path) -> None:
    with (
        running(tmp_path) as (process, address),
        socket.create_connection(("127.0.0.1", urlsplit(address).port or 0), PATIENCE) as phone,
    ):
        phone.sendall(b"GET /api/table/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert b"200" in phone.recv(4096)
        process.terminate()
        assert process.wait(PATIENCE) == 0


def test_the_join_code_is_not_said_where_nobody_sits_at_a_terminal(tmp_path: Path) -> None:
    with running(tmp_path, *ALONE, "--join-code", "SECRET42") as (process, _):
        process.terminate()
        out, err = process.communicate(timeout=PATIENCE)
        assert "SECRET42" not in out + err


def test_an_invitation_shows_address_code_and_picture_and_keeps_the_code(tmp_path: Path) -> None:
    said = [CliRunner().invoke(invite, ["--data", str(tmp_path), "--port", "80"]).output for _ in range(2)]
    code = json.loads((tmp_path / "seats.json").read_text("utf-8"))["code"]
    assert f" with the code {code}," in said[0]
    assert "█" in said[0]
    assert said[0] == said[1]


def test_systemd_hears_that_it_is_ready_alive_and_stopping(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(tmp_path / "notify"))
        systemd.settimeout(PATIENCE)
        told = {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "200000"}
        with running(tmp_path / "data", *ALONE, **told) as (process, address):
            assert systemd.recv(200) == f"READY=1\nSTATUS=The table is at {address}".encode()
            assert [systemd.recv(200) for _ in range(3)] == [b"WATCHDOG=1"] * 3
            process.terminate()
            said = systemd.recv(200)
            while said == b"WATCHDOG=1":
                said = systemd.recv(200)
            assert said == b"STOPPING=1"


def test_a_second_companion_in_the_same_folder_is_refused(tmp_path: Path) -> None:
    with running(tmp_path) as (process, _):
        code, said = refused("--data", str(tmp_path), *ALONE)
        assert code == 1
        assert said.startswith(f"Error: Another companion (process {process.pid}) is using the data folder")


def test_a_taken_port_is_refused(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code, said = refused("--data", str(tmp_path), "--host", "127.0.0.1", "--port", str(port), "--camera", "none")
    assert (code, said) == (1, f"Error: Port {port} is taken by another program: choose another one with --port.")


def test_a_damaged_journal_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    journal = tmp_path / "journal.sqlite"
    journal.write_bytes(b"SQLite format 3\0" + bytes(range(256)) * 20)
    before = journal.read_bytes()
    code, said = refused("--data", str(tmp_path), *ALONE)
    assert (code, said[:7]) == (1, "Error: ")
    assert str(journal) in said
    assert journal.read_bytes() == before


def test_a_wrong_configuration_is_refused_with_file_and_line(tmp_path: Path) -> None:
    (tmp_path / "companion.toml").write_text("[network]\nprot = 80\n")
    code, said = refused("--data", str(tmp_path), *ALONE)
    assert code == 1
    assert said.startswith(f"Error: {tmp_path / 'companion.toml'}, line 2: there is no 'prot' here")


def test_a_configuration_that_was_named_must_be_there(tmp_path: Path) -> None:
    code, said = refused("--data", str(tmp_path), "--config", str(tmp_path / "my.toml"), *ALONE)
    assert (code, said) == (1, f"Error: {tmp_path / 'my.toml'}, line 1: there is no such file.")


@pytest.mark.parametrize("options", [("--camera", "webcam"), ("--panel", "buttons"), ("--port", "99999"), ("--what",)])
def test_wrong_usage_is_exit_code_2(tmp_path: Path, options: tuple[str, ...]) -> None:
    assert refused("--data", str(tmp_path), *options)[0] == 2


def test_a_wrong_camera_is_answered_with_those_that_there_are(tmp_path: Path) -> None:
    _, said = refused("--data", str(tmp_path), "--camera", "webcam")
    assert "picamera2, usb, usb:N (N counts from 0), folder:DIR, sim, none" in said


def test_a_join_code_without_letters_or_digits_is_refused(tmp_path: Path) -> None:
    code, said = refused("--data", str(tmp_path), *ALONE, "--join-code", " - ")
    assert (code, said) == (1, "Error: A join code needs letters or digits.")


def test_a_configuration_is_written_once_and_never_over_another(tmp_path: Path) -> None:
    result = CliRunner().invoke(run, ["--data", str(tmp_path), "--write-config"])
    assert result.exit_code == 0
    assert (tmp_path / "companion.toml").read_text() == SAMPLE
    (tmp_path / "companion.toml").write_text("# mine\n")
    code, said = refused("--data", str(tmp_path), "--write-config")
    assert (code, (tmp_path / "companion.toml").read_text()) == (1, "# mine\n")
    assert "left as it is" in said


def test_a_scan_from_a_bug_report_can_be_read_again(tmp_path: Path) -> None:
    """A table that runs gives its last scans to the doctor; the photograph in the bundle reads as it did then."""
    photographs = tmp_path / "photographs"
    photographs.mkdir()
    picture = SimulatedTable(lambda: Expected("finds", 5), (1280, 720)).photograph()
    assert cv2.imwrite(str(photographs / "1.jpg"), picture)
    options = ("--host", "127.0.0.1", "--port", "0", "--panel", "none", "--join-code", "SECRET42")
    with running(tmp_path / "data", *options, "--camera", f"folder:{photographs}") as (_, address):
        seen = _scan(address, "SECRET42")
        bundle = tmp_path / "report.zip"
        told = CliRunner().invoke(doctor, ["--data", str(tmp_path / "data"), "--bundle", str(bundle)])
        assert "with 1 scans" in told.output
    with zipfile.ZipFile(bundle) as report:
        (scan,) = [name for name in report.namelist() if name.endswith(".jpg")]
        report.extract(scan, tmp_path)
        assert not any(b"SECRET42" in report.read(name) for name in report.namelist())
    read = subprocess.run(
        [sys.executable, "-m", "companion", "read", str(tmp_path / scan), "--expect", "finds", "--json"],
        capture_output=True,
        check=True,
    )
    again = json.loads(read.stdout)
    assert [(piece["code"], piece["status"]) for piece in again["pieces"]] == seen
    assert len(seen) == 5


def _scan(address: str, code: str) -> list[tuple[str, str]]:
    """Sit down and scan by the table's camera; what was seen."""
    caller = http.client.HTTPConnection(urlsplit(address).netloc, timeout=60)
    sent = {"Content-Type": "application/json"}
    caller.request("POST", "/api/seats", json.dumps({"code": code}), sent)
    answer = caller.getresponse()
    answer.read()
    sent["Cookie"] = str(answer.headers["Set-Cookie"]).split(";")[0]
    for _ in range(20_000):
        caller.request("POST", "/api/scans", json.dumps({"source": "camera", "expect": "finds"}), sent)
        answer = caller.getresponse()
        told = json.loads(answer.read())
        if answer.status != 503:  # the camera may still be opening
            break
    caller.close()
    return [(piece["code"], piece["status"]) for piece in told["pieces"]]


def test_what_is_typed_goes_before_what_the_file_says(tmp_path: Path) -> None:
    (tmp_path / "companion.toml").write_text('[network]\nhost = "203.0.113.77"\nport = 1\n[camera]\nuse = "none"\n')
    with running(tmp_path, "--host", "127.0.0.1", "--port", "0", "--panel", "none") as (_, address):
        assert get(address, "/healthz") == 200
