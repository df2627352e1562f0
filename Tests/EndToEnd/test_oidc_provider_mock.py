"""A provider that nobody here wrote: PyPI's oidc-provider-mock. RS256 without `kid`, a secret wanted, no PKCE, no `iss`, no revocation."""
import datetime
import json

import pytest
from person import browser
from postern import ends_with, oidc
from signing_in import SignIn

CLAIMS = {"name": "Grace Hopper", "email": "grace@example.org", "email_verified": True, "picture": "https://example.org/g.png", "preferred_username": "grace"}


@pytest.fixture
def foreign():
    from oidc_provider_mock import User, run_server_in_thread

    people = [User(sub="grace", claims=CLAIMS), User(sub="plain", claims={})]
    with run_server_in_thread(user_claims=people, require_nonce=True, access_token_max_age=datetime.timedelta(hours=1)) as server:
        yield f"http://localhost:{server.server_port}"


@pytest.fixture
def daemon(make_daemon, foreign):
    return make_daemon(oidc(foreign, client="postern", client_secret="s3 cr/et", scopes=["openid", "email", "profile"])).start()


def sign_in(daemon, subject="grace", **parameters):
    pending = SignIn(daemon, **parameters)
    choice = {"action": "deny"} if subject is None else {"sub": subject}
    page = browser().post(pending.url, data=choice)
    return pending, page


def test_a_user_signs_in(daemon):
    pending, page = sign_in(daemon)
    event = pending.completed()
    user = event["result"]["user"]
    assert (user["displayName"], user["email"], user["photoURL"]) == ("Grace Hopper", "grace@example.org", "https://example.org/g.png")
    assert user["emailVerified"] is True  # as the provider says; whom to believe it is another question
    assert event["result"]["additionalUserInfo"]["username"] == "grace"
    assert "Grace Hopper" in page.text
    assert daemon.call("GetAccessToken", {"providerID": "demo"})["accessToken"] == event["credential"]["accessToken"]


def test_a_person_without_a_name_signs_in(daemon):
    pending, page = sign_in(daemon, "plain")
    user = pending.completed()["result"]["user"]
    assert user["providerData"][0]["uid"] == "plain" and "email" not in user
    assert "plain" in page.text


def test_a_token_is_refreshed(daemon):
    pending, _ = sign_in(daemon)
    first = pending.completed()["credential"]["accessToken"]
    second = daemon.call("GetAccessToken", {"providerID": "demo", "forceRefresh": True})["accessToken"]
    daemon.kill()
    daemon.start()  # in one life of the daemon, whoever insists at once gets the second
    third = daemon.call("GetAccessToken", {"providerID": "demo", "forceRefresh": True})["accessToken"]
    assert len({first, second, third}) == 3


def test_without_a_revocation_endpoint_the_credential_is_only_removed(daemon):
    sign_in(daemon)[0].completed()
    assert daemon.call("RevokeCredential", {"providerID": "demo"}) == {"revokedAtProvider": False, "hasNoWay": True, "apps": ["default"]}


def test_a_refusal_without_state_is_ignored_and_the_user_can_still_agree(daemon):
    """It sends `error` back without `state`: nothing can be matched, so the sign-in waits on."""
    pending, page = sign_in(daemon, None)
    assert page.status_code == 400 and pending.client.silent(0)
    browser().post(pending.url, data={"sub": "grace"})
    assert pending.completed()["state"] == "completed"


def test_without_a_secret_the_refused_code_is_reported(make_daemon, foreign):
    daemon = make_daemon(oidc(foreign, client="postern", scopes=["openid"])).start()
    pending, page = sign_in(daemon)
    with ends_with("ExchangeFailed") as caught:
        pending.completed()
    assert "invalid_client" in json.dumps(caught.value.parameters)
    assert page.status_code == 200
