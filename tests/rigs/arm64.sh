#!/usr/bin/env bash
# An arm64 Debian, emulated: ./run sets itself up from nothing, then a round is played with the simulated camera.
#     tests/rigs/arm64.sh [bookworm|trixie]
# shellcheck source-path=SCRIPTDIR source=rig.sh
. "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/rig.sh"
suite=${1:-bookworm}

need qemu-user-static binfmt-support debootstrap git
[ -d /proc/sys/fs/binfmt_misc ] && { mountpoint -q /proc/sys/fs/binfmt_misc || mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc; }
update-binfmts --enable qemu-aarch64
make_system "$suite" arm64 ca-certificates,python3
copy_project "$system/srv/table-companion"

# start HOW [SETTING]: starts ./run.
start() {
    local began
    began=$(date +%s)
    say "./run $1"
    rm -f "$rig/run.log"
    inside "${@:2}" /srv/table-companion/run --port 0 --camera sim --panel mock --join-code rigcode1 --data /var/tmp/table >"$rig/run.log" 2>&1 &
    wait_for "$rig/run.log" '^ready: ' 1800
    say "ready after $(($(date +%s) - began)) s on $(inside uname -m), $(inside python3 -V): $(grep -v '^ready\|^INFO' "$rig/run.log" | tr '\n' '|')"
}

play() {
    local began
    began=$(date +%s)
    python3 "$rigs/play_round.py" "$(sed -n "s/^ready: //p" "$rig/run.log")" rigcode1 || { tail -n 20 "$rig/run.log" >&2; fail "the round"; }
    say "a round in $(($(date +%s) - began)) s"
}

stop() {
    end_all TERM || fail "it did not end"
    wait "$!" || fail "./run ended with $?"
}

start "on a bare system"
play
stop
start "again"
stop
say "PASSED: $suite arm64"
