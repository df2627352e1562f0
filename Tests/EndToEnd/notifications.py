"""A desktop that shows notifications: dunst, on the test's own bus and display."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

from postern import listens, wait_for

PROGRAMS = ("dbus-daemon", "Xvfb", "dunst", "dunstctl", "gdbus")

RECORDER = """#!/bin/sh
# One line for each notification that is shown, in one write.
printf '%s\\037%s\\036\\n' "$DUNST_SUMMARY" "$DUNST_BODY" >>"$HOME/shown"
"""


class Screen:
    """What dunst shows, and what the user does with it: for a desktop with a `directory`, and an `environment` for its programs."""

    # Precedes each program, if they run as another user.
    prefix = ()

    def start_screen(self, start, markup="full"):
        """`start` starts a program of the desktop."""
        recorder = self.directory / "recorder"
        recorder.write_text(RECORDER)
        recorder.chmod(0o755)
        configuration = self.directory / "dunstrc"
        configuration.write_text(
            f'[global]\nmarkup = {markup}\n[urgency_normal]\ntimeout = 0\n[all]\nsummary = "*"\nscript = {recorder}\n')
        start("dunst", "-conf", str(configuration))
        # An earlier call would start another one, without the recorder.
        subprocess.run(
            [*self.prefix, "gdbus", "wait", "--session", "--timeout", "20", "org.freedesktop.Notifications"],
            env={**os.environ, **self.environment}, check=True, timeout=30)
        wait_for(lambda: self._control("count").returncode == 0, what="dunst")

    def _control(self, *words):
        return subprocess.run(
            [*self.prefix, "dunstctl", *words], env={**os.environ, **self.environment}, capture_output=True, text=True, timeout=30)

    @property
    def shown(self):
        """All notifications so far, including replaced ones: (summary, body) each."""
        path = self.directory / "shown"
        records = path.read_text().split("\036\n")[:-1] if path.exists() else []
        return [tuple(record.split("\037")) for record in records]

    @property
    def displayed(self):
        """The number on the screen now."""
        return int(self._control("count", "displayed").stdout)

    def press(self):
        """Presses the button of the notification on top."""
        assert self._control("action", "0").returncode == 0

    def dismiss(self):
        assert self._control("close").returncode == 0

    @property
    def history(self):
        """Notifications that are not on the screen any more."""
        return json.loads(self._control("history").stdout)["data"][0]


class Desktop(Screen):
    """`serving`: whether anything on the bus shows notifications."""

    def __init__(self, directory, serving=True, markup="full"):
        missing = [program for program in PROGRAMS if shutil.which(program) is None]
        if missing:
            pytest.fail(f"{', '.join(missing)}: missing; scripts/test.sh installs what the tests need")
        self.directory = pathlib.Path(directory)
        (self.directory / "run").mkdir(parents=True, mode=0o700)
        self.environment = {
            "HOME": str(self.directory), "XDG_RUNTIME_DIR": str(self.directory / "run"),
            "DBUS_SESSION_BUS_ADDRESS": f"unix:path={self.directory}/bus"}
        # A bus that starts no services: a service is there or it is not.
        configuration = self.directory / "bus.conf"
        configuration.write_text(f"""<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:path={self.directory}/bus</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>
""")
        self.processes = []
        self.bus = self._start("dbus-daemon", f"--config-file={configuration}", "--nofork", "--nopidfile")
        wait_for(lambda: listens(self.directory / "bus"), what="the bus")
        if serving:
            self._serve(markup)

    def _serve(self, markup):
        reading, writing = os.pipe()
        self._start("Xvfb", "-displayfd", str(writing), "-screen", "0", "640x480x24", "-nolisten", "tcp", pass_fds=(writing,))
        os.close(writing)
        with os.fdopen(reading) as display:
            self.environment["DISPLAY"] = f":{display.readline().strip()}"
        self.start_screen(self._start, markup)

    def _start(self, *words, **options):
        process = subprocess.Popen(
            words, env={**os.environ, **self.environment}, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            **options)
        self.processes.append(process)
        return process

    def serve_activating(self, token):
        """Notifications of a desktop that sends a token with each press: the one on top is pressed once the file `press` exists."""
        self._start(sys.executable, pathlib.Path(__file__).with_name("activating_desktop.py"), self.directory, token)
        wait_for((self.directory / "serving").exists, what="a desktop")

    def lines(self, name):
        path = self.directory / name
        return path.read_text().splitlines() if path.exists() else []

    def forge(self, signal):
        """Another program sends that signal about each of the first notifications, to every connection."""
        environment = {**os.environ, **self.environment}
        names = subprocess.run(
            ["gdbus", "call", "--session", "--dest", "org.freedesktop.DBus", "--object-path", "/", "--method", "org.freedesktop.DBus.ListNames"],
            env=environment, capture_output=True, text=True, check=True, timeout=30).stdout
        for name in re.findall(r":1\.\d+", names):
            for number in range(1, 4):
                subprocess.run(
                    ["gdbus", "emit", "--session", "--dest", name, "--object-path", "/org/freedesktop/Notifications", "--signal",
                     f"org.freedesktop.Notifications.{signal}", f"uint32 {number}", "'sign-in'"],
                    env=environment, check=False, capture_output=True, timeout=30)

    def close(self):
        for process in reversed(self.processes):
            process.terminate()
            process.wait(20)
