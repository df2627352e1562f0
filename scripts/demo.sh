#!/usr/bin/env bash
# Builds Postern and runs a complete sign-in with the built-in demo provider; nothing is left behind.
#   scripts/demo.sh             opens the page in your browser
#   scripts/demo.sh --headless  completes the page itself
. "$(dirname "$0")/common.sh"

need_swift
need_packages build
say "building (the first time takes some minutes) …"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! swift build --product posternd >"$log" 2>&1 || ! swift build --product postern >"$log" 2>&1 \
    || ! swift build --product postern-demo-provider >"$log" 2>&1; then
    tail -n 40 "$log" >&2
    say "the build failed; see the messages above"
    exit 1
fi
"$(swift build --show-bin-path)/postern" demo "$@"
