"""Tables of exchanges: the requests to a provider and its responses, as text, and who has signed in at the end.

A file `exchanges/PROVIDER_ID.txt` begins with what all its cases share, and contains any number of cases. A line that is not
indented begins a part; the indented lines below belong to it. `#` in the first column begins a comment.

    provider github.com           the provider ID, if it is not the file's name
    keys {"issuer": "…"}          members to add to the published key
    metadata {…}                  the discovery document; without it there is none
    config                        lines under [provider."ID"]; a case's lines override those with the same key
        client-id = "…"
        not client-secret         omits a line

    == somebody signs in          a case
    ask {"loginHint": "octo"}     a sign-in with these parameters of the method SignIn; may be omitted for the first one
    page /login/oauth/authorize   the path of the authorization URL
        scope = read:user         its parameters: `=` is equal, `~` contains; `*` alone is any non-empty value
        not nonce                 must be absent
    back                          the browser returns with these; the state is added. `back POST` posts a form, `back GET /path`
        code = good               opens another path; there may be several, of which only the last one counts
        not state
    code                          instead of `page` and `back`: the sign-in waits for a code (RFC 8628), and its event contains this
        userCode = WDJB-MJHT
    shown                         what the page that the browser then gets must contain
        ~ octo
        not gho_
    request POST /token           the next request that the provider must get; the path without its query
        header Accept ~ json
        not header Authorization
        form code = good          also `query NAME` and `json DOTTED.NAME`
        not form scope
    answer 200 application/json   its response; the type is JSON if none is named
        header Retry-After: 5
        {"access_token": "…", "id_token": {"sub": "1"}}
    completed                     the outcome, by dotted names: credential, user, profile, info, operation
        credential.accessToken = gho_aaaa
        not credential.idToken
                                  (a sign-in without `back` or `code` is refused before there is a page)
    fails ExchangeFailed          or an error, by its parameters
        message ~ the code
    call GetAccessToken {…}       a method called afterwards, for this provider if it takes one; requests and answers, then its outcome:
    gives
        accessToken = gho_aaaa
    restart                       before a `call`: the daemon is killed and starts again. It forgets the last renewal

`answer drop` closes the connection. An `id_token` in an answer that is an object is claims: it is signed with a key that is published at
`ORIGIN/jwks`, with nonce, aud, iat and exp filled in if missing (null omits one; "+60" and "-60" are seconds from
now; nonce is omitted if there was no page; `"at_hash": true` makes the right one; `"$header": {…}` changes the header,
`"$key": "other"` signs with a key that is not published).

In any text `${origin}` is the server's, `${daemon}` the callback listener's, `${now}` the seconds of the epoch, and `${NAME}` the
parameter of the last authorization URL. A PKCE verifier in a form is always checked against the challenge.
"""
import base64
import dataclasses
import hashlib
import json
import pathlib
import re
import time
import urllib.parse

from devices import Device
from exchange_server import Answer, ExchangeServer
from person import browser, parameters
from postern import VarlinkError
from signing_in import SignIn

TABLES = pathlib.Path(__file__).resolve().parent / "exchanges"
OUTCOMES = {"completed", "fails", "gives"}


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
    shared: list
    parts: list

    def __str__(self):
        return f"{self.provider}: {self.name}"


def read(path):
    """The cases of a file."""
    provider, shared, cases, parts = path.stem, [], [], None
    for number, line in enumerate(path.read_text().splitlines(), 1):
        where = f"{path.name}:{number}"
        if line.startswith("#") or not line.strip():
            continue
        if line.startswith("== "):
            parts = []
            cases.append(Case(provider, line[3:].strip(), shared, parts))
        elif line[0] == " ":
            (shared if parts is None else parts)[-1].lines.append(line.strip())
        else:
            word, _, rest = line.strip().partition(" ")
            if word == "provider" and parts is None:
                provider = rest
            else:
                (shared if parts is None else parts).append(Part(word, rest, [], where))
    names = [case.name for case in cases]
    assert len(names) == len(set(names)), f"{path.name} names a case twice"
    return cases


def all_cases():
    return [case for path in sorted(TABLES.glob("*.txt")) for case in read(path)]


def configuration(case):
    """The configuration of the case's provider, with `${origin}` not yet replaced."""
    lines = {}
    for part in case.shared + case.parts:
        for line in part.lines if part.word == "config" else []:
            if line.startswith("not "):
                lines.pop(line[4:], None)
            else:
                lines[line.split("=")[0].strip()] = line
    return "\n".join([f'[provider."{case.provider}"]', *lines.values()]) + "\n"


