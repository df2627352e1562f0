"""The files in which other programs keep accounts, made as they make them, with grants obtained in the same way."""
import base64
import hashlib
import json
import os
import re
import secrets
import shutil
import signal
import struct
import subprocess
import urllib.parse

import requests
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from person import answer, parameters

CLIENT = "postern-demo"
SCOPES = ["openid", "email", "profile", "offline_access"]


def grant(issuer, person="ada", redirect="http://127.0.0.1:1/__/auth/handler", client=CLIENT):
    """A sign-in of another program at the demo provider, with a nonce that is not known here; returns the token endpoint's response."""
    verifier = secrets.token_urlsafe(48)
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    asked = {
        "response_type": "code", "client_id": client, "redirect_uri": redirect, "scope": " ".join(SCOPES), "state": secrets.token_urlsafe(16),
        "nonce": secrets.token_urlsafe(16), "code_challenge": challenge, "code_challenge_method": "S256"}
    returned = answer(f"{issuer}/authorize?{urllib.parse.urlencode(asked)}", person)
    return token(f"{issuer}/token", grant_type="authorization_code", code=parameters(returned)["code"], redirect_uri=redirect, code_verifier=verifier, client_id=client)


def token(endpoint, **form):
    session = requests.Session()
    session.trust_env = False
    reply = session.post(endpoint, data=form, timeout=30)
    assert reply.status_code == 200, reply.text
    return reply.json()


# MARK: pizauth

PIZAUTH_KEY = bytes.fromhex("66a247a85e48cfecaaed9b36eba97d5350d4286375097a44eeffb9c4546b65a3")


def pizauth_configuration(name, issuer, **more):
    fields = {"auth_uri": f"{issuer}/authorize", "token_uri": f"{issuer}/token", "client_id": CLIENT, "redirect_uri": "http://localhost/", **more}
    lines = [f"  {key} = {json.dumps(value)};" for key, value in fields.items()]
    return "\n".join([f'// of "{name}" {{', f'account "{name}" {{', *lines, f"  scopes = {json.dumps(SCOPES)};", "  refresh_at_least = 90m;", "}", ""])


def bincode(value):
    """bincode 1: integers of full width, little-endian; lengths in 8 bytes; None and Some in a byte."""
    match value:
        case None:
            return b"\0"
        case ("some", inner):
            return b"\1" + bincode(inner)
        case ("u32", number):
            return struct.pack("<I", number)
        case ("fields", *members):
            return b"".join(map(bincode, members))
        case int():
            return struct.pack("<Q", value)
        case str():
            return struct.pack("<Q", len(value.encode())) + value.encode()
        case list():
            return struct.pack("<Q", len(value)) + b"".join(map(bincode, value))
    raise TypeError(value)


def pizauth_plain(accounts):
    """`accounts`: (name, issuer, login hint, secret, refresh token) each."""
    def account(name, issuer, login, secret, refresh_token):
        dump = ("fields", f"{issuer}/authorize", [("fields", "login_hint", login)] if login else [], CLIENT,
                ("some", secret) if secret else None, "http://localhost/", SCOPES, f"{issuer}/token")
        time = ("fields", 1_790_000_000, ("u32", 5))
        state = ("fields", ("u32", 1), "at-of-pizauth", time, time, ("some", refresh_token)) if refresh_token else ("u32", 0)
        return ("fields", name, ("fields", dump, state))
    return bincode(("fields", 1, [account(*each) for each in accounts]))


def pizauth_sealed(plain):
    nonce = os.urandom(12)
    return nonce + ChaCha20Poly1305(PIZAUTH_KEY).encrypt(nonce, plain, None)


# MARK: oidc-agent

class OIDCAgent:
    """oidc-agent with its own directory; it makes its files itself."""

    password = "secret"

    def __init__(self, directory):
        self.directory, self.password_file = directory / "oidc-agent", directory / "oidc-agent-password"
        self.directory.mkdir()
        self.password_file.write_text(self.password + "\n")
        self.environment = {"OIDC_CONFIG_DIR": str(self.directory)}
        told = subprocess.run(["oidc-agent"], env={**os.environ, **self.environment}, capture_output=True, text=True, check=True, timeout=30).stdout
        self.agent = dict(re.findall(r"(OIDC\w+)=([^;]+);", told))

    def generate(self, name, issuer, refresh_token):
        """Makes an account; the agent refreshes once, so that the file has the new refresh token."""
        done = subprocess.run(
            ["oidc-gen", "--manual", f"--issuer={issuer}", f"--client-id={CLIENT}", "--client-secret=", f"--scope={' '.join(SCOPES)}",
             "--redirect-uri=http://localhost:8080", f"--rt={refresh_token}", "--flow=refresh", f"--pw-file={self.password_file}", "--prompt=none", name],
            env={**os.environ, **self.environment, **self.agent}, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stdout + done.stderr
        return self.directory / name

    def close(self):
        os.kill(int(self.agent["OIDCD_PID"]), signal.SIGTERM)
        # Its socket has its own directory, which it leaves behind.
        shutil.rmtree(os.path.dirname(self.agent["OIDC_SOCK"]), ignore_errors=True)


# MARK: gpg

class GnuPG:
    """A key in its own directory. Its agent ends with the test."""

    def __init__(self, directory):
        directory.mkdir(mode=0o700)
        self.environment = {"GNUPGHOME": str(directory)}
        self.run("--quick-gen-key", "--passphrase", "", "test@example.com", "default", "default", "never")

    def run(self, *arguments, data=b""):
        return subprocess.run(
            ["gpg", "--batch", "--quiet", "--pinentry-mode", "loopback", *arguments], input=data, check=True, capture_output=True,
            env={**os.environ, **self.environment}, timeout=60).stdout

    def encrypted(self, data):
        return self.run("--encrypt", "--recipient", "test@example.com", data=data)

    def close(self):
        subprocess.run(["gpgconf", "--kill", "all"], env={**os.environ, **self.environment}, timeout=30, check=False)
