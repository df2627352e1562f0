"""A server that behaves like Apple's: verifies the client's JWT, enforces PKCE if it was used, gives a name only once."""
import base64
import hashlib
import json
import time

import pytest
from fake import Server
from joserfc import jwk, jwt
from keys import Keys
from person import browser, parameters

CLIENT = "com.example.service"


class Apple(Server):
    def __init__(self):
        super().__init__()
        self.keys = Keys("https://appleid.apple.com", CLIENT)
        self.key = jwk.ECKey.generate_key("P-256", private=True)
        self.codes = {}             # code: (redirect URI, challenge, claims)
        self.claims = {"sub": "000123.abc.0456", "email": "e@privaterelay.appleid.com", "email_verified": "true",
                       "is_private_email": "true", "nonce_supported": True}
        self.known = set()
        self.secrets = []           # the claims of every client secret that was right
        self.revoked = []

    def configuration(self, directory, more=""):
        file = directory / "apple.p8"
        file.write_bytes(self.key.as_pem(private=True))
        file.chmod(0o600)
        return f'''
[provider."apple.com"]
client-id = "{CLIENT}"
team-id = "TEAM123456"
key-id = "KEY1234567"
signing-key = {{ file = "{file}" }}
authorization-endpoint = "{self.origin}/auth/authorize"
token-endpoint = "{self.origin}/auth/token"
revocation-endpoint = "{self.origin}/auth/revoke"
jwks-uri = "{self.origin}/auth/keys"
{more}
'''

    # ---- The page ------------------------------------------------------------

    def agree(self, url):
        """What Apple returns when the person agrees, as the pairs of a form."""
        asked = parameters(url)
        assert asked["client_id"] == CLIENT and asked["response_type"] == "code", asked
        scopes = asked.get("scope", "").split()
        assert set(scopes) <= {"name", "email"} and asked.get("response_mode") == ("form_post" if scopes else None), asked
        code = f"c{len(self.codes)}.0.x"
        claims = {**self.claims, "nonce": asked["nonce"]}
        self.codes[code] = (asked["redirect_uri"], asked.get("code_challenge"), claims)
        answer = {"state": asked["state"], "code": code}
        if scopes and claims["sub"] not in self.known:
            answer["user"] = json.dumps({"name": {"firstName": "Ex", "lastName": "Ample"}, "email": "not-to-be-believed@example.com"})
        self.known.add(claims["sub"])
        return answer

    # ---- The endpoints -------------------------------------------------------

    def answer(self, request):
        if request.path == "/auth/keys":
            return 200, self.keys.document
        if not self.is_client(request.form):
            return 400, {"error": "invalid_client"}
        if request.path == "/auth/revoke":
            self.revoked.append((request.form["token"], request.form.get("token_type_hint")))
            return 200, ""
        if request.path != "/auth/token":
            return 404, {"error": "invalid_request"}
        if request.form["grant_type"] == "refresh_token":
            if request.form["refresh_token"] != "r1":
                return 400, {"error": "invalid_grant"}
            return 200, {"access_token": "a2", "token_type": "Bearer", "expires_in": 3600, "id_token": self.keys.token(**self.claims)}
        redirect_uri, challenge, claims = self.codes.pop(request.form["code"], (None, None, None))
        if redirect_uri != request.form["redirect_uri"]:
            return 400, {"error": "invalid_grant", "error_description": "The code has expired or has been revoked."}
        verifier = request.form.get("code_verifier", "")
        digest = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
        if challenge and challenge != digest:
            return 400, {"error": "invalid_grant"}
        return 200, {"access_token": "a1", "token_type": "Bearer", "expires_in": 3600, "refresh_token": "r1",
                     "id_token": self.keys.token(**claims)}

    def is_client(self, form):
        if form.get("client_id") != CLIENT:
            return False
        try:
            token = jwt.decode(form["client_secret"], self.key, algorithms=["ES256"])
        except Exception:
            return False
        claims, now = token.claims, time.time()
        right = (token.header["alg"] == "ES256" and token.header["kid"] == "KEY1234567" and claims["iss"] == "TEAM123456"
                 and claims["sub"] == CLIENT and claims["aud"] == "https://appleid.apple.com"
                 and claims["iat"] <= now < claims["exp"] <= now + 15777000)
        if right:
            self.secrets.append(claims)
        return right


def post(daemon, form, origin="https://appleid.apple.com", **headers):
    """Posts a form as a browser does from Apple's page to another site: a navigation without a known click."""
    return browser().post(
        f"{daemon.origin}/__/auth/handler", data=form,
        headers={"Origin": origin, "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document",
                 "Upgrade-Insecure-Requests": "1", "Referer": "https://appleid.apple.com/", **headers})


@pytest.fixture
def apple():
    server = Apple()
    yield server
    server.close()


@pytest.fixture
def daemon(make_daemon, apple, tmp_path):
    return make_daemon(apple.configuration(tmp_path)).start()
