"""The socket as protocol.md has it, spoken to by clients that are not ours."""
import os
import socket
import subprocess
import threading

import pytest
from postern import BIN, ROOT, VarlinkError, wait_for


@pytest.fixture
def daemon(make_daemon):
    return make_daemon().start()


def raw(daemon, data, shutdown=False, timeout=10):
    """Sends bytes, reads until the daemon closes or answers once."""
    connection = socket.socket(socket.AF_UNIX)
    connection.settimeout(timeout)
    connection.connect(str(daemon.path))
    connection.sendall(data)
    if shutdown:
        connection.shutdown(socket.SHUT_WR)
    return connection


def read_all(connection):
    data = b""
    while chunk := connection.recv(65536):
        data += chunk
    return data


def test_a_person_at_a_shell_ends_a_call_with_a_line_feed(daemon):
    result = subprocess.run(
        ["socat", "-t5", "-", f"UNIX-CONNECT:{daemon.path}"], input=b'{"method":"io.postern.GetStatus"}\n', capture_output=True, timeout=20)
    assert result.stdout.endswith(b"}\n") and b"\0" not in result.stdout


def test_a_line_feed_inside_a_message_that_ends_with_nul_is_white_space(daemon):
    connection = raw(daemon, b'{\n"method":\n"io.postern.GetStatus"\n}\n\0')
    assert connection.recv(65536).endswith(b"}\0")
    connection.sendall(b'{"method":"io.postern.GetStatus"}\n')
    connection.sendall(b"\0")
    assert connection.recv(65536).endswith(b"}\0")


def test_a_late_nul_behind_a_line_feed_is_still_answered_for_who_waits_for_it(daemon):
    connection = raw(daemon, b'{"method":"io.postern.GetStatus"}\n')
    assert connection.recv(65536).endswith(b"}\n")
    connection.sendall(b"\0")
    assert connection.recv(10) .strip(b"\n") == b"\0"


def test_replies_come_in_the_order_of_the_calls(daemon):
    calls = b"".join(
        b'{"method":"io.postern.%s"}\0' % name for name in [b"GetStatus", b"NoSuchMethod", b"ListProviders", b"GetCurrentUser", b"GetStatus"])
    connection = raw(daemon, calls, shutdown=True)
    replies = read_all(connection).split(b"\0")[:-1]
    assert [b"version" in r or b"MethodNotFound" in r or b"providers" in r or r == b'{"parameters":{}}' for r in replies] == [True] * 5
    assert b"MethodNotFound" in replies[1] and b"providers" in replies[2] and b"version" in replies[4]


def test_a_thousand_pipelined_calls_are_all_answered(daemon):
    connection = raw(daemon, b"")
    threading.Thread(target=lambda: (connection.sendall(b'{"method":"io.postern.GetStatus"}\0' * 1000), connection.shutdown(socket.SHUT_WR))).start()
    assert read_all(connection).count(b"\0") == 1000


@pytest.mark.parametrize("message", [b"hello\0", b"[1]\0", b"{\0", b'{"method":1e\0', b"\xff\xfe\0", b"\0", b'{"a":1,"a":2}\0', b"[" * 5000 + b"\0", b"x" * 70000])
def test_what_is_no_call_is_told_and_the_connection_ends(daemon, message):
    other = daemon.client()
    reply = read_all(raw(daemon, message))
    assert b"org.varlink.service.InvalidParameter" in reply and b'"message"' in reply
    assert other.call("GetStatus")["version"]


@pytest.mark.parametrize(
    "call, parameter",
    [
        ({"method": "io.postern.GetStatus", "parameters": {"x": 1}}, "x"),
        ({"method": "io.postern.SignIn", "parameters": {"providerID": 7}}, "providerID"),
        ({"method": "io.postern.SignIn", "parameters": {}}, "providerID"),
        ({"method": "io.postern.GetStatus", "parameters": []}, "parameters"),
        ({"method": 3}, "method"),
        ({"parameters": {}}, "method"),
        ({"method": "io.postern.GetStatus", "upgrade": True}, "upgrade"),
        ({"method": "io.postern.GetAccessToken", "parameters": {"providerID": "github.com", "minimumValiditySeconds": -1}}, "minimumValiditySeconds"),
        ({"method": "io.postern.GetCurrentUser", "parameters": {"app": ""}}, "app"),
    ],
)
def test_a_bad_parameter_is_named(daemon, call, parameter):
    import json

    connection = daemon.client()
    connection.socket.sendall(json.dumps(call).encode() + b"\0")
    with pytest.raises(VarlinkError) as error:
        connection.receive()
    assert error.value.name == "org.varlink.service.InvalidParameter" and error.value.parameters == {"parameter": parameter}
    assert connection.call("GetStatus")["version"], "the connection goes on"


def test_null_means_not_given(daemon):
    assert daemon.call("GetCurrentUser", {"app": None}) == {}


@pytest.mark.parametrize(
    "method, error",
    [("io.nowhere.Get", "InterfaceNotFound"), ("io.postern.Nothing", "MethodNotFound"), ("io.Postern", "InterfaceNotFound"),
     ("io.postern.Monitor", "ExpectedMore")])
