"""Refusal codes that the outside relies on, met in one running game; exhibitions and cards have their own tests."""

from __future__ import annotations

import pytest

from companion.games.base import Refused
from companion.play import Moment, follow

OPENING = [
    '{"do": "new_game", "game": "pergamon", "players": ["Ada", "Ben", "Cleo"]}',
    '{"do": "lay_out", "finds": ["V10J1", "V20J2", "V30J3", "V40J4", "J50V5"]}',
    '{"do": "draw_funds", "backs": ["bag", "chest"]}',
    '{"do": "place_figure", "space": 8}',
    '{"do": "place_figure", "space": 2}',
    '{"do": "place_figure", "space": 1}',
    '{"do": "reveal_funds", "values": [4, 8]}',
    '{"do": "dig", "gallery": 2}',
    '{"do": "end_turn"}',
    '{"do": "end_turn"}',
]
"""Ada has dug in gallery II and holds V20J2 and 1 coin, then Ben with 6 coins and Cleo with 3 have their turns."""

REFUSALS = [
    ("unknown_find", 1, '{"do": "lay_out", "finds": ["V10J1", "V20J2", "V30J3", "V40J4", "V50V5"]}'),
    ("unknown_find", 8, '{"do": "exhibit", "finds": ["V20J2", "J21M1"]}'),
    ("unknown_find", 8, '{"do": "end_turn", "discard": ["V10J1"]}'),
    ("find_seen_before", 1, '{"do": "lay_out", "finds": ["V10J1", "V10J1", "V30J3", "V40J4", "J50V5"]}'),
    ("not_your_turn", 3, '{"do": "place_figure", "player": "Ben", "space": 5}'),
    ("not_your_turn", 8, '{"do": "end_turn", "player": "Cleo"}'),
    ("space_taken", 4, '{"do": "place_figure", "space": 8}'),
    ("gallery_too_deep", 7, '{"do": "dig", "gallery": 3}'),
    ("gallery_empty", 9, '{"do": "dig", "gallery": 2}'),
    ("not_enough_coins", 10, '{"do": "dig", "gallery": 4}'),
    ("row_does_not_fit", 8, '{"do": "exhibit", "finds": ["V20J2"]}'),
    ("wrong_number_of_finds", 1, '{"do": "lay_out", "finds": ["V10J1"]}'),
    ("back_and_value_differ", 6, '{"do": "reveal_funds", "values": [8, 4]}'),
    ("wrong_phase", 1, '{"do": "dig", "gallery": 1}'),
    ("malformed", 1, '{"do": "dance"}'),
    ("game_under_way", 8, '{"do": "new_game", "game": "pergamon", "players": ["Ada", "Ben"]}'),
    ("stale_state", 8, '{"do": "end_turn", "on": 7}'),
    ("nothing_to_undo", 1, '{"do": "undo"}'),
]


@pytest.mark.parametrize(("code", "after", "line"), REFUSALS, ids=[f"{code} after {at}" for code, at, _ in REFUSALS])
def test_a_command_is_refused_with_its_code_and_a_sentence(code: str, after: int, line: str) -> None:
    moment = Moment()
    for accepted in OPENING[:after]:
        moment = follow(moment, accepted.encode())
    before = moment.show()

    with pytest.raises(Refused) as refused:
        follow(moment, line.encode())

    assert refused.value.code == code
    assert refused.value.message.endswith(".")
    assert refused.value.message[0].isupper() or refused.value.message[0] in "VJMB'"
    assert moment.show() == before
