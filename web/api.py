"""The table over HTTP: its state, its commands, its events."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Blueprint, Response

from companion.games.base import Refused
from companion.play import Moment
from web.answers import Denied, body_bytes, json_answer
from web.languages import language, tell
from web.parts import parts
from web.permissions import Wish, check, my_seat, seated, token
from web.seats import Seat

api = Blueprint("api", __name__)

TRIES = 100
"""So often is a command tried again that others overtook; each time one of them has been carried out."""


@api.get("/healthz")
def healthz() -> Response:
    """200 while the table works."""
    return json_answer({"ok": True, "version": parts().table.now.version})


@api.get("/api/status")
def status() -> Response:
    """How camera, panel and record are, in words for the page."""
    ask = parts().settings.status
    told = ask() if ask else {}
    for part in told.values():
        if "message" in part:
            part["message"] = tell(part["message"])
    return json_answer(told)


@api.get("/api/table")
def table() -> Response:
    """The state, as this phone may see it."""
    seat = my_seat()
    return json_answer(parts().live.state(parts().table.now, seat.player if seat else None))


@api.post("/api/table/commands")
def command() -> Response:
    """Carry out one command."""
    seat = seated()
    line = body_bytes()
    try:
        wish = msgspec.json.decode(line, type=Wish)
        fields: dict[str, Any] = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Denied("malformed", f"This is not a command: {error}.") from None
    return json_answer({"version": _carry_out(seat, wish, fields).version})


def _carry_out(seat: Seat, wish: Wish, fields: dict[str, Any]) -> Moment:
    """Check and submit on one and the same moment, so that nobody acts in another's turn by being quick."""
    at = parts().table
    for _ in range(TRIES):
        now = at.now
        if wish.on is not None and wish.on != now.version:
            raise Refused("stale_state", "The table has moved on since: look again, then choose.")
        check(seat, now, wish.do, wish.player)
        try:
            return at.submit(msgspec.json.encode({**fields, "on": now.version}))
        except Refused as refused:
            if refused.code != "stale_state" or wish.on is not None:
                raise
    raise Refused("stale_state", "Too much happens at once: look again, then choose.")


@api.get("/api/table/events")
def events() -> Response:
    """Server-sent events, beginning with the newest state, whatever the phone has seen before."""
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    feed = parts().live.feed(token(), language())
    return Response(feed, content_type="text/event-stream", headers=headers, direct_passthrough=True)
