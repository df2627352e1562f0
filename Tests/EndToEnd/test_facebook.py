"""Facebook's own ways, with its exact answers."""
import pytest
from facebook import APP, SECRET, Facebook, come_back, error
from person import browser, parameters
from postern import VarlinkError, ends_with, wait_for
from signing_in import SignIn

TOKEN = {"providerID": "facebook.com"}
ACCESS_TOKEN = "/v25.0/oauth/access_token"


@pytest.fixture
def facebook():
    server = Facebook()
    yield server
    server.close()


@pytest.fixture
def daemon(make_daemon, facebook):
    return make_daemon(facebook.configuration()).start()


def begin(daemon, **parameters):
    return SignIn(daemon, providerID="facebook.com", **parameters)


def sign_in(daemon, facebook, declined=(), **parameters):
    pending = begin(daemon, **parameters)
    come_back(daemon, facebook.agree(pending.url, declined))
    return pending.completed()


def failure_of(pending):
    with pytest.raises(VarlinkError) as failure:
        pending.completed()
    return failure.value


def test_somebody_signs_in(daemon, facebook):
    pending = begin(daemon, customParameters={"display": "popup", "auth_type": "rerequest"})
    asked = parameters(pending.url)
    assert asked["scope"] == "email,public_profile" and asked["display"] == "popup" and asked["auth_type"] == "rerequest"
    assert "nonce" not in asked and asked["return_scopes"] == "true"
    page = come_back(daemon, facebook.agree(pending.url))
    assert page.status_code == 200 and "Ex Ample" in page.text
    event = pending.completed()
    user, credential = event["result"]["user"], event["credential"]
    assert (user["displayName"], user["email"], user["emailVerified"]) == ("Ex Ample", "e@example.com", False)
    assert user["photoURL"] == "https://scontent.example/p.jpg" and user["providerData"][0]["uid"] == "1020"
    assert credential["accessToken"] == "EAABlong1" and sorted(credential["scopes"]) == ["email", "public_profile"]
    assert not {"idToken", "rawNonce", "secret"} & set(credential)
    [code] = facebook.sent(ACCESS_TOKEN, "POST")
    assert code.form["client_id"] == APP and code.form["client_secret"] == SECRET and code.form["redirect_uri"] == asked["redirect_uri"]
    [exchange] = facebook.sent(ACCESS_TOKEN, "GET")
    assert exchange.query["fb_exchange_token"] == "EAABshort"
    log = daemon.log.read_text()
    assert not any(secret in log for secret in [SECRET, "EAAB", code.form["code"]])


def test_the_token_lives_for_sixty_days_and_is_renewed_as_long_as_it_does(daemon, facebook):
    sign_in(daemon, facebook)
    assert [c["refreshable"] for c in daemon.call("ListCredentials")["credentials"]] == [True]
    assert daemon.call("GetAccessToken", {**TOKEN, "minimumValiditySeconds": 5_000_000})["accessToken"] == "EAABlong1"
    assert daemon.call("GetAccessToken", {**TOKEN, "forceRefresh": True})["accessToken"] == "EAABlong2"
    assert [request.query["fb_exchange_token"] for request in facebook.sent(ACCESS_TOKEN, "GET")] == ["EAABshort", "EAABlong1"]


def test_a_token_past_half_its_life_is_handed_out_and_renewed_for_the_next(daemon, facebook):
    facebook.lifetime = 10
    sign_in(daemon, facebook)
    facebook.lifetime = 5183944

    def token():
        return daemon.call("GetAccessToken", {**TOKEN, "minimumValiditySeconds": 0})["accessToken"]

    assert token() == "EAABlong1" and len(facebook.sent(ACCESS_TOKEN, "GET")) == 1
    wait_for(lambda: token() == "EAABlong2", what="the renewed token")
    assert len(facebook.sent(ACCESS_TOKEN, "GET")) == 2


def test_a_renewal_that_fails_for_now_takes_nothing_away(daemon, facebook):
    sign_in(daemon, facebook)
    facebook.next.append((ACCESS_TOKEN, 400, error("Application request limit reached", 4)))
    with ends_with("ProviderUnreachable"):
        daemon.call("GetAccessToken", {**TOKEN, "forceRefresh": True})
    assert daemon.call("GetAccessToken", TOKEN)["accessToken"] == "EAABlong1"


def test_a_token_that_facebook_dropped_asks_for_the_person(daemon, facebook):
    sign_in(daemon, facebook)
    facebook.tokens.clear()
    with ends_with("SignInRequired"):
        daemon.call("GetAccessToken", {**TOKEN, "forceRefresh": True})
    with ends_with("SignInRequired"):
        daemon.call("GetAccessToken", TOKEN)
    assert len(facebook.sent(ACCESS_TOKEN, "GET")) == 2
    assert [c["refreshable"] for c in daemon.call("ListCredentials")["credentials"]] == [False]
    assert sign_in(daemon, facebook)["credential"]["accessToken"] == "EAABlong1"


def test_without_a_long_lived_token_the_short_one_serves(daemon, facebook):
    pending = begin(daemon)
    answer = facebook.agree(pending.url)
    facebook.next.append((ACCESS_TOKEN, 200, {"access_token": "EAABshort", "token_type": "bearer", "expires_in": 3600}))
    facebook.next.append((ACCESS_TOKEN, 500, error("An unknown error occurred", 1)))
    facebook.tokens["EAABshort"] = 3600
    come_back(daemon, answer)
    assert pending.completed()["credential"]["accessToken"] == "EAABshort"


