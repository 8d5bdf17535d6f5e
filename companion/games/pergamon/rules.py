"""The rules of Pergamon: which commands each phase takes, and what each command does."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from companion.games.base import Refused
from companion.games.pergamon import museum, raider
from companion.games.pergamon.board import MUSEUM_SPACES, Board
from companion.games.pergamon.commands import (
    AnyCommand,
    Command,
    Dig,
    DrawFunds,
    EndTurn,
    Exhibit,
    LayOut,
    NewGame,
    PlaceFigure,
    RevealFunds,
    seats,
)
from companion.games.pergamon.events import (
    Dug,
    Event,
    Exhibited,
    GameEnded,
    Laid,
    Paid,
    Placed,
    Returned,
    RoundBegan,
    Scored,
    Stored,
)
from companion.games.pergamon.funds import CARDS_OF_A_VALUE, VALUES, Share, back_of, hand_out, unseen_of
from companion.games.pergamon.notation import ROMAN, objects_in, parse_find, shorten, value_of
from companion.games.pergamon.state import LAST_ROUND, RAIDER, Collection, Player, State

MOST_POLISH = 3
FREE_STORAGE = 3


def start(new_game: NewGame) -> State:
    """Round 1 of a new game, with nothing on the table yet."""
    if len(set(new_game.variants)) < len(new_game.variants):
        raise Refused("malformed", "A variant is named twice.")
    players = tuple(Player(seat.name, seat.colour) for seat in seats(new_game))
    state = State(
        players=players,
        variants=new_game.variants,
        house_rules=new_game.house_rules,
        board=new_game.board or Board(),
        round=0,
        phase="over",
        order=tuple(range(len(players))),
        galleries=((),) * 5,
        seen=frozenset(),
        unseen_cards=(CARDS_OF_A_VALUE,) * len(VALUES),
    )
    return _begin_round(state, state.order)


def apply(state: State, command: AnyCommand) -> State:
    """The state after this command, or Refused with the state as it was."""
    rule = PHASES[state.phase].get(type(command))
    if rule is None:
        raise Refused("wrong_phase", f"Not now: {NOW[state.phase]}.")
    if command.player is not None:
        to_act = state.to_act
        name = None if to_act is None else state.players[to_act].name
        if command.player != name:
            whose = f"It is {name}'s turn" if name else "This is for the whole table to do"
            raise Refused("not_your_turn", f"{whose}, not for {shorten(command.player)}.")
    return rule(state, command)


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


def dig(state: State, command: Dig) -> State:
    """All finds of one gallery, for as many coins as its number."""
    who = state.waiting[0]
    player = state.players[who]
    if state.has_dug:
        raise Refused("wrong_phase", "You have already dug in this turn.")
    if state.has_exhibited:
        raise Refused("wrong_phase", "Digging comes before exhibiting.")
    deepest = state.board.deepest_of(state.space_of(who))
    if command.gallery > deepest:
        raise Refused("gallery_too_deep", f"Your funds space allows galleries down to {ROMAN[deepest - 1]}.")
    finds = state.galleries[command.gallery - 1]
    if not finds:
        raise Refused("gallery_empty", f"Gallery {ROMAN[command.gallery - 1]} is empty.")
    if player.coins < command.gallery:
        raise _too_poor(player, command.gallery, f"Gallery {ROMAN[command.gallery - 1]}")
    player = replace(player, coins=player.coins - command.gallery, finds=player.finds + finds)
    return replace(
        with_player(state, who, player),
        galleries=emptied(state.galleries, command.gallery),
        has_dug=True,
        events=(Dug(player.name, command.gallery, finds),),
    )


def exhibit(state: State, command: Exhibit) -> State:
    """A row of finds into the museum; markers on its space and below make room."""
    who = state.waiting[0]
    player = state.players[who]
    for code in command.finds:
        parse_find(code)
        _must_own(player, code)
    if len(command.finds) < 2:
        raise Refused("row_does_not_fit", "A collection is a row of two or more finds.")
    if len(set(command.finds)) < len(command.finds):
        raise Refused("row_does_not_fit", "A find can lie only once in a row.")
    objects = objects_in(command.finds)
    if command.polish > MOST_POLISH and state.round < LAST_ROUND:
        raise Refused("too_much_polish", f"Polish by {MOST_POLISH} at most; only round {LAST_ROUND} has no limit.")
    if command.polish > player.coins:
        raise _too_poor(player, command.polish, "That polish")
    marker = _marker_for(player, command)
    events: list[Event] = []
    if command.break_up is not None:
        player, broken = museum.break_up(player, command.break_up)
        events.append(broken)
    value = value_of(objects) + command.polish
    space = min(value, MUSEUM_SPACES)
    state, moves = museum.move_down(with_player(state, who, player), highest=space, spaces=1)
    player = state.players[who]
    collection = Collection(marker, command.finds, objects, command.polish, value, space, state.exhibitions)
    exhibited = set(command.finds)
    player = replace(
        player,
        coins=player.coins - command.polish,
        finds=tuple(code for code in player.finds if code not in exhibited),
        collections=(*player.collections, collection),
    )
    state = replace(
        with_player(state, who, player),
        has_exhibited=True,
        exhibitions=state.exhibitions + 1,
        events=(*events, *moves, Exhibited(player.name, marker, space, value, command.polish)),
    )
    return museum.add_scores(state, (Scored(player.name, 1, state.round, "exhibit", marker=marker, space=space),))


def _marker_for(player: Player, command: Exhibit) -> str:
    """The marker that the new collection takes, with one of three broken up first."""
    free = player.free_markers
    if free and command.break_up is not None:
        raise Refused("break_up_not_needed", "Only with three collections in the museum is one of them broken up.")
    if not free:
        if command.break_up is None:
            raise Refused("no_free_marker", "Your three markers are in the museum: say which collection you break up.")
        free = [command.break_up]
    marker = command.marker or free[0]
    if marker not in free:
        raise Refused("no_free_marker", f"Your marker {marker} is not free.")
    return marker


def end_turn(state: State, command: EndTurn) -> State:
    """What is thrown away goes to the box, the rest is stored for a fee; the next one acts."""
    who = state.waiting[0]
    player = state.players[who]
    for code in command.discard:
        parse_find(code)
        _must_own(player, code)
    if len(set(command.discard)) < len(command.discard):
        raise Refused("unknown_find", "A find can be thrown away only once.")
    kept = tuple(code for code in player.finds if code not in command.discard)
    fee = storage_fee(len(kept))
    if fee > player.coins:
        raise _too_poor(player, fee, f"Storing {len(kept)} finds")
    player = replace(player, coins=player.coins - fee, finds=kept)
    state = replace(
        with_player(state, who, player),
        waiting=state.waiting[1:],
        has_dug=False,
        has_exhibited=False,
        events=(Stored(player.name, len(kept), fee, command.discard),),
    )
    state = raider.act(state)
    return state if state.waiting else _end_round(state)


def storage_fee(finds: int) -> int:
    """Three finds are stored for nothing, every three more, or part of three, cost a coin."""
    return max(0, -((FREE_STORAGE - finds) // FREE_STORAGE))


def _end_round(state: State) -> State:
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
    return _begin_round(state, tuple(order))


def _begin_round(state: State, order: tuple[int, ...]) -> State:
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


def with_player(state: State, who: int, player: Player) -> State:
    """The state with this player's things changed."""
    players = list(state.players)
    players[who] = player
    return replace(state, players=tuple(players))


