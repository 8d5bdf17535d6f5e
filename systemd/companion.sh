#!/bin/sh
# The installed companion from any folder. By sudo it looks after the box's own games and settings, as the service does.
if [ "$(id -u)" -eq 0 ]; then
    export COMPANION_DATA=/var/lib/table-companion HOME=/var/cache/table-companion
    exec setpriv --reuid companion --regid companion --init-groups /opt/table-companion/.venv/bin/companion "$@"
fi
exec /opt/table-companion/.venv/bin/companion "$@"
