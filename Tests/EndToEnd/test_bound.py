"""Pushed requests and bound tokens against a server that insists on every letter of RFC 9126 and RFC 9449."""
import json
import subprocess

import pytest
from person import browser, parameters
from postern import BIN, ends_with, free_port, wait_for
from signing_in import SignIn
from strict_provider import StrictProvider, configuration, signed_in

TOKEN = {"providerID": "demo"}
FRESH = {**TOKEN, "forceRefresh": True}


@pytest.fixture
def make_provider_of():
    made = []

    def make(**options):
        made.append(StrictProvider(**options))
        return made[-1]

    yield make
    for provider in made:
        provider.close()


@pytest.fixture
def make_pair(make_daemon, make_provider_of):
    def make(settings=None, **options):
        provider = make_provider_of(**options)
        return make_daemon(configuration(provider, **{"serves": [provider.issuer], **(settings or {})}), port=free_port()).start(), provider
    return make


def authorization(daemon, provider):
    """The header of a request to the provider's own service."""
    return daemon.call("AuthorizeRequest", {"method": "GET", "url": f"{provider.issuer}/me", "providerID": "demo"})["headers"]["Authorization"]


def begin(daemon):
    """Where a sign-in is to be refused before there is a page."""
    return daemon.client().call("SignIn", {"providerID": "demo", "presentation": "client"}, more=True)


def test_every_request_proves_the_key_and_repeats_the_nonce(make_pair):
    daemon, provider = make_pair()
    provider.token_seconds = 30  # too short for any request, so that it is renewed
    event = signed_in(daemon, provider)
    assert event["credential"]["tokenType"] == "DPoP" and event["result"]["user"]["displayName"] == "Ada"
    # The server wanted its nonce before it looked at the code; the profile's proof had it at once.
    assert [path for path, _, proof in provider.requests if proof] == ["/token", "/token", "/me"]
    assert authorization(daemon, provider).startswith("DPoP ")
    assert [path for path, _, proof in provider.requests if proof] == ["/token", "/token", "/me", "/token"]
    # The next sign-in has another key, and nothing shows either.
    signed_in(daemon, provider)
    assert len({form["dpop_jkt"] for path, form, _ in provider.requests if path == "/par"}) == 2
    assert "PRIVATE KEY" not in json.dumps(event)
    for file in (daemon.directory / "state").rglob("*"):
        if file.is_file() and file.name != "key":
            assert b"PRIVATE KEY" not in file.read_bytes(), file
    assert "PRIVATE KEY" not in daemon.log.read_text()


def test_the_key_survives_a_restart(make_pair):
    daemon, provider = make_pair()
    provider.token_seconds = 30
    pending = SignIn(daemon)
    daemon.kill()
    daemon.start()
    back = daemon.client()
    back.send("AttachSession", {"sessionID": pending.id}, more=True)
    url = back.receive()["event"]["authorizationURL"]
    browser().get(provider.authorize(url), timeout=30)
    while back.receive_raw().get("continues"):
        pass
    daemon.kill()
    daemon.start()
    first = authorization(daemon, provider)
    daemon.kill()
    daemon.start()
    assert authorization(daemon, provider) != first
    keys = set(filter(None, provider.bound.values()))
    assert len(keys) == 1


def ask_for_code(daemon):
    client = daemon.client()
    client.send("SignIn", {"providerID": "demo", "flow": "device", "presentation": "client"}, more=True)
    return client, client.receive()["event"]


def completed(client):
    while (event := client.receive()["event"])["state"] != "completed":
        pass
    return event


def polls(provider):
    return [proof for path, form, proof in provider.requests if path == "/token" and "device_code" in form]


def test_tokens_of_the_device_flow_are_bound_too(make_pair):
    daemon, provider = make_pair({"resource": "https://api.example/"})
    provider.token_seconds = 30
    client, event = ask_for_code(daemon)
    assert event["userCode"] == "WDJB-MJHT"
    wait_for(lambda: polls(provider), what="a question")
    daemon.kill()
    daemon.start()
    provider.typed = True
    client = daemon.client()
    client.send("AttachSession", {"sessionID": event["sessionID"]}, more=True)
    assert completed(client)["credential"]["tokenType"] == "DPoP"
    # Each question proves the key, the same one after a restart.
    assert all(polls(provider)) and len(set(provider.bound.values())) == 1
    asked = [form for path, form, _ in provider.requests if path in ("/device", "/token")]
    assert {form["resource"] for form in asked} == {"https://api.example/"}
    assert authorization(daemon, provider).startswith("DPoP ")


def test_a_client_lost_by_the_server_during_the_device_flow_is_registered_again(make_daemon, make_provider_of):
    provider = make_provider_of()
    text = configuration(provider, register=True).replace('client-id = "c"\n', "")
    daemon = make_daemon(text, port=free_port()).start()
    client, _ = ask_for_code(daemon)
    assert len(provider.clients) == 2  # the one that it knew, and ours
    provider.clients.clear()
    with ends_with("ExchangeFailed"):
        completed(client)
    provider.typed = True
    assert completed(ask_for_code(daemon)[0])["result"]["user"]["displayName"] == "Ada"
    assert len(provider.clients) == 1


PLAIN = {"dpop": False}


def test_if_an_optional_push_fails_the_request_is_sent_in_the_url(make_pair):
    daemon, provider = make_pair(PLAIN)
    provider.push_answers = [(503, {})]
    assert "code_challenge" in parameters(SignIn(daemon, app="other").url)
    provider.push_lifetime = 0
    pending = SignIn(daemon)
    second = SignIn(daemon)  # joins the same sign-in, and gets another page
    assert second.id == pending.id and second.url != pending.url
    assert parameters(second.url)["request_uri"] in provider.pushed
    provider.push_lifetime = 90
    third = SignIn(daemon)
    assert SignIn(daemon).url == third.url  # this one is still good


@pytest.mark.parametrize("settings", [{}, {"pushed_authorization_requests": True}])
def test_if_a_required_push_fails_the_sign_in_fails(make_pair, settings):
    daemon, provider = make_pair({**PLAIN, **settings}, demands_push=not settings)
    provider.push_answers = [(503, {})]
    with ends_with("ProviderUnreachable"):
        begin(daemon)
    assert set(parameters(SignIn(daemon).url)) == {"client_id", "request_uri"}  # when it can again


def test_a_bound_token_is_not_returned_without_its_proof(make_pair):
    daemon, provider = make_pair()
    token = signed_in(daemon, provider)["credential"]["accessToken"]
    done = subprocess.run([str(BIN / "postern"), "token", "demo", "--socket", str(daemon.path)], capture_output=True, text=True, timeout=30)
    assert (done.returncode, done.stdout) == (1, "") and "DPoP" in done.stderr and "AuthorizeRequest" in done.stderr
    before = len(provider.requests)
    for asked in (TOKEN, FRESH, {**TOKEN, "resource": "https://mail.example/"}):
        with ends_with("UnsupportedFlow"):
            daemon.call("GetAccessToken", asked)
    assert len(provider.requests) == before and authorization(daemon, provider) == f"DPoP {token}"
