#!/usr/bin/env bash
# Installs what the tests need, builds, and runs all that a change can break. The last line counts the tests.
#   scripts/test.sh                           everything
#   scripts/test.sh PosternCoreTests          one module's; PosternCoreTests.ScopesTests is one suite's
#   scripts/test.sh test_tokens -k hundred    one file's of Tests/EndToEnd or Tests/Systemd, and what pytest takes besides
#   POSTERN_SKIP_MACHINE=1                    without the booted machine, which needs root
# What only a release needs is in scripts/check-release.sh.
. "$(dirname "$0")/common.sh"

pytest=(.venv-tests/bin/python -m pytest -q -p no:cacheprovider)
failed=0

# test_module NAME: the unit tests of a module or a suite, one after another: some change the state of the whole process, such as its
# umask and its environment.
test_module() {
    "$bundle" --testing-library swift-testing --no-parallel --filter "^${1//./\\.}(\\.|/)" "${@:2}"
}
export -f test_module say

# Some tests, for who works on them: an ordinary debug build in .build, whose next build is quick and which a debugger reads.
if [ $# != 0 ]; then
    modules=() files=()
    while [[ ${1:-} == *Tests* ]]; do
        modules+=("$1")
        shift
    done
    while [[ ${1:-} == test_* ]]; do
        for path in Tests/{EndToEnd,Systemd}/"$1.py"; do if [ -e "$path" ]; then files+=("$path") && break; fi; done
        [ ${#files[@]} != 0 ] || { say "there is no $1.py in Tests/EndToEnd or Tests/Systemd"; exit 64; }
        shift
    done
    [ ${#modules[@]} != 0 ] || [ ${#files[@]} != 0 ] || { sed -n '2,7s/^# \{0,1\}//p' "$0" >&2; exit 64; }
    need_swift
    need_packages build
    if [ ${#modules[@]} != 0 ]; then
        # No other module of tests is compiled, apart from that of the architecture, which looks at all that was built.
        export POSTERN_TESTS="${modules[*]%%.*}"
        if [ "$POSTERN_TESTS" = ArchitectureTests ]; then swift build; fi
        swift build --product posternPackageTests
        bundle=$(swift build --show-bin-path)/posternPackageTests.xctest
        for module in "${modules[@]}"; do test_module "$module" || failed=1; done
    fi
    if [ ${#files[@]} != 0 ]; then
        need_packages test
        need_python
        if [[ " ${files[*]} " == *test_glewlwyd* ]]; then need_glewlwyd; fi
        swift build
        POSTERN_BIN_DIR=$(swift build --show-bin-path) "${pytest[@]}" "${files[@]}" "$@" || failed=1
    fi
    exit "$failed"
fi

need_swift
need_packages test
need_packages deb
command -v kubectl >/dev/null || need_packages kubectl
need_glewlwyd

results=$(mktemp -d)
groups=()
# Background processes end with this script, however it ends.
leave() {
    for group in "${groups[@]}"; do kill -- "-$group" 2>/dev/null || true; done
    rm -rf "$results"
}
trap leave EXIT
trap 'exit 130' INT TERM

step() { say "== $1 (after $((SECONDS / 60)) min $((SECONDS % 60)) s)"; }

# beside NAME COMMAND…: in a process group of its own, so that all its processes can be ended; its output is for later.
beside() {
    set -m
    (renice -n 10 "$BASHPID" >/dev/null || true; "${@:2}") >"$results/$1.log" 2>&1 </dev/null &
    groups+=($!)
    set +m
}
# Packages are fetched and unpacked while the compiler works: it waits for none of them.
beside python need_python
if [ "$(id -u)" = 0 ] && [ "${POSTERN_SKIP_MACHINE:-}" != 1 ]; then
    beside tree python3 -c 'import sys; sys.path.insert(0, "Tests/Systemd"); import tree; tree.debian_tree("bookworm")'
fi

step "the form of the sources"
swift format lint --strict --recursive --parallel Sources Tests Fuzz docs/programs/examples Package.swift || failed=1

step "the rooms of the modules"
scripts/count-structure.py --check || failed=1

step "building, warnings are errors"
export POSTERN_WARNINGS_ARE_ERRORS=1
# In a directory of its own: for a single build, whole modules without debug information take a fourth less processor time.
# A module that is imported without a declared dependency may be built after its importer.
build=(swift build --scratch-path .build-tests)
"${build[@]}" --build-tests --explicit-target-dependency-import-check error -debug-info-format none \
    -Xswiftc -whole-module-optimization -Xswiftc -num-threads -Xswiftc 2 -Xswiftc -disable-batch-mode 2>&1 |
    { grep -v '^remark: Incremental compilation' || true; }
POSTERN_BIN_DIR=$("${build[@]}" --show-bin-path)
bundle=$POSTERN_BIN_DIR/posternPackageTests.xctest
export POSTERN_BIN_DIR bundle results

step "the tests of the modules"
# One process for each module, two at a time, the longest first. `swift test` would let only one run.
whole_module() {
    local module=$1 status=0
    timeout 600 bash -c 'test_module "$@"' - "$module" --xunit-output "$results/$module.xml" >"$results/$module.log" 2>&1 ||
        { status=1
          grep -a -A 20 -E 'Fatal error|Program crashed|crashed:$' "$results/$module.log" | head -n 60 >&2
          tail -n 60 "$results/$module.log" >&2; }
    say "-- $module: $(grep -a 'Test run with' "$results/$module.log" | tail -n 1)"
    return "$status"
}
export -f whole_module
long="PosternApplicationTests PosternStoreTests PosternCoreTests"
# shellcheck disable=SC2086
{ printf '%s\n' $long FuzzTests; (cd Tests && ls -d ./*Tests | sed 's#./##') | grep -vxF "$(printf '%s\n' $long)"; } |
    xargs -P 2 -I{} bash -c 'whole_module {}' || failed=1

step "a Debian package of these programs"
scripts/check-deb.sh --debug-build "$results/deb.xml" || failed=1

step "end to end"
wait "${groups[0]}" || { cat "$results/python.log" >&2; exit 1; }
# Four files at a time, those that take longest first. The others share one booted machine.
"${pytest[@]}" -n 4 --dist loadfile --no-loadscope-reorder --junitxml "$results/end-to-end.xml" Tests/EndToEnd || failed=1
step "in a booted machine"
# The tests say it if there is no machine.
wait || true
"${pytest[@]}" --junitxml "$results/systemd.xml" Tests/Systemd || failed=1

step "the count"
scripts/count-tests.py "$results"/*.xml || failed=1
step "the end"
exit "$failed"
