"""systemd's notify socket, told on a real one."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.notify import Notifier


@pytest.fixture
def systemd(tmp_path: Path) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(str(tmp_path / "notify"))
        listener.settimeout(5)
        yield listener


def test_readiness_life_status_and_stopping_arrive(systemd: socket.socket) -> None:
    notifier = Notifier({"NOTIFY_SOCKET": systemd.getsockname()})
    notifier.ready("The table is at http://127.0.0.1:80")
    notifier.alive()
    notifier.stopping()
    assert [systemd.recv(200) for _ in range(3)] == [
        b"READY=1\nSTATUS=The table is at http://127.0.0.1:80",
        b"WATCHDOG=1",
        b"STOPPING=1",
    ]


def test_an_abstract_socket_is_reached_too() -> None:
    name = f"companion-test-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(f"\0{name}")
        listener.settimeout(5)
        Notifier({"NOTIFY_SOCKET": f"@{name}"}).alive()
        assert listener.recv(200) == b"WATCHDOG=1"


def test_without_systemd_nothing_happens() -> None:
    notifier = Notifier({})
    notifier.ready("up")
    assert notifier.watchdog is None


def test_a_socket_that_is_gone_does_no_harm(tmp_path: Path) -> None:
    Notifier({"NOTIFY_SOCKET": str(tmp_path / "gone")}).alive()


def test_a_sign_of_life_comes_twice_as_often_as_systemd_asks() -> None:
    assert Notifier({"WATCHDOG_USEC": "30000000"}).watchdog == 15.0
    assert Notifier({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": str(os.getpid())}).watchdog == 15.0


@pytest.mark.parametrize("environment", [{"WATCHDOG_USEC": "0"}, {"WATCHDOG_USEC": "soon"}])
def test_a_watchdog_that_does_not_watch_is_none(environment: dict[str, str]) -> None:
    assert Notifier(environment).watchdog is None


def test_a_watchdog_that_is_meant_for_another_process_is_none() -> None:
    assert Notifier({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "1"}).watchdog is None
