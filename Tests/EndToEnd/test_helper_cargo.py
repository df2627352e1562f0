"""Cargo's credential provider: the published exchange byte for byte, and a real Cargo where there is one of 1.74 or later (Debian 12 has none)."""
import json
import re
import shutil
import subprocess

import loopback
import pytest
from commands import environment
from elsewhere import Elsewhere
from github import GitHub
from helper_programs import at_home, link, signed_in, token_of
from person import browser, parameters
from signing_in import SignIn

INDEX = "https://registry.example.org/index/"


def ask(daemon, tmp_path, request):
    """One run as Cargo has it: the provider speaks first, then there is one line each way."""
    program = tmp_path / "cargo-credential-postern"
    if not program.exists():
        link(tmp_path, program.name)
    with subprocess.Popen([program, "--cargo-plugin"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(daemon)) as process:
        assert process.stdout.readline() == b'{"v":[1]}\n'
        process.stdin.write(json.dumps(request).encode() + b"\n")
        process.stdin.flush()
        answer = process.stdout.readline()
        process.stdin.close()
        assert process.stdout.read() == b"" and process.wait(20) == 0
        return json.loads(answer), process.stderr.read().decode()


def get(index, *arguments):
    return {
        "v": 1, "registry": {"index-url": index, "name": "my", "headers": ["WWW-Authenticate: Cargo login_url=\"https://x\""]}, "kind": "get",
        "operation": "read", "args": list(arguments)}


def test_the_helper_follows_the_published_protocol(make_daemon, demo_provider, tmp_path):
    daemon = signed_in(make_daemon, demo_provider, INDEX)
    answer, words = ask(daemon, tmp_path, get("sparse+" + INDEX, "--account", "demo"))
    success = answer["Ok"]
    assert success.pop("expiration") > 1_700_000_000
    assert success == {"kind": "get", "token": f"Bearer {token_of(daemon)}", "cache": "expires", "operation_independent": True}
    assert words == ""
    for arguments in ([], ["--account", "demo"]):
        assert ask(daemon, tmp_path, get("sparse+https://registry.example.org/index/%2e%2e/x", *arguments))[0] == {"Err": {"kind": "not-found"}}


# ---- A real Cargo ------------------------------------------------------------------


def cargo():
    found = shutil.which("cargo")
    version = found and re.search(r"cargo 1\.(\d+)", subprocess.run([found, "--version"], capture_output=True, text=True).stdout)
    return found if version and int(version[1]) >= 74 else None


class Registry(loopback.Listener):
    """A sparse registry with one crate, for whoever brings the token."""

    def __init__(self):
        self.token, self.seen = None, []
        registry = self

        class Handler(loopback.Handler):
            def do_GET(self):
                authorization = self.headers.get("Authorization")
                registry.seen.append((self.path, authorization))
                if authorization != f"Bearer {registry.token}":
                    self.send(401, b"", ("WWW-Authenticate", f'Cargo login_url="{registry.origin}/me"'))
                elif self.path == "/index/config.json":
                    self.send(200, json.dumps({"dl": f"{registry.origin}/dl", "auth-required": True}).encode())
                elif self.path == "/index/th/in/thing":
                    crate = {"name": "thing", "vers": "1.0.0", "deps": [], "cksum": "0" * 64, "features": {}, "yanked": False}
                    self.send(200, json.dumps(crate).encode() + b"\n")
                else:
                    self.send(404, b"")

        super().__init__(Handler)


@pytest.mark.skipif(cargo() is None, reason="needs Cargo 1.74 or later")
@pytest.mark.parametrize("served", [True, False])
def test_a_real_cargo(make_daemon, demo_provider, tmp_path, served):
    registry = Registry()
    try:
        daemon = signed_in(make_daemon, demo_provider, f"{registry.origin}/index/" if served else f"{registry.origin}/other/")
        registry.token = token_of(daemon)
        done = run_cargo(daemon, tmp_path, f"sparse+{registry.origin}/index/")
        assert registry.token not in done.stdout + done.stderr
        if served:
            assert done.returncode == 0, done.stderr
            assert "thing" in (tmp_path / "project" / "Cargo.lock").read_text()
        else:
            assert done.returncode != 0 and "no token found for `my`" in done.stderr
            assert {authorization for _, authorization in registry.seen} == {None}
    finally:
        registry.close()


@pytest.mark.skipif(cargo() is None, reason="needs Cargo 1.74 or later")
@pytest.mark.parametrize("named", [True, False])
def test_a_real_cargo_gets_no_token_for_a_strangers_index_below_a_built_in_url(make_daemon, tmp_path, named):
    """Anybody can put an index below https://github.com, and send the token on from there by its `dl`."""
    github, seen = GitHub(), []

    class Site(github.handler):
        def do_GET(self):
            if not self.path.startswith("/stranger/"):
                return super().do_GET()
            seen.append(self.headers.get("Authorization"))
            if seen[-1] is None:
                return self.send(401, b"", ("WWW-Authenticate", 'Cargo login_url="https://github.com/stranger"'))
            self.send(200, json.dumps({"dl": "https://evil.example/dl", "auth-required": True}).encode())

    site = Elsewhere(Site, tmp_path, "github.com", "api.github.com")
    try:
        serves = 'serves = ["https://github.com/stranger/index/"]\n' if named else ""
        daemon = make_daemon(
            f'[provider."github.com"]\nclient-id = "Iv1"\nclient-secret = "shh"\nca-file = "{site.certificate}"\n{serves}',
            environment={"https_proxy": site.origin}).start()
        pending = SignIn(daemon, providerID="github.com")
        browser().get(f"{daemon.origin}/__/auth/handler", params={"code": "good", "state": parameters(pending.url)["state"]})
        pending.completed()
        found, = daemon.call("FindAccount", {"url": "https://github.com/stranger/index/"})["accounts"]
        assert found["signedIn"] and found.get("builtIn", False) is not named
        done = run_cargo(daemon, tmp_path, "sparse+https://github.com/stranger/index/", CARGO_HTTP_PROXY=site.origin, CARGO_HTTP_CAINFO=str(site.certificate))
        assert done.returncode != 0 and "gho_aaaa" not in done.stdout + done.stderr
        if named:
            assert set(seen) == {None, "Bearer gho_aaaa"}, done.stderr
        else:
            assert set(seen) == {None} and "no token found for `my`" in done.stderr, done.stderr
    finally:
        site.close()
        github.close()


def run_cargo(daemon, tmp_path, index, **more):
    """A project that needs one crate of the registry `my`."""
    programs = tmp_path / "programs"
    link(programs, "cargo-credential-postern")
    project = tmp_path / "project"
    (project / "src").mkdir(parents=True)
    (project / "src" / "lib.rs").write_text("")
    (project / "Cargo.toml").write_text(
        '[package]\nname = "user"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\nthing = { version = "1", registry = "my" }\n')
    home = tmp_path / "cargo-home"
    home.mkdir()
    (home / "config.toml").write_text(f'[registries.my]\nindex = "{index}"\ncredential-provider = ["cargo-credential-postern"]\n')
    kept = {name: value for name in ("RUSTUP_HOME",) if (value := rustup_home(name))}
    return subprocess.run(
        [cargo(), "generate-lockfile"], cwd=project, capture_output=True, text=True, timeout=120,
        env=at_home(daemon, tmp_path / "home", programs, CARGO_HOME=str(home), **kept, **more))


def rustup_home(name):
    """rustup's cargo looks for its tool chain at home, and the test has another one."""
    import os
    import pathlib
    default = pathlib.Path.home() / ".rustup"
    return os.environ.get(name) or (str(default) if default.exists() else None)
