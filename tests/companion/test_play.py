"""The table's own commands, whatever the game: versions, undo, stale states, a new game in place of another."""

from __future__ import annotations

import json
from typing import Any

import pytest

from companion.games import GAMES
from companion.games.base import Refused
from companion.play import LONGEST_LINE, Moment, follow
from tests.companion.games.players import new_game, random_game

GAME = random_game(seed=1, players=3)
UNDO = b'{"do": "undo"}'


def played(lines: list[bytes], moment: Moment | None = None) -> Moment:
    moment = moment or Moment()
    for line in lines:
        moment = follow(moment, line)
    return moment


def refusal(moment: Moment, line: bytes | dict[str, Any]) -> str:
    with pytest.raises(Refused) as refused:
        follow(moment, line if isinstance(line, bytes) else json.dumps(line).encode())
    return refused.value.code


def unversioned(moment: Moment) -> dict[str, Any]:
    return moment.show() | {"version": 0}


def test_the_version_counts_accepted_commands() -> None:
    for count in (1, 2, 17, len(GAME)):
        assert played(GAME[:count]).show()["version"] == count


def test_a_refused_command_is_not_counted_and_changes_nothing() -> None:
    moment = played(GAME[:20])
    before = moment.show()

    assert refusal(moment, {"do": "place_figure", "space": 99}) == "malformed"
    assert moment.show() == before


def test_undo_takes_back_the_last_command() -> None:
    undone = played([*GAME[:20], UNDO])

    assert unversioned(undone) == unversioned(played(GAME[:19]))
    assert undone.version == 21


def test_undo_goes_back_as_often_as_there_is_a_command() -> None:
    undone = played([*GAME, *[UNDO] * (len(GAME) - 1)])

    assert unversioned(undone) == unversioned(played(GAME[:1]))
    assert undone.version == 2 * len(GAME) - 1
    assert refusal(undone, UNDO) == "nothing_to_undo"


def test_undone_commands_can_be_done_again() -> None:
    again = played([*GAME[:30], *[UNDO] * 10, *GAME[20:30]])

    assert unversioned(again) == unversioned(played(GAME[:30]))


def test_undo_takes_back_an_evaluation_with_the_command_that_set_it_off() -> None:
    moment = Moment()
    for line in GAME:
        after = follow(moment, line)
        if after.show().get("round") == 6:
            break
        moment = after

    assert [event for event in after.show()["events"] if event["what"] == "scored"]
    assert unversioned(follow(after, UNDO)) == unversioned(moment)


def test_undo_takes_back_the_end_of_the_game() -> None:
    over = played(GAME)
    assert not over.under_way

    undone = follow(over, UNDO)

    assert undone.under_way
    assert undone.show()["winners"] == []


def test_the_beginning_of_a_game_cannot_be_undone() -> None:
    assert refusal(played(GAME[:1]), UNDO) == "nothing_to_undo"
    assert refusal(Moment(), UNDO) == "nothing_to_undo"


def test_any_player_may_take_a_step_back() -> None:
    assert follow(played(GAME[:20]), b'{"do": "undo", "player": "Cleo", "on": 20}').version == 21


def test_undo_with_something_else_in_it_is_malformed() -> None:
    assert refusal(played(GAME[:20]), {"do": "undo", "steps": 3}) == "malformed"


def test_a_command_on_the_version_it_was_made_for_is_taken() -> None:
    moment = played(GAME[:20])

    assert follow(moment, GAME[20][:-1] + b',"on":20}').version == 21


@pytest.mark.parametrize("version", [0, 19, 21, -1, 10**12])
def test_a_command_on_another_version_is_stale(version: int) -> None:
    moment = played(GAME[:20])

    assert refusal(moment, GAME[20][:-1] + b',"on":%d}' % version) == "stale_state"
    assert refusal(moment, {"do": "undo", "on": version}) == "stale_state"


def test_undo_does_not_make_an_older_version_current_again() -> None:
    undone = follow(played(GAME[:20]), UNDO)

    assert refusal(undone, GAME[19][:-1] + b',"on":19}') == "stale_state"


@pytest.mark.parametrize("version", ["20", 20.5, True, [], {}])
def test_what_is_no_version_is_malformed(version: object) -> None:
    assert refusal(played(GAME[:20]), {"do": "undo", "on": version}) == "malformed"


def test_a_new_game_is_refused_while_one_is_under_way() -> None:
    assert refusal(played(GAME[:20]), new_game(2)) == "game_under_way"


