"""Told when needed: the state of a credential, the notification with its button, and the command."""
import json
import subprocess

import pytest
from notifications import Desktop
from person import browser, consent
from plain_provider import PlainProvider
from postern import BIN, ends_with, free_port, oauth2, oidc, wait_for
from signing_in import SignIn, sign_in
from token_server import TokenServer

FRESH = {"providerID": "demo", "forceRefresh": True}


@pytest.fixture
def make_desktop(tmp_path):
    made = []

    def make(**options):
        made.append(Desktop(tmp_path / f"desktop{len(made)}", **options))
        return made[-1]

    yield make
    for desktop in made:
        desktop.close()


@pytest.fixture
def make_signed_in(make_daemon, make_provider, tmp_path):
    """A daemon with a credential: (daemon, the server before its token endpoint). Pages that it opens are lines in `pages`."""
    servers = []
    recorder = tmp_path / "browser"
    recorder.write_text(f'#!/bin/sh\nprintf "%s\\n" "$1" >>"{tmp_path}/pages"\n')
    recorder.chmod(0o755)

    def make(desktop=None, attention="", provider="", account="", fast=None, **changed):
        issuer = make_provider()
        server = TokenServer(f"{issuer}/token")
        servers.append(server)
        server.changed = changed
        daemon = make_daemon(
            f"{oidc(issuer, token_endpoint=server.url)}{provider}\n{account}\n[attention]\n{attention}\n", port=free_port(),
            browser=json.dumps([str(recorder)]),
            environment=desktop.environment if desktop else {"DBUS_SESSION_BUS_ADDRESS": f"unix:path={tmp_path}/no-bus"})
        daemon.start_fast(fast) if fast else daemon.start()
        sign_in(daemon)
        return daemon, server

    yield make
    for server in servers:
        server.close()


def pages(tmp_path):
    path = tmp_path / "pages"
    return path.read_text().splitlines() if path.exists() else []


def refuse(daemon, server, description="revoked <b>&"):
    server.answer_next(400, json.dumps({"error": "invalid_grant", "error_description": description}))
    with ends_with("SignInRequired"):
        daemon.call("GetAccessToken", FRESH)


def credential(daemon):
    return daemon.call("ListCredentials")["credentials"][0]


def following(daemon):
    monitor = daemon.client()
    monitor.send("Monitor", more=True)
    # It is heard from the moment on that a later call is answered.
    daemon.call("GetStatus")

    def changes(count):
        found = []
        while len(found) < count:
            event = monitor.receive()
            if event["kind"] == "credentialStateChanged":
                found.append(event)
        return found

    return changes


def postern(daemon, *arguments):
    return subprocess.run(
        [BIN / "postern", *arguments, "--socket", daemon.path], capture_output=True, text=True, timeout=30)


# ---- The state ----------------------------------------------------------------------


def test_a_refused_refresh_is_shown_until_the_next_sign_in(make_signed_in):
    daemon, server = make_signed_in()
    changes = following(daemon)
    assert credential(daemon)["state"] == "good"
    assert "needs you" not in postern(daemon, "status").stdout
    refuse(daemon, server)
    found = credential(daemon)
    assert found["state"] == "signInNeeded" and "invalid_grant" in found["reason"]
    assert "sign in" in postern(daemon, "credentials").stdout
    assert "run postern sign-in demo" in postern(daemon, "credentials").stderr
    assert "needs you" in postern(daemon, "status").stdout
    daemon.stop()
    daemon.start()
    assert credential(daemon)["state"] == "signInNeeded"
    event, = changes(1)
    assert event["providerID"] == "demo" and event["uid"] == "demo-1815" and "postern sign-in demo" in event["message"]
    changes = following(daemon)
    sign_in(daemon)
    assert credential(daemon)["state"] == "good" and "reason" not in credential(daemon)
    assert "good again" in changes(1)[0]["message"]


# ---- The notification ---------------------------------------------------------------


def test_the_button_starts_the_sign_in_and_withdraws_the_notification(make_desktop, make_signed_in, tmp_path):
    desktop = make_desktop()
    daemon, server = make_signed_in(desktop)
    assert desktop.shown == []
    refuse(daemon, server)
    summary, body = wait_for(lambda: desktop.shown, what="a notification")[0]
    assert summary == "Sign in to demo again"
    assert "The provider no longer renews its access. Or run: postern sign-in demo" in body
    # Neither the provider's words nor anything that only programs should have.
    assert "revoked" not in body and "http" not in body and "state" not in body
    assert desktop.displayed == 1 and pages(tmp_path) == []
    desktop.press()
    url, = wait_for(lambda: pages(tmp_path), what="the page")
    assert consent(url).status_code == 200
    wait_for(lambda: credential(daemon)["state"] == "good", what="the recovery")
    wait_for(lambda: desktop.displayed == 0, what="an empty screen")
    assert len(desktop.shown) == 1


