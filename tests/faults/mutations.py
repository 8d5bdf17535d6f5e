"""Ways in which a recorded game can be wrong, by name. Some leave it legal: then it must be played."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any, NamedTuple

Lines = list[bytes]
STRANGE_VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1.5, 1e308, "", "x", "V50J3", "raider", [], {}, [None], [[]], {"a": 1}, 10**18, -(10**18),
)  # fmt: skip
STRANGE_TEXTS = (
    "\u0000", "\u001b[2J", "\u2028", "\u202e", "👩‍🚀", "é", "е", "﻿", " ", "\\", '"', "../../etc/passwd", "<script>",
    "%s%n", "{0}", "' OR 1=1", "NaN", "A" * 5_000,
)  # fmt: skip


class Mutated(NamedTuple):
    """A file's beginning, and its whole size if it goes on with nothing but noughts."""

    content: bytes
    size: int = 0


def _text(lines: Lines) -> Mutated:
    return Mutated(b"\n".join(lines) + b"\n")


def _change(rng: random.Random, lines: Lines, change: Callable[[dict[str, Any]], object]) -> Mutated:
    """One command of the game, changed as a JSON object."""
    at = rng.randrange(len(lines))
    command = json.loads(lines[at])
    change(command)
    return _text([*lines[:at], json.dumps(command).encode(), *lines[at + 1 :]])


def _put(rng: random.Random, lines: Lines, *more: bytes) -> Mutated:
    at = rng.randrange(len(lines) + 1)
    return _text([*lines[:at], *more, *lines[at:]])


def _raw_value(rng: random.Random, lines: Lines, value: bytes) -> Mutated:
    """One command with a value that no JSON writer would write."""
    at = rng.randrange(len(lines))
    command = json.loads(lines[at])
    key = rng.choice(list(command))
    command[key] = "@@"
    line = json.dumps(command).encode().replace(b'"@@"', value)
    return _text([*lines[:at], line, *lines[at + 1 :]])


def wrong_type(rng: random.Random, lines: Lines) -> Mutated:
    return _change(rng, lines, lambda c: c.update({rng.choice(list(c)): rng.choice(STRANGE_VALUES)}))


def wrong_type_inside(rng: random.Random, lines: Lines) -> Mutated:
    def change(command: dict[str, Any]) -> None:
        for value in command.values():
            if isinstance(value, list) and value:
                value[rng.randrange(len(value))] = rng.choice(STRANGE_VALUES)

    return _change(rng, lines, change)


def missing_key(rng: random.Random, lines: Lines) -> Mutated:
    return _change(rng, lines, lambda c: c.pop(rng.choice(list(c))))


def extra_key(rng: random.Random, lines: Lines) -> Mutated:
    key = rng.choice(("extra", "player", "on", "polish", "marker", "break_up", "replace", "board", "", "do "))
    return _change(rng, lines, lambda c: c.update({key: rng.choice(STRANGE_VALUES)}))


def key_twice(rng: random.Random, lines: Lines) -> Mutated:
    at = rng.randrange(len(lines))
    key = rng.choice(list(json.loads(lines[at])))
    value = json.dumps(rng.choice(STRANGE_VALUES))
    line = lines[at][:-1] + f", {json.dumps(key)}: {value}}}".encode()
    return _text([*lines[:at], line, *lines[at + 1 :]])


def huge_number(rng: random.Random, lines: Lines) -> Mutated:
    digits = rng.choice((5, 19, 20, 40, 400, 4_299, 4_301, 30_000))
    return _raw_value(rng, lines, rng.choice((b"", b"-", b"0.")) + b"9" * digits)


def strange_number(rng: random.Random, lines: Lines) -> Mutated:
    numbers = (
        b"NaN",
        b"Infinity",
        b"-Infinity",
        b"1e999",
        b"-0",
        b"0x10",
        b"1_000",
        b"01",
        b"1.",
        b".5",
        b"+1",
        b"1e3",
    )
    return _raw_value(rng, lines, rng.choice(numbers))


def lone_surrogate(rng: random.Random, lines: Lines) -> Mutated:
    return _raw_value(
        rng, lines, rng.choice((b'"\\ud800"', b'"\\udfff"', b'["\\ud83d"]', b'"\\ud83d\\ud83d"', b'"\\u12"'))
    )


def deep_nesting(rng: random.Random, lines: Lines) -> Mutated:
    depth = rng.choice((10, 900, 1_100, 20_000))
    opening, closing = rng.choice(((b"[", b"]"), (b'{"a":', b"}")))
    return _raw_value(rng, lines, opening * depth + b"1" + closing * rng.choice((depth, 0)))


def unknown_command(rng: random.Random, lines: Lines) -> Mutated:
    names = ("fly", "", "Dig", "resume_game", "undo ", "UNDO", "new_game\u0000", "end-turn")
    return _change(rng, lines, lambda c: c.update({"do": rng.choice(names)}))


def strange_text(rng: random.Random, lines: Lines) -> Mutated:
    def change(command: dict[str, Any]) -> None:
        key = rng.choice(list(command))
        command[key] = f"{command[key]}{rng.choice(STRANGE_TEXTS)}" if rng.random() < 0.5 else rng.choice(STRANGE_TEXTS)

    return _change(rng, lines, change)


def another_find(rng: random.Random, lines: Lines) -> Mutated:
    at = rng.choice([number for number, line in enumerate(lines) if b'"finds"' in line])
    command = json.loads(lines[at])
    code = list(rng.choice(command["finds"] or ["V50J3"]))
    code[rng.randrange(5)] = rng.choice("VJMB0123456789X")
    command["finds"][rng.randrange(len(command["finds"]))] = "".join(code)
    return _text([*lines[:at], json.dumps(command).encode(), *lines[at + 1 :]])


