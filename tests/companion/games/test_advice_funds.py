"""What players ask the table before they take a funds space."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

import msgspec
import pytest
from msgspec.structs import replace

from companion.games.base import Refused
from companion.games.pergamon.odds import Funds, Space, funds, sum_odds
from companion.games.pergamon.state import State
from tests.companion.games.given import THREE, TWO, do, new_game, player, turn

LAYOUT = ["V01J1", "V02J2", "V03J3", "V04J4", "V05J5"]


def placing(backs: Sequence[str], *spaces: int, players: Sequence[str] = THREE, **options: object) -> State:
    """Finds lie there, the backs are known, and the first figures sit on these spaces."""
    state = do(do(new_game(*players, **options), "lay_out", finds=LAYOUT), "draw_funds", backs=backs)
    for space in spaces:
        state = do(state, "place_figure", space=space)
    return state


def on(space: int, state: State) -> Space:
    return next(free for free in funds(state).spaces if free.space == space)


def unseen(state: State, *counts: int) -> State:
    """The state after cards were seen: so many are left of each value 1-8."""
    return replace(state, unseen_cards=counts)


# How much money is likely?


def test_a_bag_and_a_chest_of_a_fresh_pile_make_9_most_likely() -> None:
    odds = sum_odds(placing(["bag", "chest"]))

    assert odds == {money: Fraction(4 - abs(money - 9), 16) for money in range(6, 13)}


def test_two_bags_are_two_cards_of_one_pile_so_doubles_are_rarer() -> None:
    odds = sum_odds(placing(["bag", "bag"]))

    assert odds[2] == Fraction(3 * 2, 12 * 11)
    assert odds[3] == Fraction(2 * 3 * 3, 12 * 11)
    assert sum(odds.values()) == 1


def test_cards_that_have_been_used_count_no_more() -> None:
    state = unseen(placing(["chest", "chest"]), 3, 3, 3, 3, 0, 1, 1, 0)

    assert sum_odds(state) == {13: Fraction(1)}


def test_before_cards_are_drawn_any_two_of_the_pile_may_come() -> None:
    pile = [value for value in range(1, 9) for _ in range(3)]
    pairs = Counter(a + b for a, b in itertools.permutations(pile, 2))

    assert sum_odds(new_game()) == {money: Fraction(ways, 24 * 23) for money, ways in sorted(pairs.items())}


def test_before_cards_are_drawn_one_may_ask_for_certain_backs() -> None:
    assert sum_odds(new_game(), ["chest", "bag"]) == sum_odds(placing(["bag", "chest"]))
    assert sum_odds(unseen(new_game(), 0, 0, 0, 1, 3, 3, 3, 3), ["bag", "bag"]) == {}


def test_once_the_cards_are_turned_over_the_sum_is_known() -> None:
    state = do(placing(["chest", "bag"], 1, 5, 12), "reveal_funds", values=[7, 4])

    assert sum_odds(state) == {11: Fraction(1)}


# What would a space pay?


def test_who_sits_alone_takes_all() -> None:
    assert on(13, placing(["bag", "chest"])).pay.at == {money: money for money in range(6, 13)}


def test_those_at_the_right_take_first_and_the_leftmost_takes_the_rest() -> None:
    state = placing(["bag", "bag"], 8)  # asks for 3

    assert on(1, state).pay.at == {2: 0, 3: 0, 4: 1, 5: 2, 6: 3, 7: 4, 8: 5}
    assert on(9, state).pay.at == {2: 2, 3: 2, 4: 2, 5: 2, 6: 2, 7: 2, 8: 2}
    assert on(13, state).pay.at == dict.fromkeys(range(2, 9), 0)


def test_the_expected_coins_weigh_each_sum_with_its_odds() -> None:
    state = placing(["bag", "chest"], 8)

    assert on(1, state).pay.expected == pytest.approx(9 - 3)
    assert on(9, state).pay.expected == 2


def test_taken_spaces_are_not_offered() -> None:
    advice = funds(placing(["bag", "chest"], 8, players=TWO))

    assert [free.space for free in advice.spaces] == [1, 2, 3, 4, 5, 6, 9, 10, 11, 12, 13]
    assert advice.player == "Ben"


def test_the_raider_at_the_right_takes_his_coins_first() -> None:
    state = placing(["chest", "bag"], players=TWO)  # he stands on 7 and asks for 3

    assert on(1, state).pay.at[6] == 3
    assert on(8, state).pay.at[6] == 3
    assert on(9, state).pay.at[12] == 2


@pytest.mark.parametrize(("takes_rest", "his"), [(True, 12 - 2), (False, 3)])
def test_the_raider_as_the_leftmost_takes_the_rest_if_the_table_plays_so(takes_rest: bool, his: int) -> None:
    state = placing(["chest", "bag"], 9, players=TWO, house_rules={"raider_takes_rest": takes_rest})

    advice = funds(state)

    assert advice.sitting["raider"].at[12] == his
    assert advice.sitting["Ada"].at[12] == 2


def test_when_all_sit_the_advice_is_what_each_figure_gets() -> None:
    state = placing(["chest", "bag"], 8, 2, 10)
    advice = funds(state)

    paid = do(state, "reveal_funds", values=[7, 4])

    assert advice.spaces == ()
    assert advice.player is None
    assert {name: pay.at[11] for name, pay in advice.sitting.items()} == {
        name: player(paid, name).coins for name in THREE
    }


def test_a_space_says_its_coins_its_deepest_gallery_and_how_likely_each_dig_can_be_paid() -> None:
    space = on(4, placing(["bag", "bag"], 7))  # space 7 asks for 3, so 4 or more leave a coin

    assert (space.coins, space.deepest_gallery) == (5, 4)
    assert list(space.digs) == [1, 2, 3, 4]
    odds = sum_odds(placing(["bag", "bag"], 7))
    assert space.digs[1] == pytest.approx(float(1 - odds[2] - odds[3]))
    assert space.digs[4] == pytest.approx(float(odds[7] + odds[8]))


def test_coins_of_ones_own_help_to_dig_and_empty_galleries_are_left_out() -> None:
    state = placing(["bag", "bag"], 7)
    rich = [replace(seat, coins=4) for seat in state.players]
    state = replace(state, players=tuple(rich), galleries=(("V01J1",), (), ("V03J1",), (), ()))

    assert on(4, state).digs == {1: 1.0, 3: 1.0}


# What if the others sit down where it hurts?


@pytest.mark.parametrize("players", [TWO, THREE, (*THREE, "Dino")], ids=len)
@pytest.mark.parametrize("taken", [(), (4,), (11,)])
@pytest.mark.parametrize("backs", [("bag", "bag"), ("chest", "bag")])
def test_at_worst_is_the_least_that_any_seats_of_the_others_leave(
    players: Sequence[str], taken: Sequence[int], backs: Sequence[str]
) -> None:
    state = placing(backs, *taken, players=players)
    for free in funds(state).spaces[::4]:
        seated = do(state, "place_figure", space=free.space)
        name = players[len(taken)]
        coming = len(players) - len(taken) - 1
        others = [space for space in range(1, 14) if space not in (free.space, state.raider_space, *taken)]
        least = dict.fromkeys(free.pay.at, 99)
        for spaces in itertools.combinations(others, coming):
            money = _paid(seated, spaces, name)
            least = {total: min(least[total], money[total]) for total in least}
        assert free.at_worst.at == least


def _paid(state: State, spaces: Sequence[int], name: str) -> dict[int, int]:
    for space in spaces:
        state = do(state, "place_figure", space=space)
    return funds(state).sitting[name].at


# For the page


def test_the_advice_can_be_sent_to_a_page_and_read_back() -> None:
    advice = funds(placing(["bag", "chest"], 8, players=TWO))

    assert msgspec.json.decode(msgspec.json.encode(advice), type=Funds) == advice


def test_without_backs_on_the_table_there_is_nothing_to_say_about_spaces() -> None:
    for state in (new_game(), turn()):
        with pytest.raises(Refused) as refused:
            funds(state)
        assert refused.value.code == "wrong_phase"
