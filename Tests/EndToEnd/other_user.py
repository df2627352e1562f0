"""Another user of the machine, whose server is at the path of the daemon's socket."""
import os
import subprocess

import pytest
from postern import wait_for

NOBODY = 65534
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="needs root to become another user")
looks_inside = pytest.mark.skipif(os.geteuid() != 0, reason="/proc shows a process that forbids core files to root only")

AS_NOBODY = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]


def open_to_others(place):
    """Lets other users reach a directory, whatever its own mode is."""
    for parent in place.parents:
        if parent.stat().st_mode & 1 == 0:
            os.chmod(parent, parent.stat().st_mode | 0o11)


# Trusts every caller, and records what it receives.
SERVER = """
import socket, sys
path, told = sys.argv[1:]
listener = socket.socket(socket.AF_UNIX)
listener.bind(path)
listener.listen(16)
out = open(told, "ab", buffering=0)
out.write(b"ready\\n")
while True:
    connection, _ = listener.accept()
    while data := connection.recv(65536):
        out.write(data)
        connection.sendall(b'{"parameters":{}}\\0')
    out.write(b"gone\\n")
"""


@pytest.fixture
def foreign_server(make_daemon):
    """Another user's server at the path where the command looks for the daemon; returns (the absent daemon, what the server received)."""
    daemon = make_daemon()
    place = daemon.path.parent
    place.mkdir()
    os.chown(place, NOBODY, NOBODY)
    open_to_others(place)
    told = place / "told"
    with subprocess.Popen([*AS_NOBODY, "/usr/bin/python3", "-c", SERVER, str(daemon.path), str(told)]) as server:
        wait_for(lambda: told.exists() and told.read_bytes(), what="the server")
        yield daemon, told
        server.terminate()
