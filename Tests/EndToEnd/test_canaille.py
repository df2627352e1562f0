"""A provider that nobody here wrote: PyPI's canaille. `iss` announced, `auth_time` with a fraction, prompts, registration, logout by RP."""
import contextlib
import json
import re
import shlex
import time

import pytest
from canaille import PROGRAM, Canaille, Person
from commands import run
from foreign import session
from person import browser, parameters
from postern import ends_with, free_port, oidc, wait_for
from signing_in import SignIn

pytestmark = pytest.mark.skipif(not PROGRAM.exists(), reason="canaille is not installed")
TOKEN = {"providerID": "demo"}
FRESH = {**TOKEN, "forceRefresh": True}
SCOPES = ["openid", "profile", "email"]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server = Canaille(tmp_path_factory.mktemp("canaille"))
    yield server
    server.stop()


class Client:
    """A client of the server, and a daemon that is it."""

    def __init__(self, server, make_daemon, secret=False, browser='"none"', register=False, **settings):
        self.port = free_port()
        self.origin = f"http://127.0.0.1:{self.port}"
        self.redirect = f"{self.origin}/__/auth/handler"
        if register:
            text = oidc(server.issuer, client=None, scopes=SCOPES, **settings)
        else:
            name, password = server.add_client("Postern's test", self.origin, secret)
            text = oidc(server.issuer, client=name, scopes=SCOPES, **settings, **({"client_secret": password} if secret else {}))
        self.daemon = make_daemon(text, port=self.port, browser=browser).start()
        self.second = 0

    def sign_in(self, person=None, **asked):
        pending = SignIn(self.daemon, **asked)
        back = (person or Person()).answer(pending.url, self.redirect)
        with self.another_second():
            return pending, back, browser().get(back, timeout=30)

    @contextlib.contextmanager
    def another_second(self):
        """Its access tokens say of themselves who, for whom and the second: a second one of a second is an error of the server's."""
        wait_for(lambda: int(time.time()) > self.second, what="another second")
        yield
        self.second = int(time.time())

    def refreshed(self):
        """In a new life of the daemon: in one life, whoever insists at once gets the token just fetched."""
        self.daemon.kill()
        self.daemon.start()
        with self.another_second():
            return self.daemon.call("GetAccessToken", FRESH)["accessToken"]

    def signed_in(self, person=None, **asked):
        return self.sign_in(person, **asked)[0].completed()


@pytest.fixture
def make_client(server, make_daemon):
    return lambda **settings: Client(server, make_daemon, **settings)


def test_a_user_signs_in_with_es256_and_the_callback_names_the_issuer(make_client, server):
    client = make_client()
    pending, back, page = client.sign_in()
    assert parameters(back)["iss"] == server.issuer
    event = pending.completed()
    user = event["result"]["user"]
    assert (user["displayName"], user["email"], user["providerData"][0]["uid"]) == ("Tess Example", "tess@example.test", "tess")
    assert "Tess Example" in page.text


def test_a_confidential_client_refreshes_and_revokes(make_client):
    client = make_client(secret=True)
    assert client.signed_in()["credential"]["accessToken"] != client.refreshed()
    assert client.daemon.call("RevokeCredential", TOKEN) == {"revokedAtProvider": True, "apps": ["default"]}
    assert client.daemon.call("ListCredentials") == {"credentials": []}


# ---- A client that registers itself --------------------------------------------


def test_a_client_registers_itself_and_signs_in(make_client):
    client = make_client(register=True)
    first = client.signed_in()
    assert client.refreshed() != first["credential"]["accessToken"]
    assert client.signed_in()["result"]["user"]["uid"] == first["result"]["user"]["uid"]


