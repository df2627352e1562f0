"""Apple's own ways where its server checks what the tables of exchanges cannot, and posts at a real socket; the rest is in `exchanges/apple.com.txt`."""
from apple import apple, daemon, post  # noqa: F401 fixtures
from keys import hashed
from person import parameters
from postern import ends_with
from signing_in import SignIn

TOKEN = {"providerID": "apple.com"}


def begin(daemon, **parameters):
    return SignIn(daemon, providerID="apple.com", **parameters)


def test_a_posted_answer_signs_in_and_the_client_proves_itself_by_a_new_secret_each_time(daemon, apple):
    pending = begin(daemon)
    asked = parameters(pending.url)
    assert asked["response_mode"] == "form_post" and asked["code_challenge_method"] == "S256"
    page = post(daemon, apple.agree(pending.url))
    assert page.status_code == 200 and page.url.startswith(daemon.origin + "/__/auth/done?page=") and "Ex Ample" in page.text
    assert [reply.status_code for reply in page.history] == [303]
    event = pending.completed()
    user, credential = event["result"]["user"], event["credential"]
    assert (user["displayName"], user["email"], user["emailVerified"]) == ("Ex Ample", "e@privaterelay.appleid.com", True)
    assert hashed(credential["rawNonce"]) == asked["nonce"] and credential["idToken"].count(".") == 2
    [exchange] = apple.sent("/auth/token")
    assert set(exchange.form) == {"grant_type", "code", "redirect_uri", "code_verifier", "client_id", "client_secret"}
    assert "Authorization" not in exchange.headers and exchange.form["client_secret"] not in (daemon.log.read_text() + page.text)

    # The name is told once, and an answer may come by way of another origin.
    again = begin(daemon)
    assert post(daemon, apple.agree(again.url), origin="null").status_code == 200
    assert again.completed()["result"]["user"]["displayName"] == "Ex Ample"
    assert [c["displayName"] for c in daemon.call("ListCredentials")["credentials"]] == ["Ex Ample"]
    assert daemon.call("GetAccessToken", {**TOKEN, "forceRefresh": True})["accessToken"] == "a2"
    assert daemon.call("RevokeCredential", TOKEN) == {"revokedAtProvider": True, "apps": ["default"]}
    assert apple.revoked == [("r1", "refresh_token"), ("a2", "access_token")]
    # One for each code, one for the refresh, and those of the revocation.
    assert len(apple.secrets) == 5 and all(secret["exp"] - secret["iat"] <= 600 for secret in apple.secrets)


def test_a_post_that_is_not_apples_response_changes_nothing(daemon, apple):
    pending = begin(daemon)
    form = apple.agree(pending.url)
    other = {**form, "state": ("y" if form["state"][0] == "x" else "x") + form["state"][1:]}
    stateless = {name: value for name, value in form.items() if name != "state"}
    for spoilt, status, headers in [
            (other, 400, {}), (stateless, 400, {}), ([*form.items(), ("code", "another")], 400, {}), ({}, 400, {}),
            (form, 403, {"Sec-Fetch-Dest": "iframe"}), (form, 403, {"Sec-Fetch-Dest": "empty"}), (form, 400, {"Content-Type": "text/plain"})]:
        assert post(daemon, spoilt, **headers).status_code == status
    assert pending.client.silent(0) and not apple.sent("/auth/token")
    assert post(daemon, form).status_code == 200
    assert pending.completed()["state"] == "completed"


def test_what_is_wrong_with_the_key_is_said_before_a_page_opens(make_daemon, apple, tmp_path):
    configuration = apple.configuration(tmp_path)
    key = tmp_path / "apple.p8"
    key.write_text("-----BEGIN PRIVATE KEY-----\nnothing\n-----END PRIVATE KEY-----\n")
    daemon = make_daemon(configuration).start()
    with ends_with("ProviderNotConfigured") as failure:
        begin(daemon)
    assert "signing-key is not a private key for ES256" in str(failure.value)
    for change, problem in [
            (lambda: key.chmod(0o644), "can be read or changed by others"),
            (lambda: daemon.write(configuration.replace("signing-key", "# signing-key")), "signing-key is missing")]:
        change()
        daemon.call("Reload")
        provider = next(p for p in daemon.call("ListProviders")["providers"] if p["providerID"] == "apple.com")
        assert provider["configured"] is False and problem in provider["problem"]
