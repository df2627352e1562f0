"""A store that cannot be read, or not yet: told to everybody who needs it, and taken up again when it can be."""
import os

import pytest
from other_user import NOBODY, needs_root
from person import answer, browser
from postern import FullDisk, ends_with, free_port, oidc
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
def test_a_store_of_another_user_is_reported_with_its_owner(make_daemon):
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


def test_without_its_key_every_method_that_needs_the_store_says_so_and_it_is_opened_at_a_reload_once_its_key_is_there(without_key):
    daemon, key, content = without_key
    for method, parameters in NEEDS_THE_STORE:
        with ends_with("StoreLocked") as caught:
            daemon.call(method, parameters, more=method == "SignIn")
        assert str(key.parent) in caught.value.parameters["message"], method
    assert daemon.call("GetStatus")["locked"] is True and daemon.call("ListProviders")["providers"]
    assert not key.exists()

    key.write_bytes(content)
    key.chmod(0o600)
    daemon.call("Reload")
    status = daemon.call("GetStatus")
    assert (status["locked"], status["users"], status["credentials"]) == (False, 1, 1)
    assert daemon.call("GetAccessToken", {"providerID": "demo"})["accessToken"]
    assert sign_in(daemon, app="other")["result"]["additionalUserInfo"]["isNewUser"] is False


def test_what_a_full_disk_does_not_take_is_told_and_not_done(demo):
    sign_in(demo)
    cancelled, answered = SignIn(demo, app="cancelled"), SignIn(demo, app="answered")
    callback = answer(answered.url)
    with FullDisk(demo):
        with ends_with("StoreDamaged"):
            demo.call("CancelSession", {"sessionID": cancelled.id})
        # A code whose state cannot be used up is not sent.
        browser().get(callback)
        with ends_with("StoreDamaged"):
            answered.completed()
        with ends_with("StoreDamaged"):
            demo.call("RevokeCredential", {"providerID": "demo"})
    with ends_with("SignInCancelled"):
        cancelled.completed()
    assert len(demo.call("ListCredentials")["credentials"]) == 1
    assert demo.call("RevokeCredential", {"providerID": "demo"}) == {"revokedAtProvider": True, "apps": ["default"]}
