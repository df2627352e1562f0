"""`postern import` of MCP clients: the files that those write, with tokens of a server and issuer that are found from the server's URL."""
import hashlib
import json
import os
import stat
import subprocess
import threading
import urllib.parse

import pytest
from commands import POSTERN, environment, run
from loopback import Handler, Listener


class Server(Listener):
    """An MCP server and its issuer. A refresh token is good once, and only for the client that it was issued to."""

    def __init__(self):
        self.forms, self.headers = [], []
        self.clients, self.refresh_tokens = {}, {}      # client ID: secret or None; refresh token: client ID
        self.lock = threading.Lock()
        self.issued = 0
        server = self

        class Answers(Handler):
            def json(self, status, document, *headers):
                self.send(status, json.dumps(document).encode(), ("Content-Type", "application/json"), *headers)

            def do_GET(self):
                path = self.path.partition("?")[0]
                if path == "/.well-known/oauth-protected-resource/mcp":
                    return self.json(200, {"resource": server.url, "authorization_servers": [server.issuer], "scopes_supported": ["read"]})
                if path == "/.well-known/oauth-authorization-server":
                    return self.json(200, {
                        "issuer": server.issuer, "authorization_endpoint": f"{server.issuer}/authorize", "token_endpoint": f"{server.issuer}/token",
                        "registration_endpoint": f"{server.issuer}/register", "response_types_supported": ["code"],
                        "code_challenge_methods_supported": ["S256"], "grant_types_supported": ["authorization_code", "refresh_token"],
                        "token_endpoint_auth_methods_supported": ["none", "client_secret_post"]})
                if path == "/mcp":
                    return self.challenge()
                self.json(404, {})

            def challenge(self):
                metadata = f"{server.origin}/.well-known/oauth-protected-resource/mcp"
                self.json(401, {}, ("WWW-Authenticate", f'Bearer resource_metadata="{metadata}"'))

            def do_POST(self):
                body = self.body()
                if self.path == "/mcp":
                    return self.challenge()
                if self.path != "/token":
                    return self.json(404, {})
                form = dict(urllib.parse.parse_qsl(body.decode()))
                with server.lock:
                    server.forms.append(form)
                    server.headers.append(self.headers.get("Authorization"))
                    client = server.refresh_tokens.get(form.get("refresh_token"))
                    if client is None or form.get("client_id") != client:
                        return self.json(400, {"error": "invalid_grant"})
                    if form.get("client_secret") != server.clients[client]:
                        return self.json(401, {"error": "invalid_client"})
                    del server.refresh_tokens[form["refresh_token"]]
                    answer = server.grant(client)
                self.json(200, answer)

        super().__init__(Answers)
        self.issuer, self.url = self.origin, f"{self.origin}/mcp"

    def grant(self, client, secret=None):
        """What the client got in its own sign-in."""
        self.issued += 1
        self.clients.setdefault(client, secret)
        self.refresh_tokens[f"rt-{self.issued}"] = client
        return {
            "access_token": f"at-{self.issued}", "token_type": "Bearer", "expires_in": 3600, "refresh_token": f"rt-{self.issued}", "scope": "read"}


@pytest.fixture
def server():
    made = Server()
    yield made
    made.close()


@pytest.fixture
def daemon(make_daemon):
    return make_daemon().start()


@pytest.fixture
def home(tmp_path):
    made = tmp_path / "home"
    made.mkdir()
    return made


def take(daemon, home, *arguments, **more):
    kept = {"HOME": str(home), "XDG_CONFIG_HOME": str(home / ".config"), "XDG_DATA_HOME": str(home / ".local/share")}
    gone = ("CODEX_HOME", "CLAUDE_CONFIG_DIR", "MCP_REMOTE_CONFIG_DIR")
    variables = {k: v for k, v in environment(daemon, **kept, **more).items() if k not in gone or k in more}
    return subprocess.run(
        [POSTERN, "import", *map(str, arguments), "--config", str(daemon.config), "--yes"], stdin=subprocess.DEVNULL, capture_output=True,
        text=True, timeout=60, env=variables)


