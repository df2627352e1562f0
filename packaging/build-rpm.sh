#!/usr/bin/env bash
# Builds the .rpm packages from the archive of packaging/build-tarball.sh.
#   packaging/build-rpm.sh ARCHIVE DIRECTORY
#   POSTERN_RPM_PAYLOAD=w1.gzdio              with another compression, for a check
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
[ $# = 2 ] || { echo "usage: packaging/build-rpm.sh ARCHIVE DIRECTORY" >&2; exit 64; }
mkdir -p "$2"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/SOURCES"
cp "$1" "$work/SOURCES"
macros=()
if [ "$(rpm --eval '%{?_userunitdir}')" = "" ]; then macros=(--load "$here/rpm/systemd.macros"); fi
if [ -n "${POSTERN_RPM_PAYLOAD:-}" ]; then macros+=(--define "postern_payload $POSTERN_RPM_PAYLOAD"); fi
# The machine's name and the order of processing would make each build differ.
if ! rpmbuild "${macros[@]}" --nodeps --define "_topdir $work" --define '_buildhost postern' -bb "$here/rpm/postern.spec" \
    >"$work/log" 2>&1; then
    tail -n 40 "$work/log" >&2
    echo "packaging/build-rpm.sh: the packages were not built; see the messages above" >&2
    exit 1
fi
mv "$work"/RPMS/*/*.rpm "$2"
