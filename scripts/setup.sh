# shellcheck shell=bash
# Sourced by ./run and ./test: everything that a fresh machine lacks, said aloud, once.
# Debian 12 or 13, Raspberry Pi OS or Ubuntu; nothing outside .venv/ but apt packages.

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
venv="$root/.venv"

# What apt brings: the OCR everywhere; on a Pi also camera and pins, which PyPI has not, or not well.
system_packages=(tesseract-ocr)
venv_options=()
if grep -qs 'Raspberry Pi' /proc/device-tree/model || [ "${COMPANION_PI:-}" = 1 ]; then
    system_packages+=(python3-picamera2 python3-libcamera python3-gpiozero python3-lgpio python3-numpy)
    venv_options=(--system-site-packages)
fi

say() { printf '%s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }

# apt_install PACKAGE...: installs what is missing, by sudo unless we are root.
apt_install() {
    local missing=() package
    for package in "$@"; do
        dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    command -v apt-get >/dev/null || fail "Please install: ${missing[*]}"
    local as_root=() output
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || fail "Please install, as root: apt-get install ${missing[*]}"
        as_root=(sudo)
    fi
    say "Installing ${missing[*]} ..."
    "${as_root[@]}" apt-get update -qq >&2 || say "The list of packages could not be renewed; going on with the old one."
    output=$("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" 2>&1) ||
        { say "$output"; fail "Could not install ${missing[*]}. Is there a network?"; }
}

# What is missing to make a private environment at all.
python_packages() {
    command -v python3 >/dev/null && python3 -c 'import ensurepip, venv' 2>/dev/null || echo python3 python3-venv
}

check_python() {
    python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || fail "Python 3.11 or newer is needed; this is $(python3 -V)."
}

# The system's picamera2 is built for the system's numpy: where it is used, no other may come in front of it.
keep_system_numpy() {
    [ ${#venv_options[@]} -eq 0 ] || python3 -c 'import numpy; print(f"numpy=={numpy.__version__}")' 2>/dev/null || true
}

# Whether there is an environment that this machine's Python can use, and that sees system packages if it should.
environment_fits() {
    "$venv/bin/python" -c 'import pip' 2>/dev/null || return 1
    [ ${#venv_options[@]} -eq 0 ] || grep -qs 'include-system-site-packages = true' "$venv/pyvenv.cfg"
}

# ensure_venv EXTRAS: the private environment with the companion in it; quick when nothing changed.
ensure_venv() {
    local extras=$1 stamp wanted
    stamp="$venv/.set-up-for-${extras:-running}"
    wanted=$({ python3 -V; echo "$root" "${venv_options[@]}"; cat "$root/pyproject.toml"; } | sha256sum)
    [ -x "$venv/bin/companion" ] && [ "$(cat "$stamp" 2>/dev/null)" = "$wanted" ] && return
    environment_fits || {
        say "Making a private environment in .venv ..."
        python3 -m venv --clear "${venv_options[@]}" "$venv" >&2 || fail "Could not make $venv."
    }
    say "Installing what the companion needs into .venv (some minutes the first time) ..."
    keep_system_numpy >"$venv/constraints.txt"
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --constraint "$venv/constraints.txt" \
        -e "$root${extras:+[$extras]}" >&2 || fail "Could not install into .venv. Is there a network?"
    printf '%s\n' "$wanted" | tee "$venv/.set-up-for-running" >"$stamp" # more than running needs is there too
}

# set_up EXTRAS PACKAGE...: one at a time, so that two starts do not get into each other's way.
set_up() {
    local extras=$1
    shift
    exec 9>"$root/.setup.lock"
    command -v flock >/dev/null && flock 9
    # shellcheck disable=SC2046 # a list of names
    apt_install $(python_packages) "$@"
    check_python
    ensure_venv "$extras"
    exec 9>&-
}
