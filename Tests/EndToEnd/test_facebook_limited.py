"""Facebook with `limited = true`, and ID tokens that programs got themselves."""
import concurrent.futures
import time

import pytest
from facebook import APP, Facebook, come_back
from keys import Keys, hashed
from person import parameters
from postern import VarlinkError, ends_with
from signing_in import SignIn

RAW = "nonce-0123456789ABCDEFabcdef._-x"


@pytest.fixture
def facebook():
    server = Facebook(limited=True)
    yield server
    server.close()


@pytest.fixture
def daemon(make_daemon, facebook):
    return make_daemon(facebook.configuration()).start()


def begin(daemon, **parameters):
    return SignIn(daemon, providerID="facebook.com", **parameters)


def token(facebook, **claims):
    """What Limited Login gives an app on a phone."""
    return facebook.keys.token(**{"iss": "https://limited.facebook.com", "nonce": hashed(RAW), **facebook.claims, **claims})


def show(daemon, id_token, nonce=RAW, **more):
    credential = {"providerID": "facebook.com", "idToken": id_token, "rawNonce": nonce, **more}
    return daemon.call("SignInWithCredential", {"credential": {name: value for name, value in credential.items() if value is not None}})["result"]


# ---- The code flow ------------------------------------------------------------


def test_somebody_signs_in_without_a_secret(daemon, facebook):
    pending = begin(daemon)
    asked = parameters(pending.url)
    assert asked["scope"] == "openid,email,public_profile" and asked["code_challenge_method"] == "S256"
    come_back(daemon, facebook.agree(pending.url))
    event = pending.completed()
    user, credential = event["result"]["user"], event["credential"]
    assert (user["displayName"], user["email"], user["emailVerified"]) == ("Ex Ample", "e@example.com", False)
    assert user["providerData"][0]["uid"] == "1020" and user["photoURL"] == "https://scontent.example/p.jpg"
    assert credential["idToken"].count(".") == 2 and hashed(credential["rawNonce"]) == asked["nonce"]
    assert credential["rawNonce"] not in pending.url
    [exchange] = facebook.sent("/v25.0/oauth/access_token")
    assert set(exchange.form) == {"grant_type", "code", "redirect_uri", "code_verifier", "client_id"}


@pytest.mark.parametrize("claims, code", [
    ({"nonce": None}, 17094), ({"nonce": "0" * 64}, 17094), ({"iss": "https://facebook.com.evil.test"}, 17004),
    ({"iss": "https://www.facebook.com.evil.test"}, 17004), ({"aud": "139"}, 17004), ({"sub": ""}, 17004)])
def test_an_id_token_of_something_else_is_refused(daemon, facebook, claims, code):
    pending = begin(daemon)
    come_back(daemon, facebook.agree(pending.url, **claims))
    with pytest.raises(VarlinkError) as failure:
        pending.completed()
    assert failure.value.short == "InvalidIDToken" and failure.value.parameters["code"] == code


def test_the_raw_nonce_in_the_token_is_no_proof(daemon, facebook):
    pending = begin(daemon)
    come_back(daemon, facebook.agree(pending.url))
    raw = pending.completed()["credential"]["rawNonce"]
    with ends_with("InvalidIDToken"):
        show(daemon, token(facebook, nonce=raw), nonce=raw)


def test_the_digest_shown_as_the_raw_nonce_is_no_proof(daemon, facebook):
    """It stands in the token for everybody to read."""
    shown = token(facebook)
    with ends_with("InvalidIDToken") as failure:
        show(daemon, shown, nonce=hashed(RAW))
    assert failure.value.parameters["code"] == 17094 and daemon.call("GetStatus")["users"] == 0


def test_it_is_taken_back_by_its_id_token(daemon, facebook):
    pending = begin(daemon)
    come_back(daemon, facebook.agree(pending.url))
    pending.completed()
    with ends_with("SignInRequired"):
        daemon.call("GetAccessToken", {"providerID": "facebook.com", "forceRefresh": True})
    assert daemon.call("RevokeCredential", {"providerID": "facebook.com"}) == {"revokedAtProvider": True, "apps": ["default"]}


