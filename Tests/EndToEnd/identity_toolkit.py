"""A Firebase project's accounts in the tests: behaves as the emulator, with the same order of checks, without its errors.

It differs from the emulator if that is known to differ from Google's servers: an account whose address was never verified
loses its other ways to sign in when the address's owner signs in; a reauthentication creates no user; nonces are checked; calls
that need a recent sign-in say so.
"""
import base64
import copy
import functools
import hashlib
import hmac
import json
import re
import secrets
import struct
import time
import urllib.parse

from fake import Server
from keys import Keys

PROJECT = "demo-project"
TOOLKIT, TOKEN = "/identitytoolkit.googleapis.com/", "/securetoken.googleapis.com/v1/token"


@functools.cache
def shared_keys():
    """One pair of keys for all servers: making one takes longer than most tests."""
    return Keys("", "client")


class Refused(Exception):
    def __init__(self, message, status=400):
        self.message, self.status = message, status


def encoded(document):
    return base64.urlsafe_b64encode(json.dumps(document).encode()).rstrip(b"=").decode()


def decoded(text):
    return json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))


def totp(secret, moment=None):
    """RFC 6238 with SHA-1, six digits, thirty seconds."""
    digest = hmac.digest(base64.b32decode(secret), struct.pack(">Q", int(moment or time.time()) // 30), "sha1")
    offset = digest[-1] & 15
    return f"{(struct.unpack('>I', digest[offset:offset + 4])[0] & 0x7FFFFFFF) % 10 ** 6:06}"


class IdentityToolkit(Server):
    def __init__(self, key="key-0123456789"):
        super().__init__()
        self.key = key
        self.users, self.refreshes, self.pending, self.sessions = {}, {}, {}, {}
        self.one_account, self.enumeration_protection, self.disabled_methods = True, False, set()
        self.lifetime = 3600
        self.clock = 0              # added to the server's own
        self.texts = []             # (number, code): what went out to telephones
        self.provider_keys = copy.copy(shared_keys())
        self.provider_keys.issuer = self.origin

    def configuration(self, **more):
        lines = ["[accounts]", 'authority = "firebase"', f'api-key = "{self.key}"', f'emulator = "{self.origin}"']
        lines += [f"{name.replace('_', '-')} = {json.dumps(value)}" for name, value in more.items()]
        return "\n".join(lines) + "\n" + "".join(self.provider(name) for name in ["google.com", "facebook.com", "oidc.work"])

    def provider(self, name):
        """An OpenID provider under the name of a real one, whose ID tokens programs use."""
        own = {"facebook.com": "limited = true\n", "google.com": f'issuer = "{self.origin}"\nclient-secret = "s"\n',
               "oidc.work": f'kind = "oidc"\nissuer = "{self.origin}"\n'}[name]
        return (f'[provider."{name}"]\n' + own
                + f'client-id = "client"\nauthorization-endpoint = "{self.origin}/authorize"\ntoken-endpoint = "{self.origin}/token"\n'
                + f'jwks-uri = "{self.origin}/jwks"\n')

    @property
    def now(self):
        return int(time.time()) + self.clock

    # ---- HTTP -----------------------------------------------------------------

    def answer(self, request):
        if request.path == "/jwks":
            return 200, self.provider_keys.document
        try:
            if request.headers.get("X-Goog-Api-Key", request.headers.get("x-goog-api-key")) != self.key:
                raise Refused("The request is missing a valid API key.", 403)
            if request.path == TOKEN:
                return 200, self.refresh(request.form)
            name = re.fullmatch(TOOLKIT + r"v[12]/accounts[:/]([\w:]+)", request.path)
            method = name and getattr(self, name[1].replace(":", "_"), None)
            if not method:
                raise Refused("NOT_FOUND", 404)
            return 200, method(json.loads(request.body))
        except Refused as error:
            return error.status, {"error": {"code": error.status, "message": error.message,
                                            "errors": [{"message": error.message, "reason": "invalid", "domain": "global"}]}}

    # ---- Users --------------------------------------------------------------------

    def make(self, **members):
        user = {"localId": secrets.token_hex(14), "createdAt": str(self.now * 1000), "lastLoginAt": str(self.now * 1000), "providers": {},
                "mfa": [], "validSince": 0, **members}
        self.users[user["localId"]] = user
        return user

    def by_email(self, email):
        return next((user for user in self.users.values() if user.get("email") == email.lower()), None)

    def by_identity(self, provider, subject):
        return next((user for user in self.users.values() if user["providers"].get(provider, {}).get("rawId") == subject), None)

    def infos(self, user):
        infos = list(user["providers"].values())
        if user.get("email") and user.get("password"):
            infos.append({"providerId": "password", "rawId": user["email"], "federatedId": user["email"], "email": user["email"]})
        return infos

    def public(self, user):
        names = ["localId", "email", "emailVerified", "displayName", "photoUrl", "createdAt", "lastLoginAt"]
        document = {name: user[name] for name in names if name in user}
        return {**document, "providerUserInfo": self.infos(user), "mfaInfo": user["mfa"],
                **({"passwordHash": "x"} if user.get("password") else {})}

    # ---- Tokens -------------------------------------------------------------------

    def tokens(self, user, provider, factor=None, auth_time=None):
        user["lastLoginAt"] = str(self.now * 1000)
        refresh = secrets.token_urlsafe(24)
        self.refreshes[refresh] = (user["localId"], provider, factor, auth_time or self.now)
        return {"idToken": self.id_token(user, provider, factor, auth_time or self.now), "refreshToken": refresh,
                "expiresIn": str(self.lifetime)}

    def id_token(self, user, provider, factor, auth_time):
        firebase = {"identities": {}, "sign_in_provider": provider}
        if factor:
            firebase.update({"sign_in_second_factor": "totp", "second_factor_identifier": factor})
        claims = {"iss": f"https://securetoken.google.com/{PROJECT}", "aud": PROJECT, "auth_time": auth_time, "sub": user["localId"],
                  "user_id": user["localId"], "iat": self.now, "exp": self.now + self.lifetime, "firebase": firebase}
        return f"{encoded({'alg': 'none', 'typ': 'JWT'})}.{encoded(claims)}."

    def authenticated(self, body, fresh=False):
        """Step 7."""
        if not body.get("idToken"):
            raise Refused("MISSING_ID_TOKEN")
        claims = decoded(body["idToken"].split(".")[1])
        user = self.users.get(claims["sub"])
        if user is None:
            raise Refused("USER_NOT_FOUND")
        if user.get("disabled"):
            raise Refused("USER_DISABLED")
        if claims["iat"] < user["validSince"] or claims["exp"] + 60 <= self.now:
            raise Refused("TOKEN_EXPIRED")
        if fresh and self.now - claims["auth_time"] > 300:
            raise Refused("CREDENTIAL_TOO_OLD_LOGIN_AGAIN")
        return user, claims

    def refresh(self, form):
        if form.get("grant_type") != "refresh_token":
            raise Refused("INVALID_GRANT_TYPE" if form.get("grant_type") else "MISSING_GRANT_TYPE")
        if form.get("refresh_token") not in self.refreshes:
            raise Refused("INVALID_REFRESH_TOKEN")
        uid, provider, factor, auth_time = self.refreshes[form["refresh_token"]]
        user = self.users.get(uid)
        if user is None:
            raise Refused("INVALID_REFRESH_TOKEN")
        if user.get("disabled"):
            raise Refused("USER_DISABLED")
        if auth_time < user["validSince"]:
            raise Refused("TOKEN_EXPIRED")
        token = self.id_token(user, provider, factor, auth_time)
        return {"access_token": token, "id_token": token, "expires_in": str(self.lifetime), "refresh_token": form["refresh_token"],
                "token_type": "Bearer", "user_id": uid, "project_id": "12345"}

    # ---- Providers ----------------------------------------------------------------

    def signInWithIdp(self, body):
        if not body.get("requestUri"):
            raise Refused("MISSING_REQUEST_URI")
        if not urllib.parse.urlsplit(body["requestUri"]).scheme:
            raise Refused("INVALID_REQUEST_URI")
        pairs = urllib.parse.parse_qs(body.get("postBody", ""), keep_blank_values=True, strict_parsing=True)
        given = {name: values[0] for name, values in pairs.items()}
        provider = given.get("providerId", "").lower()
        if not provider:
            raise Refused("INVALID_CREDENTIAL_OR_PROVIDER_ID : Invalid IdP response/credential")
        if provider in self.disabled_methods:
            raise Refused("OPERATION_NOT_ALLOWED : The identity provider configuration is not found.")
        claims = self.claims(given)
        subject, email = claims["sub"], (claims.get("email") or "").lower() or None
        verified = claims.get("email_verified", False)
        answer = {"kind": "identitytoolkit#VerifyAssertionResponse", "federatedId": subject, "providerId": provider,
                  "oauthIdToken": given.get("id_token"), "rawUserInfo": json.dumps(claims), "oauthExpireIn": 3600}
        answer.update({name: value for name, value in {
            "email": email, "emailVerified": verified, "displayName": claims.get("name"), "photoUrl": claims.get("picture"),
            "oauthAccessToken": given.get("access_token"), "oauthTokenSecret": given.get("oauth_token_secret"),
        }.items() if value is not None})
        info = {"providerId": provider, "rawId": subject, "federatedId": subject}
        info.update({name: value for name, value in {
            "displayName": claims.get("name"), "photoUrl": claims.get("picture"), "email": email,
            "screenName": claims.get("screen_name")}.items() if value})
        linked = self.authenticated(body)[0] if body.get("idToken") else None
        try:
            user, new = self.decide(linked, provider, info, email, verified, body.get("autoCreate", True), answer)
        except Refused as error:
            if body.get("returnIdpCredential") and error.message in ("FEDERATED_USER_ID_ALREADY_LINKED", "EMAIL_EXISTS"):
                return {**answer, "errorMessage": error.message}
            raise
        if user is None:
            return answer
        if user["mfa"] and not linked:
            return {**answer, "localId": user["localId"], **self.waiting(user, provider)}
        if user.get("disabled"):
            raise Refused("USER_DISABLED")
        return {**answer, "localId": user["localId"], "isNewUser": new, **self.tokens(user, provider)}

    def claims(self, given):
        """Step 4, with the nonce's check."""
        if "id_token" not in given:
            raise Refused("INVALID_IDP_RESPONSE : The supplied auth credential is malformed or has expired.")
        try:
            claims = decoded(given["id_token"].split(".")[1])
        except (ValueError, IndexError):
            raise Refused("INVALID_IDP_RESPONSE : Unable to parse id_token") from None
        if not isinstance(claims.get("sub"), str):
            raise Refused("INVALID_IDP_RESPONSE")
        if claims.get("nonce"):
            raw = given.get("nonce", "")
            if claims["nonce"] not in (raw, hashlib.sha256(raw.encode()).hexdigest()):
                raise Refused("MISSING_OR_INVALID_NONCE : Nonce is missing in the request.")
        return claims

    def decide(self, linked, provider, info, email, verified, creates, answer):
        """Step 8: the table of one account per address, or of several."""
        owner = self.by_identity(provider, info["rawId"])
        namesake = self.by_email(email) if email and self.one_account else None
        if linked:
            if owner:
                raise Refused("FEDERATED_USER_ID_ALREADY_LINKED")
            if namesake and namesake is not linked:
                raise Refused("EMAIL_EXISTS")
            linked["providers"][provider] = info
            if email and not linked.get("email") and self.one_account:
                linked.update(email=email, emailVerified=verified)
            elif verified and email == linked.get("email"):
                linked["emailVerified"] = True
            return linked, False
        if owner:
            owner["providers"][provider] = info
            return owner, False
        if not creates:
            raise Refused("USER_NOT_FOUND")
        if namesake and not verified:
            answer.update(needConfirmation=True, localId=namesake["localId"], verifiedProvider=list(namesake["providers"]))
            return None, False
        if namesake:
            if not namesake.get("emailVerified"):
                namesake.update(providers={}, mfa=[], validSince=self.now)
                namesake.pop("password", None)
            namesake["providers"][provider] = info
            namesake["emailVerified"] = True
            for mine, theirs in [("displayName", "displayName"), ("photoUrl", "photoUrl")]:
                namesake.pop(mine, None)
                if theirs in info:
                    namesake[mine] = info[theirs]
            return namesake, False
        members = {name: info[name] for name in ("displayName", "photoUrl") if name in info}
        if email and self.one_account:
            members.update(email=email, emailVerified=verified)
        return self.make(providers={provider: info}, **members), True

    # ---- Passwords and anonymous users ---------------------------------------------

    def signUp(self, body):
        email, password = body.get("email"), body.get("password")
        linked = self.authenticated(body, fresh=False)[0] if body.get("idToken") else None
        if not email and not password and not linked:
            if "anonymous" in self.disabled_methods:
                raise Refused("ADMIN_ONLY_OPERATION")
            user = self.make()
            return {"localId": user["localId"], **self.tokens(user, "anonymous")}
        if "password" in self.disabled_methods:
            raise Refused("OPERATION_NOT_ALLOWED")
        self.check_email(email)
        self.check_password(password)
        if (taken := self.by_email(email)) and taken is not linked:
            raise Refused("EMAIL_EXISTS")
        user = linked or self.make(**({"displayName": body["displayName"]} if body.get("displayName") else {}))
        user.update(email=email.lower(), emailVerified=user.get("emailVerified", False), password=password)
        return {"localId": user["localId"], "email": user["email"], **self.tokens(user, "password")}

    def check_email(self, email):
        if not email:
            raise Refused("MISSING_EMAIL")
        if not re.fullmatch(r"[^@\s]+@[^@\s]+", email):
            raise Refused("INVALID_EMAIL")

    def check_password(self, password):
        if not password:
            raise Refused("MISSING_PASSWORD")
        if len(password) < 6:
            raise Refused("WEAK_PASSWORD : Password should be at least 6 characters")

    def signInWithPassword(self, body):
        if "password" in self.disabled_methods:
            raise Refused("PASSWORD_LOGIN_DISABLED")
        self.check_email(body.get("email"))
        if not body.get("password"):
            raise Refused("MISSING_PASSWORD")
        user = self.by_email(body["email"])
        if user is None or user.get("password") != body["password"]:
            if self.enumeration_protection:
                raise Refused("INVALID_LOGIN_CREDENTIALS")
            raise Refused("INVALID_PASSWORD" if user else "EMAIL_NOT_FOUND")
        if user.get("disabled"):
            raise Refused("USER_DISABLED")
        answer = {"localId": user["localId"], "email": user["email"], "registered": True}
        return {**answer, **(self.waiting(user, "password") if user["mfa"] else self.tokens(user, "password"))}

    # ---- The user -------------------------------------------------------------------

    def lookup(self, body):
        return {"kind": "identitytoolkit#GetAccountInfoResponse", "users": [self.public(self.authenticated(body)[0])]}

    def update(self, body):
        user, claims = self.authenticated(body, fresh="email" in body or "password" in body)
        provider, renews = claims["firebase"]["sign_in_provider"], False
        if "email" in body:
            self.check_email(body["email"])
            if (taken := self.by_email(body["email"])) and taken is not user:
                raise Refused("EMAIL_EXISTS")
            user.update(email=body["email"].lower(), emailVerified=False)
            renews = True
        if "password" in body:
            self.check_password(body["password"])
            user["password"] = body["password"]
            provider, renews = "password", True
        for name in ("displayName", "photoUrl"):
            if name in body:
                user[name] = body[name]
        for name in body.get("deleteAttribute", []):
            user.pop({"DISPLAY_NAME": "displayName", "PHOTO_URL": "photoUrl"}[name], None)
        for name in body.get("deleteProvider", []):
            if name == "password":
                user.pop("password", None)
            user["providers"].pop(name, None)
        answer = {"localId": user["localId"], "providerUserInfo": self.infos(user)}
        return {**answer, **(self.tokens(user, provider, auth_time=claims["auth_time"]) if renews else {})}

    def delete(self, body):
        user, _ = self.authenticated(body, fresh=True)
        del self.users[user["localId"]]
        return {"kind": "identitytoolkit#DeleteAccountResponse"}

    def createAuthUri(self, body):
        if not body.get("identifier"):
            raise Refused("MISSING_IDENTIFIER")
        if not body.get("continueUri"):
            raise Refused("MISSING_CONTINUE_URI")
        if not re.fullmatch(r"[^@\s]+@[^@\s]+", body["identifier"]):
            raise Refused("INVALID_IDENTIFIER")
        answer = {"sessionId": body.get("sessionId") or secrets.token_urlsafe(8)}
        if self.enumeration_protection:
            return answer
        email = body["identifier"].lower()
        users = [user for user in self.users.values() if email in (
            user.get("email"), *(info.get("email") for info in user["providers"].values() if self.one_account))]
        names = [info["providerId"] for user in users for info in self.infos(user)]
        return {**answer, "registered": bool(users), **({"allProviders": names, "signinMethods": names} if users else {})}

    # ---- Second factors ---------------------------------------------------------------

    def waiting(self, user, provider):
        pending = secrets.token_urlsafe(16)
        self.pending[pending] = (user["localId"], provider)
        hidden = [{**factor, "phoneInfo": "+*******" + factor["phoneInfo"][-4:]} if "phoneInfo" in factor else factor
                  for factor in user["mfa"]]
        return {"mfaPendingCredential": pending, "mfaInfo": hidden}

    def text(self, number):
        session, code = secrets.token_urlsafe(8), f"{secrets.randbelow(10 ** 6):06}"
        self.sessions[session] = (number, code)
        self.texts.append((number, code))
        return session

    def mfaEnrollment_start(self, body):
        user, _ = self.authenticated(body, fresh=True)
        if not user.get("emailVerified"):
            raise Refused("UNVERIFIED_EMAIL : Need to verify email first before enrolling second factors.")
        if "totpEnrollmentInfo" in body:
            session, secret = secrets.token_urlsafe(8), base64.b32encode(secrets.token_bytes(20)).decode()
            self.sessions[session] = (None, secret)
            return {"totpSessionInfo": {"sharedSecretKey": secret, "verificationCodeLength": 6, "hashingAlgorithm": "SHA1", "periodSec": 30,
                                        "sessionInfo": session, "finalizeEnrollmentTime": "2030-01-01T00:00:00Z"}}
        number = body.get("phoneEnrollmentInfo", {}).get("phoneNumber")
        if not number:
            raise Refused("INVALID_ARGUMENT : ((Missing phoneEnrollmentInfo.))")
        if not re.fullmatch(r"\+\d+", number):
            raise Refused("INVALID_PHONE_NUMBER : Invalid format.")
        if any(factor.get("phoneInfo") == number for factor in user["mfa"]):
            raise Refused("SECOND_FACTOR_EXISTS : Phone number already enrolled as second factor for this account.")
        return {"phoneSessionInfo": {"sessionInfo": self.text(number)}}

    def mfaEnrollment_finalize(self, body):
        user, claims = self.authenticated(body)
        info = body.get("totpVerificationInfo") or body.get("phoneVerificationInfo")
        number, secret = self.sessions.get(info["sessionInfo"], (None, None))
        if secret is None:
            raise Refused("INVALID_SESSION_INFO")
        if info.get("code" if number else "verificationCode") != (secret if number else totp(secret)):
            raise Refused("INVALID_CODE")
        factor = {"mfaEnrollmentId": secrets.token_hex(8), "enrolledAt": time.strftime("%Y-%m-%dT%H:%M:%S.123Z", time.gmtime()),
                  **({"displayName": body["displayName"]} if body.get("displayName") else {}),
                  **({"phoneInfo": number} if number else {"totpInfo": {}})}
        user["mfa"].append(factor)
        user.setdefault("secrets", {})[factor["mfaEnrollmentId"]] = secret
        return self.tokens(user, claims["firebase"]["sign_in_provider"], factor["mfaEnrollmentId"], claims["auth_time"])

    def mfaEnrollment_withdraw(self, body):
        user, claims = self.authenticated(body)
        if not any(factor["mfaEnrollmentId"] == body.get("mfaEnrollmentId") for factor in user["mfa"]):
            raise Refused("MFA_ENROLLMENT_NOT_FOUND")
        user["mfa"] = [factor for factor in user["mfa"] if factor["mfaEnrollmentId"] != body["mfaEnrollmentId"]]
        return self.tokens(user, claims["firebase"]["sign_in_provider"], auth_time=claims["auth_time"])

    def waited(self, body):
        if not body.get("mfaPendingCredential"):
            raise Refused("MISSING_MFA_PENDING_CREDENTIAL")
        if body["mfaPendingCredential"] not in self.pending:
            raise Refused("INVALID_MFA_PENDING_CREDENTIAL")
        uid, provider = self.pending[body["mfaPendingCredential"]]
        user = self.users[uid]
        factor = next((factor for factor in user["mfa"] if factor["mfaEnrollmentId"] == body.get("mfaEnrollmentId")), None)
        if factor is None:
            raise Refused("MFA_ENROLLMENT_NOT_FOUND")
        return user, provider, factor

    def mfaSignIn_start(self, body):
        _, _, factor = self.waited(body)
        return {"phoneResponseInfo": {"sessionInfo": self.text(factor["phoneInfo"])}}

    def mfaSignIn_finalize(self, body):
        user, provider, factor = self.waited(body)
        if "phoneVerificationInfo" in body:
            number, code = self.sessions.get(body["phoneVerificationInfo"]["sessionInfo"], (None, None))
            right = number == factor.get("phoneInfo") and code == body["phoneVerificationInfo"]["code"]
        else:
            right = body["totpVerificationInfo"]["verificationCode"] == totp(user["secrets"][factor["mfaEnrollmentId"]])
        if not right:
            raise Refused("INVALID_CODE")
        if user.get("disabled"):
            raise Refused("USER_DISABLED")
        del self.pending[body["mfaPendingCredential"]]
        return self.tokens(user, provider, factor["mfaEnrollmentId"])
