"""What somebody tries who wants to be another user: each attack is played, and leads nowhere."""
import json

import pytest
from identity_toolkit import IdentityToolkit
from person import consent
from postern import ends_with, oidc
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
