"""A store that its person locks, and opens again: with a passphrase, or where the key's keeper is asked anew."""
import re

import pytest
from commands import Command, run
from person import answer, browser
from postern import VarlinkError, ends_with, free_port, oidc
from signing_in import SignIn, sign_in

PASSPHRASE = "correct horse, battery staple"
NEEDS_THE_STORE = {
    "SignIn": {"providerID": "demo"}, "ListSessions": {}, "CancelSession": {"sessionID": "x"}, "AttachSession": {"sessionID": "x"},
    "DeliverRedirect": {"url": "http://127.0.0.1:7678/__/auth/handler?state=x&code=y"}, "GetCurrentUser": {}, "SignOut": {},
    "ListCredentials": {}, "GetAccessToken": {"providerID": "demo"}, "RevokeCredential": {"providerID": "demo"},
    "SignInWithCredential": {"credential": {"handle": "x"}}, "SignInAnonymously": {}, "CreateUser": {"email": "a@example.org", "password": "x" * 9},
    "UpdateUser": {"displayName": "x"}, "UnlinkProvider": {"providerID": "demo"}, "FetchProviders": {"email": "a@example.org"}, "DeleteUser": {},
    "GetUserToken": {"audience": "x"}, "EnrollSecondFactor": {"factorID": "totp"}, "RemoveSecondFactor": {"uid": "x"},
    "ConfirmSecondFactor": {"enrollmentID": "x", "verificationCode": "123456"}, "StartSecondFactor": {"resolver": "x", "uid": "x"},
    "ResolveSecondFactor": {"resolver": "x", "uid": "x", "verificationCode": "123456"}, "GetIDToken": {"providerID": "demo"},
    "AuthorizeRequest": {"method": "GET", "url": "https://example.org/"}, "FindAccount": {"url": "https://example.org/"},
    "ImportCredential": {"providerID": "demo", "refreshToken": "x"},
    "ReportRefusedToken": {"url": "https://example.org/", "accessToken": "x"},
}
ANSWER_WITHOUT_IT = {"ListProviders", "CheckProvider", "ResolveResource", "GetRoute", "GetStatus", "Reload", "Lock", "Unlock", "Monitor"}


def invalid(parameter):
    return pytest.raises(VarlinkError, match=rf"InvalidParameter.*{parameter}")


@pytest.fixture
def with_passphrase(make_daemon, demo_provider):
    """A daemon whose store will be made with a passphrase; nobody has given one yet."""
    daemon = make_daemon(oidc(demo_provider), port=free_port())
    daemon.config.write_text(daemon.config.read_text().replace('key = "file"', 'key = "passphrase"'))
    return daemon.start()


def unlock(daemon, passphrase=PASSPHRASE):
    return daemon.call("Unlock", {"passphrase": passphrase} if passphrase is not None else {})


def state_of(daemon):
    status = daemon.call("GetStatus")
    return status["locked"], status["sessions"], status.get("users"), status.get("credentials")


# ---- A key that is kept somewhere -------------------------------------------


def test_a_locked_store_answers_nothing_until_it_is_unlocked(demo):
    token = sign_in(demo)["credential"]["accessToken"]
    assert state_of(demo) == (False, 0, 1, 1)
    assert demo.call("Lock") == {}
    assert state_of(demo) == (True, 0, None, None)
    assert demo.call("ListProviders")["providers"]
    described = demo.call("org.varlink.service.GetInterfaceDescription", {"interface": "io.postern"})["description"]
    assert set(re.findall(r"^method (\w+)", described, re.MULTILINE)) == set(NEEDS_THE_STORE) | ANSWER_WITHOUT_IT
    for method, parameters in NEEDS_THE_STORE.items():
        with ends_with("StoreLocked"):
            demo.call(method, parameters, more=method == "SignIn")
    assert demo.call("Lock") == {}  # again is no matter
    demo.call("Reload")
    assert state_of(demo)[0] is True  # a reload is no Unlock
    assert unlock(demo, None) == {} and unlock(demo, None) == {}
    assert state_of(demo) == (False, 0, 1, 1)
    assert demo.call("GetAccessToken", {"providerID": "demo"})["accessToken"] == token
    assert demo.call("GetCurrentUser")["user"]["email"] == "ada@example.com"


def test_a_page_opened_before_a_lock_signs_in_afterwards(demo):
    pending = SignIn(demo)
    callback = answer(pending.url)
    demo.call("Lock")
    with ends_with("StoreLocked") as caught:
        pending.completed()
    assert f"postern attach {pending.id}" in caught.value.parameters["message"]
    early = browser().get(callback)
    assert early.status_code == 503 and "postern unlock" in early.text
    unlock(demo, None)
    assert [session["sessionID"] for session in demo.call("ListSessions")["sessions"]] == [pending.id]
    client = demo.client()
    client.send("AttachSession", {"sessionID": pending.id})
    assert browser().get(callback).status_code == 200
    assert client.receive()["event"]["state"] == "completed"


