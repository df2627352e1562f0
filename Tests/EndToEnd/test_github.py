"""GitHub's own ways, with its exact answers."""
import base64
import urllib.parse

import pytest
from github import GitHub
from person import browser, parameters
from postern import VarlinkError, ends_with
from test_sign_in import SignIn

TOKEN = {"providerID": "github.com"}


@pytest.fixture
def github():
    server = GitHub()
    yield server
    server.close()


@pytest.fixture
def daemon(make_daemon, github):
    return make_daemon(github.configuration()).start()


def begin(daemon, **parameters):
    return SignIn(daemon, providerID="github.com", **parameters)


def come_back(daemon, pending, **answer):
    """The browser with GitHub's answer; the page that it gets."""
    query = {"code": "good", **answer, "state": parameters(pending.url)["state"]}
    return browser().get(f"{daemon.origin}/__/auth/handler?{urllib.parse.urlencode(query)}")


def sign_in(daemon, **parameters):
    pending = begin(daemon, **parameters)
    come_back(daemon, pending)
    return pending.completed()


def sent(github, method, path):
    return [(headers, body) for m, p, headers, body in github.requests if m == method and p.startswith(path)]


def test_somebody_signs_in(daemon, github):
    pending = begin(daemon, loginHint="octo", customParameters={"allow_signup": "false"})
    asked = parameters(pending.url)
    assert pending.url.startswith(github.origin + "/login/oauth/authorize?")
    assert asked["client_id"] == "Iv1.0123456789abcdef" and asked["scope"] == "read:user user:email" and asked["code_challenge_method"] == "S256"
    assert asked["login"] == "octo" and asked["allow_signup"] == "false" and "nonce" not in asked
    page = come_back(daemon, pending)
    event = pending.completed()
    user, credential, info = event["result"]["user"], event["credential"], event["result"]["additionalUserInfo"]
    assert (user["displayName"], user["email"], user["providerData"][0]["uid"]) == ("octo", "o@example.com", "583231")
    assert user["photoURL"] == "https://avatars.githubusercontent.com/u/583231?v=4"
    assert info["username"] == "octo" and info["profile"]["id"] == 583231
    assert credential["accessToken"] == "gho_aaaa" and sorted(credential["scopes"]) == ["read:user", "user:email"]
    assert not {"expiresAt", "idToken", "rawNonce", "handle"} & set(credential)
    assert "octo" in page.text and "gho_" not in page.text

    [(headers, form)] = sent(github, "POST", "/login/oauth/access_token")
    assert "application/json" in headers["Accept"]
    assert set(form) == {"client_id", "client_secret", "code", "redirect_uri", "code_verifier"} | ({"grant_type"} & set(form))
    assert form["redirect_uri"] == asked["redirect_uri"] and "Authorization" not in headers
    for headers, _ in sent(github, "GET", "/user"):
        assert headers["User-Agent"] and headers["Authorization"] == "Bearer gho_aaaa"


def test_its_token_has_no_end_and_is_handed_out_for_ever(daemon, github):
    sign_in(daemon)
    reply = daemon.call("GetAccessToken", {**TOKEN, "minimumValiditySeconds": 31_000_000, "scopes": ["user:email"]})
    assert reply["accessToken"] == "gho_aaaa" and reply["uid"] == "583231" and "expiresAt" not in reply
    with ends_with("SignInRequired"):
        daemon.call("GetAccessToken", {**TOKEN, "forceRefresh": True})
    with ends_with("ScopeNotGranted"):
        daemon.call("GetAccessToken", {**TOKEN, "scopes": ["repo"]})
    assert len(sent(github, "POST", "/")) == 1


@pytest.mark.parametrize("asked, granted", [(["user:email"], "user"), (["read:org"], "admin:org,user:email"), (["public_repo"], "repo")])
def test_wider_scopes_than_asked_for_are_enough(daemon, github, asked, granted):
    github.token_answers.append((200, "application/json; charset=utf-8", f'{{"access_token":"gho_b","scope":"{granted}","token_type":"bearer"}}'))
    sign_in(daemon, scopes=asked)
    assert daemon.call("GetAccessToken", {**TOKEN, "scopes": asked})["accessToken"] == "gho_b"


@pytest.mark.parametrize("error", ["bad_verification_code", "incorrect_client_credentials", "redirect_uri_mismatch", "unverified_user_email"])
def test_an_error_with_status_200_is_an_error(daemon, github, error):
    github.token_answers.append((200, "application/json; charset=utf-8", f'{{"error":"{error}","error_description":"No, sorry.","error_uri":"https://docs.github.com/x"}}'))
    pending = begin(daemon)
    page = come_back(daemon, pending)
    with ends_with("ExchangeFailed") as caught:
        pending.completed()
    assert caught.value.parameters["error"] == error and caught.value.parameters["errorDescription"] == "No, sorry."
    assert "No, sorry." in page.text and daemon.call("ListCredentials") == {"credentials": []}


def test_a_code_that_github_does_not_know_is_told(daemon):
    pending = begin(daemon)
    come_back(daemon, pending, code="stale")
    with ends_with("ExchangeFailed") as caught:
        pending.completed()
    assert caught.value.parameters["error"] == "bad_verification_code"


