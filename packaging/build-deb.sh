#!/usr/bin/env bash
# Builds the Debian packages: postern, postern-demo and their debugging symbols.
#   packaging/build-deb.sh DIRECTORY    builds the programs with packaging/build.sh, and puts the packages into the directory
#   POSTERN_BIN_DIR=…                   packages programs that are already built
#   DEB_BUILD_OPTIONS=noautodbgsym      without debugging symbols, which take most of the time
# It is the same as "ln -s packaging/debian debian && dpkg-buildpackage -b" in a clone, but leaves nothing behind there.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
[ $# = 1 ] || { echo "usage: packaging/build-deb.sh DIRECTORY" >&2; exit 64; }
mkdir -p "$1"
output=$(cd "$1" && pwd)
programs=${POSTERN_BIN_DIR:-$("$root/packaging/build.sh")}
POSTERN_BIN_DIR=$(cd "$programs" && pwd)
export POSTERN_BIN_DIR

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree=$work/postern
mkdir -p "$tree/Sources/PosternInterface"
cd "$root"
cp -r packaging systemd docs LICENSE NOTICE ./*.md "$tree"
cp Sources/PosternInterface/io.postern.varlink "$tree/Sources/PosternInterface"
cp -r packaging/debian "$tree/debian"
rm -rf "$tree/debian/programs"
cd "$tree"
# -d: Swift is not a Debian package, and the build dependencies of programs that are already built are not needed again.
if ! dpkg-buildpackage -b -us -uc -d >"$work/log" 2>&1; then
    tail -n 40 "$work/log" >&2
    echo "packaging/build-deb.sh: the packages were not built; see the messages above" >&2
    exit 1
fi
mv "$work"/*.deb "$work"/*.changes "$work"/*.buildinfo "$output"
