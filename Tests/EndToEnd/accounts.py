"""Cases of the account rules in text files, run against a real daemon and real providers.

A file in `accounts/` holds cases. Each begins with `## NUMBER what it shows`, with the number of the reference; then come the steps, one a
line. `given` and `when` perform an action, `then` checks its result. An app's name and a colon may precede the action; without them it
is for the app `a`.

    given  b: signIn trusted/S email=ada@example.com verified as B
    when   a: link plain/T email=ada@example.com
    then   error EmailAlreadyInUse email=ada@example.com
    then   b: user uid=B providers=trusted

The providers are `trusted` and `trusted2`, which are authoritative for every address that they have verified, and `plain` and `other`,
which are authoritative for none. `plain/S` is the account S there. An account's profile is written as name=value. With page=NAME the page
stays open until `come NAME`.
"""
import base64
import hashlib
import hmac
import pathlib
import re
import shlex
import struct
import time

from person import browser
from postern import VarlinkError
from signing_in import SignIn

FILES = pathlib.Path(__file__).resolve().parent / "accounts"
TRUSTED, ALL = ("trusted", "trusted2"), ("trusted", "trusted2", "plain", "other")


class Case:
    def __init__(self, path, number, title):
        self.path, self.number, self.title, self.steps = path, number, title, []

    def __str__(self):
        return f"{self.path.stem}-{self.number}-{re.sub('[^a-zA-Z0-9]+', '-', self.title)}"


def read(path):
    cases = []
    for line in path.read_text().splitlines():
        if line.startswith("## "):
            cases.append(Case(path, *line[3:].split(" ", 1)))
        elif line.strip() and not line.startswith("#"):
            kind, rest = line.split(None, 1)
            assert kind in ("setting", "given", "when", "then"), line
            cases[-1].steps.append((kind, rest, line))
    return cases


def all_cases():
    return [case for path in sorted(FILES.glob("*.txt")) if path.stem != "not-applicable" for case in read(path)]


def totp(secret, counter):
    """RFC 6238 with its defaults."""
    key = base64.b32decode(secret + "=" * (-len(secret) % 8))
    digest = hmac.new(key, struct.pack(">Q", counter), hashlib.sha1).digest()
    offset = digest[-1] & 15
    return f"{(struct.unpack('>I', digest[offset:offset + 4])[0] & 0x7FFFFFFF) % 10 ** 6:06}"


