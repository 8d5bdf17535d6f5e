"""Telling systemd that the table is ready, that it lives, and that it is stopping."""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Mapping

log = logging.getLogger(__name__)


class Notifier:
    """Sends to the socket that systemd names in NOTIFY_SOCKET; without one it does nothing."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        address = environment.get("NOTIFY_SOCKET", "")
        self._address = f"\0{address[1:]}" if address.startswith("@") else address
        self.watchdog = self._interval(environment)

    @staticmethod
    def _interval(environment: Mapping[str, str]) -> float | None:
        """Seconds between two signs of life: half of what systemd allows; None if it does not watch us."""
        allowed = environment.get("WATCHDOG_USEC", "")
        meant = environment.get("WATCHDOG_PID", "")
        if not allowed.isdigit() or int(allowed) == 0 or (meant and meant != str(os.getpid())):
            return None
        return int(allowed) / 2_000_000

    def ready(self, status: str) -> None:
        self._send(f"READY=1\nSTATUS={status}")

    def alive(self) -> None:
        self._send("WATCHDOG=1")

    def status(self, status: str) -> None:
        """One line for `systemctl status`."""
        self._send(f"STATUS={status}")

    def stopping(self) -> None:
        self._send("STOPPING=1")

    def _send(self, message: str) -> None:
        if not self._address:
            return
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
                sender.setblocking(False)
                sender.sendto(message.encode(), self._address)
        except OSError as error:
            log.warning("systemd could not be told %s: %s", message.split("\n")[0], error)
