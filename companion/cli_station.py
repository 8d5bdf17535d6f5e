"""The commands of the box: run, invite and doctor. The page and the cameras are loaded only when one of them runs."""

from __future__ import annotations

import logging
import os
import signal
import sys
from contextlib import suppress
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click
from msgspec.structs import replace

from companion.cli import InputRefused, clear_errors, companion, data_option
from companion.data_folder import LOG_FILE, SEATS_FILE, CannotStart
from companion.settings import FILE, SAMPLE, Settings, WrongSettings, load
from vision.cameras.choice import CHOICES, CameraChoice, WrongCamera

if TYPE_CHECKING:
    from companion.doctor import Finding
    from companion.station import Station


class CameraParam(click.ParamType[str]):
    """A camera by name."""

    name = "camera"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        try:
            return str(CameraChoice.parse(value))
        except WrongCamera as wrong:
            self.fail(str(wrong), param, ctx)


@companion.command()
@click.option("--host", help="Address to listen on.  [default: 0.0.0.0, the local network]")
@click.option("--port", type=click.IntRange(0, 65535), help="Port of the page; 0 takes a free one.  [default: 8080]")
@click.option("--camera", type=CameraParam(), metavar="CAMERA", help=f"One of {CHOICES}.")
@click.option("--panel", type=click.Choice(["auto", "gpio", "mock", "none"]), help="Buttons and lights.")
@click.option("--join-code", metavar="CODE", help="What phones type to take a seat.  [default: one is chosen and kept]")
@click.option(
    "--config", type=click.Path(path_type=Path), help=f"Configuration file.  [default: {FILE} in the data folder]"
)
@click.option("--write-config", is_flag=True, help="Write a configuration file with every value explained, and end.")
@data_option
@clear_errors
def run(data: Path, config: Path | None, write_config: bool, **given: Any) -> None:
    """Run the table: camera, panel and page, until stopped."""
    path = config or data / FILE
    if write_config:
        _write_config(path)
        return
    try:
        settings = _with_options(load(path, must_be_there=config is not None), **given)
    except WrongSettings as wrong:
        raise InputRefused(str(wrong)) from None
    from companion.station import Station

    try:
        station = Station(data, settings)
    except (CannotStart, ValueError) as error:
        raise InputRefused(str(error)) from None
    _log(data)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: station.ask_to_stop())
    signal.signal(signal.SIGUSR1, lambda *_: station.ask_for_scans())
    try:
        station.start()
        if sys.stderr.isatty():
            _welcome(station)
        click.echo(f"ready: {station.address}")
        station.run()
    finally:
        station.stop()
    _end()


def _end() -> None:
    """Everything is down: end at once, without waiting for a camera that hangs or for the interpreter to tidy up."""
    logging.shutdown()
    with suppress(OSError):
        sys.stdout.flush()
    os._exit(0)


def _with_options(
    settings: Settings,
    host: str | None,
    port: int | None,
    camera: str | None,
    panel: Any,
    join_code: str | None,
) -> Settings:
    """What was typed goes before what the file says."""
    network = {
        key: value for key, value in (("host", host), ("port", port), ("join_code", join_code)) if value is not None
    }
    return replace(
        settings,
        network=replace(settings.network, **network),
        camera=replace(settings.camera, use=camera) if camera else settings.camera,
        panel=replace(settings.panel, use=panel) if panel else settings.panel,
    )


def _write_config(path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(SAMPLE)
    except FileExistsError:
        raise InputRefused(f"{path} is there already and is left as it is.") from None
    except OSError as error:
        raise InputRefused(f"{path} cannot be written: {error.strerror}.") from None
    click.echo(f"Every value is in {path}, as it is without a file.")


def _log(data: Path) -> None:
    """To the terminal, or systemd's journal, and in short to a small file for bug reports."""
    logging.raiseExceptions = False  # a full disk does not fill the terminal as well
    said = logging.StreamHandler(sys.stderr)
    said.setFormatter(logging.Formatter("%(levelname)s %(name)s: %(message)s"))
    kept = RotatingFileHandler(data / LOG_FILE, maxBytes=256 * 1024, backupCount=1, delay=True, encoding="utf-8")
    kept.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=logging.INFO, handlers=[said, kept], force=True)


def _welcome(station: Station) -> None:
    """How phones join, for whoever sits at the terminal; it never goes to a log."""
    _show_invitation(station.server.port, station.seats.join_code, sys.stderr)


def _show_invitation(port: int, code: str, out: TextIO) -> None:
    import segno

    from companion.station import address_for_phones

    address = address_for_phones(port)
    segno.make(f"{address}/join#{code}", micro=False).terminal(out=out, compact=True)
    click.echo(f"Phones join at {address} with the code {code}, or by the picture above.", out)


@companion.command()
@click.option("--port", type=click.IntRange(1, 65535), help="Port of the page.  [default: as configured, or 8080]")
@data_option
@clear_errors
def invite(data: Path, port: int | None) -> None:
    """Show how phones join: the address, the code, and a picture for their cameras that carries both."""
    from web.seats import Seats

    try:
        network = load(data / FILE).network
    except WrongSettings as wrong:
        raise InputRefused(str(wrong)) from None
    _show_invitation(port or network.port, Seats(data / SEATS_FILE, network.join_code or None).join_code, sys.stdout)


@companion.command()
@click.option(
    "--bundle", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE.zip", help="Write a bug report."
)
@click.option(
    "--config", type=click.Path(path_type=Path), help=f"Configuration file.  [default: {FILE} in the data folder]"
)
@data_option
@clear_errors
def doctor(data: Path, config: Path | None, bundle: Path | None) -> None:
    """Look at every part and say how to mend it. Exit code 1 if there is a fault; warnings do not count."""
    from companion.doctor import examine

    findings = []
    for finding in examine(data, config=config):
        findings.append(finding)
        click.echo(str(finding))
    if bundle is not None:
        _bundle(bundle, data, findings)
    sys.exit(any(finding.verdict == "fault" for finding in findings))


def _bundle(target: Path, data: Path, findings: list[Finding]) -> None:
    from companion.report import write_bundle

    try:
        scans = write_bundle(target, data, findings)
    except FileExistsError:
        raise InputRefused(f"{target} is there already and is left as it is.") from None
    except OSError as error:
        raise InputRefused(f"{target} cannot be written: {error.strerror}.") from None
    click.echo(f"The report is in {target}, with {scans} scans. It holds the players' names: look before you send it.")
