"""Container programs take their tokens from Postern: skopeo with a registry on loopback, and the bytes that docker writes."""
import base64
import hashlib
import json
import os
import shutil
import ssl
import subprocess
import urllib.parse

import loopback
import pytest
from api_server import certificate
from commands import environment
from helpers import ask, links
from postern import oidc
from signing_in import sign_in
from token_server import TokenServer

NOT_FOUND = "credentials not found in native keychain\n"


class Registry(loopback.Listener):
    """One image, `team/one:1`, for whoever brings the right token: by Basic, or by the registry's own token service."""

    def __init__(self, bearer=False):
        self.accepts = lambda token: False
        self.seen = []              # (user name, password) that came by Basic
        self.bearer = bearer
        config = json.dumps({"architecture": "amd64", "os": "linux", "rootfs": {"type": "layers", "diff_ids": []}, "config": {}}).encode()
        digest = f"sha256:{hashlib.sha256(config).hexdigest()}"
        kind = "application/vnd.docker.distribution.manifest.v2+json"
        manifest = json.dumps({
            "schemaVersion": 2, "mediaType": kind, "layers": [],
            "config": {"mediaType": "application/vnd.docker.container.image.v1+json", "size": len(config), "digest": digest}}).encode()
        registry = self

        class Handler(loopback.Handler):
            def may(self):
                scheme, _, value = (self.headers.get("Authorization") or "").partition(" ")
                if scheme == "Bearer":
                    return registry.bearer and value == "of-the-registry"
                return scheme == "Basic" and not registry.bearer and self.basic(value)

            def basic(self, value):
                user, _, password = base64.b64decode(value).decode().partition(":")
                registry.seen.append((user, password))
                return registry.accepts(password)

            def do_GET(self):
                path = urllib.parse.urlsplit(self.path).path
                if path == "/token":
                    scheme, _, value = (self.headers.get("Authorization") or "").partition(" ")
                    if scheme == "Basic" and not self.basic(value):
                        return self.send(401, b"{}")
                    granted = "of-the-registry" if scheme == "Basic" else "of-nobody"
                    return self.send(200, json.dumps({"token": granted}).encode(), ("Content-Type", "application/json"))
                if not self.may():
                    realm = f'Bearer realm="{registry.origin}/token",service="registry"' if registry.bearer else 'Basic realm="registry"'
                    body = b'{"errors":[{"code":"UNAUTHORIZED","message":"authentication required"}]}'
                    return self.send(401, body, ("WWW-Authenticate", realm), ("Content-Type", "application/json"))
                if path == "/v2/":
                    return self.send(200, b"{}", ("Content-Type", "application/json"))
                if path == "/v2/team/one/manifests/1":
                    return self.send(200, manifest, ("Content-Type", kind))
                if path == f"/v2/team/one/blobs/{digest}":
                    return self.send(200, config, ("Content-Type", "application/octet-stream"))
                self.send(404, b"{}")

        super().__init__(Handler)

    def speak_tls(self, certificate, key):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.origin = self.origin.replace("http:", "https:")

    @property
    def host(self):
        return self.origin.split("//")[1]


@pytest.fixture(params=[False, True], ids=["basic", "bearer"])
def registry(request):
    server = Registry(request.param)
    yield server
    server.close()


@pytest.fixture
def counted(make_daemon, make_provider, registry):
    """A daemon whose account serves the registry, behind a server that counts refreshes."""
    issuer = make_provider()
    tokens = TokenServer(f"{issuer}/token")
    daemon = make_daemon(oidc(issuer, token_endpoint=tokens.url, serves=[registry.origin])).start()
    registry.accepts = lambda token: bool(tokens.given) and token == tokens.given[-1]["access_token"]
    yield daemon, tokens
    tokens.close()


class Skopeo:
    def __init__(self, folder, daemon, registry):
        self.registry = registry
        path = f"{links(folder / 'bin', 'docker-credential-postern')}:/usr/bin:/bin"
        home = folder / "home"
        (home / ".docker").mkdir(parents=True)
        (home / ".docker" / "config.json").write_text(json.dumps({"credHelpers": {registry.host: "postern"}}))
        policy = folder / "policy.json"
        policy.write_text('{"default":[{"type":"insecureAcceptAnything"}]}')
        self.options = ["--policy", str(policy)]
        self.environment = environment(daemon, PATH=path, HOME=str(home), XDG_RUNTIME_DIR=str(home), DOCKER_CONFIG=str(home / ".docker"))

    def inspect(self):
        return subprocess.run(
            ["skopeo", *self.options, "inspect", "--tls-verify=false", "--raw", f"docker://{self.registry.host}/team/one:1"],
            capture_output=True, text=True, timeout=60, env=self.environment)


needs_skopeo = pytest.mark.skipif(not shutil.which("skopeo"), reason="needs Debian's skopeo")


