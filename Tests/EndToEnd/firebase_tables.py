"""Tables of what happens with `authority = "firebase"`, run over the socket.

A file in `firebase/` contains cases. `== NUMBER NAME` begins one; below it each line is a step, and they run in order:

    ACTION argument=value … -> OUTCOME what=value …

Words that contain blanks are quoted. `app=NAME` before other arguments chooses the app. The actions:

    user NAME email= password= verified= name= google= facebook=      a user whom the project already has
    server key=value            how the project behaves: one_account, enumeration_protection, disabled, clock, lifetime
    disable NAME, enable NAME   by the project's administrator
    fails CALL status= body=    the next response to that call; the body extends to the end of the line
    google, facebook, work      an ID token of that provider: sub= email= verified= name= picture= intent= nonce=
    password email= password= intent=
    handle intent=              the credential of the last error
    anonymous, create, update, unlink, providers, current, token, sign-out, delete, enroll, remove
    confirm, start, resolve     with the last enrolment or resolver; code=right is the right code
    restart                     kill -9, and a new start of the daemon
    asked CALL                  what the last request to the project had; `-> COUNT n` how many there were

The outcome is `ok`, or an error's name. In the checks that follow it, `uid=@A` binds the name A the first time and requires the same
value afterwards, `uid=!A` differs from A; `~text` is contained, `none` is absent. A list is written with commas.
"""
import dataclasses
import json
import pathlib
import shlex

from identity_toolkit import TOKEN, TOOLKIT, IdentityToolkit, totp
from keys import hashed
from postern import VarlinkError

TABLES = pathlib.Path(__file__).resolve().parent / "firebase"
PROVIDERS = {"google": "google.com", "facebook": "facebook.com", "work": "oidc.work"}
CALLS = {
    "create": ("CreateUser", {"email": "email", "password": "password", "name": "displayName"}),
    "anonymous": ("SignInAnonymously", {}),
    "update": ("UpdateUser", {"email": "email", "password": "password", "name": "displayName", "photo": "photoURL"}),
    "unlink": ("UnlinkProvider", {"provider": "providerID"}),
    "providers": ("FetchProviders", {"email": "email"}),
    "current": ("GetCurrentUser", {}),
    "token": ("GetUserToken", {"audience": "audience"}),
    "sign-out": ("SignOut", {}),
    "delete": ("DeleteUser", {}),
    "enroll": ("EnrollSecondFactor", {"factor": "factorID", "phone": "phoneNumber", "name": "displayName"}),
}


@dataclasses.dataclass
class Step:
    where: str
    action: str
    words: list
    given: dict
    outcome: str
    expected: list


@dataclasses.dataclass
class Case:
    name: str
    steps: list

    def __str__(self):
        return self.name


def step(line, where):
    head, arrow, tail = line.partition(" -> ")
    head, _, body = head.partition(" body=")
    words, checks = shlex.split(head), shlex.split(tail)
    given = dict(word.split("=", 1) for word in words[1:] if "=" in word)
    given["body"] = body
    return Step(where, words[0], [word for word in words[1:] if "=" not in word], given, checks[0] if arrow else "ok",
                [check.split("=", 1) for check in checks[1:]])


def read(path):
    cases = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line.startswith("#") or not line.strip():
            continue
        if line.startswith("== "):
            cases.append(Case(f"{path.stem}: {line[3:].strip()}", []))
        else:
            cases[-1].steps.append(step(line.strip(), f"{path.name}:{number}"))
    return cases


def all_cases():
    return [case for path in sorted(TABLES.glob("*.txt")) if path.stem != "not-applicable" for case in read(path)]


def value(text):
    return {"true": True, "false": False}.get(text, text)