def write(path, document):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document))
    path.chmod(0o600)
    return path


# Each as its program writes it; where from is said beside the unit tests of the formats.

def claude_code(home, server, grant, client, secret=None, issuer=None):
    entry = {
        "serverName": "files", "serverUrl": server.url, "clientId": client, "accessToken": grant["access_token"], "expiresAt": 1771535707586,
        "refreshToken": grant["refresh_token"], "scope": "read", "discoveryState": {"authorizationServerUrl": issuer or f"{server.issuer}/"}}
    key = "files|638130d5ab3558f4"
    document = {"claudeAiOauth": {"accessToken": "of the person"}, "mcpOAuth": {key: entry}}
    if secret:
        document["mcpOAuthClientConfig"] = {key: {"clientSecret": secret}}
    return write(home / ".claude/.credentials.json", document)


def codex(home, server, grant, client, secret=None, issuer=None):
    return write(home / ".codex/.credentials.json", {"files|0123456789abcdef": {
        "server_name": "files", "server_url": server.url, "issuer": issuer or server.issuer, "client_id": client,
        "access_token": grant["access_token"], "expires_at": 1771535707586, "refresh_token": grant["refresh_token"], "scopes": ["read"]}})


def gemini_cli(home, server, grant, client, secret=None, issuer=None):
    return write(home / ".gemini/mcp-oauth-tokens.json", [{
        "serverName": "files", "clientId": client, "tokenUrl": f"{issuer or server.issuer}/token", "mcpServerUrl": server.url,
        "updatedAt": 1771535707586, "token": {
            "accessToken": grant["access_token"], "tokenType": "Bearer", "refreshToken": grant["refresh_token"], "scope": "read",
            "expiresAt": 1771535707586}}])


def opencode(home, server, grant, client, secret=None, issuer=None):
    info = {"clientId": client, "clientIdIssuedAt": 1771535707, **({"clientSecret": secret} if secret else {})}
    return write(home / ".local/share/opencode/mcp-auth.json", {"files": {
        "tokens": {"accessToken": grant["access_token"], "refreshToken": grant["refresh_token"], "expiresAt": 1771535707.5, "scope": "read"},
        "clientInfo": info, "serverUrl": server.url}})


def mcp_remote(home, server, grant, client, secret=None, issuer=None, version="0.1.30"):
    digest = hashlib.md5(server.url.encode(), usedforsecurity=False).hexdigest()
    folder = home / f".mcp-auth/mcp-remote-{version}"
    method = "client_secret_post" if secret else "none"
    info = {
        "client_id": client, "redirect_uris": ["http://localhost:3334/oauth/callback"], "token_endpoint_auth_method": method,
        **({"client_secret": secret} if secret else {})}
    write(folder / f"{digest}_client_info.json", info)
    return write(folder / f"{digest}_tokens.json", grant)


WRITERS = {"claude-code": claude_code, "codex": codex, "gemini-cli": gemini_cli, "opencode": opencode, "mcp-remote": mcp_remote}


@pytest.mark.parametrize("program", WRITERS)
def test_a_server_is_imported_with_its_registration(daemon, server, home, program):
    secret = "s1" if program in ("claude-code", "opencode", "mcp-remote") else None
    grant = server.grant("theirs", secret)
    file = WRITERS[program](home, server, grant, "theirs", secret)
    before = file.read_bytes()
    # mcp-remote keeps no URL; it stands in the settings of a program that starts it.
    write(home / ".claude.json", {"mcpServers": {"files": {"command": "npx", "args": ["mcp-remote", server.url]}}})
    dry = take(daemon, home, program, "--dry-run", "--as", "files")
    assert dry.returncode == 0 and server.url in dry.stderr and server.forms == [], dry.stderr
    done = take(daemon, home, program, "--as", "files", "--json")
    assert done.returncode == 0, done.stderr
    [account] = json.loads(done.stdout)["accounts"]
    assert (account["state"], account["account"], account["url"], account["clientID"]) == ("imported", "files", server.url, "theirs")
    for secret_text in (grant["refresh_token"], grant["access_token"], secret):
        assert secret_text is None or secret_text not in done.stderr + done.stdout + dry.stderr
    assert "signed out" in done.stderr and file.read_bytes() == before
    written = daemon.directory / "config.d" / "files.toml"
    assert stat.S_IMODE(written.stat().st_mode) == 0o600 and written.read_text() == f'[mcp.files]\nurl = "{server.url}"\n'
    assert [(form["client_id"], form["resource"]) for form in server.forms] == [("theirs", server.url)]
    assert run(daemon, "token", "files").stdout.strip() == f"at-{server.issued}"
    # Renewed with the same client, by another run of the daemon, too.
    daemon.kill()
    daemon.start()
    assert run(daemon, "token", "files", "--refresh").stdout.strip() == f"at-{server.issued}" and server.forms[-1]["client_id"] == "theirs"
    again = take(daemon, home, program, "--as", "files")
    assert again.returncode == 0 and "files is here already" in again.stderr, again.stderr


