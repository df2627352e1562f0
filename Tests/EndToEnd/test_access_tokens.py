"""Access tokens that programs got themselves, where the tables in `exchanges/` do not reach: signed ones, and ones beside an ID token."""
import base64
import concurrent.futures
import hashlib

import pytest
from fake import Server
from keys import Keys
from postern import VarlinkError, ends_with
from twitter import SECRET, Twitter, sign_in

RAW = "nonce-0123456789ABCDEFabcdef._-x"


def show(daemon, intent="signIn", app="default", **credential):
    return daemon.call("SignInWithCredential", {"credential": credential, "intent": intent, "app": app})["result"]


# ---- OAuth 1.0a ---------------------------------------------------------------------


@pytest.fixture
def twitter():
    server = Twitter()
    yield server
    server.close()


@pytest.fixture
def x(make_daemon, twitter):
    return make_daemon(twitter.configuration()).start()


@pytest.fixture
def given(make_daemon, twitter):
    """What X gave another program of the same application."""
    credential = sign_in(make_daemon(twitter.configuration()).start())["credential"]
    return {"providerID": "twitter.com", "accessToken": credential["accessToken"], "secret": credential["secret"]}


def test_a_signed_token_of_this_application_signs_in(x, twitter, given):
    result = show(x, **given)
    assert result["user"]["displayName"] == "Ada Lovelace" and result["user"]["providerData"][0]["uid"] == "1815121018151210181"
    assert (result["credential"]["accessToken"], result["credential"]["secret"]) == (given["accessToken"], given["secret"])
    assert x.call("GetAccessToken", {"providerID": "twitter.com"})["secret"] == given["secret"]


def test_a_signed_token_of_another_application_signs_nobody_in(x, twitter, given):
    twitter.validator.access_tokens[given["accessToken"]]["client"] = "another-application"
    with ends_with("InvalidCredential"):
        show(x, **given)
    assert x.call("GetStatus")["users"] == 0


@pytest.mark.parametrize("change", [{"secret": "another"}, {"accessToken": "1815121018151210181-nobodysToken0000"}])
def test_a_signed_token_that_is_not_good_signs_nobody_in(x, given, change):
    with ends_with("InvalidCredential"):
        show(x, **{**given, **change})


def test_a_signed_token_without_its_secret_is_none(x, given):
    del given["secret"]
    with pytest.raises(VarlinkError) as caught:
        show(x, **given)
    assert caught.value.parameters["parameter"] == "credential.secret"


def test_another_provider_of_oauth_1_is_not_taken_at_its_word(make_daemon, twitter, given):
    """RFC 5849 leaves it to servers whether a token is good in the hands of another client."""
    config = twitter.configuration(name="old", more='kind = "oauth1"\nprofile = { uid = "id_str" }')
    daemon = make_daemon(config).start()
    with ends_with("InvalidCredential") as caught:
        show(daemon, **{**given, "providerID": "old"})
    assert "no way to tell" in caught.value.parameters["message"]
    assert twitter.sent("/1.1/account/verify_credentials.json") == twitter.sent("/1.1/account/verify_credentials.json")[:1]


def test_no_signed_token_is_in_the_log(x, twitter, given):
    show(x, **given)
    twitter.validator.access_tokens.clear()
    with ends_with("InvalidCredential"):
        show(x, **given)
    log = x.log.read_text()
    assert given["accessToken"] not in log and given["secret"] not in log and SECRET not in log


# ---- Beside an ID token ---------------------------------------------------------------


class Provider(Server):
    def __init__(self):
        super().__init__()
        self.keys = Keys(self.origin, "postern")
        self.people = {"at-ada": {"sub": "1", "name": "Ada", "email": "ada@example.com"}, "at-grace": {"sub": "2", "name": "Grace"}}

    def configuration(self, more=""):
        return f'''
[provider.work]
kind = "oidc"
issuer = "{self.origin}"
client-id = "postern"
authorization-endpoint = "{self.origin}/authorize"
token-endpoint = "{self.origin}/token"
userinfo-endpoint = "{self.origin}/userinfo"
jwks-uri = "{self.origin}/jwks"
{more}
'''

    def answer(self, request):
        if request.path == "/jwks":
            return 200, self.keys.document
        if request.path == "/introspect":
            return 200, {"active": request.form["token"] in self.people, "client_id": "postern", "sub": self.people.get(request.form["token"], {}).get("sub")}
        if request.path == "/userinfo":
            person = self.people.get((request.headers.get("Authorization") or "").removeprefix("Bearer "))
            return (200, person) if person else (401, {"error": "invalid_token"})
        return 404, {}

    def pair(self, access, sub="1", **claims):
        return {"providerID": "work", "idToken": self.keys.token(sub=sub, nonce=RAW, **claims), "rawNonce": RAW, "accessToken": access}


def at_hash(token):
    return base64.urlsafe_b64encode(hashlib.sha256(token.encode()).digest()[:16]).rstrip(b"=").decode()


@pytest.fixture
def work():
    provider = Provider()
    yield provider
    provider.close()


def test_an_id_token_tells_for_whom_its_access_token_was_made(make_daemon, work):
    daemon = make_daemon(work.configuration()).start()
    result = show(daemon, **work.pair("at-ada", at_hash=at_hash("at-ada")))
    assert result["user"]["displayName"] == "Ada" and result["credential"]["rawNonce"] == RAW
    assert daemon.call("GetAccessToken", {"providerID": "work"})["accessToken"] == "at-ada"


