"""The right account in the right browser."""
import json
import sys

import pytest
from commands import Command
from person import browser, consent, parameters
from plain_provider import PlainProvider
from postern import ends_with, wait_for
from signing_in import SignIn

GRACE = {"id": 8, "name": "Grace Hopper", "email": "grace@example.com", "username": "grace"}


@pytest.fixture
def provider():
    provider = PlainProvider()
    yield provider
    provider.close()


@pytest.fixture
def daemon(make_daemon, provider):
    return make_daemon(provider.configuration()).start()


def test_an_account_other_than_requested_is_refused_with_a_page_that_says_so(daemon, provider):
    provider.person = GRACE
    pending = SignIn(daemon, loginHint="ada@example.com")
    page = browser().get(pending.url)
    assert page.status_code == 200 and "a different account" in page.text and "grace@example.com" in page.text and "ada@example.com" in page.text
    with ends_with("UserMismatch") as caught:
        pending.completed()
    assert "ada@example.com was requested, but grace@example.com signed in" in caught.value.parameters["message"]
    # Nothing is kept, and the provider is told that its grant is not wanted.
    assert daemon.call("ListCredentials")["credentials"] == [] and daemon.call("GetStatus")["users"] == 0 and "user" not in daemon.call("GetCurrentUser")
    wait_for(lambda: provider.revoked == ["token-1"], what="the revocation")


def test_a_reopened_page_has_its_own_state(demo, tmp_path):
    pending = SignIn(demo)
    seen = tmp_path / "seen"
    recorder = tmp_path / "browser"
    recorder.write_text(f"#!{sys.executable}\nimport json, os, sys\nopen({str(seen)!r} + '.new', 'w').write(json.dumps(sys.argv[1:]))\nos.rename({str(seen)!r} + '.new', {str(seen)!r})\n")
    recorder.chmod(0o755)
    command = Command(demo, "attach", pending.id, "--browser", str(recorder), "-P", "work profile; $(id)")
    wait_for(seen.exists, what="the browser")
    *arguments, url = json.loads(seen.read_text())
    assert arguments == ["-P", "work profile; $(id)"]
    old, new = parameters(pending.url), parameters(url)
    assert {name for name in old if old[name] != new[name]} == {"state"}
    assert "Grace Hopper" in consent(url, "grace").text
    assert command.end()[0] == 0
    assert pending.completed()["result"]["user"]["displayName"] == "Grace Hopper"
    # The old page is used up with the new one.
    assert consent(pending.url).status_code == 400


def test_with_a_missing_browser_the_address_is_shown(demo):
    pending = SignIn(demo)
    command = Command(demo, "attach", pending.id, "--browser", "no-such-browser")
    command.read_until("no program no-such-browser")
    command.read_until(r"http://127\.0\.0\.1:\d+/authorize\S+", after=0)
    consent(pending.url)
    assert command.end()[0] == 0
