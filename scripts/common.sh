# Sourced by the other scripts; bash.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
. scripts/packages.sh

# Postern itself is built from exact versions; see Package.swift.
export POSTERN_EXACT_VERSIONS=1

say() { printf '%s\n' "$*" >&2; }

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

# need_packages LIST: installs the missing packages of a list in packages.sh, without questions.
need_packages() {
    local name missing=() there
    # shellcheck disable=SC2086
    there=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' ${packages[$1]:?} 2>/dev/null | sed -n 's/^installed //p' || true)
    for name in ${packages[$1]}; do
        grep -qxF "$name" <<<"$there" || missing+=("$name")
    done
    [ ${#missing[@]} = 0 ] && return 0
    if ! command -v apt-get >/dev/null; then
        say "these Debian packages, or their like on this system, are needed: ${missing[*]}"
        exit 1
    fi
    if [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null; then
        say "run this as root, or with sudo installed, or first: apt-get install ${missing[*]}"
        exit 1
    fi
    say "installing: ${missing[*]}"
    install_packages "${missing[@]}" >/dev/null 2>&1 && return 0
    # apt's package lists may be old, or missing.
    as_root apt-get update -q >/dev/null
    install_packages "${missing[@]}" >/dev/null
}

install_packages() {
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 \
        -o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold -y -q --no-install-recommends install "$@" </dev/null
}

# need_unpacked DIRECTORY PROGRAM PACKAGE…: Debian packages, unpacked and not installed, because their installation would start a server.
need_unpacked() {
    local into=$1 program=$2 work package
    shift 2
    [ -x "$into/$program" ] && return 0
    work=$(mktemp -d)
    (
        cd "$work"
        apt-get download -q "$@" >/dev/null 2>&1 && exit 0
        as_root apt-get update -q >/dev/null
        apt-get download -q "$@" >/dev/null
    )
    rm -rf "$into.new"
    for package in "$work"/*.deb; do dpkg-deb --extract "$package" "$into.new"; done
    rm -rf "$work"
    # Done last: a directory with this name is complete.
    rm -rf "$into"
    mv -T "$into.new" "$into"
}

# The installation of glewlwyd also requires a database and fails without one, and it needs documentation that small images omit.
need_glewlwyd() { need_unpacked .glewlwyd usr/bin/glewlwyd glewlwyd glewlwyd-common; }

# need_environment DIRECTORY REQUIREMENTS: a Python environment with those packages, made again when the list changes.
need_environment() {
    cmp -s "$2" "$1/requirements.txt" && return 0
    [ -x "$1/bin/python" ] || python3 -m venv "$1"
    "$1/bin/pip" install -q --disable-pip-version-check -r "$2"
    cp "$2" "$1/requirements.txt"
}

# need_python: what the end-to-end tests need of PyPI.
need_python() {
    local revision wanted there
    need_environment .venv-tests Tests/requirements.txt
    # A provider that the tests start; it needs other versions of the tests' own dependencies.
    need_environment .venv-canaille Tests/requirements-canaille.txt
    # MCP's Python SDK as it was for two earlier revisions of the protocol; what else they need are the tests' own packages.
    for revision in 2025-06-18 2025-11-25; do
        wanted=Tests/requirements-mcp-$revision.txt there=.venv-mcp-$revision
        cmp -s "$wanted" "$there/requirements.txt" && continue
        .venv-tests/bin/pip install -q --disable-pip-version-check --no-deps --upgrade --target "$there" -r "$wanted"
        cp "$wanted" "$there/requirements.txt"
    done
}

# What the bridge is measured beside: nginx as a server with TLS and as a relay, and a proxy for stdio of PyPI.
need_relays() {
    need_unpacked .nginx usr/sbin/nginx nginx
    need_environment .venv-benchmarks Benchmarks/requirements.txt
}

# Stops with a hint if Swift is missing or too old.
need_swift() {
    local version
    version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' | head -n 1)
    if [ -z "$version" ] || [ "$(printf '%s\n6.1\n' "$version" | sort -V | head -n 1)" != 6.1 ]; then
        say "Postern is built with Swift 6.1 or later; here is ${version:-none}."
        say "Get it from https://www.swift.org/install/linux/ (with swiftly: 'swiftly install latest'),"
        say "put it on PATH, and run this again."
        exit 1
    fi
}
