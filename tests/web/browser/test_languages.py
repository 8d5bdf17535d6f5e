"""English and German: by the phone, changeable, and complete."""

from __future__ import annotations

import re
from collections.abc import Callable

from babel.messages.extract import extract_from_dir

from tests.web.browser.conftest import Place
from tests.web.browser.phones import Phone
from tests.web.browser.quickly import Quickly
from web.pages import HERE, catalogue

WORDS = {"t": None, "say": None, "n": (1, 2)}


def texts_in_the_code() -> list[str | tuple[str, ...]]:
    """Every text that the page's scripts and templates ask for."""
    found = extract_from_dir(
        HERE, [("static/**.js", "javascript"), ("templates/**.html", "jinja2")], keywords=WORDS, strip_comment_tags=True
    )
    return [text for _file, _line, text, _comments, _context in found]


def test_every_text_of_the_page_is_in_german_with_the_same_gaps() -> None:
    german = catalogue("de")
    texts = texts_in_the_code()
    assert len(texts) > 300
    for text in texts:
        one = text if isinstance(text, str) else text[0]
        assert one in german, one
        forms = german[one]
        assert isinstance(forms, list) == isinstance(text, tuple), one
        for form in forms if isinstance(forms, list) else [forms]:
            gaps = set(re.findall(r"\{\w+\}", form))
            many = text if isinstance(text, str) else text[1]
            assert form
            assert gaps <= set(re.findall(r"\{\w+\}", one + many)), one


def test_no_german_text_is_left_over() -> None:
    known = {text if isinstance(text, str) else text[0] for text in texts_in_the_code()}
    assert set(catalogue("de")) == known


def test_the_phone_chooses_the_language_and_its_owner_may_change_it(phone: Callable[..., Phone], place: Place) -> None:
    Quickly(place.table, ["Ada", "Ben"]).until(2, "excavate")
    name = place.table.now.show()["to_act"]
    one = phone("de-AT", seat=name)
    one.says("Runde 2 von 12")
    assert one.page.evaluate("document.documentElement.lang") == "de"
    one.go("settings")
    one.page.get_by_role("radio", name="English").tap()
    one.says("A chime when it is your turn")
    one.page.goto(place.url)
    one.says("Round 2 of 12")


def test_a_phone_of_another_language_is_spoken_to_in_english(phone: Callable[..., Phone]) -> None:
    phone("fi").says("Join the table")