def test_what_a_person_declined_is_not_promised(daemon, facebook):
    del facebook.me["email"]
    event = sign_in(daemon, facebook, declined=["email"])
    assert event["credential"]["scopes"] == ["public_profile"] and "email" not in event["result"]["user"]
    with ends_with("ScopeNotGranted"):
        daemon.call("GetAccessToken", {**TOKEN, "scopes": ["email"]})


@pytest.mark.parametrize("query, error, description", [
    ({"error": "access_denied", "error_code": "200", "error_description": "Permissions error", "error_reason": "user_denied"},
     "access_denied", "Permissions error"),
    ({"error_code": "1349003", "error_message": "Invalid parameter"}, "1349003", "Invalid parameter"),
    ({"error_message": "Two\nlines \x1b[31m"}, "unknown", "Two lines [31m"),
])
def test_a_failure_in_the_callback_ends_the_sign_in(daemon, facebook, query, error, description):
    pending = begin(daemon)
    url, _ = facebook.agree(pending.url)
    come_back(daemon, (url, {**query, "state": parameters(pending.url)["state"]}))
    failure = failure_of(pending)
    assert failure.short == "SignInDenied" and failure.parameters["error"] == error and failure.parameters["errorDescription"] == description
    assert not facebook.sent(ACCESS_TOKEN)


@pytest.mark.parametrize("status, body, name, text", [
    (400, error("This authorization code has been used.", 100, 36009), "ExchangeFailed", "This authorization code has been used."),
    (400, error("Error validating client secret.", 1), "ExchangeFailed", "code 1"),
    (400, error("Bad\n\x1b[2Jtext\u202e", 101), "ExchangeFailed", "Bad [2Jtext"),
    (400, error("(#4) Application request limit reached", 4), "ProviderUnreachable", "code 4"),
    (400, error("Service temporarily unavailable", 2), "ProviderUnreachable", "code 2"),
    (500, error("An unknown error occurred", 1), "ProviderUnreachable", "500"),
    (200, error("Calls to this api have exceeded the rate limit.", 613), "ProviderUnreachable", "code 613"),
    (200, "false", "ExchangeFailed", "must be a JSON object"),
    (200, "<!DOCTYPE html>", "ExchangeFailed", "JSON"),
    (200, {"token_type": "bearer"}, "ExchangeFailed", "access_token"),
])
def test_the_token_endpoint_says_no(daemon, facebook, status, body, name, text):
    pending = begin(daemon)
    facebook.next.append((ACCESS_TOKEN, status, body))
    come_back(daemon, facebook.agree(pending.url))
    failure = failure_of(pending)
    assert failure.short == name and text in failure.parameters["message"]
    assert not any(character in failure.parameters["message"] for character in "\n\x1b\u202e")


@pytest.mark.parametrize("status, body, name", [
    (200, "false", "ExchangeFailed"), (200, {"name": "Nobody"}, "ExchangeFailed"), (200, {"id": 1.5}, "ExchangeFailed"),
    (400, error("Invalid appsecret_proof provided in the API argument", 100, kind="GraphMethodException"), "ExchangeFailed"),
    (400, error("User request limit reached", 17), "ProviderUnreachable"), (200, error("x", 190), "ExchangeFailed"),
])
def test_without_a_profile_there_is_no_sign_in(daemon, facebook, status, body, name):
    pending = begin(daemon)
    facebook.next.append(("/v25.0/me", status, body))
    come_back(daemon, facebook.agree(pending.url))
    assert failure_of(pending).short == name
    assert daemon.call("GetStatus")["users"] == 0


@pytest.mark.parametrize("body, revoked", [("true", True), ({"success": True}, True), ("false", False), (error("x", 190, 458), True), (error("x", 4), False)])
def test_it_is_taken_back(daemon, facebook, body, revoked):
    sign_in(daemon, facebook)
    facebook.next.append(("/v25.0/me/permissions", 200, body))
    answer = daemon.call("RevokeCredential", TOKEN)
    assert answer["revokedAtProvider"] == revoked and ("reason" in answer) == (not revoked) and not answer.get("hasNoWay")
    [request] = facebook.sent("/v25.0/me/permissions")
    assert request.method == "DELETE" and len(request.query["appsecret_proof"]) == 64 and "access_token" not in request.query
    assert daemon.call("ListCredentials")["credentials"] == []


def test_the_proof_is_what_facebook_demands(daemon, facebook):
    sign_in(daemon, facebook)
    assert daemon.call("RevokeCredential", TOKEN) == {"revokedAtProvider": True, "apps": ["default"]} and facebook.tokens == {}


def test_the_fragment_that_facebook_adds_does_no_harm_in_a_paste(daemon, facebook):
    pending = begin(daemon)
    url, query = facebook.agree(pending.url)
    pasted = "&".join(f"{name}={value}" for name, value in query.items())
    daemon.call("DeliverRedirect", {"url": f"{url}?{pasted}#_=_"})
    assert pending.completed()["state"] == "completed"


def test_the_callback_url_is_localhost_and_the_answer_is_not_taken_elsewhere(daemon, facebook):
    provider = next(p for p in daemon.call("ListProviders")["providers"] if p["providerID"] == "facebook.com")
    assert provider["redirectURI"] == daemon.origin.replace("127.0.0.1", "localhost") + "/__/auth/handler"
    pending = begin(daemon)
    _, query = facebook.agree(pending.url)
    assert browser(Host="facebook.evil.test").get(f"{daemon.origin}/__/auth/handler", params=query).status_code == 421
    assert pending.client.silent(0)


def test_classic_login_says_nothing_by_an_id_token(daemon):
    with ends_with("InvalidCredential"):
        daemon.call("SignInWithCredential", {"credential": {**TOKEN, "idToken": "a.b.c", "rawNonce": "n"}})
