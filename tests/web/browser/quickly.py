"""A game played straight at the table, to be quickly where a test of the page wants to look."""

from __future__ import annotations

import json
import random
from typing import Any

from companion.games.pergamon.rows import best_row
from companion.games.pergamon.turns import storage_fee
from companion.table import Table
from vision.pergamon.printable import FINDS, FUNDS


class Quickly:
    """Plays by itself, the same way for the same seed, until a wanted phase of a wanted round."""

    def __init__(self, table: Table, players: list[str], seed: int = 1, **options: Any) -> None:
        self.table = table
        self.chance = random.Random(seed)
        self.finds = self.chance.sample(FINDS, len(FINDS))
        self.funds = self.chance.sample(FUNDS, len(FUNDS))
        self.values = (0, 0)
        self.submit(do="new_game", game="pergamon", players=players, **options)

    @property
    def state(self) -> dict[str, Any]:
        return self.table.now.show()

    def submit(self, **command: Any) -> None:
        self.table.submit(json.dumps(command).encode())

    def until(self, round_: int, phase: str) -> dict[str, Any]:
        """Go on to this phase of this round."""
        while (self.state["round"], self.state["phase"]) != (round_, phase):
            self.step()
        return self.state

    def until_row(self) -> dict[str, Any]:
        """Go on until somebody, whose turn it is, has dug and can exhibit beside another collection."""
        while not self._can_exhibit():
            self.step()
        return self.state

    def _can_exhibit(self) -> bool:
        state = self.state
        player = next((one for one in state["players"] if one["name"] == state["to_act"]), None)
        dug = state["phase"] == "excavate" and state["turn"]["dug"] and not state["turn"]["exhibited"]
        return bool(dug and len(state["museum"]) > 1 and player and best_row(player["finds"]))

    def step(self) -> None:
        getattr(self, self.state["phase"])(self.state)

    def lay_out(self, state: dict[str, Any]) -> None:
        wanted = sum(len(finds) < 4 for finds in state["galleries"])
        self.submit(do="lay_out", finds=[self.finds.pop() for _ in range(wanted)])

    def draw_funds(self, _state: dict[str, Any]) -> None:
        self.values = (self.funds.pop(), self.funds.pop())
        self.submit(do="draw_funds", backs=["bag" if value < 5 else "chest" for value in self.values])

    def place_figures(self, state: dict[str, Any]) -> None:
        free = [space for space in range(1, 14) if space not in state["figures"].values()]
        self.submit(do="place_figure", space=self.chance.choice(free))

    def reveal_funds(self, _state: dict[str, Any]) -> None:
        self.submit(do="reveal_funds", values=self.values)

    def excavate(self, state: dict[str, Any]) -> None:
        player = next(one for one in state["players"] if one["name"] == state["to_act"])
        deepest = min(player["coins"], state["board"]["deepest_gallery"][state["figures"][player["name"]] - 1])
        galleries = [number for number in range(1, deepest + 1) if state["galleries"][number - 1]]
        row = best_row(player["finds"])
        if galleries and not state["turn"]["dug"] and not state["turn"]["exhibited"]:
            self.submit(do="dig", gallery=galleries[-1])
        elif row and len(player["collections"]) < 3:
            self.submit(do="exhibit", finds=row.finds, polish=min(1, player["coins"]))
        else:
            kept = len(player["finds"])
            while storage_fee(kept) > player["coins"]:
                kept -= 1
            self.submit(do="end_turn", discard=player["finds"][kept:])
