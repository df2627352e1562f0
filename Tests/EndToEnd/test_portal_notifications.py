"""Notifications by the desktop portal, as inside Flatpak: the real portal, its GTK backend, and dunst, which shows what that forwards.

Flatpak's own filter (xdg-dbus-proxy, with Flatpak's rule) stands between the daemon and the bus.
"""
import os
import shutil
import socket
import subprocess

import pytest
from notifications import PROGRAMS, Screen
from person import consent
from portal import AVAILABLE, PREFIX, Desktop, NobodysDaemon
from postern import BIN, ends_with, free_port, oidc, wait_for
from signing_in import sign_in
from token_server import TokenServer

pytestmark = pytest.mark.skipif(not AVAILABLE, reason="needs xdg-desktop-portal and dbus")

FRESH = {"providerID": "demo", "forceRefresh": True}


class Sandbox(Desktop, Screen):
    """`filtered`: the environment of a program that Flatpak's filter lets talk to nothing but portals."""

    prefix = PREFIX

    def prepare(self):
        missing = [program for program in (*PROGRAMS, "xdg-dbus-proxy") if shutil.which(program) is None]
        if missing:
            pytest.fail(f"{', '.join(missing)}: missing; scripts/test.sh installs what the tests need")
        for file in self.directory.glob("portals/*"):
            file.unlink()
        self.write("portals/gtk.portal", """
            [portal]
            DBusName=org.freedesktop.impl.portal.desktop.gtk
            Interfaces=org.freedesktop.impl.portal.Notification
            UseIn=test
            """)
        # What GTK does not start without, and what it need not start.
        self.environment |= {
            "GSETTINGS_SCHEMA_DIR": "/usr/share/glib-2.0/schemas", "GSETTINGS_BACKEND": "memory", "NO_AT_BRIDGE": "1", "GTK_A11Y": "none"}
        reading, writing = os.pipe()
        self.start("Xvfb", "-displayfd", writing, "-screen", "0", "640x480x24", "-nolisten", "tcp", pass_fds=(writing,))
        os.close(writing)
        with os.fdopen(reading) as display:
            self.environment["DISPLAY"] = f":{display.readline().strip()}"

    def __init__(self):
        super().__init__()
        self.start_screen(self.start)
        proxy = self.directory / "run/filtered"
        self.start("xdg-dbus-proxy", self.environment["DBUS_SESSION_BUS_ADDRESS"], proxy, "--filter", "--talk=org.freedesktop.portal.*")
        wait_for(proxy.exists, what="the filter")
        self.filtered = {**self.environment, "DBUS_SESSION_BUS_ADDRESS": f"unix:path={proxy}"}


@pytest.fixture
def sandbox():
    desktop = Sandbox()
    yield desktop
    desktop.close()


@pytest.fixture
def signed_in(sandbox, make_provider):
    """A daemon with a credential: (daemon, the server before its token endpoint). Pages that it opens are lines in `pages`."""
    issuer = make_provider()
    server = TokenServer(f"{issuer}/token")
    browser = sandbox.directory / "browser"
    browser.write_text(f'#!/bin/sh\nprintf "%s\\n" "$1" >>"{sandbox.directory}/pages"\n')
    browser.chmod(0o755)
    daemon = NobodysDaemon(
        sandbox.directory / "daemon", oidc(issuer, token_endpoint=server.url), port=free_port(), browser=f'["{browser}"]',
        environment=sandbox.filtered)
    daemon.start_as_nobody()
    sign_in(daemon)
    yield daemon, server
    daemon.stop()
    server.close()


def refuse(daemon, server):
    server.answer_next(400, '{"error": "invalid_grant", "error_description": "revoked"}')
    with ends_with("SignInRequired"):
        daemon.call("GetAccessToken", FRESH)


