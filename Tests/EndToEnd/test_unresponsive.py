"""A daemon that was stopped, and a server that hands out its bytes one by one: every command that waits for no person ends with a sentence."""
import json
import select
import signal
import socket
import subprocess
import threading

import pytest
from commands import POSTERN, environment
from postern import oidc
from signing_in import sign_in

#: What each command is given so that it has to ask the daemon. A dictionary by the command's name, several where its ways differ.
ASKING = {
    "setup": [["demo", "--client-id", "x", "--yes"]], "sign-in": [["demo", "--no-browser"], ["anonymous"]], "whoami": [[]], "sign-out": [[], ["demo"], ["--app", "default"]],
    "link": [["demo", "--no-browser"]], "unlink": [["demo"]], "reauthenticate": [["demo", "--no-browser"]], "create-user": [["a@example.com"]],
    "update-user": [["--name", "Ada"]], "delete-user": [["--yes"]], "second-factor list": [[]], "second-factor add": [["totp", "--json"]],
    "second-factor remove": [["x"]], "token": [["demo"], ["demo", "--id-token"]], "user-token": [["--audience", "x"]], "credentials": [[]],
    "revoke": [["demo"]], "helper": [["git", "get"]], "exec": [["--env", "T=demo", "--", "true"]], "curl": [["https://api.example.com/"]],
    "sasl": [["xoauth2", "demo"]], "sessions": [[]], "attach": [["nothing"]], "cancel": [["nothing"]],
    "accounts": [[]], "accounts add": [["demo", "--no-browser"]], "accounts rename": [["demo", "x"]], "accounts remove": [["demo", "--yes"]],
    "open-url": [["com.example:/callback?code=x&state=y"]], "provider list": [[]], "provider show": [["demo"]], "provider check": [["demo"]],
    "provider remove": [["demo", "--yes"]], "mcp add": [["https://mcp.example.org/mcp"]], "mcp list": [[]], "mcp remove": [["x", "--yes"]],
    "mcp check": [["https://mcp.example.org/mcp"]],
    "status": [[]], "monitor": [[]], "reload": [[]], "lock": [[]], "unlock": [[]], "doctor": [[]], "call": [["GetStatus"], ["Monitor", "--more"]],
}
#: These ask no daemon, or a daemon of their own, or not before they have been answered; or they become another program (mcp run).
SILENT = {
    "import", "config path", "config show", "config get", "config set", "config unset", "config edit", "provider certificate",
    "url-scheme register", "url-scheme remove", "url-scheme list", "demo", "mcp config", "mcp document", "mcp run",
}
#: What they read before they ask: a password, or whose it is.
QUESTIONS = {"create-user": "correct horse battery staple\n", "unlock": "correct horse\n", "helper": "protocol=https\nhost=github.com\n\n"}


def leaves(command, path=()):
    below = [sub for sub in command.get("subcommands", []) if sub["commandName"] != "help"]
    # A command may have others below it.
    if not below or any(option.get("preferredName", {}).get("name") == "socket" for option in command["arguments"]):
        yield " ".join(path)
    for sub in below:
        yield from leaves(sub, (*path, sub["commandName"]))


def every_command():
    shown = subprocess.run([str(POSTERN), "--experimental-dump-help"], check=True, capture_output=True, text=True).stdout
    names = set(leaves(json.loads(shown)["command"]))
    assert names == set(ASKING) | SILENT, "a command is on neither list, or on one and gone"
    return [[*name.split(), *arguments] for name, ways in ASKING.items() for arguments in ways]


class Dripping:
    """Answers each connection with a byte now and then."""

    def __init__(self, path):
        self.path, self.socket = path, socket.socket(socket.AF_UNIX)
        self.socket.bind(str(path))
        self.socket.listen(64)
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                connection, _ = self.socket.accept()
            except OSError:
                return
            threading.Thread(target=self.drip, args=(connection,), daemon=True).start()

    def drip(self, connection):
        over = threading.Event()
        try:
            while not over.wait(0.05):
                connection.sendall(b" ")
        except OSError:
            connection.close()

    def close(self):
        self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()


@pytest.fixture
def stopped(make_daemon, demo_provider):
    daemon = make_daemon(oidc(demo_provider)).start()
    daemon.process.send_signal(signal.SIGSTOP)
    yield daemon
    daemon.process.send_signal(signal.SIGCONT)


@pytest.fixture
def dripping(make_daemon):
    daemon = make_daemon()
    daemon.path.parent.mkdir(parents=True)
    server = Dripping(daemon.path)
    yield daemon
    server.close()


@pytest.fixture
def crowded(make_daemon):
    """A socket that takes nobody in, with its queue full."""
    daemon = make_daemon()
    daemon.path.parent.mkdir(parents=True)
    waiting = []
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(daemon.path))
        listener.listen(0)
        while True:
            client = socket.socket(socket.AF_UNIX)
            client.setblocking(False)
            waiting.append(client)
            try:
                client.connect(str(daemon.path))
            except BlockingIOError:
                break
        yield daemon
    for client in waiting:
        client.close()


def started(daemon, commands):
    for command in commands:
        process = subprocess.Popen(
            [str(POSTERN), *command], env=environment(daemon), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        # All are asked at once: each takes its time.
        process.stdin.write(QUESTIONS.get(command[0], ""))
        process.stdin.close()
        process.stdin = None
        yield command, process


def ends_with_a_sentence(command, process):
    out, error = process.communicate(timeout=120)
    if command[0] == "doctor":
        assert process.returncode != 0 and "does not answer" in out, (command, out, error)
    elif command[0] == "helper":
        assert out == "", (command, out, error)
    else:
        assert process.returncode == 4 and "does not answer; it is stopped or hangs" in error, (command, process.returncode, out, error)


def watching(demo):
    """A program that follows what happens, of a daemon that is stopped once it does."""
    watch = subprocess.Popen([str(POSTERN), "monitor"], env=environment(demo), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    # Until it watches, and tells of one.
    while not select.select([watch.stdout], [], [], 0.2)[0]:
        sign_in(demo)
    demo.process.send_signal(signal.SIGSTOP)
    return watch


def test_commands_do_not_wait_forever_for_an_unresponsive_daemon(stopped, crowded, dripping, demo):
    """Stopped, with a full queue, or byte by byte, or stopped later; all commands side by side, since each takes its time."""
    watch = watching(demo)
    try:
        running = [*started(stopped, every_command())]
        running += started(crowded, [["status"], ["token", "demo"], ["whoami"], ["monitor"], ["doctor"], ["helper", "git", "get"]])
        running += started(dripping, [["status"], ["doctor"], ["token", "demo"], ["reload"], ["monitor"], ["sign-in", "demo", "--no-browser"]])
        for command, process in running:
            ends_with_a_sentence(command, process)
        _, error = watch.communicate(timeout=60)
    finally:
        demo.process.send_signal(signal.SIGCONT)
    assert watch.returncode == 4 and "does not answer; it is stopped or hangs" in error
