"""The phone page and its calls: `create_app` puts them together."""

from __future__ import annotations

from flask import Flask, Response, request

from companion.owner import OwnerFiles
from companion.table import Table
from web.answers import SMALL_BODY, error_answer, tell_errors
from web.api import api
from web.desk import Desk, Teacher
from web.games import games
from web.joining import joining
from web.languages import use_languages
from web.limits import Page
from web.live import Live
from web.pages import pages
from web.parts import EXTENSION, Parts, Settings
from web.past import past
from web.pergamon import screens
from web.scans import scans
from web.seats import Seats
from web.security import HEADERS, SAFE_METHODS, is_from_elsewhere, is_own_host, own_names
from web.teaching import teaching

__all__ = ["Settings", "create_app"]


def create_app(
    table: Table,
    seats: Seats,
    desk: Desk | None = None,
    owner: OwnerFiles | None = None,
    settings: Settings | None = None,
    teacher: Teacher | None = None,
) -> Page:
    """The whole page over a table. Serve it with `web.server.serve`: any other server cannot keep phones listening."""
    settings = settings or Settings()
    app = Page(__name__)
    app.extensions[EXTENSION] = Parts(table, seats, desk, owner, Live(table, seats, desk), settings, teacher)
    app.config["MAX_CONTENT_LENGTH"] = SMALL_BODY
    app.url_map.strict_slashes = app.url_map.merge_slashes = False
    use_languages(app)
    _guard(app, own_names(settings.names))
    tell_errors(app)
    for calls in (api, joining, scans, teaching, games, past, pages, screens):
        app.register_blueprint(calls)
    return app


def _guard(app: Flask, names: frozenset[str]) -> None:
    """Strangers' ways in are closed before any call is looked at."""

    @app.before_request
    def refuse_strangers() -> Response | None:
        host = request.headers.get("Host", "")
        if not is_own_host(host, names):
            return error_answer("foreign_host", "This table does not go by that name.")
        if request.method not in SAFE_METHODS and is_from_elsewhere(request.headers, host):
            return error_answer("cross_site", "Another site's page may not act at this table.")
        return None

    @app.after_request
    def add_headers(answer: Response) -> Response:
        for name, value in HEADERS.items():
            answer.headers.setdefault(name, value)
        if request.path.startswith("/api/"):
            answer.headers["Cache-Control"] = "no-store"
        return answer
