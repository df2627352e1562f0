"""A desktop's bus and keyring for one test."""
import os
import pathlib
import re
import shutil
import socket
import struct
import subprocess

import pytest

from postern import listens, wait_for

PROGRAMS = ("dbus-daemon", "dbus-send", "gnome-keyring-daemon", "secret-tool")
ALL = ("application", "postern")


class Desktop:
    """A session bus with gnome-keyring as its Secret Service; its login keyring is open, or there is no keyring yet."""

    def __init__(self, directory, has_keyring=True):
        missing = [program for program in PROGRAMS if shutil.which(program) is None]
        if missing:
            pytest.fail(f"{', '.join(missing)}: missing; scripts/test.sh installs what the tests need")
        self.directory = pathlib.Path(directory)
        (self.directory / "run").mkdir(parents=True, mode=0o700)
        self.environment = {
            "HOME": str(self.directory), "XDG_DATA_HOME": str(self.directory / "data"), "XDG_RUNTIME_DIR": str(self.directory / "run"),
            "DBUS_SESSION_BUS_ADDRESS": f"unix:path={self.directory}/bus"}
        self.bus = self._start("dbus-daemon", "--session", "--nofork", "--nopidfile", f"--address=unix:path={self.directory}/bus")
        wait_for(lambda: listens(self.directory / "bus"), what="the bus")
        self._start_keyring(has_keyring)

    def _start_keyring(self, has_keyring):
        words = ["gnome-keyring-daemon", "--foreground", "--components=secrets"] + (["--unlock"] if has_keyring else [])
        self.keyring = self._start(*words, stdin=subprocess.PIPE)
        self.keyring.stdin.write(b"password" if has_keyring else b"")
        self.keyring.stdin.close()
        # If it were called earlier, the bus would start its own keyring.
        wait_for(lambda: self._is_owned("org.freedesktop.secrets"), what="the keyring")
        if has_keyring:
            wait_for(self._is_open, what="the open login keyring")

    def _start(self, *words, **options):
        options.setdefault("stdin", subprocess.DEVNULL)
        return subprocess.Popen(
            words, env={**os.environ, **self.environment}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options)

    def run(self, *words, **options):
        return subprocess.run(
            words, env={**os.environ, **self.environment}, capture_output=True, text=True, check=options.pop("check", True), timeout=30,
            **options).stdout

    def _is_owned(self, name):
        words = ("--session", "--print-reply", "--dest=org.freedesktop.DBus", "/", "org.freedesktop.DBus.NameHasOwner", f"string:{name}")
        return "true" in self.run("dbus-send", *words)

    def _is_open(self):
        """It takes its bus name before it has checked the password."""
        words = ("--session", "--print-reply", "--dest=org.freedesktop.secrets", "/org/freedesktop/secrets/aliases/default",
                 "org.freedesktop.DBus.Properties.Get", "string:org.freedesktop.Secret.Collection", "string:Locked")
        return "boolean false" in self.run("dbus-send", *words, check=False)

    # The keyring as its owner uses it.

    def _secrets(self, path, method, *arguments):
        return self.run("dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.secrets", path, f"org.freedesktop.Secret.{method}", *arguments)

    def lock(self):
        """As a screen lock or a password program does it."""
        self._secrets("/org/freedesktop/secrets", "Service.Lock", "array:objpath:/org/freedesktop/secrets/collection/login")
        assert not self._is_open()

    def unlock(self, password="password"):
        """Does what pam_gnome_keyring does at a login, through the daemon's own socket."""
        word = password.encode()
        with socket.socket(socket.AF_UNIX) as control:
            control.settimeout(20)
            control.connect(str(self.directory / "run" / "keyring" / "control"))
            # A byte that carries the caller's credentials; then the total length, the operation (unlock), and its argument.
            control.sendall(b"\0" + struct.pack(">III", 12 + len(word), 1, len(word)) + word)
            assert control.recv(8, socket.MSG_WAITALL) == struct.pack(">II", 8, 0)
        wait_for(self._is_open, what="the open login keyring")

    def make_keyring(self):
        """The first login with a password: creates a login keyring, which is the default."""
        self.keyring.terminate()
        self.keyring.wait(20)
        wait_for(lambda: not self._is_owned("org.freedesktop.secrets"), what="the end of the keyring")
        self._start_keyring(has_keyring=True)

    def close(self):
        # The keyring does not end with its bus.
        for process in (self.keyring, self.bus):
            process.terminate()
            process.wait(20)

    # The keyring as another program sees it.

    def stores(self):
        """The stores that have items in the keyring; None for an item that names no store, which there must not be."""
        # The items are written to standard output, their attributes to standard error.
        done = subprocess.run(
            ["secret-tool", "search", "--all", *ALL], env={**os.environ, **self.environment}, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, timeout=30)
        names = [re.search(r"^attribute\.store-key = (.*)$", item, re.M) for item in re.split(r"^\[/", done.stdout, flags=re.M)[1:]]
        return sorted((name.group(1) if name else None for name in names), key=str)
