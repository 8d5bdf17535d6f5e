"""The short form of the proof with 10,000 mutated recorded games: every mutation some times, timings aside."""

from __future__ import annotations

from tests.faults.mutations import MUTATIONS
from tests.faults.records import outcomes


def test_every_mutated_game_is_played_as_legal_or_refused_with_its_line_and_code() -> None:
    found = outcomes(files=10 * len(MUTATIONS), seed=2)

    assert [outcome for outcome in found if outcome.broken] == []
    codes = {outcome.code for outcome in found}
    assert {"", "malformed", "wrong_phase", "not_your_turn", "unknown_find", "stale_state"} <= codes


def test_what_leaves_a_game_legal_is_played() -> None:
    found = outcomes(files=3 * len(MUTATIONS), seed=3)

    legal = ("what_editors_do", "undo_and_again")
    assert {outcome.code for outcome in found if outcome.mutation in legal} == {""}
