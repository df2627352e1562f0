"""Debian's glewlwyd with SQLite, set up through its admin API, and a person who signs in there."""
import gzip
import json
import re
import sqlite3
import urllib.parse

from foreign import Server, follow, session
from joserfc.jwk import ECKey, RSAKey
from postern import ROOT

# Where scripts/test.sh unpacks the packages.
TREE = ROOT / ".glewlwyd"
PROGRAM = TREE / "usr/bin/glewlwyd"
SCHEMA = TREE / "usr/share/dbconfig-common/data/glewlwyd/install/sqlite3"
CONFIGURATION = TREE / "usr/share/doc/glewlwyd/glewlwyd.conf.sample.gz"

ON = (
    "allow-non-oidc auth-type-code-enabled auth-type-code-revoke-replayed auth-type-device-enabled auth-type-refresh-enabled "
    "auth-type-client-enabled auth-type-none-enabled jwks-show request-parameter-allow pkce-allowed pkce-required "
    "introspection-revocation-allowed introspection-revocation-allow-target-client session-management-allowed "
    "front-channel-logout-allowed back-channel-logout-allowed register-client-allowed register-client-management-allowed "
    "oauth-dpop-allowed oauth-par-allowed oauth-as-iss-id refresh-token-rolling").split()
PLUGIN = {
    "jwt-type": "ecdsa", "jwt-key-size": "256", "default-kid": "es", "client-sign_kid-parameter": "sign_kid", "access-token-duration": 3600,
    "refresh-token-duration": 1209600, "code-duration": 600, "refresh-token-one-use": "always", "auth-type-token-enabled": False,
    "auth-type-password-enabled": False, "pkce-method-plain-allowed": False, "session-cookie-name": "OIDC_SID",
    "session-cookie-expiration": 2419200, "subject-type": "public", "name-claim": "on-demand", "name-claim-scope": ["openid"],
    "email-claim": "on-demand", "email-claim-scope": ["openid"], "scope-claim": "no", "address-claim": {"type": "no"}, "claims": [],
    "allowed-scope": ["openid"], "additional-parameters": [], "introspection-revocation-auth-scope": [], "register-client-auth-scope": [],
    "register-client-credentials-scope": [], "register-resource-specify-allowed": False, "register-resource-default": [],
    "register-default-properties": {}, "device-authorization-expiration": 600, "device-authorization-interval": 5,
    "oauth-dpop-iat-duration": 600, "oauth-par-duration": 90, "oauth-par-request_uri-prefix": "urn:ietf:params:oauth:request_uri:",
    "client-pubkey-parameter": "pubkey", "client-jwks-parameter": "jwks", "client-jwks_uri-parameter": "jwks_uri",
    "encrypt-out-token-allow": False, **{name: True for name in ON},
}


class Glewlwyd(Server):
    def __init__(self, directory):
        super().__init__(directory)
        self.issuer = f"{self.base}/api/oidc"
        self.admin = session()
        self.make_database()
        configuration = directory / "glewlwyd.conf"
        configuration.write_text(self.configuration())
        self.run([PROGRAM, "-c", configuration], "/config")
        self.call("POST", "auth/", {"username": "admin", "password": "password"})
        self.add_issuer("oidc")
        self.call("POST", "user/", {
            "username": "tess", "name": "Tess Example", "email": "tess@example.test", "password": "tess-password",
            "scope": ["openid", "g_profile"], "enabled": True})

    def make_database(self):
        text = SCHEMA.read_bytes()
        if text[:2] == b"\x1f\x8b":
            text = gzip.decompress(text)
        with sqlite3.connect(self.directory / "db") as database:
            database.executescript(text.decode())

    def configuration(self):
        """The package's configuration, on loopback, with its own database and log."""
        sample = gzip.decompress(CONFIGURATION.read_bytes()).decode()
        sample = re.sub(r"^database\s*=\s*\{.*?\};", "", sample, flags=re.MULTILINE | re.DOTALL)
        kept = [line.replace('"/usr/', f'"{TREE}/usr/') for line in sample.splitlines()
                if not re.match(r"\s*(#|port|external_url|log_mode|log_file|bind_address|cookie_domain|cookie_secure)", line)]
        own = [f"port={self.port}", 'bind_address="127.0.0.1"', f'external_url="{self.base}"', 'log_mode="console"',
               'cookie_secure=0', f'database = {{ type = "sqlite3"; path = "{self.directory}/db"; }};']
        return "\n".join(own + kept) + "\n"

    def call(self, method, path, body=None):
        reply = self.admin.request(method, f"{self.base}/api/{path}", json=body, timeout=30)
        assert reply.ok, f"{method} {path}: {reply.status_code} {reply.text[:500]}"
        return reply

    def add_issuer(self, name, **changes):
        """A further issuer on the same server; its URL."""
        key = ECKey.generate_key("P-256", {"kid": "es", "alg": "ES256", "use": "sig"}) if changes.get("jwt-type") != "rsa" else \
            RSAKey.generate_key(2048, {"kid": "rs", "alg": "RS256", "use": "sig"})
        issuer = f"{self.base}/api/{name}"
        self.call("POST", "mod/plugin/", {
            "module": "oidc", "name": name, "display_name": name, "enabled": True, "readonly": False,
            "parameters": {**PLUGIN, "iss": issuer, "jwks-private": json.dumps({"keys": [key.as_dict(private=True)]}),
                           "session-cookie-name": f"{name}_SID", **changes}})
        return issuer

    def add_client(self, name, redirect, secret=None, **more):
        methods = ["client_secret_basic", "client_secret_post"] if secret else ["none"]
        self.call("POST", "client/", {
            "client_id": name, "name": name, "redirect_uri": [redirect], "scope": ["openid"], "enabled": True,
            "authorization_type": ["code", "refresh_token", "device_authorization"], "confidential": bool(secret),
            "token_endpoint_auth_method": methods, **({"client_secret": secret, "password": secret} if secret else {}), **more})


class Person:
    """A person with a browser that keeps its cookies."""

    def __init__(self, server):
        self.server, self.browser = server, session()

    def log_in(self):
        reply = self.browser.post(f"{self.server.base}/api/auth/", json={"username": "tess", "password": "tess-password"}, timeout=30)
        assert reply.ok, reply.text

    def answer(self, url, client, redirect, scope="openid"):
        """Opens the page, logs in and agrees; returns the address that the provider redirects the browser to."""
        reply, address = follow(self.browser, self.browser.get(url, allow_redirects=False, timeout=30), redirect)
        if address:
            return address
        assert "login.html" in reply.url, reply.url
        self.log_in()
        granted = self.browser.put(f"{self.server.base}/api/auth/grant/{client}/", json={"scope": scope}, timeout=30)
        assert granted.ok, granted.text
        back = urllib.parse.parse_qs(urllib.parse.urlsplit(reply.url).query)["callback_url"][0]
        reply, address = follow(self.browser, self.browser.get(f"{back}&g_continue", allow_redirects=False, timeout=30), redirect)
        assert address, f"{reply.url} {reply.text[:300]}"
        return address
