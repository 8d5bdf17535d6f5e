#!/usr/bin/env bash
# Collects the page's texts from its scripts and brings every language's catalogue up to date.
set -euo pipefail
cd "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/../web"
babel=../.venv/bin/pybabel
template=$(mktemp)
trap 'rm -f "$template"' EXIT
"$babel" -q extract -F babel.cfg -k t -k n:1,2 -k say --no-location --sort-output -o "$template" .
for catalogue in translations/*/LC_MESSAGES/messages.po; do
    language=$(basename "$(dirname "$(dirname "$catalogue")")")
    "$babel" -q update -i "$template" -l "$language" -o "$catalogue" --no-fuzzy-matching --ignore-obsolete --no-wrap --omit-header
    sed -i "/^#, python-brace-format$/d" "$catalogue"
done
# What the box itself says has its German in sentences.po, written by hand: this lists what is missing there.
cd .. && .venv/bin/python -m tests.web.sentences