class Play:
    def __init__(self, case, make_daemon):
        self.case = case
        self.project = IdentityToolkit()
        self.daemon = make_daemon(self.project.configuration()).start()
        self.names, self.last, self.enrollment, self.tokens = {}, {}, {}, 0

    def run(self):
        try:
            for self.step in self.case.steps:
                self.play()
        finally:
            self.project.close()

    def play(self):
        here = self.step
        own = getattr(self, "do_" + here.action.replace("-", "_"), None)
        try:
            result = own() if own else self.call()
        except VarlinkError as error:
            assert error.short == here.outcome, f"{here.where}: {error}"
            result = {"error": error.short, **error.parameters}
            # The result of an earlier error may still be needed: a resolver after a wrong code.
            self.last.update(error.parameters)
        else:
            assert here.outcome in ("ok", "COUNT"), f"{here.where}: no error, but {result}"
        for name, expected in here.expected:
            self.check(name, expected, self.look(result or {}, name))

    # ---- Results ---------------------------------------------------------------

    def look(self, result, name):
        answer = result.get("result", result)
        user = answer.get("user") or {}
        views = {
            "uid": lambda: user.get("uid"), "new": lambda: answer["additionalUserInfo"]["isNewUser"],
            "name": lambda: user.get("displayName"), "photo": lambda: user.get("photoURL"), "verified": lambda: user.get("emailVerified"),
            "anonymous": lambda: user.get("isAnonymous"), "user": lambda: "somebody" if user else None,
            "linked": lambda: ",".join(data["providerID"] for data in user["providerData"]),
            "factors": lambda: ",".join(factor["factorID"] for factor in user["secondFactors"]),
            "hints": lambda: ",".join(hint["factorID"] for hint in result["hints"]),
            "phone": lambda: next((hint.get("phoneNumber") for hint in result["hints"]), None),
            "listed": lambda: ",".join(result["providerIDs"]), "owners": lambda: ",".join(result["providerIDs"]),
            "credential": lambda: answer.get("credential", {}).get("providerID"),
            "handle": lambda: "there" if result.get("credential", {}).get("handle") else None,
            "email": lambda: result.get("email") if "error" in result else user.get("email"),
        }
        return views[name]() if name in views else answer.get(name, result.get(name))

    def check(self, name, expected, found):
        where = f"{self.step.where}: {name} is {found!r}, not {expected}"
        if expected.startswith("@"):
            assert found and self.names.setdefault(expected[1:], found) == found, where
        elif expected.startswith("!"):
            assert found and found != self.names[expected[1:]], where
        elif expected.startswith("~"):
            assert expected[1:] in str(found), where
        elif expected == "none":
            assert found is None, where
        else:
            assert found == value(expected) or str(found) == expected, where

    # ---- Actions of the program --------------------------------------------------

    def app(self, parameters):
        return {**parameters, **({"app": self.step.given["app"]} if "app" in self.step.given else {})}

    def call(self):
        method, names = CALLS[self.step.action]
        parameters = {names[name]: text for name, text in self.step.given.items() if name in names}
        result = self.daemon.call(method, parameters if method == "FetchProviders" else self.app(parameters))
        if method == "EnrollSecondFactor":
            self.enrollment = result
        return result

    def credential(self, credential):
        intent = self.step.given.get("intent")
        parameters = {"credential": credential, **({"intent": intent} if intent else {})}
        return self.daemon.call("SignInWithCredential", self.app(parameters))

    def idp(self, name):
        given = self.step.given
        self.tokens += 1
        raw = f"nonce-{self.tokens}-0123456789"
        claims = {"nonce": hashed(raw) if name == "facebook" else raw, "sub": given.get("sub", "1020"), "email": given.get("email"),
                  "email_verified": given["verified"] == "true" if "verified" in given else None, "name": given.get("name"),
                  "picture": given.get("picture"), "jti": str(self.tokens)}
        if name == "facebook":
            claims["iss"] = "https://www.facebook.com"
        return self.credential({"providerID": PROVIDERS[name], "idToken": self.project.provider_keys.token(**claims), "rawNonce": raw})

    def do_google(self):
        return self.idp("google")

    def do_facebook(self):
        return self.idp("facebook")

    def do_work(self):
        return self.idp("work")

    def do_password(self):
        return self.credential({"email": self.step.given["email"], "password": self.step.given["password"]})

    def do_handle(self):
        return self.credential({"handle": self.last["credential"]["handle"]})

    def factor(self):
        return next(hint["uid"] for hint in self.last["hints"])

    def do_start(self):
        return self.daemon.call("StartSecondFactor", {"resolver": self.last["resolver"], "uid": self.factor()})

    def code(self, secret):
        if self.step.given.get("code") != "right":
            return self.step.given["code"]
        return totp(secret) if secret else self.project.texts[-1][1]

    def do_confirm(self):
        code = self.code(self.enrollment.get("secret"))
        parameters = {"enrollmentID": self.enrollment["enrollmentID"], "verificationCode": code}
        return self.daemon.call("ConfirmSecondFactor", self.app(parameters))

    def do_resolve(self):
        hint = self.last["hints"][0]
        user = next(user for user in self.project.users.values() if hint["uid"] in user.get("secrets", {}))
        secret = user["secrets"][hint["uid"]] if hint["factorID"] == "totp" else None
        return self.daemon.call("ResolveSecondFactor", {
            "resolver": self.last["resolver"], "uid": hint["uid"], "verificationCode": self.code(secret)})

    def do_remove(self):
        user = self.daemon.call("GetCurrentUser", self.app({}))["user"]
        return self.daemon.call("RemoveSecondFactor", self.app({"uid": user["secondFactors"][0]["uid"]}))

    def do_restart(self):
        self.daemon.kill()
        self.daemon.start()

    # ---- Actions of the project --------------------------------------------------

    def do_user(self):
        given = self.step.given
        email = {"email": given["email"]} if "email" in given else {}
        providers = {PROVIDERS[name]: {"providerId": PROVIDERS[name], "rawId": given[name], "federatedId": given[name], **email}
                     for name in PROVIDERS if name in given}
        members = {"email": given.get("email"), "password": given.get("password"), "displayName": given.get("name"),
                   "emailVerified": given.get("verified") == "true"}
        user = self.project.make(providers=providers, **{name: found for name, found in members.items() if found is not None})
        self.names[self.step.words[0]] = user["localId"]

    def do_disable(self):
        self.project.users[self.names[self.step.words[0]]]["disabled"] = True

    def do_enable(self):
        self.project.users[self.names[self.step.words[0]]]["disabled"] = False

    def do_forget(self):
        del self.project.users[self.names[self.step.words[0]]]

    def do_revoke(self):
        """The project's administrator ends every sign-in; a second later, since tokens of the same second survive."""
        self.project.users[self.names[self.step.words[0]]]["validSince"] = self.project.now + 1

    def do_server(self):
        for name, text in self.step.given.items():
            if name == "body":
                continue
            if name == "disabled":
                self.project.disabled_methods = set(text.split(","))
            elif name in ("clock", "lifetime"):
                setattr(self.project, name, int(text))
            else:
                setattr(self.project, name, value(text))

    def path(self):
        name = self.step.words[0]
        return TOKEN if name == "token" else TOOLKIT + ("v2/accounts/" if "mfa" in name else "v1/accounts:") + name

    def do_fails(self):
        self.project.next.append((self.path(), int(self.step.given.get("status", 503)), self.step.given["body"]))

    def do_asked(self):
        sent = self.project.sent(self.path())
        if self.step.outcome == "COUNT":
            return {"n": len(sent)}
        assert sent, f"{self.step.where}: nobody asked"
        return json.loads(sent[-1].body)
