"""The commands that play and keep games, as a script calls them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from companion import __main__ as entry
from companion.cli import companion
from tests.companion.games.players import random_game

GAMES = [random_game(seed, players) for seed, players in ((1, 2), (2, 3), (3, 4))]


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Three whole games."""
    paths = [tmp_path / f"game {number}.txt" for number in range(3)]
    for path, lines in zip(paths, GAMES, strict=True):
        path.write_bytes(b"\n".join(lines) + b"\n")
    return [str(path) for path in paths]


def run(*arguments: str, data: Path | None = None) -> Result:
    options = ["--data", str(data)] if data else []
    result = CliRunner().invoke(companion, [*arguments, *options])
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


def states(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_replay_prints_one_state_a_file_in_the_files_order(files: list[str]) -> None:
    result = run("replay", *files, "--json")

    assert result.exit_code == 0
    assert [len(state["players"]) for state in states(result)] == [2, 3, 4]
    assert {state["phase"] for state in states(result)} == {"over"}
    assert [state["version"] for state in states(result)] == [len(lines) for lines in GAMES]


def test_replay_of_a_refused_file_says_file_line_code_and_message_and_plays_the_others(
    files: list[str], tmp_path: Path
) -> None:
    bad = tmp_path / "bad.txt"
    bad.write_bytes(b"\n".join(GAMES[0][:4]) + b'\n{"do":"fly"}\n')

    result = run("replay", "--json", files[0], str(bad), files[2])

    first, error, last = states(result)
    assert result.exit_code == 1
    assert set(error) == {"error"}
    assert set(error["error"]) == {"file", "line", "code", "message"}
    assert (error["error"]["file"], error["error"]["line"], error["error"]["code"]) == (str(bad), 5, "malformed")
    assert (first["phase"], last["phase"]) == ("over", "over")


def test_replay_without_json_tells_people(files: list[str], tmp_path: Path) -> None:
    bad = tmp_path / "bad.txt"
    bad.write_bytes(b"\n".join(GAMES[0][:30]))

    result = run("replay", files[0], str(bad))

    assert result.exit_code == 0
    assert "Won by" in result.stdout
    assert "Next: " in result.stdout


def test_replay_of_a_refused_file_without_json_tells_people_where(tmp_path: Path) -> None:
    bad = tmp_path / "bad.txt"
    bad.write_bytes(b"\n".join(GAMES[0][:4]) + b'\n{"do":"fly"}\n')

    result = run("replay", str(bad))

    assert result.exit_code == 1
    assert f"{bad}, line 5" in result.stderr
    assert "malformed" in result.stderr


@pytest.mark.parametrize(
    "content",
    [
        b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 40, b"\x00" * 100_000, b"[" * 60_000, b'{"do":' * 9_000,
        b'{"do": NaN}', b'{"do": -Infinity}', b'{"do": "new_game", "players": ' + b"9" * 50_000 + b"}",
        b'{"do": "new_game", "do": "undo", "game": "pergamon"}', b'{"do": "\\ud800"}', b'{"do": "\\ud800\\udc00"}',
        b'{"do": "new_game", "game": "pergamon", "players": ["\\udfff", "Ben"]}', b"\xff\xfe{", b"null", b"-",
    ],
    ids=lambda content: repr(content[:24]),
)  # fmt: skip
def test_whatever_a_file_holds_replay_answers_with_its_line(content: bytes, tmp_path: Path) -> None:
    strange = tmp_path / "strange.txt"
    strange.write_bytes(content)

    result = run("replay", "--json", str(strange))

    (answer,) = states(result)
    assert result.exit_code == 1
    assert answer["error"]["line"] == 1
    assert answer["error"]["code"] in ("malformed", "wrong_phase", "nothing_to_undo")


def test_replay_of_a_folder_a_missing_file_and_a_device(tmp_path: Path) -> None:
    result = run("replay", "--json", str(tmp_path), str(tmp_path / "missing"), "/dev/null", "/dev/zero")

    assert result.exit_code == 1
    codes = [(state["error"]["line"], state["error"]["code"]) for state in states(result)]
    assert codes == [(0, "unreadable"), (0, "unreadable"), (0, "malformed"), (1, "malformed")]


def test_a_file_name_that_is_not_utf_8_is_no_trouble(tmp_path: Path) -> None:
    good = os.fsencode(tmp_path) + b"/caf\xe9.txt"
    Path(os.fsdecode(good)).write_bytes(b"\n".join(GAMES[0]))
    bad = os.fsencode(tmp_path) + b"/missing \xff.txt"

    for options in ((), ("--json",)):
        said = subprocess.run(
            [sys.executable, "-m", "companion", "replay", *options, good, bad], capture_output=True, check=False
        )
        assert said.returncode == 1
        assert b"Traceback" not in said.stderr
        assert (said.stdout + said.stderr).decode("utf-8").count("\n") == 2


def test_names_that_a_terminal_cannot_show_are_no_trouble(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_bytes(b"\n".join(random_game(4, ["🏺", "Zoë"])))

    said = subprocess.run(
        [sys.executable, "-m", "companion", "replay", str(path)],
        capture_output=True, check=False, env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )  # fmt: skip

    assert said.returncode == 0
    assert b"Won by" in said.stdout


def test_replay_in_a_process_of_its_own_answers_in_json_alone(files: list[str]) -> None:
    said = subprocess.run(
        [sys.executable, "-m", "companion", "replay", *files, "--json"], capture_output=True, check=True
    )

    assert [len(json.loads(line)["players"]) for line in said.stdout.splitlines()] == [2, 3, 4]
    assert said.stderr == b""


def test_a_reader_that_goes_away_early_sees_no_traceback(files: list[str]) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "companion", "replay", *files * 20, "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert b"Traceback" not in process.stderr.read()


@pytest.mark.parametrize(
    "arguments",
    [["replay"], ["replay", "--fast", "x"], ["nonsense"], ["export"], ["export", "one"], ["board", "chess"]],
)
def test_wrong_usage_is_exit_code_2(arguments: list[str]) -> None:
    result = run(*arguments)

    assert result.exit_code == 2
    assert "Usage:" in result.stderr


def test_games_are_imported_listed_and_exported(files: list[str], tmp_path: Path) -> None:
    data = tmp_path / "data"
    assert run("games", data=data).stdout == "No game has been played yet.\n"

    assert run("import", *files, data=data).exit_code == 0

    listed = states(run("games", "--json", data=data))
    assert [(game["id"], len(game["players"])) for game in listed] == [(3, 4), (2, 3), (1, 2)]
    assert "won by" in run("games", data=data).stdout
    out = tmp_path / "out.txt"
    assert run("export", "2", str(out), data=data).exit_code == 0
    assert states(run("replay", "--json", str(out))) == states(run("replay", "--json", files[1]))
    assert run("export", "2", data=data).stdout_bytes == out.read_bytes()


def test_an_exported_game_never_overwrites_a_file(files: list[str], tmp_path: Path) -> None:
    run("import", *files, data=tmp_path / "data")

    result = run("export", "1", files[0], data=tmp_path / "data")

    assert result.exit_code == 1
    assert "File exists" in result.stderr


def test_a_game_that_is_not_there_is_said(tmp_path: Path) -> None:
    for number in ("1", "0", str(10**30)):
        result = run("export", number, data=tmp_path / "data")
        assert result.exit_code == 1
        assert "no game" in result.stderr


def test_a_refused_file_is_not_imported(tmp_path: Path) -> None:
    bad = tmp_path / "bad.txt"
    bad.write_bytes(b"\n".join(GAMES[0][:4]) + b'\n{"do":"fly"}\n')

    result = run("import", str(bad), data=tmp_path / "data")

    assert result.exit_code == 1
    assert "line 5" in result.stderr
    assert run("games", "--json", data=tmp_path / "data").stdout == ""


def test_a_damaged_journal_is_one_clear_sentence(tmp_path: Path) -> None:
    (tmp_path / "journal.sqlite").write_text("Dear diary")

    result = run("games", data=tmp_path)

    assert result.exit_code == 1
    assert "damaged" in result.stderr
    assert result.stderr.count("\n") == 1


def test_the_data_folder_may_come_from_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "here"))

    run("games")

    assert (tmp_path / "here" / "journal.sqlite").exists()


