"""Two programs at once: whoever is first, the end is one of the two orders. And kill -9 at random instants of links."""
import concurrent.futures
import os
import pathlib
import random
import subprocess
import threading
import time

import pytest
import requests
from person import browser
from plain_provider import PlainProvider
from postern import VarlinkError, free_port
from signing_in import SignIn

ROUNDS = int(os.environ.get("POSTERN_RACE_ROUNDS", "25"))
CRASHES = int(os.environ.get("POSTERN_CRASH_ROUNDS", "40"))
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


def handle_of(daemon, providers, name, subject, app="handles", **person):
    return come(daemon, providers, name, subject, app, intent="credential", **person)["credential"]["handle"]


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


def test_of_two_users_who_link_one_account_one_has_it(daemon, providers):
    winners = set()
    for number in range(ROUNDS):
        uids = {app: user_of(daemon, providers, "one", f"{app}{number}", app) for app in ("a", "b")}
        handles = {app: handle_of(daemon, providers, "two", f"s{number}") for app in ("a", "b")}
        first, second = at_once(*(use(daemon, handles[app], app, "link") for app in ("a", "b")))
        won, lost = (first, second) if isinstance(first, dict) else (second, first)
        assert lost == "CredentialAlreadyInUse" and won["operation"] == "link"
        winner = "a" if won is first else "b"
        winners.add(winner)
        assert won["user"]["uid"] == uids[winner]
        for app in ("a", "b"):
            expected = [("one", f"{app}{number}")] + ([("two", f"s{number}")] if app == winner else [])
            assert accounts(daemon, app) == expected
        assert user_of(daemon, providers, "two", f"s{number}", "c") == uids[winner]
    assert winners


def test_of_two_pages_that_link_one_account_one_has_it(daemon, providers):
    for number in range(5):
        for app in ("a", "b"):
            user_of(daemon, providers, "one", f"{app}{number}", app)
        providers["two"].person = {"id": f"s{number}"}
        pending = [SignIn(daemon, providerID="two", app=app, intent="link") for app in ("a", "b")]
        at_once(*(lambda url=one.url: browser().get(url) for one in pending))
        outcomes = []
        for one in pending:
            try:
                outcomes.append(one.completed()["result"]["operation"])
            except VarlinkError as error:
                outcomes.append(error.short)
        assert sorted(outcomes) == ["CredentialAlreadyInUse", "link"]


def test_one_answer_that_comes_twice_at_once_is_exchanged_once(daemon, providers):
    for number in range(ROUNDS):
        uid = user_of(daemon, providers, "one", f"u{number}", "a")
        providers["two"].person = {"id": f"s{number}"}
        pending, seen = SignIn(daemon, providerID="two", app="a", intent="link"), len(providers["two"].exchanges)
        callback = browser().get(pending.url, allow_redirects=False).headers["Location"]
        pages = at_once(*[lambda: browser().get(callback) for _ in range(4)])
        assert pending.completed()["result"]["user"]["uid"] == uid
        assert len(providers["two"].exchanges) == seen + 1 and len(accounts(daemon, "a")) == 2
        assert any(page.status_code == 200 for page in pages) and all(page.status_code < 500 for page in pages)


def test_of_two_accounts_of_one_provider_one_is_linked(daemon, providers):
    for number in range(ROUNDS):
        user_of(daemon, providers, "one", f"u{number}", "a")
        handles = [handle_of(daemon, providers, "two", f"{name}{number}") for name in ("s", "t")]
        outcomes = at_once(*(use(daemon, handle, "a", "link") for handle in handles))
        assert [one for one in outcomes if isinstance(one, str)] == ["ProviderAlreadyLinked"]
        assert len(accounts(daemon, "a")) == 2


def test_a_new_account_that_comes_twice_at_once_is_one_user(daemon, providers):
    for number in range(ROUNDS):
        handles = [handle_of(daemon, providers, "one", f"s{number}") for _ in range(4)]
        outcomes = at_once(*(use(daemon, handle, f"app{index}") for index, handle in enumerate(handles)))
        assert len({one["user"]["uid"] for one in outcomes}) == 1
        assert sorted(one["additionalUserInfo"]["isNewUser"] for one in outcomes) == [False] * 3 + [True]


def test_one_address_that_comes_from_two_providers_at_once_is_one_user(daemon, providers):
    for number in range(ROUNDS):
        handles = [handle_of(daemon, providers, name, f"s{number}", email=f"ada{number}@example.com") for name in ("one", "two")]
        outcomes = at_once(*(use(daemon, handle, app) for handle, app in zip(handles, "ab")))
        assert [one for one in outcomes if isinstance(one, str)] == ["AccountExistsWithDifferentCredential"]


