"""What fuzzing has found, and good examples of everything it begins with; `python -m tests.faults.fuzz` goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults.targets import TARGETS, house, seeds

CORPUS = Path(__file__).parent / "corpus"
FOUND = [(path.parent.name, path) for path in sorted(CORPUS.glob("*/*"))]


@pytest.mark.parametrize(("target", "path"), FOUND, ids=lambda value: getattr(value, "name", value))
def test_what_was_found_once_is_read_or_refused_as_it_should(target: str, path: Path) -> None:
    TARGETS[target](path.read_bytes())


@pytest.mark.parametrize("target", TARGETS)
def test_good_examples_are_read(target: str) -> None:
    for example in seeds(target):
        TARGETS[target](example)


@pytest.mark.parametrize("target", TARGETS)
def test_good_examples_cut_short_anywhere_are_read_or_refused(target: str) -> None:
    for example in list(seeds(target))[:12]:
        for end in range(0, len(example), max(1, len(example) // 12)):
            TARGETS[target](example[:end])


def test_every_call_of_the_page_is_among_the_examples() -> None:
    assert {example[0] for example in seeds("http_call")} == set(range(len(house().rules)))
