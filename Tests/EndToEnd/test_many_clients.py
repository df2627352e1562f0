"""Many clients at once, and clients that ask and go: nobody holds up the others."""
import contextlib
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys

import pytest
from other_user import looks_inside
from postern import BIN, VarlinkError, wait_for


@pytest.fixture
def daemon(make_daemon):
    return make_daemon().start()


def busy_client(daemon):
    """One whose call is under way: it waits for what happens."""
    client = daemon.client()
    client.send("Monitor", more=True)
    return client


def is_open(client):
    """Nothing has come of it, not even its end."""
    return client.silent(0)


def memory(daemon):
    """Resident, in MiB."""
    status = pathlib.Path(f"/proc/{daemon.process.pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) // 1024


FLOOD = """
import socket, sys
connections = []
for _ in range(256):
    connections.append(socket.socket(socket.AF_UNIX))
    connections[-1].connect(sys.argv[1])
    connections[-1].sendall(b'{"method":"io.postern.Monitor","parameters":{},"more":true}\\0')
print("all are busy", flush=True)
sys.stdin.read()
"""


def test_a_process_with_256_connections_does_not_lock_out_other_processes(daemon):
    flood = subprocess.Popen([sys.executable, "-c", FLOOD, str(daemon.path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        assert flood.stdout.readline() == b"all are busy\n"
        ours = [busy_client(daemon) for _ in range(8)]
        assert daemon.client().call("GetStatus")["version"]
        shown = subprocess.run([BIN / "postern", "status", "--socket", str(daemon.path)], capture_output=True, text=True, timeout=60)
        assert shown.returncode == 0, shown.stderr
        assert all(is_open(client) for client in ours)
    finally:
        flood.communicate(timeout=60)


def test_clients_that_disconnect_after_a_call_leave_no_backlog(daemon):
    before = memory(daemon)
    for number in range(4000):
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(str(daemon.path))
            call = {"method": "io.postern.SignInAnonymously", "parameters": {"app": f"f{number}"}}
            # A daemon that is full says so and closes.
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                client.sendall(json.dumps(call).encode() + b"\0")

    def answered():
        # As any client does that is told that too many calls are under way.
        with contextlib.suppress(EOFError, OSError, VarlinkError):
            # Not one more anonymous user: those that were begun before their client went may be as many as there can be.
            return daemon.call("SignOut", {"app": "f0"}) == {}

    assert wait_for(answered, what="the answer to another client")
    assert memory(daemon) < before + 64
    assert daemon.call("GetStatus")["users"] <= 256


@looks_inside
def test_a_long_burst_of_oneway_calls_delays_no_other_client_and_leaks_no_descriptor(daemon):
    descriptors = pathlib.Path(f"/proc/{daemon.process.pid}/fd")
    with contextlib.closing(daemon.client()) as other:
        other.call("GetStatus")
        before = len(list(descriptors.iterdir()))
        for number in range(20):
            with contextlib.closing(daemon.client()) as client:
                # Some 100 kB: more than one receives at a time, and the last is an effect to wait for.
                last = json.dumps({"method": "io.postern.SignInAnonymously", "parameters": {"app": f"app-{number}"}, "oneway": True}).encode() + b"\0"
                client.socket.sendall(b'{"method":"io.postern.GetStatus","oneway":true}\0' * 2000 + last)
            assert other.call("GetStatus")["version"]
        for number in range(20):
            wait_for(lambda: other.call("GetCurrentUser", {"app": f"app-{number}"}), what="the effect of the last call")
        wait_for(lambda: len(list(descriptors.iterdir())) == before, what="the end of the connections")


@contextlib.contextmanager
def slow_disk(daemon, seconds):
    """What the daemon writes takes that long to reach the disk."""
    command = ["strace", "-f", "-qq", "-e", "trace=fsync,fdatasync", "-e", f"inject=fsync,fdatasync:delay_enter={int(seconds * 1e6)}"]
    tracer = subprocess.Popen([*command, "-p", str(daemon.process.pid), "-o", str(daemon.directory / "strace")], stderr=subprocess.DEVNULL)
    try:
        status = pathlib.Path(f"/proc/{daemon.process.pid}/status")
        wait_for(lambda: f"TracerPid:\t{tracer.pid}\n" in status.read_text(), what="the tracer")
        yield
    finally:
        tracer.terminate()
        tracer.wait(20)


@pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("strace"), reason="slows the disk down with strace, as root")
def test_calls_beyond_what_the_disk_can_take_are_refused_at_once(make_daemon):
    daemon = make_daemon().start()
    with slow_disk(daemon, 2):
        clients = [daemon.client() for _ in range(200)]
        for number, client in enumerate(clients):
            client.send("SignInAnonymously", {"app": f"app-{number}"})
        with pytest.raises(VarlinkError) as error:
            clients[199].receive()
        assert error.value.short == "TooManyAttempts" and error.value.parameters["retryAfterSeconds"] == 1
        # What needs no disk is answered.
        assert daemon.call("GetStatus")["version"]
        daemon.kill()
