"""OAuth 1.0a, whole, against oauthlib in X's shape."""
import json
import threading
import urllib.parse

import pytest
from commands import run
from person import answer, browser, consent, parameters
from postern import VarlinkError, ends_with, free_port, wait_for
from signing_in import SignIn
from twitter import KEY, SECRET, Twitter, begin, sign_in

TOKEN = {"providerID": "twitter.com"}


@pytest.fixture
def twitter():
    server = Twitter()
    yield server
    server.close()


@pytest.fixture
def daemon(make_daemon, twitter):
    return make_daemon(twitter.configuration()).start()


def refused(daemon, **parameters):
    """A sign-in that ends before there is a page."""
    client = daemon.client()
    client.send("SignIn", {"providerID": "twitter.com", "presentation": "client", **parameters}, more=True)
    with pytest.raises(VarlinkError) as caught:
        client.receive()
    return caught.value


# ---- The whole way ----------------------------------------------------------------


def test_somebody_signs_in(daemon, twitter):
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
    assert user["photoURL"].endswith("/ada_normal.jpg") and info["profile"]["id_str"] == "1815121018151210181"
    [(token, kept)] = twitter.validator.access_tokens.items()
    assert (credential["accessToken"], credential["secret"], credential["tokenType"]) == (token, kept["secret"], "OAuth")
    assert credential["scopes"] == [] and not {"expiresAt", "idToken", "rawNonce"} & set(credential)
    assert page.url.startswith(f"{daemon.origin}/__/auth/done") and "Ada Lovelace" in page.text
    assert token not in page.text and kept["secret"] not in page.text
    # Each was asked once: every signature was right at the first try.
    paths = ["/oauth/request_token", "/oauth/access_token", "/1.1/account/verify_credentials.json"]
    assert [len(twitter.sent(path)) for path in paths] == [1, 1, 1]


def test_the_token_and_its_secret_are_handed_out_for_ever(daemon, twitter):
    credential = sign_in(daemon)["credential"]
    reply = daemon.call("GetAccessToken", {**TOKEN, "minimumValiditySeconds": 31_000_000})
    assert (reply["accessToken"], reply["secret"]) == (credential["accessToken"], credential["secret"])
    assert reply["uid"] == "1815121018151210181" and "expiresAt" not in reply
    with ends_with("SignInRequired"):
        daemon.call("GetAccessToken", {**TOKEN, "forceRefresh": True})
    with ends_with("ScopeNotGranted"):
        daemon.call("GetAccessToken", {**TOKEN, "scopes": ["tweet.read"]})
    assert daemon.call("ListCredentials")["credentials"][0]["refreshable"] is False


def test_a_credential_alone_has_the_secret_too(daemon, twitter):
    credential = sign_in(daemon, intent="credential")["credential"]
    assert credential["secret"] and "user" not in daemon.call("GetCurrentUser")
    result = daemon.call("SignInWithCredential", {"credential": {"handle": credential["handle"]}})["result"]
    assert result["credential"]["secret"] == credential["secret"] and result["user"]["displayName"] == "Ada Lovelace"


def test_a_restart_keeps_the_secret_and_hides_it(make_daemon, twitter):
    daemon = make_daemon(twitter.configuration(), port=free_port()).start()
    credential = sign_in(daemon)["credential"]
    daemon.kill()
    daemon.start()
    assert daemon.call("GetAccessToken", TOKEN)["secret"] == credential["secret"]
    for file in [*(daemon.directory / "state").iterdir(), daemon.log]:
        content = file.read_bytes() if file.is_file() else b""
        assert credential["secret"].encode() not in content and credential["accessToken"].encode() not in content, file


def test_two_people_are_two_accounts(daemon):
    first, second = sign_in(daemon)["result"]["user"]["uid"], sign_in(daemon, "grace")["result"]["user"]["uid"]
    assert first != second
    with ends_with("AmbiguousAccount"):
        daemon.call("GetAccessToken", TOKEN)
    assert daemon.call("GetAccessToken", {**TOKEN, "uid": "1906120919061209190"})["secret"]


