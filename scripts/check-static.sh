#!/usr/bin/env bash
# Builds what is released, and holds that it runs where no Swift is installed.
#   scripts/check-static.sh              says what holds and what does not
#   scripts/check-static.sh RESULT.xml   and writes it down as JUnit does, too
. "$(dirname "$0")/common.sh"
. scripts/results.sh

need_swift
need_packages build
result=${1:-}
programs=(posternd postern postern-demo-provider)
build=(swift build -c release --static-swift-stdlib --scratch-path .build-release)

log=$(mktemp)
trap 'rm -f "$log"' EXIT
for program in "${programs[@]}"; do
    if ! "${build[@]}" --product "$program" >"$log" 2>&1; then
        tail -n 40 "$log" >&2
        say "the release build failed; what stands above says why"
        exit 1
    fi
done
folder=$("${build[@]}" --show-bin-path)

needs_no_swift() {
    local needed
    needed=$(readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
    # A file that is no program needs nothing either.
    if ! grep -q '^libc\.so' <<<"$needed"; then echo "readelf does not tell what it needs"; return 1; fi
    ! grep -iE '^lib(swift|_?Foundation|dispatch|BlocksRuntime|XCTest|Testing)' <<<"$needed"
}

looks_for_no_swift() {
    # A search path into the tool chain would find there what is missing elsewhere.
    ! readelf -d "$1" | grep -E '(RPATH|RUNPATH)' | grep / | grep -vE '\[\$ORIGIN/?\]'
}

# In an environment that names nothing, away from the tool chain and from the build.
answers() {
    local said
    said=$(cd / && env -i "$1" "$2" 2>&1) && grep -qE "$3" <<<"$said" || { echo "$2 said: $said"; return 1; }
}

for program in "${programs[@]}"; do
    holds "$program needs no library of Swift" needs_no_swift "$folder/$program"
    holds "$program looks for no library outside the system" looks_for_no_swift "$folder/$program"
    holds "$program runs in an empty environment" answers "$folder/$program" --help '^USAGE:'
done
for program in posternd postern; do
    holds "$program says its version in an empty environment" answers "$folder/$program" --version '^[0-9]+\.[0-9]+\.[0-9]+'
done
write_results check-static "$result"
exit "$failed"
