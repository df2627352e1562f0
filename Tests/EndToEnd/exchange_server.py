"""A provider that follows a script: it expects one request after another and answers each as the script says."""
import base64
import collections
import contextlib
import dataclasses
import functools
import hashlib
import json
import time
import urllib.parse

import loopback
from joserfc import jwk, jwt
from postern import wait_for


@functools.cache
def key(name):
    """Made once for all cases: the real key is published, the other is not."""
    return jwk.RSAKey.generate_key(2048, {"kid": name, "use": "sig", "alg": "RS256"})


@dataclasses.dataclass
class Answer:
    """`status` may be "drop": the connection is closed without a response. The body is made when it is sent."""
    status: object
    kind: str
    headers: list
    body: object


class Received:
    def __init__(self, method, target, headers, body):
        url = urllib.parse.urlsplit(target)
        self.method, self.path = method, url.path
        self.headers = {name.lower(): text for name, text in headers.items()}
        self.query = self.pairs(url.query)
        self.form = self.pairs(body) if "form-urlencoded" in self.headers.get("content-type", "") else {}
        self.json = json.loads(body) if "json" in self.headers.get("content-type", "") and body else {}

    @staticmethod
    def pairs(text):
        pairs = urllib.parse.parse_qsl(text, keep_blank_values=True, strict_parsing=bool(text))
        assert len(dict(pairs)) == len(pairs), f"a parameter twice in {text}"
        return dict(pairs)


class ExchangeServer(loopback.Listener):
    def __init__(self):
        self.script = collections.deque()   # (where it stands, check, answer)
        self.complaints = []
        self.keys, self.metadata = {}, None
        self.nonce, self.client = None, ""
        owner = self

        class Handler(loopback.Handler):
            def do_GET(self):
                answer = owner.answer(self.command, self.path, self.headers, self.body().decode())
                if answer.status == "drop":
                    self.close_connection = True
                    return
                data = answer.body().encode()
                if answer.kind == "application/json" and data:
                    data = owner.signed(json.loads(data))
                self.send(answer.status, data, *answer.headers, *([("Content-Type", answer.kind)] if data else []))

            do_POST = do_DELETE = do_PUT = do_GET

        super().__init__(Handler)

    def play(self, where, check, answer):
        self.script.append((where, check, answer))

    def all_played(self):
        """A request that the daemon makes on its own initiative may follow its reply."""
        with contextlib.suppress(AssertionError):
            wait_for(lambda: self.complaints or not self.script, seconds=10)
        assert not self.complaints, self.complaints
        assert not self.script, f"{self.script[0][0]}: this request never came"

    def answer(self, method, target, headers, body):
        """The next answer; the keys and the discovery document are served at any time."""
        try:
            path = target.split("?")[0]
            if method == "GET" and path == "/jwks":
                published = key("real").as_dict(private=False) | self.keys
                return Answer(200, "application/jwk-set+json", [], lambda: json.dumps({"keys": [published]}))
            if method == "GET" and path.endswith("/.well-known/openid-configuration") and self.metadata:
                return Answer(200, "application/octet-stream", [], lambda: json.dumps(self.metadata))
            assert self.script, f"nobody expected {method} {target}"
            _, check, answer = self.script.popleft()
            check(Received(method, target, headers, body))
            return answer
        except Exception as complaint:   # noqa: BLE001 the test reports it
            self.complaints.append(str(complaint))
            return Answer(500, "text/plain", [], lambda: "this request is not in the script")

    # ---- ID tokens --------------------------------------------------------------------

    def signed(self, document):
        if isinstance(document, dict) and isinstance(document.get("id_token"), dict):
            document["id_token"] = self.id_token(document["id_token"], document.get("access_token", ""))
        return json.dumps(document).encode()

    def id_token(self, claims, access_token):
        now = int(time.time())
        claims = {"aud": self.client, "iat": now, "exp": now + 3600, "nonce": self.nonce, **claims}
        header = {"alg": "RS256", "kid": "real", **claims.pop("$header", {})}
        name = claims.pop("$key", "real")
        if claims.get("at_hash") is True:
            claims["at_hash"] = base64.urlsafe_b64encode(hashlib.sha256(access_token.encode()).digest()[:16]).rstrip(b"=").decode()
        for claim in ("iat", "exp", "nbf", "auth_time"):
            if isinstance(claims.get(claim), str):
                claims[claim] = now + int(claims[claim])
        return jwt.encode(header, {name: text for name, text in claims.items() if text is not None}, key(name))
