"""The page that every phone loads: one small shell, its scripts and pictures, its texts in the phone's language."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, cast

import msgspec
from flask import Blueprint, Response, abort, render_template, request, url_for

from companion.games import GAMES
from web.answers import json_answer
from web.languages import LANGUAGES, catalogue, language, page_texts

pages = Blueprint("pages", __name__)

HERE = Path(__file__).parent
STATIC = HERE / "static"
PAPER = "#f4ead5"
FOR_A_YEAR = "public, max-age=31536000, immutable"
TYPES = {".js": "text/javascript", ".svg": "image/svg+xml", ".css": "text/css"}
"""Named here, because a machine's own list may miss them and browsers refuse scripts of another type."""


class Asset(NamedTuple):
    """A file of the page, ready to be sent."""

    kind: str
    plain: bytes
    packed: bytes


@cache
def assets() -> dict[str, Asset]:
    """Every file under static/, by its path there; nothing else can be asked for."""
    found = {}
    for path in sorted(STATIC.rglob("*")):
        if path.is_file():
            data = path.read_bytes()
            kind = TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
            found[path.relative_to(STATIC).as_posix()] = Asset(kind, data, gzip.compress(data, 9, mtime=0))
    return found


@cache
def version() -> str:
    """Changes with every change of a file or a text, so that a phone may keep what it has for ever."""
    digest = hashlib.sha256()
    for name, asset in assets().items():
        digest.update(name.encode() + b"\0" + asset.plain)
    for spoken in LANGUAGES:
        digest.update(texts(spoken))
    return digest.hexdigest()[:12]


@cache
def texts(spoken: str) -> bytes:
    return msgspec.json.encode(catalogue(spoken))


@pages.get("/")
@pages.get("/join")
def page() -> Response:
    """The shell. A link to join leads here too: its code stands behind the #, which only the phone sees."""
    spoken = language()
    html = render_template(
        "table.html",
        language=spoken,
        texts=url_for("pages.catalogue_of", stand=version(), spoken=spoken) if spoken != LANGUAGES[0] else "",
        assets=f"/assets/{version()}",
        games=msgspec.to_builtins([game.description for game in GAMES.values()]),
        modules=[name for name in assets() if name.startswith("js/") and name != "js/main.js"],
        say=page_texts.gettext,
    )
    return packed(Response(html, content_type="text/html; charset=utf-8"), "no-cache")


@pages.get("/assets/<stand>/<path:name>")
def asset(stand: str, name: str) -> Response:
    """A file of the page, for ever the same under this version."""
    found = assets().get(name)
    if found is None:
        abort(404)
    keep = FOR_A_YEAR if stand == version() else "no-cache"
    headers = {"Cache-Control": keep, "Vary": "Accept-Encoding"}
    if takes_gzip() and len(found.packed) < len(found.plain):
        return Response(found.packed, content_type=found.kind, headers={**headers, "Content-Encoding": "gzip"})
    return Response(found.plain, content_type=found.kind, headers=headers)


@pages.get("/texts/<stand>/<spoken>.json")
def catalogue_of(stand: str, spoken: str) -> Response:
    """The texts of a language."""
    if spoken not in LANGUAGES:
        abort(404)
    return packed(json_answer(texts(spoken)), FOR_A_YEAR if stand == version() else "no-cache")


@pages.get("/manifest.webmanifest")
def manifest() -> Response:
    """What a phone needs to put the page on its home screen."""
    name = page_texts.gettext("Table companion")
    here = f"/assets/{version()}"
    about: dict[str, Any] = {
        "name": name,
        "short_name": name,
        "lang": language(),
        "start_url": "/",
        "display": "standalone",
        "background_color": PAPER,
        "theme_color": PAPER,
        "icons": [
            {"src": f"{here}/icon.svg", "sizes": "any", "type": "image/svg+xml"},
            {"src": f"{here}/icon-192.png", "sizes": "192x192", "type": "image/png"},
            {"src": f"{here}/icon-512.png", "sizes": "512x512", "type": "image/png", "purpose": "any maskable"},
        ],
    }
    return Response(msgspec.json.encode(about), content_type="application/manifest+json")


def takes_gzip() -> bool:
    return request.accept_encodings.quality("gzip") > 0


def packed(answer: Response, keep: str) -> Response:
    """The answer as small as this phone can take it, kept as long as it holds; nothing at all if the phone has it."""
    answer.headers["Cache-Control"] = keep
    answer.headers["Vary"] = "Accept-Encoding, Accept-Language, Cookie"
    if takes_gzip():
        answer.set_data(gzip.compress(answer.get_data(), 6, mtime=0))
        answer.headers["Content-Encoding"] = "gzip"
    answer.add_etag()
    return cast(Response, answer.make_conditional(request))