class Play:
    def __init__(self, case, make_daemon, providers):
        self.case, self.providers = case, providers
        shared = any(kind == "setting" and rest == "shared-addresses" for kind, rest, _ in case.steps)
        config = f"[accounts]\none-account-per-email = {'false' if shared else 'true'}\n"
        for name, provider in providers.items():
            trust = {"trust_email": True} if name in TRUSTED else {}
            config += provider.configuration(name, **trust).replace('client-id', 'profile = { uid = "id", photo = "picture" }\nclient-id')
        self.daemon = make_daemon(config).start()
        self.uids, self.handles, self.resolvers, self.factors, self.pages = {}, {}, {}, {}, {}
        self.result = self.error = None

    def run(self):
        for kind, rest, line in self.case.steps:
            try:
                if kind == "then":
                    self.check(*self.parse(rest))
                elif kind != "setting":
                    self.do(*self.parse(rest), must_succeed=kind == "given")
            except Exception as error:
                raise AssertionError(f"{self.case.path.name}, {self.case.number}: {line}: {error}") from error
        assert self.error is None, f"nobody expected {self.error}"

    def parse(self, rest):
        words = shlex.split(rest)
        app = words.pop(0)[:-1] if words[0].endswith(":") else "a"
        verb, plain, named = words.pop(0), [], {}
        while words:
            word = words.pop(0)
            if word == "as":
                named["as"] = words.pop(0)
            elif "=" in word and not word.startswith("="):
                name, _, text = word.partition("=")
                named[name] = text
            else:
                plain.append(word)
        return app, verb, plain, named

    # ---- Actions ------------------------------------------------------------------------

    def do(self, app, verb, plain, named, must_succeed):
        assert self.error is None, f"nobody expected {self.error}"
        self.result = None
        try:
            answer = getattr(self, f"do_{verb}")(app, plain, named)
            self.result = (answer or {}).get("result") or answer or {}
        except VarlinkError as error:
            if must_succeed:
                raise
            self.error = error
        if "as" in named and self.result and "user" in self.result:
            self.uids[named["as"]] = self.result["user"]["uid"]

    def sign_in(self, app, intent, plain, named):
        provider, subject = plain[0].split("/", 1)
        person = {"id": subject}
        for name, text in named.items():
            if name in ("email", "name", "picture"):
                person[name] = text.encode().decode("unicode_escape").encode("latin-1", "ignore").decode("latin-1") if "\\" in text else text
        if "email" in person:
            person["email_verified"] = "verified" in plain
        self.providers[provider].person = person
        pending = SignIn(self.daemon, providerID=provider, intent=intent, app=app)
        if "page" in named:
            self.pages[named["page"]] = pending, provider, person
            return None
        return self.do_come(app, [pending], named)

    def do_come(self, app, plain, named):
        """The person completes the page of that name, which was left open, whoever it was opened for."""
        if isinstance(pending := plain[0], str):
            pending, provider, person = self.pages[pending]
            self.providers[provider].person = person
        browser().get(pending.url)
        return pending.completed()

    def do_signIn(self, *step):
        return self.sign_in(step[0], "signIn", *step[1:])

    def do_link(self, *step):
        return self.sign_in(step[0], "link", *step[1:])

    def do_reauthenticate(self, *step):
        return self.sign_in(step[0], "reauthenticate", *step[1:])

    def do_credential(self, app, plain, named):
        event = self.sign_in(app, "credential", plain, named)
        self.handles[named["handle"]] = event["credential"]["handle"]

    def do_use(self, app, plain, named):
        intent = plain[1] if len(plain) > 1 else "signIn"
        return self.daemon.call("SignInWithCredential", {"credential": {"handle": self.handles[plain[0]]}, "intent": intent, "app": app})

    def do_password(self, app, plain, named):
        credential = {"email": named["email"], "password": named["password"]}
        return self.daemon.call("SignInWithCredential", {"credential": credential, "intent": plain[0] if plain else "signIn", "app": app})

    def do_createUser(self, app, plain, named):
        named = {"displayName" if name == "name" else name: text for name, text in named.items() if name != "as"}
        return self.daemon.call("CreateUser", {**named, "app": app})

    def do_anonymous(self, app, plain, named):
        return self.daemon.call("SignInAnonymously", {"app": app})

    def do_update(self, app, plain, named):
        names = {"name": "displayName", "photo": "photoURL"}
        return self.daemon.call("UpdateUser", {**{names.get(name, name): text for name, text in named.items() if name != "as"}, "app": app})

    def do_unlink(self, app, plain, named):
        return self.daemon.call("UnlinkProvider", {"providerID": plain[0], "app": app})

    def do_signOut(self, app, plain, named):
        return self.daemon.call("SignOut", {"app": app})

    def do_deleteUser(self, app, plain, named):
        return self.daemon.call("DeleteUser", {"app": app})

    def do_restart(self, app, plain, named):
        self.daemon.kill()
        self.daemon.start()

    def do_totp(self, app, plain, named):
        """Enrols a second factor."""
        enrolment = self.daemon.call("EnrollSecondFactor", {"factorID": "totp", "displayName": plain[0], "app": app})
        # A code works once, and the daemon also accepts the previous and the next one.
        self.factors[plain[0]] = [enrolment["secret"], int(time.time()) // 30 - 1]
        answer = self.daemon.call("ConfirmSecondFactor", {"enrollmentID": enrolment["enrollmentID"], "verificationCode": self.code(plain[0]), "app": app})
        return answer

    def code(self, name):
        secret, counter = self.factors[name]
        counter = max(counter, int(time.time()) // 30 - 1)
        self.factors[name][1] = counter + 1
        return totp(secret, counter)

    def do_resolve(self, app, plain, named):
        resolver, hints = self.resolvers[plain[0]]
        hint = next(hint for hint in hints if hint["displayName"] == plain[1])
        code = named.get("code") or self.code(plain[1])
        return self.daemon.call("ResolveSecondFactor", {"resolver": resolver, "uid": hint["uid"], "verificationCode": code})

    def do_withdraw(self, app, plain, named):
        user = self.daemon.call("GetCurrentUser", {"app": app})["user"]
        uid = next(factor["uid"] for factor in user["secondFactors"] if factor["displayName"] == plain[0])
        return self.daemon.call("RemoveSecondFactor", {"uid": uid, "app": app})

    # ---- Checks ----------------------------------------------------------------------

    def check(self, app, verb, plain, named):
        getattr(self, f"check_{verb}")(app, plain, named)

    def check_error(self, app, plain, named):
        assert self.error, f"no error, but {self.result}"
        error, self.error = self.error, None
        assert error.short == plain[0], str(error)
        told = error.parameters
        if "handle" in named:
            self.handles[named.pop("handle")] = told["credential"]["handle"]
        if "resolver" in named:
            self.resolvers[named.pop("resolver")] = (told["resolver"], told["hints"])
        if "hints" in named:
            assert [hint["displayName"] for hint in told["hints"]] == named.pop("hints").split(","), told
        for name, text in named.items():
            found = told.get(name)
            found = ",".join(found) if isinstance(found, list) else "" if found is None else str(found)
            assert found == text, f"{name} is {found!r}"

    def check_ok(self, app, plain, named):
        if self.error:
            raise self.error
        for word in plain:
            assert self.result["additionalUserInfo"]["isNewUser"] is (word == "new"), f"it is not {word}"
        if "operation" in named:
            assert self.result["operation"] == named.pop("operation"), self.result["operation"]
        if named:
            self.check_members(self.result["user"], named)

    def check_user(self, app, plain, named):
        user = self.daemon.call("GetCurrentUser", {"app": app}).get("user")
        assert user, f"{app} is signed in as nobody"
        self.check_members(user, named)

    def check_nobody(self, app, plain, named):
        assert "user" not in self.daemon.call("GetCurrentUser", {"app": app})

    def check_fetch(self, app, plain, named):
        assert sorted(self.daemon.call("FetchProviders", {"email": plain[0]})["providerIDs"]) == sorted(plain[1:])

    def check_users(self, app, plain, named):
        assert self.daemon.call("GetStatus")["users"] == int(plain[0])

    def check_credentials(self, app, plain, named):
        kept = [f"{held['providerID']}/{held['uid']}" for held in self.daemon.call("ListCredentials")["credentials"]]
        assert sorted(kept) == sorted(plain), kept

    def check_members(self, user, named):
        accounts = [(data["providerID"], data["uid"]) for data in user["providerData"]]
        found = {
            "uid": next((name for name, uid in self.uids.items() if uid == user["uid"]), "new"),
            "email": user.get("email", ""), "verified": "yes" if user["emailVerified"] else "no", "name": user.get("displayName", ""),
            "photo": user.get("photoURL", ""), "anonymous": "yes" if user["isAnonymous"] else "no",
            "providers": ",".join(name for name, _ in accounts), "accounts": ",".join("/".join(account) for account in accounts),
            "factors": ",".join(factor["displayName"] for factor in user["secondFactors"]),
        }
        for name, text in named.items():
            assert found[name] == text, f"{name} is {found[name]!r}"
