"""Facebook's own ways where its server checks what the tables of exchanges cannot; the rest is in `exchanges/facebook.com*.txt`."""
import pytest
from facebook import SECRET, Facebook, come_back
from keys import hashed
from person import parameters
from postern import ends_with
from signing_in import SignIn

TOKEN = {"providerID": "facebook.com"}
ACCESS_TOKEN = "/v25.0/oauth/access_token"
RAW = "nonce-0123456789ABCDEFabcdef._-x"


@pytest.fixture
def start(make_daemon):
    """Starts a server and a daemon that knows it."""
    servers = []

    def start(**options):
        servers.append(Facebook(**options))
        return servers[-1], make_daemon(servers[-1].configuration()).start()

    yield start
    for server in servers:
        server.close()


def begin(daemon):
    return SignIn(daemon, providerID="facebook.com")


def test_somebody_signs_in_with_a_proof_of_the_secret_in_every_request(start):
    facebook, daemon = start()
    pending = begin(daemon)
    assert parameters(pending.url)["scope"] == "email,public_profile"
    page = come_back(daemon, facebook.agree(pending.url))
    assert page.status_code == 200 and "Ex Ample" in page.text
    event = pending.completed()
    user, credential = event["result"]["user"], event["credential"]
    assert (user["displayName"], user["email"], user["emailVerified"]) == ("Ex Ample", "e@example.com", False)
    assert credential["accessToken"] == "EAABlong1" and sorted(credential["scopes"]) == ["email", "public_profile"]
    log = daemon.log.read_text()
    [code] = facebook.sent(ACCESS_TOKEN, "POST")
    assert not any(secret in log for secret in [SECRET, "EAAB", code.form["code"]])
    assert daemon.call("GetAccessToken", {**TOKEN, "forceRefresh": True})["accessToken"] == "EAABlong2"
    assert [request.query["fb_exchange_token"] for request in facebook.sent(ACCESS_TOKEN, "GET")] == ["EAABshort", "EAABlong1"]
    assert daemon.call("RevokeCredential", TOKEN) == {"revokedAtProvider": True, "apps": ["default"]} and facebook.tokens == set()
    # The fragment that Facebook adds does no harm in a paste.
    pending = begin(daemon)
    url, query = facebook.agree(pending.url)
    daemon.call("DeliverRedirect", {"url": f"{url}?{'&'.join(f'{name}={value}' for name, value in query.items())}#_=_"})
    assert pending.completed()["state"] == "completed"


def test_limited_login_signs_in_without_a_secret_and_a_phones_token_does_once(start):
    facebook, daemon = start(limited=True)
    pending = begin(daemon)
    asked = parameters(pending.url)
    assert asked["scope"] == "openid,email,public_profile" and asked["code_challenge_method"] == "S256"
    come_back(daemon, facebook.agree(pending.url))
    event = pending.completed()
    user, credential = event["result"]["user"], event["credential"]
    assert credential["idToken"].count(".") == 2 and hashed(credential["rawNonce"]) == asked["nonce"]
    [exchange] = facebook.sent(ACCESS_TOKEN)
    assert set(exchange.form) == {"grant_type", "code", "redirect_uri", "code_verifier", "client_id"}

    # What Limited Login gives an app on a phone.
    phones = facebook.keys.token(**{"iss": "https://limited.facebook.com", "nonce": hashed(RAW), **facebook.claims})
    shown = {"credential": {**TOKEN, "idToken": phones, "rawNonce": RAW}}
    strangers = facebook.keys.token(signed_by=facebook.keys.stranger, nonce=hashed(RAW))
    with ends_with("InvalidIDToken"):
        daemon.call("SignInWithCredential", {"credential": {**shown["credential"], "idToken": strangers}})
    result = daemon.call("SignInWithCredential", shown)["result"]
    assert result["user"]["uid"] == user["uid"] and result["additionalUserInfo"]["isNewUser"] is False
    assert result["credential"] == {"providerID": "facebook.com", "signInMethod": "facebook.com", "scopes": [], "idToken": phones, "rawNonce": RAW}
    daemon.kill()
    daemon.start()
    with ends_with("InvalidCredential"):
        daemon.call("SignInWithCredential", shown)
    # It brought no access token, and the one of the page stays until it is taken back.
    assert daemon.call("GetAccessToken", TOKEN)["accessToken"] == "EAABl"
    assert daemon.call("RevokeCredential", TOKEN) == {"revokedAtProvider": True, "apps": ["default"]}
    log = daemon.log.read_text()
    assert RAW not in log and not any(part in log for part in phones.split(".")[1:])
