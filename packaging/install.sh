#!/bin/sh
# Installs or removes Postern.
#
#   packaging/install.sh                        installs for you, in ~/.local/bin and ~/.config/systemd/user; enables the sockets
#   packaging/install.sh --prefix /usr/local    installs for all users, as root; each user enables the sockets
#   packaging/install.sh --uninstall [--purge]  removes what the same options installed; with --purge also your configuration,
#                                               your data and the key in your keyring (not with --prefix: each user's is their own)
#
#   --bin-dir DIR    take the built programs from DIR (default: the package's release build)
#   --destdir DIR    put DIR before every path, for packagers
#   --no-enable      do not touch systemd
#   --zsh-dir DIR    put the completions for zsh into DIR, for packagers (default: PREFIX/share/zsh/site-functions; for
#                    /usr on Debian vendor-completions, because zsh reads only that one there)
set -eu

here=$(cd "$(dirname "$0")/.." && pwd)
mode=user prefix= destdir= bindir= action=install enable=yes purge=no zsh=
programs='posternd postern postern-mcp postern-demo-provider'
# The names under which other programs look for a helper (docs/use/helpers.md): links to postern.
links='
git-credential-postern
docker-credential-postern
kubectl-postern
cargo-credential-postern
terraform-credentials-postern
bazel-credential-postern
'
units='postern.service postern.socket postern-callback.socket postern-callback-ipv6.socket postern-keep-fresh.timer postern-mcp.socket postern-mcp.service'
sockets='postern.socket postern-callback.socket'
application=io.postern.Postern

