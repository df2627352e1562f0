#!/usr/bin/env bash
# Builds the Debian packages, inspects them, and uses them on a booted Debian 12 and 13.
#   scripts/check-deb.sh              prints what holds and what does not
#   scripts/check-deb.sh RESULT.xml   also writes the result as JUnit XML; the log of the machines is RESULT.log
#   scripts/check-deb.sh --debug-build [RESULT.xml]   of a debug build in POSTERN_BIN_DIR, which links against Swift's libraries:
#                                     what is in the packages, without lintian, dependencies and machines
#   POSTERN_SKIP_MACHINE=1            without the machines, which need root
. "$(dirname "$0")/common.sh"
. scripts/results.sh

is_debug_build=
if [ "${1:-}" = --debug-build ]; then
    is_debug_build=yes
    shift
    # Swift's libraries are no package's.
    export POSTERN_SHLIBDEPS="--ignore-missing-info -l$(dirname "$(dirname "$(readlink -f "$(command -v swift)")")")/lib/swift/linux"
fi
need_swift
need_packages build
need_packages deb
result=${1:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
suites=(bookworm trixie)

with_machines=yes
if [ "${POSTERN_SKIP_MACHINE:-}" = 1 ] || [ -n "$is_debug_build" ]; then
    with_machines=no
elif [ "$(id -u)" != 0 ]; then
    if [ -n "${CI:-}" ]; then say "only root boots a machine to install the packages on"; exit 1; fi
    with_machines=no
fi
# The first time, making a tree takes longer than everything else.
if [ "$with_machines" = yes ]; then
    (for suite in "${suites[@]}"; do python3 -c 'import sys; sys.path.insert(0, "Tests/Systemd"); import tree; tree.debian_tree(sys.argv[1])' "$suite"; done) >"$work/trees" 2>&1 &
    trees=$!
fi

# Without debugging symbols and with little compression: nobody downloads these packages.
if ! DEB_BUILD_OPTIONS=noautodbgsym POSTERN_DEB_OPTIONS='-Zgzip -z1' packaging/build-deb.sh "$work/newer"; then
    say "the packages were not built"
    exit 1
fi
deb() { echo "$work/newer/$1"_*.deb; }
for package in postern postern-demo; do
    mkdir -p "$work/files/$package"
    dpkg-deb -c "$(deb $package)" >"$work/$package.list"
    dpkg-deb -x "$(deb $package)" "$work/files/$package"
    dpkg-deb -e "$(deb $package)" "$work/files/$package.control"
done

is_clean() {
    local said
    said=$(lintian --allow-root -EI --pedantic --fail-on error,warning,info,pedantic "$work"/newer/*.changes 2>&1) && [ -z "$said" ] || { echo "$said"; return 1; }
}

# depends_on PACKAGE LINE: compared literally, since another line means another set of systems.
depends_on() {
    local line
    line=$(dpkg-deb -f "$(deb "$1")" Depends)
    [ "$line" = "$2" ] || { echo "$line"; return 1; }
}

# The right programs, links and directories, all owned by root, below /usr, and none that an administrator edits.
is_tidy() {
    ! awk '{ print $1, $2, $6 }' "$work/$1.list" | grep -vE '^(drwxr-xr-x|-rw-r--r--|lrwxrwxrwx) root/root \./' \
        | grep -vE '^-rwxr-xr-x root/root \./usr/bin/(postern|posternd|postern-mcp|postern-demo-provider)$' || return 1
    ! awk '{ print $6 }' "$work/$1.list" | grep -vE '^\./(usr/.*)?$' || return 1
    [ ! -e "$work/files/$1.control/conffiles" ]
}

has_programs() {
    local expected='bazel-credential-postern cargo-credential-postern docker-credential-postern git-credential-postern kubectl-postern postern postern-mcp posternd terraform-credentials-postern'
    local there name
    there=$(cd "$work/files/postern/usr/bin" && echo *)
    [ "$there" = "$expected" ] || { echo "$there"; return 1; }
    [ "$(cd "$work/files/postern-demo/usr/bin" && echo *)" = postern-demo-provider ] || return 1
    for name in $expected; do
        if [[ $name != @(posternd|postern|postern-mcp) ]]; then
            [ "$(readlink "$work/files/postern/usr/bin/$name")" = postern ] || { echo "$name is no link"; return 1; }
        fi
    done
}

# The package contains what install.sh writes.
has_files() {
    local file
    for file in man/man1/postern.1.gz man/man5/postern.toml.5.gz man/man7/io.postern.7.gz man/man8/posternd.8.gz man/man8/postern-mcp.8.gz \
        man/man1/git-credential-postern.1.gz bash-completion/completions/postern zsh/vendor-completions/_postern \
        fish/vendor_completions.d/postern.fish postern/io.postern.varlink postern/providers.d/EXAMPLE applications/io.postern.Postern.desktop \
        metainfo/io.postern.Postern.metainfo.xml icons/hicolor/scalable/apps/io.postern.Postern.svg doc/postern/NOTICE* \
        doc/postern/copyright doc/postern/README.Debian doc/postern/README.md doc/postern/docs/README.md doc/postern/packaging/relay/index.html \
        doc/postern/packaging/apparmor/usr.bin.posternd man/man7/postern-helpers.7.gz man/man7/postern-providers.7.gz; do
        # shellcheck disable=SC2086
        [ -e "$(echo "$work"/files/postern/usr/share/$file)" ] || { echo "/usr/share/$file is missing"; return 1; }
    done
    diff -r systemd "$work/files/postern/usr/lib/systemd/user"
    # Links between the documents would lead nowhere if they were compressed.
    diff -r -x .build docs "$work/files/postern/usr/share/doc/postern/docs"
}

# Which unit is enabled is checked on the machines.
restarts_nothing() { ! grep -hv '^ *#' "$work"/files/postern.control/p* | grep -E 'restart|systemctl'; }

versions_agree() {
    local program
    program=$(sed -n 's/.*static let version = "\([0-9.]*\)".*/\1/p' Sources/PosternInterface/Interface.swift)
    for version in "$(dpkg-deb -f "$(deb postern)" Version)" "$(sed -n 's/.*<release version="\([^"]*\)".*/\1/p' packaging/desktop/*.metainfo.xml | head -n 1)" \
        "$("$work/files/postern/usr/bin/postern" --version)" "$(sed -n 's/^Version: *//p' packaging/rpm/postern.spec)" \
        "$(sed -n 's/^pkgver=//p' packaging/arch/PKGBUILD)" "$(sed -n 's/^ *version = "\(.*\)";/\1/p' packaging/nix/package.nix)"; do
        [ "$version" = "$program" ] || { echo "$version is not $program"; return 1; }
    done
}

is_desktop_file() { desktop-file-validate packaging/desktop/*.desktop; }
is_metainfo() { appstreamcli validate --no-net packaging/desktop/*.metainfo.xml; }
is_profile() { apparmor_parser -Q -T -K packaging/apparmor/usr.bin.posternd; }

if [ -z "$is_debug_build" ]; then
    holds "lintian has nothing to say about the packages" is_clean
    holds "postern depends on what Debian 12 and 13 have" depends_on postern \
        'init-system-helpers (>= 1.52), libc6 (>= 2.35), libsqlite3-0 (>= 3.20.0), libssl3 (>= 3.0.0), libsystemd0 (>= 240)'
    holds "postern-demo depends on what Debian 12 and 13 have" depends_on postern-demo \
        'libc6 (>= 2.35), libssl3 (>= 3.0.0)'
fi
for package in postern postern-demo; do holds "$package has plain files below /usr, and no conffiles" is_tidy $package; done
holds "the packages have the programs and the links of the helpers" has_programs
holds "the package has documents, manuals, completions, units and the desktop's files" has_files
holds "the scripts of the package restart nothing" restarts_nothing
holds "the versions of programs, packages and metainfo agree" versions_agree
holds "the desktop file is valid" is_desktop_file
holds "the metainfo is valid" is_metainfo
holds "the AppArmor profile is valid" is_profile

if [ -n "$is_debug_build" ]; then
    write_results check-deb "$result"
    exit "$failed"
fi

# The previous version: the same programs with a lower number.
mkdir "$work/older"
for package in postern postern-demo; do
    dpkg-deb -R "$(deb $package)" "$work/older.tree"
    sed -i 's/^Version: .*/Version: 0.0.9/' "$work/older.tree/DEBIAN/control"
    dpkg-deb -Zgzip -z1 --root-owner-group -b "$work/older.tree" "$work/older" >/dev/null
    rm -rf "$work/older.tree"
done

lives() {
    local status=0
    timeout 300 python3 Tests/Packages/lifecycle.py "$1" "$work/older" "$work/newer" >"$work/$1.log" 2>&1 || status=$?
    cat "$work/$1.log"
    return "$status"
}

for suite in "${suites[@]}"; do
    sentence="the packages install, sign in, upgrade and go without a trace on $suite"
    if [ "$with_machines" = yes ]; then
        wait "$trees" || { cat "$work/trees" >&2; exit 1; }
        holds "$sentence" lives "$suite"
    else
        skipped "$sentence" "a machine is booted by root only, and not where POSTERN_SKIP_MACHINE is set"
    fi
done
if [ -n "$result" ] && [ "$with_machines" = yes ]; then cat "$work"/*.log >"${result%.xml}.log"; fi
write_results check-deb "$result"
exit "$failed"
