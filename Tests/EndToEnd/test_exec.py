"""Tokens for one command: `postern token --header`, and `postern exec` with what it starts."""
import os
import pathlib
import signal
import subprocess
import sys

import pytest
from commands import POSTERN, environment, run
from other_user import AS_NOBODY, NOBODY, needs_root, open_to_others
from postern import FAKETIME, oidc, wait_for
from signing_in import keep, sign_in
from twitter import Twitter, sign_in as sign_in_at_x


@pytest.fixture
def signed_in(demo):
    sign_in(demo)
    return demo


def token(daemon, **more):
    return daemon.call("GetAccessToken", {"providerID": "demo", **more})["accessToken"]


def script(text):
    return [sys.executable, "-c", text]


def heed_signals():
    """A runner started in the background or under nohup passes on that some signals are ignored."""
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
        signal.signal(number, signal.SIG_DFL)


@pytest.fixture
def start(tmp_path):
    """An exec that goes on, with a runtime directory of its own."""
    runtime = tmp_path / "runtime"
    runtime.mkdir(mode=0o700)
    running = []

    def start(daemon, *arguments, faster=None, **more):
        """`faster`: how many times as fast the command's clock goes."""
        clock = {"LD_PRELOAD": FAKETIME, "FAKETIME": f"+0 x{faster}"} if faster else {}
        process = subprocess.Popen(
            ["env", POSTERN, "exec", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=environment(daemon, XDG_RUNTIME_DIR=str(runtime), **clock), preexec_fn=heed_signals, **more)
        running.append(process)
        return process

    start.runtime = runtime
    yield start
    for process in running:
        if process.poll() is None:
            process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            stream.close()


@pytest.fixture
def twitter():
    server = Twitter()
    yield server
    server.close()


# ---- token --header -----------------------------------------------------------------


def test_the_header_is_one_line_for_curl(signed_in, demo_provider):
    good = token(signed_in)
    assert run(signed_in, "token", "demo", "--header").stdout == f"Authorization: Bearer {good}\n"
    line = f'curl -sS --noproxy "*" -H @<({POSTERN} token demo --header) {demo_provider}/userinfo'
    result = subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=30, env=environment(signed_in))
    assert '"ada@example.com"' in result.stdout, result


def test_an_oauth1_token_is_not_given_as_a_header_or_variable(make_daemon, twitter):
    daemon = make_daemon(twitter.configuration()).start()
    sign_in_at_x(daemon)
    for arguments in (["token", "twitter.com", "--header"], ["exec", "--env", "T=twitter.com", "--", "echo", "ran"], ["sasl", "xoauth2", "twitter.com"]):
        result = run(daemon, *arguments)
        assert result.returncode == 1 and result.stdout == "" and "OAuth 1.0a" in result.stderr, result


# ---- exec: the command itself -------------------------------------------------------


def test_the_token_is_passed_in_the_variable_and_never_as_an_argument(signed_in):
    text = "import os; print(os.environ['A']); print(open(f'/proc/{os.getpid()}/cmdline').read()); print(os.getpid())"
    process = subprocess.Popen([POSTERN, "exec", "--env", "A=demo", "--", *script(text)], stdout=subprocess.PIPE, text=True, env=environment(signed_in))
    out, _ = process.communicate(timeout=30)
    lines = out.splitlines()
    good = token(signed_in)
    assert lines[0] == good and good not in lines[1]
    # In its place: whoever waits for it, signals it or looks at it has the command itself.
    assert int(lines[-1]) == process.pid


def test_several_accounts_can_be_given_at_once(make_daemon, make_provider):
    first, second = make_provider(), make_provider()
    daemon = make_daemon(oidc(first, name="one") + oidc(second, name="two")).start()
    sign_in(daemon, providerID="one")
    sign_in(daemon, "grace", providerID="two")
    result = run(daemon, "exec", "--env", "A=one", "--env", "B=two", "--", "sh", "-c", 'echo "$A $B"')
    tokens = [daemon.call("GetAccessToken", {"providerID": name})["accessToken"] for name in ("one", "two")]
    assert result.stdout.split() == tokens


@pytest.mark.parametrize("file", [False, True])
def test_the_exit_status_is_that_of_the_command(signed_in, start, file):
    option = ["--file" if file else "--env", "A=demo"]
    for status in (0, 1, 77, 255):
        assert start(signed_in, *option, "--", "sh", "-c", f"exit {status}").wait(20) == status
    assert start(signed_in, *option, "--", "sh", "-c", "kill -KILL $$").wait(20) == -signal.SIGKILL
    missing = start(signed_in, *option, "--", "no-such-program")
    assert missing.wait(20) == 127 and "no-such-program cannot be run" in missing.stderr.read()
    assert start(signed_in, *option, "--", "/etc/passwd").wait(20) == 126
    assert not list(start.runtime.iterdir())