say() { printf '%s\n' "$*" >&2; }
fail() { say "install.sh: $*"; exit 1; }
# An XDG base directory: the variable's value if it is an absolute path, otherwise the default.
base() { case $1 in /*) printf '%s' "$1" ;; *) printf '%s' "${HOME:-}/$2" ;; esac; }

while [ $# -gt 0 ]; do
    case $1 in
    --user) mode=user ;;
    --prefix) [ $# -gt 1 ] || fail "--prefix needs a directory"; mode=prefix prefix=$2; shift ;;
    --destdir) [ $# -gt 1 ] || fail "--destdir needs a directory"; destdir=$2; shift ;;
    --bin-dir) [ $# -gt 1 ] || fail "--bin-dir needs a directory"; bindir=$2; shift ;;
    --no-enable) enable=no ;;
    --zsh-dir) [ $# -gt 1 ] || fail "--zsh-dir needs a directory"; zsh=$2; shift ;;
    --uninstall) action=uninstall ;;
    --purge) purge=yes ;;
    -h | --help) sed -n '2,14s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) say "install.sh: unknown option $1; see --help"; exit 64 ;;
    esac
    shift
done

config=$(base "${XDG_CONFIG_HOME:-}" .config)
state=$(base "${XDG_STATE_HOME:-}" .local/state)/postern
applications=$(base "${XDG_DATA_HOME:-}" .local/share)/applications
case ${XDG_RUNTIME_DIR:-} in /*) runtime=$XDG_RUNTIME_DIR ;; *) runtime= ;; esac
if [ "$mode" = user ]; then
    case ${HOME:-} in /*) ;; *) fail "HOME is not set to an absolute path" ;; esac
    target=$HOME/.local/bin
    unitdir=$config/systemd/user
    # man looks next to ~/.local/bin, and the shells in the data directory.
    share=$(base "${XDG_DATA_HOME:-}" .local/share)
    manuals=$HOME/.local/share/man
    fish=$config/fish/completions
else
    case $prefix in /*) ;; *) fail "--prefix needs an absolute path, not '$prefix'" ;; esac
    # For all users, whatever root's own files are like.
    umask 022
    target=$prefix/bin
    # systemd reads users' units here only for these two prefixes.
    unitdir=$prefix/lib/systemd/user
    share=$prefix/share
    manuals=$share/man
    fish=$share/fish/vendor_completions.d
fi
if [ -z "$zsh" ]; then
    zsh=$share/zsh/site-functions
    if [ "$prefix" = /usr ] && [ -e /etc/debian_version ]; then zsh=$share/zsh/vendor-completions; fi
fi
bash=$share/bash-completion/completions
documents=$share/doc/postern
config=$config/postern
case $target in *'
'*) fail "a unit cannot name a path with a line feed in it" ;; esac

# Files that are not in their place yet; and the progress: nothing, staging, placing.
made= pending= phase=

# Runs last, however the script ends.
clean_up() {
    status=$?
    if [ -n "$made" ]; then rm -rf "$made"; fi
    if [ -n "$pending" ]; then rm -f "$pending"; fi
    if [ "$phase" = staging ]; then each_staged discard; fi
    case $phase in
    staging) say "install.sh: nothing was changed" ;;
    placing) say "install.sh: not everything was installed; once that is fixed, run it again" ;;
    esac
    exit "$status"
}
trap clean_up EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# Whether the user's service manager can be reached. Only --user addresses root's own manager.
manager() { [ "$enable" = yes ] && [ "$mode" = user ] && [ -z "$destdir" ] && systemctl --user show-environment >/dev/null 2>&1; }

# Whether it runs at all, as sd_booted(3) finds out; its programs may be installed without it.
systemd_runs() { [ -d /run/systemd/system ]; }

# Installing

install_all() {
    # A release contains the programs.
    if [ -z "$bindir" ] && [ -d "$here/bin" ]; then bindir=$here/bin; fi
    if [ -z "$bindir" ]; then bindir=$here/.build/release; fi
    for program in $programs; do
        [ -x "$bindir/$program" ] || fail "$bindir/$program is missing; build it first: swift build -c release --static-swift-stdlib"
    done
    # An idle daemon exits once its program has been replaced, so its state is checked before.
    running=no was=
    if manager && systemctl --user is-active --quiet postern.service; then running=yes was=$(locked); fi
    phase=staging
    mkdir -p "$destdir$target" "$destdir$unitdir"
    # Copied first, then renamed: a running program is not overwritten. All copies are made first: if the disk is full, the old files remain.
    for program in $programs; do create "$destdir$target/.$program.new" 755 cat <"$bindir/$program"; done
    for link in $links; do
        if [ -e "$destdir$target/$link" ] && [ ! -L "$destdir$target/$link" ]; then
            say "note: $destdir$target/$link is another program, and stays"
            discard "$destdir$target" "$link"
            continue
        fi
        discard "$destdir$target" "$link"
        ln -s postern "$destdir$target/.$link.new"
    done
    for unit in $units; do create "$destdir$unitdir/.$unit.new" 644 write_unit <"$here/systemd/$unit"; done
    phase=placing
    each_staged place
    say "installed: $programs in $destdir$target, units in $destdir$unitdir"
    install_manuals
    install_documents
    install_completions
    if [ "$mode" = prefix ]; then install_desktop; fi
    phase=
    if manager; then
        enable_all
    elif [ "$enable" = yes ] && [ -z "$destdir" ] && ! systemd_runs; then
        say "systemd does not run here; each user starts the daemon in the background, as at login, with:"
        say "    nohup '$(printf %s "$target/posternd" | sed "s/'/'\\\\''/g")' >/dev/null 2>&1 &"
    elif [ "$enable" = yes ]; then
        say "each user turns it on with: systemctl --user daemon-reload && systemctl --user enable --now $sockets"
        say "a daemon that runs is replaced by: systemctl --user try-restart postern.service"
        say "(that locks a store whose key is a passphrase; postern unlock opens it again)"
    fi
    case :$PATH: in *":$target:"*) ;; *) say "note: $target is not on your PATH" ;; esac
}

# each_staged COMMAND: called with the directory and the name of each program, link and unit that is not yet renamed.
each_staged() {
    for staged in $programs $links; do "$1" "$destdir$target" "$staged"; done
    for staged in $units; do "$1" "$destdir$unitdir" "$staged"; done
}
place() { if [ -e "$1/.$2.new" ] || [ -L "$1/.$2.new" ]; then replace "$1/.$2.new" "$1/$2"; fi; }
discard() { rm -f "$1/.$2.new"; }

# create FILE MODE COMMAND: a new file with the command's output. A link in its place would lead into another file, so it is removed, and one
# that appears meanwhile is not followed.
create() {
    rm -f "$1"
    (set -C; "$3" >"$1")
    chmod "$2" "$1"
}

# replace FILE DESTINATION: without -T, a destination that is a link to a directory would get the file inside that directory.
replace() { mv -fT "$1" "$2"; }

# install_file SOURCE DIRECTORY [NAME]: readable by all.
install_file() {
    mkdir -p "$destdir$2"
    pending=$destdir$2/.${3:-${1##*/}}.new
    create "$pending" 644 cat <"$1"
    replace "$pending" "$destdir$2/${3:-${1##*/}}"
    pending=
}

