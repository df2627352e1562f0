"""A store that its person locks, and opens again: with a passphrase, or where the key's keeper is asked anew."""
import re
import sys
import threading

import pytest
from commands import Command, run
from person import answer, browser, consent
from postern import ACTIVATE, VarlinkError, ends_with, free_port, oidc, wait_for
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


def test_a_locked_store_answers_nothing_and_an_unlocked_one_all_again(demo):
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


def test_a_passphrase_is_not_taken_where_none_is_wanted(demo):
    demo.call("Lock")
    with invalid("passphrase"):
        unlock(demo)
    assert state_of(demo)[0] is True
    unlock(demo, None)


def test_nor_where_none_is_wanted_and_the_store_is_open(demo):
    sign_in(demo)
    for _ in range(7):  # no guess, so that nobody has to wait
        with invalid("passphrase"):
            unlock(demo)
    assert unlock(demo, None) == {}
    assert state_of(demo) == (False, 0, 1, 1)


def test_a_page_that_waits_across_a_lock_signs_in_afterwards(demo):
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


def test_a_result_that_waits_can_be_fetched_after_a_lock(demo):
    pending = SignIn(demo)
    pending.client.close()
    consent(pending.url)
    demo.call("Lock")
    with ends_with("StoreLocked"):
        demo.call("AttachSession", {"sessionID": pending.id})
    unlock(demo, None)
    assert demo.call("AttachSession", {"sessionID": pending.id})["event"]["state"] == "completed"


def test_what_is_on_its_way_from_the_provider_is_kept_before_the_key_goes(make_daemon, make_provider):
    daemon = make_daemon(oidc(make_provider("--delay-token-ms", "700"))).start()
    pending = SignIn(daemon)
    assert browser().get(answer(pending.url), allow_redirects=False).status_code == 303
    daemon.call("Lock")
    assert pending.completed()["state"] == "completed"
    unlock(daemon, None)
    assert state_of(daemon) == (False, 0, 1, 1)


def test_a_key_that_is_gone_leaves_the_store_locked(demo):
    sign_in(demo)
    demo.call("Lock")
    key = demo.directory / "state" / "key"
    content = key.read_bytes()
    key.unlink()
    with ends_with("StoreLocked") as caught:
        unlock(demo, None)
    assert str(key.parent) in caught.value.parameters["message"]
    key.write_bytes(content)
    key.chmod(0o600)
    assert state_of(demo)[0] is True  # it does not open by itself
    unlock(demo, None)


def test_who_follows_is_told(demo):
    monitor = demo.client()
    monitor.send("Monitor", more=True)
    demo.call("GetStatus")
    demo.call("Lock")
    unlock(demo, None)
    assert [monitor.receive()["kind"] for _ in range(2)] == ["storeLocked", "storeUnlocked"]


def test_nothing_of_a_credential_is_left_in_memory(demo):
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


def test_with_a_passphrase_the_daemon_begins_locked_and_the_first_unlock_makes_the_store(with_passphrase):
    daemon = with_passphrase
    assert state_of(daemon) == (True, 0, None, None)
    assert not (daemon.directory / "state" / "postern.db").exists()
    for passphrase in [None, "", "short", "aaaaaaaaaaaa"]:
        with ends_with("WeakPassword"):
            unlock(daemon, passphrase)
    with invalid("passphrase"):
        unlock(daemon, "x" * 1025)
    unlock(daemon)
    sign_in(daemon)
    assert state_of(daemon) == (False, 0, 1, 1)
    assert sorted(path.name for path in (daemon.directory / "state").iterdir()) == ["lock", "names", "postern.db", "postern.db-wal"]
    daemon.call("Lock")
    with invalid("passphrase"):
        unlock(daemon, None)
    unlock(daemon)
    assert daemon.call("GetAccessToken", {"providerID": "demo"})["accessToken"]


def test_wrong_passphrases_are_told_and_slowed(with_passphrase):
    daemon = with_passphrase
    unlock(daemon)
    sign_in(daemon)
    daemon.call("Lock")
    for _ in range(5):
        with ends_with("WrongPassword"):
            unlock(daemon, PASSPHRASE + "!")
    with ends_with("TooManyAttempts") as caught:
        unlock(daemon)
    assert 1 <= caught.value.parameters["retryAfterSeconds"] <= 2
    assert PASSPHRASE not in daemon.log.read_text()

    def opened():
        try:
            return unlock(daemon) == {}
        except VarlinkError as error:
            assert error.short == "TooManyAttempts"

    wait_for(opened, what="the end of the pause")
    assert state_of(daemon) == (False, 0, 1, 1)


def test_an_open_store_checks_the_passphrase_and_stays_open(with_passphrase):
    daemon = with_passphrase
    unlock(daemon)
    sign_in(daemon)
    monitor = daemon.client()
    monitor.send("Monitor", more=True)
    daemon.call("GetStatus")
    assert unlock(daemon) == {} and unlock(daemon, None) == {}
    for passphrase in [PASSPHRASE + "!", "", "short"]:
        with ends_with("WrongPassword"):
            unlock(daemon, passphrase)
    assert state_of(daemon) == (False, 0, 1, 1)
    assert daemon.call("GetAccessToken", {"providerID": "demo"})["accessToken"]
    assert monitor.silent(0), "nothing became of the store"
    assert PASSPHRASE not in daemon.log.read_text()