def test_without_that_the_provider_must_be_asked(make_daemon, work):
    daemon = make_daemon(work.configuration()).start()
    with ends_with("InvalidCredential"):
        show(daemon, **work.pair("at-ada"))
    daemon.write(work.configuration(f'introspection-endpoint = "{work.origin}/introspect"'))
    daemon.call("Reload")
    assert show(daemon, **work.pair("at-ada"))["user"]["displayName"] == "Ada"


def test_metadata_name_where_to_ask(make_daemon, work):
    metadata = {"issuer": work.origin, "introspection_endpoint": f"{work.origin}/introspect", "jwks_uri": f"{work.origin}/jwks",
                "authorization_endpoint": f"{work.origin}/a", "token_endpoint": f"{work.origin}/t", "userinfo_endpoint": f"{work.origin}/userinfo"}
    usual = work.answer
    work.answer = lambda request: (200, metadata) if request.path.startswith("/.well-known") else usual(request)
    daemon = make_daemon(f'[provider.work]\nkind = "oidc"\nissuer = "{work.origin}"\nclient-id = "postern"\n').start()
    assert show(daemon, providerID="work", accessToken="at-grace")["user"]["displayName"] == "Grace"


@pytest.mark.parametrize("claims", [{"at_hash": at_hash("at-grace")}, {"at_hash": "A" * 22}, {"at_hash": ""}])
def test_an_access_token_that_came_with_another_id_token_is_refused(make_daemon, work, claims):
    daemon = make_daemon(work.configuration(f'introspection-endpoint = "{work.origin}/introspect"')).start()
    with ends_with("InvalidIDToken"):
        show(daemon, **work.pair("at-ada", **claims))
    assert work.sent("/introspect") == [] and work.sent("/userinfo") == []


def test_the_tokens_of_two_persons_are_nobodys(make_daemon, work):
    daemon = make_daemon(work.configuration(f'introspection-endpoint = "{work.origin}/introspect"')).start()
    with pytest.raises(VarlinkError) as caught:
        show(daemon, **work.pair("at-grace"))
    assert caught.value.short in ("InvalidIDToken", "InvalidCredential") and daemon.call("GetStatus")["users"] == 0


def test_a_pair_signs_in_once_and_is_given_back_where_it_comes_to_nothing(make_daemon, work):
    daemon = make_daemon(work.configuration(f'introspection-endpoint = "{work.origin}/introspect"')).start()
    pair = work.pair("at-ada")
    work.next.append(("/introspect", 503, "busy"))
    with ends_with("ProviderUnreachable"):
        show(daemon, **pair)
    show(daemon, **pair)
    with ends_with("InvalidCredential"):
        show(daemon, **pair)


def test_a_token_shown_twice_at_once_reauthenticates_once(make_daemon, work):
    daemon = make_daemon(work.configuration(f'introspection-endpoint = "{work.origin}/introspect"')).start()
    work.people["at-new"] = work.people["at-ada"]
    show(daemon, providerID="work", accessToken="at-ada")

    def again(_):
        try:
            return show(daemon, "reauthenticate", providerID="work", accessToken="at-new")["operation"]
        except VarlinkError as error:
            return error.short

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        outcomes = sorted(pool.map(again, range(8)))
    assert outcomes == ["InvalidCredential"] * 7 + ["reauthenticate"]


def test_every_intent_but_one_takes_an_access_token(make_daemon, work):
    daemon = make_daemon(work.configuration(f'introspection-endpoint = "{work.origin}/introspect"')).start()
    work.people["at-new"] = work.people["at-ada"]
    with ends_with("NoCurrentUser"):
        show(daemon, "link", providerID="work", accessToken="at-ada")
    with ends_with("NoCurrentUser"):
        show(daemon, "reauthenticate", providerID="work", accessToken="at-ada")
    assert show(daemon, providerID="work", accessToken="at-ada")["operation"] == "signIn"
    with ends_with("ProviderAlreadyLinked"):
        show(daemon, "link", providerID="work", accessToken="at-grace")
    show(daemon, app="other", providerID="work", accessToken="at-grace")
    with ends_with("UserMismatch"):
        show(daemon, "reauthenticate", app="other", providerID="work", accessToken="at-new")
    # Refused, so it is as new as before.
    assert show(daemon, "reauthenticate", providerID="work", accessToken="at-new")["operation"] == "reauthenticate"


def test_microsoft_says_of_no_access_token_for_whom_it_was_made(make_daemon):
    daemon = make_daemon('[provider."microsoft.com"]\nclient-id = "c"\nissuer = "https://127.0.0.1:9/"\n').start()
    with ends_with("InvalidCredential") as caught:
        show(daemon, providerID="microsoft.com", accessToken="at")
    assert "no way to tell" in caught.value.parameters["message"]


def test_a_token_that_was_used_before_signs_in_and_makes_nothing_recent(make_daemon, work):
    daemon = make_daemon(work.configuration(f'introspection-endpoint = "{work.origin}/introspect"')).start()
    show(daemon, providerID="work", accessToken="at-ada")
    # Any program gets it, at any time.
    kept = daemon.call("GetAccessToken", {"providerID": "work"})["accessToken"]
    assert show(daemon, app="thief", providerID="work", accessToken=kept)["operation"] == "signIn"
    with ends_with("RequiresRecentSignIn"):
        daemon.call("DeleteUser", {"app": "thief"})
    # Not even where another one has taken its place since.
    work.people["at-new"] = work.people["at-ada"]
    show(daemon, providerID="work", accessToken="at-new")
    show(daemon, app="thief", providerID="work", accessToken=kept)
    with ends_with("RequiresRecentSignIn"):
        daemon.call("DeleteUser", {"app": "thief"})
    daemon.call("DeleteUser")
