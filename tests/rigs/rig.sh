# shellcheck shell=bash
# Sourced by the rigs: a folder of their own that is gone afterwards, whatever happens.
set -euo pipefail

rigs=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
root=$(cd -- "$rigs/../.." && pwd)

say() { printf '== %s\n' "$*" >&2; }
fail() { say "FAILED: $*"; exit 1; }

[ "$(id -u)" -eq 0 ] || fail "this rig must be run by root: it mounts and uses chroot"
rig=$(mktemp -d "${TMPDIR:-/tmp}/companion-rig.XXXXXX")

# The processes that run in this rig's own system, and no others.
at_work() {
    local process
    for process in /proc/[0-9]*; do
        case $(readlink "$process/root" 2>/dev/null) in "$rig"/*) echo "${process#/proc/}" ;; esac
    done
}

# end_all SIGNAL: ends them, and waits until they are gone.
end_all() {
    local waited=0
    at_work | xargs -r kill "-$1" 2>/dev/null || true
    until [ -z "$(at_work)" ]; do
        waited=$((waited + 1))
        [ "$waited" -le 100 ] || return 1
        sleep 0.1
    done
}

clean_up() {
    local code=$?
    trap - EXIT
    end_all TERM || end_all KILL || true
    grep -o " $rig/[^ ]*" /proc/mounts | sort -r | xargs -r -n 1 umount -l || true
    rm -rf --one-file-system "$rig"
    exit "$code"
}
trap clean_up EXIT
trap 'exit 130' INT TERM

# need PACKAGE...: what the rig itself uses on this machine.
need() {
    local missing=() package
    for package in "$@"; do
        dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
    done
    [ ${#missing[@]} -eq 0 ] && return
    say "installing ${missing[*]}"
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# make_system SUITE ARCHITECTURE PACKAGES: a small Debian in $rig/system, able to reach what this machine reaches.
# With RIG_CACHE=FOLDER the bare system is kept there, and a later run is quick.
make_system() {
    local suite=$1 architecture=$2 packages=$3 kept
    system=$rig/system
    kept=${RIG_CACHE:-$rig}/$suite-$architecture-$(cksum <<<"$packages" | cut -d ' ' -f 1).tar
    if [ ! -e "$kept" ]; then
        say "making a $suite $architecture system (some minutes)"
        cp -r /usr/share/debootstrap "$rig/debootstrap"
        [ -e "$rig/debootstrap/scripts/$suite" ] || ln -s sid "$rig/debootstrap/scripts/$suite"
        DEBOOTSTRAP_DIR=$rig/debootstrap debootstrap --arch="$architecture" --variant=minbase --include="$packages" "$suite" "$system" >"$rig/debootstrap.log" 2>&1 ||
            { tail -n 20 "$rig/debootstrap.log" >&2; fail "debootstrap"; }
        [ -z "${RIG_CACHE:-}" ] || { tar -C "$system" -cf "$kept.new" . && mv "$kept.new" "$kept"; }
    else
        mkdir "$system" && tar -C "$system" -xpf "$kept"
    fi
    mkdir -p "$system/etc/ssl/certs"
    cp -L /etc/resolv.conf "$system/etc/resolv.conf"
    echo "127.0.1.1 $(uname -n)" >>"$system/etc/hosts"
    cp -L /etc/ssl/certs/ca-certificates.crt "$system/etc/ssl/certs/ca-certificates.crt"
    mount --bind /proc "$system/proc"
    mount --bind /sys "$system/sys"
    mount --bind /dev "$system/dev"
}

# inside COMMAND...: runs it in that system, with nothing of this machine's environment.
inside() {
    chroot "$system" /usr/bin/env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        LANG=C.UTF-8 PIP_CERT=/etc/ssl/certs/ca-certificates.crt DEBIAN_FRONTEND=noninteractive "$@"
}

# copy_project FOLDER: a fresh clone of what is committed here.
copy_project() {
    git -C "$root" bundle create --quiet "$rig/project.bundle" HEAD
    git -c advice.detachedHead=false clone --quiet "$rig/project.bundle" "$1"
}

# wait_for FILE PATTERN SECONDS: until the log of what runs in the background shows it.
wait_for() {
    local waited=0
    until grep -q "$2" "$1" 2>/dev/null; do
        waited=$((waited + 1))
        [ -n "$(jobs -pr)" ] || { cat "$1" >&2; fail "it ended before '$2'"; }
        [ "$waited" -le "$3" ] || { tail -n 30 "$1" >&2; fail "'$2' did not come within $3 s"; }
        sleep 1
    done
}