def test_guesses_at_an_open_store_are_slowed_as_those_at_a_locked_one(with_passphrase):
    daemon = with_passphrase
    unlock(daemon)
    for _ in range(5):
        with ends_with("WrongPassword"):
            unlock(daemon, PASSPHRASE + "!")
    with ends_with("TooManyAttempts") as caught:
        unlock(daemon)
    assert 1 <= caught.value.parameters["retryAfterSeconds"] <= 2
    assert unlock(daemon, None) == {}  # no guess
    daemon.call("Lock")
    with ends_with("TooManyAttempts"):
        unlock(daemon)

    def opened():
        try:
            return unlock(daemon) == {}
        except VarlinkError as error:
            assert error.short == "TooManyAttempts"

    wait_for(opened, what="the end of the pause")
    assert unlock(daemon) == {}  # and the count begins anew
    for _ in range(4):
        with ends_with("WrongPassword"):
            unlock(daemon, PASSPHRASE + "!")
    assert unlock(daemon) == {}


@pytest.mark.parametrize("is_open", [False, True])
def test_while_a_passphrase_is_tried_everybody_else_is_answered(with_passphrase, is_open):
    daemon = with_passphrase
    if is_open:
        unlock(daemon)
    unlocking = daemon.client()
    unlocking.send("Unlock", {"passphrase": PASSPHRASE})
    answers = 0
    while unlocking.silent(0):
        daemon.call("GetStatus")
        answers += 1
    assert unlocking.receive() == {} and answers > 5


def test_several_who_unlock_at_once_are_all_answered(with_passphrase):
    daemon = with_passphrase
    unlock(daemon)
    daemon.call("Lock")
    answers = []
    threads = [threading.Thread(target=lambda: answers.append(unlock(daemon))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [{}] * 4


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


def test_a_daemon_killed_while_it_makes_its_store_makes_it_the_next_time(with_passphrase):
    daemon = with_passphrase
    for _ in range(3):
        client = daemon.client()
        client.send("Unlock", {"passphrase": PASSPHRASE})
        daemon.kill()
        daemon.start()
    unlock(daemon)
    assert state_of(daemon) == (False, 0, 0, 0)


# ---- A daemon that comes and goes --------------------------------------------

@pytest.fixture
def activated(make_daemon):
    """Makes daemons that go when they are idle for a second; the argument is `store.key`."""
    def make(key):
        daemon = make_daemon('[daemon]\nidle-exit = "1s"\n')
        daemon.config.write_text(daemon.config.read_text().replace('key = "file"', f'key = "{key}"'))
        daemon.path.parent.mkdir(mode=0o700)
        return daemon.start(prefix=[sys.executable, "-c", ACTIVATE, str(daemon.path)])

    return make


def test_who_would_come_back_other_than_it_went_does_not_go(activated):
    held = []

    def stays(daemon):
        """As long as the client is connected."""
        held.append(daemon.client())
        return daemon

    locked, unlocked = stays(activated("file")), stays(activated("passphrase"))
    locked.call("Lock")
    unlock(unlocked)
    for client in held:
        client.close()
    # Others that came later and may go: their end is the clock.
    for other in [activated("file"), activated("passphrase")]:
        assert other.process.wait(60) == 0
    assert state_of(locked)[0] is True and state_of(unlocked)[0] is False
    unlock(locked, None)
    unlocked.call("Lock")
    assert locked.process.wait(60) == 0 and unlocked.process.wait(60) == 0


# ---- postern lock and unlock ------------------------------------------------


def test_the_commands_lock_and_unlock(demo):
    assert run(demo, "lock").stderr == "locked\n"
    assert "store" in run(demo, "status").stdout and "locked" in run(demo, "status").stdout
    done = run(demo, "unlock", stdin="not looked at\n")
    assert (done.returncode, done.stderr) == (0, "unlocked\n")


def test_the_command_takes_the_passphrase_as_one_line(with_passphrase):
    daemon = with_passphrase
    weak = run(daemon, "unlock", stdin="short\n")
    assert weak.returncode == 1 and "at least 8 characters" in weak.stderr
    assert run(daemon, "unlock", stdin=f"{PASSPHRASE}\nthe next line\n").stderr == "unlocked\n"
    daemon.call("Lock")
    wrong = run(daemon, "unlock", stdin="another passphrase\n")
    assert wrong.returncode == 1 and "is not the one that the store was made with" in wrong.stderr
    assert run(daemon, "unlock").returncode == 64
    assert run(daemon, "unlock", stdin=PASSPHRASE).stderr == "unlocked\n"


def test_a_terminal_does_not_show_the_passphrase_and_asks_twice_for_a_new_one(with_passphrase):
    def answered(*lines):
        command = Command(with_passphrase, "unlock", terminal=True)
        for question, line in lines:
            command.read_until(question)
            command.type(line)
        return command.end()[0], command.text

    new = ("New passphrase: ", PASSPHRASE + "\n")
    status, text = answered(new, ("Repeat the passphrase: ", "something else\n"))
    assert status == 1 and "do not match" in text
    status, text = answered(new, ("Repeat the passphrase: ", PASSPHRASE + "\n"))
    assert status == 0 and "unlocked" in text and PASSPHRASE not in text
    with_passphrase.call("Lock")
    status, text = answered(("Passphrase: ", "half a passphr\x03"))
    assert status == 2 and "cancelled" in text and "half" not in text
    assert answered(("Passphrase: ", PASSPHRASE + "\n"))[0] == 0
