"""An OAuth 2.0 server that requires pushed requests, proofs of possession, and a nonce in each proof.

It also has a device flow, and registers any client, for the grants that it names.
"""
import base64
import hashlib
import http.server
import json
import secrets
import threading
import time
import urllib.parse

from joserfc import jwt
from joserfc.jwk import ECKey
from person import browser
from signing_in import SignIn

DEVICE = "urn:ietf:params:oauth:grant-type:device_code"


def thumbprint(key):
    members = json.dumps({name: key[name] for name in ("crv", "kty", "x", "y")}, separators=(",", ":"), sort_keys=True)
    return base64.urlsafe_b64encode(hashlib.sha256(members.encode()).digest()).rstrip(b"=").decode()


def configuration(provider, **settings):
    lines = ["[provider.demo]", 'kind = "oauth2"', f'issuer = "{provider.issuer}"', f'userinfo-endpoint = "{provider.issuer}/me"', 'client-id = "c"',
             'scopes = ["a"]', *(f"{key.replace('_', '-')} = {json.dumps(value)}" for key, value in {"dpop": True, **settings}.items())]
    return "\n".join(lines) + "\n"


def signed_in(daemon, provider):
    pending = SignIn(daemon)
    browser().get(provider.authorize(pending.url), timeout=30)
    return pending.completed()


