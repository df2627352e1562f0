#!/usr/bin/env bash
# Makes the files of a release from a tag.
#   packaging/release.sh v0.1.0 DIRECTORY                the tag must be checked out, without changes
#   packaging/release.sh v0.1.0 DIRECTORY --key KEYFILE  also signs the checksums with an SSH key
#   POSTERN_BIN_DIR=DIR packaging/release.sh …           packages programs that are already built
#   POSTERN_BUILDER=URI POSTERN_BUILD_RUN=URI …          who builds it, and in which run, for the statement of provenance (default: by hand)
# DIRECTORY then contains the source, the archive of the programs, the Debian packages with their debugging symbols, the .rpm packages
# (if rpmbuild is installed), a bill of materials (CycloneDX), a statement of provenance (in-toto, SLSA), Package.resolved, SHA256SUMS and its signature, which this verifies:
#   ssh-keygen -Y verify -f allowed_signers -I postern -n file -s SHA256SUMS.sig <SHA256SUMS
# The same commit, tool chain and resolved packages give the same bytes; see docs/operate/packaging.md.
set -euo pipefail
cd "$(dirname "$0")/.."
fail() { echo "packaging/release.sh: $*" >&2; exit 1; }

tag=${1:-} directory=${2:-} key=
if [ "${3:-}" = --key ]; then key=${4:?--key needs a file}; fi
if [ -z "$tag" ] || [ -z "$directory" ] || { [ $# -gt 2 ] && [ -z "$key" ]; }; then
    sed -n '2,10s/^# \{0,1\}//p' "$0" >&2
    exit 64
fi

commit=$(git rev-parse -q --verify "refs/tags/$tag^{commit}") || fail "there is no tag $tag"
[ "$commit" = "$(git rev-parse HEAD)" ] || fail "$tag is not what is checked out: git switch --detach $tag"
[ -z "$(git status --porcelain --untracked-files=normal)" ] || fail "there are changes that are not in $tag: git status lists them"
[ -z "$key" ] || [ -r "$key" ] || fail "the key $key cannot be read"
mkdir -p "$directory"
directory=$(cd "$directory" && pwd)
[ -z "$(ls -A "$directory")" ] || fail "$directory is not empty"

# The version must be the same everywhere.
version=${tag#v}
same() { [ "$2" = "$version" ] || fail "$1 says version ${2:-nothing}, and the tag $version"; }
same Sources/PosternInterface/Interface.swift "$(sed -n 's/.*static let version = "\([0-9.]*\)".*/\1/p' Sources/PosternInterface/Interface.swift)"
same packaging/debian/changelog "$(sed -n '1s/.*(\(.*\)).*/\1/p' packaging/debian/changelog)"
same packaging/rpm/postern.spec "$(sed -n 's/^Version: *//p' packaging/rpm/postern.spec)"
same packaging/arch/PKGBUILD "$(sed -n 's/^pkgver=//p' packaging/arch/PKGBUILD)"
same packaging/nix/package.nix "$(sed -n 's/^ *version = "\(.*\)";/\1/p' packaging/nix/package.nix)"
same the-metainfo "$(sed -n 's/.*<release version="\([^"]*\)".*/\1/p' packaging/desktop/io.postern.Postern.metainfo.xml | head -n 1)"

SOURCE_DATE_EPOCH=$(git log -1 --format=%ct "$commit")
POSTERN_BIN_DIR=${POSTERN_BIN_DIR:-$(packaging/build.sh)}
export SOURCE_DATE_EPOCH POSTERN_BIN_DIR LC_ALL=C TZ=UTC
umask 022

git archive --format=tar --prefix="postern-$version/" "$commit" | gzip -9n >"$directory/postern-$version.tar.gz"
archive=$(packaging/build-tarball.sh "$directory")
packaging/build-deb.sh "$directory"
# They name the build machine, and are for a Debian archive.
rm "$directory"/*.buildinfo "$directory"/*.changes
if command -v rpmbuild >/dev/null; then
    packaging/build-rpm.sh "$archive" "$directory"
else
    echo "packaging/release.sh: no .rpm packages: rpmbuild is not installed" >&2
fi
cp Package.resolved "$directory"
swift=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9.]*\).*/\1/p' | head -n 1)
packaging/sbom.py --version "$version" --resolved Package.resolved --swift "$swift" --output "$directory/postern-$version.cdx.json"
# Written beside the files, and then moved to them: it is no subject of its own.
statement=$(mktemp)
packaging/provenance.py --tag "$tag" --commit "$commit" --resolved Package.resolved --swift "$swift" \
    ${POSTERN_BUILDER:+--builder "$POSTERN_BUILDER"} ${POSTERN_BUILD_RUN:+--run "$POSTERN_BUILD_RUN"} --output "$statement" "$directory"
chmod 644 "$statement"
mv "$statement" "$directory/postern-$version.provenance.json"

cd "$directory"
sums=$(sha256sum -- *)
echo "$sums" >SHA256SUMS
if [ -n "$key" ]; then ssh-keygen -q -Y sign -f "$key" -n file SHA256SUMS; fi
ls -l
