#!/usr/bin/env bash
# Builds the programs as they are released, and prints the directory they are in.
#   packaging/build.sh              the three programs that are released
#   packaging/build.sh PROGRAM…     others, in the same way
# This is the one release build: scripts/check-static.sh, the packages and packaging/release.sh all use it, in .build-release.
set -euo pipefail
cd "$(dirname "$0")/.."

# Only Swift's runtime uses libstdc++, and the loader took longer over its symbols than `postern token` over its work: it is linked from its archive where the
# system that builds has that. Of a library's two forms the linker takes the one in the first directory that has any.
mkdir -p .build-release/archives
archive=$(clang -print-file-name=libstdc++.a || true)
if [ -f "$archive" ]; then ln -sfn "$archive" .build-release/archives/libstdc++.a; else rm -f .build-release/archives/libstdc++.a; fi

programs=("$@")
if [ $# = 0 ]; then programs=(posternd postern postern-demo-provider); fi
build=(
    swift build -c release --scratch-path .build-release
    # Runs where no Swift is installed, and looks for no library beside itself.
    --static-swift-stdlib --disable-local-rpath
    # Everything that is linked is resolved at the start, and read-only from then on.
    -Xlinker -z -Xlinker relro -Xlinker -z -Xlinker now
    # Nothing loads the programs as a library, and what is not exported can be left out.
    -Xlinker --no-export-dynamic
    # Each function in a section of its own, so that the linker leaves out what nobody calls, and keeps one of several that are the same where nobody
    # compares their addresses.
    -Xswiftc -Xfrontend -Xswiftc -function-sections -Xcc -ffunction-sections -Xcc -fdata-sections -Xlinker --icf=safe
    -Xswiftc "-L$PWD/.build-release/archives" -Xswiftc -Xclang-linker -Xswiftc -static-libgcc
    # By which debuggers find the symbols of a stripped program.
    -Xlinker --build-id=sha1
    # No path of the machine that builds stands in the programs.
    -Xswiftc -file-prefix-map -Xswiftc "$PWD=." -Xcc "-ffile-prefix-map=$PWD=."
)

log=$(mktemp)
trap 'rm -f "$log"' EXIT
for program in "${programs[@]}"; do
    if ! "${build[@]}" --product "$program" >"$log" 2>&1; then
        tail -n 40 "$log" >&2
        echo "packaging/build.sh: the release build failed; see the messages above" >&2
        exit 1
    fi
done
# Without what differs between two builds of the same sources.
built=$("${build[@]}" --show-bin-path)
settled=$PWD/.build-release/programs
mkdir -p "$settled"
for program in "${programs[@]}"; do
    if [ ! "$settled/$program" -nt "$built/$program" ]; then packaging/settle.sh "$built/$program" "$settled/$program"; fi
done
echo "$settled"
