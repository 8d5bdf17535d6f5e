"""What must hold at every moment of a game, worked out from the shown state alone."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

Shown = dict[str, Any]
SUPPLY = 3
"""Cards of each value."""


def check(shown: Shown) -> None:
    """One moment by itself."""
    _every_find_is_in_one_place(shown)
    _one_marker_a_space(shown)
    for player in shown["players"]:
        assert player["coins"] >= 0
        assert len(player["collections"]) <= 3
        assert player["points"] == sum(s["points"] for s in shown["scores"] if s["player"] == player["name"])
        for collection in player["collections"]:
            _a_collection_fits(collection)
    assert shown["raider"] is None or shown["raider"]["coins"] >= 0
    assert all(len(gallery) <= 4 for gallery in shown["galleries"])
    assert 1 <= shown["round"] <= 12
    assert len(set(shown["figures"].values())) == len(shown["figures"])
    revealed = shown["round"] - (shown["phase"] not in ("excavate", "over"))
    assert sum(shown["funds"]["unseen"].values()) == 8 * SUPPLY - 2 * revealed
    assert all(0 <= left <= SUPPLY for left in shown["funds"]["unseen"].values())
    names = {player["name"] for player in shown["players"]}
    assert shown["to_act"] is None or shown["to_act"] in names
    assert (shown["phase"] in ("place_figures", "excavate")) == (shown["to_act"] is not None)
    assert (shown["phase"] == "over") == bool(shown["winners"])
    assert set(shown["winners"]) <= names


def finds_on_the_table(shown: Shown) -> list[str]:
    """Every find that is not in the box: galleries, players' finds, collections."""
    finds = [find for gallery in shown["galleries"] for find in gallery]
    for player in shown["players"]:
        finds += player["finds"]
        finds += [find for collection in player["collections"] for find in collection["finds"]]
    return finds


def _every_find_is_in_one_place(shown: Shown) -> None:
    finds = finds_on_the_table(shown)
    assert len(set(finds)) == len(finds)


def _one_marker_a_space(shown: Shown) -> None:
    spaces = [marker["space"] for marker in shown["museum"]]
    assert len(set(spaces)) == len(spaces)
    assert all(1 <= space <= 24 for space in spaces)
    by_player = [(p["name"], c["marker"], c["space"]) for p in shown["players"] for c in p["collections"]]
    assert sorted(by_player) == sorted((m["player"], m["marker"], m["space"]) for m in shown["museum"])


def _a_collection_fits(collection: Shown) -> None:
    seams = list(pairwise(collection["finds"]))
    assert all(left[3] == right[0] for left, right in seams)
    assert collection["objects"] == [f"{left[3]}{left[4]}{right[1:3]}" for left, right in seams]
    assert collection["value"] == sum(int(left[4]) for left, _ in seams) + collection["polish"]
    assert collection["space"] <= min(24, collection["value"])


def check_step(before: Shown, command: Shown, after: Shown) -> None:
    """One moment and the next: where finds, coins and markers went."""
    events = after["events"]
    gone = [find for event in events for find in _back_to_the_box(event)]
    laid = command["finds"] if command["do"] == "lay_out" else []
    assert Counter(finds_on_the_table(before)) + Counter(laid) == Counter(finds_on_the_table(after)) + Counter(gone)
    assert _coins(after) - _coins(before) == sum(_came_in(event, command) for event in events)
    if command["do"] == "reveal_funds":
        paid = sum(event["coins"] for event in events if event["what"] in ("paid", "returned"))
        assert paid == sum(command["values"])
        if after["raider"] is None or after["house_rules"]["raider_takes_rest"]:
            assert not [event for event in events if event["what"] == "returned"]
    if command["do"] == "exhibit":
        _check_exhibit(before, command, after)


def _back_to_the_box(event: Shown) -> list[str]:
    if event["what"] in ("looted", "broken_up", "fell_out"):
        return list(event["finds"])
    return list(event["discarded"]) if event["what"] == "stored" else []


def _coins(shown: Shown) -> int:
    purse = shown["raider"]["coins"] if shown["raider"] else 0
    return int(purse + sum(player["coins"] for player in shown["players"]))


def _came_in(event: Shown, command: Shown) -> int:
    """Coins that came out of the supply with this event; negative: that went back into it."""
    if event["what"] == "paid":
        return int(event["coins"])
    if event["what"] in ("dug", "looted"):
        return -int(event["gallery"])
    if event["what"] == "exhibited":
        return -int(command.get("polish", 0))
    if event["what"] == "stored":
        return -max(0, (int(event["kept"]) - 3 + 2) // 3)
    return 0


def _check_exhibit(before: Shown, command: Shown, after: Shown) -> None:
    """Every marker on the new one's space or below went down one, none above moved."""
    centuries = [int(find[4]) for find in command["finds"][:-1]]
    space = min(24, sum(centuries) + command.get("polish", 0))
    expected = {(before["to_act"], space)}
    for marker in before["museum"]:
        if marker["player"] == before["to_act"] and marker["marker"] == command.get("break_up"):
            continue
        end = marker["space"] - (marker["space"] <= space)
        if end:
            expected.add((marker["player"], end))
    assert {(marker["player"], marker["space"]) for marker in after["museum"]} == expected
