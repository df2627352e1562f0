"""Access tokens that programs got themselves, where the tables of exchanges do not reach: signed ones, and ones beside an ID token."""
import base64
import hashlib

import pytest
from fake import Server
from identity_toolkit import IdentityToolkit
from keys import Keys
from postern import VarlinkError, ends_with
from second_factors import oathtool
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
    assert "cannot say for which client" in caught.value.parameters["message"]
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


def test_an_access_token_alone_signs_in_and_does_nothing_else(make_daemon, work):
    daemon = make_daemon(work.configuration(f'introspection-endpoint = "{work.origin}/introspect"')).start()
    assert show(daemon, providerID="work", accessToken="at-ada")["operation"] == "signIn"
    asked = len(work.requests)
    daemon.call("SignInAnonymously", {"app": "anonymous"})
    for app in ["default", "anonymous", "nobody"]:
        with ends_with("InvalidCredential"):
            show(daemon, "link", app=app, providerID="work", accessToken="at-grace")
    # Neither the one that is kept nor a new one shows that the person is there.
    work.people["at-new"] = work.people["at-ada"]
    for app, token in [("default", "at-ada"), ("default", "at-new"), ("other", "at-new")]:
        with ends_with("InvalidCredential") as caught:
            show(daemon, "reauthenticate", app=app, providerID="work", accessToken=token)
        assert "does not show that the user is present" in caught.value.parameters["message"]
    assert len(work.requests) == asked, "nobody needs to be asked"


def test_microsoft_says_of_no_access_token_for_whom_it_was_made(make_daemon):
    daemon = make_daemon('[provider."microsoft.com"]\nclient-id = "c"\nissuer = "https://127.0.0.1:9/"\n').start()
    with ends_with("InvalidCredential") as caught:
        show(daemon, providerID="microsoft.com", accessToken="at")
    assert "cannot say for which client" in caught.value.parameters["message"]


# ---- What it does not show ------------------------------------------------------------


@pytest.fixture
def asked(make_daemon, work):
    """A daemon that can ask for whom a token of `work` was made, and trusts its addresses."""
    return make_daemon(work.configuration(f'introspection-endpoint = "{work.origin}/introspect"\ntrust-email = true')).start()


def kept(daemon):
    """Any program gets it, at any time."""
    return {"providerID": "work", "accessToken": daemon.call("GetAccessToken", {"providerID": "work"})["accessToken"]}


def test_an_access_token_makes_no_sign_in_recent(asked, work):
    uid = show(asked, **work.pair("at-ada"))["user"]["uid"]
    for token in ["at-ada", "at-new"]:
        work.people["at-new"] = work.people["at-ada"]
        assert show(asked, app="thief", providerID="work", accessToken=token)["user"]["uid"] == uid
        for method, parameters in [("DeleteUser", {}), ("UpdateUser", {"email": "thief@x.example"}), ("UpdateUser", {"password": "correct horse"})]:
            with ends_with("RequiresRecentSignIn"):
                asked.call(method, {"app": "thief", **parameters})
    # Nor the sign-in that made the user: whoever had the token could have come before its person did.
    assert show(asked, app="other", providerID="work", accessToken="at-grace")["user"]["uid"] != uid
    with ends_with("RequiresRecentSignIn"):
        asked.call("UpdateUser", {"app": "other", "email": "thief@x.example", "password": "correct horse"})
    asked.call("DeleteUser")


def test_a_kept_token_does_not_become_a_recent_sign_in_by_way_of_a_collision(asked, work):
    uid = show(asked, **work.pair("at-ada"))["user"]["uid"]
    token = kept(asked)
    asked.call("SignInAnonymously", {"app": "x"})
    with ends_with("InvalidCredential") as caught:
        show(asked, "link", app="x", **token)
    assert "does not show that the user is present" in caught.value.parameters["message"]
    assert asked.call("GetCurrentUser", {"app": "x"})["user"]["isAnonymous"]
    assert show(asked, app="x", **token)["user"]["uid"] == uid
    with ends_with("RequiresRecentSignIn"):
        asked.call("DeleteUser", {"app": "x"})
    assert asked.call("GetCurrentUser", {"app": "x"})["user"]["uid"] == uid


