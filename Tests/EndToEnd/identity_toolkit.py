"""A Firebase project in the tests, for a daemon that asks it over HTTP: users who are anonymous, or have a password or accounts of providers.

The rules of a project are those of ScriptedProject.swift; here are as many as the end-to-end tests need.
"""
import base64
import copy
import functools
import json
import re
import secrets
import time
import urllib.parse

from fake import Server
from keys import Keys

TOOLKIT, TOKEN = "/identitytoolkit.googleapis.com/", "/securetoken.googleapis.com/v1/token"


@functools.cache
def shared_keys():
    """One pair of keys for all servers: making one takes longer than most tests."""
    return Keys("", "client")


class Refused(Exception):
    pass


def encoded(document):
    return base64.urlsafe_b64encode(json.dumps(document).encode()).rstrip(b"=").decode()


def payload(token):
    text = token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))


class IdentityToolkit(Server):
    def __init__(self):
        super().__init__()
        self.key, self.lifetime = "key-0123456789", 3600
        self.users, self.refreshes = {}, {}
        self.provider_keys = copy.copy(shared_keys())
        self.provider_keys.issuer = self.origin

    def configuration(self):
        """With an OpenID provider under the name of a real one, whose ID tokens programs use."""
        return (f'[accounts]\nauthority = "firebase"\napi-key = "{self.key}"\nemulator = "{self.origin}"\n'
                + f'[provider."google.com"]\nissuer = "{self.origin}"\nclient-secret = "s"\nclient-id = "client"\njwks-uri = "{self.origin}/jwks"\n'
                + f'authorization-endpoint = "{self.origin}/authorize"\ntoken-endpoint = "{self.origin}/token"\n')

    def answer(self, request):
        if request.path == "/jwks":
            return 200, self.provider_keys.document
        if request.headers.get("X-Goog-Api-Key", request.headers.get("x-goog-api-key")) != self.key:
            return 403, {"error": {"code": 403, "message": "The request is missing a valid API key."}}
        name = re.fullmatch(TOOLKIT + r"v1/accounts:(signInWithIdp|signUp|lookup|delete)", request.path)
        try:
            return 200, self.refresh(**request.form) if request.path == TOKEN else getattr(self, name[1])(json.loads(request.body))
        except Refused as error:
            return 400, {"error": {"code": 400, "message": str(error)}}

    def tokens(self, user, provider):
        refresh = secrets.token_urlsafe(24)
        self.refreshes[refresh] = (user["localId"], provider, int(time.time()))
        return {"localId": user["localId"], "idToken": self.id_token(*self.refreshes[refresh]), "refreshToken": refresh,
                "expiresIn": str(self.lifetime)}

    def id_token(self, uid, provider, auth_time):
        now = int(time.time())
        claims = {"iss": "https://securetoken.google.com/demo-project", "aud": "demo-project", "auth_time": auth_time, "sub": uid, "iat": now,
                  "exp": now + self.lifetime, "firebase": {"identities": {}, "sign_in_provider": provider}}
        return f"{encoded({'alg': 'none', 'typ': 'JWT'})}.{encoded(claims)}."

    def refresh(self, grant_type, refresh_token):
        if grant_type != "refresh_token":
            raise Refused("INVALID_GRANT_TYPE")
        return {"id_token": self.id_token(*self.refreshes[refresh_token]), "expires_in": str(self.lifetime), "refresh_token": refresh_token}

    def make(self, **members):
        now = str(int(time.time() * 1000))
        user = {"localId": secrets.token_hex(14), "createdAt": now, "lastLoginAt": now, "providerUserInfo": [], **members}
        self.users[user["localId"]] = user
        return user

    def signInWithIdp(self, body):
        given = dict(urllib.parse.parse_qsl(body["postBody"], strict_parsing=True))
        claims, provider = self.claims(given), given["providerId"]
        members = {"displayName": claims.get("name"), "photoUrl": claims.get("picture"), "email": claims.get("email")}
        members = {name: value for name, value in members.items() if value}
        info = {"providerId": provider, "rawId": claims["sub"], "federatedId": claims["sub"], **members}
        user = next((user for user in self.users.values() for kept in user["providerUserInfo"]
                     if (kept["providerId"], kept["rawId"]) == (provider, claims["sub"])), None)
        new = user is None
        if new and not body["autoCreate"]:
            raise Refused("USER_NOT_FOUND")
        user = user or self.make(providerUserInfo=[info], emailVerified=claims.get("email_verified", False), **members)
        return {"oauthIdToken": given.get("id_token"), **members, "isNewUser": new, **self.tokens(user, provider)}

    def claims(self, given):
        claims = payload(given["id_token"])
        if claims.get("nonce") not in (None, given.get("nonce")):
            raise Refused("MISSING_OR_INVALID_NONCE : Nonce is missing in the request.")
        return claims

    def signUp(self, body):
        email, password = body.get("email"), body.get("password")
        if email is None and password is None:
            return self.tokens(self.make(), "anonymous")
        if not email or not re.fullmatch(r"[^@\s]+@[^@\s]+", email):
            raise Refused("INVALID_EMAIL" if email else "MISSING_EMAIL")
        if len(password) < 6:
            raise Refused("WEAK_PASSWORD : Password should be at least 6 characters" if password else "MISSING_PASSWORD")
        email = email.lower()
        if any(user.get("email") == email for user in self.users.values()):
            raise Refused("EMAIL_EXISTS")
        info = {"providerId": "password", "rawId": email, "federatedId": email, "email": email}
        name = {"displayName": body["displayName"]} if body.get("displayName") else {}
        return self.tokens(self.make(email=email, passwordHash="x", providerUserInfo=[info], **name), "password")

    def lookup(self, body):
        return {"users": [self.users[payload(body["idToken"])["sub"]]]}

    def delete(self, body):
        del self.users[payload(body["idToken"])["sub"]]
        return {}
