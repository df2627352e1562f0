"""kill -9 at random instants of busy work, a hundred times. What was answered is there after the restart; what was not may be either way."""
import os
import random
import threading
import time

import pytest
import requests
from person import answer, browser, consent
from postern import VarlinkError, free_port, oidc
from signing_in import SignIn
from token_server import TokenServer

ROUNDS = int(os.environ.get("POSTERN_CRASH_ROUNDS", "100"))
SEED = int(os.environ.get("POSTERN_CRASH_SEED", "7678"))
EMAILS = {"ada": "ada@example.com", "grace": "grace@example.org"}
SUBJECTS = {"ada": "demo-1815", "grace": "demo-1906"}
DIED = (EOFError, OSError, requests.RequestException)


class Program:
    """One app at work; keeps a ledger of what it was promised."""

    def __init__(self, daemon, name, seed, uids):
        self.daemon, self.name, self.uids = daemon, name, uids
        self.random = random.Random(seed)
        self.current = {None}       # e-mail addresses that may be the current user's: one, or two while a change is unanswered
        self.handles = []           # promised, not used
        self.used = []              # answered uses
        self.promised = set()       # identities whose credential must be kept
        self.answered = 0
        self.wrong = None

    def work(self):
        try:
            while True:
                self.random.choice([self.sign_in, self.sign_in, self.take_handle, self.use_handle, self.sign_out, self.ask, self.refresh])()
                self.answered += 1
        except DIED:
            pass
        except BaseException as error:  # told by the test itself
            self.wrong = error

    def person(self):
        return self.random.choice(["ada", "grace"])

    def know(self, result):
        user = result["user"]
        assert self.uids.setdefault(user["email"], user["uid"]) == user["uid"], "one person became two users"

    def sign_in(self):
        person = self.person()
        try:
            pending = SignIn(self.daemon, app=self.name)
            self.current = self.current | {EMAILS[person]}
            consent(pending.url, person)
            self.know(pending.completed()["result"])
        except VarlinkError as error:
            # Joined one that a kill had cut off in its exchange.
            assert error.short in ("ExchangeFailed", "SignInCancelled"), error
            return
        self.current = {EMAILS[person]}
        self.promised.add(person)

    def take_handle(self):
        pending = SignIn(self.daemon, app=self.name, intent="credential")
        person = self.person()
        consent(pending.url, person)
        self.handles.append((person, pending.completed()["credential"]["handle"]))

    def use_handle(self):
        if not self.handles:
            return
        person, handle = self.handles.pop(0)
        self.current = self.current | {EMAILS[person]}
        self.know(self.daemon.call("SignInWithCredential", {"credential": {"handle": handle}, "app": self.name})["result"])
        self.current = {EMAILS[person]}
        self.used.append(handle)
        self.promised.add(person)

    def sign_out(self):
        self.current = self.current | {None}
        self.handles = []  # They end with the sign-in.
        self.daemon.call("SignOut", {"app": self.name})
        self.current = {None}

    def ask(self):
        user = self.daemon.call("GetCurrentUser", {"app": self.name}).get("user")
        email = user["email"] if user else None
        assert email in self.current, f"{self.name}: {email} is current, {self.current} was promised"
        self.current = {email}

    def refresh(self):
        listed = self.daemon.call("ListCredentials")["credentials"]
        if listed:
            try:
                self.daemon.call("GetAccessToken", {"providerID": "demo", "uid": listed[0]["uid"], "forceRefresh": True})
            except VarlinkError as error:
                # The rotated token was lost with the answer that nobody wrote down; the provider refuses the old one.
                assert error.short == "SignInRequired", error

    def check(self):
        """In the next life, with nobody else at work."""
        self.ask()
        for handle in self.used[-1:]:
            with pytest.raises(VarlinkError, match="InvalidCredential"):
                self.daemon.call("SignInWithCredential", {"credential": {"handle": handle}, "app": self.name})
        if len(self.handles) > 2:
            self.use_handle()


def test_a_hundred_kills_lose_nothing(make_daemon, demo_provider):
    server = TokenServer(f"{demo_provider}/token")
    daemon = make_daemon(oidc(demo_provider, token_endpoint=server.url), port=free_port())
    chance, uids = random.Random(SEED), {}
    programs = [Program(daemon, f"app{number}", chance.random(), uids) for number in range(3)]
    left = None
    completed_later = 0
    for _ in range(ROUNDS):
        if chance.random() < 0.25:  # killed while it starts, too
            daemon.start(wait=False)
            time.sleep(chance.uniform(0, 0.04))
            daemon.kill()
        daemon.start()
        if left:
            page = browser().get(left[1])
            assert page.status_code == 200, page.text
            event = daemon.call("AttachSession", {"sessionID": left[0]})["event"]
            assert event["state"] == "completed" and event["credential"]["handle"]
            completed_later += 1
        for program in programs:
            program.check()
        kept = {c["uid"] for c in daemon.call("ListCredentials")["credentials"]}
        for program in programs:
            assert {SUBJECTS[person] for person in program.promised} <= kept
        pending = SignIn(daemon, app="later", intent="credential")
        left = (pending.id, answer(pending.url))
        pending.client.close()

        threads = [threading.Thread(target=program.work) for program in programs]
        for thread in threads:
            thread.start()
        time.sleep(chance.uniform(0.002, 0.25))  # the instant of the kill, not a wait for anything
        daemon.kill()
        for thread in threads:
            thread.join(30)
            assert not thread.is_alive()
        for program in programs:
            if program.wrong:
                raise program.wrong
    codes = [form["code"] for form in server.forms if form.get("grant_type") == "authorization_code"]
    assert len(codes) == len(set(codes)), "a code was sent twice"
    assert completed_later == ROUNDS - 1
    assert sum(program.answered for program in programs) > ROUNDS
    log = daemon.log.read_text()
    assert "damaged" not in log, log
    server.close()
