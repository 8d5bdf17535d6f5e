"""In whole random games, what the table foretells is what then happens."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from companion.games.pergamon.advice import evaluation, exhibiting, storing, suggestions
from companion.games.pergamon.events import Event, FellOut, Moved, Paid, RoundBegan, Scored
from companion.games.pergamon.odds import funds, sum_odds
from companion.games.pergamon.state import State
from companion.play import Moment, follow
from tests.companion.games.players import RandomPlayer, new_game

Doing = dict[str, Any]


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("takes_rest", [True, False])
def test_what_is_foretold_happens(players: int, takes_rest: bool) -> None:
    for seed in range(2):
        moment = follow(Moment(), msgspec.json.encode(new_game(players, (), {"raider_takes_rest": takes_rest})))
        random_player = RandomPlayer(random.Random(f"{seed} {players} {takes_rest}"))
        while moment.under_way:
            doing = random_player.next_command(moment.state)
            after = follow(moment, msgspec.json.encode(doing))
            CHECKS.get(doing["do"], _nothing)(moment.state, doing, after.state)
            moment = after


def _nothing(before: State, doing: Doing, after: State) -> None:
    """Laying out is not foretold."""


def _sum_was_possible(before: State, doing: Doing, after: State) -> None:
    assert sum(sum_odds(before).values()) == sum(sum_odds(after).values()) == 1
    assert set(sum_odds(after)) <= set(sum_odds(before))
    assert sum_odds(before, doing["backs"]) == sum_odds(after)


def _space_was_offered(before: State, doing: Doing, after: State) -> None:
    advice = funds(before)
    space = next(free for free in advice.spaces if free.space == doing["space"])
    assert space.pay == funds(after).sitting[doing["player"]]
    for money, coins in space.at_worst.at.items():
        assert coins <= space.pay.at[money]


def _pay_was_known(before: State, doing: Doing, after: State) -> None:
    money = sum(doing["values"])
    assert sum_odds(before)[money] > 0
    paid = {event.player: event.coins for event in after.events if isinstance(event, Paid)}
    assert {name: pay.at[money] for name, pay in funds(before).sitting.items()} == paid


def _gallery_was_allowed(before: State, doing: Doing, after: State) -> None:
    who = before.waiting[0]
    gallery = suggestions(before, doing["player"]).galleries[doing["gallery"] - 1]
    assert gallery.refusal == ""
    assert gallery.rows == suggestions(after, doing["player"]).rows
    assert after.players[who].coins == before.players[who].coins - gallery.price


def _preview_was_right(before: State, doing: Doing, after: State) -> None:
    who = before.waiting[0]
    preview = exhibiting(before, doing["player"], doing["finds"], doing.get("polish", 0), doing.get("break_up"))
    made = after.players[who].collections[-1]
    assert (preview.value, preview.space, preview.coins_left) == (made.value, made.space, after.players[who].coins)
    assert preview.points == after.players[who].points - before.players[who].points
    assert (*preview.moved, *preview.fallen) == _moves(after.events)
    best = {len(row.finds): row.value for row in suggestions(before, doing["player"]).rows}
    assert made.value - made.polish <= best[len(made.finds)]


def _turn_ended_as_told(before: State, doing: Doing, after: State) -> None:
    who = before.waiting[0]
    ways = storing(before, doing["player"])
    kept = after.players[who].finds
    fee = before.players[who].coins - after.players[who].coins
    assert fee in [way.fee for way in ways if way.affordable and len(way.kept) >= len(kept)]
    told = evaluation(before)
    round_ended = after.phase == "over" or any(isinstance(event, RoundBegan) for event in after.events)
    if told is not None and round_ended and told.round == before.round:
        scored = tuple(event for event in after.events if isinstance(event, Scored))
        assert scored[: len(told.markers)] == told.markers
        assert [score for score in scored if score.reason == "prize"] == [told.prize][: told.prize is not None]
        assert (*told.moved, *told.fallen) == _moves(after.events)
        assert {player.name: player.points for player in after.players} == {
            player.name: player.points + told.points[player.name] for player in before.players
        }


def _moves(events: tuple[Event, ...]) -> tuple[Event, ...]:
    moved = [event for event in events if isinstance(event, Moved)]
    return (*moved, *(event for event in events if isinstance(event, FellOut)))


CHECKS = {
    "draw_funds": _sum_was_possible,
    "place_figure": _space_was_offered,
    "reveal_funds": _pay_was_known,
    "dig": _gallery_was_allowed,
    "exhibit": _preview_was_right,
    "end_turn": _turn_ended_as_told,
}