def test_a_token_is_taken_back_by_a_signed_request(daemon, twitter):
    sign_in(daemon)
    assert daemon.call("RevokeCredential", TOKEN) == {"revokedAtProvider": True, "apps": ["default"]}
    assert twitter.validator.access_tokens == {} and daemon.call("ListCredentials") == {"credentials": []}


def test_one_that_x_has_forgotten_already_is_taken_back_too(daemon, twitter):
    sign_in(daemon)
    twitter.validator.access_tokens.clear()
    assert daemon.call("RevokeCredential", TOKEN) == {"revokedAtProvider": True, "apps": ["default"]}


def test_without_the_permission_there_is_no_address(daemon, twitter):
    del twitter.people["ada"]["email"]
    assert "email" not in sign_in(daemon)["result"]["user"]


@pytest.mark.parametrize("name", ["oauth_callback", "oauth_token", "state"])
def test_what_is_the_protocols_nobody_else_sets(daemon, name):
    assert refused(daemon, customParameters={name: "x"}).short == "ReservedParameter"


def test_there_are_no_scopes_to_ask_for(daemon):
    assert refused(daemon, scopes=["tweet.read"]).short == "InvalidParameter"


def test_any_server_of_oauth_1_can_be_configured(make_daemon, twitter):
    mapping = 'kind = "oauth1"\nprofile = { uid = "id_str", display-name = "name", username = "screen_name" }'
    configuration = twitter.configuration(mapping, name="photos")
    daemon = make_daemon(configuration).start()
    pending = SignIn(daemon, providerID="photos")
    consent(pending.url)
    event = pending.completed()
    assert event["result"]["user"]["providerData"][0]["uid"] == "1815121018151210181" and event["credential"]["secret"]
    assert daemon.call("RevokeCredential", {"providerID": "photos"}) == {"revokedAtProvider": True, "apps": ["default"]}


def test_the_command_shows_the_secret_where_it_is_asked_for_all(daemon):
    credential = sign_in(daemon)["credential"]
    assert run(daemon, "token", "twitter.com").stdout.strip() == credential["accessToken"]
    assert json.loads(run(daemon, "token", "twitter.com", "--json").stdout)["secret"] == credential["secret"]


def test_the_command_says_what_to_register_and_whether_it_is(daemon, twitter):
    shown = run(daemon, "provider", "show", "twitter.com").stdout
    assert f"{daemon.origin}/__/auth/handler\n" in shown and "compares it exactly" in shown and "configuration is complete" in shown
    assert run(daemon, "provider", "check", "twitter.com").returncode == 0
    twitter.callbacks = [f"{daemon.origin}/__/auth/handler/"]
    refusal = run(daemon, "provider", "check", "twitter.com")
    assert refusal.returncode != 0 and "register the callback URL that" in refusal.stdout, refusal


# ---- What comes back ----------------------------------------------------------------


def test_who_says_no_has_denied(daemon, twitter):
    pending = begin(daemon)
    page = consent(pending.url, None)
    with ends_with("SignInDenied") as caught:
        pending.completed()
    assert caught.value.parameters["error"] == "access_denied"
    assert page.url.startswith(f"{daemon.origin}/__/auth/done") and twitter.sent("/oauth/access_token") == []


@pytest.mark.parametrize("query", [
    "oauth_token=other&oauth_verifier=v", "denied=other", "oauth_verifier=v", "oauth_token=&oauth_verifier=v",
    "oauth_token=TOKEN&denied=TOKEN&oauth_verifier=v", "state=TOKEN&oauth_token=TOKEN&oauth_verifier=v",
    "oauth_token=TOKEN&oauth_token=TOKEN&oauth_verifier=v", "state=oauth_tokenTOKEN&oauth_verifier=v",
    "state=oauth_token%00TOKEN&oauth_verifier=v", "oauth_token=TOKEN%20&oauth_verifier=v"])
