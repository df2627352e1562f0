"""Pages that the desktop portal opens (`browser = "portal"`), for a person without privileges."""
import shutil

import pytest
from person import consent
from portal import AVAILABLE, Desktop, NobodysDaemon
from postern import BIN, ends_with, oidc, wait_for
from signing_in import sign_in as sign_in_by_hand
from token_server import TokenServer

pytestmark = pytest.mark.skipif(not AVAILABLE, reason="needs xdg-desktop-portal and dbus")


@pytest.fixture
def make_desktop():
    made = []

    def make(**options):
        made.append(Desktop(**options))
        return made[-1]

    yield make
    for desktop in made:
        desktop.close()


@pytest.fixture
def make_portal_daemon(make_provider):
    """A daemon of somebody without privileges, on a desktop."""
    daemons = []

    def make(desktop, before=None):
        """`before`: a server before the provider's token endpoint."""
        issuer = make_provider()
        more = {}
        if before:
            before.target = f"{issuer}/token"
            more["token_endpoint"] = before.url
        daemon = NobodysDaemon(desktop.directory / "daemon", oidc(issuer, **more), browser='"portal"', environment=desktop.environment)
        daemons.append(daemon)
        return daemon.start_as_nobody()

    yield make
    for daemon in daemons:
        daemon.stop()


def sign_in(daemon):
    client = daemon.client()
    client.send("SignIn", {"providerID": "demo"}, more=True)
    return client, client.receive()["event"]["authorizationURL"]


def test_the_portal_opens_the_page_in_the_default_browser(make_desktop, make_portal_daemon):
    desktop = make_desktop()
    daemon = make_portal_daemon(desktop)
    client, url = sign_in(daemon)
    wait_for(lambda: desktop.lines("opened"), what="an opened page")
    assert (desktop.lines("opened"), desktop.lines("tokens")) == ([url], [""])
    consent(url)
    while (event := client.receive()["event"])["state"] != "completed":
        pass
    assert event["result"]["user"]["email"] == "ada@example.com"
    assert "could not be opened" not in daemon.log.read_text()


def test_the_page_opens_after_the_daemons_program_file_was_removed(make_desktop, make_portal_daemon, monkeypatch, tmp_path):
    """An upgrade puts another file in its place."""
    desktop = make_desktop()
    program = desktop.directory / "posternd"
    shutil.copy(BIN / "posternd", program)
    monkeypatch.setattr("postern.BIN", desktop.directory)
    daemon = make_portal_daemon(desktop)
    program.unlink()
    _, url = sign_in(daemon)
    wait_for(lambda: desktop.lines("opened"), what="an opened page")
    assert desktop.lines("opened") == [url]


def test_the_portal_waits_while_the_user_chooses_a_browser(make_desktop, make_portal_daemon):
    """The portal takes its question back from the screen as soon as who asked it is gone."""
    desktop = make_desktop(handler=False)
    desktop.serve_chooser("recorder")
    daemon = make_portal_daemon(desktop)
    monitor = daemon.client()
    monitor.send("Monitor", more=True)
    _, url = sign_in(daemon)
    wait_for(lambda: desktop.lines("asked"), what="a question")
    # The daemon has been told that the portal took it on.
    while monitor.receive()["kind"] != "pageOpened":
        pass
    assert desktop.lines("opened") == [] and desktop.lines("closed") == []
    (desktop.directory / "answer").touch()
    wait_for(lambda: desktop.lines("opened"), what="an opened page")
    assert desktop.lines("opened") == [url] and desktop.lines("closed") == []


def test_the_activation_token_of_a_notification_reaches_the_portal(make_desktop, make_portal_daemon):
    desktop = make_desktop()
    desktop.serve_notifications("activation-4711")
    server = TokenServer(None)
    try:
        daemon = make_portal_daemon(desktop, before=server)
        sign_in_by_hand(daemon)
        server.answer_next(400, '{"error": "invalid_grant"}')
        with ends_with("SignInRequired"):
            daemon.call("GetAccessToken", {"providerID": "demo", "forceRefresh": True})
        wait_for(lambda: desktop.lines("notified"), what="a notification")
        (desktop.directory / "press").touch()
        wait_for(lambda: desktop.lines("opened"), what="an opened page")
        assert desktop.lines("tokens") == ["activation-4711"]
    finally:
        server.close()


def test_a_portal_that_finds_no_browser_is_reported(make_desktop, make_portal_daemon):
    daemon = make_portal_daemon(make_desktop(handler=False))
    with ends_with("InternalError") as caught:
        daemon.call("SignIn", {"providerID": "demo"})
    assert "the desktop portal did not open the page: no browser could be started" in caught.value.parameters["message"]


def test_a_missing_bus_is_reported(make_desktop, make_portal_daemon):
    desktop = make_desktop()
    desktop.environment["DBUS_SESSION_BUS_ADDRESS"] = f"unix:path={desktop.directory}/none"
    daemon = make_portal_daemon(desktop)
    with ends_with("InternalError") as caught:
        daemon.call("SignIn", {"providerID": "demo"})
    assert "the desktop portal did not open the page: " in caught.value.parameters["message"]
    assert "No such file or directory" in caught.value.parameters["message"]
