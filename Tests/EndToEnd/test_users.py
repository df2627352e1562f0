"""Users of this machine over the socket, with real passwords and on a real disk."""
import hashlib

import pytest
from postern import ends_with
from sealed import SealedColumn, decoded, encoded
from signing_in import handle_of, sign_in

PASSWORD = "correct horse"


@pytest.fixture
def daemon(make_daemon):
    return make_daemon().start()


def create(daemon, email="ada@example.com"):
    return daemon.call("CreateUser", {"email": email, "password": PASSWORD})["result"]


def sign_in_with(daemon, password=PASSWORD, intent="signIn", **more):
    credential = {"email": "ada@example.com", "password": password}
    return daemon.call("SignInWithCredential", {"credential": credential, "intent": intent, **more})["result"]


def current(daemon, app="default"):
    return daemon.call("GetCurrentUser", {"app": app}).get("user")


def providers(user):
    return [data["providerID"] for data in user["providerData"]]


def test_a_password_is_kept_as_an_scrypt_hash_that_another_program_can_check(daemon):
    uid = create(daemon)["user"]["uid"]
    daemon.kill()
    kept = SealedColumn(daemon, "passwords", "sealed", "uid").read(uid)
    assert (kept["cost"], kept["blockSize"], kept["parallelization"]) == (1 << 15, 8, 3)
    derived = hashlib.scrypt(PASSWORD.encode(), salt=decoded(kept["salt"]), n=1 << 15, r=8, p=3, maxmem=1 << 28, dklen=32)
    assert encoded(derived) == kept["hash"]
    daemon.start()
    assert current(daemon)["uid"] == uid and sign_in_with(daemon, app="two")["user"]["uid"] == uid
    with ends_with("WrongPassword"):
        sign_in_with(daemon, password="another password")


def test_others_are_served_while_passwords_are_hashed(daemon):
    daemon.call("GetStatus")
    clients = [daemon.client(timeout=120) for _ in range(8)]
    for number, client in enumerate(clients):
        client.send("CreateUser", {"email": f"user{number}@example.com", "password": PASSWORD})
    # Two at a time, each of which takes some tenths of a second.
    assert daemon.call("GetStatus")["users"] < len(clients)
    for client in clients:
        client.receive()
    assert daemon.call("GetStatus")["users"] == len(clients)


def test_the_memory_of_a_hash_is_released(daemon):
    def anonymous():
        for line in open(f"/proc/{daemon.process.pid}/status"):
            if line.startswith("RssAnon"):
                return int(line.split()[1])

    create(daemon)
    before = anonymous()
    for _ in range(4):
        sign_in_with(daemon)
    assert anonymous() - before < 4096


def test_a_user_changes_its_ways_in_and_is_deleted_from_everywhere(demo):
    feed = demo.client()
    feed.send("Monitor", more=True)
    uid = sign_in(demo)["result"]["user"]["uid"]
    sign_in(demo, app="two")
    handle = handle_of(demo)
    assert providers(sign_in_with(demo, intent="link")["user"]) == ["demo", "password"]
    assert demo.call("FetchProviders", {"email": "ADA@example.com"})["providerIDs"] == ["demo", "password"]
    assert demo.call("UpdateUser", {"displayName": "Countess"})["user"]["displayName"] == "Countess"
    assert demo.call("SignInAnonymously", {"app": "three"})["result"]["user"]["isAnonymous"]
    demo.call("DeleteUser")
    for app in ("default", "two"):
        assert current(demo, app) is None
    assert demo.call("GetStatus") == {**demo.call("GetStatus"), "users": 1, "credentials": 0}
    with ends_with("InvalidCredential"):
        demo.call("SignInWithCredential", {"credential": {"handle": handle}})
    kinds = []
    while "credentialRevoked" not in kinds:
        event = feed.receive()
        kinds.append(event["kind"])
    assert "revoked a credential" in event["message"] and "userDeleted" in kinds
    assert sign_in(demo)["result"]["user"]["uid"] != uid
    sign_in_with(demo, intent="link")
    assert providers(demo.call("UnlinkProvider", {"providerID": "demo"})["user"]) == ["password"]