# ---- Tokens that a program got itself ------------------------------------------


def test_a_phones_token_signs_in(daemon, facebook):
    id_token = token(facebook)
    result = show(daemon, id_token)
    user = result["user"]
    assert result["operation"] == "signIn" and result["additionalUserInfo"]["isNewUser"] is True
    assert (user["displayName"], user["email"], user["emailVerified"], user["providerData"][0]["uid"]) == ("Ex Ample", "e@example.com", False, "1020")
    assert result["credential"] == {"providerID": "facebook.com", "signInMethod": "facebook.com", "scopes": [], "idToken": id_token, "rawNonce": RAW}
    assert daemon.call("GetCurrentUser")["user"]["uid"] == user["uid"]
    # It gives access to nothing, so there is nothing to keep.
    assert daemon.call("ListCredentials")["credentials"] == []
    with ends_with("SignInRequired"):
        daemon.call("GetAccessToken", {"providerID": "facebook.com"})


def test_the_same_account_is_the_same_user_and_keeps_its_grant(daemon, facebook):
    pending = begin(daemon)
    come_back(daemon, facebook.agree(pending.url))
    first = pending.completed()
    result = show(daemon, token(facebook))
    assert result["user"]["uid"] == first["result"]["user"]["uid"] and result["additionalUserInfo"]["isNewUser"] is False
    assert daemon.call("GetAccessToken", {"providerID": "facebook.com"})["accessToken"] == "EAABl"


def test_the_credential_of_a_sign_in_can_be_shown_again_by_its_parts(daemon, facebook):
    pending = begin(daemon, intent="credential")
    come_back(daemon, facebook.agree(pending.url))
    credential = pending.completed()["credential"]
    assert show(daemon, credential["idToken"], credential["rawNonce"])["user"]["providerData"][0]["uid"] == "1020"


@pytest.mark.parametrize("claims, text", [
    ({"aud": "139"}, "another client"), ({"aud": [APP, "139"]}, "also for 139"), ({"aud": []}, "no audience"),
    ({"azp": "139"}, "issued to 139"), ({"iss": "https://facebook.com.evil.test"}, "evil.test"), ({"iss": None}, "iss"),
    ({"exp": -120}, "expired"), ({"exp": None}, "exp"), ({"iat": -3600}, "too long ago"), ({"iat": 3600}, "future"),
    ({"nonce": None}, "nonce"), ({"nonce": RAW}, "nonce"), ({"nonce": hashed(RAW).upper()}, "nonce"), ({"nonce": hashed("another")}, "nonce"),
    ({"sub": None}, "sub"), ({"sub": ""}, "sub"), ({"sub": "1" * 256}, "sub"),
])
def test_a_token_that_is_not_for_this_is_refused(daemon, facebook, claims, text):
    # Numbers are seconds from now, which is not the moment at which the tests were collected.
    claims = {name: int(time.time()) + value if isinstance(value, int) else value for name, value in claims.items()}
    with pytest.raises(VarlinkError) as failure:
        show(daemon, token(facebook, **claims))
    assert failure.value.short == "InvalidIDToken" and text in failure.value.parameters["reason"]
    assert failure.value.parameters["code"] == (17094 if "nonce" in claims else 17004)
    assert daemon.call("GetStatus")["users"] == 0


def test_a_token_signed_by_nobody_or_somebody_else_is_refused(daemon, facebook):
    good = token(facebook)
    header, payload, signature = good.split(".")
    stranger = facebook.keys.token(signed_by=facebook.keys.stranger, nonce=hashed(RAW))
    unsigned = "eyJhbGciOiJub25lIn0." + payload + "."
    for bad in [stranger, unsigned, f"{header}.{payload}.", f"{header}.{payload}.{signature[:-4]}AAAA", "a.b.c", "x", "." * 5000]:
        with ends_with("InvalidIDToken"):
            show(daemon, bad)
    # What came to nothing spends no token.
    assert show(daemon, good)["user"]["providerData"][0]["uid"] == "1020"


