"""An MCP server and its issuer, honest but for one thing: each row of the table is a server of its own, below a path of one listener.

Own code, unlike the servers of mcp_servers.py: no library has these mistakes to offer.
"""
import base64
import dataclasses
import hashlib
import json
import secrets
import socket
import urllib.parse

import loopback

OTHER = "https://bank.example"
PAGE_WORDS = "call 0900 and read out your password"     # of a callback that must not be shown
CONTROL = "x\u001b]0;owned\u0007\u202e"
BIG = 10_000_000


@dataclasses.dataclass
class Row:
    """What is changed in an honest server, and what must come of it."""

    resource: dict = dataclasses.field(default_factory=dict)    # members of its resource document; {} in a value stands for the row's base
    issuer: dict = dataclasses.field(default_factory=dict)      # members of the issuer's document; None removes one
    registered: dict = dataclasses.field(default_factory=dict)  # members of the answer to a registration
    callback: dict = dataclasses.field(default_factory=dict)    # parameters of the answer that the browser brings
    raw: str = ""                                               # a document that is sent in place of the one at this place
    body: object = None
    moved: dict = dataclasses.field(default_factory=dict)       # place -> where it redirects to
    says: tuple = ()                                            # in what `postern mcp add` says
    status: int = 1
    reaches: str = "metadata"                                   # the last place that may be asked: metadata, /register, /authorize, /token or all
    judge: bool = True                                          # the SDK's client refuses it, too


HONEST = Row(status=0, reaches="all", judge=False)

ROWS = {
    "the resource of another origin": Row(resource={"resource": f"{OTHER}/mcp"}, says=("resource", f"{OTHER}/mcp")),
    "a resource that only begins like the URL": Row(resource={"resource": "{}/mc"}, says=("resource", "/mc")),
    "a resource below the URL": Row(resource={"resource": "{}/mcp/tools"}, says=("resource", "/mcp/tools")),
    "another issuer than the one asked": Row(issuer={"issuer": "{}/other"}, says=("issuer", "/other", "identical")),
    "an issuer with another slash at its end": Row(issuer={"issuer": "{}/"}, says=("issuer", "identical")),
    "PKCE without S256": Row(issuer={"code_challenge_methods_supported": ["plain"]}, says=("code_challenge_methods_supported", "S256"), judge=False),
    "no word of PKCE": Row(issuer={"code_challenge_methods_supported": None}, says=("code_challenge_methods_supported", "S256"), judge=False),
    "an issuer by http elsewhere": Row(resource={"authorization_servers": ["http://issuer.example"]}, says=("http://issuer.example", "https")),
    "no issuer at all": Row(resource={"authorization_servers": []}, says=("authorization_servers",), judge=False),
    "a token endpoint by http elsewhere": Row(issuer={"token_endpoint": "http://issuer.example/token"}, says=("token_endpoint", "https"), judge=False),
    "a token endpoint of another": Row(issuer={"token_endpoint": f"{OTHER}/token"}, says=("token_endpoint", "--endpoint-host bank.example"), judge=False),
    "an authorization endpoint with a fragment": Row(issuer={"authorization_endpoint": "{}/authorize#top"}, says=("authorization_endpoint", "fragment"),
                                                     judge=False),
    "an authorization endpoint that is a script": Row(issuer={"authorization_endpoint": "javascript:alert(1)"}, says=("authorization_endpoint",)),
    "a resource document of 10 MB": Row(raw="resource", body="big", says=("65536",), judge=False),
    "an issuer's document of 10 MB": Row(raw="issuer", body="big", says=("65536",), judge=False),
    "a member that is there twice": Row(raw="issuer", body=b'{"issuer": "x", "issuer": "y"}', says=("issuer",)),
    "a document that is no JSON": Row(raw="resource", body=b"<html>Sign in</html>", says=("JSON",)),
    "a resource document that redirects for ever": Row(moved={"resource": "resource"}, says=("redirect",)),
    "a resource document that redirects to another network": Row(moved={"resource": "http://issuer.example/document"}, says=("http://issuer.example",)),
    "an endpoint that has moved elsewhere": Row(moved={"mcp": f"{OTHER}/mcp"}, says=("redirect", OTHER), judge=False),
    "an endpoint that has moved above its URL": Row(moved={"mcp": "{}/other"}, says=("redirect", "/other"), judge=False),
    "a registration for another address": Row(registered={"redirect_uris": [f"{OTHER}/callback"]}, says=("redirect",), reaches="/register", judge=False),
    "a registration with two client IDs": Row(raw="registered", body='{{"client_id": "{0}", "client_id": "{0}-2", "redirect_uris": {1}}}',
                                              says=("registration", "duplicate"), reaches="/register", judge=False),
    "a registration without an ID": Row(registered={"client_id": None}, says=("client_id",), reaches="/register"),
    "the answer of another issuer": Row(callback={"iss": OTHER}, says=("iss",), reaches="/authorize"),
    "an error of another issuer": Row(callback={"iss": OTHER, "code": None, "error": "access_denied", "error_description": PAGE_WORDS}, says=("iss",),
                                      reaches="/authorize"),
    "an answer of nobody where a name was announced": Row(callback={"iss": None}, says=("iss",), reaches="/authorize"),
    "a token endpoint that redirects": Row(moved={"token": "{}/elsewhere"}, says=("redirect",), reaches="/token"),
}

