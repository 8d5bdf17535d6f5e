"""What the page is made of, for its calls and screens: `parts()` while a request is answered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, cast

from flask import current_app

from companion.owner import OwnerFiles
from companion.table import Table
from web.desk import Desk, Pictures, Teacher
from web.live import Live
from web.seats import Seats

EXTENSION = "companion"


@dataclass(frozen=True)
class Settings:
    """What the owner may set about the page."""

    names: tuple[str, ...] = ()
    """Names by which phones may call this box, besides its addresses and its own name."""
    address: Callable[[], str] | None = None
    """Where other phones find the page, such as http://pi.local:8080, for the page on the box itself."""
    status: Callable[[], dict[str, Any]] | None = None
    """How camera, panel and record are, for the page to say."""


@dataclass(frozen=True)
class Parts:
    table: Table
    seats: Seats
    desk: Desk | None
    owner: OwnerFiles | None
    live: Live
    settings: Settings = field(default_factory=Settings)
    teacher: Teacher | None = None
    pictures: Pictures = field(default_factory=Pictures)


def parts() -> Parts:
    """The parts of the app that answers this request."""
    return cast(Parts, current_app.extensions[EXTENSION])