def test_a_token_signs_in_once(daemon, facebook):
    id_token = token(facebook)
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        def attempt(_):
            try:
                return show(daemon, id_token)["operation"]
            except VarlinkError as error:
                return error.short
        outcomes = sorted(pool.map(attempt, range(8)))
    assert outcomes == ["InvalidCredential"] * 7 + ["signIn"]
    with ends_with("InvalidCredential"):
        show(daemon, id_token)


def test_a_token_signs_in_once_whatever_becomes_of_the_daemon(daemon, facebook):
    id_token = token(facebook)
    show(daemon, id_token)
    daemon.kill()
    daemon.start()
    with ends_with("InvalidCredential"):
        show(daemon, id_token)
    assert show(daemon, token(facebook, jti="another"))["operation"] == "signIn"


def test_what_is_not_asked_for_is_refused_by_name(daemon, facebook):
    id_token = token(facebook)
    for nonce in [None, "", "with blank", "n" * 513, "ä", "a\nb"]:
        with pytest.raises(VarlinkError) as failure:
            show(daemon, id_token, nonce=nonce)
        assert failure.value.short == "InvalidParameter" and failure.value.parameters["parameter"] == "credential.rawNonce"
    for name in ["secret", "email", "password"]:
        with pytest.raises(VarlinkError) as failure:
            show(daemon, id_token, **{name: "x"})
        assert failure.value.parameters["parameter"] == f"credential.{name}"
    for credential, parameter in [
            ({}, "handle"), ({"providerID": "facebook.com", "accessToken": "x", "rawNonce": RAW}, "rawNonce"),
            ({"handle": "h", "idToken": id_token}, "idToken"), ({"idToken": id_token, "rawNonce": RAW}, "providerID"),
            ({"providerID": "facebook.com", "idToken": "", "rawNonce": RAW}, "idToken")]:
        with pytest.raises(VarlinkError) as failure:
            daemon.call("SignInWithCredential", {"credential": credential})
        assert failure.value.parameters["parameter"] == f"credential.{parameter}"
    with ends_with("ProviderNotFound"):
        show(daemon, id_token, providerID="nobody")
    with pytest.raises(VarlinkError):
        daemon.call("SignInWithCredential", {"credential": {"providerID": "facebook.com", "idToken": id_token, "rawNonce": RAW}, "intent": "link"})
    assert show(daemon, id_token)["operation"] == "signIn"


def test_another_openid_providers_nonce_is_shown_as_it_is(make_daemon, facebook):
    keys = Keys(facebook.origin, "postern")
    facebook.keys = keys
    daemon = make_daemon(f'''
[provider.work]
kind = "oidc"
issuer = "{facebook.origin}"
client-id = "postern"
authorization-endpoint = "{facebook.origin}/authorize"
token-endpoint = "{facebook.origin}/token"
jwks-uri = "{facebook.origin}/.well-known/oauth/openid/jwks/"
''').start()
    assert show(daemon, keys.token(nonce=RAW, name="Ada"), providerID="work")["user"]["displayName"] == "Ada"
    with ends_with("InvalidIDToken"):
        show(daemon, keys.token(nonce=hashed(RAW)), providerID="work")


def test_a_provider_that_cannot_be_asked_for_its_keys_spends_no_token(daemon, facebook):
    id_token = token(facebook)
    facebook.next.append(("/.well-known/oauth/openid/jwks/", 503, "busy"))
    with ends_with("ProviderUnreachable"):
        show(daemon, id_token)
    assert show(daemon, id_token)["operation"] == "signIn"


def test_nothing_of_a_shown_token_is_written_to_the_log(daemon, facebook):
    id_token = token(facebook)
    show(daemon, id_token)
    with ends_with("InvalidIDToken"):
        show(daemon, token(facebook, nonce="0"))
    log = daemon.log.read_text()
    assert RAW not in log and not any(part in log for part in id_token.split(".")[1:])