def emptied(galleries: tuple[tuple[str, ...], ...], gallery: int) -> tuple[tuple[str, ...], ...]:
    """The galleries after this one was dug out or looted."""
    return (*galleries[: gallery - 1], (), *galleries[gallery:])


def _must_own(player: Player, code: str) -> None:
    if code not in player.finds:
        raise Refused("unknown_find", f"{code} is not among {player.name}'s finds.")


def _too_poor(player: Player, price: int, what: str) -> Refused:
    return Refused("not_enough_coins", f"{what} costs {price}, and {player.name} has {player.coins}.")


Rule = Callable[[State, Any], State]

PHASES: dict[str, dict[type[Command], Rule]] = {
    "lay_out": {LayOut: lay_out},  # then draw_funds
    "draw_funds": {DrawFunds: draw_funds},  # then place_figures
    "place_figures": {PlaceFigure: place_figure},  # until all sit, then reveal_funds
    "reveal_funds": {RevealFunds: reveal_funds},  # then excavate
    "excavate": {Dig: dig, Exhibit: exhibit, EndTurn: end_turn},  # until all have ended, then lay_out, or over
    "over": {},
}
"""The game at a glance: which commands each phase takes, and where it leads."""

NOW = {
    "lay_out": "new finds must be laid out",
    "draw_funds": "two funds cards must be drawn",
    "place_figures": "the figures must be placed on the funds spaces",
    "reveal_funds": "the funds cards must be turned over",
    "excavate": "the players dig, exhibit and store",
    "over": "the game is over",
}
