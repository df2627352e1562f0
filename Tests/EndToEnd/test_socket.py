"""The socket as protocol.md has it, spoken to by clients that are not ours."""
import json
import os
import socket
import subprocess

import pytest
from postern import BIN, ROOT, VarlinkError


@pytest.fixture
def daemon(make_daemon):
    return make_daemon().start()


def raw(daemon, data):
    connection = socket.socket(socket.AF_UNIX)
    connection.settimeout(10)
    connection.connect(str(daemon.path))
    connection.sendall(data)
    return connection


def read_all(connection):
    data = b""
    while chunk := connection.recv(65536):
        data += chunk
    return data


def test_a_call_typed_in_a_shell_may_end_with_a_line_feed(daemon):
    result = subprocess.run(
        ["socat", "-t5", "-", f"UNIX-CONNECT:{daemon.path}"], input=b'{"method":"io.postern.GetStatus"}\n', capture_output=True, timeout=20)
    assert result.stdout.endswith(b"}\n") and b"\0" not in result.stdout


def test_an_invalid_call_is_answered_with_an_error_and_closes_the_connection(daemon):
    other = daemon.client()
    for message in [
            b"hello\0", b"[1]\0", b"{\0", b'{"method":1e\0', b"\xff\xfe\0", b"\0", b'{"a":1,"a":2}\0', b"[" * 5000 + b"\0", b"x" * 70000]:
        reply = read_all(raw(daemon, message))
        assert b"org.varlink.service.InvalidParameter" in reply and b'"message"' in reply, message
        assert other.call("GetStatus")["version"]


def test_a_bad_parameter_is_named_and_the_connection_goes_on(daemon):
    connection = daemon.client()
    for call, parameter in [
        ({"method": "io.postern.GetStatus", "parameters": {"x": 1}}, "x"),
        ({"method": "io.postern.SignIn", "parameters": {"providerID": 7}}, "providerID"),
        ({"method": "io.postern.SignIn", "parameters": {}}, "providerID"),
        ({"method": "io.postern.GetStatus", "parameters": []}, "parameters"),
        ({"method": 3}, "method"),
        ({"parameters": {}}, "method"),
        ({"method": "io.postern.GetStatus", "upgrade": True}, "upgrade"),
        ({"method": "io.postern.GetAccessToken", "parameters": {"providerID": "github.com", "minimumValiditySeconds": -1}}, "minimumValiditySeconds"),
        ({"method": "io.postern.GetCurrentUser", "parameters": {"app": ""}}, "app"),
    ]:
        connection.socket.sendall(json.dumps(call).encode() + b"\0")
        with pytest.raises(VarlinkError) as error:
            connection.receive()
        assert error.value.name == "org.varlink.service.InvalidParameter" and error.value.parameters == {"parameter": parameter}
    for method, error in [
        ("io.nowhere.Get", "InterfaceNotFound"), ("io.postern.Nothing", "MethodNotFound"), ("io.Postern", "InterfaceNotFound"),
        ("io.postern.Monitor", "ExpectedMore"),
    ]:
        with pytest.raises(VarlinkError) as raised:
            connection.call(method)
        assert raised.value.name == f"org.varlink.service.{error}"
    assert connection.call("GetStatus")["version"]


def test_introspection_gives_the_description_byte_for_byte(daemon):
    info = daemon.call("org.varlink.service.GetInfo")
    assert info["interfaces"] == ["org.varlink.service", "io.postern"]
    description = daemon.call("org.varlink.service.GetInterfaceDescription", {"interface": "io.postern"})["description"]
    assert description.encode() == (ROOT / "Sources/PosternInterface/io.postern.varlink").read_bytes()


def test_the_python_package_speaks_with_it(daemon):
    import varlink

    with varlink.Client(address=f"unix:{daemon.path}") as client, client.open("io.postern") as postern:
        assert postern.GetStatus()["version"]
        assert "github.com" in [p["providerID"] for p in postern.ListProviders()["providers"]]
        with pytest.raises(varlink.VarlinkError):
            postern.GetAccessToken(providerID="github.com")


def test_another_user_is_refused(daemon):
    if os.getuid():
        pytest.skip("needs root to become another user")
    os.chmod(daemon.directory, 0o755)
    for path in [daemon.path.parent, daemon.path]:
        os.chmod(path, 0o777)
    for parent in daemon.directory.parents:
        if parent.stat().st_mode & 1 == 0:
            os.chmod(parent, parent.stat().st_mode | 0o11)
    script = (
        f"import socket; s = socket.socket(socket.AF_UNIX); s.settimeout(30); s.connect({str(daemon.path)!r})\n"
        "try:\n s.sendall(b'{\"method\":\"io.postern.GetStatus\"}\\0'); print(s.recv(10))\nexcept OSError as e: print(e.__class__.__name__)")
    result = subprocess.run(["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "/usr/bin/python3", "-c", script], capture_output=True, text=True)
    assert result.stdout.strip() in ("b''", "BrokenPipeError", "ConnectionResetError"), result


def test_a_live_daemon_keeps_its_socket_and_a_dead_one_is_replaced(make_daemon):
    first = make_daemon().start()
    second = make_daemon()
    second.path = first.path
    second.start(wait=False)
    assert second.process.wait(20) == 1
    assert "already answers on" in second.log.read_text()
    assert first.call("GetStatus")["version"]
    first.kill()
    assert first.path.exists()
    second.start()
    assert second.call("GetStatus")["version"]


def test_two_daemons_do_not_share_a_state_directory(make_daemon):
    first = make_daemon().start()
    second = make_daemon()
    (second.directory / "state").symlink_to(first.directory / "state")
    second.start(wait=False)
    assert second.process.wait(20) == 1
    assert second.log.read_text().count("uses this state directory") == 1, "told once"
    assert first.call("GetStatus")["version"]


def test_a_port_in_use_is_reported_once_by_a_daemon_started_by_hand(make_daemon):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        daemon = make_daemon(port=port).start()
        # It goes on at a free one, however often it is asked.
        for _ in range(3):
            assert f":{port}/" not in daemon.call("GetStatus")["callbackURLs"][0]
        assert daemon.log.read_text().count(f"127.0.0.1:{port} is in use by another program of yours") == 1, "told once"


def test_a_terminated_daemon_exits_with_0_and_removes_its_socket(daemon):
    assert daemon.stop() == 0
    assert not daemon.path.exists()


def test_an_invalid_configuration_exits_with_78_and_names_the_line(make_daemon):
    daemon = make_daemon("[daemon]\nidle-exit = 5\n")
    line = daemon.config.read_text().count("\n")
    daemon.start(wait=False)
    assert daemon.process.wait(20) == 78
    text = daemon.log.read_text()
    assert text.count(f"config.toml:{line}:") == 1 and "idle-exit" in text, "told once"
    check = subprocess.run([BIN / "posternd", "--config", daemon.config, "--check-config"], capture_output=True, text=True)
    assert check.returncode == 78 and f"config.toml:{line}:" in check.stderr
