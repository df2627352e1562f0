"""GitHub's own ways where one case has many forms; the rest is in its table of exchanges."""
import urllib.parse

import pytest
from github import GitHub
from person import browser, parameters
from postern import VarlinkError, ends_with
from signing_in import SignIn

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


@pytest.mark.parametrize("asked, granted", [(["user:email"], "user"), (["read:org"], "admin:org,user:email"), (["public_repo"], "repo")])
def test_wider_scopes_than_asked_for_are_enough(daemon, github, asked, granted):
    github.token_answers.append((200, "application/json; charset=utf-8", f'{{"access_token":"gho_b","scope":"{granted}","token_type":"bearer"}}'))
    sign_in(daemon, scopes=asked)
    assert daemon.call("GetAccessToken", {**TOKEN, "scopes": asked})["accessToken"] == "gho_b"


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


@pytest.mark.parametrize("user, why", [({"login": "octo"}, "id"), ({"login": "octo", "id": "583231"}, "id"), ({"login": "octo", "id": -1}, "id"), ([], "")])
def test_a_profile_that_makes_no_sense_is_an_error(daemon, github, user, why):
    github.user = user
    pending = begin(daemon)
    come_back(daemon, pending)
    with ends_with("ExchangeFailed") as caught:
        pending.completed()
    assert why in str(caught.value)


def test_another_account_than_the_one_named_is_refused_though_neither_is_known_here(daemon, github):
    pending = begin(daemon, loginHint="mona")
    assert parameters(pending.url)["login"] == "mona"
    come_back(daemon, pending)
    with ends_with("UserMismatch"):
        pending.completed()
    assert daemon.call("ListCredentials") == {"credentials": []}
    github.codes["good"] = "gho_bbbb"
    pending = begin(daemon, loginHint="Octo")
    come_back(daemon, pending)
    assert pending.completed()["state"] == "completed"


def test_two_people_at_github_are_two_accounts(daemon, github):
    first = sign_in(daemon)["result"]["user"]["uid"]
    github.codes["good"] = "gho_bbbb"
    github.user = github.user | {"id": 1, "login": "mona"}
    github.emails = [{"email": "mona@example.com", "primary": True, "verified": True}]
    assert sign_in(daemon)["result"]["user"]["uid"] != first
    with ends_with("AmbiguousAccount"):
        daemon.call("GetAccessToken", TOKEN)
    assert daemon.call("GetAccessToken", {**TOKEN, "uid": "1"})["accessToken"] == "gho_bbbb"
