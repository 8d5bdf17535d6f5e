"""What the box says, in the language of the phone that hears it: chosen by the phone, changeable by its owner.

Every room speaks English and knows nothing of languages. Here its sentence is looked up; one with a name or a number in
it is found by its template in the catalogue, such as "{name} sits on space {space}.".
"""

from __future__ import annotations

import io
import re
from functools import cache
from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import NullTranslations, Translations
from flask import Flask, request
from flask_babel import Babel, Domain, get_locale
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header, parse_cookie

HERE = Path(__file__).parent / "translations"
LANGUAGES = ("en", "de")
"""English is written in the code itself; every other language has its catalogues in translations/."""
COOKIE = "language"
PAGE, SENTENCES = "messages", "sentences"
"""The catalogues: what the page's scripts say, which phones load, and what the box says."""
LONGEST = 400
"""Characters of a sentence that is looked up; more has something foreign in it."""


def use_languages(app: Flask) -> None:
    """Every answer of this app is in the language of its phone."""
    Babel(app, locale_selector=language, configure_jinja=False)


def language() -> str:
    """What this phone's owner chose, else what the phone prefers."""
    return _choice(request.cookies.get(COOKIE), request.accept_languages)


def language_of(environ: dict[str, Any] | None) -> str:
    """The same for a request that does not get as far as the page."""
    if environ is None:
        return LANGUAGES[0]
    accepted = parse_accept_header(environ.get("HTTP_ACCEPT_LANGUAGE"), LanguageAccept)
    return _choice(parse_cookie(environ.get("HTTP_COOKIE")).get(COOKIE), accepted)


def _choice(chosen: str | None, accepted: LanguageAccept) -> str:
    return chosen if chosen in LANGUAGES else accepted.best_match(LANGUAGES) or LANGUAGES[0]


class Catalogue(Domain):  # type: ignore[misc]  # Flask-Babel has no types
    """A catalogue, read as it was written: there is no build step."""

    def get_translations(self) -> NullTranslations:
        return _translations(str(get_locale()), self.domain[0])


page_texts = Catalogue(domain=PAGE)


def tell(sentence: str) -> str:
    """What the box says, for the phone that asks now."""
    return tell_in(str(get_locale() or LANGUAGES[0]), sentence)


def tell_in(spoken: str, sentence: str) -> str:
    """What the box says, in this language; in English where no words are known for it."""
    return sentence if spoken == LANGUAGES[0] or not sentence else _phrasebook(spoken).say(sentence)


def tell_scan(spoken: str, scan: dict[str, Any]) -> dict[str, Any]:
    """A scan with all that it says about itself in this language."""
    if spoken == LANGUAGES[0]:
        return scan
    pieces = [{**piece, "trouble": tell_in(spoken, piece.get("trouble") or "") or None} for piece in scan["pieces"]]
    told = {**scan, "pieces": pieces}
    for name in ("problem", "troubles"):
        if scan.get(name):
            said = scan[name]
            told[name] = _told(spoken, said) if isinstance(said, dict) else [_told(spoken, one) for one in said]
    return told


def _told(spoken: str, about: dict[str, Any]) -> dict[str, Any]:
    return {**about, "message": tell_in(spoken, about["message"])}


@cache
def catalogue(spoken: str, domain: str = PAGE) -> dict[str, str | list[str]]:
    """The texts of a language by their English ones; those that count have two forms."""
    found: dict[str, str | list[str]] = {}
    for message in _read(spoken, domain):
        english = message.id if isinstance(message.id, str) else message.id[0]
        if english and message.string and not message.fuzzy:
            found[english] = message.string if isinstance(message.string, str) else list(message.string)
    return found


@cache
def _translations(spoken: str, domain: str) -> NullTranslations:
    if spoken == LANGUAGES[0]:
        return NullTranslations()
    packed = io.BytesIO()
    write_mo(packed, _read(spoken, domain))
    packed.seek(0)
    return Translations(packed, domain)


@cache
def _read(spoken: str, domain: str) -> Any:
    path = HERE / spoken / "LC_MESSAGES" / f"{domain}.po"
    if not path.exists():
        return []
    with path.open("rb") as file:
        return read_po(file, locale=spoken)


class Phrasebook:
    """Sentences by their English, and templates for those with gaps; the most telling template comes first."""

    def __init__(self, words: dict[str, str]) -> None:
        self._words = words
        gapped = sorted((text for text in words if "{" in text), key=lambda text: -len(re.sub(r"\{\w+\}", "", text)))
        self._templates = [(_pattern(text), words[text]) for text in gapped]

    def say(self, english: str) -> str:
        """It in the other language; a row of sentences is said one after another, what is unknown stays as it is."""
        parts = re.split(r"(?<=[.!?]) (?=[^a-z])", english)
        for count in range(len(parts), 0, -1):
            known = self._find(" ".join(parts[:count])) or (parts[0] if count == 1 else None)
            if known is not None:
                return " ".join([known, *([self.say(" ".join(parts[count:]))] if count < len(parts) else [])])
        return english

    def _find(self, english: str) -> str | None:
        if english in self._words:
            return self._words[english]
        if len(english) > LONGEST:
            return None
        for pattern, words in self._templates:
            if found := pattern.fullmatch(english):
                return words.format(**{gap: self.say(value) for gap, value in found.groupdict().items()})
        return None


def _pattern(template: str) -> re.Pattern[str]:
    parts = re.split(r"\{(\w+)\}", template)
    return re.compile(
        "".join(f"(?P<{part}>.+?)" if index % 2 else re.escape(part) for index, part in enumerate(parts)), re.DOTALL
    )


@cache
def _phrasebook(spoken: str) -> Phrasebook:
    words = catalogue(spoken, SENTENCES)
    return Phrasebook({english: said for english, said in words.items() if isinstance(said, str)})
