"""OAuth 1.0a against oauthlib in X's shape, which checks every signature; the rest is in `exchanges/twitter.com.txt`."""
import json
import urllib.parse

import pytest
from commands import run
from person import answer, browser, consent, parameters
from postern import VarlinkError, ends_with, free_port
from twitter import SECRET, Twitter, begin, sign_in

TOKEN = {"providerID": "twitter.com"}
PATHS = ["/oauth/request_token", "/oauth/access_token", "/1.1/account/verify_credentials.json"]


@pytest.fixture
def twitter():
    server = Twitter()
    yield server
    server.close()


@pytest.fixture
def daemon(make_daemon, twitter):
    return make_daemon(twitter.configuration(), port=free_port()).start()


def refused(daemon):
    """The error of a sign-in that ends before there is a page."""
    with pytest.raises(VarlinkError) as caught:
        begin(daemon)
    return caught.value


# ---- The whole way ----------------------------------------------------------------


def test_somebody_signs_in_and_the_token_and_its_secret_are_sealed_kept_and_taken_back(daemon, twitter):
    twitter.callbacks = [f"{daemon.origin}/__/auth/handler"]
    pending = begin(daemon, loginHint="ada", customParameters={"lang": "ja", "force_login": "true"})
    asked = parameters(pending.url)
    assert pending.url.startswith(f"{twitter.origin}/oauth/authorize?oauth_token=")
    assert (asked["lang"], asked["force_login"], asked["screen_name"]) == ("ja", "true", "ada")
    assert not {"oauth_callback", "state", "code_challenge", "redirect_uri", "client_id"} & set(asked)
    page = consent(pending.url)
    event = pending.completed()
    user, credential, info = event["result"]["user"], event["credential"], event["result"]["additionalUserInfo"]
    assert (user["displayName"], user["email"], user["emailVerified"]) == ("Ada Lovelace", "ada@example.com", False)
    assert (user["providerData"][0]["uid"], info["username"]) == ("1815121018151210181", "ada")
    [(token, kept)] = twitter.validator.access_tokens.items()
    assert (credential["accessToken"], credential["secret"], credential["tokenType"]) == (token, kept["secret"], "OAuth")
    assert page.url.startswith(f"{daemon.origin}/__/auth/done") and "Ada Lovelace" in page.text
    assert token not in page.text and kept["secret"] not in page.text
    # Each was asked once: every signature was right at the first try.
    assert [len(twitter.sent(path)) for path in PATHS] == [1, 1, 1]

    waiting = parameters(begin(daemon).url)["oauth_token"]
    daemon.kill()
    secrets = [token, kept["secret"], waiting, twitter.validator.request_tokens[waiting]["oauth_token_secret"]]
    for file in [*(daemon.directory / "state").iterdir(), daemon.log]:
        content = file.read_bytes() if file.is_file() else b""
        assert not any(secret.encode() in content for secret in secrets), file
    daemon.start()
    assert daemon.call("GetAccessToken", TOKEN)["secret"] == kept["secret"]
    assert run(daemon, "token", "twitter.com").stdout.strip() == token
    assert json.loads(run(daemon, "token", "twitter.com", "--json").stdout)["secret"] == kept["secret"]
    assert daemon.call("RevokeCredential", TOKEN) == {"revokedAtProvider": True, "apps": ["default"]}
    assert twitter.validator.access_tokens == {} and daemon.call("ListCredentials") == {"credentials": []}


def test_provider_show_says_what_to_register_and_provider_check_verifies_it(daemon, twitter):
    shown = run(daemon, "provider", "show", "twitter.com").stdout
    assert f"{daemon.origin}/__/auth/handler\n" in shown and "compares it exactly" in shown and "configuration is complete" in shown
    assert run(daemon, "provider", "check", "twitter.com").returncode == 0
    twitter.callbacks = [f"{daemon.origin}/__/auth/handler/"]
    refusal = run(daemon, "provider", "check", "twitter.com")
    assert refusal.returncode != 0 and "register the callback URL that" in refusal.stdout, refusal


def test_a_clock_error_is_detected_from_the_first_refusal(daemon, twitter):
    twitter.skew = 3600
    assert sign_in(daemon)["state"] == "completed"
    assert [len(twitter.sent(path)) for path in PATHS] == [2, 1, 1]
    sign_in(daemon, app="other")
    assert len(twitter.sent("/oauth/request_token")) == 3


# ---- What comes back ----------------------------------------------------------------


def test_a_callback_for_another_sign_in_changes_nothing(daemon, twitter):
    pending = begin(daemon)
    token = parameters(pending.url)["oauth_token"]
    for query in [
            "oauth_token=other&oauth_verifier=v", "denied=other", "oauth_verifier=v", "oauth_token=&oauth_verifier=v",
            "oauth_token=TOKEN&denied=TOKEN&oauth_verifier=v", "state=TOKEN&oauth_token=TOKEN&oauth_verifier=v",
            "oauth_token=TOKEN&oauth_token=TOKEN&oauth_verifier=v", "state=oauth_tokenTOKEN&oauth_verifier=v",
            "state=oauth_token%00TOKEN&oauth_verifier=v", "oauth_token=TOKEN%20&oauth_verifier=v"]:
        page = browser().get(f"{daemon.origin}/__/auth/handler?{query.replace('TOKEN', token)}")
        assert page.status_code == 400 and token not in page.text, query
    callback = answer(pending.url)
    assert browser().get(callback.replace("/handler?", "/handler/github.com?")).status_code == 400
    assert twitter.sent("/oauth/access_token") == []
    assert browser().get(callback).status_code == 200 and pending.completed()["state"] == "completed"


