"""The entry point of `companion`, with every room's commands."""

from __future__ import annotations

from companion import cli_eyes, cli_repair, cli_station
from companion.cli import companion

__all__ = ["cli_eyes", "cli_repair", "cli_station", "main"]


def main() -> None:
    """Run the command that was typed."""
    companion(prog_name="companion")


if __name__ == "__main__":
    main()
