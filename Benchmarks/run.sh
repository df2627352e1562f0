#!/usr/bin/env bash
# Measures Postern's figures beside controls in the same run, and prints them with the aims as a Markdown table; see Benchmarks/README.md.
#   Benchmarks/run.sh                      builds for release and measures everything: about ten minutes
#   Benchmarks/run.sh ROW…                 only those rows: kept connection clients commands start large memory sizes callback sign-ins wake-ups accounts view bridge
#   Benchmarks/run.sh --quick              a tenth of the calls: to see that it works
#   Benchmarks/run.sh --against DIRECTORY  this build and the programs in DIRECTORY by turns
#   POSTERN_BIN_DIR=… Benchmarks/run.sh    programs that are built already
# Load is a test: POSTERN_LOAD_CALLS=200000 .venv-tests/bin/python -m pytest -s -p no:cacheprovider Tests/EndToEnd/test_load.py
. "$(dirname "$0")/../scripts/common.sh"
. Benchmarks/programs.sh

need_swift
need_packages benchmarks
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/this" "$work/other"
arguments=()
other=
while [ $# != 0 ]; do
    if [ "$1" = --against ]; then
        other=${2:?--against wants the directory of the other build}
        arguments+=(--against "$work/other")
        shift 2
    else
        arguments+=("$1")
        shift
    fi
done
need_relays
make_programs "$work/this" posternd postern postern-mcp postern-demo-provider store-seeder bare-nio-server
if [ -n "$other" ]; then
    POSTERN_BIN_DIR=$other make_programs "$work/other" posternd postern postern-mcp postern-demo-provider
    # What measures is the same for both.
    cp "$work/this/store-seeder" "$work/this/bare-nio-server" "$work/other"
fi
sync
python3 Benchmarks/measure "$work/this" "${arguments[@]}"
