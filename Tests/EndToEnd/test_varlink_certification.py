"""Other implementations of Varlink against ours.

Needs the PyPI packages `varlink` and `pytest`, and the built `varlink-certification-server` in POSTERN_BIN_DIR
(default: .build/debug).
"""

import json
import os
import pathlib
import shutil
import socket
import stat
import subprocess
import sys

import pytest

varlink = pytest.importorskip("varlink")

BIN_DIR = pathlib.Path(os.environ.get("POSTERN_BIN_DIR", ".build/debug"))
GET_INFO = '{"method":"org.varlink.service.GetInfo"}'
PATIENCE = 60


@pytest.fixture
def server(tmp_path):
    """The certification server's socket; the server ends with its standard input."""
    path = tmp_path / "run" / "certification"
    process = subprocess.Popen(
        [BIN_DIR / "varlink-certification-server", path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == f"listening on {path}\n"
    yield path
    process.stdin.close()
    assert process.wait(PATIENCE) == 0
    assert not path.exists(), "the socket file is removed at the end"


def test_the_certification_client_passes(server):
    result = subprocess.run(
        [sys.executable, "-m", "varlink.tests.test_certification", "--client", f"--varlink=unix:{server}"],
        capture_output=True, text=True, timeout=PATIENCE,
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout.endswith("Certification passed\n")


def test_two_certification_clients_at_once(server):
    command = [sys.executable, "-m", "varlink.tests.test_certification", "--client", f"--varlink=unix:{server}"]
    clients = [subprocess.Popen(command, stdout=subprocess.DEVNULL) for _ in range(4)]
    assert [client.wait(PATIENCE) for client in clients] == [0] * 4


def test_introspection(server):
    with varlink.Client(f"unix:{server}") as client:
        names = [interface.name for interface in map(client.get_interface, ["org.varlink.service", "org.varlink.certification"])]
    assert names == ["org.varlink.service", "org.varlink.certification"]


def test_the_standard_errors_reach_the_client(server):
    with varlink.Client(f"unix:{server}") as client:
        with pytest.raises(varlink.InterfaceNotFound):
            client.get_interface("org.example.nowhere")
        with client.open("org.varlink.service") as connection:
            with pytest.raises(varlink.InvalidParameter):
                connection.GetInterfaceDescription(7)


def test_calls_in_the_wrong_order_are_refused(server):
    with varlink.Client(f"unix:{server}") as client, client.open("org.varlink.certification") as connection:
        client_id = connection.Start()["client_id"]
        with pytest.raises(varlink.VarlinkError) as failure:
            connection.Test02(client_id, True)
        assert failure.value.error() == "org.varlink.certification.CertificationError"


def test_only_its_owner_can_open_the_socket(server):
    assert stat.S_IMODE(server.stat().st_mode) == 0o600
    assert stat.S_IMODE(server.parent.stat().st_mode) == 0o700


def test_a_second_server_does_not_take_over_the_socket(server):
    second = subprocess.run(
        [BIN_DIR / "varlink-certification-server", server], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE
    )
    assert second.returncode == 1
    assert "already answers" in second.stderr
    with varlink.Client(f"unix:{server}") as client:
        assert client.get_interface("org.varlink.service").name == "org.varlink.service"


def test_a_socket_left_by_a_killed_server_is_replaced(tmp_path):
    path = tmp_path / "certification"
    command = [BIN_DIR / "varlink-certification-server", path]
    killed = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    killed.stdout.readline()
    killed.kill()
    killed.wait(PATIENCE)
    killed.stdin.close()
    assert path.exists()
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout.readline() == f"listening on {path}\n"
        server.stdin.close()
        assert server.wait(PATIENCE) == 0


@pytest.mark.skipif(shutil.which("socat") is None, reason="socat is not installed")
@pytest.mark.parametrize(
    ("sent", "ending"), [(GET_INFO + "\n", "\n"), (GET_INFO, "\n"), (GET_INFO + "\0", "\0"), (GET_INFO + "\n\0", "\0"), ("{\n" + GET_INFO[1:] + "\n", "\n")]
)
def test_a_call_typed_in_a_shell_is_answered(server, sent, ending):
    result = subprocess.run(
        ["socat", "-t", str(PATIENCE), "-", f"UNIX-CONNECT:{server}"], input=sent, capture_output=True, text=True, timeout=PATIENCE
    )
    assert result.stdout.endswith(ending)
    assert json.loads(result.stdout.rstrip("\n\0"))["parameters"]["product"] == "Varlink certification"


def test_a_message_that_is_far_too_large_is_answered(server):
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(PATIENCE)
        client.connect(str(server))
        client.sendall(b'{"method":"' + b"x" * (4 << 20) + b'"}\0')
        answer = b""
        while chunk := client.recv(65536):
            answer += chunk
    assert json.loads(answer.rstrip(b"\n\0")) == {
        "error": "org.varlink.service.InvalidParameter", "parameters": {"parameter": "message"},
    }
