"""Whose socket it is: clients tell nothing to another user's server, and the daemon serves from no directory that others can change."""
import json
import os
import subprocess

import pytest
from commands import POSTERN, environment, run
from other_user import AS_NOBODY, NOBODY, foreign_server, needs_root, open_to_others  # noqa: F401
from postern import wait_for


@needs_root
def test_a_server_of_another_user_is_sent_nothing_and_not_trusted(foreign_server):  # noqa: F811
    daemon, told = foreign_server
    for count, (arguments, stdin) in enumerate([
        (["whoami"], ""), (["unlock"], "correct horse battery staple\n"), (["token", "github.com"], ""), (["status", "--json"], ""),
        (["call", "GetStatus"], ""),
    ], 1):
        result = run(daemon, *arguments, stdin=stdin)
        assert result.returncode == 4
        assert json.loads(result.stdout)["error"] == "daemonUnreachable" if "--json" in arguments else result.stdout == ""
        assert str(daemon.path) in result.stderr and "user 65534 (nobody)" in result.stderr and "POSTERN_SOCKET" in result.stderr
        wait_for(lambda: told.read_bytes().count(b"gone") == count, what="the end of the connection")
        assert told.read_bytes().replace(b"gone\n", b"") == b"ready\n"


@needs_root
@pytest.mark.parametrize("mode", [0o700, 0o755], ids=["closed directory", "open directory"])
def test_the_error_for_another_users_socket_does_not_advise_starting_that_daemon(make_daemon, mode):
    daemon = make_daemon().start()
    daemon.path.parent.chmod(mode)
    open_to_others(daemon.path.parent)

    def run_as_nobody(*arguments):
        return subprocess.run([*AS_NOBODY, POSTERN, *arguments], capture_output=True, text=True, timeout=60, env=environment(daemon))

    for arguments in (["status"], ["setup", "github.com"]):
        result = run_as_nobody(*arguments)
        assert result.returncode == 4 and result.stdout == ""
        assert result.stderr.startswith(f"postern: {daemon.path} belongs to user 0 (root), not to you, user {NOBODY} (nobody)"), result.stderr
        assert "start it with" not in result.stderr and "start your own daemon" in result.stderr
    findings = [f for f in json.loads(run_as_nobody("doctor", "--json").stdout)["findings"] if f["title"] == "socket"]
    assert [(f["level"], f["detail"]) for f in findings] == [("fail", f"{daemon.path} belongs to user 0 (root)")], findings
    assert "start your own daemon" in findings[0]["fix"]


def test_a_directory_that_others_can_write_to_is_refused(make_daemon):
    daemon = make_daemon()
    daemon.path.parent.mkdir()
    daemon.path.parent.chmod(0o770)
    daemon.start(wait=False)
    assert daemon.process.wait(20) == 1 and not daemon.path.exists()
    text = daemon.log.read_text()
    assert str(daemon.path.parent) in text and "mode 0770" in text and "chmod go-w" in text
    daemon.path.parent.chmod(0o700)
    assert daemon.start().call("GetStatus")["version"]


def test_a_missing_directory_is_created_private(make_daemon):
    daemon = make_daemon()
    old = os.umask(0)
    try:
        daemon.start()
    finally:
        os.umask(old)
    assert daemon.path.parent.stat().st_mode & 0o7777 == 0o700
    assert daemon.path.stat().st_mode & 0o7777 == 0o600
