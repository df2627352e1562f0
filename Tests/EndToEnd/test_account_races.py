"""Two programs that link at once, kill -9 between any two writes of a link, and profiles that are none."""
import concurrent.futures
import os
import pathlib
import subprocess
import threading

import pytest
import requests
from person import browser
from plain_provider import PlainProvider
from postern import VarlinkError, ends_with, free_port
from signing_in import SignIn

ROUNDS = int(os.environ.get("POSTERN_RACE_ROUNDS", "25"))
DIED = (EOFError, OSError, requests.RequestException)


@pytest.fixture
def providers():
    providers = {name: PlainProvider() for name in ("one", "two")}
    yield providers
    for provider in providers.values():
        provider.close()


@pytest.fixture
def daemon(make_daemon, providers):
    return make_daemon("".join(provider.configuration(name) for name, provider in providers.items()), port=free_port()).start()


def come(daemon, providers, name, subject, app, intent="signIn", **person):
    """A whole sign-in of one account; not for two at once, as a provider knows one person at a time."""
    providers[name].person = {"id": subject, "name": subject, **person}
    pending = SignIn(daemon, providerID=name, app=app, intent=intent)
    browser().get(pending.url)
    return pending.completed()


def user_of(daemon, providers, name, subject, app):
    return come(daemon, providers, name, subject, app)["result"]["user"]["uid"]


def handle_of(daemon, providers, name, subject, app="handles"):
    return come(daemon, providers, name, subject, app, intent="credential")["credential"]["handle"]


def at_once(*calls):
    """The outcome of each: its result, or the name of its error."""
    barrier = threading.Barrier(len(calls))

    def run(call):
        barrier.wait()
        try:
            return call()
        except VarlinkError as error:
            return error.short

    with concurrent.futures.ThreadPoolExecutor(len(calls)) as pool:
        return [future.result() for future in [pool.submit(run, call) for call in calls]]


def use(daemon, handle, app, intent="signIn"):
    client = daemon.client()
    return lambda: client.call("SignInWithCredential", {"credential": {"handle": handle}, "app": app, "intent": intent})["result"]


def accounts(daemon, app):
    user = daemon.call("GetCurrentUser", {"app": app}).get("user")
    return user and sorted((data["providerID"], data["uid"]) for data in user["providerData"])


def test_only_one_of_two_users_can_link_an_account(daemon, providers):
    for number in range(ROUNDS):
        uids = {app: user_of(daemon, providers, "one", f"{app}{number}", app) for app in ("a", "b")}
        handles = {app: handle_of(daemon, providers, "two", f"s{number}") for app in ("a", "b")}
        first, second = at_once(*(use(daemon, handles[app], app, "link") for app in ("a", "b")))
        won, lost = (first, second) if isinstance(first, dict) else (second, first)
        assert lost == "CredentialAlreadyInUse" and won["operation"] == "link"
        winner = "a" if won is first else "b"
        assert won["user"]["uid"] == uids[winner]
        for app in ("a", "b"):
            expected = [("one", f"{app}{number}")] + ([("two", f"s{number}")] if app == winner else [])
            assert accounts(daemon, app) == expected
        assert user_of(daemon, providers, "two", f"s{number}", "c") == uids[winner]


# ---- kill -9 ----------------------------------------------------------------------------


@pytest.fixture
def killer(tmp_path):
    """The environment of a daemon that dies in front of the write whose number is in the file, and the two files."""
    library = tmp_path / "killer.so"
    source = pathlib.Path(__file__).with_name("killer.c")
    subprocess.run(["gcc", "-shared", "-fPIC", "-O1", "-o", str(library), str(source), "-ldl"], check=True)
    at, ledger = tmp_path / "kill-at", tmp_path / "ledger"
    return {"LD_PRELOAD": str(library), "POSTERN_KILL_AT": str(at), "POSTERN_KILL_LEDGER": str(ledger)}, at, ledger


def test_a_kill_between_any_two_writes_of_a_link_leaves_all_or_nothing(make_daemon, providers, killer):
    environment, at, ledger = killer
    configuration = "".join(provider.configuration(name) for name, provider in providers.items())
    daemon = make_daemon(configuration, port=free_port(), environment=environment).start()
    outcomes = []
    for number in range(1, 400):
        uid = user_of(daemon, providers, "one", f"u{number}", "a")
        handle = handle_of(daemon, providers, "two", f"s{number}")
        ledger.write_text("")
        # At once and whole: a write that is still on its way from the sign-in before would read an empty file and count for nothing.
        (whole := at.with_suffix(".new")).write_text(str(number))
        whole.replace(at)
        try:
            answered = use(daemon, handle, "a", "link")()
        except DIED:
            answered = None
        at.unlink()
        if answered is None:
            daemon.process.wait(20)
            assert daemon.process.returncode == -9 and len(ledger.read_text()) == number
        else:
            daemon.kill()
        daemon.start()
        is_linked = accounts(daemon, "a") == [("one", f"u{number}"), ("two", f"s{number}")]
        assert is_linked or accounts(daemon, "a") == [("one", f"u{number}")]
        assert is_linked or answered is None
        if is_linked:
            with ends_with("InvalidCredential"):
                use(daemon, handle, "a", "link")()
        else:
            # The handle went with the link or not at all.
            assert use(daemon, handle, "a", "link")()["user"]["uid"] == uid
        assert user_of(daemon, providers, "two", f"s{number}", "check") == uid
        outcomes.append(is_linked)
        if answered:
            break
    # Every write was the last one once, and one of them made all the others count. Which number it has may differ: where the machine is slow,
    # the daemon tidies its store meanwhile, a second after its start.
    assert answered and len(outcomes) > 4 and outcomes[0] is False and outcomes[-1] is True
    assert "damaged" not in daemon.log.read_text()


# ---- Hostile profiles --------------------------------------------------------------------


def deep(levels):
    person = {"id": "h"}
    for _ in range(levels):
        person = {"id": "h", "deep": person}
    return person


def test_an_invalid_profile_fails_only_its_own_sign_in(daemon, providers):
    uid = user_of(daemon, providers, "one", "u", "a")
    for person in (
            {"id": "h", "name": "x" * (1 << 20)}, {"id": "h", "photos": ["x" * 1000] * 9000}, deep(500), {"name": "Ada"}, {"id": ""}, {"id": ["h"]},
            {"id": 1.5}, {"id": "h\n"}, [1, 2], "h"):
        for intent in ("signIn", "link"):
            providers["two"].person = person
            pending = SignIn(daemon, providerID="two", app="a", intent=intent)
            browser().get(pending.url)
            with ends_with("(ExchangeFailed|ProviderUnreachable)"):
                pending.completed()
            assert daemon.call("GetCurrentUser", {"app": "a"})["user"]["uid"] == uid and daemon.call("GetStatus")["users"] == 1
            assert len(accounts(daemon, "a")) == 1
    # Much is not too much.
    result = come(daemon, providers, "two", "h", "a", intent="link", **{f"key{number}": number for number in range(10_000)})["result"]
    assert len(result["additionalUserInfo"]["profile"]) == 10_002 and len(result["user"]["providerData"]) == 2
