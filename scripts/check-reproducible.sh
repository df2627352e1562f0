#!/usr/bin/env bash
# Makes a release twice, as packaging/release.sh does from a tag, and inspects the results.
#   scripts/check-reproducible.sh              prints what holds and what does not
#   scripts/check-reproducible.sh RESULT.xml   also writes the result as JUnit XML
#   POSTERN_BIN_DIR=…                     uses programs that are already built
. "$(dirname "$0")/common.sh"
. scripts/results.sh

need_swift
need_packages build
need_packages release
result=${1:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
POSTERN_BIN_DIR=${POSTERN_BIN_DIR:-$(packaging/build.sh)}
POSTERN_BIN_DIR=$(cd "$POSTERN_BIN_DIR" && pwd)
export POSTERN_BUILDER=https://ci.example/builder POSTERN_BUILD_RUN=https://ci.example/runs/1
# Nobody downloads these files: little compression, and no debugging symbols.
export POSTERN_BIN_DIR DEB_BUILD_OPTIONS=noautodbgsym POSTERN_DEB_OPTIONS='-Zgzip -z1' POSTERN_RPM_PAYLOAD=w1.gzdio
version=$(sed -n 's/.*static let version = "\([0-9.]*\)".*/\1/p' Sources/PosternInterface/Interface.swift)
ssh-keygen -q -t ed25519 -N '' -C release -f "$work/key"
echo "postern $(cut -d ' ' -f 1,2 "$work/key.pub")" >"$work/allowed_signers"

# release NAME: makes one of the last commit, in a clone, so that this tree need not be clean or tagged.
release() {
    git clone -q "file://$root" "$work/clone-$1"
    cp Package.resolved "$work/clone-$1"
    git -C "$work/clone-$1" tag "v$version"
    "$work/clone-$1/packaging/release.sh" "v$version" "$work/$1" --key "$work/key"
}
release one >"$work/log" 2>&1 || { cat "$work/log" >&2; say "the release was not made"; exit 1; }
# In another directory, later, by a user with another umask.
(umask 077 && release another >"$work/log" 2>&1) || { cat "$work/log" >&2; say "the second release was not made"; exit 1; }

has_everything() {
    local name
    for name in "postern-$version.tar.gz" "postern-$version-linux-$(uname -m).tar.gz" "postern_${version}_*.deb" "postern-demo_${version}_*.deb" \
        "postern-$version-1.*.rpm" "postern-demo-$version-1.*.rpm" "postern-$version.cdx.json" "postern-$version.provenance.json" Package.resolved SHA256SUMS SHA256SUMS.sig; do
        compgen -G "$work/one/$name" >/dev/null || { echo "$name is missing"; ls "$work/one"; return 1; }
    done
}
is_the_same_twice() { diff "$work/one/SHA256SUMS" "$work/another/SHA256SUMS"; }
sums_are_right() { (cd "$work/one" && sha256sum --quiet -c SHA256SUMS && [ "$(wc -l <SHA256SUMS)" = "$(($(ls | wc -l) - 2))" ]); }
verify() { ssh-keygen -Y verify -f "$work/allowed_signers" -I postern -n file -s "$work/one/SHA256SUMS.sig" <"$1"; }
changes_are_noticed() {
    ! verify <(sed '1s/^./x/' "$work/one/SHA256SUMS") || { echo "another file has the signature, too"; return 1; }
}

# provenance DIRECTORY: the statement there, read again: its subjects are the other files, its sources the commit and what was resolved.
provenance() {
    python3 - "$1" "$(git -C "$work/clone-one" rev-parse HEAD)" "v$version" <<'END'
import hashlib, json, pathlib, sys
directory, commit, tag = pathlib.Path(sys.argv[1]), *sys.argv[2:]
[path] = directory.glob("*.provenance.json")
statement = json.loads(path.read_text())
assert (statement["_type"], statement["predicateType"]) == ("https://in-toto.io/Statement/v1", "https://slsa.dev/provenance/v1")
others = {file for file in directory.iterdir() if file != path and not file.name.startswith("SHA256SUMS")}
subjects = {subject["name"]: subject["digest"]["sha256"] for subject in statement["subject"]}
assert subjects == {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in others}, "other files than the subjects"
own, *sources = statement["predicate"]["buildDefinition"]["resolvedDependencies"]
assert own == {"uri": f"git+https://github.com/postern/postern@refs/tags/{tag}", "name": "postern", "digest": {"gitCommit": commit}}, own
pins = json.loads((directory / "Package.resolved").read_text())["pins"]
assert {(one["name"], one["digest"]["gitCommit"]) for one in sources} == {(pin["identity"], pin["state"]["revision"]) for pin in pins}
run = statement["predicate"]["runDetails"]
assert run == {"builder": {"id": "https://ci.example/builder"}, "metadata": {"invocationId": "https://ci.example/runs/1"}}, run
END
}
another_file_is_noticed() {
    cp -r "$work/one" "$work/changed"
    echo >>"$work/changed/postern-$version.tar.gz"
    ! provenance "$work/changed" 2>/dev/null || { echo "the statement holds for another file, too"; return 1; }
}

# What was resolved, the statement and the bill of materials name the versions of Package.swift, and no other package.
versions_are_the_tags() {
    python3 - "$work/one" "$work/clone-one/Package.swift" <<'END'
import json, pathlib, re, sys
directory, manifest = map(pathlib.Path, sys.argv[1:])
[table] = re.findall(r"^let versions = \[(.*)\]$", manifest.read_text(), re.M)
wanted = dict(re.findall(r'"([\w-]+)": "([\d.]+)"', table))
assert wanted
pins = json.loads((directory / "Package.resolved").read_text())["pins"]
assert {pin["identity"]: pin["state"]["version"] for pin in pins} == wanted, pins
[path] = directory.glob("*.provenance.json")
_, *sources = json.loads(path.read_text())["predicate"]["buildDefinition"]["resolvedDependencies"]
assert {one["name"]: one["uri"].rsplit("@", 1)[1] for one in sources} == wanted, sources
[path] = directory.glob("*.cdx.json")
components = json.loads(path.read_text())["components"]
assert {one["name"]: one["version"] for one in components if one.get("purl", "").startswith("pkg:swift/")} == wanted, components
END
}

# A package that uses PosternClient, beside a newer swift-nio: the same commit with a higher number, which git finds in place of the original.
resolves_beside_a_newer_nio() {
    local nio=$work/newer/swift-nio original version
    original=$(git -C .build-release/checkouts/swift-nio remote get-url origin)
    git clone -q --bare "$original" "$nio"
    git -C "$nio" tag 2.999.0 "$(git -C .build-release/checkouts/swift-nio rev-parse HEAD)"
    mkdir -p "$work/user/Sources/User"
    echo 'import PosternClient' >"$work/user/Sources/User/main.swift"
    cat >"$work/user/Package.swift" <<END
// swift-tools-version: 6.1
import PackageDescription
let package = Package(
    name: "User", dependencies: [.package(path: "$work/clone-one"), .package(url: "https://github.com/apple/swift-nio", exact: "2.999.0")],
    targets: [.executableTarget(name: "User", dependencies: [
        .product(name: "PosternClient", package: "clone-one"), .product(name: "NIOCore", package: "swift-nio")])])
END
    (
        cd "$work/user"
        unset POSTERN_EXACT_VERSIONS
        export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0="url.file://$nio.insteadOf" GIT_CONFIG_VALUE_0=https://github.com/apple/swift-nio
        swift package --cache-path "$work/cache" resolve
    ) || return 1
    version=$(python3 -c 'import json, sys; print(*(pin["state"]["version"] for pin in json.load(open(sys.argv[1]))["pins"] if pin["identity"] == "swift-nio"))' "$work/user/Package.resolved")
    [ "$version" = 2.999.0 ] || { echo "it resolved swift-nio $version"; return 1; }
}

spec_is_read() { rpmspec -P --load packaging/rpm/systemd.macros packaging/rpm/postern.spec >/dev/null; }
# The messages of Debian 12's rpmlint; docs/operate/packaging.md explains them.
is_clean_for_rpmlint() {
    local said
    # Its status is of no use: it also fails for those.
    said=$(rpmlint "$work"/one/*.rpm 2>&1 || true)
    ! grep -E ': [EW]: ' <<<"$said" \
        | grep -vE ': (no-signature|no-packager-tag|call-to-mktemp|invalid-license|manpage-not-compressed|no-manual-page-for-binary|only-non-binary-in-usr-lib)\b'
}
has_what_the_deb_has() {
    local shared='^/usr/(bin/.|share/doc/postern/(docs|packaging)/.*\.(md|html)$|share/man/.*\.gz$)'
    diff <(dpkg-deb --fsys-tarfile "$work"/one/postern_*.deb | tar -t | sed 's#^\.##' | grep -E "$shared" | sort) \
        <(rpm -qlp "$work"/one/postern-"$version"-1.*.rpm 2>/dev/null | grep -E "$shared" | sort)
}
turns_nothing_on() { ! rpm -qp --scripts "$work"/one/postern-"$version"-1.*.rpm 2>/dev/null | grep -E 'systemctl.* (enable|start|restart)'; }

refuses() {
    local word=$1 said
    shift
    ! said=$("$@" 2>&1) && grep -qF "$word" <<<"$said" || { echo "$said"; return 1; }
}
refuses_changes() {
    echo >>"$work/clone-one/README.md"
    refuses "changes that are not in" "$work/clone-one/packaging/release.sh" "v$version" "$work/third"
}

holds "a release has its files" has_everything
holds "two releases of the same programs have the same bytes" is_the_same_twice
holds "the checksums are those of the files, and of all of them" sums_are_right
holds "the signature is verified as docs/operate/packaging.md says" verify "$work/one/SHA256SUMS"
holds "the signature of other checksums is refused" changes_are_noticed
holds "the statement of provenance names the files, the commit, the packages and the run" provenance "$work/one"
holds "a file that is not a subject of the statement is noticed" another_file_is_noticed
holds "the versions of packages in the release are those of Package.swift" versions_are_the_tags
holds "a package that uses PosternClient resolves beside a newer swift-nio" resolves_beside_a_newer_nio
holds "rpm reads the spec" spec_is_read
holds "rpmlint has nothing new to say" is_clean_for_rpmlint
holds "the .rpm has the programs, documents and manuals of the .deb" has_what_the_deb_has
holds "the scripts of the .rpm start nothing" turns_nothing_on
holds "a tag that is not there is refused" refuses "there is no tag" "$work/clone-another/packaging/release.sh" v99 "$work/third"
holds "changes that are not in the tag are refused" refuses_changes
write_results check-reproducible "$result"
exit "$failed"
