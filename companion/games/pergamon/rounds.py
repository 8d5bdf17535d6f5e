"""A round of Pergamon: finds laid out, funds handed out, and, when everyone has acted, the next round or the end."""

from __future__ import annotations

import itertools

from msgspec.structs import replace

from companion.games.base import Refused
from companion.games.pergamon import museum, raider
from companion.games.pergamon.commands import DrawFunds, LayOut, PlaceFigure, RevealFunds
from companion.games.pergamon.events import Event, GameEnded, Laid, Paid, Placed, Returned, RoundBegan
from companion.games.pergamon.funds import CARDS_OF_A_VALUE, Share, back_of, hand_out, unseen_of
from companion.games.pergamon.notation import parse_find
from companion.games.pergamon.state import LAST_ROUND, RAIDER, State


def begin_round(state: State, order: tuple[int, ...]) -> State:
    """The next round; where every gallery is full, nothing is laid out."""
    first = state.players[order[0]].name
    return replace(
        state,
        round=state.round + 1,
        phase="lay_out" if state.open_galleries else "draw_funds",
        order=order,
        backs=(),
        values=(),
        figures=(),
        raider_space=0,
        events=(*state.events, RoundBegan(state.round + 1, first)),
    )


def lay_out(state: State, command: LayOut) -> State:
    """New finds into the open galleries, the youngest nearest to the surface."""
    finds = [parse_find(code) for code in command.finds]
    for code in command.finds:
        if code in state.seen or command.finds.count(code) > 1:
            raise Refused("find_seen_before", f"{code} has been on this table before.")
    open_galleries = state.open_galleries
    if len(finds) != len(open_galleries):
        raise Refused(
            "wrong_number_of_finds",
            f"Turn over one find for each gallery that has room: {len(open_galleries)}, not {len(finds)}.",
        )
    if "free_sorting" in state.variants:
        if any(a.century > b.century for a, b in itertools.pairwise(finds)):
            raise Refused("wrong_order", "Free sorting is for finds of one century: a younger century goes first.")
    else:
        finds.sort(key=lambda find: find.age)
    galleries = list(state.galleries)
    events: list[Event] = []
    for index, find in zip(open_galleries, finds, strict=True):
        galleries[index] = (*galleries[index], str(find))
        events.append(Laid(str(find), index + 1))
    return replace(
        state,
        phase="draw_funds",
        galleries=tuple(galleries),
        seen=state.seen.union(command.finds),
        events=tuple(events),
    )


def draw_funds(state: State, command: DrawFunds) -> State:
    """Two funds cards, backs up; with two players they show where the tomb raider stands."""
    for back in command.backs:
        if command.backs.count(back) > unseen_of(back, state.unseen_cards):
            left = unseen_of(back, state.unseen_cards)
            raise Refused("card_used_up", f"Too few cards with a {back} are left in the pile: {left}.")
    if not state.has_raider:
        return replace(state, phase="place_figures", backs=command.backs, events=())
    space = state.board.raider.for_backs(command.backs)
    return replace(
        state,
        phase="place_figures",
        backs=command.backs,
        raider_space=space,
        events=(Placed(RAIDER, space),),
    )


def place_figure(state: State, command: PlaceFigure) -> State:
    """A figure on a free funds space; after the last one the cards are turned over."""
    who = state.order[len(state.figures)]
    if command.space == state.raider_space:
        raise Refused("space_taken", f"The tomb raider stands on space {command.space}.")
    for other, space in state.figures:
        if space == command.space:
            raise Refused("space_taken", f"{state.players[other].name} sits on space {space}.")
    figures = (*state.figures, (who, command.space))
    return replace(
        state,
        phase="reveal_funds" if len(figures) == len(state.players) else "place_figures",
        figures=figures,
        events=(Placed(state.players[who].name, command.space),),
    )


def reveal_funds(state: State, command: RevealFunds) -> State:
    """The cards' values: coins for everyone, then the turns from right to left."""
    for back, value in zip(state.backs, command.values, strict=True):
        if back_of(value) != back:
            raise Refused("back_and_value_differ", f"A card with a {back} cannot be worth {value}.")
    unseen = list(state.unseen_cards)
    for value in command.values:
        unseen[value - 1] -= 1
        if unseen[value - 1] < 0:
            raise Refused("card_used_up", f"All {CARDS_OF_A_VALUE} cards of value {value} have been used.")
    state = replace(state, phase="excavate", values=command.values, unseen_cards=tuple(unseen))
    return raider.act(_pay_out(state))


def _pay_out(state: State) -> State:
    """Coins to every figure, the tomb raider among them, and the turns in the same order."""
    on_space = {space: who for who, space in state.figures}
    if state.has_raider:
        on_space[state.raider_space] = raider.TURN
    wanted = [Share(space, state.board.coins_of(space)) for space in on_space]
    leftmost = on_space[min(on_space)]
    takes_rest = leftmost != raider.TURN or state.house_rules.raider_takes_rest
    shares = hand_out(sum(state.values), wanted, takes_rest)
    players = list(state.players)
    purse = state.raider_coins
    events: list[Event] = []
    for space, coins in shares:
        who = on_space[space]
        if who == raider.TURN:
            purse += coins
            events.append(Paid(RAIDER, coins, space))
        else:
            players[who] = replace(players[who], coins=players[who].coins + coins)
            events.append(Paid(players[who].name, coins, space))
    left = sum(state.values) - sum(share.coins for share in shares)
    if left:
        events.append(Returned(left))
    return replace(
        state,
        players=tuple(players),
        raider_coins=purse,
        waiting=tuple(on_space[share.space] for share in shares),
        events=tuple(events),
    )


def end_round(state: State) -> State:
    """Everyone has acted: an evaluation if this round has one, then the next round or the end."""
    if state.round in museum.PRIZES:
        state = museum.evaluate(state)
    if state.round == LAST_ROUND:
        winners = museum.winners(state)
        return replace(state, phase="over", winners=winners, events=(*state.events, GameEnded(winners)))
    left_to_right = [who for who, _ in sorted(state.figures, key=lambda figure: figure[1])]
    order = left_to_right
    if "order_track" not in state.variants or state.has_raider:
        seats_round = range(len(state.players))
        order = [(left_to_right[0] + step) % len(state.players) for step in seats_round]
    return begin_round(state, tuple(order))