@needs_skopeo
def test_skopeo_reads_an_image(tmp_path, counted, registry):
    daemon, tokens = counted
    sign_in(daemon)
    skopeo = Skopeo(tmp_path, daemon, registry)
    result = skopeo.inspect()
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout)["schemaVersion"] == 2
    assert registry.seen and set(registry.seen) == {("oauth2", tokens.given[-1]["access_token"])}


@needs_skopeo
def test_skopeo_gets_a_fresh_token(tmp_path, counted, registry):
    daemon, tokens = counted
    tokens.changed = {"expires_in": 20}
    sign_in(daemon)
    tokens.changed = {}
    assert Skopeo(tmp_path, daemon, registry).inspect().returncode == 0
    assert tokens.count("refresh_token") == 1


@needs_skopeo
def test_skopeo_says_what_to_run(tmp_path, counted, registry):
    daemon, _ = counted
    result = Skopeo(tmp_path, daemon, registry).inspect()
    assert result.returncode != 0 and "postern sign-in demo" in result.stderr
    assert registry.seen == []


@needs_skopeo
def test_without_a_daemon_skopeo_goes_on_without_a_name(tmp_path, counted, registry):
    daemon, _ = counted
    daemon.stop()
    result = Skopeo(tmp_path, daemon, registry).inspect()
    # The registry's word, and not a helper's.
    assert result.returncode != 0 and "unauthorized" in result.stderr.lower() and "credential" not in result.stderr.lower()


# ---- bytes --------------------------------------------------------------------------------


def test_the_bytes_of_docker(counted, registry):
    daemon, tokens = counted
    assert ask(daemon, "docker", "get", stdin="registry.example.org").stdout == NOT_FOUND
    needed = ask(daemon, "docker", "get", stdin=registry.host)
    assert needed.returncode == 1 and "postern sign-in demo" in needed.stdout and "postern sign-in demo" in needed.stderr
    sign_in(daemon)
    for server in (registry.host, registry.origin, f"{registry.origin}/v2/", f" {registry.host}\n"):
        result = ask(daemon, "docker", "get", stdin=server)
        reply = {"ServerURL": server.strip(), "Username": "oauth2", "Secret": tokens.given[-1]["access_token"]}
        assert (result.stdout, result.stderr, result.returncode) == (json.dumps(reply, separators=(",", ":")) + "\n", "", 0)
    for server in (f"{registry.host}@evil.example", f"https://{registry.host}", "localhost:" + registry.host.split(":")[1], registry.host + "0",
                   "xn--" + registry.host, registry.host + "/../x", registry.host + "\0", "a" * 65536, "a" * 200_000):
        result = ask(daemon, "docker", "get", stdin=server)
        assert (result.stdout, result.returncode) == (NOT_FOUND, 1), server[:80]
        # docker asks about every registry: only what comes near is worth a line.
        is_near = server == f"https://{registry.host}"
        assert (f"; those of demo are for {registry.origin}\n" in result.stderr) if is_near else result.stderr == "", server[:80]
    assert ask(daemon, "docker", "get").stdout == "no credentials server URL\n"
    assert ask(daemon, "docker", "list", stdin="unused").stdout == "{}\n"
    stored = ask(daemon, "docker", "store", stdin=json.dumps({"ServerURL": registry.host, "Username": "u", "Secret": "s"}))
    assert stored.returncode == 1 and "keeps no password" in stored.stdout
    erased = ask(daemon, "docker", "erase", stdin=registry.host)
    assert (erased.stdout, erased.returncode) == ("", 0)
    assert len(daemon.call("ListCredentials")["credentials"]) == 1 and tokens.count("refresh_token") == 0


# ---- docker itself, where it is -----------------------------------------------------------


@pytest.mark.skipif(not shutil.which("docker"), reason="needs docker's command; Debian has it with the whole of docker.io alone")
def test_docker_reads_a_manifest(tmp_path, make_daemon, make_provider):
    server = Registry()
    try:
        server.speak_tls(*certificate(tmp_path))
        issuer = make_provider()
        daemon = make_daemon(oidc(issuer, serves=[server.origin])).start()
        (tmp_path / "config.json").write_text(json.dumps({"credHelpers": {server.host: "postern"}}))
        path = f"{links(tmp_path / 'bin', 'docker-credential-postern')}:{os.environ['PATH']}"
        more = environment(daemon, PATH=path, HOME=str(tmp_path), DOCKER_CONFIG=str(tmp_path))

        def inspect():
            return subprocess.run(
                ["docker", "manifest", "inspect", "--insecure", f"{server.host}/team/one:1"], capture_output=True, text=True, timeout=60, env=more)

        needed = inspect()
        assert needed.returncode != 0 and "postern sign-in demo" in needed.stderr
        token = sign_in(daemon)["credential"]["accessToken"]
        server.accepts = lambda given: given == token
        result = inspect()
        assert result.returncode == 0, result.stderr
        assert json.loads(result.stdout)["schemaVersion"] == 2 and set(server.seen) == {("oauth2", token)}
    finally:
        server.close()