def test_standard_errors(daemon, method, error):
    with pytest.raises(VarlinkError) as raised:
        daemon.call(method)
    assert raised.value.name == f"org.varlink.service.{error}"


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


def test_a_oneway_call_has_no_reply(daemon):
    client = daemon.client()
    client.send("GetStatus", oneway=True)
    client.send("ListProviders")
    assert "providers" in client.receive()


def test_silent_and_slow_clients_hold_up_nobody(daemon):
    silent = [raw(daemon, b"") for _ in range(50)]
    dripping = raw(daemon, b'{"method":"io.post')
    assert daemon.call("GetStatus")["version"]
    dripping.sendall(b'ern.GetStatus"}\0')
    assert b"version" in dripping.recv(65536)
    for connection in silent:
        connection.close()


def test_a_client_that_never_reads_is_closed(daemon):
    connection = raw(daemon, b"")
    connection.settimeout(30)
    with pytest.raises(OSError):
        for _ in range(100000):
            connection.sendall(b'{"method":"org.varlink.service.GetInterfaceDescription","parameters":{"interface":"io.postern"}}\0')
    assert daemon.call("GetStatus")["version"]


def test_another_user_is_turned_away(daemon):
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


def test_the_socket_is_for_its_user_alone(daemon):
    assert daemon.path.parent.stat().st_mode & 0o777 == 0o700
    assert daemon.path.stat().st_mode & 0o777 == 0o600


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


def test_something_else_at_the_path_is_left_alone(make_daemon):
    daemon = make_daemon()
    daemon.path.parent.mkdir(mode=0o700)
    daemon.path.write_text("mine")
    daemon.start(wait=False)
    assert daemon.process.wait(20) == 1
    assert daemon.path.read_text() == "mine" and "not a socket" in daemon.log.read_text()


def test_two_daemons_do_not_share_a_state_directory(make_daemon):
    first = make_daemon().start()
    second = make_daemon()
    (second.directory / "state").symlink_to(first.directory / "state")
    second.start(wait=False)
    assert second.process.wait(20) == 1
    assert second.log.read_text().count("uses this state directory") == 1, "told once"
    assert first.call("GetStatus")["version"]


def test_a_port_that_is_taken_is_told_once_by_a_daemon_started_by_hand(make_daemon):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        daemon = make_daemon(port=port).start()
        # It goes on at a free one, however often it is asked.
        for _ in range(3):
            assert f":{port}/" not in daemon.call("GetStatus")["callbackURLs"][0]
        assert daemon.log.read_text().count(f"127.0.0.1:{port} is in use by another program of yours") == 1, "told once"


def test_a_daemon_that_is_asked_to_ends_with_0_and_takes_its_socket_along(daemon):
    assert daemon.stop() == 0
    assert not daemon.path.exists()


@pytest.mark.parametrize(
    "config, line, word",
    [("[nonsense]\nx = 1\n", 1, "nonsense"), ('[provider.work]\nkind = "oidc"\n', 1, "issuer"), ("[daemon]\nidle-exit = 5\n", 2, "idle-exit"),
     ('[provider.x]\nkind = "oauth2"\nauthorization-endpoint = "http://example.com/a"\n', 3, "https")])
def test_a_configuration_that_is_not_taken_ends_with_78_and_says_where(make_daemon, config, line, word):
    daemon = make_daemon(config)
    line += daemon.config.read_text().count("\n") - config.count("\n")
    daemon.start(wait=False)
    assert daemon.process.wait(20) == 78
    text = daemon.log.read_text()
    assert text.count(f"config.toml:{line}:") == 1 and word in text, "told once"
    check = subprocess.run([BIN / "posternd", "--config", daemon.config, "--check-config"], capture_output=True, text=True)
    assert check.returncode == 78 and f"config.toml:{line}:" in check.stderr


def test_reload_keeps_the_old_configuration_where_the_new_one_is_wrong(make_daemon):
    daemon = make_daemon().start()
    daemon.write('[provider.work]\nkind = "oidc"\nissuer = "https://login.example.com"\nclient-id = "postern"\n')
    assert daemon.call("Reload") == {}
    assert [p["providerID"] for p in daemon.call("ListProviders")["providers"]][:2] == ["work", "github.com"]
    daemon.write("[provider.work]\nkind = 3\n")
    with pytest.raises(VarlinkError) as error:
        daemon.call("Reload")
    assert error.value.short == "ConfigurationInvalid" and error.value.parameters["line"] == daemon.config.read_text().count("\n")
    assert [p["providerID"] for p in daemon.call("ListProviders")["providers"]][:2] == ["work", "github.com"]


def test_monitor_tells_what_happens(make_daemon):
    daemon = make_daemon().start()
    monitor = daemon.client()
    monitor.send("Monitor", more=True)
    assert wait_for(lambda: daemon.call("GetStatus"), what="the daemon")
    daemon.call("SignOut")
    event = monitor.receive()
    assert event["kind"] == "signedOut" and event["app"] == "default"