def test_a_callback_that_is_not_this_sign_ins_changes_nothing(daemon, twitter, query):
    pending = begin(daemon)
    token = parameters(pending.url)["oauth_token"]
    page = browser().get(f"{daemon.origin}/__/auth/handler?{query.replace('TOKEN', token)}")
    assert page.status_code == 400 and token not in page.text
    assert twitter.sent("/oauth/access_token") == []
    consent(pending.url)
    assert pending.completed()["state"] == "completed"


def test_another_path_is_not_where_it_waits(daemon):
    pending = begin(daemon)
    callback = answer(pending.url)
    assert browser().get(callback.replace("/handler?", "/handler/github.com?")).status_code == 400
    assert browser().get(callback).status_code == 200
    assert pending.completed()["state"] == "completed"


def test_a_replayed_callback_shows_the_result_and_sends_nothing(daemon, twitter):
    pending = begin(daemon)
    callback = answer(pending.url)
    first = browser().get(callback)
    pending.completed()
    assert browser().get(callback).url == first.url
    assert browser().get(callback + "x").status_code == 400  # another verifier
    assert browser().get(callback.replace("oauth_verifier", "denied")).status_code == 400
    assert len(twitter.sent("/oauth/access_token")) == 1


def test_a_wrong_verifier_is_refused_by_x_and_ends_it(daemon, twitter):
    pending = begin(daemon)
    token = parameters(pending.url)["oauth_token"]
    answer(pending.url)
    page = browser().get(f"{daemon.origin}/__/auth/handler?oauth_token={token}&oauth_verifier={'x' * 27}")
    with ends_with("ExchangeFailed") as caught:
        pending.completed()
    assert (caught.value.parameters["error"], caught.value.parameters["errorDescription"]) == ("32", "Could not authenticate you.")
    assert "Could not authenticate you." in page.text and len(twitter.sent("/oauth/access_token")) == 1


def test_a_verifier_that_is_missing_is_told(daemon, twitter):
    pending = begin(daemon)
    browser().get(f"{daemon.origin}/__/auth/handler?oauth_token={parameters(pending.url)['oauth_token']}")
    with ends_with("ExchangeFailed") as caught:
        pending.completed()
    assert "neither a verifier nor an error" in caught.value.parameters["message"] and twitter.sent("/oauth/access_token") == []


def test_a_pasted_redirect_works_as_one_by_http_does(daemon):
    pending = begin(daemon)
    callback = answer(pending.url)
    with ends_with("RedirectNotRecognised"):
        daemon.call("DeliverRedirect", {"url": f"{daemon.origin}/__/auth/handler?oauth_token=other&oauth_verifier=v"})
    assert daemon.call("DeliverRedirect", {"url": callback})["sessionID"] == pending.id
    assert pending.completed()["result"]["user"]["displayName"] == "Ada Lovelace"


# ---- A state beside it ----------------------------------------------------------------


@pytest.fixture
def stated(make_daemon, twitter):
    twitter.compares_exactly = False
    return make_daemon(twitter.configuration("callback-state = true")).start()


def test_a_state_rides_along_where_the_provider_lets_it(stated, twitter):
    pending = begin(stated)
    callback = answer(pending.url)
    assert len(parameters(callback)["state"]) == 43 and "state" not in parameters(pending.url)
    browser().get(callback)
    assert pending.completed()["state"] == "completed"


def test_state_and_token_must_both_be_right(stated, twitter):
    pending, other = begin(stated), begin(stated, app="other")
    callback, foreign = answer(pending.url), answer(other.url, "grace")
    mine, theirs = parameters(callback), parameters(foreign)
    base = f"{stated.origin}/__/auth/handler?"
    for query in [{**mine, "state": "x"}, {**mine, "state": theirs["state"]}, {**theirs, "state": mine["state"]},
                  {name: value for name, value in mine.items() if name != "state"}, {"state": mine["state"], "oauth_verifier": "v"},
                  {"state": mine["state"], "denied": theirs["oauth_token"]}]:
        assert browser().get(base + urllib.parse.urlencode(query)).status_code == 400, query
    assert twitter.sent("/oauth/access_token") == []
    browser().get(callback)
    assert pending.completed()["result"]["user"]["displayName"] == "Ada Lovelace"


