"""The commands. Heavy parts (cameras, pictures, the page) are loaded only by the commands that use them."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from contextlib import closing
from datetime import datetime
from functools import wraps
from pathlib import Path
from typing import Any

import click
import msgspec
import platformdirs

from companion import past_games, records
from companion.games import GAMES
from companion.games.base import Refused, WrongData
from companion.journal import CannotRecord, Journal, JournalError
from companion.owner import OwnerFiles

JOURNAL_FILE = "journal.sqlite"


class InputRefused(click.ClickException):
    """What the user gave cannot be used: exit code 1, one clear sentence."""

    exit_code = 1


def clear_errors(command: Callable[..., Any]) -> Callable[..., Any]:
    """No traceback reaches a user: known troubles become one sentence."""

    @wraps(command)
    def run(*args: Any, **kwargs: Any) -> Any:
        try:
            return command(*args, **kwargs)
        except (JournalError, CannotRecord, Refused, records.RecordRefused) as error:
            raise InputRefused(str(error)) from None
        except BrokenPipeError:
            raise
        except OSError as error:
            raise InputRefused(f"{error.filename or 'The output'} cannot be used: {error.strerror}.") from None

    return run


def _default_data() -> Path:
    return platformdirs.user_data_path("table-companion")


data_option = click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    envvar="COMPANION_DATA",
    default=_default_data,
    show_default="your data folder",
    help="Folder with games, taught sets and settings (also by COMPANION_DATA).",
)
json_option = click.option("--json", "as_json", is_flag=True, help="One line of JSON for each.")


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="table-companion", prog_name="companion")
def companion() -> None:
    """The table companion: reads the tiles, knows the rules, does the sums."""


@companion.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE…")
@json_option
@data_option
@clear_errors
def replay(files: tuple[str, ...], as_json: bool, data: Path) -> None:  # noqa: ARG001 - every command takes --data
    """Play recorded games from beginning to end and show where they stand."""
    refused = False
    for file in files:
        try:
            shown = records.replay(file).show()
        except records.RecordRefused as error:
            refused = True
            if as_json:
                told = {"line": error.line, "code": error.code, "message": error.message}
                print_json({"error": {"file": click.format_filename(file), **told}})
            else:
                click.echo(f"refused: {error}", err=True)
            continue
        if as_json:
            print_json(shown)
        else:
            click.echo(f"{click.format_filename(file)}: {_summary(shown)}")
    sys.exit(1 if refused else 0)


def print_json(value: Any) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(value) + b"\n")
    sys.stdout.buffer.flush()


def _summary(shown: dict[str, Any]) -> str:
    """Where a game stands, in one line that fits any game."""
    players = ", ".join(f"{player['name']} {player.get('points', '')}".strip() for player in shown["players"])
    if shown["winners"]:
        return f"{shown['game']}, over: {players}. Won by {' and '.join(shown['winners'])}."
    round_ = f"round {shown['round']}, " if "round" in shown else ""
    return f"{shown['game']}, {round_}{shown['phase']}: {players}. Next: {shown['to_act'] or 'the table'}."


@companion.command()
@data_option
@json_option
@clear_errors
def games(data: Path, as_json: bool) -> None:
    """List the games in the record, the newest first."""
    with _journal(data) as journal:
        listed = journal.games()
    for game in listed:
        if as_json:
            print_json(game._asdict())
            continue
        began = datetime.fromtimestamp(game.began).strftime("%Y-%m-%d %H:%M")
        end = f"won by {' and '.join(game.winners)}" if game.ended else "unfinished"
        click.echo(f"{game.id:>5}  {began}  {game.game}  {', '.join(game.players)}: {end}, {game.commands} commands")
    if not listed and not as_json:
        click.echo("No game has been played yet.")


@companion.command(name="export")
@click.argument("number", type=int)
@click.argument("file", required=False, type=click.Path(dir_okay=False, path_type=Path))
@data_option
@clear_errors
def export_(number: int, file: Path | None, data: Path) -> None:
    """Write a game of the record as a recorded game, to FILE or to the screen."""
    with _journal(data) as journal:
        text = past_games.export_game(journal, number)
    if file is None:
        sys.stdout.buffer.write(text)
        return
    with file.open("xb") as out:
        out.write(text)
    click.echo(f"Game {number} is in {click.format_filename(file)}.")


@companion.command(name="import")
@click.argument("files", nargs=-1, required=True, metavar="FILE…")
@data_option
@clear_errors
def import_(files: tuple[str, ...], data: Path) -> None:
    """Put recorded games beside the past games in the record."""
    with _journal(data) as journal:
        for file in files:
            numbers = ", ".join(map(str, past_games.import_games(journal, file)))
            click.echo(f"{click.format_filename(file)}: now game {numbers} of the record.")


@companion.command()
@click.argument("game", type=click.Choice(list(GAMES)), default=next(iter(GAMES)))
@click.option("--write", is_flag=True, help="Write the file as shipped, to be edited, if there is none yet.")
@data_option
@clear_errors
def board(game: str, write: bool, data: Path) -> None:
    """Check the file with the board's numbers that you can edit."""
    owner, plays = OwnerFiles(data), GAMES[game]
    path = owner.path(plays)
    if write and not path.exists():
        owner.write(plays, plays.data_text)
    try:
        read = owner.read(plays)
    except WrongData as wrong:
        raise InputRefused(f"{path}, line {wrong.line}: {wrong.reason}.") from None
    where = str(path) if path.exists() else "as shipped (write your own with --write)"
    click.echo(f"{where}: {'confirmed' if read.confirmed else 'not confirmed'}")


def _journal(data: Path) -> closing[Journal]:
    """The whole record, of which nothing is damaged."""
    journal = Journal(data / JOURNAL_FILE, now=time.time)
    if damage := journal.examine():
        journal.close()
        raise JournalError(damage)
    return closing(journal)
