"""What can be played here and what has been: past games over HTTP, out and in again."""

from __future__ import annotations

import json
import re
import tempfile
from typing import Any

import msgspec
from flask import Blueprint, Response, request

from companion import past_games
from companion.games import GAMES, Game
from companion.games.base import WrongData
from companion.owner import OwnerFiles
from web.answers import Denied, json_answer, read_body
from web.languages import tell
from web.limits import LARGEST_IMPORT
from web.parts import parts
from web.permissions import check, seated

games = Blueprint("games", __name__)

MOST_LISTED = 200


class Record(msgspec.Struct, frozen=True):
    """A recorded game as text."""

    record: str


class OwnerData(msgspec.Struct, frozen=True):
    """What an owner has checked, all of it or what differs."""

    data: dict[str, Any]


@games.get("/api/description")
def description() -> Response:
    """What a page needs to know to set up each game."""
    return json_answer({"games": [game.description for game in GAMES.values()]})


@games.get("/api/games")
def listed() -> Response:
    """The games in the record, the newest first; `before` a number shows older ones."""
    limit = min(request.args.get("limit", MOST_LISTED, type=int), MOST_LISTED)
    before = request.args.get("before", None, type=int)
    if limit < 1 or (before is not None and not 0 < before < 1 << 62):
        raise Denied("malformed", "There is no such page of the record.")
    journal = parts().table.journal
    under_way = journal.game_under_way()
    shown = [
        {**game._asdict(), "under_way": game.id == under_way and game.ended is None}
        for game in journal.games(limit, before)
    ]
    return json_answer({"games": shown})


@games.get("/api/games/<int:game_id>/record")
def record(game_id: int) -> Response:
    """One game as a recorded game, to keep."""
    text = past_games.export_game(parts().table.journal, _in_range(game_id))
    headers = {"Content-Disposition": f'attachment; filename="game-{game_id}.jsonl"'}
    return Response(text, content_type="text/plain; charset=utf-8", headers=headers)


@games.post("/api/games/import")
def import_() -> Response:
    """Put recorded games beside the past games; the game under way is not touched."""
    check(seated(), parts().table.now, "import_games")
    request.max_content_length = LARGEST_IMPORT
    sent = read_body(Record).record
    with tempfile.NamedTemporaryFile(suffix=".jsonl") as file:
        file.write(sent.encode(errors="replace"))
        file.flush()
        return json_answer({"games": past_games.import_games(parts().table.journal, file.name)})


@games.post("/api/games/<int:game_id>/resume")
def resume(game_id: int) -> Response:
    """Take up an unfinished game again; the one under way stays in the record."""
    check(seated(), parts().table.now, "resume_game")
    return json_answer({"version": parts().table.resume(_in_range(game_id)).version})


@games.get("/api/description/<name>/data")
def owner_data(name: str) -> Response:
    """What the owner has to check against the real box, such as the board's numbers."""
    game, owner = _owner(name)
    try:
        data, wrong = owner.read(game), None
    except WrongData as error:
        data, wrong = game.read_data(game.data_text), {"line": error.line, "message": tell(error.reason)}
    return json_answer({"data": data, "file": game.data_file, "wrong": wrong})


@games.put("/api/description/<name>/data")
def confirm_data(name: str) -> Response:
    """Keep what the owner has checked."""
    check(seated(), parts().table.now, "owner_data")
    game, owner = _owner(name)
    try:
        owner.write(game, _with_values(game, read_body(OwnerData).data))
    except WrongData as error:
        raise Denied("malformed", f"{error.reason}.") from None
    except OSError as error:
        raise Denied("cannot_record", f"The file could not be written ({error.strerror}).") from None
    return json_answer({"data": owner.read(game)})


def _with_values(game: Game, data: dict[str, Any]) -> str:
    """The game's file as shipped, with all its comments and these values; Denied if one has no line of its own."""
    lines, table = [], ""
    for line in game.data_text.splitlines():
        if opened := re.fullmatch(r"\[(\w+)\]", line):
            table = opened[1]
        values = data.get(table, {}) if table else data
        setting = re.match(r"(\w+) = ", line)
        if setting and isinstance(values, dict) and setting[1] in values:
            line = f"{setting[1]} = {json.dumps(values[setting[1]])}"
        lines.append(line)
    text = "\n".join(lines) + "\n"
    written = msgspec.json.decode(msgspec.json.encode(game.read_data(text)))
    for key, value in data.items():
        known = written.get(key)
        if known != ({**known, **value} if isinstance(known, dict) and isinstance(value, dict) else value):
            raise Denied("malformed", "There are values in this that the game does not know.")
    return text


def _owner(name: str) -> tuple[Game, OwnerFiles]:
    game, owner = GAMES.get(name), parts().owner
    if game is None or owner is None:
        raise Denied("unknown_game", "This table does not know that game.")
    return game, owner


def _in_range(game_id: int) -> int:
    if game_id >= 1 << 62:
        raise Denied("unknown_game", "There is no such game in the record.")
    return game_id
