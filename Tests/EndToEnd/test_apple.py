"""Apple's own ways, with its exact answers."""
import pytest
from apple import apple, daemon, post  # noqa: F401 fixtures
from keys import hashed
from person import browser, parameters
from postern import VarlinkError, ends_with
from signing_in import SignIn

TOKEN = {"providerID": "apple.com"}


def begin(daemon, **parameters):
    return SignIn(daemon, providerID="apple.com", **parameters)


def sign_in(daemon, apple, **parameters):
    pending = begin(daemon, **parameters)
    page = post(daemon, apple.agree(pending.url))
    assert page.status_code == 200, page.text
    return pending.completed()


def test_somebody_signs_in_by_a_posted_answer(daemon, apple):
    pending = begin(daemon)
    asked = parameters(pending.url)
    assert asked["scope"] == "name email" and asked["response_mode"] == "form_post" and asked["code_challenge_method"] == "S256"
    page = post(daemon, apple.agree(pending.url))
    assert page.status_code == 200 and page.url.startswith(daemon.origin + "/__/auth/done?page=") and "Ex Ample" in page.text
    assert [reply.status_code for reply in page.history] == [303]
    event = pending.completed()
    user, credential = event["result"]["user"], event["credential"]
    assert (user["displayName"], user["email"], user["emailVerified"]) == ("Ex Ample", "e@privaterelay.appleid.com", True)
    assert user["providerData"][0]["uid"] == "000123.abc.0456"
    assert credential["accessToken"] == "a1" and hashed(credential["rawNonce"]) == asked["nonce"] and credential["idToken"].count(".") == 2
    [exchange] = apple.sent("/auth/token")
    assert set(exchange.form) == {"grant_type", "code", "redirect_uri", "code_verifier", "client_id", "client_secret"}
    assert "Authorization" not in exchange.headers and exchange.form["client_secret"] not in (daemon.log.read_text() + page.text)


def test_the_name_that_is_told_once_stays_known(daemon, apple):
    first = sign_in(daemon, apple)
    again = sign_in(daemon, apple)
    assert again["result"]["additionalUserInfo"]["isNewUser"] is False
    user = again["result"]["user"]
    assert user["uid"] == first["result"]["user"]["uid"] and user["displayName"] == "Ex Ample"
    assert user["providerData"][0]["displayName"] == "Ex Ample"
    assert [c["displayName"] for c in daemon.call("ListCredentials")["credentials"]] == ["Ex Ample"]


def test_an_answer_that_a_page_elsewhere_hands_on_is_taken(daemon, apple):
    pending = begin(daemon)
    # A browser that follows a 307 from another origin says that it does not say where the post began.
    assert post(daemon, apple.agree(pending.url), origin="null").status_code == 200
    assert pending.completed()["credential"]["accessToken"] == "a1"


def test_without_scopes_the_answer_comes_in_the_query(daemon, apple):
    pending = begin(daemon, scopes=[])
    assert not {"scope", "response_mode"} & set(parameters(pending.url))
    assert browser().get(f"{daemon.origin}/__/auth/handler", params=apple.agree(pending.url)).status_code == 200
    assert pending.completed()["credential"]["accessToken"] == "a1"


def test_a_program_cannot_choose_how_the_answer_comes(daemon):
    for name in ["response_mode", "nonce", "state"]:
        with ends_with("ReservedParameter"):
            begin(daemon, customParameters={name: "query"})


def test_somebody_cancels(daemon, apple):
    pending = begin(daemon)
    page = post(daemon, {"error": "user_cancelled_authorize", "state": parameters(pending.url)["state"]})
    assert page.status_code == 200
    with pytest.raises(VarlinkError) as failure:
        pending.completed()
    assert failure.value.short == "SignInDenied" and failure.value.parameters["error"] == "user_cancelled_authorize"
    assert failure.value.parameters["code"] == 17058 and not apple.sent("/auth/token")


@pytest.mark.parametrize("spoil", [
    # Always another character than the one that is there.
    lambda form: {**form, "state": ("y" if form["state"][0] == "x" else "x") + form["state"][1:]},
    lambda form: {name: value for name, value in form.items() if name != "state"},
    lambda form: [*form.items(), ("code", "another")],
    lambda form: {},
])
def test_a_post_that_is_not_apples_answer_changes_nothing(daemon, apple, spoil):
    pending = begin(daemon)
    form = apple.agree(pending.url)
    assert post(daemon, spoil(form)).status_code == 400
    assert pending.client.silent(0) and not apple.sent("/auth/token")
    assert post(daemon, form).status_code == 200
    assert pending.completed()["state"] == "completed"


def test_a_post_from_a_frame_or_a_script_is_refused(daemon, apple):
    pending = begin(daemon)
    form = apple.agree(pending.url)
    for destination in ["iframe", "empty"]:
        assert post(daemon, form, **{"Sec-Fetch-Dest": destination}).status_code == 403
    assert post(daemon, form, **{"Content-Type": "text/plain"}).status_code == 400
    assert post(daemon, form).status_code == 200
    assert pending.completed()["state"] == "completed"


@pytest.mark.parametrize("user", ["{", "[]", '{"name":{"firstName":7}}', '{"name":{"firstName":"' + "a" * 5000 + '"}}'])
def test_what_is_wrong_in_the_unsigned_part_spoils_no_sign_in(daemon, apple, user):
    pending = begin(daemon)
    assert post(daemon, {**apple.agree(pending.url), "user": user}).status_code == 200
    assert "displayName" not in pending.completed()["result"]["user"]


