"""Runs inside the virtual machine of systemd.sh: watches the installed service like an owner would."""

from __future__ import annotations

import json
import os
import pwd
import re
import signal
import subprocess
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.rigs.play_round import Table, play_round

ADDRESS = "http://127.0.0.1"
NAME = "companion-rig.local"
PATIENCE = 300
REMEMBERED = Path("/srv/game.json")
DATA = Path("/var/lib/table-companion")
WISH = Path("/run/table-companion/power-off")


def say(text: str) -> None:
    print(f"rig: {text}", flush=True)


def told(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def shown(what: str) -> str:
    return told("systemctl", "show", "--value", "--property", what, "table-companion.service")


def until(what: str, holds: Callable[[], Any]) -> Any:
    """Wait, as an owner would in front of the box, until something holds."""
    began = time.monotonic()
    while time.monotonic() - began < PATIENCE:
        try:
            if found := holds():
                say(f"{what}: {time.monotonic() - began:.0f} s")
                return found
        except (OSError, subprocess.CalledProcessError):
            pass
        time.sleep(1)
    raise SystemExit(f"{what}: it did not come")


def asked(path: str, host: str = "127.0.0.1", address: str = ADDRESS) -> Any:
    request = urllib.request.Request(address + path, headers={"Host": host})
    with urllib.request.urlopen(request, timeout=20) as answer:
        return json.load(answer) if "json" in answer.headers["Content-Type"] else answer.status


def here(pid: int = 0) -> bool:
    """Whether the service answers, as another process than this one."""
    return int(shown("MainPID")) not in (0, pid) and shown("ActiveState") == "active" and bool(asked("/healthz"))


def sandbox(pid: int) -> None:
    """What the kernel itself says of the service."""
    status = dict(re.findall(r"^(\w+):\s*(.*)$", Path(f"/proc/{pid}/status").read_text(), re.M))
    owner = pwd.getpwuid(int(status["Uid"].split()[0])).pw_name
    say(f"runs as {owner}, capabilities {status['CapEff']}, no new privileges {status['NoNewPrivs']}, "
        f"system calls filtered {status['Seccomp']}, {status['VmRSS']} in memory")  # fmt: skip
    assert (owner, status["NoNewPrivs"], status["Seccomp"]) == ("companion", "1", "2")
    assert int(status["CapEff"], 16) == 1 << 10, "it may do more than bind port 80"


def named() -> str:
    """This machine's address, asked for by name as a phone does."""
    found = re.search(r"\s(\d+\.\d+\.\d+\.\d+)$", told("avahi-resolve", "-4", "-n", NAME))
    return found[1] if found else ""


def first_evening() -> None:
    say("watching")
    until("active at boot", here)
    sandbox(int(shown("MainPID")))
    address = until(f"found as {NAME}", named)
    say(f"http://{NAME} is {address}, answers {asked('/healthz', NAME, f'http://{address}')}")
    play_round(Table(ADDRESS, "rigcode1"))
    before = asked("/api/table")
    say(f"a round was played: round {before['round']}, version {before['version']}")
    sandbox(int(shown("MainPID")))

    pid = int(shown("MainPID"))
    os.kill(pid, signal.SIGKILL)
    until("back after a kill", lambda: here(pid))
    assert asked("/api/table") == before, "the game is not where it was"

    pid = int(shown("MainPID"))
    os.kill(pid, signal.SIGSTOP)
    until("back after it hung (watchdog)", lambda: here(pid))
    assert asked("/api/table") == before, "the game is not where it was"
    say(f"restarts by systemd: {shown('NRestarts')}")

    pid = int(shown("MainPID"))
    subprocess.run(["/srv/table-companion/run", "--install"], check=True)
    until("installed over itself", lambda: here(pid))
    assert asked("/api/table") == before, "the game is not where it was"
    REMEMBERED.write_text(json.dumps(before))
    told("sync")

    began = time.monotonic()
    told("systemctl", "stop", "table-companion.service")
    say(f"stopped in {time.monotonic() - began:.1f} s, result {shown('Result')}")
    assert shown("Result") == "success"
    told("systemctl", "start", "table-companion.service")
    say(f"sudo companion: {told('companion', '--version')}, as {told('stat', '-c', '%U', str(DATA))}")
    say("PASSED the first evening; now the wish to switch off")
    subprocess.run(
        ["setpriv", "--reuid=companion", "--regid=companion", "--clear-groups", "touch", str(WISH)], check=True
    )


def second_evening() -> None:
    say("watching")
    until("active at boot", here)
    assert asked("/api/table") == json.loads(REMEMBERED.read_text()), "the game is not where it was"
    say("the game of the first evening is there")
    subprocess.run(["/srv/table-companion/run", "--uninstall"], check=True)
    left = told(
        "find",
        "/opt",
        "/etc",
        "/var",
        "/run",
        "/usr",
        "-xdev",
        "-name",
        "*table-companion*",
        "-not",
        "-path",
        "/var/log/*",
    )
    say(f"left after --uninstall: {left.split()}")
    assert sorted(left.split()) == ["/etc/systemd/system/table-companion.service.d", str(DATA)], left
    assert not Path("/usr/local/bin/companion").exists()
    assert "companion:" not in Path("/etc/passwd").read_text()
    kept = sorted(path.name for path in DATA.iterdir())
    say(f"kept: {kept}")
    assert any(name.startswith("journal") for name in kept)
    say("PASSED the second evening")
    told("systemctl", "poweroff")


if __name__ == "__main__":
    try:
        second_evening() if REMEMBERED.exists() else first_evening()
    except BaseException as error:
        say(f"FAILED: {error!r}")
        subprocess.run(["journalctl", "-b", "-u", "table-companion*", "--no-pager", "-n", "60"], check=False)
        subprocess.run(["systemctl", "poweroff"], check=False)
        raise
