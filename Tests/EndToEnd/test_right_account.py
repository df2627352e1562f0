"""The right account in the right browser."""
import json
import sys

import pytest
from commands import Command, run
from person import browser, consent, parameters
from plain_provider import PlainProvider
from postern import ends_with, oidc, wait_for
from signing_in import PERSON, SignIn, browser_command

GRACE = {"id": 8, "name": "Grace Hopper", "email": "grace@example.com", "username": "grace"}


@pytest.fixture
def provider():
    provider = PlainProvider()
    yield provider
    provider.close()


@pytest.fixture
def daemon(make_daemon, provider):
    return make_daemon(provider.configuration()).start()


def go(pending, **headers):
    return browser(**headers).get(pending.url)


# ---- Another account than the one asked for -----------------------------------


@pytest.mark.parametrize("language, words", [("en", "a different account"), ("it", "diverso da quello richiesto"), ("ja", "異なるアカウント")])
def test_another_account_than_the_one_asked_for_is_refused_with_a_page_that_says_so(daemon, provider, language, words):
    provider.person = GRACE
    pending = SignIn(daemon, loginHint="ada@example.com")
    page = go(pending, **{"Accept-Language": language})
    assert page.status_code == 200 and words in page.text and "grace@example.com" in page.text and "ada@example.com" in page.text
    with ends_with("UserMismatch") as caught:
        pending.completed()
    assert "ada@example.com was requested, but grace@example.com signed in" in caught.value.parameters["message"]
    # Nothing is kept, and the provider is told that its grant is not wanted.
    assert daemon.call("ListCredentials")["credentials"] == [] and daemon.call("GetStatus")["users"] == 0 and "user" not in daemon.call("GetCurrentUser")
    wait_for(lambda: provider.revoked == ["token-1"], what="the revocation")


@pytest.mark.parametrize("intent", ["signIn", "credential"])
def test_the_refusal_holds_for_every_intent_and_after_a_restart_is_still_told(daemon, provider, intent):
    provider.person = GRACE
    pending = SignIn(daemon, loginHint="ada@example.com", intent=intent)
    pending.client.close()
    go(pending)
    failed = lambda: next((s for s in daemon.call("ListSessions")["sessions"] if s["state"] == "failed"), None)
    wait_for(failed, what="the end")
    daemon.stop()
    daemon.start()
    with ends_with("UserMismatch"):
        daemon.call("AttachSession", {"sessionID": pending.id})


@pytest.mark.parametrize("hint", ["ada@example.com", "ADA@example.com", "ada+laptop@example.com"])
def test_the_account_that_was_asked_for_comes_through(daemon, hint):
    pending = SignIn(daemon, loginHint=hint)
    assert parameters(pending.url)["login_hint"] == hint
    assert "Ada Lovelace" in go(pending).text
    assert pending.completed()["state"] == "completed"


@pytest.mark.parametrize("hint", ["ada", "7"])
def test_a_user_name_or_an_id_counts_where_the_account_is_known_here(daemon, provider, hint):
    """Before that nobody can say whom such a hint means."""
    provider.person = GRACE
    first = SignIn(daemon, loginHint=hint, app="a")
    go(first)
    assert first.completed()["state"] == "completed"
    provider.person = {"id": 7, "name": "Ada Lovelace", "email": "ada@example.com", "username": "ada"}
    known = SignIn(daemon, app="b")
    go(known)
    known.completed()
    provider.person = GRACE
    second = SignIn(daemon, loginHint=hint, app="c")
    go(second)
    with ends_with("UserMismatch"):
        second.completed()
    # The account that is kept here already is not taken back because of it.
    assert provider.revoked == [] and len(daemon.call("ListCredentials")["credentials"]) == 2


@pytest.mark.parametrize("person", [{"id": 8}, {"id": 8, "username": "grace"}, {"id": 8, "email": None, "name": "Grace Hopper"}])
def test_who_has_no_name_to_compare_is_not_refused(daemon, provider, person):
    provider.person = person
    pending = SignIn(daemon, loginHint="ada@example.com")
    go(pending)
    assert pending.completed()["state"] == "completed"