def test_a_no_carries_the_state_too(stated):
    pending = begin(stated)
    callback = answer(pending.url, None)
    assert set(parameters(callback)) == {"state", "denied"}
    browser().get(callback)
    with ends_with("SignInDenied"):
        pending.completed()


# ---- Answers that are none ----------------------------------------------------------------


def test_an_unconfirmed_callback_ends_it(daemon, twitter):
    for word in ["false", "True", ""]:
        twitter.confirmed = word
        error = refused(daemon)
        assert error.short == "ExchangeFailed" and "oauth_callback_confirmed is not true" in str(error)
    assert daemon.call("ListSessions") == {"sessions": []}


def test_a_callback_that_is_not_registered_is_told_in_xs_words(daemon, twitter):
    twitter.callbacks = ["http://127.0.0.1:1/elsewhere"]
    error = refused(daemon)
    assert (error.short, error.parameters["error"]) == ("ExchangeFailed", "415")
    assert error.parameters["errorDescription"] == "Callback URL not approved for this client application."


@pytest.mark.parametrize("status, kind, body, short", [
    (200, "text/html", "<html><body>Please&nbsp;wait</body></html>", "ExchangeFailed"),
    (200, "text/html", "", "ExchangeFailed"),
    (200, "application/json", '{"oauth_token":"a","oauth_token_secret":"b","oauth_callback_confirmed":"true"}', "ExchangeFailed"),
    (200, "text/html", "oauth_token=a%0d%0aX:1&oauth_token_secret=b&oauth_callback_confirmed=true", "ExchangeFailed"),
    pytest.param(200, "text/html", "oauth_token=" + "a" * 200_000, "ExchangeFailed", id="very long"),
    (302, "text/html", "", "ExchangeFailed"),
    (401, "text/html", "<html>Unauthorized</html>", "ExchangeFailed"),
    (429, "application/json", '{"errors":[{"code":88,"message":"Rate limit exceeded"}]}', "ProviderUnreachable"),
    (503, "text/html", "<html>Over capacity</html>", "ProviderUnreachable"),
])
def test_what_is_no_request_token_ends_it(daemon, twitter, status, kind, body, short):
    twitter.answers["/oauth/request_token"] = [(status, kind, body)]
    assert refused(daemon).short == short
    assert sign_in(daemon)["state"] == "completed"


@pytest.mark.parametrize("path", ["/oauth/access_token", "/1.1/account/verify_credentials.json"])
@pytest.mark.parametrize("status, kind, body, short", [
    (200, "text/html", "<html>hello</html>", "ExchangeFailed"), (200, "application/json", "{}", "ExchangeFailed"),
    (401, "application/json", '{"errors":[{"code":89,"message":"Invalid or expired token."}]}', "ExchangeFailed"),
    (403, "text/html", "<html>Forbidden</html>", "ExchangeFailed"), (503, "text/html", "", "ProviderUnreachable")])
def test_what_is_no_token_and_no_profile_ends_it(daemon, twitter, path, status, kind, body, short):
    twitter.answers[path] = [(status, kind, body)]
    pending = begin(daemon)
    consent(pending.url)
    with ends_with(short) as caught:
        pending.completed()
    if status == 401:
        assert (caught.value.parameters["error"], caught.value.parameters["errorDescription"]) == ("89", "Invalid or expired token.")
    assert len(twitter.sent("/oauth/access_token")) == 1 and daemon.call("ListCredentials") == {"credentials": []}


def test_a_wrong_secret_is_told_and_shown_nowhere(make_daemon, twitter):
    daemon = make_daemon(twitter.configuration().replace(SECRET, "wrong-secret-of-mine")).start()
    error = refused(daemon)
    assert (error.short, error.parameters["error"]) == ("ExchangeFailed", "32")
    assert "wrong-secret-of-mine" not in str(error) + daemon.log.read_text()


