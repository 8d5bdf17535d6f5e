"""Past games as the page shows them: how one ended, what everyone's games come to, and the way to BG Stats."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

import msgspec
from flask import Blueprint, Response

from companion.games.base import Refused
from companion.journal import CannotRecord, Journal, JournalError, PastGame
from companion.play import Moment, follow
from web.answers import json_answer
from web.parts import parts

past = Blueprint("past", __name__)

COUNTED = 200
"""So many of the newest games go into the statistics."""
BG_STATS = "https://app.bgstatsapp.com/createPlay.html?data="


@past.get("/api/games/<int:game_id>")
def one(game_id: int) -> Response:
    """One game of the record as it stands, or ended."""
    journal = parts().table.journal
    game = next(iter(journal.games(1, game_id + 1)), None) if game_id < 1 << 62 else None
    if game is None or game.id != game_id:
        raise Refused("unknown_game", f"There is no game {game_id} in the record.")
    moment = _last_moment(journal, game_id)
    if moment.under_way and game_id == journal.game_under_way():
        moment = parts().table.now
    state = moment.view(None)
    told = {**game._asdict(), "under_way": game_id == journal.game_under_way() and game.ended is None, "state": state}
    if game.ended is not None:
        told["bg_stats"] = bg_stats_link(game, moment, state)
    return json_answer(told)


@past.get("/api/statistics")
def statistics() -> Response:
    """What each player's finished games come to, the most successful first."""
    journal = parts().table.journal
    players: dict[str, list[tuple[bool, int | None]]] = {}
    ended = [game for game in journal.games(COUNTED) if game.ended is not None]
    points = _points_of(journal, ended)
    for game in ended:
        for name in game.players:
            players.setdefault(name, []).append((name in game.winners, points[game.id].get(name)))
    standing = [_standing(name, played) for name, played in players.items()]
    return json_answer({"players": sorted(standing, key=lambda one: (-one["won"], -one["games"], one["name"]))})


def _standing(name: str, played: list[tuple[bool, int | None]]) -> dict[str, Any]:
    points = [score for _, score in played if score is not None]
    return {
        "name": name,
        "games": len(played),
        "won": sum(won for won, _ in played),
        "best": max(points, default=None),
        "average": sum(points) / len(points) if points else None,
    }


def _points_of(journal: Journal, games: list[PastGame]) -> dict[int, dict[str, int]]:
    """Everyone's points in each of these games. They are played through once and kept: they never change."""
    kept = journal.points(games)
    found: dict[int, dict[str, int]] = {}
    new = {}
    for game in games:
        try:
            if game.id in kept:
                found[game.id] = msgspec.json.decode(kept[game.id], type=dict[str, int])
                continue
            found[game.id] = _points_in(_last_moment(journal, game.id).view(None))
            new[game.id] = (game.commands, msgspec.json.encode(found[game.id]).decode())
        except (JournalError, Refused, msgspec.DecodeError):
            found[game.id] = {}  # a damaged game does not keep the others from being counted
    if new:
        with suppress(CannotRecord):
            journal.keep_points(new)
    return found


def _points_in(state: dict[str, Any]) -> dict[str, int]:
    return {player["name"]: player["points"] for player in state["players"] if "points" in player}


def _last_moment(journal: Journal, game_id: int) -> Moment:
    moment = Moment()
    for line in journal.lines(game_id):
        moment = follow(moment, line)
    return moment


def bg_stats_link(game: PastGame, moment: Moment, state: dict[str, Any]) -> str:
    """A link that hands the play to the BG Stats app; nothing is sent anywhere until somebody opens it."""
    points = _points_in(state)
    ended = datetime.fromtimestamp(game.ended or game.began, UTC)
    title = moment.game.description.title if moment.game else game.game
    play = {
        "sourceName": "Table companion",
        "sourcePlayId": f"{game.id}-{int(game.began)}",
        "playDate": ended.strftime("%Y-%m-%d %H:%M:%S"),
        "durationMin": max(1, round((ended.timestamp() - game.began) / 60)),
        "game": {"name": title, "sourceGameId": game.game, "highestWins": True, "noPoints": not points},
        "players": [
            {
                "name": name,
                "sourcePlayerId": name,
                "startPlayer": index == 0,
                "score": points.get(name, 0),
                "winner": name in game.winners,
            }
            for index, name in enumerate(game.players)
        ],
    }
    return BG_STATS + quote(msgspec.json.encode(play))
