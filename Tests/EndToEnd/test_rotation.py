"""A refresh token that rotates is the only key to an account: it is not lost to a provider or a disk that fails half way."""
import json
import time

import pytest
from postern import FullDisk, VarlinkError, ends_with, free_port, oidc, wait_for
from relay import Relay
from signing_in import sign_in
from token_server import TokenServer

TOKEN = {"providerID": "demo"}
FRESH = {**TOKEN, "forceRefresh": True}


@pytest.fixture
def between(make_daemon, make_provider):
    """A daemon that reaches its provider's tokens and keys through servers of ours: (daemon, token server, keys)."""
    issuer = make_provider()
    tokens, keys = TokenServer(f"{issuer}/token"), Relay(f"{issuer}/jwks")
    daemon = make_daemon(oidc(issuer, token_endpoint=tokens.url, jwks_uri=keys.url), port=free_port()).start()
    yield daemon, tokens, keys
    tokens.close()
    keys.close()


def test_keys_that_cannot_be_had_during_a_refresh_cost_no_refresh_token(between):
    daemon, tokens, keys = between
    first = sign_in(daemon)["credential"]["accessToken"]
    daemon.kill()
    daemon.start()  # what was known of the keys is gone
    keys.down = True
    with ends_with("ProviderUnreachable"):
        daemon.call("GetAccessToken", FRESH)
    assert tokens.count("refresh_token") == 1
    daemon.kill()  # what rotated is on disk already
    daemon.start()
    keys.down = False
    # The provider ends the whole sign-in where a refresh token comes a second time.
    assert daemon.call("GetAccessToken", FRESH)["accessToken"] != first
    assert len({form["refresh_token"] for form in tokens.forms if form["grant_type"] == "refresh_token"}) == 2


ODD = {
    "no type": {"token_type": None}, "an end that is a word": {"expires_in": "soon"}, "a scope that is a number": {"scope": 7},
    "no access token": {"access_token": None}, "another type": {"token_type": "mac"}, "an error beside it": {"error": "server_error"},
    "an ID token that is none": {"id_token": "a.b.c"},
}


@pytest.mark.parametrize("name", ODD)
def test_an_answer_that_is_odd_costs_no_refresh_token(between, name):
    daemon, tokens, _ = between
    first = sign_in(daemon)["credential"]["accessToken"]
    tokens.changed = ODD[name]
    if name == "no type":  # as it was
        assert daemon.call("GetAccessToken", FRESH)["tokenType"] == "Bearer"
    else:
        with pytest.raises(VarlinkError):
            daemon.call("GetAccessToken", FRESH)
    tokens.changed = {}
    daemon.kill()
    daemon.start()
    # The provider ends the whole sign-in where a refresh token comes a second time.
    assert daemon.call("GetAccessToken", FRESH)["accessToken"] != first
    assert len({form["refresh_token"] for form in tokens.forms if form["grant_type"] == "refresh_token"}) == 2


def test_a_disk_that_is_full_during_a_refresh_costs_no_refresh_token(between):
    daemon, tokens, _ = between
    first = sign_in(daemon)["credential"]["accessToken"]
    with FullDisk(daemon):
        for _ in range(3):
            with pytest.raises(VarlinkError) as caught:
                daemon.call("GetAccessToken", FRESH)
            assert caught.value.short == "StoreDamaged", caught.value
    assert tokens.count("refresh_token") == 1  # the second and third tried to write what the first got
    assert daemon.call("GetAccessToken", TOKEN)["accessToken"]
    daemon.kill()  # with that call it was written
    daemon.start()
    assert daemon.call("GetAccessToken", FRESH)["accessToken"] != first
    assert tokens.count("refresh_token") == 2


def test_what_could_not_be_written_is_written_at_an_orderly_end(between):
    daemon, tokens, _ = between
    sign_in(daemon)
    with FullDisk(daemon), pytest.raises(VarlinkError):
        daemon.call("GetAccessToken", FRESH)
    assert daemon.stop() == 0
    daemon.start()
    assert daemon.call("GetAccessToken", FRESH)["accessToken"]
    assert tokens.count("refresh_token") == 2


def test_a_refreshed_identity_of_somebody_else_ends_the_refresh_token(between, make_provider):
    daemon, tokens, _ = between
    sign_in(daemon)
    grace = sign_in(daemon, "grace", app="other")
    of_ada, of_grace = ({**FRESH, "uid": uid} for uid in ("demo-1815", grace["result"]["user"]["providerData"][0]["uid"]))
    # The provider answers the refresh with the tokens of another person, signed by itself.
    tokens.answer_next(200, json.dumps(
        {"access_token": "a", "token_type": "Bearer", "refresh_token": "r", "id_token": grace["credential"]["idToken"]}))
    with ends_with("InvalidIDToken"):
        daemon.call("GetAccessToken", of_ada)
    with ends_with("SignInRequired"):
        daemon.call("GetAccessToken", of_ada)
    assert daemon.call("GetAccessToken", of_grace)["accessToken"]