def test_a_provider_that_cannot_be_reached_is_told(make_daemon, twitter):
    daemon = make_daemon(twitter.configuration().replace(twitter.origin, f"http://127.0.0.1:{free_port()}")).start()
    assert refused(daemon).short == "ProviderUnreachable"


# ---- The clock ------------------------------------------------------------------------


@pytest.mark.parametrize("skew", [3600, -7200])
@pytest.mark.parametrize("names_timestamp", [True, False])
def test_a_wrong_clock_is_learnt_from_the_first_refusal(daemon, twitter, skew, names_timestamp):
    twitter.skew, twitter.names_timestamp = skew, names_timestamp
    assert sign_in(daemon)["state"] == "completed"
    paths = ["/oauth/request_token", "/oauth/access_token", "/1.1/account/verify_credentials.json"]
    assert [len(twitter.sent(path)) for path in paths] == [2, 1, 1]
    sign_in(daemon, app="other")
    assert len(twitter.sent("/oauth/request_token")) == 3


def test_requests_that_are_refused_at_the_same_time_are_each_asked_once_more(daemon, twitter):
    twitter.skew, together, usual = 3600, threading.Barrier(3), twitter.request_token

    def all_at_once(handler, *request):
        if len(twitter.sent("/oauth/request_token")) <= together.parties:
            together.wait(20)
        usual(handler, *request)

    twitter.request_token = all_at_once
    clients = [daemon.client() for _ in range(together.parties)]
    for number, client in enumerate(clients):
        client.send("SignIn", {"providerID": "twitter.com", "presentation": "client", "app": f"app{number}"}, more=True)
    assert [client.receive()["event"]["state"] for client in clients] == ["authorizationPending"] * 3
    assert len(twitter.sent("/oauth/request_token")) == 6


def test_a_clock_that_goes_wrong_before_the_exchange_is_learnt_where_x_says_so(daemon, twitter):
    pending = begin(daemon)
    twitter.skew = 3600
    consent(pending.url)
    assert pending.completed()["state"] == "completed" and len(twitter.sent("/oauth/access_token")) == 2


def test_a_verifier_is_not_sent_twice_for_a_reason_that_x_does_not_name(daemon, twitter):
    pending = begin(daemon)
    twitter.skew, twitter.names_timestamp = 3600, False
    consent(pending.url)
    with ends_with("ExchangeFailed") as caught:
        pending.completed()
    assert len(twitter.sent("/oauth/access_token")) == 1
    assert "s behind the provider's, which refuses such requests: correct it" in caught.value.parameters["message"]


def test_a_server_that_refuses_whatever_the_time_is_asked_twice_and_no_more(daemon, twitter):
    twitter.skew = 3600
    error = (401, "application/json", '{"errors":[{"code":135,"message":"Timestamp out of bounds."}]}')
    twitter.answers["/oauth/request_token"] = [error] * 3
    assert refused(daemon).parameters["error"] == "135"
    assert len(twitter.sent("/oauth/request_token")) == 2


# ---- Several programs, several lives ------------------------------------------------------


def test_programs_that_ask_the_same_share_one_request_token(daemon, twitter):
    pending = [begin(daemon) for _ in range(5)]
    assert len({each.url for each in pending}) == 1 and len(twitter.sent("/oauth/request_token")) == 1
    consent(pending[0].url)
    assert len({each.completed()["credential"]["secret"] for each in pending}) == 1


def test_a_cancelled_sign_in_takes_no_callback(daemon, twitter):
    pending = begin(daemon)
    callback = answer(pending.url)
    daemon.call("CancelSession", {"sessionID": pending.id})
    assert browser().get(callback).status_code == 400
    with ends_with("SignInCancelled"):
        pending.completed()
    assert twitter.sent("/oauth/access_token") == []