def test_the_command_says_who_was_asked_for(make_daemon, demo_provider):
    command = browser_command("grace")
    daemon = make_daemon(oidc(demo_provider), browser=command).start()
    done = run(daemon, "sign-in", "demo", "--login-hint", "ada@example.com", DISPLAY=":99")
    assert done.returncode == 1 and "ada@example.com was requested, but grace@example.org signed in" in done.stderr


# ---- The browser ----------------------------------------------------------------


def test_each_provider_and_each_account_has_its_browser(make_daemon, demo_provider):
    person = lambda who: [sys.executable, str(PERSON), who]
    config = oidc(demo_provider, browser=person("ada")) + oidc(demo_provider, "plain") + oidc(demo_provider, "quiet", browser="none")
    config = config.replace("[provider.plain]", f'[provider.demo.browser-of]\n"Grace@Example.org" = {json.dumps(person("grace"))}\n"nobody" = "none"\n[provider.plain]')
    # The same people at three providers, none of which is the authority for their addresses.
    config += "[accounts]\none-account-per-email = false\n"
    daemon = make_daemon(config, browser=json.dumps(person("grace"))).start()
    name = lambda **asked: daemon.call("SignIn", asked)["event"]["result"]["user"]["displayName"]
    assert name(providerID="demo") == "Ada Lovelace"
    assert name(providerID="plain") == "Grace Hopper"
    assert name(providerID="demo", loginHint="GRACE@example.org") == "Grace Hopper"
    # Who could not learn of the page is told at once.
    for asked in [{"providerID": "quiet"}, {"providerID": "demo", "loginHint": "nobody"}]:
        with ends_with("ExpectedMore"):
            daemon.call("SignIn", asked)


def test_a_reload_changes_the_browser(make_daemon, demo_provider):
    daemon = make_daemon(oidc(demo_provider, browser=[sys.executable, str(PERSON), "ada"])).start()
    daemon.write(oidc(demo_provider, browser=[sys.executable, str(PERSON), "grace"]))
    daemon.call("Reload")
    assert daemon.call("SignIn", {"providerID": "demo"})["event"]["result"]["user"]["displayName"] == "Grace Hopper"


# ---- The page again ---------------------------------------------------------------


def test_the_page_opens_again_under_a_state_of_its_own(demo, tmp_path):
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


def test_a_browser_that_is_not_there_leaves_the_address(demo):
    pending = SignIn(demo)
    command = Command(demo, "attach", pending.id, "--browser", "no-such-browser")
    command.read_until("no program no-such-browser")
    command.read_until(r"http://127\.0\.0\.1:\d+/authorize\S+", after=0)
    consent(pending.url)
    assert command.end()[0] == 0


def test_a_browser_that_ends_with_an_error_is_told_with_the_address(make_daemon, demo_provider):
    """As xdg-open does where there is no browser."""
    daemon = make_daemon(oidc(demo_provider), browser='["sh", "-c", "exit 3"]').start()
    client = daemon.client()
    client.send("SignIn", {"providerID": "demo"}, more=True)
    event = client.receive()["event"]
    while "pageProblem" not in event:
        event = client.receive()["event"]
    assert event["pageProblem"].endswith("sh ended with status 3"), event
    assert consent(event["authorizationURL"]).status_code == 200
    while event["state"] != "completed":
        event = client.receive()["event"]
    assert "was opened in the browser" not in daemon.log.read_text()


def test_attaching_without_end_makes_no_states_without_end(demo):
    pending = SignIn(demo)
    urls = []
    for _ in range(40):
        client = demo.client()
        client.send("AttachSession", {"sessionID": pending.id}, more=True)
        urls.append(client.receive()["event"]["authorizationURL"])
        client.close()
    assert len(set(urls)) == 15
    assert "Ada Lovelace" in consent(urls[0]).text and pending.completed()["state"] == "completed"