class StrictProvider:
    def __init__(self, demands_push=False, nonces=True, token_type="DPoP"):
        self.demands_push, self.nonces, self.token_type = demands_push, nonces, token_type
        self.token_seconds = 3600
        self.push_answers = []      # given before anything is pushed: (status, document)
        self.push_lifetime = 90
        self.pushed = {}            # by request_uri
        self.codes = {}             # code -> the authorization request
        self.bound = {}             # token -> thumbprint
        self.typed = False          # the person has typed the code
        self.clients = {"c": ["authorization_code", "refresh_token", DEVICE]}
        self.requests = []          # (path, form, the proof's claims or None), refused ones too
        self.proof_ids = set()
        self.nonce = secrets.token_urlsafe(8)
        provider = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *arguments):
                pass

            def do_GET(self):
                path = urllib.parse.urlsplit(self.path).path
                if path == "/.well-known/oauth-authorization-server":
                    return self.answer(200, provider.metadata())
                if path == "/me":
                    return self.guarded("GET", path, {}, lambda proof: provider.profile(self.headers, proof))
                self.answer(404, {})

            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
                if self.path == "/register":
                    return self.answer(*provider.register(json.loads(body)))
                form = dict(urllib.parse.parse_qsl(body))
                if self.path == "/device":
                    provider.requests.append(("/device", form, None))
                    return self.answer(*provider.device(form))
                if self.path == "/par":
                    provider.requests.append(("/par", form, None))
                    return self.answer(*(provider.push_answers.pop(0) if provider.push_answers else provider.push(form)))
                if self.path == "/token":
                    return self.guarded("POST", "/token", form, lambda proof: provider.token(form, proof))
                self.answer(404, {})

            def guarded(self, method, path, form, then):
                if "DPoP" not in self.headers:
                    provider.requests.append((path, form, None))
                    return self.answer(*then(None))
                try:
                    claims, key = provider.proof(self.headers["DPoP"], method, provider.issuer + path)
                except AssertionError as error:
                    return self.answer(400, {"error": "invalid_dpop_proof", "error_description": str(error)})
                provider.requests.append((path, form, claims))
                if provider.nonces and claims.get("nonce") != provider.nonce:
                    provider.nonce = secrets.token_urlsafe(8)
                    if path == "/me":
                        return self.answer(401, {}, **{"WWW-Authenticate": 'DPoP error="use_dpop_nonce"', "DPoP-Nonce": provider.nonce})
                    return self.answer(400, {"error": "use_dpop_nonce"}, **{"DPoP-Nonce": provider.nonce})
                self.answer(*then((claims, key)))

            def answer(self, status, document, **headers):
                body = json.dumps(document).encode()
                self.send_response(status)
                for name, value in {"Content-Type": "application/json", "Content-Length": len(body), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.issuer = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def metadata(self):
        return {"issuer": self.issuer, "authorization_endpoint": f"{self.issuer}/authorize", "token_endpoint": f"{self.issuer}/token",
                "pushed_authorization_request_endpoint": f"{self.issuer}/par", "require_pushed_authorization_requests": self.demands_push,
                "device_authorization_endpoint": f"{self.issuer}/device", "registration_endpoint": f"{self.issuer}/register",
                "dpop_signing_alg_values_supported": ["ES256"], "token_endpoint_auth_methods_supported": ["none"]}

    def proof(self, text, method, url):
        """RFC 9449 section 4.3."""
        header = json.loads(base64.urlsafe_b64decode(text.split(".")[0] + "=="))
        assert header["typ"] == "dpop+jwt" and header["alg"] == "ES256" and "d" not in header["jwk"], header
        claims = jwt.decode(text, ECKey.import_key(header["jwk"]), algorithms=["ES256"]).claims
        assert claims["htm"] == method and claims["htu"] == url, claims
        assert abs(claims["iat"] - time.time()) < 60 and claims["jti"] not in self.proof_ids, claims
        self.proof_ids.add(claims["jti"])
        return claims, thumbprint(header["jwk"])

    def push(self, form):
        name = f"urn:ietf:params:oauth:request_uri:{secrets.token_urlsafe(8)}"
        self.pushed[name] = form
        return 201, {"request_uri": name, "expires_in": self.push_lifetime}

    def authorize(self, url):
        """The person agrees; returns where the browser is redirected."""
        asked = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(url).query))
        if "request_uri" in asked:
            asked = self.pushed.pop(asked["request_uri"])
        else:
            assert not self.demands_push, "this request was not pushed"
        code = secrets.token_urlsafe(8)
        self.codes[code] = asked
        return f"{asked['redirect_uri']}?{urllib.parse.urlencode({'code': code, 'state': asked['state']})}"

    def register(self, document):
        name = secrets.token_urlsafe(8)
        self.clients[name] = document["grant_types"]
        return 201, {"client_id": name, "redirect_uris": document["redirect_uris"], "token_endpoint_auth_method": "none"}

    def device(self, form):
        if form["client_id"] not in self.clients:
            return 401, {"error": "invalid_client"}
        if DEVICE not in self.clients[form["client_id"]]:
            return 400, {"error": "unauthorized_client"}
        return 200, {"device_code": "dc-1", "user_code": "WDJB-MJHT", "verification_uri": f"{self.issuer}/go", "expires_in": 300, "interval": 1}

    def token(self, form, proof):
        key = proof[1] if proof else None
        if form["client_id"] not in self.clients:
            return 401, {"error": "invalid_client"}
        if form["grant_type"] == DEVICE and not self.typed:
            return 400, {"error": "authorization_pending"}
        if form["grant_type"] == DEVICE:
            assert form["device_code"] == "dc-1"
        elif form["grant_type"] == "authorization_code":
            asked = self.codes.pop(form["code"], None)
            if asked is None or asked.get("dpop_jkt") != key:
                return 400, {"error": "invalid_grant", "error_description": "the code is spent, or bound to another key"}
        elif self.bound.pop(form["refresh_token"], None) != key:
            return 400, {"error": "invalid_grant", "error_description": "the refresh token is spent, or bound to another key"}
        access, refresh = secrets.token_urlsafe(8), secrets.token_urlsafe(8)
        self.bound[access] = self.bound[refresh] = key
        return 200, {"access_token": access, "refresh_token": refresh, "token_type": self.token_type, "expires_in": self.token_seconds}

    def profile(self, headers, proof):
        scheme, _, token = headers["Authorization"].partition(" ")
        digest = base64.urlsafe_b64encode(hashlib.sha256(token.encode()).digest()).rstrip(b"=").decode()
        if proof is None or scheme != "DPoP" or proof[0].get("ath") != digest or self.bound.get(token) != proof[1]:
            return 401, {"error": "invalid_token"}
        return 200, {"id": "7", "name": "Ada"}