# A release contains them; from the sources they are generated.
install_manuals() {
    made=
    from=$here/packaging/man
    if [ ! -d "$from" ]; then
        made=$(mktemp -d)
        from=$made
        if ! python3 "$here/packaging/manuals.py" --bin-dir "$bindir" --output "$made" >/dev/null 2>&1; then
            rm -rf "$made"
            say "note: no manuals, which need python3 and the whole source; postern help and $documents have the same"
            return 0
        fi
    fi
    for section in 1 5 7 8; do
        for page in "$from/man$section"/*; do install_file "$page" "$manuals/man$section"; done
    done
    if [ -n "$made" ]; then rm -rf "$made"; fi
    made=
    # Under the names by which other programs know the helpers: git help credential-postern opens such a page.
    for link in $links; do
        if [ -e "$destdir$manuals/man1/postern-helper.1" ]; then replace_link postern-helper.1 "$destdir$manuals/man1" "$link.1"; fi
    done
}

# replace_link TARGET DIRECTORY NAME
replace_link() {
    rm -f "$2/.$3.new"
    ln -s "$1" "$2/.$3.new"
    replace "$2/.$3.new" "$2/$3"
}

# The documents, in whichever folders the source has them, and the files that they tell to copy; links between them work. They are replaced
# as a whole, so that nothing of an earlier version is left.
install_documents() {
    [ -d "$here/docs" ] || return 0
    mkdir -p "$destdir${documents%/*}"
    made=$destdir${documents%/*}/.postern.new
    rm -rf "$made"
    mkdir "$made" "$made/packaging"
    for file in README.md CHANGELOG.md SECURITY.md LICENSE NOTICE docs packaging/relay packaging/apparmor; do
        if [ -e "$here/$file" ]; then cp -R "$here/$file" "$made/${file%"${file##*/}"}"; fi
    done
    # What building an example left in the source.
    find "$made" -name .build -prune -exec rm -rf {} +
    find "$made" -type f -exec chmod a-x {} +
    if [ "$mode" = prefix ]; then chmod -R u=rwX,go=rX "$made"; fi
    rm -rf "$destdir$documents"
    replace "$made" "$destdir$documents"
    made=
    say "documents in $destdir$documents"
}

# Generated by the program itself, which knows its commands.
install_completions() {
    made=$(mktemp -d)
    for program in $programs; do
        for shell in bash zsh fish; do
            "$bindir/$program" --generate-completion-script "$shell" >"$made/$program.$shell" 2>/dev/null || continue
            case $shell in
            # It is sourced, not run.
            bash) sed '1{/^#!/d;}' "$made/$program.bash" >"$made/bash" && install_file "$made/bash" "$bash" "$program" ;;
            zsh) install_file "$made/$program.zsh" "$zsh" "_$program" ;;
            fish) install_file "$made/$program.fish" "$fish" "$program.fish" ;;
            esac
        done
    done
    rm -rf "$made"
    made=
    if [ "$mode" = user ]; then say "zsh completes if ~/.zshrc has, before compinit: fpath=($zsh \$fpath)"; fi
}

# With these, desktops show a name and a picture, and software centres list it.
install_desktop() {
    made=$(mktemp -d)
    sed "s|^Exec=/usr/bin/|Exec=$target/|" "$here/packaging/desktop/$application.desktop" >"$made/$application.desktop"
    install_file "$made/$application.desktop" "$share/applications"
    install_file "$here/packaging/desktop/$application.svg" "$share/icons/hicolor/scalable/apps"
    install_file "$here/packaging/desktop/$application.metainfo.xml" "$share/metainfo"
    rm -rf "$made"
    made=
}

# With the path of its program.
write_unit() {
    while IFS= read -r line; do
        case $line in
        ConditionUser=*) if [ "$mode" = prefix ]; then printf '%s\n' "$line"; fi ;;
        ExecStart=/usr/bin/posternd*) printf 'ExecStart=%s%s\n' "$(unit_command "$target/posternd")" "${line#*/posternd}" ;;
        ExecStart=/usr/bin/postern-mcp*) printf 'ExecStart=%s%s\n' "$(unit_command "$target/postern-mcp")" "${line#*/postern-mcp}" ;;
        *) printf '%s\n' "$line" ;;
        esac
    done
}

# A program in the syntax of ExecStart=: quoted, and % doubled, if it has other than plain characters. systemd starts no program whose
# own name has a quote or a backslash; as an argument of sh it may have them, with $ doubled, too.
unit_command() {
    case $1 in
    *[\\\"\']*) printf "/bin/sh -c 'exec \"\$\$0\"' \"%s\"" "$(printf '%s' "$1" | LC_ALL=C sed 's/[\\"]/\\&/g; s/[%$]/&&/g')" ;;
    *[!A-Za-z0-9_./+-]*) printf '"%s"' "$(printf '%s' "$1" | LC_ALL=C sed 's/%/%%/g')" ;;
    *) printf '%s' "$1" ;;
    esac
}

