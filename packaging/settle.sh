#!/usr/bin/env bash
# Blanks the parts of a program that differ between builds of the same sources, without changing code.
#   packaging/settle.sh PROGRAM RESULT
# Swift stores a hash of each module (.swift_modhash), which only its compiler reads, for incremental builds. The debugging information
# names temporary directories of the compiler, and the linker's build ID is a hash that includes them. It is replaced by one of what is installed.
set -euo pipefail
[ $# = 2 ] || { echo "usage: packaging/settle.sh PROGRAM RESULT" >&2; exit 64; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The ID is the last 20 bytes of its note.
note() { { head -c 16 "$work/note"; cat; } >"$work/note.new"; }

# To remove a section, objcopy would rearrange the segments, without the one that RELRO needs: so it is kept and filled with zeros.
objcopy --dump-section .swift_modhash="$work/hashes" --dump-section .note.gnu.build-id="$work/note" "$1" "$work/program"
head -c "$(stat -c %s "$work/hashes")" /dev/zero >"$work/zeros"
objcopy --update-section .swift_modhash="$work/zeros" "$work/program"
head -c 20 /dev/zero | note
strip -o "$work/stripped" "$work/program"
objcopy --update-section .note.gnu.build-id="$work/note.new" "$work/stripped"
id=$(sha1sum "$work/stripped" | cut -c 1-40)
# shellcheck disable=SC2059
printf "$(sed 's/../\\x&/g' <<<"$id")" | note
objcopy --update-section .note.gnu.build-id="$work/note.new" "$work/program"
mv "$work/program" "$2"
