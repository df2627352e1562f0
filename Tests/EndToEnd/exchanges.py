"""The tables of exchanges, played to a daemon by a server on loopback: those of their cases that are marked `end-to-end`.

What stands in a table is explained beside them, in `Tests/PosternApplicationTests/Tables/Exchanges/README.md`; what no marked case needs is not
understood here.
"""
import base64
import contextlib
import dataclasses
import functools
import hashlib
import json
import re
import time
import urllib.parse

import loopback
from devices import Device
from joserfc import jwk, jwt
from person import browser, parameters
from postern import ROOT, VarlinkError, wait_for
from signing_in import SignIn

TABLES = ROOT / "Tests" / "PosternApplicationTests" / "Tables" / "Exchanges"
MISSING = object()


@dataclasses.dataclass
class Part:
    word: str
    rest: str
    lines: list
    where: str


@dataclasses.dataclass
class Case:
    provider: str
    name: str
    parts: list

    def __str__(self):
        return f"{self.provider}: {self.name}"


def read(name, text):
    """The marked cases of a file; the parts before the first case belong to each."""
    provider, cases, shared = name.removesuffix(".txt"), [], []
    parts = shared
    for number, line in enumerate(text.splitlines(), 1):
        word, _, rest = line.strip().partition(" ")
        if line.startswith("#") or not word:
            continue
        if word == "==":
            parts = list(shared)
            cases.append(Case(provider, rest, parts))
        elif line[0] == " ":
            parts[-1].lines.append(line.strip())
        elif word == "provider":
            provider = rest
        else:
            parts.append(Part(word, rest, [], f"{name}:{number}"))
    return [case for case in cases if any(part.word == "end-to-end" for part in case.parts)]


def all_cases():
    return [case for path in sorted(TABLES.glob("*.txt")) for case in read(path.name, path.read_text())]


