"""Access tokens that programs got themselves, where the tables of exchanges do not reach: signed ones, and ones beside an ID token."""
import base64
import hashlib

import pytest
from fake import Server
from keys import Keys
from postern import VarlinkError, ends_with
from twitter import SECRET, Twitter, sign_in

RAW = "nonce-0123456789ABCDEFabcdef._-x"


def show(daemon, **credential):
    return daemon.call("SignInWithCredential", {"credential": credential, "intent": "signIn"})["result"]


# ---- OAuth 1.0a ---------------------------------------------------------------------


@pytest.fixture
def twitter():
    server = Twitter()
    yield server
    server.close()


def test_a_signed_token_signs_in_at_its_own_application_with_its_secret_and_is_not_in_the_log(make_daemon, twitter):
    first, x = make_daemon(twitter.configuration()).start(), make_daemon(twitter.configuration()).start()
    # What X gave another program of the same application.
    credential = sign_in(first)["credential"]
    given = {"providerID": "twitter.com", "accessToken": credential["accessToken"], "secret": credential["secret"]}
    for wrong in [{"secret": "another"}, {"accessToken": "1815121018151210181-nobodysToken0000"}]:
        with ends_with("InvalidCredential"):
            show(x, **{**given, **wrong})
    with pytest.raises(VarlinkError) as caught:
        show(x, providerID="twitter.com", accessToken=given["accessToken"])
    assert caught.value.parameters["parameter"] == "credential.secret"
    token = twitter.validator.access_tokens[given["accessToken"]]
    token["client"] = "another-application"
    with ends_with("InvalidCredential"):
        show(x, **given)
    assert x.call("GetStatus")["users"] == 0
    del token["client"]
    result = show(x, **given)
    assert result["user"]["displayName"] == "Ada Lovelace" and result["user"]["providerData"][0]["uid"] == "1815121018151210181"
    assert (result["credential"]["accessToken"], result["credential"]["secret"]) == (given["accessToken"], given["secret"])
    assert x.call("GetAccessToken", {"providerID": "twitter.com"})["secret"] == given["secret"]
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


def test_an_id_token_tells_for_whom_its_access_token_was_made_or_else_the_provider_must_be_asked(make_daemon, work):
    daemon = make_daemon(work.configuration()).start()
    with ends_with("InvalidCredential"):
        show(daemon, **work.pair("at-ada"))
    result = show(daemon, **work.pair("at-ada", at_hash=at_hash("at-ada")))
    assert result["user"]["displayName"] == "Ada" and result["credential"]["rawNonce"] == RAW
    assert daemon.call("GetAccessToken", {"providerID": "work"})["accessToken"] == "at-ada"
    daemon.write(work.configuration(f'introspection-endpoint = "{work.origin}/introspect"'))
    daemon.call("Reload")
    assert show(daemon, **work.pair("at-ada"))["user"]["displayName"] == "Ada"


def test_the_introspection_endpoint_is_taken_from_the_metadata(make_daemon, work):
    metadata = {"issuer": work.origin, "introspection_endpoint": f"{work.origin}/introspect", "jwks_uri": f"{work.origin}/jwks",
                "authorization_endpoint": f"{work.origin}/a", "token_endpoint": f"{work.origin}/t", "userinfo_endpoint": f"{work.origin}/userinfo"}
    usual = work.answer
    work.answer = lambda request: (200, metadata) if request.path.startswith("/.well-known") else usual(request)
    daemon = make_daemon(f'[provider.work]\nkind = "oidc"\nissuer = "{work.origin}"\nclient-id = "postern"\n').start()
    assert show(daemon, providerID="work", accessToken="at-grace")["user"]["displayName"] == "Grace"


def test_tokens_that_do_not_belong_together_sign_nobody_in_and_those_that_do_sign_in_once(make_daemon, work):
    daemon = make_daemon(work.configuration(f'introspection-endpoint = "{work.origin}/introspect"')).start()
    for wrong in [at_hash("at-grace"), "A" * 22, ""]:
        with ends_with("InvalidIDToken"):
            show(daemon, **work.pair("at-ada", at_hash=wrong))
    assert work.sent("/introspect") == [] and work.sent("/userinfo") == []
    with pytest.raises(VarlinkError) as caught:
        show(daemon, **work.pair("at-grace"))
    assert caught.value.short in ("InvalidIDToken", "InvalidCredential") and daemon.call("GetStatus")["users"] == 0
    pair = work.pair("at-ada")
    work.next.append(("/introspect", 503, "busy"))
    with ends_with("ProviderUnreachable"):
        show(daemon, **pair)
    # It came to nothing, so it was given back.
    show(daemon, **pair)
    with ends_with("InvalidCredential"):
        show(daemon, **pair)
