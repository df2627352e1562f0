"""Providers that give no refresh token: what is requested, what a sign-in says, and what the account's state is until its end."""
import datetime
import json
import re
import urllib.parse

import pytest
from commands import URL, Command, run
from newcomer import fresh, github  # noqa: F401
from person import browser, consent
from signing_in import SignIn
from token_server import TokenServer

MOCK_PAGE = r"http://localhost:\d+/oauth2/authorize[^\s\x1b]+"
END = r"(today |tomorrow )?\d\d:\d\d"


def usual(issuer, name="work", **more):
    """An OpenID provider whose scopes nobody chose."""
    lines = [f"[provider.{name}]", 'kind = "oidc"', f'issuer = "{issuer}"', 'client-id = "postern-demo"', 'display-name = "Example Corp"']
    return "\n".join(lines + [f"{key.replace('_', '-')} = {json.dumps(value)}" for key, value in more.items()]) + "\n"


def asked(url):
    query = urllib.parse.parse_qs(urllib.parse.urlsplit(url).query)
    return query["scope"][0].split(), query.get("prompt")


def words(text):
    """As a person reads it: without line ends where the terminal was too narrow."""
    return " ".join(text.split())


@pytest.fixture
def mock():
    """PyPI's oidc-provider-mock, which lists no offline_access, and gives no refresh token."""
    foreign = pytest.importorskip("oidc_provider_mock")
    people = [foreign.User(sub="grace", claims={"name": "Grace Hopper", "email": "grace@example.org", "email_verified": True})]
    with foreign.run_server_in_thread(
            user_claims=people, issue_refresh_token=False, access_token_max_age=datetime.timedelta(hours=1)) as server:
        yield f"http://localhost:{server.server_port}"


def sign_in_at_mock(command):
    assert browser().post(command.read_until(MOCK_PAGE), data={"sub": "grace"}).status_code == 200
    return command.end()


@pytest.fixture
def work(make_daemon, mock):
    """A daemon that knows that provider."""
    return make_daemon(usual(mock, client_secret="s3cret")).start()


def signed_in(daemon):
    command = Command(daemon, "sign-in", "work", "--no-browser", terminal=True)
    status, out = sign_in_at_mock(command)
    assert (status, out) == (0, "signed in as Grace Hopper at Example Corp (account grace@example.org)\n"), command.text
    return words(command.text)


WAY_OUT = "its metadata do not list offline_access: ask its administrators whether this client can get refresh tokens"


def test_sign_in_says_when_an_account_without_a_refresh_token_ends_and_what_helps(work):
    text = signed_in(work)
    assert re.search(rf"Example Corp gave no refresh token: sign in again after {END}; {re.escape(WAY_OUT)}", text), text
    # In a pipe the time is exact.
    command = Command(work, "sign-in", "work", "--no-browser")
    assert sign_in_at_mock(command)[0] == 0
    assert re.search(r"sign in again after 20\d\d-\d\d-\d\dT[\d:.]+Z; ", command.text), command.text


def test_setup_gives_the_same_advice_after_one_key(fresh, mock):  # noqa: F811
    made = fresh.run(
        "setup", "work", "--issuer", mock, "--client-id", "x", "--client-secret-file", "-", "--yes", "--no-sign-in", stdin="s3cret\n")
    assert made.returncode == 0, made.stderr
    command = fresh.command("setup", "work", DISPLAY="")
    command.read_until(r"Change its client\?")
    command.type("\n")
    assert sign_in_at_mock(command)[0] == 0, command.text
    assert re.search(rf"gave no refresh token: sign in again after {END}; {re.escape(WAY_OUT)}", words(command.text)), command.text


def test_every_command_shows_when_the_account_ends(work):
    signed_in(work)
    credential, = work.call("ListCredentials")["credentials"]
    end = credential["endsAt"]
    assert (credential["state"], credential["refreshable"], credential["expiresAt"]) == ("endsSoon", False, end)
    assert credential["renewalAdvice"] == WAY_OUT
    account, = json.loads(run(work, "accounts", "--json").stdout)["accounts"]
    assert (account["state"], account["endsAt"], account["renewalAdvice"]) == ("endsSoon", end, WAY_OUT)
    then = f"until {end}, then sign in again"
    listed = run(work, "credentials")
    assert then in listed.stdout and " good " not in listed.stdout, listed.stdout
    assert f"work (grace@example.org) works {then}: run postern sign-in work" in listed.stderr
    view = run(work, "accounts").stdout
    assert re.search(rf"work +grace@example.org +Example Corp +ends +{re.escape(end)}, then sign in again ", view) and WAY_OUT in view, view
    assert then in run(work, "status").stdout
    doctor = run(work, "doctor").stdout + run(work, "doctor").stderr
    assert f"grace@example.org at work: {then}; no refresh token: {WAY_OUT}" in words(doctor), doctor


def test_an_apps_sign_in_gets_no_renewal_advice(work):
    pending = SignIn(work, providerID="work")
    assert asked(pending.url) == (["openid", "email", "profile"], None)
    assert browser().post(pending.url, data={"sub": "grace"}).status_code == 200
    assert pending.completed()["credential"]["scopes"]
    credential, = work.call("ListCredentials")["credentials"]
    assert "renewalAdvice" not in credential


def test_a_provider_that_lists_offline_access_is_asked_for_it_and_the_account_renews_itself(make_daemon, make_provider):
    daemon = make_daemon(usual(make_provider())).start()
    command = Command(daemon, "sign-in", "work", "--no-browser", terminal=True)
    url = command.read_until(URL.pattern)
    assert asked(url) == (["openid", "email", "profile", "offline_access"], ["consent"])
    assert consent(url).status_code == 200
    assert command.end()[0] == 0 and "refresh token" not in command.text, command.text
    credential, = daemon.call("ListCredentials")["credentials"]
    assert (credential["state"], credential["refreshable"]) == ("good", True) and "offline_access" in credential["scopes"]
    assert run(daemon, "token", "work", "--refresh").returncode == 0
    # The second time there is a refresh token, and nobody need agree again.
    pending = SignIn(daemon, providerID="work", intent="keep")
    assert asked(pending.url) == (["openid", "email", "profile", "offline_access"], None)


def test_offline_access_without_a_refresh_token_hints_at_a_provider_setting(make_daemon, make_provider):
    issuer = make_provider()
    server = TokenServer(f"{issuer}/token")
    server.without = ("refresh_token",)
    try:
        daemon = make_daemon(usual(issuer, token_endpoint=server.url)).start()
        command = Command(daemon, "sign-in", "work", "--no-browser", terminal=True)
        assert consent(command.read_until(URL.pattern)).status_code == 200
        assert command.end()[0] == 0
        assert re.search(rf"sign in again after {END}; allow refresh tokens for the client at Example Corp", words(command.text)), command.text
    finally:
        server.close()


def test_a_token_that_does_not_expire_needs_no_refresh_token(make_daemon, make_provider):
    issuer = make_provider()
    server = TokenServer(f"{issuer}/token")
    server.without = ("refresh_token", "expires_in")
    try:
        daemon = make_daemon(usual(issuer, token_endpoint=server.url)).start()
        command = Command(daemon, "sign-in", "work", "--no-browser", terminal=True)
        assert consent(command.read_until(URL.pattern)).status_code == 200
        assert command.end()[0] == 0 and "refresh token" not in command.text, command.text
        view = run(daemon, "accounts").stdout
        assert re.search(r" good +no expiry ", view) and "Needs you" not in view, view
    finally:
        server.close()
