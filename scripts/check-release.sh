#!/usr/bin/env bash
# Checks what only a release needs. Takes more than an hour; says at the end what ran, and how long each part took.
#   scripts/check-release.sh              every part
#   scripts/check-release.sh PART…        those parts: static instructions deb reproducible packages languages fuzz model soak mutants
# scripts/test.sh checks what a change can break. Parts that need root fail without it, as in CI.
. "$(dirname "$0")/common.sh"

# Each writes its result to $result as JUnit XML, if it has one. POSTERN_FUZZ_SECONDS, POSTERN_MODEL_SECONDS and POSTERN_LOAD_CALLS say how
# long three of them take.
declare -A command=(
    [static]='scripts/check-static.sh "$result"'
    [instructions]='scripts/check-instructions.sh "$result"'
    # On Debian 12 and 13, each a booted machine.
    [deb]='scripts/check-deb.sh "$result"'
    [reproducible]='scripts/check-reproducible.sh "$result"'
    [packages]='scripts/check-packages.sh "$result"'
    [languages]='end_to_end -m release Tests/EndToEnd'
    [fuzz]='scripts/fuzz.sh all "${POSTERN_FUZZ_SECONDS:-60}"'
    [model]='model'
    [soak]='POSTERN_LOAD_CALLS=${POSTERN_LOAD_CALLS:-50000} end_to_end Tests/EndToEnd/test_load.py'
    [mutants]='scripts/check-account-model.sh'
)
order=(static instructions deb reproducible packages languages fuzz model soak mutants)

end_to_end() {
    need_packages test
    need_python
    swift build
    POSTERN_RELEASE=1 POSTERN_BIN_DIR=$(swift build --show-bin-path) .venv-tests/bin/python -m pytest -q -p no:cacheprovider --junitxml "$result" "$@"
}

# The account rules beside their model, for ten minutes; scripts/test.sh has them for twenty seconds.
model() {
    export POSTERN_TESTS=PosternApplicationTests
    swift build --product posternPackageTests
    POSTERN_MODEL_SECONDS=${POSTERN_MODEL_SECONDS:-600} swift test --skip-build --no-parallel --filter '^PosternApplicationTests\.AccountModelTests/'
}

parts=("$@")
[ $# != 0 ] || parts=("${order[@]}")
for part in "${parts[@]}"; do
    [ -n "${command[$part]:-}" ] || { say "there is no part $part; they are ${order[*]}"; exit 64; }
done
need_swift
need_packages build
export CI=1
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT
trap 'exit 130' INT TERM
failed=0 table=
for part in "${parts[@]}"; do
    say "== $part"
    result=$results/$part.xml start=$SECONDS word=ok
    # Not in a condition: bash would then go on after the first command of the part that fails.
    set +e
    (set -e; eval "${command[$part]}")
    if [ $? != 0 ]; then word=FAILED failed=1; fi
    set -e
    table+=$(printf '%-13s %-7s %3d min %02d s' "$part" "$word" $(((SECONDS - start) / 60)) $(((SECONDS - start) % 60)))$'\n'
done
printf '%s' "$table"
if compgen -G "$results/*.xml" >/dev/null; then scripts/count-tests.py "$results"/*.xml || failed=1; fi
exit "$failed"
