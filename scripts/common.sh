# Read by the other scripts; bash.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

say() { printf '%s\n' "$*" >&2; }

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

# need_packages NAME…: installs the Debian packages that are missing.
need_packages() {
    local name missing=()
    for name in "$@"; do
        dpkg-query -W -f '${Status}' "$name" 2>/dev/null | grep -q '^install ok installed' || missing+=("$name")
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
    local options=(-o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 -y -q --no-install-recommends)
    if ! as_root env DEBIAN_FRONTEND=noninteractive apt-get "${options[@]}" install "${missing[@]}" >/dev/null 2>&1; then
        as_root apt-get update -q >/dev/null
        as_root env DEBIAN_FRONTEND=noninteractive apt-get "${options[@]}" install "${missing[@]}" >/dev/null
    fi
}

# Stops with a hint where Swift is missing or too old.
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

build_packages=(git ca-certificates pkg-config libc6-dev libstdc++-12-dev libssl-dev libsystemd-dev libsqlite3-dev)
