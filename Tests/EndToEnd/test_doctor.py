"""What `postern doctor` finds at the addresses that providers send people to."""
import http.server
import json
import os
import pathlib
import signal
import socket
import subprocess
import threading

import pytest
from commands import POSTERN, environment, run
from loopback import Handler
from postern import free_port

CLIENTS = '[provider."microsoft.com"]\nclient-id = "client"\n'
HAS_IPV6 = os.path.exists("/proc/net/if_inet6") and "00000000000000000000000000000001" in pathlib.Path("/proc/net/if_inet6").read_text()
with_ipv6 = pytest.mark.skipif(not HAS_IPV6, reason="this machine has no ::1")


class Foreign(http.server.ThreadingHTTPServer):
    """A program that is not Postern, at [::1]."""
    address_family = socket.AF_INET6
    daemon_threads = True

    class Answer(Handler):
        def do_GET(self):
            self.send(200, b"not Postern")

    def __init__(self, port):
        super().__init__(("::1", port), self.Answer)
        threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True).start()

    def close(self):
        self.shutdown()
        self.server_close()


def callback(daemon, prefix=()):
    """The doctor's findings about callbacks: (level, detail, mend) of each."""
    result = subprocess.run([*prefix, POSTERN, "doctor", "--json"], capture_output=True, text=True, timeout=60, env=environment(daemon))
    return [(f["level"], f["detail"], f.get("mend") or "") for f in json.loads(result.stdout)["findings"] if f["title"] == "callback"]


@with_ipv6
def test_somebody_else_at_the_other_side_of_localhost_is_found(make_daemon):
    port = free_port()
    foreign = Foreign(port)
    try:
        daemon = make_daemon(CLIENTS, port=port).start()
        (plain, at, _), (level, detail, mend) = callback(daemon)
        assert plain == "ok" and at == f"http://127.0.0.1:{port} answers"
        assert level == "fail" and f"[::1]:{port}" in detail and "another program of yours" in detail and "Microsoft" in detail
        assert f"ss -ltnp 'sport = :{port}'" in mend and "postern-callback-ipv6.socket" in mend
        assert run(daemon, "doctor").returncode == 1
    finally:
        foreign.close()
    # Free again: the daemon takes it when it is asked, and it answers there.
    assert [(level, detail) for level, detail, _ in callback(daemon)] == [
        ("ok", f"http://127.0.0.1:{port} answers"), ("ok", f"http://[::1]:{port} answers")]


@with_ipv6
def test_somebody_else_at_the_other_side_is_nobodys_business_where_no_provider_sends_people_to_localhost(make_daemon):
    port = free_port()
    foreign = Foreign(port)
    try:
        daemon = make_daemon('[provider."github.com"]\nclient-id = "c"\nclient-secret = "s"\n', port=port).start()
        assert [(level, detail) for level, detail, _ in callback(daemon)] == [("ok", f"http://127.0.0.1:{port} answers")]
    finally:
        foreign.close()


@pytest.fixture
def without_ipv6():
    """The words before a command that have it run in a network of its own, without IPv6."""
    if os.geteuid() != 0:
        pytest.skip("a network of its own needs root")
    made = subprocess.Popen(
        ["unshare", "--net", "sh", "-c", "ip link set lo up && echo 1 >/proc/sys/net/ipv6/conf/lo/disable_ipv6; echo done; exec cat"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    if made.stdout.readline() != "done\n":
        pytest.skip("no network of its own can be had")
    yield ["nsenter", f"--net=/proc/{made.pid}/ns/net"]
    made.send_signal(signal.SIGKILL)
    made.wait()


def test_a_machine_without_ipv6_is_well(make_daemon, without_ipv6):
    daemon = make_daemon(CLIENTS, port=free_port()).start(prefix=without_ipv6)
    assert [(level, detail) for level, detail, _ in callback(daemon, without_ipv6)] == [("ok", f"http://127.0.0.1:{daemon.port} answers")]
