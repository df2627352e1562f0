"""Programs that want to connect while the daemon has no room for them, or may not take them."""
import contextlib
import platform
import re
import socket
import sys
import urllib.parse

import pytest
from person import consent
from postern import oidc, wait_for
from signing_in import SignIn

# accept4(2) fails with the errno given first, as with a filter of system calls or a security module that forbids it.
FORBID = """
import ctypes, os, struct, sys
ACCEPT = {"x86_64": 288, "aarch64": 242}[os.uname().machine]
LOAD, EQUAL, RETURN, FAIL, ALLOW = 0x20, 0x15, 0x06, 0x00050000, 0x7FFF0000
steps = [(LOAD, 0, 0, 0), (EQUAL, 0, 1, ACCEPT), (RETURN, 0, 0, FAIL | int(sys.argv[1])), (RETURN, 0, 0, ALLOW)]
code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
program = ctypes.create_string_buffer(struct.pack("HxxxxxxQ", len(steps), ctypes.addressof(code)))
system = ctypes.CDLL(None, use_errno=True)
NO_NEW_PRIVILEGES, SECCOMP, FILTER = 38, 22, 2
assert system.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0) == 0 and system.prctl(SECCOMP, FILTER, program, 0, 0) == 0
os.execv(sys.argv[2], sys.argv[2:])
"""


def warnings(daemon, words):
    return [line for line in daemon.log.read_text().splitlines() if words in line]


def test_a_sign_in_succeeds_with_few_descriptors_and_the_log_warns_once(make_daemon, demo_provider):
    daemon = make_daemon(oidc(demo_provider)).start(prefix=("sh", "-c", 'ulimit -n 64; exec "$@"', "sh"))
    # With a pause for each that gives way, the last one would wait longer than a client does.
    idle = [daemon.client() for _ in range(400)]
    port = urllib.parse.urlsplit(daemon.origin).port
    idle += [socket.create_connection(("127.0.0.1", port)) for _ in range(100)]
    assert daemon.call("GetStatus")["version"]
    assert idle[0].socket.recv(1) == b""
    pending = SignIn(daemon)
    consent(pending.url, "ada")
    assert pending.completed()["result"]["user"]["email"] == "ada@example.com"
    assert len(warnings(daemon, "LimitNOFILE=")) == 1, daemon.log.read_text()
    for client in idle:
        client.close()


def pauses(daemon):
    """Waits until it has slept some times. A loop that tries without a pause never sleeps."""
    def sleeps():
        with open(f"/proc/{daemon.process.pid}/status") as status:
            return int(re.search(r"^voluntary_ctxt_switches:\s+(\d+)", status.read(), re.MULTILINE)[1])

    before = sleeps()
    wait_for(lambda: sleeps() >= before + 5, what="the daemon's pauses")


@pytest.mark.skipif(platform.machine() not in ("x86_64", "aarch64"), reason="the number of accept4 is known for these alone")
def test_a_daemon_forbidden_to_accept_retries_with_pauses_and_warns_once(make_daemon):
    daemon = make_daemon()
    daemon.start(prefix=(sys.executable, "-c", FORBID, "1"), wait=False)
    client = socket.socket(socket.AF_UNIX)
    wait_for(lambda: daemon.path.exists() and client.connect_ex(str(daemon.path)) == 0, what="the socket")
    wait_for(lambda: warnings(daemon, "SystemCallFilter="), what="the warning")
    pauses(daemon)
    assert len(warnings(daemon, "SystemCallFilter=")) == 1, daemon.log.read_text()
    client.close()


def test_a_daemon_that_cannot_accept_tries_now_and_then_and_says_so_once(make_daemon):
    daemon = make_daemon().start(prefix=("sh", "-c", 'ulimit -n 40; exec "$@"', "sh"))
    clients = []
    for number in range(80):
        # One whose call has not come yet gives way, or finds no place.
        with contextlib.suppress(OSError):
            clients.append(daemon.client())
            if number < 60:
                clients[-1].send("Monitor", more=True)
    wait_for(lambda: warnings(daemon, "no file descriptor left"), what="the warning")
    pauses(daemon)
    assert len(warnings(daemon, "no file descriptor left")) == 1, daemon.log.read_text()
    for client in clients:
        client.close()
    assert daemon.client().call("GetStatus")["version"]