def test_one_handle_used_twice_at_once_is_good_once(daemon, providers):
    for number in range(ROUNDS):
        handle = handle_of(daemon, providers, "one", f"s{number}")
        outcomes = at_once(use(daemon, handle, "a"), use(daemon, handle, "b"))
        assert [one for one in outcomes if isinstance(one, str)] == ["InvalidCredential"]


def test_a_sign_in_against_unlinking_its_account(daemon, providers):
    seen = set()
    for number in range(ROUNDS):
        uid = user_of(daemon, providers, "one", f"u{number}", "a")
        come(daemon, providers, "two", f"s{number}", "a", intent="link")
        handle, client = handle_of(daemon, providers, "two", f"s{number}"), daemon.client()
        signed, unlinked = at_once(use(daemon, handle, "b"), lambda: client.call("UnlinkProvider", {"providerID": "two", "app": "a"}))
        assert [data["providerID"] for data in unlinked["user"]["providerData"]] == ["one"]
        assert accounts(daemon, "a") == [("one", f"u{number}")]
        # Before it, as that user; unlinking ends the handle.
        seen.add(signed == "InvalidCredential")
        assert signed == "InvalidCredential" or signed["user"]["uid"] == uid
        assert user_of(daemon, providers, "two", f"s{number}", "c") != uid
    assert seen


def test_a_link_against_deleting_the_user(daemon, providers):
    for number in range(ROUNDS):
        user_of(daemon, providers, "one", f"u{number}", "a")
        handle, client = handle_of(daemon, providers, "two", f"s{number}"), daemon.client()
        linked, deleted = at_once(use(daemon, handle, "a", "link"), lambda: client.call("DeleteUser", {"app": "a"}))
        assert deleted == {}
        assert linked == "NoCurrentUser" or linked["operation"] == "link"
        assert accounts(daemon, "a") is None
        for name, subject in (("one", f"u{number}"), ("two", f"s{number}")):
            assert come(daemon, providers, name, subject, "c")["result"]["additionalUserInfo"]["isNewUser"] is True


def test_a_sign_in_against_deleting_its_user(daemon, providers):
    for number in range(ROUNDS):
        uid = user_of(daemon, providers, "one", f"u{number}", "a")
        handle, client = handle_of(daemon, providers, "one", f"u{number}"), daemon.client()
        signed, deleted = at_once(use(daemon, handle, "b"), lambda: client.call("DeleteUser", {"app": "a"}))
        assert deleted == {} and accounts(daemon, "a") is None
        # Before it, and gone with the user; after it, either a new one, or nobody where the credential went with the user.
        is_gone = signed == "InvalidCredential" or signed["user"]["uid"] == uid
        assert accounts(daemon, "b") == (None if is_gone else [("one", f"u{number}")])


# ---- kill -9 ----------------------------------------------------------------------------


class Linker:
    """Makes users and links accounts to them, and keeps a ledger of what it was promised."""

    def __init__(self, daemon, providers):
        self.daemon, self.providers, self.number = daemon, providers, 0
        self.done = []      # (uid, number): answered links
        self.open = None    # (uid, number, handle) of a link without an answer
        self.wrong = None

    def work(self):
        try:
            while True:
                self.number += 1
                uid = user_of(self.daemon, self.providers, "one", f"u{self.number}", "a")
                handle = handle_of(self.daemon, self.providers, "two", f"s{self.number}")
                self.open = (uid, self.number, handle)
                result = use(self.daemon, handle, "a", "link")()
                assert result["user"]["uid"] == uid and len(result["user"]["providerData"]) == 2
                self.done.append((uid, self.number))
                self.open = None
        except DIED:
            pass
        except VarlinkError as error:
            # A sign-in that the kill before cut off in its exchange.
            if error.short not in ("ExchangeFailed", "SignInCancelled"):
                self.wrong = error
        except BaseException as error:  # told by the test itself
            self.wrong = error

    def check(self):
        """In the next life: what was answered is there, and the link without an answer is done or not done, and nothing between."""
        for uid, number in self.done[-2:]:
            assert user_of(self.daemon, self.providers, "two", f"s{number}", "check") == uid
            assert accounts(self.daemon, "check") == [("one", f"u{number}"), ("two", f"s{number}")]
        if not self.open:
            return
        uid, number, handle = self.open
        self.open = None
        assert user_of(self.daemon, self.providers, "one", f"u{number}", "a") == uid
        if len(accounts(self.daemon, "a")) == 2:
            with pytest.raises(VarlinkError, match="InvalidCredential"):
                use(self.daemon, handle, "a", "link")()
            assert user_of(self.daemon, self.providers, "two", f"s{number}", "check") == uid
        else:
            # The handle went with the link or not at all.
            assert use(self.daemon, handle, "a", "link")()["user"]["uid"] == uid


