"""Tokens for one service or of fewer scopes, and ID tokens, at a provider that takes each refresh token once."""
import base64
import json
import subprocess

import pytest
from person import browser
from postern import BIN, ends_with, free_port, oidc
from signing_in import sign_in
from token_server import TokenServer

TOKEN = {"providerID": "demo"}
FRESH = {**TOKEN, "forceRefresh": True}
MAIL, FILES = "https://mail.example/", "https://files.example/"


@pytest.fixture
def counted(make_daemon, make_provider):
    """A signed-in daemon that reaches its provider's token endpoint through a server that counts: (daemon, server, issuer)."""
    servers = []

    def make(**more):
        issuer = make_provider()
        server = TokenServer(f"{issuer}/token")
        servers.append(server)
        daemon = make_daemon(oidc(issuer, token_endpoint=server.url, **more), port=free_port()).start()
        sign_in(daemon)
        return daemon, server, issuer

    yield make
    for server in servers:
        server.close()


def token_of(daemon, *arguments):
    return subprocess.run(
        [str(BIN / "postern"), "token", "demo", *arguments, "--socket", str(daemon.path)], capture_output=True, text=True, timeout=30)


def claims(id_token):
    payload = id_token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))


def test_each_service_has_a_token_of_its_own_in_memory(counted):
    daemon, server, _ = counted()
    first = daemon.call("GetAccessToken", TOKEN)["accessToken"]
    tokens = [daemon.call("GetAccessToken", {**TOKEN, "resource": resource})["accessToken"] for resource in (MAIL, FILES, MAIL, FILES)]
    assert tokens[:2] == tokens[2:] and len({first, *tokens}) == 3
    assert daemon.call("GetAccessToken", TOKEN)["accessToken"] == first
    assert [form.get("resource") for form in server.forms] == [None, MAIL, FILES]
    done = token_of(daemon, "--resource", MAIL)
    assert (done.returncode, done.stdout.strip()) == (0, tokens[0]), done.stderr
    daemon.kill()
    daemon.start()
    assert daemon.call("GetAccessToken", {**TOKEN, "resource": MAIL})["accessToken"] not in tokens
    assert daemon.call("GetAccessToken", TOKEN)["accessToken"] == first


def test_a_rotating_refresh_token_is_used_by_one_request_at_a_time(counted):
    daemon, server, _ = counted()
    server.open.clear()
    asked = [{**TOKEN, "resource": f"https://{number % 5}.example/"} for number in range(40)] + [FRESH] * 10
    clients = [daemon.client() for _ in asked]
    for client, parameters in zip(clients, asked):
        client.send("GetAccessToken", parameters)
    for _ in range(2):
        assert server.arrived.acquire(timeout=20)
    daemon.call("GetStatus")
    assert server.count("refresh_token") == 1
    server.open.set()
    tokens = [client.receive()["accessToken"] for client in clients]  # reuse would have ended them all
    assert len(set(tokens)) == server.count("refresh_token") == 6
    used = [form["refresh_token"] for form in server.forms if "refresh_token" in form]
    assert len(set(used)) == len(used)
    daemon.kill()
    daemon.start()
    assert daemon.call("GetAccessToken", FRESH)["accessToken"]


def test_a_token_has_the_scopes_that_were_asked_for_where_the_provider_keeps_the_rest(counted):
    daemon, server, issuer = counted(narrow_scopes=True)
    narrow = daemon.call("GetAccessToken", {**TOKEN, "scopes": ["openid"]})
    assert narrow["scopes"] == ["openid"] and server.forms[-1]["scope"] == "openid"
    told = browser(Authorization=f"Bearer {narrow['accessToken']}").get(f"{issuer}/userinfo").json()
    assert "email" not in told and told["sub"] == "demo-1815"
    whole = daemon.call("GetAccessToken", FRESH)
    assert set(whole["scopes"]) == {"openid", "email", "profile", "offline_access"}
    assert "email" in browser(Authorization=f"Bearer {whole['accessToken']}").get(f"{issuer}/userinfo").json()


def test_elsewhere_it_is_the_token_that_is_kept(counted):
    daemon, server, _ = counted()
    assert len(daemon.call("GetAccessToken", {**TOKEN, "scopes": ["openid"]})["scopes"]) == 4
    assert server.count("refresh_token") == 0


def test_a_service_that_the_provider_does_not_know_costs_nothing(counted):
    daemon, server, _ = counted()
    server.answer_next(400, '{"error":"invalid_target","error_description":"no such service"}')
    with ends_with("ExchangeFailed") as caught:
        daemon.call("GetAccessToken", {**TOKEN, "resource": MAIL})
    assert caught.value.parameters["error"] == "invalid_target"
    assert daemon.call("GetAccessToken", FRESH)["accessToken"]


def test_an_id_token_is_handed_out_and_renewed_once_for_many(counted):
    daemon, server, issuer = counted()
    first = daemon.call("GetIDToken", TOKEN)
    assert claims(first["idToken"])["iss"] == issuer and first["uid"] == "demo-1815"
    done = token_of(daemon, "--id-token")
    assert (done.returncode, done.stdout.strip()) == (0, first["idToken"]), done.stderr
    assert server.count("refresh_token") == 0
    clients = [daemon.client() for _ in range(20)]
    for client in clients:
        client.send("GetIDToken", {**TOKEN, "minimumValiditySeconds": 601})
    tokens = {client.receive()["idToken"] for client in clients}
    assert len(tokens) == 1 and first["idToken"] not in tokens and server.count("refresh_token") == 1
    daemon.kill()
    daemon.start()
    assert daemon.call("GetIDToken", TOKEN)["idToken"] in tokens


def test_an_id_token_that_the_provider_does_not_renew_is_told_apart(counted):
    daemon, server, _ = counted()
    server.without = ("id_token",)
    with ends_with("SignInRequired") as caught:
        daemon.call("GetIDToken", {**TOKEN, "minimumValiditySeconds": 601})
    assert "sends no new one when tokens are refreshed" in caught.value.parameters["reason"]
    done = token_of(daemon, "--id-token", "--min-validity", "601s")
    assert done.returncode == 3 and server.count("refresh_token") == 1
    assert daemon.call("GetIDToken", TOKEN)["idToken"]  # the old one is still good
    assert token_of(daemon, "--id-token", "--scope", "email").returncode == 64