def another_player(rng: random.Random, lines: Lines) -> Mutated:
    return _change(rng, lines, lambda c: c.update({"player": rng.choice(("Ada", "Ben", "Cleo", "raider", "", None))}))


def another_number(rng: random.Random, lines: Lines) -> Mutated:
    def change(command: dict[str, Any]) -> None:
        for key, value in command.items():
            if isinstance(value, int):
                command[key] = value + rng.choice((-3, -1, 1, 3))
            elif key == "values":
                command[key] = [rng.randint(0, 9), rng.randint(0, 9)]

    return _change(rng, lines, change)


def version_of_the_table(rng: random.Random, lines: Lines) -> Mutated:
    at = rng.randrange(len(lines))
    command = json.loads(lines[at]) | {"on": at + rng.choice((0, 0, -1, 1, 10**15))}
    return _text([*lines[:at], json.dumps(command).encode(), *lines[at + 1 :]])


def undo_anywhere(rng: random.Random, lines: Lines) -> Mutated:
    return _put(rng, lines, *[b'{"do": "undo"}'] * rng.randint(1, 5))


def undo_and_again(rng: random.Random, lines: Lines) -> Mutated:
    at = rng.randrange(1, len(lines))
    return _text([*lines[:at], b'{"do": "undo"}', *lines[at - 1 :]])


def new_game_anywhere(rng: random.Random, lines: Lines) -> Mutated:
    return _put(rng, lines, lines[0] if rng.random() < 0.5 else lines[0][:-1] + b', "replace": true}')


def line_lost(rng: random.Random, lines: Lines) -> Mutated:
    at = rng.randrange(len(lines))
    return _text(lines[:at] + lines[at + 1 :])


def line_twice(rng: random.Random, lines: Lines) -> Mutated:
    return _put(rng, lines, rng.choice(lines))


def lines_swapped(rng: random.Random, lines: Lines) -> Mutated:
    one, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    mixed = list(lines)
    mixed[one], mixed[other] = mixed[other], mixed[one]
    return _text(mixed)


def all_lines_mixed(rng: random.Random, lines: Lines) -> Mutated:
    return _text([lines[0], *rng.sample(lines[1:], len(lines) - 1)])


def line_cut(rng: random.Random, lines: Lines) -> Mutated:
    at = rng.randrange(len(lines))
    return _text([*lines[:at], lines[at][: rng.randrange(len(lines[at]))], *lines[at + 1 :]])


def file_cut(rng: random.Random, lines: Lines) -> Mutated:
    content = _text(lines).content
    return Mutated(content[: rng.randrange(len(content))])


def no_object(rng: random.Random, lines: Lines) -> Mutated:
    return _put(
        rng, lines, rng.choice((b"null", b"[]", b"7", b'"undo"', b"{}", b"{", b"undo", b"\\", b"<html>", b"---"))
    )


def not_utf_8(rng: random.Random, lines: Lines) -> Mutated:
    content = bytearray(_text(lines).content)
    content[rng.randrange(len(content))] = rng.choice((0x80, 0xC0, 0xE9, 0xF8, 0xFF))
    return Mutated(bytes(content))


def flipped_bytes(rng: random.Random, lines: Lines) -> Mutated:
    content = bytearray(_text(lines).content)
    for _ in range(rng.choice((1, 1, 2, 20))):
        content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
    return Mutated(bytes(content))


def another_encoding(rng: random.Random, lines: Lines) -> Mutated:
    return Mutated(_text(lines).content.decode().encode(rng.choice(("utf-16", "utf-16-le", "utf-32", "utf-7"))))


def rubbish(rng: random.Random, lines: Lines) -> Mutated:
    return Mutated(rng.randbytes(rng.choice((0, 1, 100, 10_000, 200_000))) + lines[0][: rng.choice((0, 20))])


def what_editors_do(rng: random.Random, lines: Lines) -> Mutated:
    """Legal: another kind of line ends, comments, blank lines, a byte order mark."""
    end = rng.choice((b"\r\n", b"\n\n", b"\n# a comment\n", b" \n "))
    return Mutated(rng.choice((b"", b"\xef\xbb\xbf")) + end.join(lines) + rng.choice((b"", end)))


def line_of_100_mb(rng: random.Random, lines: Lines) -> Mutated:
    at = rng.randrange(len(lines))
    begun = rng.choice((b'{"do": "', b"# ", b"[" * 70_000, b" " * 70_000, lines[at][:-1] + b', "x": "' + b"x" * 70_000))
    return Mutated(b"\n".join([*lines[:at], begun]), size=100_000_000)


def lines_without_end(rng: random.Random, lines: Lines) -> Mutated:
    at = rng.choice((1, 2, len(lines) - 1))
    body = rng.choice((b"\n", b"#\n", b'{"do": "undo"}\n', lines[at] + b'\n{"do":"undo"}\n'))
    return Mutated(_text(lines[:at]).content + body * (3_000_000 // len(body)))


MUTATIONS: tuple[Callable[[random.Random, Lines], Mutated], ...] = (
    wrong_type, wrong_type_inside, missing_key, extra_key, key_twice, huge_number, strange_number, lone_surrogate,
    deep_nesting, unknown_command, strange_text, another_find, another_player, another_number, version_of_the_table,
    undo_anywhere, undo_and_again, new_game_anywhere, line_lost, line_twice, lines_swapped, all_lines_mixed, line_cut,
    file_cut, no_object, not_utf_8, flipped_bytes, another_encoding, rubbish, what_editors_do, line_of_100_mb,
    lines_without_end,
)  # fmt: skip