def test_in_a_sandbox_the_portal_shows_the_notification_and_reports_the_button(sandbox, signed_in):
    daemon, server = signed_in
    refuse(daemon, server)
    summary, body = wait_for(lambda: sandbox.shown, what="a notification")[0]
    assert summary == "Sign in to demo again"
    assert "The provider no longer renews its access. Or run: postern sign-in demo" in body
    assert "revoked" not in body and "http" not in body
    assert sandbox.displayed == 1 and sandbox.lines("pages") == []
    # A click takes it away as well.
    sandbox.press()
    sandbox.dismiss()
    url, = wait_for(lambda: sandbox.lines("pages"), what="the page")
    assert consent(url).status_code == 200
    wait_for(lambda: daemon.call("ListCredentials")["credentials"][0]["state"] == "good", what="the recovery")
    wait_for(lambda: sandbox.displayed == 0, what="an empty screen")
    assert len(sandbox.shown) == 1


def test_a_stopping_daemon_withdraws_its_notification(sandbox, signed_in):
    daemon, server = signed_in
    refuse(daemon, server)
    wait_for(lambda: sandbox.displayed == 1, what="a notification")
    assert daemon.stop() == 0
    assert sandbox.displayed == 0


def test_a_killed_daemons_notification_is_withdrawn_too(sandbox, signed_in):
    daemon, server = signed_in
    refuse(daemon, server)
    wait_for(lambda: sandbox.displayed == 1, what="a notification")
    daemon.process.kill()
    daemon.process.wait(20)
    wait_for(lambda: sandbox.displayed == 0, what="an empty screen")


class Helper:
    """The process that asks the portal for the daemon, on the bus itself: there the portal looks at it, and would refuse the daemon."""

    def __init__(self, environment):
        self.socket, theirs = socket.socketpair()
        with theirs:
            self.process = subprocess.Popen(
                [*PREFIX, BIN / "posternd", "--notify-with-portal"], env={"PATH": "/usr/bin:/bin", **environment}, stdin=theirs,
                stdout=theirs)
        self.socket.settimeout(30)
        self.read = b""

    def send(self, *texts):
        self.socket.sendall(b"".join(text.encode() + b"\0" for text in texts))

    def text(self):
        while b"\0" not in self.read:
            chunk = self.socket.recv(4096)
            assert chunk, "the helper has gone"
            self.read += chunk
        text, self.read = self.read.split(b"\0", 1)
        return text.decode()

    def close(self):
        self.socket.close()
        assert self.process.wait(30) == 0


def test_the_helper_shows_replaces_and_withdraws_notifications_through_the_portal(sandbox):
    helper = Helper(sandbox.environment)
    helper.send("show", "demo 1", "First", "<b>text</b> & more", "Sign in")
    assert helper.text() == "shown"
    wait_for(lambda: sandbox.shown, what="a notification")
    # In its own place.
    helper.send("show", "demo 1", "Second", "text", "Sign in")
    assert helper.text() == "shown"
    wait_for(lambda: len(sandbox.shown) == 2, what="another one")
    assert sandbox.displayed == 1
    helper.send("show", "demo 2", "Third", "text", "")
    assert helper.text() == "shown"
    wait_for(lambda: sandbox.displayed == 2, what="two")
    helper.send("withdraw", "demo 2")
    assert helper.text() == "withdrawn"
    wait_for(lambda: sandbox.displayed == 1, what="one")
    # A click takes it away as well.
    sandbox.press()
    sandbox.dismiss()
    assert (helper.text(), helper.text()) == ("pressed", "demo 1")
    wait_for(lambda: sandbox.displayed == 0, what="an empty screen")
    helper.send("withdraw-all")
    assert helper.text() == "withdrawn"
    helper.close()


def test_a_helper_without_a_portal_reports_it(tmp_path):
    helper = Helper({"DBUS_SESSION_BUS_ADDRESS": f"unix:path={tmp_path}/none"})
    assert helper.text() == "gone"
    assert "the session bus cannot be reached" in helper.text()
    helper.close()
