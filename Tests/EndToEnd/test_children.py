"""How children end is known also where whoever started the program ignores that (SIGCHLD), which the program inherits."""
import os
import subprocess

from commands import POSTERN, environment
from newcomer import ID, fresh, github  # noqa: F401
from postern import oidc

# dash does not pass it on.
IGNORING = ["env", "--ignore-signal=CHLD"]


def run(daemon, *arguments, stdin="", **variables):
    return subprocess.run(
        [*IGNORING, POSTERN, *arguments], input=stdin, capture_output=True, text=True, timeout=60, env={**environment(daemon), **variables})


def test_an_editor_that_fails_changes_nothing(make_daemon, tmp_path):
    daemon = make_daemon().start()
    editor = tmp_path / "editor"
    editor.write_text('#!/bin/sh\necho "# half" >>"$1"; exit 1\n')
    editor.chmod(0o755)
    before = daemon.config.read_text()
    result = run(daemon, "config", "edit", "--config", str(daemon.config), EDITOR=str(editor))
    assert result.returncode == 1 and "failed; the file stays as it was" in result.stderr, result.stderr
    assert daemon.config.read_text() == before


def test_a_secret_that_the_keyring_did_not_store_is_not_configured(fresh, tmp_path):
    tool = tmp_path / "tools" / "secret-tool"
    tool.parent.mkdir()
    tool.write_text("#!/bin/sh\ncase $1 in search) ;; store) cat >/dev/null; exit 1;; *) exit 1;; esac\n")
    tool.chmod(0o755)
    result = run(
        fresh.daemon, "setup", "github.com", "--client-id", ID, "--client-secret-file", "-", "--secret-in", "keyring", "--yes", "--no-sign-in",
        stdin="shh\n", **{**fresh.environment, "PATH": f"{tool.parent}:{os.environ['PATH']}"})
    assert result.returncode == 1 and "the keyring did not store the secret" in result.stderr, result.stderr
    assert not fresh.part.exists()


def test_the_daemon_runs_secret_commands_and_reports_which_fail(make_daemon, demo_provider):
    def section(name, command):
        return f'[provider."{name}"]\nclient-id = "c"\nclient-secret = {{ command = {command} }}\n'

    daemon = make_daemon(
        oidc(demo_provider) + section("github.com", '["echo", "shh"]') + section("google.com", '["false"]'),
        browser='["sh", "-c", "exit 3"]').start(prefix=IGNORING)
    [problem] = daemon.call("GetStatus")["problems"]
    assert problem == "google.com: its client secret cannot be read: the secret's command false ended with status 1"
    client = daemon.client()
    client.send("SignIn", {"providerID": "demo"}, more=True)
    event = client.receive()["event"]
    while "pageProblem" not in event:
        event = client.receive()["event"]
    assert event["pageProblem"].endswith("sh ended with status 3"), event
