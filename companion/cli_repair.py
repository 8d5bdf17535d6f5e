"""The command for the day when the card has gone bad."""

from __future__ import annotations

from pathlib import Path

import click

from companion.cli import InputRefused, clear_errors, companion, data_option
from companion.data_folder import JOURNAL_FILE, CannotStart, hold


@companion.command()
@data_option
@clear_errors
def repair(data: Path) -> None:
    """Make a damaged record whole again; the damaged files are kept."""
    from companion.repair import repair as make_whole

    path = data / JOURNAL_FILE
    if not path.exists():
        raise InputRefused(f"There is no record in {data}.")
    try:
        held = hold(data)
    except CannotStart as error:
        raise InputRefused(str(error)) from None
    try:
        saved = make_whole(path)
    finally:
        held.release()
    if saved is None:
        click.echo(f"{path} is whole: there is nothing to repair.")
        return
    click.echo(f"Saved {saved.games} games with {saved.commands} commands, up to version {saved.version}.")
    for number in saved.cut_short:
        click.echo(f"Game {number} ends early: what followed could not be read.")
    click.echo(f"The damaged files are in {saved.kept}.")
