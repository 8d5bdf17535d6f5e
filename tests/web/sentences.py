"""Every sentence that the box can say to a phone, as the source has it: `python -m tests.web.sentences` lists those
that a language lacks. A gap is named after what fills it."""

from __future__ import annotations

import ast
import errno
import os
import re
from collections.abc import Iterator
from pathlib import Path

from web.languages import LANGUAGES, SENTENCES, catalogue

ROOT = Path(__file__).parents[2]
ROOMS = ("companion", "vision", "web")
CALLS = {
    *("Refused", "Denied", "SeatRefused", "RecordRefused", "PhotoRefused", "SetRefused", "WrongData"),
    *("CannotRecord", "JournalError", "CameraTrouble", "NoPictureNow", "EyeState"),
    *("error_answer", "failed", "busy", "refuse", "BadLine", "too_poor", "too_large", "damaged", "noticed"),
}
"""What a sentence for a player is handed to."""
NAMES = {
    *("trouble", "message", "reason", "said", "whose", "where"),
    *("NO_SEAT", "CANNOT_READ", "SENTENCES", "NOW", "KINDS"),
}
"""What a sentence, or a part of one, is kept in before that."""
TELLERS = re.compile(r"_?(\w+_)?(trouble|not_now|damaged|too_large)")
"""Functions that give a sentence."""
ELSEWHERE = {
    *("cli.py", "cli_eyes.py", "cli_repair.py", "cli_station.py", "doctor.py", "repair.py", "report.py"),
    *("settings.py", "data_folder.py", "torn.py"),
}
"""What these say goes to the terminal."""


WORDS = (*("bag", "chest"), *("vase", "jug", "mask", "bracelet"), *("finds", "funds"))
"""Single words that go into sentences, or onto a photograph."""
SYSTEM = (
    *map(os.strerror, (errno.ENOSPC, errno.EACCES, errno.EROFS, errno.EIO)),
    *("database or disk is full", "attempt to write a readonly database", "disk I/O error"),
)
"""What Linux and SQLite say when a disk fails, which goes into sentences."""
GAP = re.compile(r"\{(\w+)\}")


def shape(template: str) -> str:
    """A template without the names of its gaps."""
    return GAP.sub("{}", template)


def sentences() -> dict[str, str]:
    """Every template, with the file that it is in."""
    found = dict.fromkeys((*WORDS, *SYSTEM), "the system")
    known = set(map(shape, found))
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            if path.name not in ELSEWHERE:
                for text in _in_file(path):
                    if shape(text) not in known:
                        known.add(shape(text))
                        found[text] = path.relative_to(ROOT).as_posix()
    return found


def _in_file(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call) and _name(node.func).lstrip("_") in CALLS:
            for given in [*node.args, *(word.value for word in node.keywords)]:
                yield from _texts(given)
        elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(_name(name) in NAMES for target in targets for name in getattr(target, "elts", [target])):
                yield from _texts(node.value)
        elif isinstance(node, ast.FunctionDef) and TELLERS.fullmatch(node.name):
            for inside in ast.walk(node):
                if isinstance(inside, ast.Return) and inside.value is not None:
                    yield from _texts(inside.value)


def _texts(node: ast.expr) -> Iterator[str]:
    """The sentences, and parts of sentences, that an expression may be."""
    if isinstance(node, ast.Constant | ast.JoinedStr):
        text = _template(node).strip()
        if re.search("[a-z]{2}", GAP.sub("", text)) and (" " in text or text in WORDS):
            yield text
    elif isinstance(node, ast.IfExp):
        yield from [*_texts(node.body), *_texts(node.orelse)]
    elif isinstance(node, ast.BinOp | ast.BoolOp):
        parts = [node.left, node.right] if isinstance(node, ast.BinOp) else node.values
        for part in parts:
            yield from _texts(part)
    elif isinstance(node, ast.Tuple | ast.List):
        for part in node.elts:
            yield from _texts(part)
    elif isinstance(node, ast.Dict):
        for part in node.values:
            yield from _texts(part)


def _template(node: ast.Constant | ast.JoinedStr) -> str:
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    parts: list[str] = []
    for part in node.values:
        if isinstance(part, ast.FormattedValue):
            gap = _gap(part.value)
            count = sum(other.startswith(f"{{{gap}") for other in parts)
            parts.append(f"{{{gap}{count + 1 if count else ''}}}")
        else:
            parts.append(_template(part) if isinstance(part, ast.Constant | ast.JoinedStr) else "")
    return "".join(parts)


def _gap(node: ast.expr) -> str:
    """A word for what fills a gap: the first name in the expression that says more than how it is written."""
    names = [word for inner in ast.walk(node) if (word := _name(inner)) not in ("", "len", "str", "int", "shorten")]
    return names[0].strip("_").lower() if names else "it"


def _name(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def main() -> None:
    for language in LANGUAGES[1:]:
        known = set(map(shape, catalogue(language, SENTENCES)))
        for text, file in sentences().items():
            if shape(text) not in known:
                print(f"{language} {file}: {text}")


if __name__ == "__main__":
    main()
