#!/usr/bin/env bash
# Blanks in a program what differs from one build of the same sources to the next, and changes nothing that runs.
#   packaging/settle.sh PROGRAM RESULT
# Swift notes a hash of each module (.swift_modhash), which only its compiler reads, for incremental builds. The debugging information names
# temporary directories of the compiler; the build ID that the linker gives is a hash of that, too. Here it becomes one of what is installed.
set -euo pipefail
[ $# = 2 ] || { echo "usage: packaging/settle.sh PROGRAM RESULT" >&2; exit 64; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The ID is the last 20 bytes of its note.
note() { { head -c 16 "$work/note"; cat; } >"$work/note.new"; }

# To remove a section, objcopy lays the segments out again, without the one that RELRO needs: it stays, with zeros in it.
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
