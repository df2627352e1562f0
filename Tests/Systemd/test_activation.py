"""What can be tried of socket activation and of the units without a service manager."""
import http.client
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import time

import pytest

PACKAGE = pathlib.Path(__file__).resolve().parent.parent.parent
UNITS = ("postern.service", "postern.socket", "postern-callback.socket")

pytestmark = pytest.mark.skipif(shutil.which("systemd-socket-activate") is None, reason="systemd is not installed")


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


class Activated:
    """The daemon behind systemd-socket-activate."""

    def __init__(self, folder, bin_dir, names="varlink:callback", arguments=(), config=""):
        self.socket = folder / "io.postern"
        self.port = free_port()
        self.folder = folder
        notify = folder / "notify"
        self.notifications = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.notifications.bind(str(notify))
        self.notifications.settimeout(20)
        (folder / "config" / "postern").mkdir(parents=True, mode=0o700)
        config = config.format(socket=self.socket, port=self.port)
        (folder / "config" / "postern" / "config.toml").write_text(config)
        (folder / "config" / "postern" / "config.toml").chmod(0o600)
        arguments = [word.format(socket=self.socket, port=self.port) for word in arguments]
        passed = {
            "XDG_CONFIG_HOME": folder / "config", "XDG_STATE_HOME": folder / "state", "XDG_RUNTIME_DIR": folder, "HOME": folder,
            "DBUS_SESSION_BUS_ADDRESS": f"unix:path={folder}/no-bus", "NOTIFY_SOCKET": notify, "PATH": os.environ["PATH"],
            # What a sanitizer's run-time says must not be lost.
            "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "")}
        settings = [word for name, value in passed.items() for word in ("-E", f"{name}={value}")]
        self.log = open(folder / "log", "wb")
        self.process = subprocess.Popen(
            ["systemd-socket-activate", "-l", str(self.socket), "-l", f"127.0.0.1:{self.port}", f"--fdname={names}", *settings,
             str(bin_dir / "posternd"), *arguments], stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)
        deadline = time.monotonic() + 10
        while not self.socket.exists() or not self._port_listens():
            assert time.monotonic() < deadline and self.process.poll() is None
            time.sleep(0.01)

    def _port_listens(self):
        # Looked up, since a connection would already start the daemon.
        table = pathlib.Path("/proc/net/tcp").read_text()
        return f"0100007F:{self.port:04X} 00000000:0000 0A" in table

    def call(self, method):
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(20)
            connection.connect(str(self.socket))
            connection.sendall(json.dumps({"method": f"io.postern.{method}"}).encode() + b"\0")
            answer = b""
            while not answer.endswith(b"\0"):
                data = connection.recv(65536)
                assert data, self.text()
                answer += data
        return json.loads(answer[:-1])

    def get(self, path):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        connection.request("GET", path)
        return connection.getresponse().status

    def text(self):
        return (self.folder / "log").read_text()

    def close(self):
        self.process.terminate()
        self.process.wait(20)
        self.notifications.close()
        self.log.close()


@pytest.fixture
def activate(tmp_path, bin_dir):
    made = []

    def make(**options):
        made.append(Activated(tmp_path, bin_dir, **options))
        return made[-1]

    yield make
    for activated in made:
        activated.close()


def test_a_call_starts_the_daemon_on_the_passed_sockets(activate):
    daemon = activate()
    status = daemon.call("GetStatus")["parameters"]
    assert status["callbackURLs"] == [f"http://127.0.0.1:{daemon.port}/__/auth/handler"]
    assert daemon.get("/") == 404
    assert daemon.notifications.recv(4096) == b"READY=1\nSTATUS=serving"


def test_a_callback_starts_the_daemon_on_the_passed_sockets(activate):
    daemon = activate()
    assert daemon.get("/__/auth/handler?code=x&state=y") == 400
    assert "version" in daemon.call("GetStatus")["parameters"]


def test_reloading_and_stopping_are_told(activate):
    daemon = activate()
    daemon.call("GetStatus")
    told = [daemon.notifications.recv(4096)]
    daemon.call("Reload")
    while not (told[-1].startswith(b"READY=1") and len(told) > 1):
        told.append(daemon.notifications.recv(4096))
    assert any(re.fullmatch(rb"RELOADING=1\nMONOTONIC_USEC=\d+", message) for message in told)
    daemon.process.terminate()
    while told[-1] != b"STOPPING=1":
        told.append(daemon.notifications.recv(4096))
    assert daemon.process.wait(20) == 0
    # The path belongs to whoever made it.
    assert daemon.socket.exists()


def test_sockets_of_the_wrong_names_are_refused(activate):
    daemon = activate(names="callback:varlink")
    with pytest.raises((AssertionError, ConnectionResetError)):
        daemon.call("GetStatus")
    assert daemon.process.wait(20) == 1
    assert "check the socket units" in daemon.text()


@pytest.mark.parametrize(
    "arguments, config, ignored",
    [
        ((), "", None),
        # What says the same as the sockets, or is the default, nobody misses.
        (("--socket", "{socket}", "--listen", "127.0.0.1:{port}"), "[callback]\nport = 7999\n", None),
        ((), '[callback]\naddresses = ["127.0.0.1"]\nport = {port}\n', None),
        ((), "[callback]\nport = 7999\n", "callback.port is"),
        ((), '[callback]\naddresses = ["127.0.0.2"]\nport = 7999\n', "callback.addresses and callback.port are"),
        (("--listen", "127.0.0.1:7999"), "", "--listen is"),
        (("--socket", "/nowhere/io.postern", "--listen", "[::1]:{port}"), "[callback]\nport = 7999\n", "--listen and --socket are"),
    ])
def test_what_the_passed_sockets_overrule_is_named_once(activate, arguments, config, ignored):
    daemon = activate(arguments=arguments, config=config)
    assert "version" in daemon.call("GetStatus")["parameters"]
    warnings = [line for line in daemon.text().splitlines() if "ignored" in line]
    sentence = f"posternd: warning: {ignored} ignored: the service manager passed the sockets, so its socket units say where they are"
    assert warnings == ([sentence] if ignored else [])


@pytest.fixture
def units(tmp_path, bin_dir):
    for name in UNITS:
        text = (PACKAGE / "systemd" / name).read_text()
        (tmp_path / name).write_text(text.replace("/usr/bin/posternd", str(bin_dir / "posternd")))
    return tmp_path


def verify(units):
    environment = dict(os.environ, XDG_RUNTIME_DIR=str(units))
    done = subprocess.run(
        ["systemd-analyze", "--user", "verify", "--man=no", *[str(units / name) for name in UNITS]], env=environment, capture_output=True, text=True)
    # A mistyped key is a warning with status 0: any word counts.
    return done.stdout + done.stderr


def test_the_units_are_well_formed(units):
    assert verify(units) == ""


def test_a_mistyped_unit_would_be_noticed(units):
    service = units / "postern.service"
    service.write_text(service.read_text().replace("WatchdogSec=", "WatchdogSecs="))
    assert "WatchdogSecs" in verify(units)


def test_the_installer_puts_everything_under_a_folder_and_takes_it_away(tmp_path, bin_dir):
    command = ["sh", str(PACKAGE / "packaging/install.sh"), "--prefix", "/usr", "--destdir", str(tmp_path / "root"), "--bin-dir", str(bin_dir)]
    subprocess.run(command, check=True, capture_output=True)
    found = sorted(path.name for path in (tmp_path / "root").rglob("*") if path.is_file())
    assert found == sorted(["posternd", "postern", "postern-demo-provider", *UNITS])
    subprocess.run([*command, "--uninstall"], check=True, capture_output=True)
    assert [path for path in (tmp_path / "root").rglob("*") if path.is_file()] == []
