#!/bin/sh
# Shows that the account model finds defects: builds every patch of Tests/AccountMutants in a tree of its own, and prints the seed, the
# number of events and the seconds after which the model found it. HEAD is tested: commit first. Run by hand; it takes about half an hour.
#
#   scripts/check-account-model.sh [PATCH...]
#
# POSTERN_MODEL_TREE: a worktree of its own, which stays, so that the next run builds less. The shrunk sequences are in its
# .build/model-shrunk.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
for patch in "$@"; do
    shift
    set -- "$@" "$(realpath "$patch")"
done
trap 'exit 130' INT TERM
if [ -n "${POSTERN_MODEL_TREE:-}" ]; then
    tree=$POSTERN_MODEL_TREE
    if [ -e "$tree" ] && { [ ! -f "$tree/.git" ] || [ -n "$(git -C "$tree" status --porcelain)" ]; }; then
        echo "$tree is not a linked worktree without changes; it would lose what is in it" >&2
        exit 2
    fi
    trap 'git -C "$tree" checkout --quiet --force .' EXIT
else
    parent=$(mktemp -d "${TMPDIR:-/tmp}/postern-model.XXXXXX")
    tree=$parent/tree
    trap 'git -C "$root" worktree remove --force "$tree"; rmdir "$parent"' EXIT
fi
if [ ! -e "$tree/Package.swift" ]; then git -C "$root" worktree add --quiet --detach "$tree" HEAD; fi
git -C "$tree" checkout --quiet --force --detach "$(git -C "$root" rev-parse HEAD)"
cd "$tree"
mkdir -p .build
log=$tree/.build/model.log
shrunk=$tree/.build/model-shrunk
: >"$shrunk"

# The patches change what all tests depend on: only the model's are compiled.
export POSTERN_TESTS=PosternApplicationTests
export POSTERN_MODEL_SECONDS=${POSTERN_MODEL_SECONDS:-110}

# Builds, runs the model and prints what it found. "none" is the product as it is.
try() {
    if ! swift build --product posternPackageTests >"$log" 2>&1; then
        tail -n 20 "$log" >&2
        printf '%-12s does not build\n' "$1"
        return 1
    fi
    swift test --skip-build --no-parallel --filter '^PosternApplicationTests\.(Account|Issuer)ModelTests/random' >"$log" 2>&1 || true
    printf '%-12s %s\n' "$1" "$(sed -n 's/^account model: //p' "$log")"
    sed -n "s/^ *shrunk: /$1 /p" "$log" >>"$shrunk"
    if [ "$1" = none ]; then grep -q '^account model: .*nothing found' "$log"; else grep -q '^account model: seed' "$log"; fi
}

missed=0
if [ $# -eq 0 ]; then
    set -- "$root"/Tests/AccountMutants/*.patch
    try none
fi
for patch in "$@"; do
    git apply "$patch"
    try "$(basename "$patch" .patch)" || missed=$((missed + 1))
    git checkout --quiet --force .
done
printf '%s of %s not found\n' "$missed" "$#"
[ "$missed" -eq 0 ]