def test_state_and_token_must_both_be_right_where_the_provider_keeps_a_state(make_daemon, twitter):
    twitter.compares_exactly = False
    daemon = make_daemon(twitter.configuration("callback-state = true")).start()
    pending, other = begin(daemon), begin(daemon, app="other")
    callback, foreign = answer(pending.url), answer(other.url, "grace")
    mine, theirs = parameters(callback), parameters(foreign)
    assert len(mine["state"]) == 43 and "state" not in parameters(pending.url)
    for query in [{**mine, "state": "x"}, {**mine, "state": theirs["state"]}, {**theirs, "state": mine["state"]},
                  {name: value for name, value in mine.items() if name != "state"}, {"state": mine["state"], "oauth_verifier": "v"},
                  {"state": mine["state"], "denied": theirs["oauth_token"]}]:
        assert browser().get(f"{daemon.origin}/__/auth/handler?{urllib.parse.urlencode(query)}").status_code == 400, query
    assert twitter.sent("/oauth/access_token") == []
    browser().get(callback)
    assert pending.completed()["result"]["user"]["displayName"] == "Ada Lovelace"


def test_answers_that_are_none_end_their_sign_in_and_nothing_else(daemon, twitter):
    for status, kind, body, short in [
            (200, "text/html", "<html><body>Please&nbsp;wait</body></html>", "ExchangeFailed"), (200, "text/html", "", "ExchangeFailed"),
            (200, "application/json", '{"oauth_token":"a","oauth_token_secret":"b","oauth_callback_confirmed":"true"}', "ExchangeFailed"),
            (200, "text/html", "oauth_token=a%0d%0aX:1&oauth_token_secret=b&oauth_callback_confirmed=true", "ExchangeFailed"),
            (200, "text/html", "oauth_token=" + "a" * 200_000, "ExchangeFailed"), (302, "text/html", "", "ExchangeFailed"),
            (429, "application/json", '{"errors":[{"code":88,"message":"Rate limit exceeded"}]}', "ProviderUnreachable")]:
        twitter.answers["/oauth/request_token"] = [(status, kind, body)]
        assert refused(daemon).short == short, body[:80]
    for path in PATHS[1:]:
        for status, kind, body, short in [
                (200, "text/html", "<html>hello</html>", "ExchangeFailed"), (200, "application/json", "{}", "ExchangeFailed"),
                (401, "application/json", '{"errors":[{"code":89,"message":"Invalid or expired token."}]}', "ExchangeFailed"),
                (503, "text/html", "", "ProviderUnreachable")]:
            twitter.answers[path] = [(status, kind, body)]
            with ends_with(short):
                sign_in(daemon)
    assert daemon.call("ListCredentials") == {"credentials": []} and sign_in(daemon)["state"] == "completed"


# ---- Requests that programs sign with it ------------------------------------------


AWKWARD = [("status", "Ladies + Gentlemen, a café & 100% \u2603"), ("empty", ""), ("a", "1"), ("a", "0"), ("b=c", "~-._")]


def test_requests_and_forms_are_signed_each_good_for_itself_alone(make_daemon, twitter):
    daemon = make_daemon(twitter.configuration(f'serves = ["{twitter.origin}/1.1/"]')).start()
    sign_in(daemon)

    def authorized(method, url, **more):
        return daemon.call("AuthorizeRequest", {"method": method, "url": url, **more})

    url = f"{twitter.origin}/1.1/search/tweets.json?{urllib.parse.urlencode(AWKWARD)}&q=%2Fa+b"
    reply = authorized("GET", url)
    assert set(reply["headers"]) == {"Authorization"} and reply["headers"]["Authorization"].startswith("OAuth ")
    assert SECRET not in str(reply) and "expiresAt" not in reply
    found = browser().get(url, headers=reply["headers"], timeout=30)
    assert found.json() == {"person": "ada", "query": [list(pair) for pair in AWKWARD] + [["q", "/a b"]], "form": []}
    for other in (url, url + "&more=1", url.replace("search/tweets", "statuses/update")):
        again = browser().get(other, headers=reply["headers"], timeout=30)
        assert again.status_code in (401, 404), "another one, or the same once more"

    url = f"{twitter.origin}/1.1/statuses/update.json"
    form = [{"name": name, "value": value} for name, value in AWKWARD]
    sent = browser().post(url, data=AWKWARD, headers=authorized("POST", url, account="twitter.com", form=form)["headers"], timeout=30)
    assert sent.json() == {"person": "ada", "query": [], "form": [list(pair) for pair in AWKWARD]}
    changed = [*AWKWARD[1:], ("status", "something else")]
    assert browser().post(url, data=changed, headers=authorized("POST", url, form=form)["headers"], timeout=30).status_code == 401
    with ends_with("OriginNotServed"):
        authorized("GET", f"{twitter.origin}/1.1/../oauth/x")
