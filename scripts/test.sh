#!/usr/bin/env bash
# Installs what the tests need and runs all of them. The last line counts them.
#   scripts/test.sh            everything
#   POSTERN_SKIP_MACHINE=1     without the booted systemd user manager (needs root)
. "$(dirname "$0")/common.sh"

need_swift
need_packages test
need_packages deb
command -v kubectl >/dev/null || need_packages kubectl
need_glewlwyd

export POSTERN_WARNINGS_ARE_ERRORS=1
results=$(mktemp -d)
beside=
# Background processes end with this script, however it ends.
leave() {
    if [ -n "$beside" ]; then kill -- "-$beside" 2>/dev/null || true; fi
    rm -rf "$results"
}
trap leave EXIT
trap 'exit 130' INT TERM
failed=0

step() { say "== $1 (after $((SECONDS / 60)) min $((SECONDS % 60)) s)"; }

step "the form of the sources"
swift format lint --strict --recursive --parallel Sources Tests docs/programs/examples Package.swift || failed=1

step "the rooms of the modules"
scripts/count-structure.py --check || failed=1

step "building, warnings are errors"
# For a single build, whole modules without debug information take a fourth less processor time.
# A module that is imported without a declared dependency may be built after its importer.
swift build --build-tests --explicit-target-dependency-import-check error -debug-info-format none \
    -Xswiftc -whole-module-optimization -Xswiftc -num-threads -Xswiftc 2 -Xswiftc -disable-batch-mode 2>&1 |
    { grep -v '^remark: Incremental compilation' || true; }

# The tests mostly wait. Checks that need only the processors use the time that they leave:
# fuzzing a parser, the release build without Swift, the packages that each script needs.
checks() {
    local failed=0
    step "fuzzing, for a while"
    scripts/fuzz.sh all "${POSTERN_FUZZ_SECONDS:-10}" || failed=1
    step "what is released, without Swift"
    scripts/check-static.sh "$results/static.xml" || failed=1
    step "the instructions that it takes"
    scripts/check-instructions.sh "$results/instructions.xml" || failed=1
    step "the Debian packages"
    scripts/check-deb.sh "$results/deb.xml" || failed=1
    step "a release"
    scripts/check-release.sh "$results/release.xml" || failed=1
    step "the packages that each script asks for"
    scripts/check-packages.sh "$results/packages.xml" || failed=1
    step "the end of what ran beside the tests"
    return "$failed"
}
# A separate process group, so that all its processes can be ended.
set -m
(renice -n 10 "$BASHPID" >/dev/null || true; checks) >"$results/beside.log" 2>&1 </dev/null &
beside=$!
set +m

step "the tests of the modules"
# One process for each module, one test after another: some change the state of the whole process, such as its umask and its environment.
# Two modules at a time, the longest first. `swift test` would let only one run.
bundle=$(swift build --show-bin-path)/posternPackageTests.xctest
test_module() {
    local module=$1 status=0
    timeout 600 "$bundle" --testing-library swift-testing --no-parallel --filter "^$module\\." --xunit-output "$results/$module.xml" \
        >"$results/$module.log" 2>&1 || { status=1; tail -n 60 "$results/$module.log" >&2; }
    say "-- $module: $(grep -a 'Test run with' "$results/$module.log" | tail -n 1)"
    return "$status"
}
export -f test_module say
export bundle results
long="PosternApplicationTests PosternStoreTests PosternCoreTests"
# shellcheck disable=SC2086
{ printf '%s\n' $long; (cd Tests && ls -d ./*Tests | sed 's#./##') | grep -vxF "$(printf '%s\n' $long)"; } |
    xargs -P 2 -I{} bash -c 'test_module {}' || failed=1

step "end to end"
python=.venv-tests/bin/python
if [ ! -x "$python" ]; then python3 -m venv .venv-tests; fi
.venv-tests/bin/pip install -q --disable-pip-version-check -r Tests/requirements.txt
# A provider that the tests start; it needs other versions of the tests' own dependencies.
if [ ! -x .venv-canaille/bin/python ]; then python3 -m venv .venv-canaille; fi
.venv-canaille/bin/pip install -q --disable-pip-version-check -r Tests/requirements-canaille.txt
# MCP's Python SDK as it was for two earlier revisions of the protocol; what else they need are the tests' own packages.
for revision in 2025-06-18 2025-11-25; do
    wanted=Tests/requirements-mcp-$revision.txt there=.venv-mcp-$revision
    if ! cmp -s "$wanted" "$there/requirements.txt"; then
        "$python" -m pip install -q --disable-pip-version-check --no-deps --upgrade --target "$there" -r "$wanted"
        cp "$wanted" "$there/requirements.txt"
    fi
done
POSTERN_BIN_DIR=$(swift build --show-bin-path)
export POSTERN_BIN_DIR
# Three files at a time, those that take longest first. The others share one booted machine.
"$python" -m pytest -q -p no:cacheprovider -n 3 --dist loadfile --no-loadscope-reorder --junitxml "$results/end-to-end.xml" Tests/EndToEnd || failed=1
step "in a booted machine"
"$python" -m pytest -q -p no:cacheprovider --junitxml "$results/systemd.xml" Tests/Systemd || failed=1

step "what ran beside the tests"
wait "$beside" || failed=1
beside=
cat "$results/beside.log" >&2

step "the count"
"$python" scripts/count-tests.py "$results"/*.xml || failed=1
exit "$failed"
