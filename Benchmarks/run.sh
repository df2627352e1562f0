#!/usr/bin/env bash
# Measures the daemon beside a control in the same run: a C epoll server with messages of the same sizes.
#   Benchmarks/run.sh            builds for release, measures everything (some minutes)
#   POSTERN_BIN_DIR=… Benchmarks/run.sh   measures programs that are built already
# Figures are for reading side by side: the ratios hold from machine to machine better than the times.
. "$(dirname "$0")/../scripts/common.sh"

need_swift
need_packages benchmarks
if [ -z "${POSTERN_BIN_DIR:-}" ]; then
    say "building for release …"
    POSTERN_BIN_DIR=$(packaging/build.sh posternd postern postern-demo-provider store-seeder)
fi
export POSTERN_BIN_DIR
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
gcc -O2 -o "$work/echo-server" Benchmarks/echo-server.c
gcc -O2 -pthread -o "$work/latency" Benchmarks/latency.c
for program in posternd postern postern-demo-provider store-seeder; do
    # As packages ship them; unstripped, their symbols count as mapped files.
    strip -o "$work/$program" "$POSTERN_BIN_DIR/$program"
done
sync
python3 Benchmarks/measure.py "$work"
python3 Benchmarks/accounts.py "$work"
