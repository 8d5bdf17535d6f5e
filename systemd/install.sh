#!/usr/bin/env bash
# Installs the companion as a service that starts with the machine; run again, it upgrades and keeps every game.
# Called by `./run --install` and `./run --uninstall`. Raspberry Pi OS 12 and 13, Debian, Ubuntu.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=../scripts/setup.sh
. "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/../scripts/setup.sh"

home=/opt/table-companion
state=/var/lib/table-companion
units=/etc/systemd/system
command=/usr/local/bin/companion
names=(table-companion.service table-companion-poweroff.path table-companion-poweroff.service)

case "$*" in
    --install | --uninstall) ;;
    *)
        say "Usage: ./run --install | --uninstall"
        exit 2
        ;;
esac
[ "$(id -u)" -eq 0 ] || exec sudo -- "$0" "$@"

# systemd may be absent, as while an image is being built: then the units are only enabled.
running() { [ -d /run/systemd/system ]; }

# ours FILE: whether it is not there, or was put there by us.
ours() { [ ! -e "$1" ] || grep -qs "$home" "$1"; }

install_companion() {
    say "Installing the table companion into $home ..."
    apt_install rsync avahi-daemon
    install -d -m 755 "$home"
    rsync --archive --delete --exclude '/.*' --exclude __pycache__ --chown root:root "$root/" "$home/"
    (
        # shellcheck source=scripts/setup.sh
        . "$home/scripts/setup.sh"
        set_up "" "${system_packages[@]}"
        # The service may not write there, so that otherwise every start would compile anew.
        "$venv/bin/python" -m compileall -q "$home/companion" "$home/vision" "$home/hardware" "$home/web"
    )
    id companion >/dev/null 2>&1 || useradd --system --user-group --home-dir "$state" --shell /usr/sbin/nologin companion
    local group
    for group in video render gpio; do
        if getent group "$group" >/dev/null; then usermod --append --groups "$group" companion; fi
    done
    if ours "$command"; then install -m 755 "$home/systemd/companion.sh" "$command"; fi
    install -m 644 "${names[@]/#/$home/systemd/}" "$units/"
    systemctl --quiet enable table-companion.service table-companion-poweroff.path
    if running; then
        systemctl daemon-reload
        systemctl restart table-companion-poweroff.path table-companion.service
        systemctl --no-pager --lines=0 status table-companion.service >&2
    fi
    if running && ours "$command"; then "$command" invite --port 80 >&2; fi
    say "Done. Open http://$(uname -n).local on a phone in the same network. Games are kept in $state."
}

uninstall_companion() {
    if running; then systemctl stop table-companion.service table-companion-poweroff.path || true; fi
    systemctl --quiet disable table-companion.service table-companion-poweroff.path 2>/dev/null || true
    rm -f "${names[@]/#/$units/}"
    if ours "$command"; then rm -f "$command"; fi
    if running; then systemctl daemon-reload; fi
    rm -rf "$home" /var/cache/table-companion
    if id companion >/dev/null 2>&1; then userdel companion; fi
    say "The table companion is gone. Your games are still in $state."
}

if [ "$1" = --install ]; then install_companion; else uninstall_companion; fi