def test_one_cancelled_while_the_verifier_is_under_way_takes_its_token_back(daemon, twitter):
    twitter.gate.clear()
    pending = begin(daemon)
    browser().get(answer(pending.url), allow_redirects=False)
    wait_for(lambda: twitter.sent("/oauth/access_token"), what="the verifier")
    daemon.call("CancelSession", {"sessionID": pending.id})
    with ends_with("SignInCancelled"):
        pending.completed()
    twitter.gate.set()
    daemon.stop()  # waits for what is under way
    assert twitter.validator.access_tokens == {} and len(twitter.sent("/1.1/oauth/invalidate_token.json")) == 1


@pytest.mark.parametrize("more", ["", "callback-state = true"])
def test_a_browser_that_comes_back_after_a_kill_completes_it(make_daemon, twitter, more):
    twitter.compares_exactly = not more
    daemon = make_daemon(twitter.configuration(more), port=free_port()).start()
    pending = begin(daemon)
    daemon.kill()
    callback = answer(pending.url)
    daemon.start()
    assert "Ada Lovelace" in browser().get(callback).text
    event = daemon.call("AttachSession", {"sessionID": pending.id})["event"]
    assert event["state"] == "completed" and event["credential"]["secret"]
    assert browser().get(callback).status_code in (200, 400) and len(twitter.sent("/oauth/access_token")) == 1


def test_the_page_survives_a_restart_without_another_request_token(make_daemon, twitter):
    daemon = make_daemon(twitter.configuration(), port=free_port()).start()
    pending = begin(daemon, customParameters={"lang": "it"})
    daemon.kill()
    daemon.start()
    joined = begin(daemon, customParameters={"lang": "it"})
    assert (joined.id, joined.url) == (pending.id, pending.url) and len(twitter.sent("/oauth/request_token")) == 1
    consent(joined.url)
    assert joined.completed()["result"]["user"]["displayName"] == "Ada Lovelace"


@pytest.mark.parametrize("first", [0, 1])
def test_a_page_opened_again_has_a_request_token_of_its_own_and_each_is_good_until_one_comes_back(make_daemon, twitter, first):
    daemon = make_daemon(twitter.configuration(), port=free_port()).start()
    pending = begin(daemon)
    attached = daemon.client()
    attached.send("AttachSession", {"sessionID": pending.id}, more=True)
    again = attached.receive()["event"]["authorizationURL"]
    assert parameters(again)["oauth_token"] != parameters(pending.url)["oauth_token"]
    daemon.kill()
    callbacks = [answer(pending.url, "ada"), answer(again, "grace")]
    daemon.start()
    assert browser().get(callbacks[first]).status_code == 200
    event = daemon.call("AttachSession", {"sessionID": pending.id})["event"]
    assert event["result"]["user"]["displayName"] == ["Ada Lovelace", "Grace Hopper"][first]
    assert browser().get(callbacks[1 - first]).status_code in (200, 400) and len(twitter.sent("/oauth/access_token")) == 1


def test_many_who_take_one_sign_in_up_at_once_get_so_many_pages_and_no_more(daemon, twitter):
    pending = begin(daemon)
    clients = [daemon.client() for _ in range(40)]
    for client in clients:
        client.send("AttachSession", {"sessionID": pending.id}, more=True)
    urls = [client.receive()["event"]["authorizationURL"] for client in clients]
    assert len(twitter.sent("/oauth/request_token")) <= 16
    consent(urls[-1])
    assert pending.completed()["state"] == "completed"


def test_a_kill_while_the_verifier_is_under_way_is_told_and_nothing_is_sent_again(make_daemon, twitter):
    twitter.gate.clear()
    daemon = make_daemon(twitter.configuration(), port=free_port()).start()
    pending = begin(daemon)
    callback = answer(pending.url)
    browser().get(callback, allow_redirects=False)
    assert pending.client.receive()["event"]["state"] == "exchanging"
    daemon.kill()
    twitter.gate.set()
    daemon.start()
    with ends_with("ExchangeFailed"):
        daemon.call("AttachSession", {"sessionID": pending.id})
    browser().get(callback)
    assert len(twitter.sent("/oauth/access_token")) <= 1 and daemon.call("ListCredentials") == {"credentials": []}