def test_a_token_of_another_issuer_is_not_sent_anywhere(daemon, server, home):
    other = Server()
    try:
        gemini_cli(home, server, server.grant("theirs"), "theirs", issuer=other.issuer)
        done = take(daemon, home, "gemini-cli", "--as", "files")
        assert done.returncode == 1 and other.issuer in done.stderr and server.issuer in done.stderr, done.stderr
        assert server.forms == other.forms == []
        assert not (daemon.directory / "config.d" / "files.toml").exists() and daemon.call("ListCredentials")["credentials"] == []
    finally:
        other.close()


def test_a_refused_token_leaves_nothing_behind(daemon, server, home):
    opencode(home, server, {"access_token": "at", "refresh_token": "used up"}, "theirs")
    done = take(daemon, home, "opencode", "--as", "files")
    assert done.returncode == 1 and "does not accept this refresh token" in done.stderr, done.stderr
    assert not (daemon.directory / "config.d" / "files.toml").exists() and daemon.call("ListCredentials")["credentials"] == []


def test_the_newest_mcp_remote_refresh_token_is_used_and_a_broken_file_is_reported(daemon, server, home):
    for number, version in enumerate(["0.1.18", "0.1.30", "v1"]):
        grant = server.grant("theirs")
        if version == "v1":
            del grant["refresh_token"]
        file = mcp_remote(home, server, grant, "theirs", version=version)
        os.utime(file, (1771535707 + number, 1771535707 + number))
    broken = home / ".mcp-auth/mcp-remote-v1" / f"{'0' * 32}_tokens.json"
    broken.write_text("{")
    done = take(daemon, home, "mcp-remote", "--url", server.url, "--as", "files")
    assert done.returncode == 1 and broken.name in done.stderr and "files was taken over" in done.stderr, done.stderr
    assert [form["refresh_token"] for form in server.forms] == ["rt-2"]


def test_an_mcp_remote_entry_known_only_by_hash_needs_its_url(daemon, server, home):
    mcp_remote(home, server, server.grant("theirs"), "theirs")
    done = take(daemon, home, "mcp-remote")
    assert done.returncode == 1 and "--url" in done.stderr and server.forms == [], done.stderr


def test_a_missing_file_hints_at_a_keyring(daemon, home):
    for program in ("codex", "gemini-cli", "opencode"):
        done = take(daemon, home, program)
        assert done.returncode == 1 and "keyring" in done.stderr and "postern mcp add URL" in done.stderr, done.stderr


def test_a_link_out_of_the_home_directory_is_followed_only_when_named(daemon, server, home, tmp_path):
    elsewhere = opencode(tmp_path / "elsewhere", server, server.grant("theirs"), "theirs")
    link = home / ".local/share/opencode/mcp-auth.json"
    link.parent.mkdir(parents=True)
    link.symlink_to(elsewhere)
    refused = take(daemon, home, "opencode", "--as", "files")
    assert refused.returncode == 1 and "leads out of your directories" in refused.stderr and server.forms == [], refused.stderr
    assert take(daemon, home, "opencode", link, "--as", "files").returncode == 0