def test_a_kill_in_the_middle_of_a_link_leaves_no_half_of_it(daemon, providers):
    chance, linker = random.Random(7678), Linker(daemon, providers)
    rounds = 0
    # A slow machine gets more rounds: enough links have to come to their end for the others to be half done.
    while rounds < CRASHES or (len(linker.done) <= CRASHES / 4 and rounds < 10 * CRASHES):
        rounds += 1
        linker.check()
        thread = threading.Thread(target=linker.work)
        thread.start()
        time.sleep(chance.uniform(0.002, 0.25))  # the instant of the kill, not a wait for anything
        daemon.kill()
        thread.join(30)
        assert not thread.is_alive()
        if linker.wrong:
            raise linker.wrong
        daemon.start()
    linker.check()
    assert len(linker.done) > CRASHES / 4 and "damaged" not in daemon.log.read_text()


@pytest.fixture
def killer(tmp_path):
    """The environment of a daemon that dies in front of the write whose number is in the file, and the two files."""
    library = tmp_path / "killer.so"
    source = pathlib.Path(__file__).with_name("killer.c")
    subprocess.run(["gcc", "-shared", "-fPIC", "-O1", "-o", str(library), str(source), "-ldl"], check=True)
    at, ledger = tmp_path / "kill-at", tmp_path / "ledger"
    return {"LD_PRELOAD": str(library), "POSTERN_KILL_AT": str(at), "POSTERN_KILL_LEDGER": str(ledger)}, at, ledger


def test_a_kill_between_any_two_writes_of_a_link_leaves_all_of_it_or_nothing(make_daemon, providers, killer):
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
            with pytest.raises(VarlinkError, match="InvalidCredential"):
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


@pytest.mark.parametrize("intent", ["signIn", "link"])
@pytest.mark.parametrize("what, person", [
    ("a mebibyte", {"id": "h", "name": "x" * (1 << 20)}),
    ("many mebibytes", {"id": "h", "photos": ["x" * 1000] * 9000}),
    ("depth", {"id": "h", "deep": 0}),
    ("no account", {"name": "Ada"}), ("an empty account", {"id": ""}), ("an account that is a list", {"id": ["h"]}),
    ("an account with a fraction", {"id": 1.5}), ("an account with a line feed", {"id": "h\n"}), ("a list", [1, 2]), ("a text", "h"),
])
def test_a_profile_that_is_none_ends_its_sign_in_and_nothing_else(daemon, providers, intent, what, person):
    uid = user_of(daemon, providers, "one", "u", "a")
    if what == "depth":
        for _ in range(500):
            person = {"id": "h", "deep": person}
    providers["two"].person = person
    pending = SignIn(daemon, providerID="two", app="a", intent=intent)
    browser().get(pending.url)
    with pytest.raises(VarlinkError) as caught:
        pending.completed()
    assert caught.value.short in ("ExchangeFailed", "ProviderUnreachable"), caught.value
    assert daemon.call("GetCurrentUser", {"app": "a"})["user"]["uid"] == uid and daemon.call("GetStatus")["users"] == 1
    assert len(accounts(daemon, "a")) == 1


def test_ten_thousand_keys_are_handed_on_as_they_came(daemon, providers):
    user_of(daemon, providers, "one", "u", "a")
    result = come(daemon, providers, "two", "h", "a", intent="link", **{f"key{number}": number for number in range(10_000)})["result"]
    assert len(result["additionalUserInfo"]["profile"]) == 10_002 and len(result["user"]["providerData"]) == 2
    assert user_of(daemon, providers, "two", "h", "b") == result["user"]["uid"]


@pytest.mark.parametrize("email", [
    "ada@example.com\n", "ada@example.com\u00a0", "\u202eada@example.com", "ada@exam ple.com", "ada", "@example.com", "ada@", "a@b@c.example",
    "x" * 250 + "@example.com", 7, ["ada@example.com"], {"address": "ada@example.com"},
])
def test_an_address_that_is_none_is_nobodys(daemon, providers, email):
    come(daemon, providers, "one", "u", "a", email="ada@example.com")
    result = come(daemon, providers, "two", "h", "b", email=email)["result"]
    assert result["additionalUserInfo"]["isNewUser"] is True and "email" not in result["user"]
