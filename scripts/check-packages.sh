#!/usr/bin/env bash
# Installs the package list of each script on a machine that has only apt, and checks that the list suffices.
#   scripts/check-packages.sh              prints what holds and what does not
#   scripts/check-packages.sh RESULT.xml   also writes the result as JUnit XML
# Needs root and debootstrap, and is skipped without them; never where CI is set.
. "$(dirname "$0")/common.sh"
. scripts/results.sh

result=${1:-}
skip() {
    say "$1"
    if [ -n "${CI:-}" ]; then exit 1; fi
    skipped "the package lists suffice on a fresh machine" "$1"
    write_results check-packages "$result"
    exit 0
}
[ "$(id -u)" = 0 ] || skip "only root can make a fresh machine to install packages on"
command -v debootstrap >/dev/null || skip "debootstrap is missing, so that no packages can be tried on a fresh machine"

mirror=${POSTERN_DEBIAN_MIRROR:-http://deb.debian.org/debian}
cache=${XDG_CACHE_HOME:-/var/tmp}/postern-tests
toolchain=$(dirname "$(dirname "$(dirname "$(readlink -f "$(command -v swift)")")")")
work=$(mktemp -d)
mkdir "$work/archives"
leave_machine() { if mountpoint -q "$work/tree"; then umount "$work/tree"; fi; }
trap 'leave_machine; rm -rf "$work"' EXIT

# The machine: made once by debootstrap and never changed. Packages are installed in a layer above it.
fresh=$cache/fresh-bookworm
mkdir -p "$cache"
exec {lock}>"$fresh.lock"
flock "$lock"
if [ ! -d "$fresh" ]; then
    rm -rf "$fresh.new"
    debootstrap --variant=minbase bookworm "$fresh.new" "$mirror" >"$work/log" 2>&1 || { tail -n 20 "$work/log" >&2; exit 1; }
    # Done last: a tree with this name is complete.
    mv -T "$fresh.new" "$fresh"
fi
flock -u "$lock"

# fresh_machine: makes an unmodified one at $work/tree.
fresh_machine() {
    leave_machine
    rm -rf "$work/layer"
    mkdir -p "$work/tree" "$work/layer/changes" "$work/layer/work"
    mount -t overlay overlay -o "lowerdir=$fresh,upperdir=$work/layer/changes,workdir=$work/layer/work" "$work/tree"
    mkdir -p "$work/tree/postern/scripts" "$work/tree/postern/Sources"
    cp scripts/*.sh "$work/tree/postern/scripts"
    cp -r Sources/C* "$work/tree/postern/Sources"
    cp -L /etc/resolv.conf "$work/tree/etc/resolv.conf"
}

# there COMMAND: runs bash on that machine, with its own processes, which end with the command.
there() {
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 unshare --mount --pid --fork --kill-child --propagation private bash -euc '
        mount -t proc proc "$0/proc"
        mount -t tmpfs tmpfs "$0/dev"
        for device in null zero full random urandom tty; do touch "$0/dev/$device"; mount --bind "/dev/$device" "$0/dev/$device"; done
        ln -s /proc/self/fd "$0/dev/fd"
        mkdir -p "$0/opt/swift"
        mount --bind -o ro "$1" "$0/opt/swift"
        # The next machine need not download the same packages again.
        mount --bind "$2" "$0/var/cache/apt/archives"
        exec chroot "$0" bash -euc "cd /postern; . scripts/common.sh; $3"' "$work/tree" "$toolchain" "$work/archives" "$1" </dev/null
}

installs() { there "need_packages $1"; }

# A second run finds nothing to do, and no package is half installed.
is_complete() {
    local said
    said=$(there "need_packages $1" 2>&1) && [ -z "$said" ] || { echo "a second time: $said"; return 1; }
    said=$(there 'dpkg --audit' 2>&1) && [ -z "$said" ] || { echo "$said"; return 1; }
}

has_programs() { there "for program in $1; do command -v \$program >/dev/null || { echo \$program is missing; exit 1; }; done"; }

# A separate Swift package, so that nothing has to be fetched: the module maps of the system libraries, and a program that uses all three.
swift_builds() {
    there 'mkdir -p /try/Sources/try
        cd /try
        cp -r /postern/Sources/COpenSSL /postern/Sources/CSystemd /postern/Sources/CSQLite Sources
        cat >Package.swift <<END
// swift-tools-version: 6.1
import PackageDescription
let package = Package(name: "try", targets: [
    .systemLibrary(name: "COpenSSL", pkgConfig: "openssl"), .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd"),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3"), .executableTarget(name: "try", dependencies: ["COpenSSL", "CSystemd", "CSQLite"]),
])
END
        cat >Sources/try/main.swift <<END
import COpenSSL
import CSystemd
import CSQLite
import FoundationEssentials
print(OpenSSL_version_num() > 0, sd_booted() >= 0, sqlite3_libversion_number() > 0)
END
        export PATH=/opt/swift/usr/bin:$PATH
        need_swift
        swift build
        [ "$(.build/debug/try)" = "true true true" ]'
}

glewlwyd_runs() {
    there 'need_glewlwyd; need_glewlwyd
        ! ldd .glewlwyd/usr/bin/glewlwyd $(find .glewlwyd -name "*.so") | grep "not found"
        .glewlwyd/usr/bin/glewlwyd --version'
}

declare -A programs
programs[build]="git pkg-config readelf"
programs[benchmarks]="git pkg-config gcc python3 ps valgrind"
programs[test]="git pkg-config readelf openssl curl socat jq ps python3 node gcc valgrind oathtool zbarimg chromium chromedriver certutil
    desktop-file-validate gio gdbus xdg-open xdg-mime dbus-daemon dbus-run-session gnome-keyring-daemon secret-tool dunst dunstctl Xvfb systemd-socket-activate systemd-nspawn
    debootstrap setpriv unshare nsenter skopeo msmtp mpop mbsync getmail neomutt mutt offlineimap aerc gh rclone gpg oidc-gen
    mandoc man lexgrog groff zsh fish ip"
programs[deb]="dh dpkg-buildpackage lintian python3 desktop-file-validate appstreamcli apparmor_parser systemd-nspawn debootstrap unshare"
programs[kubectl]=kubectl

for list in build benchmarks deb kubectl test; do
    fresh_machine
    holds "the packages for $list install" installs "$list"
    holds "the packages for $list are complete" is_complete "$list"
    holds "the packages for $list bring their programs" has_programs "${programs[$list]//$'\n'/ }"
    if [ "$list" = build ]; then holds "Swift builds with the packages for build" swift_builds; fi
done
holds "a Python environment can be made" there 'python3 -m venv /tmp/environment && /tmp/environment/bin/pip --version >/dev/null'
holds "glewlwyd runs where it is unpacked" glewlwyd_runs

write_results check-packages "$result"
exit "$failed"
