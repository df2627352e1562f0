"""What somebody tries who wants to be another user: each attack is played, and leads nowhere."""
import json
import threading

import pytest
from fake import Server
from identity_toolkit import IdentityToolkit
from keys import Keys
from person import consent
from postern import ends_with, oidc, wait_for
from signing_in import SignIn


@pytest.fixture
def project():
    server = IdentityToolkit()
    yield server
    server.close()


# ---- A page for nobody ------------------------------------------------------------------


@pytest.mark.parametrize("intent", ["link", "reauthenticate"])
@pytest.mark.parametrize("authority", ["local", "firebase"])
def test_no_page_is_opened_for_nobody(make_daemon, demo_provider, project, tmp_path, authority, intent):
    """Whoever answered it would have an account of theirs linked to whoever signs in meanwhile."""
    opened = tmp_path / "opened"
    accounts = project.configuration() if authority == "firebase" else ""
    browser = json.dumps(["/bin/sh", "-c", f'echo "$0" >> {opened}'])
    daemon = make_daemon(accounts + oidc(demo_provider), browser=browser).start()
    for presentation in ["daemon", "client"]:
        with ends_with("NoCurrentUser"):
            daemon.call("SignIn", {"providerID": "demo", "presentation": presentation, "intent": intent}, more=True)
    assert daemon.call("ListSessions")["sessions"] == [] and not opened.exists()
    # Signing in afterwards finds nothing that waits.
    daemon.call("SignInAnonymously")
    pending = SignIn(daemon, intent=intent)
    assert [session["sessionID"] for session in daemon.call("ListSessions")["sessions"]] == [pending.id]


def test_a_page_of_the_projects_user_links_nothing_to_who_signs_in_meanwhile(make_daemon, demo_provider, project):
    daemon = make_daemon(project.configuration() + oidc(demo_provider)).start()
    daemon.call("SignInAnonymously")
    pending = SignIn(daemon, intent="link")
    daemon.call("SignOut")
    victim = daemon.call("CreateUser", {"email": "ada@x.example", "password": "correct horse"})["result"]["user"]
    with ends_with("(NoCurrentUser|UserMismatch)"):
        pending.completed()
    assert consent(pending.url, "grace").status_code == 400
    assert daemon.call("GetCurrentUser")["user"] == victim


# ---- A call that waits while somebody else signs in ---------------------------------------


class SlowIssuer(Server):
    """Gives its keys when it is let go: until then, nobody can check its ID tokens."""

    def __init__(self):
        super().__init__()
        self.keys = Keys(self.origin, "client")
        self.arrived, self.go = threading.Event(), threading.Event()

    def answer(self, request):
        if request.path != "/jwks":
            return 404, {}
        self.arrived.set()
        self.go.wait(25)
        return 200, self.keys.document

    def configuration(self):
        return "\n".join([
            '[provider."oidc.slow"]', 'kind = "oidc"', 'client-id = "client"', f'issuer = "{self.origin}"',
            f'authorization-endpoint = "{self.origin}/authorize"', f'token-endpoint = "{self.origin}/token"', f'jwks-uri = "{self.origin}/jwks"', ""])

    def credential(self, subject, nonce="0123456789-0123456789"):
        return {"providerID": "oidc.slow", "idToken": self.keys.token(sub=subject, nonce=nonce), "rawNonce": nonce}


@pytest.fixture
def slow():
    server = SlowIssuer()
    yield server
    server.go.set()
    server.close()


@pytest.mark.parametrize("intent", ["link", "signIn"])
@pytest.mark.parametrize("authority", ["local", "firebase"])
def test_tokens_that_are_still_checked_are_no_use_to_who_signs_in_meanwhile(make_daemon, project, slow, authority, intent):
    daemon = make_daemon((project.configuration() if authority == "firebase" else "") + slow.configuration()).start()
    daemon.call("SignInAnonymously")
    squatter = daemon.client()
    squatter.send("SignInWithCredential", {"credential": slow.credential("squatter"), "intent": intent})
    assert slow.arrived.wait(30)
    if intent == "signIn":
        squatter.close()
    daemon.call("SignOut")
    victim = daemon.call("CreateUser", {"email": "ada@x.example", "password": "correct horse"})["result"]["user"]
    slow.go.set()
    if intent == "link":
        with ends_with("UserMismatch"):
            squatter.receive()
    # Whatever was checked before it has ended when another account has been checked.
    daemon.call("SignInWithCredential", {"credential": slow.credential("other", "9876543210-9876543210"), "app": "other"})
    assert daemon.call("GetCurrentUser")["user"] == victim


@pytest.mark.parametrize("method, parameters", [
    ("UpdateUser", {"password": "another horse"}), ("UnlinkProvider", {"providerID": "google.com"}), ("DeleteUser", {}),
    ("EnrollSecondFactor", {"factorID": "totp"})])
def test_what_waits_for_a_project_is_not_done_to_who_signs_in_meanwhile(make_daemon, project, method, parameters):
    daemon = make_daemon(project.configuration()).start()
    daemon.call("CreateUser", {"email": "s@x.example", "password": "correct horse"})
    answer, arrived, go = project.answer, threading.Event(), threading.Event()

    def hold(request):
        result = answer(request)
        if request.path.endswith("signInWithIdp"):
            arrived.set()
            go.wait(30)
        return result

    project.answer = hold
    nonce = "0123456789-0123456789"
    token = project.provider_keys.token(nonce=nonce, sub="V", email="v@x.example", email_verified=True)
    owner, other = daemon.client(), daemon.client()
    owner.send("SignInWithCredential", {"credential": {"providerID": "google.com", "idToken": token, "rawNonce": nonce}})
    assert arrived.wait(30)
    other.send(method, parameters)
    # It has begun to wait when a later call has been answered.
    wait_for(lambda: daemon.call("GetStatus"))
    daemon.call("GetCurrentUser")
    go.set()
    user = owner.receive()["result"]["user"]
    with ends_with("UserMismatch"):
        other.receive()
    assert daemon.call("GetCurrentUser")["user"] == user
    assert [data["providerID"] for data in user["providerData"]] == ["google.com"]
