"""systemd's varlinkctl: that of this machine, or of the Debian 13 tree in which the packages are tested."""
import os
import pathlib
import shutil
import subprocess

TREE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or "/var/tmp") / "postern-tests" / "trixie"
# The tree is not changed: mounts on it end with the namespace.
IN_TREE = 'mount -t proc proc "$1/proc"; mount --bind "$2" "$1/mnt"; tree=$1; shift 2; exec chroot "$tree" varlinkctl "$@"'


def reason_to_skip():
    if shutil.which("varlinkctl"):
        return None
    if os.geteuid() != 0 or not (TREE / "usr" / "bin" / "varlinkctl").exists():
        return "needs varlinkctl: systemd 255, or root and the tree of a Debian 13"
    return None


def varlinkctl(daemon, *words, **options):
    """The command line, with `socket` replaced by the daemon's socket."""
    here = shutil.which("varlinkctl")
    path = str(daemon.path) if here else f"/mnt/{daemon.path.name}"
    words = [path if word == "$socket" else word for word in words]
    if not here:
        words = ["unshare", "--mount", "--propagation", "private", "sh", "-ec", IN_TREE, "varlinkctl", str(TREE), str(daemon.path.parent), *words]
    else:
        words = [here, *words]
    return subprocess.Popen(words, stdin=options.pop("stdin", subprocess.DEVNULL), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)
