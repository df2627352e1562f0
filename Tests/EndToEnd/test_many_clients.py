"""Many clients at once, and clients that ask and go: nobody holds up the others."""
import contextlib
import json
import os
import pathlib
import select
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request

import pytest
from postern import BIN, Client, VarlinkError, ends_with, wait_for


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


def processor_seconds(daemon):
    fields = pathlib.Path(f"/proc/{daemon.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


# ---- Connections ------------------------------------------------------------


def test_the_257th_connection_is_closed_while_all_are_busy_and_there_is_room_again_later(daemon):
    connections = [busy_client(daemon) for _ in range(256)]
    with pytest.raises(VarlinkError) as error:
        daemon.client().call("GetStatus")
    assert error.value.name == "org.varlink.service.PermissionDenied"
    assert all(is_open(client) for client in connections)
    connections.pop().close()

    def room():
        with contextlib.suppress(EOFError, OSError, VarlinkError):
            return daemon.call("GetStatus")

    assert wait_for(room, what="room for another client")


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


def test_a_process_with_all_places_keeps_no_other_process_out(daemon):
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


def test_a_command_that_finds_no_place_says_why(daemon):
    halves = [subprocess.Popen([sys.executable, "-c", FLOOD.replace("256", "128"), str(daemon.path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
              for _ in range(2)]
    try:
        for half in halves:
            assert half.stdout.readline() == b"all are busy\n"
        shown = subprocess.run([BIN / "postern", "status", "--socket", str(daemon.path)], capture_output=True, text=True, timeout=60)
        assert shown.returncode != 0 and "too many calls are under way" in shown.stderr and "this user" not in shown.stderr, shown.stderr
    finally:
        for half in halves:
            half.communicate(timeout=60)


def test_of_256_connections_the_one_that_has_been_idle_longest_gives_way(daemon):
    busy = busy_client(daemon)
    idle = [daemon.client() for _ in range(255)]
    for client in idle:
        client.call("GetStatus")
    # It was idle longest before this.
    idle[0].call("GetStatus")
    assert daemon.client().call("GetStatus")["version"]
    with pytest.raises((EOFError, OSError)):
        idle[1].call("GetStatus")
    assert idle[0].call("GetStatus") and idle[2].call("GetStatus")
    assert is_open(busy)


def test_a_burst_of_257_connections_waits_for_a_daemon_that_is_held_up(daemon):
    os.kill(daemon.process.pid, signal.SIGSTOP)
    try:
        clients = [Client(daemon.path) for _ in range(257)]
        for client in clients:
            client.send("GetStatus")
    finally:
        os.kill(daemon.process.pid, signal.SIGCONT)
    for client in clients:
        assert client.receive()["version"]


def has_hung_up(client):
    """The daemon has closed the connection. What it sent before that is left unread."""
    poll = select.poll()
    poll.register(client.socket, 0)
    return bool(poll.poll(0))


def test_clients_that_read_nothing_take_little_memory_together(daemon):
    method, parameters = "org.varlink.service.GetInterfaceDescription", {"interface": "io.postern"}
    with contextlib.closing(daemon.client()) as client:
        description = client.call(method, parameters)["description"]
    # None is beyond the limit of one connection.
    calls = 900_000 // len(description)
    before = memory(daemon)
    clients = [daemon.client() for _ in range(100)]
    for client in clients:
        for _ in range(calls):
            client.send(method, parameters)
    # Some 200 kB of each are in the kernel, and 16 MiB in the daemon.
    wait_for(lambda: sum(map(has_hung_up, clients)) >= 60, what="the end of most clients")
    assert memory(daemon) < before + 64
    assert daemon.call("GetStatus")["version"]
    # The others miss nothing.
    reader = next(client for client in clients if not has_hung_up(client))
    for _ in range(calls):
        assert reader.receive()["description"] == description


# ---- Clients that ask and go -------------------------------------------------


def test_clients_that_ask_and_go_pile_nothing_up_and_hold_up_nobody(daemon):
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


def sign_in_unheard(numbers):
    calls = ({"method": "io.postern.SignInAnonymously", "parameters": {"app": f"app-{number}"}, "oneway": True} for number in numbers)
    return b"".join(json.dumps(call).encode() + b"\0" for call in calls)


def close(client):
    client.close()


def half_close(client):
    """Sends no more, and waits for the daemon to close."""
    client.socket.shutdown(socket.SHUT_WR)
    assert client.socket.recv(1) == b""


def shut_down(client):
    client.socket.shutdown(socket.SHUT_RDWR)


def reset(client):
    """Closes with a reply unread, which the daemon sees as a reset."""
    assert client.socket.recv(1, socket.MSG_PEEK)
    client.close()


@pytest.mark.parametrize("leave", [close, half_close, shut_down, reset])
@pytest.mark.parametrize("count", [2, 64, 65, 200])
def test_a_burst_of_oneway_calls_is_carried_out_whole_though_its_client_leaves_at_once(daemon, leave, count):
    client = daemon.client()
    if leave is reset:
        client.send("GetStatus")
        wait_for(lambda: not client.silent(0), what="the reply that is left unread")
    client.socket.sendall(sign_in_unheard(range(count)))
    leave(client)
    with contextlib.closing(daemon.client()) as other:
        wait_for(lambda: other.call("GetCurrentUser", {"app": f"app-{count - 1}"}), what="the effect of the last call")
        wait_for(lambda: other.call("GetStatus")["users"] == count, what="all users")
        assert all(other.call("GetCurrentUser", {"app": f"app-{number}"}) for number in range(count))


def test_more_oneway_calls_than_are_read_at_once_hold_up_nobody_and_leave_nothing_open(daemon):
    descriptors = pathlib.Path(f"/proc/{daemon.process.pid}/fd")
    with contextlib.closing(daemon.client()) as other:
        other.call("GetStatus")
        before = len(list(descriptors.iterdir()))
        for number in range(20):
            with contextlib.closing(daemon.client()) as client:
                # Some 100 kB: more than one receives at a time, and the last is an effect to wait for.
                client.socket.sendall(b'{"method":"io.postern.GetStatus","oneway":true}\0' * 2000 + sign_in_unheard([number]))
            assert other.call("GetStatus")["version"]
        for number in range(20):
            wait_for(lambda: other.call("GetCurrentUser", {"app": f"app-{number}"}), what="the effect of the last call")
        wait_for(lambda: len(list(descriptors.iterdir())) == before, what="the end of the connections")


def test_256_apps_have_an_anonymous_user_and_the_next_one_when_another_is_signed_out(daemon):
    with contextlib.closing(daemon.client()) as client:
        for number in range(256):
            client.call("SignInAnonymously", {"app": f"app-{number}"})
        with ends_with("TooManyAttempts"):
            client.call("SignInAnonymously", {"app": "one-more"})
        client.call("SignOut", {"app": "app-7"})
        assert client.call("SignInAnonymously", {"app": "one-more"})["result"]["user"]["isAnonymous"]


@contextlib.contextmanager
def slow_disk(daemon, seconds):
    """What the daemon writes takes that long to reach the disk."""
    command = ["strace", "-f", "-qq", "-e", "trace=fsync,fdatasync", "-e", f"inject=fsync,fdatasync:delay_enter={int(seconds * 1e6)}"]
    log = daemon.directory / "strace"
    tracer = subprocess.Popen([*command, "-p", str(daemon.process.pid), "-o", str(log)], stderr=subprocess.DEVNULL)
    try:
        status = pathlib.Path(f"/proc/{daemon.process.pid}/status")
        wait_for(lambda: f"TracerPid:\t{tracer.pid}\n" in status.read_text(), what="the tracer")
        yield log
    finally:
        tracer.terminate()
        tracer.wait(20)


needs_tracer = pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("strace"), reason="slows the disk down with strace, as root")


@needs_tracer
def test_what_a_client_does_not_wait_for_any_more_is_not_done_and_its_place_counts_until_then(daemon):
    daemon.call("SignInAnonymously", {"app": "before"})
    # What is told while the store is busy is what was counted last.
    assert daemon.call("GetStatus")["users"] == 1
    with slow_disk(daemon, 2) as log:
        first = daemon.client()
        first.send("SignInAnonymously", {"app": "first"})
        wait_for(lambda: "sync(" in log.read_text(), what="the first write")
        # All of them wait behind it, and are read before they go: the reply to the last call shows it.
        clients = [daemon.client() for _ in range(100)]
        for number, client in enumerate(clients):
            client.send("SignInAnonymously", {"app": f"gone-{number}"})
        assert daemon.call("GetStatus")["users"] == 1
        for client in clients:
            client.close()
        assert first.receive()["result"]["user"]["isAnonymous"]
    daemon.call("SignInAnonymously", {"app": "after"})
    assert daemon.call("GetStatus")["users"] == 3


@needs_tracer
def test_who_asks_for_more_than_the_disk_takes_is_told_so_at_once(make_daemon):
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


# ---- Without file descriptors ------------------------------------------------


def few_descriptors(number):
    return ("sh", "-c", f'ulimit -n {number}; exec "$@"', "sh")


def test_without_descriptors_the_longest_idle_give_way(make_daemon):
    daemon = make_daemon().start(prefix=few_descriptors(40))
    silent = [daemon.client() for _ in range(60)]
    assert daemon.call("GetStatus")["version"]
    with pytest.raises((EOFError, OSError)):
        silent[0].call("GetStatus")


def test_with_few_descriptors_programs_and_browsers_do_not_keep_each_other_out(make_daemon):
    daemon = make_daemon().start(prefix=few_descriptors(40))
    host, port = daemon.origin.removeprefix("http://").split(":")
    browsers = [socket.create_connection((host, int(port))) for _ in range(60)]
    clients = [daemon.client() for _ in range(60)]
    assert daemon.call("GetStatus")["version"]
    with urllib.request.urlopen(f"{daemon.origin}/__/auth/done", timeout=20) as page:
        assert page.status == 200
    # Said at the start, and not needed later.
    assert daemon.log.read_text().count("LimitNOFILE=") == 1
    for end in [*browsers, *clients]:
        end.close()


def test_without_descriptors_the_daemon_does_not_spin(make_daemon):
    daemon = make_daemon().start(prefix=few_descriptors(40))
    busy, waiting = [], []
    for _ in range(60):
        # One whose call has not come yet gives way, or finds no place.
        with contextlib.suppress(OSError):
            busy.append(busy_client(daemon))
    for _ in range(20):
        with contextlib.suppress(OSError):
            waiting.append(daemon.client())
    before, begun = processor_seconds(daemon), time.monotonic()
    # A measurement wants its time.
    time.sleep(2)
    assert processor_seconds(daemon) - before < 0.25 * (time.monotonic() - begun)
    for client in busy:
        client.close()
    for client in waiting:
        client.close()
    assert daemon.client().call("GetStatus")["version"]
