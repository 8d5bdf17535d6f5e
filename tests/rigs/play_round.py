"""Plays one round of a two-player game at a running table, by its camera and HTTP calls alone.

    python3 play_round.py http://127.0.0.1:8080 JOIN-CODE

Needs nothing but Python, so that it runs inside a rig, or from a laptop against a real Pi.
"""

from __future__ import annotations

import json
import sys
import time
import urllib.error
import urllib.request
from http.cookiejar import CookieJar
from typing import Any

PATIENCE = 600
"""Seconds for an answer, and for a camera that is still opening; an emulated machine is slow."""


class Denied(Exception):
    """The table said no."""

    def __init__(self, path: str, answer: str) -> None:
        super().__init__(f"{path}: {answer}")
        try:
            self.code = str(json.loads(answer)["error"]["code"])
        except (ValueError, KeyError, TypeError):
            self.code = ""


class Table:
    """A device at the table that may act for everyone."""

    def __init__(self, address: str, join_code: str) -> None:
        self._address = address.rstrip("/")
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        self.call("/api/seats", {"code": join_code})

    def call(self, path: str, body: dict[str, Any] | None = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self._address + path, data, {"Content-Type": "application/json"})
        try:
            with self._opener.open(request, timeout=PATIENCE) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            raise Denied(path, error.read().decode()) from None

    def do(self, do: str, **command: Any) -> None:
        print(do, command)
        self.call("/api/table/commands", {"do": do, **command})

    def state(self) -> dict[str, Any]:
        state: dict[str, Any] = self.call("/api/table")
        return state

    def scan(self, expect: str) -> dict[str, Any]:
        """A reading by the table's camera, as soon as there is one."""
        began = time.monotonic()
        while True:
            try:
                reading: dict[str, Any] = self.call("/api/scans", {"source": "camera", "expect": expect})
                return reading
            except Denied as denied:
                if denied.code not in ("no_camera", "busy") or time.monotonic() - began > PATIENCE:
                    raise
                time.sleep(1)

    def sure(self, expect: str) -> list[str]:
        """The pieces that the camera is sure of."""
        reading = self.scan(expect)
        for piece in reading["pieces"]:
            print("  camera:", piece["code"], piece["status"])
        return [piece["code"] for piece in reading["pieces"] if piece["status"] == "sure"]


def play_round(table: Table) -> None:
    """A whole round: everything that the camera can see is read by the camera."""
    table.do("new_game", game="pergamon", players=["Ada", "Ben"], replace=True)
    table.do("lay_out", finds=table.sure("finds"))
    table.do("draw_funds", backs=table.sure("funds"))
    taken = set(table.state()["figures"].values())
    for player in table.state()["order"]:
        space = next(space for space in (6, 8, 10) if space not in taken)
        taken.add(space)
        table.do("place_figure", player=player, space=space)
    values = [int(code) for code in table.sure("funds")]
    if (values[0] <= 4) != (table.state()["funds"]["backs"][0] == "bag"):
        values.reverse()
    table.do("reveal_funds", values=values)
    while (state := table.state())["phase"] == "excavate":
        mine = next(player for player in state["players"] if player["name"] == state["to_act"])
        if not state["turn"]["dug"] and mine["coins"] and state["galleries"][0]:
            table.do("dig", gallery=1)
        table.do("end_turn")


if __name__ == "__main__":
    table = Table(*sys.argv[1:3])
    try:
        play_round(table)
    except Denied as denied:
        sys.exit(str(denied))
    state = table.state()
    print("round", state["round"], "version", state["version"])
    sys.exit(0 if state["round"] == 2 else "The round did not end.")