@pytest.mark.parametrize("option", ["--env", "--file"])
def test_without_a_token_nothing_is_started(demo, start, tmp_path, option):
    for account, status in (("demo", 3), ("nobody", 1)):
        process = start(demo, option, f"A={account}", "--", "touch", str(tmp_path / "ran"))
        assert process.wait(20) == status == run(demo, "token", account).returncode
    assert not (tmp_path / "ran").exists() and not list(start.runtime.iterdir())


# ---- exec: a file kept fresh --------------------------------------------------------


FOLLOW = """
import os, sys
path = os.environ["T"]
print(path, flush=True)
for line in sys.stdin:
    print(open(path).read(), flush=True)
"""


def read(process):
    process.stdin.write("\n")
    process.stdin.flush()
    return process.stdout.readline().rstrip("\n")


def test_the_token_file_is_private_and_has_no_line_feed(signed_in, start):
    process = start(signed_in, "--file", "T=demo", "--", *script(FOLLOW))
    path = pathlib.Path(process.stdout.readline().strip())
    assert path.parent.parent == start.runtime and path.read_text() == token(signed_in)
    assert path.stat().st_mode & 0o777 == 0o600 and path.parent.stat().st_mode & 0o777 == 0o700
    process.stdin.close()
    assert process.wait(20) == 0 and not list(start.runtime.iterdir())


def test_the_file_is_replaced_before_the_token_ends(make_daemon, make_provider, start):
    daemon = make_daemon(oidc(make_provider("--access-token-seconds", "24"))).start()
    sign_in(daemon)
    process = start(daemon, "--file", "T=demo", "--min-validity", "1s", "--", *script(FOLLOW), faster=10)
    path = pathlib.Path(process.stdout.readline().strip())
    first, inode = path.read_text(), path.stat().st_ino
    wait_for(lambda: path.read_text() != first, what="another token")
    # Another file in its place: who had the old one open goes on reading that.
    assert path.stat().st_ino != inode and path.stat().st_mode & 0o777 == 0o600
    assert read(process) == path.read_text()
    assert [item.name for item in path.parent.iterdir()] == ["T"]
    process.stdin.close()
    assert process.wait(20) == 0 and not list(start.runtime.iterdir())


def test_a_failed_renewal_is_reported_and_the_command_keeps_running(make_daemon, make_provider, start):
    daemon = make_daemon(oidc(make_provider("--access-token-seconds", "24"))).start()
    sign_in(daemon)
    process = start(daemon, "--file", "T=demo", "--min-validity", "1s", "--", *script(FOLLOW), faster=10)
    path = pathlib.Path(process.stdout.readline().strip())
    daemon.stop()
    assert "the token in T is not replaced for now" in process.stderr.readline()
    assert read(process) == path.read_text()
    process.stdin.close()
    assert process.wait(20) == 0 and not list(start.runtime.iterdir())


def test_the_token_file_never_gets_another_accounts_token(make_daemon, make_provider, start):
    """The name has no login of its own, so it is whoever signed in under it last."""
    daemon = make_daemon(oidc(make_provider("--access-token-seconds", "40")) + '[account.work]\nprovider = "demo"\n').start()
    keep(daemon, "ada", providerID="work")
    process = start(daemon, "--file", "T=work", "--min-validity", "1s", "--", *script(FOLLOW), faster=10)
    path = pathlib.Path(process.stdout.readline().strip())
    adas = path.read_text()
    keep(daemon, "grace", providerID="work")
    assert "the token in T is not replaced for now: work is now another account than when the command began" in process.stderr.readline()
    assert read(process) == adas == path.read_text()
    # Ada signs in again, under the same name: the file is hers, and renewed.
    keep(daemon, "ada", providerID="work")
    wait_for(lambda: path.read_text() != adas, what="another token")
    assert path.read_text() == daemon.call("GetAccessToken", {"providerID": "demo", "uid": "demo-1815"})["accessToken"]
    process.stdin.close()
    assert process.wait(20) == 0 and not list(start.runtime.iterdir())


# Those that end a process by default and can be handled; of the numerous real-time signals two.
HARMLESS = {signal.SIGSTOP, signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU, signal.SIGCONT, signal.SIGCHLD, signal.SIGURG, signal.SIGWINCH}
ENDING = sorted((signal.valid_signals() & set(range(1, signal.SIGRTMIN + 1))) - HARMLESS - {signal.SIGKILL}) + [signal.SIGRTMAX]


def test_signals_are_passed_on_and_the_token_file_is_removed(signed_in, start):
    processes = [start(signed_in, "--file", "T=demo", "--", "sh", "-c", "ulimit -c 0; echo ready; exec sleep 1000") for _ in ENDING]
    for number, process in zip(ENDING, processes):
        assert process.stdout.readline() == "ready\n"
        process.send_signal(number)
        # As if the command itself had been signalled.
        assert process.wait(20) == -number
    assert not list(start.runtime.iterdir())


