"""A store that cannot be read, or not yet: told to everybody who needs it, and taken up again when it can be."""
import os

import pytest
from other_user import NOBODY, needs_root
from person import answer, browser
from postern import FullDisk, VarlinkError, ends_with, free_port, oidc, wait_for
from signing_in import SignIn, sign_in

NEEDS_THE_STORE = [
    ("SignIn", {"providerID": "demo"}), ("ListSessions", {}), ("CancelSession", {"sessionID": "x"}), ("AttachSession", {"sessionID": "x"}),
    ("DeliverRedirect", {"url": "http://127.0.0.1:7678/__/auth/handler?state=x&code=y"}), ("GetCurrentUser", {}), ("SignOut", {}),
    ("ListCredentials", {}), ("GetAccessToken", {"providerID": "demo"}), ("RevokeCredential", {"providerID": "demo"}),
    ("SignInWithCredential", {"credential": {"handle": "x"}}),
]


@pytest.fixture
def without_key(make_daemon, demo_provider):
    """A daemon with a credential that comes back and does not find the key of its store: (daemon, file of the key, its bytes)."""
    daemon = make_daemon(oidc(demo_provider), port=free_port()).start()
    sign_in(daemon)
    daemon.stop()
    key = next(path for path in (daemon.directory / "state").rglob("*key*") if path.is_file())
    content = key.read_bytes()
    key.unlink()
    daemon.start()
    return daemon, key, content


@needs_root
def test_a_store_of_another_user_is_said_to_be_that_users(make_daemon):
    """As after posternd was run as root."""
    daemon = make_daemon().start()
    daemon.stop()
    for path in (daemon.directory, *daemon.directory.rglob("*")):
        os.chown(path, NOBODY, NOBODY)
    for parent in daemon.directory.parents:
        if parent.stat().st_mode & 1 == 0:
            os.chmod(parent, parent.stat().st_mode | 0o11)
    os.chown(daemon.directory / "state/postern.db", 0, 0)
    daemon.start(prefix=["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"])
    log = daemon.log.read_text()
    assert f"the store belongs to user 0, not to user {NOBODY}" in log and "change the owner" in log, log


@pytest.mark.parametrize("method, parameters", NEEDS_THE_STORE, ids=[method for method, _ in NEEDS_THE_STORE])
def test_without_its_key_every_method_that_needs_the_store_says_so(without_key, method, parameters):
    daemon, key, _ = without_key
    with ends_with("StoreLocked") as caught:
        daemon.call(method, parameters, more=method == "SignIn")
    assert str(key.parent) in caught.value.parameters["message"]
    assert daemon.call("GetStatus")["locked"] is True and daemon.call("ListProviders")["providers"]
    assert not key.exists()


def test_the_store_is_opened_at_a_reload_once_its_key_is_there(without_key):
    daemon, key, content = without_key
    key.write_bytes(content)
    key.chmod(0o600)
    daemon.call("Reload")
    status = daemon.call("GetStatus")
    assert (status["locked"], status["users"], status["credentials"]) == (False, 1, 1)
    assert daemon.call("GetAccessToken", {"providerID": "demo"})["accessToken"]
    assert sign_in(daemon, app="other")["result"]["additionalUserInfo"]["isNewUser"] is False


def test_the_store_is_opened_for_who_needs_it_once_its_key_is_there(without_key):
    """As with a keyring that is unlocked after the daemon began: nobody has to know of Reload."""
    daemon, key, content = without_key
    key.write_bytes(content)
    key.chmod(0o600)

    def token():
        try:
            return daemon.call("GetAccessToken", {"providerID": "demo"})["accessToken"]
        except VarlinkError as error:
            assert error.short == "StoreLocked"

    assert wait_for(token, what="the store")


def test_a_cancellation_that_cannot_be_written_is_told(demo):
    pending = SignIn(demo)
    with FullDisk(demo), ends_with("StoreDamaged"):
        demo.call("CancelSession", {"sessionID": pending.id})
    with ends_with("SignInCancelled"):
        pending.completed()


def test_a_code_whose_state_cannot_be_used_up_on_disk_is_not_sent(demo):
    pending = SignIn(demo)
    callback = answer(pending.url)
    with FullDisk(demo):
        browser().get(callback)
        with ends_with("StoreDamaged"):
            pending.completed()


def test_a_credential_that_cannot_be_removed_is_not_said_to_be(demo):
    sign_in(demo)
    with FullDisk(demo), ends_with("StoreDamaged"):
        demo.call("RevokeCredential", {"providerID": "demo"})
    assert len(demo.call("ListCredentials")["credentials"]) == 1
    assert demo.call("RevokeCredential", {"providerID": "demo"}) == {"revokedAtProvider": True, "apps": ["default"]}


def test_finished_sign_ins_are_forgotten_beyond_two_hundred_and_fifty_six(demo):
    client = demo.client()
    for _ in range(300):
        client.send("SignIn", {"providerID": "demo", "presentation": "client"}, more=True)
        session = client.receive()["event"]["sessionID"]
        demo.call("CancelSession", {"sessionID": session})
        with ends_with("SignInCancelled"):
            client.receive()
    assert len(demo.call("ListSessions")["sessions"]) == 256
    assert session in {listed["sessionID"] for listed in demo.call("ListSessions")["sessions"]}


def test_what_fails_before_it_begins_leaves_nothing(make_daemon):
    daemon = make_daemon(oidc("http://127.0.0.1:1")).start()
    for _ in range(3):
        with ends_with("ProviderUnreachable"):
            daemon.call("SignIn", {"providerID": "demo"}, more=True)
    assert daemon.call("ListSessions")["sessions"] == []
