"""Coverage-guided fuzzing of everything that reads foreign bytes, with atheris.

Run as `python -m tests.faults.fuzz` (300,000 inputs, a few minutes); `--share 0.1` makes it a tenth, and
`--only command` takes one target. Needs `pip install atheris`. Each target runs in a process of its own, begins with
good examples and everything that was found before, and prints how many inputs it took and how much code they reached.
A finding ends the run with exit code 1; its bytes are put into tests/trust/corpus/<target>/, where a test keeps them.
"""

from __future__ import annotations

import argparse
import hashlib
import logging
import re
import subprocess
import sys
import tempfile
from importlib import import_module
from pathlib import Path

CORPUS = Path(__file__).parent.parent / "trust" / "corpus"
RUNS = {
    "recorded_game": 40_000,
    "command": 100_000,
    "configuration": 40_000,
    "board_file": 20_000,
    "seats_file": 10_000,
    "photograph": 30_000,
    "http_call": 40_000,
    "on_the_wire": 20_000,
}
LONGEST = {"recorded_game": 8192, "photograph": 8192, "command": 1024, "on_the_wire": 2048, "http_call": 4096}


def fuzz(name: str, runs: int, seed: int) -> None:
    """Fuzz one target in this process; never returns."""
    atheris = import_module("atheris")  # only this run needs it

    with atheris.instrument_imports(include=["companion", "vision.photo", "web", "hardware.pins", "tomllib"]):
        from tests.faults import targets
    logging.disable(logging.CRITICAL)
    work = Path(tempfile.mkdtemp())
    known = sorted((CORPUS / name).glob("*")) if (CORPUS / name).is_dir() else []
    for number, data in enumerate([*targets.seeds(name), *(path.read_bytes() for path in known)]):
        (work / f"{number:04}").write_bytes(data)
    options = [
        f"-runs={runs}",
        f"-seed={seed}",
        f"-max_len={LONGEST.get(name, 4096)}",
        f"-artifact_prefix={work}/found-",
    ]
    atheris.Setup([sys.argv[0], *options, "-timeout=20", "-rss_limit_mb=2000", str(work)], targets.TARGETS[name])
    atheris.Fuzz()


def run(name: str, runs: int, seed: int) -> tuple[int, str, bytes | None]:
    """Fuzz one target in a process of its own: inputs taken, what it said, and the bytes of a finding."""
    command = [sys.executable, "-m", "tests.faults.fuzz", "--only", name, "--runs", str(runs), "--seed", str(seed)]
    done = subprocess.run([*command, "--here"], capture_output=True, text=True, errors="replace", check=False)
    said = done.stdout + done.stderr
    taken = [int(number) for number in re.findall(r"^#(\d+)\s", said, re.MULTILINE)]
    found = re.search(r"Test unit written to (\S+)", said)
    return max(taken, default=0), said, Path(found[1]).read_bytes() if found else None


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    options.add_argument("--share", type=float, default=1.0)
    options.add_argument("--only", choices=RUNS)
    options.add_argument("--runs", type=int)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.here:
        fuzz(given.only, given.runs, given.seed)
    total, findings = 0, 0
    for name in [given.only] if given.only else RUNS:
        runs = given.runs or int(RUNS[name] * given.share)
        taken, said, finding = run(name, runs, given.seed)
        total += taken
        reached = re.findall(r"cov: (\d+) ft: (\d+) corp: (\d+)", said)
        edges = reached[-1][0] if reached else "?"
        print(
            f"{name:16}{taken:9} inputs, {edges:>6} edges reached, {'a finding' if finding else 'no finding'}",
            flush=True,
        )
        if finding is not None or taken < runs:
            findings += 1
            print(said[-3000:])
        if finding is not None:
            kept = CORPUS / name / hashlib.sha256(finding).hexdigest()[:12]
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.write_bytes(finding)
    print(f"{total} inputs in all, {findings} targets with findings")
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    main()