def test_a_request_token_on_disk_is_sealed(make_daemon, twitter):
    daemon = make_daemon(twitter.configuration(), port=free_port()).start()
    pending = begin(daemon)
    token = parameters(pending.url)["oauth_token"]
    secret = twitter.validator.request_tokens[token]["oauth_token_secret"]
    daemon.kill()
    for file in [*(daemon.directory / "state").iterdir(), daemon.log]:
        content = file.read_bytes() if file.is_file() else b""
        assert token.encode() not in content and secret.encode() not in content, file


def test_what_began_with_one_key_is_not_sent_with_another(make_daemon, twitter):
    daemon = make_daemon(twitter.configuration(), port=free_port()).start()
    pending = begin(daemon)
    daemon.write(twitter.configuration().replace(KEY, "anotherkeyanotherkey00"))
    daemon.call("Reload")
    consent(pending.url)
    with ends_with("ProviderNotConfigured"):
        pending.completed()
    assert twitter.sent("/oauth/access_token") == []


# ---- Requests that programs sign with it ------------------------------------------


AWKWARD = [("status", "Ladies + Gentlemen, a café & 100% \u2603"), ("empty", ""), ("a", "1"), ("a", "0"), ("b=c", "~-._")]


def authorized(daemon, method, url, **more):
    return daemon.call("AuthorizeRequest", {"method": method, "url": url, **more})


def test_a_request_is_signed_and_good_for_itself_alone(make_daemon, twitter):
    daemon = make_daemon(twitter.configuration(f'serves = ["{twitter.origin}/1.1/"]')).start()
    sign_in(daemon)
    url = f"{twitter.origin}/1.1/search/tweets.json?{urllib.parse.urlencode(AWKWARD)}&q=%2Fa+b"
    reply = authorized(daemon, "GET", url)
    assert set(reply["headers"]) == {"Authorization"} and reply["headers"]["Authorization"].startswith("OAuth ")
    assert SECRET not in str(reply) and "expiresAt" not in reply
    answer = browser().get(url, headers=reply["headers"], timeout=30)
    assert answer.json() == {"person": "ada", "query": [list(pair) for pair in AWKWARD] + [["q", "/a b"]], "form": []}
    for other in (url, url + "&more=1", url.replace("search/tweets", "statuses/update")):
        again = browser().get(other, headers=reply["headers"], timeout=30)
        assert again.status_code in (401, 404), "another one, or the same once more"


def test_the_parameters_of_a_form_are_signed(make_daemon, twitter):
    daemon = make_daemon(twitter.configuration(f'serves = ["{twitter.origin}"]')).start()
    sign_in(daemon)
    url = f"{twitter.origin}/1.1/statuses/update.json"
    form = [{"name": name, "value": value} for name, value in AWKWARD]
    sent = browser().post(url, data=AWKWARD, headers=authorized(daemon, "POST", url, account="twitter.com", form=form)["headers"], timeout=30)
    assert sent.json() == {"person": "ada", "query": [], "form": [list(pair) for pair in AWKWARD]}
    changed = [*AWKWARD[1:], ("status", "something else")]
    refused = browser().post(url, data=changed, headers=authorized(daemon, "POST", url, form=form)["headers"], timeout=30)
    assert refused.status_code == 401


def test_nothing_is_signed_for_elsewhere(make_daemon, twitter):
    daemon = make_daemon(twitter.configuration(f'serves = ["{twitter.origin}/1.1/"]')).start()
    sign_in(daemon)
    host = twitter.origin.removeprefix("http://")
    for url in (f"{twitter.origin}/oauth/x", "https://api.x.com/1.1/x", f"http://{host}@evil.example/1.1/x", f"{twitter.origin}/1.1/../oauth/x", "http://evil.example/1.1/"):
        for more in ({}, {"account": "twitter.com"}):
            with ends_with("OriginNotServed"):
                authorized(daemon, "GET", url, **more)