def test_a_lock_leaves_no_credential_in_memory(demo):
    """Read as root or a debugger would; where neither may be, by the process's own words."""
    secret = sign_in(demo)["credential"]["accessToken"].encode()
    demo.call("GetAccessToken", {"providerID": "demo"})

    def finds():
        found = 0
        with open(f"/proc/{demo.process.pid}/maps") as maps, open(f"/proc/{demo.process.pid}/mem", "rb", 0) as memory:
            for line in maps:
                span, mode = line.split()[:2]
                if not mode.startswith("rw"):
                    continue
                begin, end = (int(part, 16) for part in span.split("-"))
                try:
                    memory.seek(begin)
                    found += memory.read(end - begin).count(secret)
                except OSError:
                    continue
        return found

    try:
        before = finds()
    except PermissionError:
        pytest.skip("the daemon's memory cannot be read, as it should be")
    demo.call("Lock")
    assert before > 0 and finds() < before


# ---- A passphrase -----------------------------------------------------------


def test_with_a_passphrase_the_first_unlock_creates_the_store(with_passphrase):
    daemon = with_passphrase
    assert state_of(daemon) == (True, 0, None, None)
    assert not (daemon.directory / "state" / "postern.db").exists()
    for passphrase in [None, "", "short", "aaaaaaaaaaaa"]:
        with ends_with("WeakPassword"):
            unlock(daemon, passphrase)
    with invalid("passphrase"):
        unlock(daemon, "x" * 1025)
    for _ in range(3):  # killed while the store is made
        client = daemon.client()
        client.send("Unlock", {"passphrase": PASSPHRASE})
        daemon.kill()
        daemon.start()
    unlock(daemon)
    sign_in(daemon)
    assert state_of(daemon) == (False, 0, 1, 1)
    assert sorted(path.name for path in (daemon.directory / "state").iterdir()) == ["lock", "names", "postern.db", "postern.db-wal"]
    daemon.call("Lock")
    with invalid("passphrase"):
        unlock(daemon, None)
    with ends_with("WrongPassword"):
        unlock(daemon, PASSPHRASE + "!")
    unlock(daemon)
    assert daemon.call("GetAccessToken", {"providerID": "demo"})["accessToken"]
    assert PASSPHRASE not in daemon.log.read_text()


def test_checking_a_passphrase_delays_no_other_caller(with_passphrase):
    for _ in ("the store is made", "the passphrase is checked"):
        unlocking = with_passphrase.client()
        unlocking.send("Unlock", {"passphrase": PASSPHRASE})
        answers = 0
        while unlocking.silent(0):
            with_passphrase.call("GetStatus")
            answers += 1
        assert unlocking.receive() == {} and answers > 5


def test_a_daemon_killed_while_it_is_locked_comes_back_locked_with_everything(with_passphrase):
    daemon = with_passphrase
    unlock(daemon)
    sign_in(daemon)
    pending = SignIn(daemon, app="other")
    callback = answer(pending.url)
    daemon.call("Lock")
    daemon.kill()
    daemon.start()
    assert state_of(daemon) == (True, 0, None, None)
    with ends_with("StoreLocked"):
        daemon.call("GetAccessToken", {"providerID": "demo"})
    unlock(daemon)
    assert state_of(daemon) == (False, 1, 1, 1)
    assert browser().get(callback).status_code == 200
    assert daemon.call("AttachSession", {"sessionID": pending.id})["event"]["state"] == "completed"


# ---- postern lock and unlock ------------------------------------------------


def test_the_commands_lock_and_unlock(demo):
    assert run(demo, "lock").stderr == "locked\n"
    assert "store" in run(demo, "status").stdout and "locked" in run(demo, "status").stdout
    done = run(demo, "unlock", stdin="not looked at\n")
    assert (done.returncode, done.stderr) == (0, "unlocked\n")


def test_the_command_takes_the_passphrase_as_one_line_or_from_a_terminal_that_does_not_show_it(with_passphrase):
    def answered(*lines):
        command = Command(with_passphrase, "unlock", terminal=True)
        for question, line in lines:
            command.read_until(question)
            command.type(line)
        return command.end()[0], command.text

    weak = run(with_passphrase, "unlock", stdin="short\n")
    assert weak.returncode == 1 and "at least 8 characters" in weak.stderr
    # A new one is asked for twice.
    new = ("New passphrase: ", PASSPHRASE + "\n")
    status, text = answered(new, ("Repeat the passphrase: ", "something else\n"))
    assert status == 1 and "do not match" in text
    status, text = answered(new, ("Repeat the passphrase: ", PASSPHRASE + "\n"))
    assert status == 0 and "unlocked" in text and PASSPHRASE not in text
    with_passphrase.call("Lock")
    status, text = answered(("Passphrase: ", "half a passphr\x03"))
    assert status == 2 and "cancelled" in text and "half" not in text
    assert run(with_passphrase, "unlock").returncode == 64
    wrong = run(with_passphrase, "unlock", stdin="another passphrase\n")
    assert wrong.returncode == 1 and "is not the one that the store was made with" in wrong.stderr
    assert run(with_passphrase, "unlock", stdin=f"{PASSPHRASE}\nthe next line\n").stderr == "unlocked\n"
    with_passphrase.call("Lock")
    assert answered(("Passphrase: ", PASSPHRASE + "\n"))[0] == 0
