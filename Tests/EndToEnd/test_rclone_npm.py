"""rclone and npm, each with its block of docs/use/helpers.md, against servers that want the token."""
import json
import shutil
import subprocess

import pytest
from commands import run
from dav_server import DAVServer
from helper_programs import at_home, link, signed_in, token_of
from npm_registry import Registry, npm
from postern import ROOT


def block(heading, kind, *changes):
    """The first block of that kind below the heading: what is to be changed must stand there."""
    text = (ROOT / "docs" / "use" / "helpers.md").read_text().split(f"\n## {heading}\n", 1)[1].split(f"```{kind}\n", 1)[1].split("```", 1)[0]
    for old, new in changes:
        assert old in text, (heading, old)
        text = text.replace(old, new)
    return text


def needs(program):
    return pytest.mark.skipif(not shutil.which(program), reason=f"needs {program}")


@pytest.fixture
def world(make_daemon, demo_provider, tmp_path):
    daemon = signed_in(make_daemon, demo_provider, "https://dav.example.org")
    link(tmp_path / "bin", "postern")
    return daemon, tmp_path / "home", at_home(daemon, tmp_path / "home", tmp_path / "bin", XDG_CONFIG_HOME=str(tmp_path / "home" / ".config"))


# ---- rclone ---------------------------------------------------------------------------


@pytest.fixture
def dav(world):
    daemon, home, _ = world
    server = DAVServer(lambda header: header == f"Bearer {token_of(daemon)}")
    config = home / ".config" / "rclone" / "rclone.conf"
    config.parent.mkdir(parents=True)
    config.write_text(block("rclone", "ini", ("https://dav.example.org/", server.origin), ("NAME", "demo")))
    yield server
    server.close()


@pytest.fixture
def rclone(world):
    _, home, environment = world

    def rclone(*arguments):
        return subprocess.run(
            ["rclone", "--retries", "1", *arguments], cwd=home, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)

    return rclone


@needs("rclone")
def test_rclone_uses_the_token(world, dav, rclone):
    _, home, _ = world
    (home / "letter").write_text("Good morning.\n")
    for arguments, output in [(("copy", "letter", "work:"), ""), (("lsf", "work:"), "letter\n"), (("cat", "work:letter"), "Good morning.\n")]:
        done = rclone(*arguments)
        assert (done.returncode, done.stdout) == (0, output), done.stderr
    assert not dav.refused


@needs("rclone")
def test_rclone_asks_again_when_the_token_expires_during_a_transfer(world, dav, rclone):
    daemon, home, _ = world
    first = token_of(daemon)
    (home / "letters").mkdir()
    for name in "abc":
        (home / "letters" / name).write_text(name)
    # As soon as one file is there, the token is no good any more.
    dav.stored = lambda name: len(dav.files) == 1 and daemon.call("GetAccessToken", {"providerID": "demo", "forceRefresh": True})
    done = rclone("copy", "--transfers", "1", "letters", "work:")
    assert done.returncode == 0, done.stderr
    assert dav.files == {name: name.encode() for name in "abc"}
    assert dav.refused and set(dav.refused) == {f"Bearer {first}"} and token_of(daemon) != first


@needs("rclone")
def test_rclone_says_what_to_do_when_nobody_is_signed_in(world, dav, rclone):
    daemon, _, _ = world
    run(daemon, "revoke", "demo")
    done = rclone("lsf", "work:")
    assert done.returncode != 0 and "postern sign-in demo" in done.stderr and done.stdout == ""
    assert not dav.files


# ---- npm ------------------------------------------------------------------------------


def test_npm_gets_the_token_only_in_its_environment(world, tmp_path):
    daemon, home, environment = world
    npm(tmp_path / "bin")
    registry = Registry(lambda header: header == f"Bearer {token_of(daemon)}")
    try:
        host = registry.origin.removeprefix("http:")
        (home / ".npmrc").write_text(block("npm", "ini", ("https://registry.example.org", registry.origin), ("//registry.example.org", host)))
        (home / "package.json").write_text(json.dumps({"name": "project", "version": "1.0.0", "dependencies": {"thing": "1.0.0"}}))
        (home / "package-lock.json").write_text(json.dumps({"name": "project", "version": "1.0.0", "lockfileVersion": 3, "packages": {
            "": {"name": "project", "version": "1.0.0", "dependencies": {"thing": "1.0.0"}},
            "node_modules/thing": {"version": "1.0.0", "resolved": f"{registry.origin}/thing/-/thing-1.0.0.tgz"}}}))
        line = block("npm", "sh", ("NAME", "demo")).strip()
        quiet = {**environment, "NO_UPDATE_NOTIFIER": "1", "npm_config_audit": "false", "npm_config_fund": "false"}
        done = subprocess.run(["sh", "-ec", line], cwd=home, env=quiet, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        assert json.loads((home / "node_modules" / "thing" / "package.json").read_text())["name"] == "thing"
        assert {header for _, header in registry.seen} == {f"Bearer {token_of(daemon)}"}
        # The file has the variable's name in it, and no token.
        assert "${NPM_TOKEN}" in (home / ".npmrc").read_text() and token_of(daemon) not in (home / ".npmrc").read_text()
        seen = subprocess.run(
            ["sh", "-ec", line.replace("npm ci", "npm view thing version")], cwd=home, env=quiet, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
        assert seen.stdout.strip() == "1.0.0", seen.stderr
    finally:
        registry.close()
