"""A provider that nobody here wrote: Debian's glewlwyd. ES256, PKCE demanded, rotation that notices reuse, PAR, DPoP, `iss` that it does not announce."""

import pytest
from foreign import SECRET, session
from glewlwyd import PROGRAM, Glewlwyd, Person
from person import browser, parameters
from postern import ends_with, free_port, oidc
from signing_in import SignIn
from token_server import TokenServer

pytestmark = pytest.mark.skipif(not PROGRAM.exists(), reason="scripts/test.sh has not unpacked glewlwyd")
TOKEN = {"providerID": "demo"}
FRESH = {**TOKEN, "forceRefresh": True}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server = Glewlwyd(tmp_path_factory.mktemp("glewlwyd"))
    yield server
    server.stop()


class Client:
    """A client of the server, and a daemon that is it."""
    count = 0

    def __init__(self, server, make_daemon, secret=None, issuer=None, **settings):
        Client.count += 1
        self.server, self.name, port = server, f"client-{Client.count}", free_port()
        self.redirect = f"http://127.0.0.1:{port}/__/auth/handler"
        server.add_client(self.name, self.redirect, secret)
        more = {**settings, **({"client_secret": secret} if secret else {})}
        self.daemon = make_daemon(oidc(issuer or server.issuer, client=self.name, scopes=["openid"], **more), port=port).start()

    def sign_in(self, **asked):
        pending = SignIn(self.daemon, **asked)
        back = Person(self.server).answer(pending.url, self.name, self.redirect)
        page = browser().get(back, timeout=30)
        return pending, back, page

    def signed_in(self, **asked):
        return self.sign_in(**asked)[0].completed()


@pytest.fixture
def make_client(server, make_daemon):
    return lambda **settings: Client(server, make_daemon, **settings)


def test_a_user_signs_in_and_the_callback_names_the_issuer(make_client, server):
    """The page has the client and a request URI alone, and the claims that are asked for come by userinfo."""
    client = make_client()
    pending, back, page = client.sign_in(customParameters={"claims": '{"userinfo":{"name":null,"email":null}}'})
    assert pending.url.startswith(f"{server.issuer}/auth?") and set(parameters(pending.url)) == {"client_id", "request_uri"}
    assert parameters(pending.url)["request_uri"].startswith("urn:ietf:params:oauth:request_uri:")
    assert parameters(back)["iss"] == server.issuer
    event = pending.completed()
    assert event["credential"]["idToken"].count(".") == 2
    user = event["result"]["user"]
    assert (user["displayName"], user["email"]) == ("Tess Example", "tess@example.test")
    assert page.status_code == 200
    assert client.daemon.call("GetAccessToken", TOKEN)["accessToken"] == event["credential"]["accessToken"]


# ---- Refreshing, and taking back ----------------------------------------------


def test_rotating_refresh_tokens_are_followed(make_client):
    client = make_client()
    seen = {client.signed_in()["credential"]["accessToken"]}
    for _ in range(2):
        seen.add(client.daemon.call("GetAccessToken", FRESH)["accessToken"])
        client.daemon.kill()
        client.daemon.start()  # in one life of the daemon, whoever insists at once gets the token just fetched
    assert len(seen) == 3


def test_a_reused_stolen_refresh_token_ends_the_sign_in(make_client, server):
    between = TokenServer(f"{server.issuer}/token")
    try:
        client = make_client(token_endpoint=between.url)
        client.signed_in()
        client.daemon.call("GetAccessToken", FRESH)
        # Whoever stole the first one comes with it now, and the server takes the whole family back.
        stolen = next(form for form in between.forms if form["grant_type"] == "refresh_token")
        assert session().post(f"{server.issuer}/token", data=stolen, timeout=30).status_code == 400
        # It says so with a bare 400. What that means is told all the same, and the token kept: no word has ended it.
        client.daemon.kill()
        client.daemon.start()
        with ends_with("SignInRequired") as caught:
            client.daemon.call("GetAccessToken", FRESH)
        assert caught.value.parameters["reason"] == "status 400, without a reason"
        assert client.daemon.call("ListCredentials")["credentials"][0]["refreshable"] is True
    finally:
        between.close()


def test_a_client_with_a_secret_pushes_too_and_what_it_got_is_taken_back(make_client):
    client = make_client(secret=SECRET)
    pending, _, _ = client.sign_in()
    assert set(parameters(pending.url)) == {"client_id", "request_uri"}
    assert pending.completed()["state"] == "completed"
    client.daemon.call("GetAccessToken", FRESH)
    assert client.daemon.call("RevokeCredential", TOKEN) == {"revokedAtProvider": True, "apps": ["default"]}
    with ends_with("SignInRequired"):
        client.daemon.call("GetAccessToken", TOKEN)


def test_the_client_secret_can_be_sent_in_the_body(make_client):
    client = make_client(secret="s3 cr/et: +%", client_authentication="client_secret_post")
    client.signed_in()
    assert client.daemon.call("GetAccessToken", FRESH)["accessToken"]


# ---- Pushed authorization requests --------------------------------------------


def test_with_pushed_requests_disabled_nothing_is_pushed(make_client):
    pending, _, _ = make_client(pushed_authorization_requests=False).sign_in()
    assert "request_uri" not in parameters(pending.url) and parameters(pending.url)["code_challenge_method"] == "S256"
    assert pending.completed()["state"] == "completed"