def test_a_kept_token_makes_nobodys_account_a_way_in_for_somebody_else(asked, work):
    """Who comes before the owner, with a password of their own, does not get the owner's account beside it."""
    work.people["at-early"] = {"sub": "1", "name": "Ada", "email": "ada@example.com", "email_verified": True}
    asked.call("CreateUser", {"app": "thief", "email": "ada@example.com", "password": "correct horse"})
    for app in ["thief", "x"]:
        if app == "x":
            asked.call("SignInAnonymously", {"app": app})
        with ends_with("InvalidCredential"):
            show(asked, "link", app=app, providerID="work", accessToken="at-early")
    owner = show(asked, app="owner", **work.pair("at-early", email="ada@example.com", email_verified=True))["user"]
    assert [each["providerID"] for each in owner["providerData"]] == ["work"]
    with ends_with("WrongPassword"):
        show(asked, app="again", email="ada@example.com", password="correct horse")


def test_nor_by_way_of_an_address_that_is_a_users(make_daemon, work):
    daemon = make_daemon(work.configuration(f'introspection-endpoint = "{work.origin}/introspect"')).start()
    daemon.call("CreateUser", {"email": "ada@example.com", "password": "correct horse"})
    handle = collision(lambda: show(daemon, app="x", providerID="work", accessToken="at-ada"), "AccountExistsWithDifferentCredential")
    with ends_with("InvalidCredential"):
        show(daemon, "reauthenticate", handle=handle)
    # Neither does it make the account a way in of whoever has the address's password here.
    with ends_with("InvalidCredential"):
        show(daemon, "link", handle=handle)
    collision(lambda: show(daemon, app="x", handle=handle), "AccountExistsWithDifferentCredential")


def test_nor_by_way_of_a_second_factor(asked, work):
    """Its code shows the person anew, but not that they are there with the first one."""
    show(asked, **work.pair("at-ada", email="ada@example.com", email_verified=True))
    enrolment = asked.call("EnrollSecondFactor", {"factorID": "totp"})
    asked.call("ConfirmSecondFactor", {"enrollmentID": enrolment["enrollmentID"], "verificationCode": oathtool(enrolment["secret"])})
    with ends_with("SecondFactorRequired") as caught:
        show(asked, app="x", **kept(asked))
    given = caught.value.parameters
    asked.call("ResolveSecondFactor", {
        "resolver": given["resolver"], "uid": given["hints"][0]["uid"], "verificationCode": oathtool(enrolment["secret"], 1)})
    with ends_with("RequiresRecentSignIn"):
        asked.call("DeleteUser", {"app": "x"})


def test_nor_where_a_firebase_project_has_the_accounts(make_daemon, work):
    """The project would take the token for a sign-in of this moment."""
    project = IdentityToolkit()
    project.claims = lambda given: {"sub": "1", "email": "ada@example.com"}
    try:
        daemon = make_daemon(
            project.configuration().split("[provider", 1)[0] + work.configuration(f'introspection-endpoint = "{work.origin}/introspect"')).start()
        uid = show(daemon, **work.pair("at-ada"))["user"]["uid"]
        with ends_with("InvalidCredential"):
            show(daemon, "reauthenticate", **kept(daemon))
        daemon.call("SignInAnonymously", {"app": "x"})
        with ends_with("InvalidCredential"):
            show(daemon, "link", app="x", **kept(daemon))
        assert show(daemon, app="x", **kept(daemon))["user"]["uid"] == uid
        for method, parameters in [("DeleteUser", {}), ("UpdateUser", {"password": "correct horse"}), ("EnrollSecondFactor", {"factorID": "totp"})]:
            with ends_with("RequiresRecentSignIn"):
                daemon.call(method, {"app": "x", **parameters})
        assert uid in project.users
        # Who was there can do it all the same.
        assert show(daemon, "reauthenticate", app="x", **work.pair("at-ada", jti="2"))["operation"] == "reauthenticate"
        daemon.call("DeleteUser", {"app": "x"})
        assert uid not in project.users
    finally:
        project.close()


def collision(call, error):
    with ends_with(error) as caught:
        call()
    return caught.value.parameters["credential"]["handle"]
