"""English and German: by the phone, changeable, and complete."""

from __future__ import annotations

import re
from collections.abc import Callable

from babel.messages.extract import extract_from_dir

from tests.web.browser.conftest import Place
from tests.web.browser.phones import Phone
from tests.web.browser.quickly import Quickly
from web.languages import catalogue
from web.pages import HERE

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


def test_a_german_phone_is_refused_in_german(phone: Callable[..., Phone], place: Place) -> None:
    quick = Quickly(place.table, ["Ada", "Ben"])
    quick.submit(do="lay_out", finds=["V13J1", "J57V2", "B26V5", "B14J3", "J15V5"])
    quick.submit(do="draw_funds", backs=["bag", "chest"])
    quick.submit(do="place_figure", space=1)
    quick.submit(do="place_figure", space=2)
    quick.submit(do="reveal_funds", values=[4, 8])
    while quick.state["phase"] == "excavate":
        player = next(one for one in quick.state["players"] if one["name"] == quick.state["to_act"])
        if not quick.state["turn"]["dug"] and quick.state["galleries"][0]:
            quick.submit(do="dig", gallery=1)
        else:
            quick.submit(do="end_turn", discard=player["finds"])
    ada = phone("de", seat="Ada")
    for code in ("V13J1", "J41V1", "J60V3", "V48J2", "M17J4"):
        ada.enter_find(code, printed=False)
    ada.confirm()
    ada.says("V13J1 lag schon auf diesem Tisch.")
    ada.troubles.clear()


def test_a_german_phone_that_types_a_wrong_code_reads_german(phone: Callable[..., Phone]) -> None:
    one = phone("de")
    one.page.fill("#code", "WRONG1")
    one.tap(".seat")
    one.says("Das ist nicht der Code dieses Tisches.")
    one.troubles.clear()
