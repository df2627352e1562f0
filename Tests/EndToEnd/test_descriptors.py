"""What the daemon has open stays its own: the programs that it starts inherit none of it."""
import contextlib
import json
import os
import pathlib
import shlex
import socket

import pytest
from other_user import looks_inside
from postern import oidc

O_CLOEXEC = 0o2000000


@pytest.fixture
def silent():
    """A provider that takes connections and never answers; its issuer, and the connections."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(20)
        yield server, f"http://127.0.0.1:{server.getsockname()[1]}"


@contextlib.contextmanager
def busy(daemon, server):
    """With a program connected, a browser connected, and a request to a provider under way."""
    client = daemon.client()
    client.call("GetStatus")
    host, port = daemon.origin.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port))) as browser:
        # The connection is accepted once it is answered.
        browser.sendall(b"GET / HTTP/1.1\r\nHost: %s:%s\r\n\r\n" % (host.encode(), port.encode()))
        assert browser.recv(4096).startswith(b"HTTP/1.1 404")
        client.send("SignIn", {"providerID": "demo"}, more=True)
        provider, _ = server.accept()
        with provider:
            yield
    client.close()


def test_a_secret_command_inherits_only_the_standard_descriptors(make_daemon, silent, tmp_path):
    server, issuer = silent
    listing = tmp_path / "listing"
    # A shell of its own reads the folder, so that the descriptor of the reading is that shell's third.
    script = f"ls -l /proc/self/fd >{shlex.quote(str(listing))}; echo secret"
    daemon = make_daemon(oidc(issuer) + f"client-secret = {{ command = {json.dumps(['sh', '-c', script])} }}\n")
    # A careless parent leaves a descriptor open.
    daemon.start(prefix=("sh", "-c", 'exec "$@" 9</dev/zero', "sh"))
    with busy(daemon, server):
        listing.unlink()
        daemon.call("Reload")
        lines = listing.read_text().splitlines()[1:]
    numbers = sorted(int(line.split()[-3]) for line in lines)
    assert numbers == [0, 1, 2, 3] and "/proc/" in next(line for line in lines if line.split()[-3] == "3"), lines


@looks_inside
def test_every_descriptor_of_the_daemon_is_close_on_exec(make_daemon, silent):
    server, issuer = silent
    daemon = make_daemon(oidc(issuer))
    daemon.start(prefix=("sh", "-c", 'exec "$@" 9</dev/zero', "sh"))
    folder = pathlib.Path(f"/proc/{daemon.process.pid}")

    def inherited():
        found = {}
        for entry in (folder / "fd").iterdir():
            with contextlib.suppress(FileNotFoundError):
                flags = (folder / "fdinfo" / entry.name).read_text().split("flags:")[1].split()[0]
                if int(entry.name) > 2 and not int(flags, 8) & O_CLOEXEC:
                    found[entry.name] = os.readlink(entry)
        return found

    with busy(daemon, server):
        assert len(list((folder / "fd").iterdir())) > 8
        assert inherited() == {}


@looks_inside
@pytest.mark.parametrize("closed", [(0, 1, 2), (0,), (1,), (2,)])
def test_a_daemon_started_without_standard_descriptors_keeps_their_numbers_unused(make_daemon, closed):
    daemon = make_daemon()
    daemon.start(prefix=("sh", "-c", f'exec "$@" {" ".join(f"{number}>&-" for number in closed)}', "sh"))
    folder = pathlib.Path(f"/proc/{daemon.process.pid}/fd")
    assert {number: os.readlink(folder / str(number)) for number in closed} == dict.fromkeys(closed, "/dev/null")
    assert daemon.call("GetStatus")["version"]
