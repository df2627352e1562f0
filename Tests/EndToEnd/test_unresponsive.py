"""A daemon that was stopped, and a server that hands out its bytes one by one: every command that waits for no person ends with a sentence."""
import signal
import socket
import subprocess
import threading

import pytest
from commands import POSTERN, environment
from postern import oidc

COMMANDS = [
    ["status"], ["doctor"], ["whoami"], ["sign-out"], ["token", "demo"], ["token", "demo", "--id-token"], ["credentials"], ["sessions"],
    ["provider", "list"], ["provider", "show", "demo"], ["provider", "check", "demo"], ["revoke", "demo"], ["reload"], ["lock"],
    ["cancel", "nothing"], ["call", "GetStatus"], ["curl", "https://api.example.com/"], ["exec", "--env", "T=demo", "--", "true"],
    ["sasl", "xoauth2", "demo"], ["sign-in", "demo", "--no-browser"], ["helper", "git", "get"], ["user-token", "--audience", "x"],
]


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


def ends_with_a_sentence(daemon, commands):
    """All of them side by side: each takes its time."""
    running = [
        (command, subprocess.Popen(
            [str(POSTERN), *command], env=environment(daemon), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True))
        for command in commands
    ]
    for command, process in running:
        question = "protocol=https\nhost=github.com\n\n" if command[0] == "helper" else ""
        out, error = process.communicate(question, timeout=120)
        if command[0] == "doctor":
            assert process.returncode != 0 and "does not answer" in out, (command, out, error)
        elif command[0] == "helper":
            assert out == "", (command, out, error)
        else:
            assert process.returncode == 4 and "does not answer; it is stopped or hangs" in error, (command, process.returncode, out, error)


def test_a_stopped_daemon_keeps_nobody(stopped):
    ends_with_a_sentence(stopped, COMMANDS)


def test_a_server_that_drips_keeps_nobody(dripping):
    ends_with_a_sentence(dripping, [["status"], ["doctor"], ["token", "demo"], ["reload"]])