enable_all() {
    systemctl --user daemon-reload
    # shellcheck disable=SC2086
    systemctl --user enable $sockets
    # An older daemon is stopped for the new one; its sockets are kept. A socket that it runs without could not be started meanwhile.
    if [ "$running" = yes ]; then systemctl --user stop postern.service; fi
    systemctl --user start postern.socket || fail "postern.socket could not be started: journalctl --user -u postern.socket says why"
    if systemctl --user start postern-callback.socket 2>/dev/null; then
        say "enabled: $sockets; the daemon starts when it is needed. Try: postern status"
    else
        say "enabled: postern.socket; the daemon starts when it is needed. Try: postern status"
        explain_callback
    fi
    [ "$running" = yes ] || return 0
    systemctl --user start postern.service || say "the daemon did not start again: journalctl --user -u postern.service says why"
    if [ "$was:$(locked)" = no:yes ]; then
        say "the daemon was replaced, which LOCKED THE STORE: its key is a passphrase. Open it with: postern unlock"
    fi
}

# Whether the running daemon's store is locked: yes, no, or nothing if it does not say.
locked() {
    case $("$target/postern" status --json 2>/dev/null | tr -d ' \n') in
    *'"locked":true'*) echo yes ;;
    *'"locked":false'*) echo no ;;
    esac
}

# Why the callback socket did not start, and what to do.
explain_callback() {
    say "NOT enabled: postern-callback.socket, on which browsers come back."
    taken=
    for address in $(systemctl --user show -P Listen postern-callback.socket | sed -n 's/ (Stream)$//p'); do
        for user in $(listeners "${address##*:}"); do
            taken=$address
            if [ "$user" = "$(id -nu)" ]; then
                say "  $address is taken by another program of yours"
            else
                say "  $address is taken by a program of the user $user"
            fi
        done
    done
    if [ -z "$taken" ]; then
        say "  journalctl --user -u postern-callback.socket says why"
        return
    fi
    say "  Once it is free: systemctl --user stop postern.service; systemctl --user start postern-callback.socket"
    say "  Or use another port: systemctl --user edit postern-callback.socket, and write"
    say "      [Socket]"
    say "      ListenStream="
    say "      ListenStream=127.0.0.1:7679"
    say "  then the two commands above. Providers must know the new address: postern provider show PROVIDER"
}

# Whose programs listen on a port, by name.
listeners() {
    cat /proc/net/tcp /proc/net/tcp6 2>/dev/null \
        | awk -v port=":$(printf '%04X' "$1")" '$4 == "0A" && substr($2, length($2) - 4) == port { print $8 }' \
        | sort -u | while read -r user; do id -nu "$user" 2>/dev/null || printf '%s\n' "$user"; done
}

# Uninstalling

