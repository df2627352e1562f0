#!/usr/bin/env bash
# Builds the release, and checks that it runs without Swift, from Debian 12 on.
#   scripts/check-static.sh              prints what holds and what does not
#   scripts/check-static.sh RESULT.xml   also writes the result as JUnit XML
. "$(dirname "$0")/common.sh"
. scripts/results.sh

need_swift
need_packages build
result=${1:-}
programs=(posternd postern postern-mcp postern-demo-provider)

folder=$(packaging/build.sh)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for program in "${programs[@]}"; do strip -o "$work/$program" "$folder/$program"; done

# The libraries that each program links against. Each is a dependency of the packages.
system='libc.so.6 libm.so.6'
declare -A libraries=(
    [posternd]="$system libcrypto.so.3 libsqlite3.so.0 libssl.so.3 libsystemd.so.0"
    [postern]="$system"
    [postern-mcp]="$system libcrypto.so.3 libssl.so.3"
    [postern-demo-provider]="$system libcrypto.so.3 libssl.so.3"
)
# The newest version of each library's symbols that may be used: those of Debian 12, and of Ubuntu 22.04. A newer one excludes systems on
# which Postern has run.
ceilings='GLIBC 2.35
OPENSSL 3.0.0
LIBSYSTEMD 240'

needs_its_libraries() {
    local needed
    # The loader is listed if thread-local variables are used.
    needed=$(readelf -d "$folder/$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | grep -v '^ld-linux' | LC_ALL=C sort | paste -sd' ')
    [ "$needed" = "$(tr ' ' '\n' <<<"${libraries[$1]}" | LC_ALL=C sort | paste -sd' ')" ] || { echo "it needs $needed"; return 1; }
}

looks_nowhere_else() { ! readelf -d "$folder/$1" | grep -E '(RPATH|RUNPATH)'; }

needs_old_symbols() {
    local used kind ceiling newest
    used=$(objdump -T "$work/$1" | grep -oE '\b(GLIBC|OPENSSL|LIBSYSTEMD)_[0-9][0-9.]*' | sort -u)
    grep -q '^GLIBC_' <<<"$used" || { echo "objdump does not say which symbols it uses"; return 1; }
    while read -r kind ceiling; do
        newest=$(sed -n "s/^${kind}_//p" <<<"$used" | sort -V | tail -n 1)
        [ -z "$newest" ] && continue
        if [ "$(printf '%s\n' "$newest" "$ceiling" | sort -V | tail -n 1)" != "$ceiling" ]; then
            echo "it uses ${kind}_$newest, newer than $ceiling:"
            objdump -T "$work/$1" | grep -F "${kind}_$newest" | head -n 5
            return 1
        fi
    done <<<"$ceilings"
}

is_hardened() {
    local header dynamic segments
    header=$(readelf -hW "$folder/$1") dynamic=$(readelf -dW "$folder/$1") segments=$(readelf -lW "$folder/$1")
    { grep -q 'Type: *DYN' <<<"$header" && grep -q 'FLAGS_1.*PIE' <<<"$dynamic"; } || { echo "it is not position-independent"; return 1; }
    grep -q 'GNU_RELRO' <<<"$segments" || { echo "it has no RELRO segment"; return 1; }
    grep -qE 'BIND_NOW|FLAGS_1.*NOW' <<<"$dynamic" || { echo "its symbols are bound late"; return 1; }
    grep -q 'GNU_STACK.* RW ' <<<"$segments" || { echo "its stack may be executable"; return 1; }
    # A segment's flags are three columns: read, write, execute.
    ! grep -E ' (RWE|WE) +0x' <<<"$segments" || { echo "a segment can be written and executed"; return 1; }
}

has_build_id() { readelf -nW "$work/$1" | grep -qE 'Build ID: [0-9a-f]{40}$'; }

# For the compiler's incremental builds; they differ in every build.
has_no_hashes_of_modules() {
    objcopy --dump-section .swift_modhash="$work/hashes" "$folder/$1" "$work/copy"
    [ -s "$work/hashes" ] && cmp -n "$(stat -c %s "$work/hashes")" "$work/hashes" /dev/zero
}

# `contains`, `replacing` or `firstRange` of a string with a string link all of them: PosternValues has `holds` instead.
has_no_regular_expressions() { ! nm "$folder/$1" | grep -F 17_StringProcessing | head -n 5 | grep .; }

names_no_build_directory() { ! strings -a "$work/$1" | grep -F "$root" | head -n 5 | grep .; }

# In an empty environment, away from the tool chain and from the build.
answers() {
    local said
    said=$(cd / && env -i "$1" "$2" 2>&1) && grep -qE "$3" <<<"$said" || { echo "$2 said: $said"; return 1; }
}

for program in "${programs[@]}"; do
    holds "$program needs its libraries, and none of Swift or C++" needs_its_libraries "$program"
    holds "$program looks for no library outside the system" looks_nowhere_else "$program"
    holds "$program uses no symbol newer than Debian 12" needs_old_symbols "$program"
    holds "$program is PIE with RELRO, bound at its start, without memory that is written and executed" is_hardened "$program"
    holds "$program has a build ID" has_build_id "$program"
    holds "$program has nothing that differs from build to build" has_no_hashes_of_modules "$program"
    holds "$program does not name the directory it was built in" names_no_build_directory "$program"
    holds "$program runs in an empty environment" answers "$work/$program" --help '^USAGE:'
done
for program in "${programs[@]}"; do
    holds "$program has no regular expressions" has_no_regular_expressions "$program"
done
for program in posternd postern postern-mcp; do
    holds "$program says its version in an empty environment" answers "$work/$program" --version '^[0-9]+\.[0-9]+\.[0-9]+'
done
write_results check-static "$result"
exit "$failed"
