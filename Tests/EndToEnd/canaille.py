"""Canaille from PyPI with SQLite, and a person who fills in its forms."""
import contextlib
import html
import json
import os
import pathlib
import re
import sqlite3
import urllib.parse

from foreign import Server, follow, session
from joserfc.jwk import ECKey, RSAKey

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("POSTERN_CANAILLE") or ROOT / ".venv-canaille" / "bin" / "canaille")


def inline(key):
    return "{" + ", ".join(f"{name} = {json.dumps(value)}" for name, value in key.items()) + "}"


class Canaille(Server):
    def __init__(self, directory):
        super().__init__(directory)
        self.issuer = self.base
        keys = [RSAKey.generate_key(2048, {"kid": "rs", "alg": "RS256", "use": "sig"}), ECKey.generate_key("P-256", {"kid": "es", "alg": "ES256", "use": "sig"})]
        self.configuration = directory / "canaille.toml"
        self.configuration.write_text("\n".join([
            'SECRET_KEY = "of a test"', f'SERVER_NAME = "127.0.0.1:{self.port}"', 'PREFERRED_URL_SCHEME = "http"', "SESSION_COOKIE_SECURE = false",
            "[CANAILLE]", 'NAME = "Canaille"', 'DATABASE = "sql"', "[CANAILLE_SQL]", f'DATABASE_URI = "sqlite:///{directory}/db.sqlite"',
            "[CANAILLE_OIDC]", "DYNAMIC_CLIENT_REGISTRATION_OPEN = true",
            f"ACTIVE_JWKS = [{', '.join(inline(key.as_dict(private=True)) for key in keys)}]"]) + "\n")
        # In one process: its start takes longer than what it does.
        commands = [["install"], ["create", "user", "--user-name", "tess", "--password", "tess-password", "--family-name", "Example", "--given-name", "Tess",
                                  "--formatted-name", "Tess Example", "--emails", "tess@example.test"], ["run", "--bind", f"127.0.0.1:{self.port}"]]
        lines = ["from canaille.commands import cli", *(f"cli({words!r}, standalone_mode=False)" for words in commands)]
        self.run([PROGRAM.parent / "python", "-c", "\n".join(lines)], "/.well-known/openid-configuration", CANAILLE_CONFIG=str(self.configuration))

    def lose(self, client_id):
        """As by a backup that is older than the client."""
        with contextlib.closing(sqlite3.connect(self.directory / "db.sqlite")) as database, database:
            assert database.execute("DELETE FROM client WHERE client_id = ?", [client_id]).rowcount == 1

    def add_client(self, name, origin, secret=False):
        """Registers a client; returns its ID, and its secret if it has one."""
        reply = session().post(f"{self.base}/oauth/register", timeout=30, json={
            "client_name": name, "redirect_uris": [f"{origin}/__/auth/handler"], "post_logout_redirect_uris": [f"{origin}/__/auth/signed-out"],
            "grant_types": ["authorization_code", "refresh_token"], "response_types": ["code"], "scope": "openid profile email",
            "token_endpoint_auth_method": "client_secret_basic" if secret else "none", "id_token_signed_response_alg": "RS256" if secret else "ES256"})
        assert reply.status_code == 201, reply.text
        return reply.json()["client_id"], reply.json().get("client_secret") if secret else None


class Person:
    """A person with a browser that keeps its cookies."""

    def __init__(self):
        self.browser = session()
        self.logins = 0

    def answer(self, url, redirect):
        """Opens the page, logs in and agrees if asked; returns the address that the provider redirects the browser to."""
        reply, address = follow(self.browser, self.browser.get(url, allow_redirects=False, timeout=30), redirect)
        for _ in range(6):
            if address:
                return address
            reply, address = self.fill_in(reply, redirect)
        raise AssertionError(f"{reply.url} {reply.text[:2000]}")

    def fill_in(self, page, redirect):
        """Fills in the page's form: a name, a password, or yes."""
        assert page.ok, f"{page.status_code} {page.text[:500]}"
        forms = re.findall(r"<form\b.*?</form>", page.text, re.S | re.I)
        form = next((form for form in forms if 'name="login"' in form or 'name="password"' in form or 'name="answer"' in form), None)
        assert form, f"no form on {page.url}: {page.text[:2000]}"
        data = {}
        for tag in re.findall(r"<input\b[^>]*>", form):
            attributes = {name: html.unescape(value) for name, value in re.findall(r'([\w-]+)="([^"]*)"', tag)}
            if attributes.get("name") and attributes.get("type") not in ("submit", "checkbox", "radio"):
                data[attributes["name"]] = attributes.get("value", "")
        if "login" in data:
            data["login"] = "tess"
        if "password" in data:
            data["password"] = "tess-password"
            self.logins += 1
        if 'name="answer"' in form:
            data["answer"] = "accept"
        action = re.search(r'<form[^>]*\baction="([^"]*)"', form)
        target = urllib.parse.urljoin(page.url, html.unescape(action.group(1)) if action else "")
        reply = self.browser.post(target, data=data, allow_redirects=False, headers={"Referer": page.url}, timeout=30)
        return follow(self.browser, reply, redirect)
