"""The entry point of `companion`, with every room's commands."""

from __future__ import annotations

import os

import click

from companion import cli_eyes, cli_repair, cli_station
from companion.cli import companion

__all__ = ["cli_eyes", "cli_repair", "cli_station", "main"]

DEBUG = "COMPANION_DEBUG"
"""Set in the environment, it shows where in the code an unexpected error came from."""


def main() -> None:
    """Run the command that was typed; also what nobody foresaw ends in a sentence."""
    try:
        companion(prog_name="companion")
    except Exception as error:
        if os.environ.get(DEBUG):
            raise
        what = f"{type(error).__name__}: {error}".rstrip(": ")
        click.echo(
            f"Error: the companion itself failed ({what}). Please report it, with what {DEBUG}=1 shows.", err=True
        )
        raise SystemExit(1) from None


if __name__ == "__main__":
    main()
