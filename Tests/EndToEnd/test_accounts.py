"""The cases of the account rules that are marked `end-to-end`, with a daemon's process and real providers.

The tables, and what they mean, are with AccountTableTests.swift, which plays all of them.
"""
import shlex

import pytest
from person import browser
from plain_provider import PlainProvider
from postern import ROOT, VarlinkError
from signing_in import SignIn

ALL = ("trusted", "trusted2", "plain", "other")


def cases():
    for path in sorted((ROOT / "Tests/PosternApplicationTests/Tables/Accounts").glob("*.txt")):
        for text in path.read_text().split("\n## ")[1:]:
            title, *steps = [line for line in text.splitlines() if line]
            if steps[0] == "end-to-end":
                yield pytest.param(steps[1:], id=f"{path.stem}-{title}")


@pytest.fixture(scope="module")
def providers():
    providers = {name: PlainProvider() for name in ALL}
    yield providers
    for provider in providers.values():
        provider.close()


class Play:
    def __init__(self, make_daemon, providers):
        self.providers, self.uids, self.handles, self.result, self.error = providers, {}, {}, {}, None
        self.daemon = make_daemon("".join(
            provider.configuration(name, trust_email=name.startswith("trusted"))
            .replace("client-id", 'profile = { uid = "id", photo = "picture" }\nclient-id') for name, provider in providers.items())).start()

    def step(self, line):
        kind, *words = shlex.split(line)
        app = words.pop(0)[:-1] if words[0].endswith(":") else "a"
        verb, *words = words
        name = words.pop(words.index("as") + 1) if "as" in words else None
        plain, named = [word for word in words if "=" not in word], dict(word.split("=", 1) for word in words if "=" in word)
        if kind == "then":
            return self.check(app, verb, plain, named)
        assert self.error is None, f"nobody expected {self.error}"
        try:
            self.result = self.act(app, verb, plain, named) or {}
        except VarlinkError as error:
            if kind == "given":
                raise
            self.error = error
        if name:
            self.uids[name] = self.result["user"]["uid"]

    def act(self, app, verb, plain, named):
        if verb in ("signIn", "link"):
            provider, subject = plain[0].split("/")
            self.providers[provider].person = {"id": subject, **named, "email_verified": "verified" in plain}
            pending = SignIn(self.daemon, providerID=provider, intent=verb, app=app)
            browser().get(pending.url)
            return pending.completed()["result"]
        if verb == "restart":
            self.daemon.kill()
            self.daemon.start()
        elif verb == "use":
            credential = {"handle": self.handles[plain[0]]}
            return self.daemon.call("SignInWithCredential", {"credential": credential, "intent": plain[1], "app": app})["result"]
        elif verb == "password":
            return self.daemon.call("SignInWithCredential", {"credential": named, "app": app})["result"]
        elif verb == "createUser":
            name = named.pop("name")
            return self.daemon.call("CreateUser", {**named, "displayName": name, "app": app})["result"]
        else:
            assert verb == "deleteUser", verb
            self.daemon.call("DeleteUser", {"app": app})

    def check(self, app, verb, plain, named):
        if verb == "error":
            assert self.error and self.error.short == plain[0], self.error or self.result
            self.handles[named["handle"]], self.error = self.error.parameters["credential"]["handle"], None
            return
        assert self.error is None, f"nobody expected {self.error}"
        user = self.daemon.call("GetCurrentUser", {"app": app}).get("user")
        if verb == "nobody":
            assert user is None
        elif verb == "users":
            assert self.daemon.call("GetStatus")["users"] == int(plain[0])
        else:
            assert verb in ("ok", "user"), verb
            for word in plain:
                assert self.result["additionalUserInfo"]["isNewUser"] is (word == "new")
            user = self.result["user"] if verb == "ok" else user
            accounts = [(data["providerID"], data["uid"]) for data in user["providerData"]]
            found = {
                "operation": self.result.get("operation"), "uid": next((name for name, uid in self.uids.items() if uid == user["uid"]), "new"),
                "email": user.get("email", ""), "verified": "yes" if user["emailVerified"] else "no", "name": user.get("displayName", ""),
                "photo": user.get("photoURL", ""), "anonymous": "yes" if user["isAnonymous"] else "no",
                "providers": ",".join(name for name, _ in accounts), "accounts": ",".join("/".join(account) for account in accounts),
            }
            assert {name: found[name] for name in named} == named


@pytest.mark.parametrize("steps", cases())
def test_case(steps, make_daemon, providers):
    play = Play(make_daemon, providers)
    for line in steps:
        play.step(line)
    assert play.error is None