@pytest.mark.parametrize("claims, code", [
    ({"nonce": None}, 17094), ({"nonce": "0" * 64}, 17094), ({"aud": "com.example.other"}, 17004),
    ({"iss": "https://appleid.apple.com.evil.test"}, 17004), ({"iat": 1_700_000_000}, 17004)])
def test_an_id_token_of_something_else_is_refused(daemon, apple, claims, code):
    pending = begin(daemon)
    post(daemon, apple.agree(pending.url, **claims))
    with pytest.raises(VarlinkError) as failure:
        pending.completed()
    assert failure.value.short == "InvalidIDToken" and failure.value.parameters["code"] == code
    assert daemon.call("GetStatus")["users"] == 0


@pytest.mark.parametrize("claim, verified", [(True, True), ("true", True), (False, False), ("false", False)])
def test_a_flag_may_be_a_text(daemon, apple, claim, verified):
    apple.claims.update(email_verified=claim, is_private_email=claim)
    assert sign_in(daemon, apple)["result"]["user"]["emailVerified"] is verified


def test_the_session_is_refreshed_and_taken_back(daemon, apple):
    sign_in(daemon, apple)
    fresh = daemon.call("GetAccessToken", {**TOKEN, "forceRefresh": True})
    assert fresh["accessToken"] == "a2" and fresh["uid"] == "000123.abc.0456"
    assert daemon.call("RevokeCredential", TOKEN) == {"revokedAtProvider": True, "apps": ["default"]}
    assert apple.revoked == [("r1", "refresh_token"), ("a2", "access_token")]
    # One for the code, one for the refresh, and those of the revocation.
    assert len(apple.secrets) == 4 and all(secret["exp"] - secret["iat"] <= 600 for secret in apple.secrets)


def test_a_refused_refresh_asks_for_the_person(daemon, apple):
    sign_in(daemon, apple)
    apple.next.append(("/auth/token", 400, {"error": "invalid_grant"}))
    for _ in range(2):
        with ends_with("SignInRequired"):
            daemon.call("GetAccessToken", {**TOKEN, "forceRefresh": True})
    assert len(apple.sent("/auth/token")) == 2


def test_a_client_that_apple_does_not_take_is_told(daemon, apple):
    pending = begin(daemon)
    apple.next.append(("/auth/token", 400, {"error": "invalid_client"}))
    post(daemon, apple.agree(pending.url))
    with pytest.raises(VarlinkError) as failure:
        pending.completed()
    assert failure.value.short == "ExchangeFailed" and failure.value.parameters["error"] == "invalid_client"


def test_a_key_that_is_none_is_told_before_a_page_opens(make_daemon, apple, tmp_path):
    configuration = apple.configuration(tmp_path)
    (tmp_path / "apple.p8").write_text("-----BEGIN PRIVATE KEY-----\nnothing\n-----END PRIVATE KEY-----\n")
    daemon = make_daemon(configuration).start()
    with pytest.raises(VarlinkError) as failure:
        begin(daemon)
    assert failure.value.short == "ProviderNotConfigured" and "signing-key is not a private key for ES256" in str(failure.value)


def test_what_is_missing_or_open_to_others_is_told(make_daemon, apple, tmp_path):
    configuration = apple.configuration(tmp_path)
    (tmp_path / "apple.p8").chmod(0o644)
    daemon = make_daemon(configuration).start()

    def provider():
        return next(p for p in daemon.call("ListProviders")["providers"] if p["providerID"] == "apple.com")

    assert provider()["configured"] is False and "can be read or changed by others" in provider()["problem"]
    daemon.write(configuration.replace("signing-key", "# signing-key"))
    daemon.call("Reload")
    assert "signing-key is missing" in provider()["problem"]


def test_there_is_no_callback_url_of_this_machine_to_register(daemon):
    apple = next(p for p in daemon.call("ListProviders")["providers"] if p["providerID"] == "apple.com")
    assert apple["configured"] and "redirectURI" not in apple and apple["kind"] == "oidc"


def test_a_page_of_a_website_is_what_is_registered_and_its_answers_are_taken(make_daemon, apple, tmp_path):
    page = "https://app.example.com/__/auth/handler"
    daemon = make_daemon(apple.configuration(tmp_path, f'redirect-uri = "{page}"')).start()
    [provider] = [p for p in daemon.call("ListProviders")["providers"] if p["providerID"] == "apple.com"]
    assert provider["redirectURI"] == page
    pending = begin(daemon)
    assert parameters(pending.url)["redirect_uri"] == page
    assert post(daemon, apple.agree(pending.url), origin="null").status_code == 200
    assert pending.completed()["credential"]["accessToken"] == "a1"
    assert apple.sent("/auth/token")[0].form["redirect_uri"] == page


def test_without_such_a_page_apple_itself_is_not_begun_with(make_daemon, apple, tmp_path):
    daemon = make_daemon(apple.configuration(tmp_path).replace("authorization-endpoint", "# authorization-endpoint")).start()
    with pytest.raises(VarlinkError) as failure:
        begin(daemon)
    assert failure.value.short == "ProviderNotConfigured" and "redirect-uri is missing" in str(failure.value)
