#!/usr/bin/env bash
# A fresh machine with nothing but Python: ./run and ./test set themselves up, for root and for a normal user with sudo.
#     tests/rigs/fresh.sh [bookworm|trixie] [what ./test is to run; everything if nothing is said]
# shellcheck source-path=SCRIPTDIR source=rig.sh
. "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/rig.sh"
suite=${1:-bookworm}

need debootstrap git
make_system "$suite" amd64 ca-certificates,python3,sudo
inside useradd --create-home --shell /bin/bash --groups sudo ada
echo 'ada ALL=(ALL) NOPASSWD: ALL' >"$system/etc/sudoers.d/ada"
copy_project "$system/home/ada/table-companion"
inside chown -R ada:ada /home/ada/table-companion
as_ada() { inside setpriv --reuid ada --regid ada --init-groups env HOME=/home/ada USER=ada "$@"; }

start_and_stop() {
    local log=$rig/run.log began
    began=$(date +%s)
    rm -f "$log"
    (cd / && "$@" --port 0 --camera sim --panel mock --join-code rigcode1) >"$log" 2>&1 &
    wait_for "$log" '^ready: ' 900
    say "ready after $(($(date +%s) - began)) s: $(grep -v '^ready\|^INFO' "$log" | tr '\n' '|')"
    (cd "$root" && python3 -m tests.rigs.play_round "$(sed -n 's/^ready: //p' "$log")" rigcode1 | tail -n 1 >&2)
    end_all TERM || fail "it did not end"
    wait "$!" || fail "./run ended with $?"
}

say "a normal user with sudo: ./run from another folder"
start_and_stop as_ada /home/ada/table-companion/run
say "again: quick, and nothing is installed"
start_and_stop as_ada /home/ada/table-companion/run
say "root, from a folder with a space in its name"
copy_project "$system/opt/table companion"
start_and_stop inside "/opt/table companion/run"
say "as on a Pi, where the system's own numpy, which picamera2 was built for, must be kept"
# Debian has not the Pi's packages, so empty ones of their names stand in; numpy and gpiozero are the real ones.
for name in python3-picamera2 python3-libcamera python3-lgpio; do
    mkdir -p "$rig/$name/DEBIAN"
    printf 'Package: %s\nVersion: 0\nArchitecture: all\nMaintainer: rig\nDescription: stands in\n' "$name" >"$rig/$name/DEBIAN/control"
    dpkg-deb --build "$rig/$name" "$system/srv/$name.deb" >/dev/null
    inside dpkg --install "/srv/$name.deb" >/dev/null
done
start_and_stop inside COMPANION_PI=1 "/opt/table companion/run"
inside "/opt/table companion/.venv/bin/python" -c '
import importlib.metadata, cv2, numpy
print("== numpy", numpy.__version__, numpy.__file__, "opencv", cv2.__version__, "gpiozero", importlib.metadata.version("gpiozero"))
assert numpy.__file__.startswith("/usr/lib/python3/dist-packages/"), "another numpy came before it"
' || fail "the numpy that picamera2 needs was not kept"
say "./test by the normal user"
as_ada /home/ada/table-companion/test "${@:2}" >"$rig/test.log" 2>&1 || { tail -n 40 "$rig/test.log" >&2; fail "./test"; }
tail -n 1 "$rig/test.log" >&2
say "PASSED: fresh $suite"