def test_an_issuer_that_requires_pushed_requests_gets_them(make_client, server):
    issuer = server.add_issuer("demanding", **{"oauth-par-required": True, "jwt-type": "rsa", "default-kid": "rs"})
    pending, _, _ = make_client(issuer=issuer).sign_in()
    assert set(parameters(pending.url)) == {"client_id", "request_uri"}
    assert pending.completed()["credential"]["idToken"]


def test_a_refused_pushed_request_is_reported_before_a_page_opens(make_client):
    client = make_client(secret=SECRET)
    wrong = client.daemon.config.read_text().replace(SECRET, "another-one")
    client.daemon.config.write_text(wrong)
    client.daemon.call("Reload")
    caller = client.daemon.client()
    caller.send("SignIn", {"providerID": "demo", "presentation": "client"}, more=True)
    with ends_with("ExchangeFailed") as caught:
        caller.receive()
    assert "before there was a page" in caught.value.parameters["message"], caught.value.parameters


# ---- Tokens bound to a key ----------------------------------------------------


def renew(client):
    """Renews the tokens of a credential. The server sends no ID token then, and its access token is not handed out, so the call fails."""
    with ends_with("SignInRequired") as caught:
        client.daemon.call("GetIDToken", FRESH)
    assert "sends no new one when tokens are refreshed" in caught.value.parameters["message"]


def test_tokens_are_bound_to_a_key_and_a_program_gets_a_proof_for_one_request(make_client, server):
    """Its userinfo endpoint is a resource server of RFC 9449 that nobody here wrote."""
    client = make_client(dpop=True, serves=[server.issuer])
    url = f"{server.issuer}/userinfo"

    def authorized(method):
        return client.daemon.call("AuthorizeRequest", {"method": method, "url": url, "account": "demo"})["headers"]

    event = client.signed_in(customParameters={"claims": '{"userinfo":{"name":null}}'})
    assert event["credential"]["tokenType"].lower() == "dpop"
    assert event["result"]["user"]["displayName"] == "Tess Example"  # userinfo took the proof
    headers = authorized("GET")
    assert set(headers) == {"Authorization", "DPoP"} and headers["Authorization"].startswith("DPoP ")
    assert browser().get(url, headers=headers, timeout=30).status_code == 200
    assert browser().get(url, headers=headers, timeout=30).status_code == 401, "the same proof again"
    assert browser().get(url, headers=authorized("POST"), timeout=30).status_code == 401, "a proof for another method"
    client.daemon.kill()
    client.daemon.start()
    with ends_with("UnsupportedFlow"):
        client.daemon.call("GetAccessToken", FRESH)
    renew(client)
    assert authorized("GET")["Authorization"] != headers["Authorization"]


def test_a_clock_one_second_fast_makes_no_proof_from_the_future(make_client, server):
    client = make_client(dpop=True)
    client.daemon.stop()
    client.daemon.start_ahead("+1")
    client.signed_in()
    renew(client)


# ---- Proof that the person is there -------------------------------------------


def test_an_auth_time_of_0_does_not_satisfy_max_age(make_client):
    """Its `auth_time` is 0, whenever the person signed in: what it says is held against `max_age`, and nothing is made of it."""
    with ends_with("InvalidIDToken") as caught:
        make_client().signed_in(customParameters={"max_age": "300"})
    assert "max_age" in caught.value.parameters["reason"]


# ---- A client that registers itself --------------------------------------------


class Registering(Client):
    """No client at the server, and a daemon that asks for one."""

    def __init__(self, server, make_daemon):
        self.server, port = server, free_port()
        self.redirect = f"http://127.0.0.1:{port}/__/auth/handler"
        self.daemon = make_daemon(oidc(server.issuer, client=None, scopes=["openid"]), port=port).start()

    @property
    def clients(self):
        return {client["client_id"] for client in self.server.call("GET", "client/?limit=1000").json() if client["name"] == "Postern"}

    def sign_in(self, **asked):
        pending = SignIn(self.daemon, **asked)
        self.name = parameters(pending.url)["client_id"]
        back = Person(self.server).answer(pending.url, self.name, self.redirect)
        return pending, back, browser().get(back, timeout=30)


def test_a_client_is_registered_at_the_first_sign_in_and_used_from_then_on(server, make_daemon):
    client = Registering(server, make_daemon)
    before = client.clients
    assert client.daemon.call("ListProviders")["providers"][0]["configured"] is True
    first = client.signed_in()
    assert client.clients - before == {client.name}
    client.daemon.kill()
    client.daemon.start()
    again = client.signed_in()
    assert again["result"]["user"]["uid"] == first["result"]["user"]["uid"]
    assert client.clients - before == {client.name}
    assert client.daemon.call("GetAccessToken", FRESH)["accessToken"]
    assert client.daemon.call("RevokeCredential", TOKEN) == {"revokedAtProvider": True, "apps": ["default"]}  # it was given a secret


def test_a_refused_registration_is_reported_with_its_reason(make_daemon, server):
    issuer = server.add_issuer("closed", **{"register-client-allowed": False})
    daemon = make_daemon(oidc(issuer, client=None)).start()
    with ends_with("ProviderNotConfigured") as caught:
        daemon.client().call("SignIn", {"providerID": "demo", "presentation": "client"}, more=True)
    assert "registration-endpoint" in caught.value.parameters["message"]
