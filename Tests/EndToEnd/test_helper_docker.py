"""Container programs take their tokens from Postern: skopeo and docker with a registry on loopback."""
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
from helpers import links
from postern import oidc
from signing_in import sign_in


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
def served(make_daemon, demo_provider, registry):
    """A daemon whose account serves the registry."""
    return make_daemon(oidc(demo_provider, serves=[registry.origin])).start()


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
def test_skopeo_reads_an_image(tmp_path, served, registry):
    token = sign_in(served)["credential"]["accessToken"]
    registry.accepts = lambda given: given == token
    result = Skopeo(tmp_path, served, registry).inspect()
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout)["schemaVersion"] == 2
    assert registry.seen and set(registry.seen) == {("oauth2", token)}


@needs_skopeo
@pytest.mark.parametrize("registry", [False], indirect=True, ids=["basic"])
def test_skopeo_says_what_to_run_and_without_a_daemon_goes_on_without_a_name(tmp_path, served, registry):
    skopeo = Skopeo(tmp_path, served, registry)
    result = skopeo.inspect()
    assert result.returncode != 0 and "postern sign-in demo" in result.stderr
    assert registry.seen == []
    served.stop()
    result = skopeo.inspect()
    # The registry's word, and not a helper's.
    assert result.returncode != 0 and "unauthorized" in result.stderr.lower() and "credential" not in result.stderr.lower()


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
