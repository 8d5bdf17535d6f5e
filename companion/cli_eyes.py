"""The commands that look: print, read, teach, identify. Pictures are loaded only when one of them runs."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.cli import InputRefused, companion, data_option, json_option, print_json

if TYPE_CHECKING:
    from vision.sets import TaughtSet


@companion.command(name="print")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), metavar="DIR")
@data_option
def print_(folder: Path, data: Path) -> None:  # noqa: ARG001 - every command takes --data
    """Write the printable set into DIR: sheets to cut, and every face as a picture."""
    from vision.pergamon.sheets import CannotPrint, write_printable_set

    written = 0

    def progress(name: str) -> None:
        nonlocal written
        written += 1
        if name.endswith(".pdf"):
            click.echo(f"{folder / name}")

    try:
        write_printable_set(folder, progress)
    except CannotPrint as error:
        raise InputRefused(str(error)) from None
    click.echo(f"{written} files are in {folder}. Print the sheets at 100 %, on both sides.")


@companion.command()
@click.argument("photos", nargs=-1, required=True, metavar="PHOTO…")
@click.option("--expect", type=click.Choice(["finds", "funds"]), help="What should lie there.")
@click.option("--set", "set_name", metavar="NAME", help="Read the pieces of a taught set.")
@json_option
@data_option
def read(photos: tuple[str, ...], expect: str | None, set_name: str | None, as_json: bool, data: Path) -> None:
    """Say what lies in each photograph."""
    from vision.pergamon.reader import read_photograph, warm_up
    from vision.photo import PhotoRefused, open_photo

    taught = _taught(set_name, data) if set_name else None
    if taught is None:
        warm_up()
    refused_any = False
    for photo in photos:
        try:
            reading = read_photograph(open_photo(photo), expect, pieces_set=taught, photo=photo)
        except PhotoRefused as refused:
            refused_any = True
            _refuse_picture("photo", photo, str(refused), as_json)
            continue
        if as_json:
            print_json(reading.as_json())
            continue
        click.echo(f"{photo}: {len(reading.pieces) or 'no'} pieces")
        for piece in reading.pieces:
            others = f", or {', '.join(piece.alternatives)}" if piece.alternatives else ""
            trouble = f" {piece.trouble}" if piece.trouble else ""
            click.echo(f"  {piece.code or '?'} ({piece.status}){others}{trouble}")
    sys.exit(1 if refused_any else 0)


def _taught(name: str, data: Path) -> TaughtSet:
    from vision.sets import SetRefused, load_set

    try:
        return load_set(name, data)
    except SetRefused as refused:
        raise InputRefused(refused.message) from None


@companion.command()
@click.argument("name")
@click.argument("folder", type=click.Path(path_type=Path))
@data_option
def teach(name: str, folder: Path, data: Path) -> None:
    """Learn the set NAME from FOLDER/<label>/*.png|jpg, each picture roughly filled by one piece.

    One to five pictures a label are enough. A set of that name is replaced once all is learned.
    """
    from vision.sets import SetRefused
    from vision.sets import teach as learn

    try:
        taught = learn(name, folder, data, _Progress())
    except SetRefused as refused:
        raise InputRefused(refused.message) from None
    click.echo(f"{taught.name}: {taught.labels} pieces learned from {taught.pictures} pictures.")
    for picture in taught.left_out:
        click.echo(f"  left out, no piece is seen well enough: {picture}")
    for one, other in taught.alike:
        click.echo(f"  too alike to tell apart; they will be asked about: {one} and {other}")
    if taught.advice:
        click.echo(f"  {taught.advice}")


class _Progress:
    """How far a long work is: in place on a screen, a line now and then anywhere else, nothing for a quick one."""

    def __init__(self) -> None:
        self._began = self._told = time.monotonic()

    def __call__(self, done: int, total: int, _label: str) -> None:
        now = time.monotonic()
        screen = sys.stderr.isatty()
        if now - self._began < 1 or (now - self._told < (0.1 if screen else 5) and done < total):
            return
        self._told = now
        percent = 100 * done // max(total, 1)
        click.echo(f"\rlearning: {percent} %" if screen else f"learning: {percent} %", nl=not screen, err=True)
        if screen and done == total:
            click.echo(err=True)


@companion.command()
@click.argument("name")
@click.argument("pictures", nargs=-1, required=True, metavar="PICTURE…")
@json_option
@data_option
def identify(name: str, pictures: tuple[str, ...], as_json: bool, data: Path) -> None:
    """Say which piece of the taught set NAME each picture shows."""
    from vision.photo import PhotoRefused, open_photo

    taught = _taught(name, data)
    refused_any = False
    for picture in pictures:
        try:
            found = taught.identify(open_photo(picture).pixels)
        except PhotoRefused as refused:
            refused_any = True
            _refuse_picture("picture", picture, str(refused), as_json)
            continue
        if as_json:
            print_json({**found.as_json(picture), "alternatives": found.alternatives})
        else:
            click.echo(f"{picture}: {found.label or 'nothing known'} ({found.status})")
    sys.exit(1 if refused_any else 0)


def _refuse_picture(key: str, picture: str, message: str, as_json: bool) -> None:
    """One file among many that cannot be read; the others still are."""
    if as_json:
        print_json({key: picture, "error": {"code": "unreadable", "message": message}})
    else:
        click.echo(f"{picture}: {message}", err=True)