def value(text):
    """The value of a text in a table: JSON, or else the text itself."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def member(document, name):
    """The member with a dotted name; if names of members contain full stops, the longest match is used."""
    if not name:
        return document
    if isinstance(document, list):
        document = {str(index): element for index, element in enumerate(document)}
    for end in [len(name), *sorted((m.start() for m in re.finditer(r"\.", name)), reverse=True)]:
        if isinstance(document, dict) and name[:end] in document:
            return member(document[name[:end]], name[end + 1:])
    return MISSING


def check(line, document, where):
    """A line is `NAME = text`, `NAME ~ text`, `NAME = *`, or `not NAME`."""
    forbidden = line.startswith("not ")
    name, _, condition = line.removeprefix("not ").partition(" ")
    found = member(document, name)
    if forbidden:
        assert found is MISSING, f"{where}: {name} is there: {found!r}"
        return
    sign, _, expected = condition.partition(" ")
    assert sign in ("=", "~") and expected, f"{where}: `{line}` is no condition"
    assert found is not MISSING, f"{where}: there is no {name}"
    if sign == "~":
        assert expected in (found if isinstance(found, str) else json.dumps(found)), f"{where}: {name} is {found!r}, without {expected!r}"
    elif expected == "*":
        assert found not in ("", None), f"{where}: {name} is empty"
    else:
        assert found in (expected, value(expected)), f"{where}: {name} is {found!r}, not {expected!r}"


@functools.cache
def key():
    """Made once for all cases."""
    return jwk.RSAKey.generate_key(2048, {"kid": "real", "use": "sig", "alg": "RS256"})


class Play(loopback.Listener):
    """One case, from its configuration to its end. It is also the provider, which expects one request after another."""

    def __init__(self, case, make_daemon):
        self.case, self.make_daemon = case, make_daemon
        self.script, self.complaints, self.query, self.metadata = [], [], {}, None
        play = self

        class Handler(loopback.Handler):
            def do_GET(self):
                status, kind, headers, body = play.answer(self)
                if status == "drop":
                    self.close_connection = True
                else:
                    self.send(int(status), body.encode(), *headers, *([("Content-Type", kind)] if body else []))

            do_POST = do_DELETE = do_GET

        super().__init__(Handler)

    def fill(self, text):
        known = {"origin": self.origin, "now": str(int(time.time())), **self.query}
        if "${daemon}" in text:
            known["daemon"] = self.daemon.origin
        return re.sub(r"\$\{([\w.-]+)\}", lambda match: known.get(match[1], match[0]), text)

    def check_members(self, part, document):
        for line in part.lines:
            check(self.fill(line), document, part.where)

    def object(self, part, first):
        """The text after a part's first word and below it, as JSON."""
        return json.loads(self.fill(" ".join([first, *part.lines])).strip() or "{}")

    def run(self):
        try:
            lines = [line for part in self.case.parts if part.word == "config" for line in part.lines]
            self.client = next((value(line.partition("=")[2]) for line in lines if line.startswith("client-id ")), "")
            self.daemon = self.make_daemon(self.fill("\n".join([f'[provider."{self.case.provider}"]', *lines, ""]))).start()
            scene = []
            for part in self.case.parts:
                if part.word == "metadata":
                    self.metadata = self.object(part, part.rest)
                elif part.word not in ("config", "end-to-end"):
                    scene.append(part)
                if part.word in ("completed", "fails", "gives"):
                    self.play(scene)
                    scene = []
            assert not scene, f"{scene[0].where}: there is no outcome after this"
            assert not self.complaints, self.complaints
        finally:
            self.close()

    def play(self, scene):
        if scene[0].word == "restart":
            self.daemon.kill()
            self.daemon.start()
            scene = scene[1:]
        steps = [part for part in scene if part.word in ("request", "answer")]
        self.script = list(zip(steps[::2], steps[1::2], strict=True))
        outcome = scene[-1]
        try:
            result = self.sign_in(scene) if scene[0].word != "call" else self.call(scene[0])
        except VarlinkError as error:
            assert (outcome.word, outcome.rest) == ("fails", error.short), f"{outcome.where}: {error}; {self.complaints}"
            result = error.parameters
        else:
            assert outcome.word != "fails", f"{outcome.where}: no error, but {result}"
        # A request that the daemon makes on its own initiative may follow its reply.
        with contextlib.suppress(AssertionError):
            wait_for(lambda: self.complaints or not self.script, seconds=10)
        assert not self.complaints, self.complaints
        assert not self.script, f"{self.script[0][0].where}: this request never came"
        self.check_members(outcome, result)

    # ---- A sign-in and a call ---------------------------------------------------

    def call(self, part):
        method, _, given = part.rest.partition(" ")
        about = {"providerID": self.case.provider} if method in ("GetAccessToken", "RevokeCredential") else {}
        return self.daemon.call(method, {**about, **self.object(part, given)})

    def sign_in(self, scene):
        asked = {"providerID": self.case.provider}
        for part in scene:
            if part.word == "ask":
                asked |= self.object(part, part.rest)
        pending = (Device if any(part.word == "code" for part in scene) else SignIn)(self.daemon, **asked)
        url = pending.event.get("authorizationURL", "")
        self.query = parameters(url)
        shown = ""
        for part in scene:
            if part.word == "code":
                self.check_members(part, pending.event)
            if part.word == "page":
                assert url.split("?")[0] == self.origin + part.rest, f"{part.where}: the page is {url}"
                self.check_members(part, self.query)
            if part.word == "back":
                shown = self.come_back(part)
            for line in part.lines if part.word == "shown" else []:
                sign, _, text = self.fill(line).partition(" ")
                assert (text in shown) == (sign == "~"), f"{part.where}: {line!r}, but the page is {shown}; {self.complaints}"
        event = pending.completed()
        info = event["result"].get("additionalUserInfo", {})
        return {"credential": event["credential"], **event["result"], "info": info, "profile": info.get("profile")}

    def come_back(self, part):
        sent = {name: text for name, text in self.query.items() if name == "state"}
        for line in part.lines:
            if line.startswith("not "):
                sent.pop(line[4:])
            else:
                sent |= [self.fill(line).split(" = ", 1)]
        method, _, path = part.rest.partition(" ")
        url = self.query.get("redirect_uri", f"{self.daemon.origin}/__/auth/handler")
        if path:
            url = self.daemon.origin + path
        if method == "POST":
            return browser(Origin="https://provider.example").post(url, data=sent, timeout=30).text
        return browser().get(url, params=sent, timeout=30).text

    # ---- Requests to the provider ------------------------------------------------

    def answer(self, request):
        """The next answer; the keys and the discovery document are had at any time."""
        try:
            path, _, query = request.path.partition("?")
            if (request.command, path) == ("GET", "/jwks"):
                return 200, "application/jwk-set+json", [], json.dumps({"keys": [key().as_dict(private=False)]})
            if (request.command, path) == ("GET", "/.well-known/openid-configuration") and self.metadata:
                return 200, "application/octet-stream", [], json.dumps(self.metadata)
            assert self.script, f"nobody expected {request.command} {request.path}"
            expected, answer = self.script.pop(0)
            self.check_request(expected, request, path, query)
            return self.filled(answer)
        except Exception as complaint:   # noqa: BLE001 the test reports it
            self.complaints.append(str(complaint))
            return 500, "text/plain", [], "this request is not in the table"

    def check_request(self, part, request, path, query):
        assert f"{request.command} {path}" == self.fill(part.rest), f"{part.where}: {request.command} {path} came"
        headers = {name.lower(): text for name, text in request.headers.items()}
        kind, body = headers.get("content-type", ""), request.body().decode()
        found = {"header": headers, "query": self.pairs(query), "form": self.pairs(body) if "form-urlencoded" in kind else {},
                 "json": json.loads(body) if "json" in kind else {}}
        for line in part.lines:
            forbidden, kind, name, condition = re.fullmatch(r"(not |)(\w+) (\S+)(.*)", line).groups()
            name = name.lower() if kind == "header" else name
            check(self.fill(forbidden + name + condition), found[kind], f"{part.where}: {kind}")
        if "code_verifier" in found["form"]:
            challenge = base64.urlsafe_b64encode(hashlib.sha256(found["form"]["code_verifier"].encode()).digest()).rstrip(b"=").decode()
            assert challenge == self.query["code_challenge"], f"{part.where}: the code verifier is not the one of the challenge"

    @staticmethod
    def pairs(text):
        pairs = urllib.parse.parse_qsl(text, keep_blank_values=True, strict_parsing=bool(text))
        assert len(dict(pairs)) == len(pairs), f"a parameter twice in {text}"
        return dict(pairs)

    def filled(self, part):
        status, _, kind = part.rest.partition(" ")
        headers = [line[7:].split(": ", 1) for line in part.lines if line.startswith("header ")]
        body = self.fill("\n".join(line for line in part.lines if not line.startswith("header ")))
        if not kind and "id_token" in body:
            document = json.loads(body)
            document["id_token"] = self.id_token(document["id_token"], document["access_token"])
            body = json.dumps(document)
        return status, kind or "application/json", headers, body

    def id_token(self, claims, access_token):
        now = int(time.time())
        claims = {"aud": self.client, "iat": now, "exp": now + 3600, "nonce": self.query.get("nonce"), **claims}
        if claims.get("at_hash") is True:
            claims["at_hash"] = base64.urlsafe_b64encode(hashlib.sha256(access_token.encode()).digest()[:16]).rstrip(b"=").decode()
        return jwt.encode({"alg": "RS256", "kid": "real"}, {name: text for name, text in claims.items() if text is not None}, key())
