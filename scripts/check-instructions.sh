#!/usr/bin/env bash
# Counts the instructions of the release build where people wait for it, and holds them against the recorded counts.
#   scripts/check-instructions.sh              says which are higher than recorded
#   scripts/check-instructions.sh RESULT.xml   and writes it down as JUnit does, too
#   scripts/check-instructions.sh --record     counts, and writes Benchmarks/instructions.txt
#   scripts/check-instructions.sh --profile DIRECTORY   counts, and leaves profiles for callgrind_annotate there
#   POSTERN_BIN_DIR=… scripts/check-instructions.sh     programs that are built already
# Skipped, with the reason, if the counts were recorded with another tool chain, C library or processor.
. "$(dirname "$0")/common.sh"
. Benchmarks/programs.sh

need_swift
need_packages benchmarks
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
arguments=()
make_programs "$work" posternd postern
case ${1:-} in
    '') ;;
    --record) arguments=(--record) ;;
    --profile)
        # With their symbols, and without the rest, which valgrind may not read.
        folder=${POSTERN_BIN_DIR:-$(packaging/build.sh posternd postern)}
        for program in posternd postern; do strip --strip-debug -o "$work/$program" "$folder/$program"; done
        mkdir -p "$2"
        arguments=(--profiles "$(realpath "$2")") ;;
    *) arguments=(--junit "$1") ;;
esac
python3 Benchmarks/measure/instructions.py "$work" "${arguments[@]}"