def value(text):
    """The value of a text in a table: JSON, or else the text itself."""
    try:
        return json.loads(text)
    except ValueError:
        return text


class Missing:
    def __repr__(self):
        return "nothing"


MISSING = Missing()


def member(document, name):
    """The member with a dotted name; if names of members contain full stops, the longest match is used."""
    if not name:
        return document
    if isinstance(document, list):
        head, _, rest = name.partition(".")
        return member(document[int(head)], rest) if head.isdigit() and int(head) < len(document) else MISSING
    if isinstance(document, dict):
        for end in [len(name), *sorted((m.start() for m in re.finditer(r"\.", name)), reverse=True)]:
            if name[:end] in document:
                return member(document[name[:end]], name[end + 1:])
    return MISSING


def check(found, condition, where, what):
    """Checks a value against `= text`, `~ text` or `= *`."""
    sign, _, expected = condition.partition(" ")
    assert sign in ("=", "~") and expected, f"{where}: `{what} {condition}` is no condition"
    assert found is not MISSING, f"{where}: there is no {what}"
    if sign == "~":
        text = found if isinstance(found, str) else json.dumps(found)
        assert expected in text, f"{where}: {what} is {found!r}, without {expected!r}"
    elif expected == "*":
        assert found not in ("", None), f"{where}: {what} is empty"
    else:
        assert found == expected or found == value(expected), f"{where}: {what} is {found!r}, not {expected!r}"


def check_members(part, document, fill, subject=""):
    for line in part.lines:
        forbidden = line.startswith("not ")
        name, _, condition = (line[4:], "", "") if forbidden else line.partition(" ")
        found = member(document, fill(name))
        if forbidden:
            assert found is MISSING, f"{part.where}: {subject}{name} is there: {found!r}"
        else:
            check(found, fill(condition), part.where, subject + name)