def test_a_client_lost_by_the_server_is_registered_again(make_client, server):
    client = make_client(register=True)
    pending = SignIn(client.daemon)
    lost = parameters(pending.url)["client_id"]
    back = Person().answer(pending.url, client.redirect)
    server.lose(lost)
    browser().get(back, timeout=30)
    with ends_with("ExchangeFailed"):
        pending.completed()
    pending, _, _ = client.sign_in()
    assert parameters(pending.url)["client_id"] != lost
    assert pending.completed()["state"] == "completed"


# ---- Proof that the person is there --------------------------------------------


def test_prompt_login_asks_a_user_with_a_session_again(make_client):
    """glewlwyd says what is not fresh enough; here the time is right, and has a fraction."""
    client, person = make_client(), Person()
    client.signed_in(person)
    assert client.signed_in(person, customParameters={"max_age": "300"})["state"] == "completed" and person.logins == 1
    client.signed_in(person, customParameters={"max_age": "300", "prompt": "login"})
    assert person.logins == 2


# ---- Ending the session there ---------------------------------------------------


@pytest.fixture
def note(tmp_path):
    """A browser that only notes what it is to open: (command, what it noted)."""
    path = tmp_path / "opened"
    command = json.dumps(["sh", "-c", f'printf "%s\\n" "$1" >>{shlex.quote(str(path))}', "sh"])
    return command, lambda: path.read_text().split() if path.exists() else []


def revoked(client, opened):
    """Takes the credential back; the address that the browser was sent to, which has no token in it."""
    client.daemon.call("RevokeCredential", TOKEN)
    address = wait_for(opened, what="the page")[-1]
    assert address.startswith(f"{client.origin}/__/auth/end-session?page=") and "id_token" not in address
    return address


def test_revoking_a_credential_ends_the_session_if_configured(make_client, server, note):
    command, opened = note
    client, person = make_client(browser=command, end_session=True, end_session_redirect=True), Person()
    client.signed_in(person)
    address = revoked(client, opened)
    reply = person.browser.get(address, allow_redirects=False, timeout=30)
    assert reply.status_code == 303 and reply.headers["Referrer-Policy"] == "no-referrer"
    asked = parameters(reply.headers["Location"])
    assert reply.headers["Location"].startswith(f"{server.issuer}/oauth/end_session?")
    assert set(asked) == {"client_id", "post_logout_redirect_uri", "state", "id_token_hint"}
    # One use: who reads the address later gets nothing by it.
    assert person.browser.get(address, allow_redirects=False, timeout=30).status_code == 404

    back = person.browser.get(reply.headers["Location"], timeout=30)
    assert back.url.startswith(f"{client.origin}/__/auth/signed-out?state=") and back.status_code == 200
    assert "signed out" in back.text
    assert session().get(back.url, timeout=30).status_code == 404  # the state is used up
    client.signed_in(person)
    assert person.logins == 2  # the session is gone


def test_revoke_with_end_session_prints_the_sign_out_page(make_client, server):
    """No browser can show the page, so its address is printed."""
    client, person = make_client(end_session_redirect=True), Person()
    client.signed_in(person)
    done = run(client.daemon, "revoke", "demo", "--end-session")
    assert done.returncode == 0 and "id_token" not in done.stderr and "no sign-out page" not in done.stderr
    address = re.search(r"http://\S+/__/auth/end-session\?page=\S+", done.stderr)[0]
    there = person.browser.get(address, allow_redirects=False, timeout=30).headers["Location"]
    assert there.startswith(f"{server.issuer}/oauth/end_session?") and "id_token_hint" in parameters(there)
    assert "signed out" in person.browser.get(there, timeout=30).text


def test_revoke_with_end_session_reports_an_opened_page(make_client, note):
    command, opened = note
    client = make_client(browser=command, end_session=True)
    client.signed_in()
    done = run(client.daemon, "revoke", "demo", "--end-session")
    assert done.returncode == 0 and "the sign-out page of demo is open in your browser" in done.stderr and "end-session?page=" not in done.stderr
    assert len([address for address in opened() if "/__/auth/end-session?page=" in address]) == 1