def test_a_later_notification_replaces_the_earlier_one(make_desktop, make_signed_in):
    desktop = make_desktop()
    daemon, _ = make_signed_in(desktop, attention='warn-before = "4s"', fast=5, expires_in=1, refresh_expires_in=6)
    wait_for(lambda: len(desktop.shown) == 2, what="two notifications")
    assert [summary for summary, _ in desktop.shown] == ["Sign in to demo again soon", "Sign in to demo again"]
    assert desktop.displayed == 1


def test_a_stopping_daemon_withdraws_its_notification(make_desktop, make_signed_in):
    desktop = make_desktop()
    daemon, server = make_signed_in(desktop)
    refuse(daemon, server)
    wait_for(lambda: desktop.displayed == 1, what="a notification")
    assert daemon.stop() == 0
    assert desktop.displayed == 0
    # The next life does not show it again before its time.
    daemon.start()
    assert credential(daemon)["state"] == "signInNeeded"
    refused = len(desktop.shown)
    assert refused == 1 and desktop.displayed == 0


def test_setting_notify_to_false_withdraws_the_notification(make_desktop, make_signed_in):
    desktop = make_desktop()
    daemon, server = make_signed_in(desktop)
    refuse(daemon, server)
    wait_for(lambda: desktop.displayed == 1, what="a notification")
    daemon.config.write_text(daemon.config.read_text().replace("[attention]\n", "[attention]\nnotify = false\n"))
    daemon.call("Reload")
    wait_for(lambda: desktop.displayed == 0, what="an empty screen")


def test_a_notification_uses_the_accounts_configured_name(make_desktop, make_signed_in):
    desktop = make_desktop()
    daemon, server = make_signed_in(desktop, account='[account.acme]\nprovider = "demo"\nlogin = { id = "demo-1815" }')
    refuse(daemon, server)
    _, body = wait_for(lambda: desktop.shown, what="a notification")[0]
    assert "Or run: postern sign-in acme" in body
    assert credential(daemon)["account"] == "acme"


def test_a_name_that_looks_like_markup_is_shown_as_text(make_desktop, make_daemon):
    """What the provider says of an account is shown as it is, on a desktop that takes markup."""
    desktop = make_desktop()
    provider = PlainProvider()
    provider.person = {"id": 7, "name": "<b>Ada</b> &amp;"}
    server = TokenServer(f"{provider.token_origin}/token")
    server.changed = {"expires_in": 1}
    try:
        daemon = make_daemon(
            oauth2("demo", authorization_endpoint=f"{provider.origin}/authorize", token_endpoint=server.url,
                   userinfo_endpoint=f"{provider.token_origin}/user") + 'profile = { uid = "id", display-name = "name" }\n',
            environment=desktop.environment, port=free_port()).start()
        pending = SignIn(daemon)
        assert browser().get(pending.url).status_code == 200
        pending.completed()
        _, body = wait_for(lambda: desktop.shown, what="a notification")[0]
        # dunst gives its programs the text as it came: escaped.
        assert body.startswith("&lt;b&gt;Ada&lt;/b&gt; &amp;amp;: Its access has ended. Run: postern sign-in demo"), body
        # The daemon opens no pages here, so there is no button.
        desktop.press()
        assert desktop.displayed == 1
    finally:
        server.close()
        provider.close()


def test_a_button_press_forged_by_another_program_is_ignored(make_desktop, make_signed_in, tmp_path):
    """Signals can be sent by everybody on the bus, and to one connection alone, which no rule keeps out."""
    desktop = make_desktop()
    daemon, server = make_signed_in(desktop)
    refuse(daemon, server)
    wait_for(lambda: desktop.displayed == 1, what="a notification")
    desktop.forge("ActionInvoked")
    assert desktop.displayed == 1
    desktop.press()
    url, = wait_for(lambda: pages(tmp_path), what="the page")
    assert consent(url).status_code == 200
    wait_for(lambda: desktop.displayed == 0, what="an empty screen")
    assert daemon.log.read_text().count("sign-in requested by pid 0, posternd") == 1