uninstall_all() {
    if manager; then
        # shellcheck disable=SC2086
        systemctl --user disable --now $sockets postern-keep-fresh.timer postern-mcp.socket postern-mcp.service postern.service >/dev/null 2>&1 || true
    elif [ "$mode" = prefix ] && [ -z "$destdir" ] && systemd_runs; then
        say "daemons that run go on until their users log out, or run: systemctl --user disable --now $sockets postern.service"
    fi
    # Done while the program that can do it still exists.
    if [ "$purge" = yes ] && [ "$mode" = user ] && [ -z "$destdir" ]; then forget_key; fi
    # Files left by an installation that was killed.
    each_staged discard
    for program in $programs; do rm -f "$destdir$target/$program"; done
    for link in $links; do
        if [ "$(readlink "$destdir$target/$link" 2>/dev/null)" = postern ]; then rm -f "$destdir$target/$link"; fi
    done
    for unit in $units; do rm -f "$destdir$unitdir/$unit"; done
    # When the timer last ran, as systemd records it for a persistent timer.
    if [ "$mode" = user ] && [ -z "$destdir" ]; then
        stamps=${XDG_DATA_HOME:-$HOME/.local/share}/systemd/timers
        rm -f "$stamps/stamp-postern-keep-fresh.timer"
    fi
    for program in $programs; do
        rm -f "$destdir$bash/$program" "$destdir$zsh/_$program" "$destdir$fish/$program.fish"
        rm -f "$destdir$bash/.$program.new" "$destdir$zsh/._$program.new" "$destdir$fish/.$program.fish.new"
        rm -f "$destdir$manuals/man1/$program.1" "$destdir$manuals/man1/.$program.1.new"
    done
    rm -f "$destdir$manuals"/man1/postern-*.1 "$destdir$manuals"/man1/.postern-*.1.new
    for page in man5/postern.toml.5 man7/io.postern.7 man8/posternd.8 man8/postern-mcp.8; do
        rm -f "$destdir$manuals/$page" "$destdir$manuals/${page%/*}/.${page##*/}.new"
    done
    rm -f "$destdir$manuals"/man7/postern-*.7 "$destdir$manuals"/man7/.postern-*.7.new
    for link in $links; do
        if [ "$(readlink "$destdir$manuals/man1/$link.1" 2>/dev/null)" = postern-helper.1 ]; then rm -f "$destdir$manuals/man1/$link.1"; fi
        rm -f "$destdir$manuals/man1/.$link.1.new"
    done
    rm -rf "$destdir$documents" "$destdir${documents%/*}/.postern.new"
    if [ "$mode" = prefix ]; then
        for file in applications/$application.desktop icons/hicolor/scalable/apps/$application.svg metainfo/$application.metainfo.xml; do
            rm -f "$destdir$share/$file" "$destdir$share/${file%/*}/.${file##*/}.new"
        done
    fi
    # Handlers of URL schemes (postern url-scheme) would start a missing program.
    if [ "$mode" = user ]; then rm -f "$destdir$applications"/postern-url-*.desktop; fi
    if manager; then
        systemctl --user daemon-reload
        # shellcheck disable=SC2086
        systemctl --user reset-failed $units >/dev/null 2>&1 || true
    fi
    say "removed: $programs and the units"
    if [ "$purge" = yes ] && [ "$mode" = user ]; then purge_all; fi
    remove_empty
    if [ "$mode" = prefix ]; then
        # Not even root's: an installation with a prefix is everybody's, and each user's data is their own.
        if [ "$purge" = yes ]; then say "no user data was removed; each user removes theirs with: packaging/install.sh --uninstall --purge"; fi
    elif [ "$purge" = yes ]; then
        say "purged: $state and $config"
    elif [ -e "$destdir$state" ] || [ -e "$destdir$config" ]; then
        say "kept, with your sign-ins: $state and $config (--uninstall --purge removes them)"
    fi
}

# What the user and the daemon made: also the changes of units, and the socket of a daemon that was killed.
purge_all() {
    rm -rf "$destdir$state" "$destdir$config"
    for unit in $units; do rm -rf "$destdir$unitdir/$unit.d"; done
    if [ -z "$destdir" ] && [ -n "$runtime" ]; then rm -rf "$runtime/postern"; fi
}

# Removes the directories in which something of ours was, and those above them, as far as nothing is in them.
remove_empty() {
    set -- "$target" "$unitdir/sockets.target.wants" "$unitdir/timers.target.wants" "$unitdir/default.target.wants" "$unitdir" \
        "$bash" "$zsh" "$fish" "$manuals/man1" "$manuals/man5" "$manuals/man7" "$manuals/man8" "${documents%/*}" "$share/applications" \
        "$share/icons/hicolor/scalable/apps" "$share/metainfo" "$share/systemd/timers"
    if [ "$mode" = user ]; then set -- "$@" "${config%/*}" "${state%/*}"; fi
    if [ "$mode" = user ] && [ -z "$destdir" ] && [ -n "$runtime" ]; then set -- "$@" "$runtime/varlink/registry"; fi
    for folder in "$@"; do
        while ! stays "$folder" && { rmdir "$destdir$folder" 2>/dev/null || [ ! -e "$destdir$folder" ]; }; do folder=${folder%/*}; done
    done
}

# Whether a directory is not ours even if it is empty: the system's, the home, and what a variable names.
stays() {
    case $1 in
    '' | "${HOME:-/}" | "$runtime" | "${XDG_CONFIG_HOME:-/}" | "${XDG_DATA_HOME:-/}" | "${XDG_STATE_HOME:-/}") ;;
    /opt | /usr | /usr/local | /usr/*bin | /usr/*lib | /usr/*share | /usr/*share/man | /usr/*share/man/man? | /usr/*share/doc) ;;
    *) return 1 ;;
    esac
}

# Removes the store's key from the keyring, if it is there.
forget_key() {
    if [ ! -e "$state/postern.db" ] && [ ! -e "$state/keyring-item" ]; then return; fi
    for program in "$target/posternd" "${bindir:-$here/.build/release}/posternd"; do
        if [ -x "$program" ]; then
            "$program" --forget-key --state-directory "$state" >&2 || true
            return
        fi
    done
    say "posternd is already gone; if your keyring has the store's key, it stays there as \"Postern: key of the credential store\""
}

"${action}_all"
