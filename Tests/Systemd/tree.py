"""A Debian with systemd in a directory: made once by debootstrap, kept in the cache, never booted itself."""
import fcntl
import os
import pathlib
import shutil
import subprocess

PACKAGES = (
    "systemd,systemd-sysv,dbus,dbus-user-session,libpam-systemd,libnss-systemd,procps,python3,"
    "libsqlite3-0,libsystemd0,ca-certificates"
)
# Debian 12 and 13, with the name that OpenSSL's library has in each.
SUITES = {"bookworm": "libssl3", "trixie": "libssl3t64"}
MIRROR = os.environ.get("POSTERN_DEBIAN_MIRROR", "http://deb.debian.org/debian")
USER, UID = "tess", 1000


def cache_directory():
    parent = os.environ.get("XDG_CACHE_HOME")
    directory = pathlib.Path(parent if parent else "/var/tmp") / "postern-tests"
    directory.mkdir(mode=0o755, parents=True, exist_ok=True)
    return directory


def debian_tree(suite="bookworm"):
    """The tree's path. The first time this takes two minutes."""
    cache = cache_directory()
    tree = cache / suite
    with open(cache / f"{suite}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not tree.exists():
            making = cache / f"{suite}.new"
            shutil.rmtree(making, ignore_errors=True)
            subprocess.run(
                ["debootstrap", "--variant=minbase", f"--include={PACKAGES},{SUITES[suite]}", suite, making, MIRROR],
                check=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            subprocess.run(["chroot", making, "useradd", "-m", "-u", str(UID), "-s", "/bin/bash", USER], check=True)
            linger = making / "var/lib/systemd/linger"
            linger.mkdir(parents=True, exist_ok=True)
            (linger / USER).touch()
            for package in (making / "var/cache/apt/archives").glob("*.deb"):
                package.unlink()
            # Last: a tree under this name is complete.
            making.rename(tree)
    return tree
