#!/usr/bin/env bash
# The real Picamera2 and libcamera, with libcamera's virtual camera in place of a sensor: it serves photographs of the
# printable set, and the table reads them through its own camera class, from the ribbon cable to the scan over HTTP.
#     tests/rigs/picamera2.sh [FILE for what Picamera2 was asked and gave; tests/vision/picamera2_seen.json is kept so]
# shellcheck source-path=SCRIPTDIR source=rig.sh
. "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/rig.sh"
seen=${1:-}

need debootstrap git
# Debian's libcamera is new enough only here; a Pi has its own.
make_system forky amd64 ca-certificates,python3,python3-venv,python3-dev,python3-libcamera,libcap-dev,gcc,tesseract-ocr
copy_project "$system/srv/table-companion"
inside gcc -shared -fPIC -O1 -o /srv/udmabuf.so /srv/table-companion/tests/rigs/udmabuf.c

say "installing Picamera2 and the companion"
inside python3 -m venv --system-site-packages /srv/venv
inside /srv/venv/bin/pip install --quiet --disable-pip-version-check picamera2 /srv/table-companion
inside /srv/venv/bin/python -c 'import importlib.metadata as m, sys; print("== picamera2", m.version("picamera2"), "Python", sys.version.split()[0])' >&2

inside_camera() { inside LD_PRELOAD=/srv/udmabuf.so LIBCAMERA_LOG_LEVELS='*:ERROR' PYTHONPATH=/srv/table-companion \
    /srv/venv/bin/python /srv/table-companion/tests/rigs/inside_picamera2.py "$@"; }

say "the camera class by itself, at a colour card"
inside_camera colours /srv/seen.json

for number in 0 1 2 3 4 5; do
    rm -f "$rig/run.log"
    inside_camera lay "$number" /srv/laid.json
    inside_camera run --host 127.0.0.1 --port 0 --camera picamera2 --panel mock --join-code rigcode1 --data "/srv/table-$number" >"$rig/run.log" 2>&1 &
    wait_for "$rig/run.log" '^ready: ' 120
    (cd "$root" && python3 -m tests.rigs.read_scan "$(sed -n 's/^ready: //p' "$rig/run.log")" rigcode1 "$system/srv/laid.json") || { tail -n 20 "$rig/run.log" >&2; fail "photograph $number"; }
    end_all TERM || fail "it did not end"
    wait "$!" || fail "companion run ended with $?"
done
[ -z "$seen" ] || cp "$system/srv/seen.json" "$seen"
say "PASSED: picamera2"
