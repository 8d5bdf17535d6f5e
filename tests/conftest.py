"""What all rooms' tests share: sums over the whole run are said at its end."""

from __future__ import annotations

import pytest


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many whole games were played."""
    reports = [report for report in terminalreporter.getreports("passed") if report.when == "call"]
    games = sum(
        int(str(value)) for report in reports for name, value in report.user_properties if name == "whole games"
    )
    if games:
        terminalreporter.write_line(f"{games} whole random games were played, invariants checked after every command.")