def test_a_new_game_may_replace_the_one_under_way() -> None:
    replaced = follow(played(GAME[:20]), json.dumps(new_game(2) | {"replace": True}).encode())

    assert (replaced.version, replaced.show()["round"]) == (21, 1)
    assert len(replaced.show()["players"]) == 2
    assert refusal(replaced, UNDO) == "nothing_to_undo"


def test_after_the_end_a_new_game_needs_no_leave() -> None:
    assert follow(played(GAME), GAME[0]).version == len(GAME) + 1


def test_a_refused_new_game_leaves_the_old_one() -> None:
    moment = played(GAME[:20])

    assert refusal(moment, new_game(["Ada", "Ada"]) | {"replace": True}) == "malformed"
    assert moment.show()["version"] == 20


def test_before_any_game_only_a_new_game_is_taken() -> None:
    assert Moment().show()["phase"] == "no_game"
    assert refusal(Moment(), GAME[1]) == "wrong_phase"
    assert refusal(Moment(), {"do": "end_turn"}) == "wrong_phase"


def test_what_is_no_command_of_any_game_is_malformed_before_the_first_game_too() -> None:
    assert refusal(Moment(), {"do": "fly"}) == "malformed"
    assert refusal(Moment(), {"do": "dig", "gallery": "deep"}) == "malformed"


@pytest.mark.parametrize("game", ["chess", "", "Pergamon", None, 7])
def test_an_unknown_game_is_malformed(game: object) -> None:
    assert refusal(Moment(), new_game(2) | {"game": game}) == "malformed"


@pytest.mark.parametrize(
    "line",
    [
        b"", b"{", b"[]", b"null", b"7", b'"undo"', b"{}", b'{"do": 7}', b'{"do": "fly"}', b'{"do": "undo"} {}',
        b'{"do": "undo", "do": "fly"}', b"{'do': 'undo'}", b'{"do": NaN}', b'{"do": "dig", "gallery": Infinity}',
        b'{"do": "dig", "gallery": 1e999}', b'{"do": "dig", "gallery": "\\ud800"}', b'{"do": "\xff"}', b"\x00",
        b'{"do": "dig"}', b'{"do": "dig", "gallery": 1, "extra": 1}', b'{"do": "end_turn", "discard": ["\\udc00"]}',
        b'{"do": "undo", "x": ' + b"[" * 30_000 + b"]" * 30_000 + b"}", b'{"a":' * 9_000 + b"1" + b"}" * 9_000,
        b'{"do": "undo", "on": ' + b"9" * 60_000 + b"}", b'{"do":"undo"' + b" " * LONGEST_LINE + b"}",
    ],
    ids=lambda line: repr(line[:40]),
)  # fmt: skip
def test_what_is_no_command_is_malformed(line: bytes) -> None:
    moment = played(GAME[:20])

    assert refusal(moment, line) == "malformed"
    assert moment.version == 20


def test_a_line_may_be_as_long_as_that_and_no_longer() -> None:
    longest = b'{"do":"undo"' + b" " * (LONGEST_LINE - 13) + b"}"

    assert follow(played(GAME[:20]), longest).version == 21
    assert refusal(played(GAME[:20]), longest + b" ") == "malformed"


def test_what_a_command_was_made_on_is_not_part_of_the_record() -> None:
    moment = follow(Moment(), GAME[0][:-1] + b',"on":0}')

    assert b'"on"' not in moment.line


def test_the_record_of_a_game_stands_alone_with_the_board_it_was_started_with() -> None:
    """Should other numbers be shipped one day, an old game still keeps its own."""
    recorded = json.loads(follow(Moment(), GAME[0]).line)

    assert recorded["board"] == json.loads(json.dumps(played(GAME[:1]).show()["board"]))


def test_the_owners_board_is_kept_with_a_new_game() -> None:
    pergamon = GAMES["pergamon"]
    confirmed = pergamon.read_data(pergamon.data_text.replace("confirmed = false", "confirmed = true"))

    moment = follow(Moment(), GAME[0], owner_data=lambda _: confirmed)

    assert moment.show()["board"]["confirmed"] is True
    assert follow(Moment(), moment.line).show()["board"]["confirmed"] is True


def test_a_board_in_the_command_goes_before_the_owners() -> None:
    own = json.dumps(new_game(2) | {"board": {"museum_points": [7] * 24}}).encode()

    moment = follow(Moment(), own, owner_data=lambda game: game.read_data("confirmed = true"))

    assert moment.show()["board"]["museum_points"] == (7,) * 24


def test_a_table_without_a_game_shows_the_same_to_everyone() -> None:
    assert Moment().view("Ada") == Moment().view(None) == Moment().show()
