"""A desktop's portal without the desktop: a private bus, which starts the real xdg-desktop-portal, and a browser that records addresses."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import pytest

from postern import BIN, Daemon, listens, wait_for

AVAILABLE = pathlib.Path("/usr/libexec/xdg-desktop-portal").exists() and shutil.which("dbus-daemon") is not None
# Root can inspect every process; so if the tests run as root, all of this belongs to another user.
NOBODY = 65534
PREFIX = ("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups") if os.geteuid() == 0 else ()

RECORDER = """#!/bin/sh
echo "$XDG_ACTIVATION_TOKEN" >>"${0%/*}/tokens"
echo "$1" >>"${0%/*}/opened"
"""


class Desktop:
    """`handler`: whether there is a default browser."""

    def __init__(self, handler=True):
        # Not below the tests' own directory, which others cannot enter.
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="postern-portal"))
        self.environment = {
            "HOME": str(self.directory), "XDG_RUNTIME_DIR": self.make("run"), "XDG_CONFIG_HOME": self.make("config"),
            "XDG_DATA_HOME": self.make("data"), "XDG_CACHE_HOME": self.make("cache"), "XDG_DATA_DIRS": self.make("share"),
            "XDG_CURRENT_DESKTOP": "test", "XDG_DESKTOP_PORTAL_DIR": self.make("portals"),
            "DBUS_SESSION_BUS_ADDRESS": f"unix:path={self.directory}/run/bus"}
        # Would ask which browser to use. Without one there is no OpenURI; it does not exist, and with a default browser it is not needed.
        self.write("portals/test.portal", """
            [portal]
            DBusName=org.freedesktop.impl.portal.desktop.test
            Interfaces=org.freedesktop.impl.portal.AppChooser
            UseIn=test
            """)
        self.write("recorder", RECORDER, 0o755)
        self.write("data/applications/recorder.desktop", f"""
            [Desktop Entry]
            Type=Application
            Name=Recorder
            Exec={self.directory}/recorder %u
            """)
        if handler:
            self.write("config/mimeapps.list", """
                [Default Applications]
                x-scheme-handler/http=recorder.desktop
                """)
        for path in [self.directory, *self.directory.rglob("*")]:
            if PREFIX:
                os.chown(path, NOBODY, NOBODY)
        self.processes = []
        self.prepare()
        # It starts the portal on demand, and the portal ends with it.
        self.start("dbus-daemon", "--session", f"--address={self.environment['DBUS_SESSION_BUS_ADDRESS']}", "--nofork", "--nopidfile")
        wait_for(lambda: listens(self.directory / "run/bus"), what="a bus")

    def prepare(self):
        """Prepares what must exist before the bus, whose programs inherit its environment."""

    def make(self, name):
        (self.directory / name).mkdir(mode=0o700)
        return str(self.directory / name)

    def write(self, name, text, mode=0o644):
        path = self.directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(line.strip() for line in text.strip().splitlines()) + "\n")
        path.chmod(mode)

    def start(self, *command, **options):
        self.processes.append(subprocess.Popen(
            [*PREFIX, *map(str, command)], env={"PATH": "/usr/bin:/bin", **self.environment}, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=open(self.directory / "log", "ab"), **options))

    def serve_chooser(self, choice):
        """A desktop that asks which browser to use. The user's answer is the file `choice`; the questions are in `asked`."""
        self.start(sys.executable, pathlib.Path(__file__).with_name("app_chooser.py"), self.directory, choice)
        wait_for((self.directory / "serving").exists, what="a chooser")

    def serve_notifications(self, token):
        """A desktop that sends a token when a button is pressed, which happens once the file `press` exists."""
        self.start(sys.executable, pathlib.Path(__file__).with_name("activating_desktop.py"), self.directory, token)
        wait_for((self.directory / "serving").exists, what="a desktop")

    def lines(self, name):
        path = self.directory / name
        return path.read_text().splitlines() if path.exists() else []

    def close(self):
        for process in reversed(self.processes):
            process.terminate()
            process.wait(20)
        shutil.rmtree(self.directory, ignore_errors=True)


class NobodysDaemon(Daemon):
    """Serves its own user alone: a client is that user while it connects."""

    def client(self, timeout=30):
        user = os.geteuid()
        if PREFIX:
            os.seteuid(NOBODY)
        try:
            return super().client(timeout)
        finally:
            os.seteuid(user)

    def start_as_nobody(self):
        if PREFIX:
            for path in [self.directory, self.config]:
                os.chown(path, NOBODY, NOBODY)
            if subprocess.run([*PREFIX, BIN / "posternd", "--version"], capture_output=True).returncode != 0:
                pytest.skip(f"{BIN / 'posternd'} cannot be run by other users")
        return self.start(prefix=PREFIX)
