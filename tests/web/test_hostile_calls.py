"""Every call with every kind of body: always an answer with a code, never a fault."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.journal import Journal
from companion.owner import OwnerFiles
from companion.table import Table
from tests.web.conftest import CODE, NEW_GAME
from web import create_app
from web.seats import Seats

WORDS = [
    "do",
    "on",
    "game",
    "players",
    "player",
    "code",
    "ask",
    "record",
    "data",
    "source",
    "expect",
    "finds",
    "scan",
    "teach",
]
VALUES = [*WORDS, "new_game", "undo", "lay_out", "camera", "pergamon", "Ada", CODE, "V50J3", "<b>", "\u202e", "👩‍🏺"]
text = st.one_of(st.sampled_from(VALUES), st.text(max_size=20))
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | text,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.one_of(st.sampled_from(WORDS), text), inner, max_size=5)
    ),
    max_leaves=12,
)
bodies = st.one_of(
    anything.map(lambda value: json.dumps(value).encode(errors="replace")),
    st.dictionaries(st.sampled_from(WORDS), anything, max_size=4).map(lambda value: json.dumps(value).encode()),
    st.binary(max_size=200),
)
kinds = st.sampled_from(
    ["application/json"] * 6 + ["text/plain", "multipart/form-data; boundary=x", "", "a/b; charset=x"]
)
queries = st.one_of(st.just(""), st.text(max_size=20).map(lambda value: f"limit={value}&before={value}"))


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    folder: Path = tmp_path_factory.mktemp("hostile")
    ticks = itertools.count(1_700_000_000)
    journal = Journal(folder / "journal.sqlite", now=lambda: float(next(ticks)))
    clock = itertools.count(0, 60)
    seats = Seats(folder / "seats.json", CODE, lambda: float(next(clock)))
    yield create_app(Table(journal), seats, owner=OwnerFiles(folder))
    journal.close()


def seated(page: Flask) -> FlaskClient:
    phone = page.test_client()
    assert phone.post("/api/seats", json={"code": CODE}).status_code == 200
    phone.post("/api/table/commands", json={**NEW_GAME, "replace": True})
    return phone


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_every_call_answers_everything_with_a_code(page: Flask, data: st.DataObject) -> None:
    calls = [(rule, method) for rule in page.url_map.iter_rules() for method in rule.methods or ()]
    rule, method = data.draw(st.sampled_from(sorted(calls, key=str)))
    filled: dict[str, Any] = {name: data.draw(text) for name in rule.arguments}
    for name in rule.arguments & {"game_id", "seat_id"}:
        filled[name] = data.draw(st.integers(min_value=0, max_value=1 << 70))
    path = page.url_map.bind("localhost").build(rule.endpoint, filled, method=method) if filled else str(rule)
    phone = seated(page) if data.draw(st.booleans()) else page.test_client()

    answer = phone.open(
        path.split("?")[0],
        method=method,
        data=data.draw(bodies),
        content_type=data.draw(kinds),
        query_string=data.draw(queries),
    )

    assert answer.status_code < 500 or answer.status_code == 503
    if answer.status_code >= 400 and path.startswith("/api/") and method != "HEAD":
        error = answer.get_json()["error"]
        assert error["code"] != "fault"
        assert error["message"]
