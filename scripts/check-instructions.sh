#!/usr/bin/env bash
# Counts the instructions of the release build in operations that people wait for, and compares them with the recorded counts.
#   scripts/check-instructions.sh              prints which are higher than recorded
#   scripts/check-instructions.sh RESULT.xml   also writes the result as JUnit XML
#   scripts/check-instructions.sh --record     counts, and writes Benchmarks/instructions.txt
#   scripts/check-instructions.sh --profile DIRECTORY   counts, and writes profiles for callgrind_annotate there
#   POSTERN_BIN_DIR=… scripts/check-instructions.sh     uses programs that are already built
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
        # With their symbols, but without other debugging information, which valgrind may not support.
        folder=${POSTERN_BIN_DIR:-$(packaging/build.sh posternd postern)}
        for program in posternd postern; do strip --strip-debug -o "$work/$program" "$folder/$program"; done
        mkdir -p "$2"
        arguments=(--profiles "$(realpath "$2")") ;;
    *) arguments=(--junit "$1") ;;
esac
python3 Benchmarks/measure/instructions.py "$work" "${arguments[@]}"
