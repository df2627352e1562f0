#!/usr/bin/env bash
# Builds the programs for release, and prints their directory.
#   packaging/build.sh              the released programs
#   packaging/build.sh PROGRAM…     others, in the same way
# This is the only release build: scripts/check-static.sh, the packages and packaging/release.sh all use it, in .build-release.
set -euo pipefail
cd "$(dirname "$0")/.."
# The versions are part of what a tag fixes; see Package.swift.
export POSTERN_EXACT_VERSIONS=1

# Only Swift's runtime uses libstdc++, and loading its symbols took longer than the work of `postern token`: it is linked statically if the
# build system has its archive. The linker uses whichever form of a library it finds in the first directory that has one.
mkdir -p .build-release/archives
archive=$(clang -print-file-name=libstdc++.a || true)
if [ -f "$archive" ]; then ln -sfn "$archive" .build-release/archives/libstdc++.a; else rm -f .build-release/archives/libstdc++.a; fi

programs=("$@")
# All are made by one build, so that one is linked while another is compiled.
products=("${@/#/--product=}")
if [ $# = 0 ]; then
    programs=(posternd postern postern-mcp postern-demo-provider) products=('')
    export POSTERN_PROGRAMS_ONLY=1
fi
build=(
    swift build -c release --scratch-path .build-release
    # Runs without an installed Swift, and looks for no library in its own directory.
    --static-swift-stdlib --disable-local-rpath
    # All symbols are resolved at the start, and read-only from then on.
    -Xlinker -z -Xlinker relro -Xlinker -z -Xlinker now
    # Nothing loads the programs as a library, and code that is not exported can be dropped.
    -Xlinker --no-export-dynamic
    # Each function has its own section, so that the linker drops unused ones, and merges identical ones whose addresses are not compared.
    -Xswiftc -Xfrontend -Xswiftc -function-sections -Xcc -ffunction-sections -Xcc -fdata-sections -Xlinker --icf=safe
    -Xswiftc "-L$PWD/.build-release/archives" -Xswiftc -Xclang-linker -Xswiftc -static-libgcc
    # Debuggers use it to find the symbols of a stripped program.
    -Xlinker --build-id=sha1
    # The programs contain no path of the build machine.
    -Xswiftc -file-prefix-map -Xswiftc "$PWD=." -Xcc "-ffile-prefix-map=$PWD=."
)

log=$(mktemp)
trap 'rm -f "$log"' EXIT
for product in "${products[@]}"; do
    if ! "${build[@]}" ${product:+"$product"} >"$log" 2>&1; then
        # The compiler's own crash says what it found before its long backtrace.
        { grep -E -B 12 'error:' "$log" || tail -n 40 "$log"; } | cut -c -400 | tail -n 60 >&2
        echo "packaging/build.sh: the release build failed; see the messages above" >&2
        exit 1
    fi
done
# Removes what differs between two builds of the same sources.
built=$("${build[@]}" --show-bin-path)
settled=$PWD/.build-release/programs
mkdir -p "$settled"
settling=()
for program in "${programs[@]}"; do
    if [ ! "$settled/$program" -nt "$built/$program" ]; then
        packaging/settle.sh "$built/$program" "$settled/$program" &
        settling+=($!)
    fi
done
for one in "${settling[@]}"; do wait "$one"; done
echo "$settled"
