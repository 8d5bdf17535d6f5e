"""Pergamon's own part of the page: the pieces as pictures, and what the table knows that players would count."""

from __future__ import annotations

import threading
from functools import cache
from typing import Any

import msgspec
from flask import Blueprint, Response, abort, request

from companion.games.base import Refused
from companion.games.pergamon import PERGAMON, advice, odds
from companion.games.pergamon.funds import BACKS, VALUES
from companion.games.pergamon.state import State
from companion.play import Moment
from vision.pergamon import art
from vision.pergamon.printable import FINDS, frieze
from web.answers import json_answer, read_body
from web.pages import packed
from web.parts import parts

screens = Blueprint("pergamon", __name__)

CARDS = frozenset((*BACKS, *map(str, VALUES)))


class Row(msgspec.Struct, frozen=True):
    """A row that a player thinks of exhibiting."""

    player: str
    finds: tuple[str, ...]
    polish: int = 0
    break_up: str | None = None


@cache
def drawings() -> bytes:
    """All that a phone needs to draw any find, and the small signs."""
    return msgspec.json.encode(
        {
            "sprite": art.sprite_svg(),
            "symbols": {name: art.symbol_svg(name) for name in art.SYMBOLS},
            "teeth": {code: "".join("01"[up] for up in frieze(code)) for code in FINDS},
            **art.measures(),
        }
    )


@screens.get("/pergamon/art.json")
def art_json() -> Response:
    return packed(json_answer(drawings()), "no-cache")


@screens.get("/pergamon/cards/<name>.svg")
def card(name: str) -> Response:
    """A funds card: its back, or its front by its value."""
    if name not in CARDS:
        abort(404)
    drawn = art.back_svg(name) if name in BACKS else art.funds_svg(int(name))
    return packed(Response(drawn, content_type="image/svg+xml"), "no-cache")


@screens.get("/api/pergamon/advice")
def table_advice() -> Response:
    """The money of this round, the next evaluation, and what a player may make of their finds."""
    player = request.args.get("player")
    return json_answer(_advice.of(_now(), player))


def _work_out(moment: Moment, player: str | None) -> bytes:
    state: State = moment.state
    told: dict[str, Any] = {
        "version": moment.version,
        "funds": odds.funds(state) if state.phase in ("place_figures", "reveal_funds") else None,
        "evaluation": advice.evaluation(state),
    }
    if player is not None:
        told["suggestions"] = advice.suggestions(state, player, ahead=True)
        told["storing"] = advice.storing(state, player)
    return msgspec.json.encode(told)


class _Kept:
    """The advice of one moment, worked out once however many phones ask for it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: tuple[Moment | None, dict[str | None, bytes]] = (None, {})

    def of(self, moment: Moment, player: str | None) -> bytes:
        with self._lock:
            if self._kept[0] is not moment:
                self._kept = (moment, {})
            kept = self._kept[1]
            if player not in kept:
                kept[player] = _work_out(moment, player)
            return kept[player]


_advice = _Kept()


@screens.post("/api/pergamon/preview")
def preview() -> Response:
    """What exhibiting a row would do; nothing is done."""
    wish = read_body(Row)
    state: State = _now().state
    return json_answer(advice.exhibiting(state, wish.player, wish.finds, wish.polish, wish.break_up, ahead=True))


def _now() -> Moment:
    moment = parts().table.now
    if moment.game is not PERGAMON:
        raise Refused("wrong_phase", "Pergamon is not being played at this table now.")
    return moment