# Text that a terminal or a person would take for something else is never shown or sent; the rest of the server is honest.
ODD_SCOPES = Row(resource={"scopes_supported": ["read", CONTROL, 'a"b'], "resource_name": f"Files {CONTROL}"}, reaches="all", judge=False)
EXTRA = {"honest": HONEST, "odd scopes": ODD_SCOPES}


class HostileServers(loopback.Listener):
    def __init__(self, rows=None):
        self.rows = {name.replace(" ", "-"): row for name, row in {**ROWS, **EXTRA, **(rows or {})}.items()}
        self.requests = []          # (row, place, parameters)
        self.sent = {}              # row -> bytes of a document of 10 MB
        self.codes = {}             # code -> what was asked for
        self.granted = {}           # token -> scopes
        servers = self

        class Handler(loopback.Handler):
            def do_GET(self):
                servers.answer(self, {})

            def do_POST(self):
                body = self.body()
                form = self.headers.get("Content-Type", "").startswith("application/x-www-form-urlencoded")
                servers.answer(self, dict(urllib.parse.parse_qsl(body.decode())) if form else json.loads(body or "{}"))

        super().__init__(Handler)

    def url(self, name):
        return f"{self.origin}/{name.replace(' ', '-')}/mcp"

    def asked(self, name, place=None):
        return [parameters for row, where, parameters in self.requests if row == name.replace(" ", "-") and place in (None, where)]

    def answer(self, request, parameters):
        target = urllib.parse.urlsplit(request.path)
        words = target.path.strip("/").split("/")
        if words[0] == ".well-known":
            place = {"oauth-protected-resource": "resource", "oauth-authorization-server": "issuer"}.get(words[1])
            name = words[2] if len(words) > 2 else None
        else:
            name, place = words[0], words[1] if len(words) == 2 else None
        row = self.rows.get(name)
        if row is None or place is None or (words[0] == ".well-known" and place == "resource" and words[3:] != ["mcp"]):
            return request.send(404, b"{}")
        self.requests.append((name, place, parameters or dict(urllib.parse.parse_qsl(target.query))))
        base = f"{self.origin}/{name}"
        if place in row.moved:
            moved = request.path if row.moved[place] == place else row.moved[place].replace("{}", base)
            return request.send(307, b"", ("Location", moved))
        getattr(self, place.replace("mcp", "call"), lambda *_: request.send(404, b"{}"))(request, name, row, base, parameters or self.requests[-1][2])

    def document(self, request, row, base, name, members, changes, status=200):
        kept = {**members, **{key: filled(value, base) for key, value in changes.items()}}
        if row.raw != name:
            return self.json(request, status, {key: value for key, value in kept.items() if value is not None})
        if row.body == "big":
            return self.big(request, kept)
        body = row.body if isinstance(row.body, bytes) else row.body.format(members.get("client_id"), json.dumps(members.get("redirect_uris"))).encode()
        request.send(status, body, ("Content-Type", "application/json"))

    def json(self, request, status, document, *headers):
        request.send(status, json.dumps(document).encode(), ("Content-Type", "application/json"), *headers)

    def big(self, request, members):
        data = json.dumps({**members, "more": "x" * BIG}).encode()
        name = self.requests[-1][0]
        request.send_response(200)
        request.send_header("Content-Type", "application/json")
        request.send_header("Transfer-Encoding", "chunked")     # no length that would give it away
        request.end_headers()
        request.connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 65536)
        self.sent[name] = 0
        for start in range(0, len(data), 16384):
            part = data[start:start + 16384]
            try:
                request.wfile.write(f"{len(part):x}\r\n".encode() + part + b"\r\n")
            except OSError:
                request.close_connection = True
                return
            self.sent[name] += len(part)
        request.wfile.write(b"0\r\n\r\n")

    def resource(self, request, name, row, base, _):
        self.document(request, row, base, "resource", {"resource": f"{base}/mcp", "authorization_servers": [base], "scopes_supported": ["read"],
                                                       "bearer_methods_supported": ["header"]}, row.resource)

    def issuer(self, request, name, row, base, _):
        self.document(request, row, base, "issuer", {
            "issuer": base, "authorization_endpoint": f"{base}/authorize", "token_endpoint": f"{base}/token", "registration_endpoint": f"{base}/register",
            "response_types_supported": ["code"], "grant_types_supported": ["authorization_code", "refresh_token"],
            "token_endpoint_auth_methods_supported": ["none"], "code_challenge_methods_supported": ["S256"],
            "authorization_response_iss_parameter_supported": True}, row.issuer)

    def register(self, request, name, row, base, asked):
        self.document(request, row, base, "registered", {
            "client_id": secrets.token_urlsafe(8), "redirect_uris": asked["redirect_uris"], "token_endpoint_auth_method": "none",
            "grant_types": asked.get("grant_types"), "response_types": ["code"]}, row.registered, 201)

    def authorize(self, request, name, row, base, asked):
        if not {"state", "redirect_uri", "code_challenge", "resource"} <= asked.keys():
            return request.send(400, b"no request of an MCP client")
        code = secrets.token_urlsafe(8)
        self.codes[code] = asked
        given = {"code": code, "state": asked["state"], "iss": base, **row.callback}
        request.send(302, b"", ("Location", f"{asked['redirect_uri']}?{urllib.parse.urlencode({k: v for k, v in given.items() if v is not None})}"))

    def token(self, request, name, row, base, form):
        asked = self.codes.pop(form.get("code", form.get("refresh_token")), None)
        digest = base64.urlsafe_b64encode(hashlib.sha256(form.get("code_verifier", "").encode()).digest()).rstrip(b"=").decode()
        if asked is None or ("code" in form and asked["code_challenge"] != digest) or form["resource"] != asked["resource"]:
            return self.json(request, 400, {"error": "invalid_grant"})
        access, again = secrets.token_urlsafe(8), secrets.token_urlsafe(8)
        scope = asked.get("scope", "")
        self.codes[again], self.granted[access] = asked, scope.split()
        self.json(request, 200, {"access_token": access, "token_type": "Bearer", "expires_in": 3600, "refresh_token": again, "scope": scope})

    def call(self, request, name, row, base, body):
        token = request.headers.get("Authorization", "").removeprefix("Bearer ")
        place = f'resource_metadata="{self.origin}/.well-known/oauth-protected-resource/{name}/mcp"'
        if token not in self.granted:
            return self.json(request, 401, {}, ("WWW-Authenticate", f"Bearer {place}"))
        self.json(request, 200, {"jsonrpc": "2.0", "id": body.get("id"), "result": {}})


def filled(value, base):
    if isinstance(value, list):
        return [filled(each, base) for each in value]
    return value.replace("{}", base) if isinstance(value, str) else value