@pytest.mark.parametrize("token, expected", [
    ("gnome-shell/posternd/4711-0-host_TIME123", "gnome-shell/posternd/4711-0-host_TIME123"), ("two words", "none")])
def test_the_browser_gets_the_buttons_activation_token(make_desktop, make_signed_in, tmp_path, token, expected):
    desktop = make_desktop(serving=False)
    desktop.serve_activating(token)
    daemon, server = make_signed_in(desktop)
    recorder = tmp_path / "browser"
    recorder.write_text(f'#!/bin/sh\nprintf "%s\\n" "${{XDG_ACTIVATION_TOKEN-none}}" >"{tmp_path}/token.new"\nmv "{tmp_path}/token.new" "{tmp_path}/token"\n')
    refuse(daemon, server)
    wait_for(lambda: desktop.lines("notified"), what="a notification")
    (desktop.directory / "press").touch()
    wait_for((tmp_path / "token").exists, what="the page")
    assert (tmp_path / "token").read_text() == f"{expected}\n"


@pytest.mark.parametrize("bus", ["none", "empty"])
def test_without_a_desktop_everything_else_works_silently(make_desktop, make_signed_in, bus):
    desktop = make_desktop(serving=False) if bus == "empty" else None
    daemon, server = make_signed_in(desktop)
    refuse(daemon, server)
    assert credential(daemon)["state"] == "signInNeeded"
    assert "notification" not in daemon.log.read_text()
    assert daemon.stop() == 0


def test_the_daemon_survives_the_end_of_the_desktop_bus(make_desktop, make_signed_in):
    desktop = make_desktop()
    daemon, server = make_signed_in(desktop)
    refuse(daemon, server)
    wait_for(lambda: desktop.displayed == 1, what="a notification")
    desktop.bus.terminate()
    desktop.bus.wait(20)
    sign_in(daemon)
    assert credential(daemon)["state"] == "good"
    assert daemon.stop() == 0


# ---- Accounts that are kept fresh ---------------------------------------------------


def test_the_daemon_renews_an_unused_account_after_it_starts(make_signed_in):
    daemon, server = make_signed_in(account='[account.mine]\nprovider = "demo"\nlogin = { id = "demo-1815" }\nkeep-fresh = true')
    before = daemon.call("GetAccessToken", {"providerID": "mine"})
    daemon.stop()
    assert server.count("refresh_token") == 0
    # As after days without a start. An ID token of the provider's day would have expired.
    server.without = ("id_token",)
    daemon.start_fast(10, "+4d")
    wait_for(lambda: server.count("refresh_token") == 1, what="a renewal that nobody asked for")
    # What it brought is what programs get, and what is on disk.
    after = daemon.call("GetAccessToken", {"providerID": "mine"})
    assert after["accessToken"] != before["accessToken"]
    assert daemon.stop() == 0
    daemon.start(prefix=["env"])
    assert daemon.call("GetAccessToken", {"providerID": "mine"}) == after
    assert server.count("refresh_token") == 1


# ---- The command --------------------------------------------------------------------


def test_the_hook_command_gets_the_events_in_order_and_no_token(make_signed_in, tmp_path):
    script = tmp_path / "hook"
    script.write_text(f'#!/bin/sh\nenv | grep -E "^POSTERN_(EVENT|ACCOUNT|PROVIDER|REASON|ENDS_AT)=" | sort >>"{tmp_path}/facts"\nenv >>"{tmp_path}/all"\necho done >>"{tmp_path}/facts"\n')
    script.chmod(0o755)
    daemon, server = make_signed_in(attention=f"command = {json.dumps([str(script)])}")
    token = daemon.call("GetAccessToken", {"providerID": "demo"})["accessToken"]
    refuse(daemon, server)
    sign_in(daemon)
    facts = tmp_path / "facts"
    wait_for(lambda: facts.exists() and facts.read_text().count("done") == 2, what="two runs")
    first, second = facts.read_text().split("done\n")[:2]
    assert first.splitlines() == [
        "POSTERN_ACCOUNT=demo-1815", "POSTERN_EVENT=signInNeeded", "POSTERN_PROVIDER=demo",
        "POSTERN_REASON=the provider no longer renews it: invalid_grant: revoked <b>&"]
    assert second.splitlines() == ["POSTERN_ACCOUNT=demo-1815", "POSTERN_EVENT=good", "POSTERN_PROVIDER=demo"]
    assert token not in (tmp_path / "all").read_text()