def test_an_answer_in_a_form_is_understood(daemon, github):
    github.token_answers.append((200, "application/x-www-form-urlencoded; charset=utf-8", "access_token=gho_form&scope=read%3Auser%2Cuser%3Aemail&token_type=bearer"))
    credential = sign_in(daemon)["credential"]
    assert credential["accessToken"] == "gho_form" and sorted(credential["scopes"]) == ["read:user", "user:email"]


def test_an_error_in_a_form_is_an_error(daemon, github):
    github.token_answers.append((200, "application/x-www-form-urlencoded; charset=utf-8", "error=bad_verification_code&error_description=The+code+passed+is+incorrect+or+expired."))
    pending = begin(daemon)
    come_back(daemon, pending)
    with ends_with("ExchangeFailed") as caught:
        pending.completed()
    assert caught.value.parameters["error"] == "bad_verification_code"


@pytest.mark.parametrize("emails, expected", [
    ([{"email": "a@example.com", "primary": False, "verified": True}, {"email": "b@example.com", "primary": True, "verified": True}], "b@example.com"),
    ([{"email": "1+o@users.noreply.github.com", "primary": True, "verified": True}], None),
    ([{"email": "a@example.com", "primary": False, "verified": True}], None),
    ([], None),
])
def test_the_primary_address_is_theirs_and_a_noreply_address_is_nobodys(daemon, github, emails, expected):
    github.emails = emails
    user = sign_in(daemon)["result"]["user"]
    assert user.get("email") == expected


def test_an_address_that_github_has_not_verified_is_not_said_to_be_verified(daemon, github):
    github.emails = [{"email": "b@example.com", "primary": True, "verified": False, "visibility": None}]
    user = sign_in(daemon)["result"]["user"]
    assert user["emailVerified"] is False


def test_without_the_scope_for_addresses_nobody_asks_for_them(daemon, github):
    github.token_answers.append((200, "application/json", '{"access_token":"gho_c","scope":"read:user","token_type":"bearer"}'))
    github.user = github.user | {"name": "Octo Cat", "email": "public@example.com"}
    user = sign_in(daemon)["result"]["user"]
    assert (user["displayName"], user.get("email")) == ("Octo Cat", "public@example.com")
    assert sent(github, "GET", "/user/emails") == []


@pytest.mark.parametrize("iss, state", [("ORIGIN/login/oauth", "completed"), (None, "completed"), ("https://evil.example/login/oauth", "ExchangeFailed"), ("ORIGIN", "ExchangeFailed")])
def test_an_issuer_in_the_callback_must_be_githubs(daemon, github, iss, state):
    pending = begin(daemon)
    come_back(daemon, pending, **({"iss": iss.replace("ORIGIN", github.origin)} if iss else {}))
    try:
        outcome = pending.completed()["state"]
    except VarlinkError as error:
        outcome = error.short
    assert outcome == state
    assert len(sent(github, "POST", "/login/oauth/access_token")) == (1 if state == "completed" else 0)


def test_who_says_no_has_denied(daemon):
    pending = begin(daemon)
    query = {"error": "access_denied", "error_description": "The user has denied your application access.",
             "error_uri": "https://docs.github.com/x", "state": parameters(pending.url)["state"]}
    browser().get(f"{daemon.origin}/__/auth/handler?{urllib.parse.urlencode(query)}")
    with ends_with("SignInDenied") as caught:
        pending.completed()
    assert caught.value.parameters["errorDescription"] == "The user has denied your application access."


@pytest.mark.parametrize("user, why", [({"login": "octo"}, "id"), ({"login": "octo", "id": "583231"}, "id"), ({"login": "octo", "id": -1}, "id"), ([], "")])
def test_a_profile_that_makes_no_sense_is_an_error(daemon, github, user, why):
    github.user = user
    pending = begin(daemon)
    come_back(daemon, pending)
    with ends_with("ExchangeFailed") as caught:
        pending.completed()
    assert why in str(caught.value)


def test_a_token_is_taken_back_the_way_github_wants_it(daemon, github):
    sign_in(daemon)
    assert daemon.call("RevokeCredential", TOKEN) == {"revokedAtProvider": True}
    [(headers, body)] = sent(github, "DELETE", "/applications/Iv1.0123456789abcdef/token")
    assert body == {"access_token": "gho_aaaa"} and headers["User-Agent"]
    assert base64.b64decode(headers["Authorization"].removeprefix("Basic ")) == b"Iv1.0123456789abcdef:shh"
    assert daemon.call("ListCredentials") == {"credentials": []}


def test_two_people_at_github_are_two_accounts(daemon, github):
    first = sign_in(daemon)["result"]["user"]["uid"]
    github.codes["good"] = "gho_bbbb"
    github.user = github.user | {"id": 1, "login": "mona"}
    github.emails = [{"email": "mona@example.com", "primary": True, "verified": True}]
    assert sign_in(daemon)["result"]["user"]["uid"] != first
    with ends_with("AmbiguousAccount"):
        daemon.call("GetAccessToken", TOKEN)
    assert daemon.call("GetAccessToken", {**TOKEN, "uid": "1"})["accessToken"] == "gho_bbbb"
