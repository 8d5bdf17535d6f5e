"""A player who knows the rules and no plan: whole random legal games, the same for the same seed."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from companion.games.pergamon.state import LAST_ROUND, State
from companion.games.pergamon.turns import storage_fee
from companion.play import Moment, follow

NAMES = ("Ada", "Ben", "Cleo", "Dino")
Doing = dict[str, Any]


class RandomPlayer:
    """Plays all seats of one table. Its temper is drawn once, so that games differ in kind, not only in detail."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.finds = _shuffled_box(rng)
        self.digs = rng.choice((0.0, 0.5, 1.0, 1.0, 1.0))
        self.exhibits = rng.choice((0.3, 0.9, 1.0))
        self.stops_a_row = rng.choice((0.1, 0.9))
        self.polishes = rng.choice((0.0, 0.5, 1.0))
        self.throws_away = rng.choice((0.0, 0.1, 0.6))

    def next_command(self, state: State) -> Doing:
        """A legal command for what the table or the player to act must do now."""
        if state.phase == "excavate":
            return self._act(state)
        if state.phase == "place_figures":
            taken = {space for _, space in state.figures} | {state.raider_space}
            who = state.players[state.order[len(state.figures)]].name
            space = self.rng.choice([space for space in range(1, 14) if space not in taken])
            return {"do": "place_figure", "player": who, "space": space}
        if state.phase == "lay_out":
            return self._lay_out(state)
        if state.phase == "draw_funds":
            return {"do": "draw_funds", "backs": ["bag" if value < 5 else "chest" for value in self._cards(state)]}
        return {"do": "reveal_funds", "values": self._cards(state, state.backs)}

    def _lay_out(self, state: State) -> Doing:
        """The next finds of the box, as many as there are galleries with room."""
        box = [find for find in self.finds if find not in state.seen]
        finds = box[: len(state.open_galleries)]
        if "free_sorting" in state.variants:
            finds.sort(key=lambda find: find[4])
        return {"do": "lay_out", "finds": finds}

    def _cards(self, state: State, backs: Sequence[str] = ()) -> list[int]:
        """Two cards from the pile; with these backs, if they have been drawn."""
        pile = [value for value, left in enumerate(state.unseen_cards, start=1) for _ in range(left)]
        cards: list[int] = []
        for back in backs or ("any", "any"):
            fitting = [value for value in pile if back == "any" or (back == "bag") == (value < 5)]
            cards.append(self.rng.choice(fitting))
            pile.remove(cards[-1])
        return cards

    def _act(self, state: State) -> Doing:
        who = state.waiting[0]
        player = state.players[who]
        rng = self.rng
        if not state.has_dug and not state.has_exhibited and rng.random() < self.digs:
            deepest = min(state.board.deepest_of(state.space_of(who)), player.coins)
            galleries = [number for number in range(1, deepest + 1) if state.galleries[number - 1]]
            if galleries:
                return {"do": "dig", "player": player.name, "gallery": rng.choice(galleries)}
        if rng.random() < self.exhibits:
            row = self._row(player.finds)
            if len(row) > 1:
                return self._exhibit(state, row)
        return self._end_turn(state)

    def _exhibit(self, state: State, row: list[str]) -> Doing:
        player = state.players[state.waiting[0]]
        exhibit: Doing = {"do": "exhibit", "player": player.name, "finds": row}
        most = player.coins if state.round == LAST_ROUND else min(3, player.coins)
        if self.rng.random() < self.polishes and most:
            exhibit["polish"] = self.rng.randint(1, most)
        free = player.free_markers
        if not free:
            exhibit["break_up"] = self.rng.choice(("I", "II", "III"))
        elif self.rng.random() < 0.5:
            exhibit["marker"] = self.rng.choice(free)
        return exhibit

    def _end_turn(self, state: State) -> Doing:
        player = state.players[state.waiting[0]]
        discard = [find for find in player.finds if self.rng.random() < self.throws_away]
        kept = [find for find in player.finds if find not in discard]
        while storage_fee(len(kept)) > player.coins:
            discard.append(kept.pop(self.rng.randrange(len(kept))))
        end: Doing = {"do": "end_turn", "player": player.name}
        return end | {"discard": discard} if discard else end

    def _row(self, finds: Sequence[str]) -> list[str]:
        """Finds that fit, one after another, as far as chance leads."""
        left = list(finds)
        self.rng.shuffle(left)
        starts = [find for find in left if any(other[0] == find[3] for other in left)]
        row = starts[:1]
        while row:
            fitting = [find for find in left if find not in row and find[0] == row[-1][3]]
            if not fitting or (len(row) > 1 and self.rng.random() < self.stops_a_row):
                break
            row.append(fitting[0])
        return row


def _shuffled_box(rng: random.Random) -> list[str]:
    """Sixty finds as a printed set has them: every pair of kinds in every century, every number once."""
    numbers = rng.sample(range(100), 60)
    pairs = [(left, right, century) for left in "VJMB" for right in "VJMB" if left != right for century in "12345"]
    box = [f"{left}{number:02d}{right}{century}" for number, (left, right, century) in zip(numbers, pairs, strict=True)]
    rng.shuffle(box)
    return box


def new_game(
    players: int | Sequence[str] = 2,
    variants: Sequence[str] = (),
    house_rules: Mapping[str, bool] | None = None,
) -> Doing:
    """The command that opens a game for so many players, or for these."""
    names = NAMES[:players] if isinstance(players, int) else players
    opening: Doing = {"do": "new_game", "game": "pergamon", "players": list(names), "variants": list(variants)}
    return opening | {"house_rules": dict(house_rules)} if house_rules else opening


def random_game(
    seed: int,
    players: int | Sequence[str] = 2,
    variants: Sequence[str] = (),
    house_rules: Mapping[str, bool] | None = None,
) -> list[bytes]:
    """The lines of a whole random game, from `new_game` to the end of round 12."""
    opening = new_game(players, variants, house_rules)
    lines = [msgspec.json.encode(opening)]
    moment = follow(Moment(), lines[0])
    player = RandomPlayer(random.Random(f"{seed} {opening}"))
    while moment.under_way:
        lines.append(msgspec.json.encode(player.next_command(moment.state)))
        moment = follow(moment, lines[-1])
    return lines