def test_the_board_file_is_written_once_checked_and_refused_with_its_line(tmp_path: Path) -> None:
    assert "as shipped" in run("board", data=tmp_path).stdout
    assert "not confirmed" in run("board", "--write", data=tmp_path).stdout
    path = tmp_path / "pergamon-board.toml"
    path.write_text(path.read_text("utf-8").replace("confirmed = false", "confirmed = true"), "utf-8")
    assert run("board", "--write", data=tmp_path).stdout.endswith(": confirmed\n")
    path.write_text("confirmed = maybe\n")

    result = run("board", data=tmp_path)

    assert result.exit_code == 1
    assert "line 1" in result.stderr


def test_a_board_file_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "pergamon-board.new").mkdir()

    result = run("board", "--write", data=tmp_path)

    assert result.exit_code == 1
    assert "cannot be used" in result.stderr


def test_what_nobody_foresaw_ends_in_a_sentence_and_not_in_a_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(**_: str) -> None:
        raise KeyError("coins")

    monkeypatch.setattr(entry, "companion", fail)
    monkeypatch.delenv(entry.DEBUG, raising=False)
    with pytest.raises(SystemExit) as ended:
        entry.main()

    assert ended.value.code == 1
    assert capsys.readouterr().err.startswith("Error: the companion itself failed (KeyError: 'coins'). ")
    monkeypatch.setenv(entry.DEBUG, "1")
    with pytest.raises(KeyError):
        entry.main()
