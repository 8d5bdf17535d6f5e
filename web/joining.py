"""Seats over HTTP: sitting down, asking to be let in, handing over, getting up."""

from __future__ import annotations

import io
import unicodedata
from ipaddress import ip_address

import msgspec
import segno
from flask import Blueprint, Response, request

from web.answers import Denied, json_answer, read_body
from web.parts import parts
from web.permissions import COOKIE, check, my_seat, seated, token
from web.seats import Seat

joining = Blueprint("joining", __name__)

ASK_COOKIE = "companion_ask"
HALF_A_YEAR = 182 * 24 * 3600
LONGEST_NAME = 40


class Claim(msgspec.Struct, frozen=True):
    """What a phone says to sit down."""

    code: str | None = None
    player: str | None = None
    ask: bool = False


class LetIn(msgspec.Struct, frozen=True):
    ask: int


@joining.get("/api/seats")
def look() -> Response:
    """Who sits at the table, who asks, and where this phone sits."""
    me = my_seat()
    seats = parts().seats
    return json_answer({"me": me, "seats": seats.all, "asking": seats.asking, "join": _link() if me else None})


@joining.post("/api/seats")
def sit_down() -> Response:
    """Take a seat with the join code, or ask for one."""
    claim = read_body(Claim)
    seats = parts().seats
    player = _known_player(claim.player)
    address = request.remote_addr or ""
    if claim.ask:
        got, seat = seats.ask(player, address, request.cookies.get(ASK_COOKIE), token())
        if seat is None:
            answer = json_answer({"asking": True, "player": player}, 202)
            _set_cookie(answer, ASK_COOKIE, got, None)
            return answer
    elif claim.code is None:
        raise Denied("malformed", "Give the code of the table, or ask to be let in.")
    else:
        got, seat = seats.claim(claim.code, player, address, token())
    answer = _seat_answer(seat)
    _set_cookie(answer, COOKIE, got, HALF_A_YEAR)
    if ASK_COOKIE in request.cookies:
        answer.delete_cookie(ASK_COOKIE, httponly=True, samesite="Strict")
    return answer


@joining.delete("/api/seats/me")
def get_up() -> Response:
    """Free this phone's seat."""
    parts().seats.free(seated().id)
    answer = json_answer({"freed": True})
    answer.delete_cookie(COOKIE, httponly=True, samesite="Strict")
    return answer


@joining.delete("/api/seats/<int:seat_id>")
def free(seat_id: int) -> Response:
    """Free another phone's seat, by the table's own device; a phone may always free its own."""
    seat = seated()
    if seat.player is not None and seat.id != seat_id:
        raise Denied("not_yours", "Only the table's own device may free another's seat.")
    if not parts().seats.free(seat_id):
        raise Denied("not_found", "There is no such seat.")
    return json_answer({"freed": True})


@joining.delete("/api/seats")
def start_afresh() -> Response:
    """Everybody else gets up and the code changes, by the table's own device."""
    seat = seated()
    if seat.player is not None:
        raise Denied("not_yours", "Only the table's own device may clear the table.")
    parts().seats.start_afresh(keep=seat)
    return json_answer({"join": _link()})


@joining.post("/api/seats/let-in")
def let_in() -> Response:
    """Let in a phone that asks, as Next on the box does."""
    seat = seated()
    check(seat, parts().table.now, "let_in")
    if parts().seats.let_in(read_body(LetIn).ask) is None:
        raise Denied("not_found", "Nobody asks any more.")
    return json_answer({"let_in": True})


@joining.post("/api/seats/hand-over")
def hand_over() -> Response:
    """A link, good once and for five minutes, that gives this phone's seat to whoever opens it; also as a QR code."""
    link = _link(parts().seats.hand_over(seated()))
    return json_answer({"join": link, "qr": _qr(link).decode()})


@joining.get("/api/seats/qr")
def qr() -> Response:
    """The link to join as a QR code, for those who sit at the table."""
    check(seated(), parts().table.now, "show_code")
    return Response(_qr(_link()), content_type="image/svg+xml")


def _qr(link: str) -> bytes:
    out = io.BytesIO()
    made = segno.make(link, error="m", micro=False)
    made.save(out, kind="svg", border=4, light="#fff", xmldecl=False, svgclass="qr", omitsize=True)
    return out.getvalue()


def _known_player(name: str | None) -> str | None:
    """The name to sit down under; while a game is under way it must be one of its players."""
    if name is None:
        return None
    unfit = any(unicodedata.category(letter) in ("Cc", "Cs", "Zl", "Zp") for letter in name)
    if unfit or not 0 < len(name) <= LONGEST_NAME or name != name.strip():
        raise Denied("malformed", f"A name has 1 to {LONGEST_NAME} letters, and no spaces around it.")
    now = parts().table.now
    if now.under_way and now.game and name not in now.game.players(now.state):
        raise Denied("unknown_player", f"{name} does not play in this game.")
    return name


def _seat_answer(seat: Seat) -> Response:
    return json_answer({"seat": seat, "player": seat.player})


def _set_cookie(answer: Response, name: str, value: str, seconds: int | None) -> None:
    answer.set_cookie(name, value, max_age=seconds, httponly=True, samesite="Strict")


def _link(code: str | None = None) -> str:
    """Where to join. The code stands behind the #: browsers keep that part to themselves, so no log and no
    other site gets to see it."""
    outside = parts().settings.address
    address = outside() if outside and _is_this_machine(request.host) else request.host_url
    return f"{address.rstrip('/')}/join#{code or parts().seats.join_code}"


def _is_this_machine(host: str) -> bool:
    name = host.rpartition(":")[0] or host
    try:
        return ip_address(name.strip("[]")).is_loopback
    except ValueError:
        return name == "localhost"
