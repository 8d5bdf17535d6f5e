"""Past games as the page shows them: how one ended, what everyone's games come to, and the way to BG Stats."""

from __future__ import annotations

from datetime import UTC, datetime
from urllib.parse import quote

import msgspec
from flask import Blueprint, Response

from companion.games.base import Refused
from companion.journal import PastGame
from companion.past_games import last_moment
from companion.play import Moment
from web.answers import json_answer
from web.parts import parts

past = Blueprint("past", __name__)

MOST_PLAYERS = 200
"""In the statistics; a club has fewer."""
BG_STATS = "https://app.bgstatsapp.com/createPlay.html?data="


@past.get("/api/games/<int:game_id>")
def one(game_id: int) -> Response:
    """One game of the record as it stands, or ended."""
    journal = parts().table.journal
    game = next(iter(journal.games(1, game_id + 1)), None) if game_id < 1 << 62 else None
    if game is None or game.id != game_id:
        raise Refused("unknown_game", f"There is no game {game_id} in the record.")
    moment = last_moment(journal, game_id)
    if moment.under_way and game_id == journal.game_under_way():
        moment = parts().table.now
    state = moment.view(None)
    told = {**game._asdict(), "under_way": game_id == journal.game_under_way() and game.ended is None, "state": state}
    if game.ended is not None:
        told["bg_stats"] = bg_stats_link(game, moment)
    return json_answer(told)


@past.get("/api/statistics")
def statistics() -> Response:
    """What each player's finished games come to, the most successful first."""
    standings = parts().table.journal.standings(MOST_PLAYERS)
    return json_answer({"players": [standing._asdict() for standing in standings]})


def bg_stats_link(game: PastGame, moment: Moment) -> str:
    """A link that hands the play to the BG Stats app; nothing is sent anywhere until somebody opens it."""
    points = moment.ending.points if moment.ending else {}
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
