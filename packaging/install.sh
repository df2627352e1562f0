#!/bin/sh
# Installs Postern, or takes it away again.
#
#   packaging/install.sh                        for you: ~/.local/bin, ~/.config/systemd/user; enables the sockets
#   packaging/install.sh --prefix /usr/local    for all users of this machine (as root); each enables the sockets
#   packaging/install.sh --uninstall [--purge]  takes away what the same words installed; --purge your data too
#
#   --bin-dir DIR    where the built programs are (default: the package's release build)
#   --destdir DIR    put before every path, for packagers
#   --no-enable      leaves systemd alone
set -eu

here=$(cd "$(dirname "$0")/.." && pwd)
mode=user prefix= destdir= bindir= action=install enable=yes purge=no
programs='posternd postern postern-demo-provider'
units='postern.service postern.socket postern-callback.socket'
sockets='postern.socket postern-callback.socket'

say() { printf '%s\n' "$*" >&2; }
fail() { say "install.sh: $*"; exit 1; }

while [ $# -gt 0 ]; do
    case $1 in
    --user) mode=user ;;
    --prefix) [ $# -gt 1 ] || fail "--prefix needs a directory"; mode=prefix prefix=$2; shift ;;
    --destdir) [ $# -gt 1 ] || fail "--destdir needs a directory"; destdir=$2; shift ;;
    --bin-dir) [ $# -gt 1 ] || fail "--bin-dir needs a directory"; bindir=$2; shift ;;
    --no-enable) enable=no ;;
    --uninstall) action=uninstall ;;
    --purge) purge=yes ;;
    -h | --help) sed -n '2,11s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) say "install.sh: $1 is not known; --help tells what is"; exit 64 ;;
    esac
    shift
done

if [ "$mode" = user ]; then
    [ -n "${HOME:-}" ] || fail "HOME is not set"
    target=$HOME/.local/bin
    unitdir=${XDG_CONFIG_HOME:-$HOME/.config}/systemd/user
else
    case $prefix in /*) ;; *) fail "--prefix needs an absolute path, not '$prefix'" ;; esac
    target=$prefix/bin
    # systemd reads users' units here for these two prefixes alone.
    unitdir=$prefix/lib/systemd/user
fi
state=${XDG_STATE_HOME:-${HOME:-}/.local/state}/postern
applications=${XDG_DATA_HOME:-${HOME:-}/.local/share}/applications
config=${XDG_CONFIG_HOME:-${HOME:-}/.config}/postern

# The user's service manager can be asked. Of root's own manager only --user speaks.
manager() { [ "$enable" = yes ] && [ "$mode" = user ] && [ -z "$destdir" ] && systemctl --user show-environment >/dev/null 2>&1; }

install_all() {
    if [ -z "$bindir" ]; then bindir=$here/.build/release; fi
    for program in $programs; do
        [ -x "$bindir/$program" ] || fail "$bindir/$program is missing; build it first: swift build -c release --static-swift-stdlib"
    done
    mkdir -p "$destdir$target" "$destdir$unitdir"
    for program in $programs; do
        # Beside, then in place: a program that runs is not written over.
        cp "$bindir/$program" "$destdir$target/.$program.new"
        chmod 755 "$destdir$target/.$program.new"
        mv -f "$destdir$target/.$program.new" "$destdir$target/$program"
    done
    for unit in $units; do
        sed "s#^ExecStart=/usr/bin/posternd#ExecStart=$target/posternd#" "$here/systemd/$unit" >"$destdir$unitdir/.$unit.new"
        chmod 644 "$destdir$unitdir/.$unit.new"
        mv -f "$destdir$unitdir/.$unit.new" "$destdir$unitdir/$unit"
    done
    say "installed: $programs in $destdir$target, units in $destdir$unitdir"
    if manager; then
        systemctl --user daemon-reload
        # shellcheck disable=SC2086
        systemctl --user enable --now $sockets
        # An older daemon that runs makes place for the new one; its sockets stay.
        systemctl --user try-restart postern.service
        say "enabled: $sockets; the daemon starts when it is needed. Try: postern status"
    elif [ "$enable" = yes ]; then
        say "each user turns it on with: systemctl --user daemon-reload && systemctl --user enable --now $sockets"
    fi
    case :$PATH: in *":$target:"*) ;; *) say "note: $target is not on your PATH" ;; esac
}

uninstall_all() {
    if manager; then
        # shellcheck disable=SC2086
        systemctl --user disable --now $sockets postern.service >/dev/null 2>&1 || true
    elif [ "$mode" = prefix ] && [ -z "$destdir" ]; then
        say "daemons that run go on until their users log out, or run: systemctl --user disable --now $sockets postern.service"
    fi
    for program in $programs; do rm -f "$destdir$target/$program"; done
    for unit in $units; do rm -f "$destdir$unitdir/$unit"; done
    # Handlers of URL schemes (postern url-scheme) would start a program that is not there.
    if [ "$mode" = user ]; then rm -f "$destdir$applications"/postern-url-*.desktop; fi
    if manager; then
        systemctl --user daemon-reload
        # shellcheck disable=SC2086
        systemctl --user reset-failed $units >/dev/null 2>&1 || true
    fi
    say "taken away: $programs and the units"
    if [ "$purge" = yes ]; then
        rm -rf "$destdir$state" "$destdir$config"
        say "purged: $state and $config"
    elif [ -e "$destdir$state" ] || [ -e "$destdir$config" ]; then
        say "kept, with your sign-ins: $state and $config (--uninstall --purge removes them)"
    fi
}

"${action}_all"