def test_a_grant_that_comes_after_its_credential_was_taken_back_is_taken_back_too(between):
    daemon, tokens, _ = between
    sign_in(daemon)
    tokens.open.clear()
    client = daemon.client()
    client.send("GetAccessToken", FRESH)
    wait_for(lambda: tokens.count("refresh_token") == 1, what="the refresh")
    assert daemon.call("RevokeCredential", TOKEN)
    tokens.open.set()
    with ends_with("SignInRequired"):
        client.receive()
    assert daemon.call("ListCredentials") == {"credentials": []}


def test_a_provider_whose_tokens_are_always_too_short_is_not_asked_for_each_call(between):
    daemon, tokens, _ = between
    sign_in(daemon)
    for _ in range(5):
        assert daemon.call("GetAccessToken", {**TOKEN, "minimumValiditySeconds": 1_000_000})["accessToken"]
    assert tokens.count("refresh_token") == 1


def test_what_could_not_be_written_outlives_a_provider_that_left_the_configuration(between):
    daemon, _, _ = between
    before = daemon.config.read_text()
    sign_in(daemon)
    with FullDisk(daemon), pytest.raises(VarlinkError):
        daemon.call("GetAccessToken", FRESH)
    daemon.write("")
    daemon.call("Reload")
    assert daemon.stop() == 0
    daemon.config.write_text(before)
    daemon.start()
    assert daemon.call("GetAccessToken", FRESH)["accessToken"]


def test_a_sign_in_without_a_refresh_token_does_not_bring_a_spent_one_back(between):
    daemon, tokens, _ = between
    sign_in(daemon)
    with FullDisk(daemon), pytest.raises(VarlinkError):
        daemon.call("GetAccessToken", FRESH)
    tokens.without = ("refresh_token",)
    # In another second: the refresh token and the last ID token have different times of authentication.
    begun = int(time.time())
    wait_for(lambda: int(time.time()) > begun, what="the clock's next second")
    sign_in(daemon, app="other")  # keeps the refresh token on disk, which is spent
    tokens.without = ()
    assert daemon.call("GetAccessToken", TOKEN)["accessToken"]
    assert daemon.call("GetAccessToken", FRESH)["accessToken"]
    sent = [form["refresh_token"] for form in tokens.forms if form["grant_type"] == "refresh_token"]
    assert len(set(sent)) == len(sent) == 2


def test_an_answer_to_an_older_credential_does_not_undo_a_sign_in(between):
    daemon, tokens, _ = between
    sign_in(daemon)
    tokens.open.clear()
    client = daemon.client()
    client.send("GetAccessToken", FRESH)
    wait_for(lambda: tokens.count("refresh_token") == 1, what="the refresh")
    tokens.open.set()
    sign_in(daemon, app="other")
    assert client.receive()["accessToken"]
    assert daemon.call("GetAccessToken", FRESH)["accessToken"]
    assert len(daemon.call("ListCredentials")["credentials"]) == 1


def test_what_could_not_be_written_gives_nobody_more_than_was_granted(between):
    daemon, _, _ = between
    sign_in(daemon)
    with FullDisk(daemon), pytest.raises(VarlinkError):
        daemon.call("GetAccessToken", FRESH)
    with ends_with("ScopeNotGranted"):
        daemon.call("GetAccessToken", {**TOKEN, "scopes": ["calendar"]})


def test_an_orderly_end_waits_for_a_refresh_and_begins_nothing_new(between):
    daemon, tokens, _ = between
    sign_in(daemon)
    tokens.open.clear()
    asking, other = daemon.client(), daemon.client()
    other.call("GetStatus")
    asking.send("GetAccessToken", FRESH)
    wait_for(lambda: tokens.count("refresh_token") == 1, what="the refresh")
    daemon.process.terminate()
    wait_for(lambda: "ending" in daemon.log.read_text(), what="the end")
    with ends_with("InternalError"):
        other.call("GetAccessToken", FRESH)
    tokens.open.set()
    assert asking.receive()["accessToken"]
    assert daemon.process.wait(20) == 0
    daemon.start()
    assert daemon.call("GetAccessToken", FRESH)["accessToken"]
