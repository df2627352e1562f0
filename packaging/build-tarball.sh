#!/usr/bin/env bash
# Makes the tar archive of a release: programs without their debugging symbols, manuals, units and install.sh.
#   packaging/build-tarball.sh DIRECTORY    builds the programs with packaging/build.sh, and puts the archive into the directory
#   POSTERN_BIN_DIR=…                       packages programs that are already built
#   SOURCE_DATE_EPOCH=…                     the time of every file in it; by default that of the last commit
# The archive is the source of the .rpm, Arch and Nix packages. Its name is the last line of the output.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
[ $# = 1 ] || { echo "usage: packaging/build-tarball.sh DIRECTORY" >&2; exit 64; }
mkdir -p "$1"
output=$(cd "$1" && pwd)
programs=${POSTERN_BIN_DIR:-$("$root/packaging/build.sh")}
programs=$(cd "$programs" && pwd)
cd "$root"
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
version=$("$programs/postern" --version)
name=postern-$version-linux-$(uname -m)
tree=$work/$name
mkdir -p "$tree/bin" "$tree/packaging" "$tree/Sources/PosternInterface"
for program in posternd postern postern-mcp postern-demo-provider; do strip -o "$tree/bin/$program" "$programs/$program"; done
cp -r systemd docs LICENSE NOTICE ./*.md "$tree"
cp -r packaging/install.sh packaging/desktop packaging/apparmor packaging/providers.d packaging/relay "$tree/packaging"
cp Sources/PosternInterface/io.postern.varlink "$tree/Sources/PosternInterface"
python3 packaging/manuals.py --bin-dir "$programs" --output "$tree/packaging/man" >/dev/null
# Independent of the umask.
chmod -R u=rwX,go=rX "$tree"
tar -C "$work" --sort=name --format=gnu --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -c "$name" | gzip -9n >"$output/$name.tar.gz"
echo "$output/$name.tar.gz"