class Play:
    """One case, from its configuration to its end."""

    def __init__(self, case, make_daemon):
        self.case, self.make_daemon = case, make_daemon
        self.server = ExchangeServer()
        self.page, self.pending, self.query = None, None, {}

    def fill(self, text):
        known = {"origin": self.server.origin, "now": str(int(time.time())), **self.query}
        if "${daemon}" in text:
            known["daemon"] = self.daemon.origin
        return re.sub(r"\$\{([\w.-]+)\}", lambda match: known.get(match[1], match[0]), text)

    def object(self, part, first):
        """The text after a part's first word and below it, as JSON."""
        return json.loads(self.fill(" ".join([first, *part.lines])).strip() or "{}")

    def run(self):
        try:
            for part in self.case.shared + self.case.parts:
                if part.word in ("keys", "metadata"):
                    setattr(self.server, part.word, self.object(part, part.rest))
            self.daemon = self.make_daemon(self.fill(configuration(self.case))).start()
            for scene in self.scenes():
                self.play(scene)
            assert not self.server.complaints, self.server.complaints
        finally:
            self.server.close()

    def scenes(self):
        """Each ends with its outcome."""
        scene = []
        for part in self.case.parts:
            if part.word in ("config", "keys", "metadata"):
                continue
            scene.append(part)
            if part.word in OUTCOMES:
                yield scene
                scene = []
        assert not scene, f"{scene[0].where}: there is no outcome after this"

    def play(self, scene):
        if scene[0].word == "restart":
            self.daemon.kill()
            self.daemon.start()
            scene = scene[1:]
        self.expect([part for part in scene if part.word in ("request", "answer")])
        outcome = scene[-1]
        try:
            result = self.ask(scene) if scene[0].word != "call" else self.call(scene[0])
        except VarlinkError as error:
            assert outcome.word == "fails", f"{outcome.where}: {error}; {self.server.complaints}"
            assert error.short == outcome.rest, f"{outcome.where}: {error}; {self.server.complaints}"
            result = error.parameters
        else:
            assert outcome.word != "fails", f"{outcome.where}: no error, but {result}"
        self.server.all_played()
        check_members(outcome, result, self.fill)

    # ---- A sign-in and a call ---------------------------------------------------

    def ask(self, scene):
        named = {part.word: part for part in scene}
        asked = {"providerID": self.case.provider, **(self.object(named["ask"], named["ask"].rest) if "ask" in named else {})}
        if "code" in named:
            return self.wait_for_code(named["code"], asked)
        if "back" not in named:
            return self.daemon.client().call("SignIn", asked, more=True)
        self.pending = SignIn(self.daemon, **asked)
        self.query = parameters(self.pending.url)
        self.server.nonce, self.server.client = self.query.get("nonce"), self.query.get("client_id", "")
        if "page" in named:
            part, url = named["page"], self.pending.url
            expected = self.fill(part.rest if "://" in part.rest else "${origin}" + part.rest)
            assert url.split("?")[0] == expected, f"{part.where}: the page is {url}"
            check_members(part, self.query, self.fill, "the page's ")
        shown = ""
        for part in scene:
            if part.word == "back":
                shown = self.come_back(part)
            for line in part.lines if part.word == "shown" else []:
                sign, _, text = self.fill(line).partition(" ")
                assert (text in shown) == (sign == "~"), f"{part.where}: {line!r}, but the page is {shown}"
        return self.result(self.pending.completed())

    def wait_for_code(self, part, asked):
        self.server.nonce, self.server.client = None, value(re.search(r"^client-id = (.*)$", configuration(self.case), re.M)[1])
        waiting = Device(self.daemon, **asked)
        check_members(part, waiting.event, self.fill, "the event's ")
        return self.result(waiting.completed())

    @staticmethod
    def result(event):
        result = event.get("result", {})
        return {"credential": event["credential"], "user": result.get("user"), "operation": result.get("operation"),
                "info": result.get("additionalUserInfo"), "profile": (result.get("additionalUserInfo") or {}).get("profile")}

    def come_back(self, part):
        sent = {"state": self.query["state"]} if "state" in self.query else {}
        for line in part.lines:
            name, _, text = line.partition(" = ")
            if line.startswith("not "):
                sent.pop(line[4:], None)
            else:
                sent[name] = self.fill(text)
        callback = urllib.parse.urlsplit(self.query.get("redirect_uri", ""))
        url = callback.geturl()
        if callback.hostname not in ("127.0.0.1", "localhost", "::1"):
            url = self.daemon.origin + (callback.path or "/__/auth/handler")
        method, _, path = part.rest.partition(" ")
        if path:
            url = self.daemon.origin + path
        if method == "POST":
            return browser(Origin="https://provider.example").post(url, data=sent, timeout=30).text
        return browser().get(f"{url}?{urllib.parse.urlencode(sent)}", timeout=30).text

    def call(self, part):
        method, _, given = part.rest.partition(" ")
        about = {"providerID": self.case.provider} if method in ("GetAccessToken", "RevokeCredential") else {}
        return self.daemon.call(method, {**about, **self.object(part, given)})

    # ---- Requests to the server --------------------------------------------------

    def expect(self, parts):
        assert len(parts) % 2 == 0, f"{parts[-1].where}: every request needs an answer"
        for request, answer in zip(parts[::2], parts[1::2]):
            assert (request.word, answer.word) == ("request", "answer"), f"{request.where}: a request, then its answer"
            self.server.play(request.where, lambda received, part=request: self.check_request(part, received), self.answer(answer))

    def check_request(self, part, received):
        method, path = self.fill(part.rest).split(" ", 1)
        assert (received.method, received.path) == (method, path), f"{part.where}: {received.method} {received.path} came"
        for line in part.lines:
            forbidden = line.startswith("not ")
            kind, name, *condition = self.fill(line[4:] if forbidden else line).split(" ", 2)
            assert kind in ("header", "form", "query", "json"), f"{part.where}: {kind} is no part of a request"
            if kind == "header":
                found = received.headers.get(name.lower(), MISSING)
            else:
                found = member(getattr(received, kind), name)
            if forbidden:
                assert found is MISSING, f"{part.where}: {kind} {name} is there: {found!r}"
            else:
                check(found, condition[0], part.where, f"{kind} {name}")
        if "code_verifier" in received.form and "code_challenge" in self.query:
            challenge = base64.urlsafe_b64encode(hashlib.sha256(received.form["code_verifier"].encode()).digest()).rstrip(b"=").decode()
            assert challenge == self.query["code_challenge"], f"{part.where}: the code verifier is another one's"

    def answer(self, part):
        status, _, kind = part.rest.partition(" ")
        headers = [line[7:].split(": ", 1) for line in part.lines if line.startswith("header ")]
        body = "\n".join(line for line in part.lines if not line.startswith("header "))
        return Answer(status if status == "drop" else int(status), kind or "application/json", headers, lambda: self.fill(body))
