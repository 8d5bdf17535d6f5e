"""Recorded games beside chess games: commands a second of `companion replay`, moves a second of python-chess.

Run from the root: python -m tests.bench.replay [games]
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from pathlib import Path

import chess
import chess.pgn
import msgspec

from companion import records
from tests.companion.games.players import random_game

GAMES = 200


def main(games: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        print(f"Writing {games} recorded games and {games} chess games of the same length ...", flush=True)
        pairs = [_write_pair(Path(folder), number) for number in range(games)]
        steps = sum(length for _, _, length in pairs)
        ours = theirs = 0.0
        for record, pgn, length in pairs:  # turn and turn about, so that a busy machine slows both
            start = time.perf_counter()
            _replay(record)
            between = time.perf_counter()
            _read_chess(pgn, length)
            ours += between - start
            theirs += time.perf_counter() - between
    print(f"companion replay: {steps} commands in {ours:.2f} s, {steps / ours:.0f} commands/s")
    print(f"python-chess {chess.__version__}: {steps} moves in {theirs:.2f} s, {steps / theirs:.0f} moves/s")
    print(f"ratio: {theirs / ours:.2f} (aim: at least 1.0)")


def _replay(record: Path) -> None:
    """What `companion replay --json` does with one file, the printing apart."""
    state = msgspec.json.encode(records.replay(str(record)).show())
    assert b'"phase":"over"' in state


def _read_chess(pgn: Path, moves: int) -> None:
    with pgn.open(encoding="utf-8") as file:
        game = chess.pgn.read_game(file)
    assert game is not None
    assert not game.errors
    assert game.end().ply() == moves


def _write_pair(folder: Path, number: int) -> tuple[Path, Path, int]:
    """A whole random game of Pergamon, and a chess game with as many moves as it has commands."""
    lines = random_game(number, players=2 + number % 3, variants=("order_track", "free_sorting")[: number % 3])
    record, pgn = folder / f"{number}.txt", folder / f"{number}.pgn"
    record.write_bytes(b"\n".join(lines) + b"\n")
    pgn.write_text(str(_chess_game(random.Random(number), len(lines))), encoding="utf-8")
    return record, pgn, len(lines)


def _chess_game(rng: random.Random, moves: int) -> chess.pgn.Game:
    """Random legal moves; a game that ends too early is played again."""
    while True:
        board = chess.Board()
        while len(board.move_stack) < moves and (legal := list(board.legal_moves)):
            board.push(rng.choice(legal))
        if len(board.move_stack) == moves:
            return chess.pgn.Game.from_board(board)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else GAMES)