@pytest.mark.parametrize("group", [False, True], ids=["alone", "with its group"])
def test_killing_postern_ends_the_command_and_removes_the_token_file(signed_in, start, group):
    process = start(signed_in, "--file", "T=demo", "--", "sh", "-c", "echo ready; exec sleep 1000", start_new_session=True)
    assert process.stdout.readline() == "ready\n" and list(start.runtime.iterdir())
    (os.killpg if group else os.kill)(process.pid, signal.SIGKILL)
    # The command holds the other end.
    assert process.communicate(timeout=20)[0] == ""
    wait_for(lambda: not list(start.runtime.iterdir()), what="the end of the file")


def test_ending_it_before_there_is_a_token_leaves_nothing_behind(signed_in, start):
    """The daemon does not answer: it is stopped while the command asks."""
    signed_in.process.send_signal(signal.SIGSTOP)
    try:
        process = start(signed_in, "--file", "T=demo", "--", "echo", "ran")
        wait_for(lambda: list(start.runtime.iterdir()), what="the directory")
        process.terminate()
        assert process.wait(20) == -signal.SIGTERM and process.stdout.read() == ""
        wait_for(lambda: not list(start.runtime.iterdir()), what="the end of the directory")
    finally:
        signed_in.process.send_signal(signal.SIGCONT)


GENEROUS = """
import json, socket, sys
listener = socket.socket(socket.AF_UNIX)
listener.bind(sys.argv[1])
listener.listen(16)
print("ready", flush=True)
while True:
    connection, _ = listener.accept()
    while connection.recv(65536):
        reply = {"accessToken": "t", "tokenType": "Bearer", "providerID": "demo", "uid": "1", "scopes": [], "email": None}
        connection.sendall(json.dumps({"parameters": reply}).encode() + b"\\0")
"""


@needs_root
def test_posterns_memory_cannot_be_dumped_but_the_commands_can(tmp_path):
    """The kernel gives the files of a process to root if it cannot be dumped; the user must be another one to see that."""
    os.chown(tmp_path, NOBODY, NOBODY)
    open_to_others(tmp_path)
    server = subprocess.Popen([*AS_NOBODY, "/usr/bin/python3", "-c", GENEROUS, str(tmp_path / "socket")], stdout=subprocess.PIPE)
    process = None
    try:
        assert server.stdout.readline() == b"ready\n"
        known = {**os.environ, "POSTERN_SOCKET": str(tmp_path / "socket"), "XDG_RUNTIME_DIR": str(tmp_path)}
        text = ["sh", "-c", "ulimit -c; cat \"$T\"; echo; echo $$; exec sleep 1000"]
        process = subprocess.Popen(
            [*AS_NOBODY, "sh", "-c", 'ulimit -Sc 7; exec "$@"', "sh", POSTERN, "exec", "--file", "T=demo", "--", *text],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=known)
        lines = [process.stdout.readline().strip() for _ in range(3)]
        assert lines[:2] == ["7", "t"], process.stderr.read()
        owners = [os.stat(f"/proc/{pid}/environ").st_uid for pid in (process.pid, int(lines[2]))]
        assert owners == [0, NOBODY]
        process.terminate()
        assert process.wait(20) == -signal.SIGTERM
    finally:
        for started in (process, server):
            if started:
                started.kill()
                started.wait()
                started.stdout.close()
        if process:
            process.stderr.close()


def test_a_command_that_handles_a_signal_chooses_its_exit_status(signed_in, start):
    handle = "import os, signal, sys; signal.signal(signal.SIGTERM, lambda *a: sys.exit(9)); print('ready', flush=True); signal.pause()"
    process = start(signed_in, "--file", "T=demo", "--", *script(handle))
    process.stdout.readline()
    process.terminate()
    assert process.wait(20) == 9 and not list(start.runtime.iterdir())


def test_ctrl_c_reaches_the_command_once(signed_in, start, tmp_path):
    """The terminal tells the whole group; passing it on would tell the command twice."""
    import pty
    count = """
import signal, sys, os
seen = []
signal.signal(signal.SIGINT, lambda *a: seen.append(1))
signal.signal(signal.SIGTERM, lambda *a: (open(sys.argv[1], 'w').write(str(len(seen))), os._exit(0)))
print('ready', flush=True)
while True: signal.pause()
"""
    pid, master = pty.fork()
    if pid == 0:
        os.execve(POSTERN, [POSTERN, "exec", "--file", "T=demo", "--", *script(count), str(tmp_path / "count")],
                  environment(signed_in, XDG_RUNTIME_DIR=str(start.runtime)))
    shown = b""
    while b"ready" not in shown:
        shown += os.read(master, 1024)
    os.write(master, b"\x03")
    child = int(subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True).stdout)
    # Once it has come to both, neither has it pending.
    wait_for(lambda: b"^C" in (os.read(master, 1024)), what="an echo")
    os.kill(pid, signal.SIGTERM)
    os.waitpid(pid, 0)
    os.close(master)
    assert (tmp_path / "count").read_text() == "1", child
    assert not list(start.runtime.iterdir())
