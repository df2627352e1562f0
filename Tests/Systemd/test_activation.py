"""What can be tried of socket activation and of the units without a service manager."""
import http.client
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.parse

import pytest

PACKAGE = pathlib.Path(__file__).resolve().parent.parent.parent
UNITS = (
    "postern.service", "postern.socket", "postern-callback.socket", "postern-callback-ipv6.socket", "postern-keep-fresh.timer",
    "postern-mcp.socket", "postern-mcp.service")

pytestmark = pytest.mark.skipif(shutil.which("systemd-socket-activate") is None, reason="systemd is not installed")


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


class Activated:
    """The daemon behind systemd-socket-activate."""

    def __init__(self, folder, bin_dir, names="varlink:callback", arguments=(), config="", port=None):
        self.socket = folder / "io.postern"
        self.port = port or free_port()
        hears = "callback" in names
        self.folder = folder
        notify = folder / "notify"
        self.notifications = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.notifications.bind(str(notify))
        self.notifications.settimeout(20)
        (folder / "config" / "postern").mkdir(parents=True, mode=0o700)
        config = config.format(socket=self.socket, port=self.port)
        self.config = folder / "config" / "postern" / "config.toml"
        self.configure(config)
        arguments = [word.format(socket=self.socket, port=self.port) for word in arguments]
        passed = {
            "XDG_CONFIG_HOME": folder / "config", "XDG_STATE_HOME": folder / "state", "XDG_RUNTIME_DIR": folder, "HOME": folder,
            "DBUS_SESSION_BUS_ADDRESS": f"unix:path={folder}/no-bus", "NOTIFY_SOCKET": notify, "PATH": os.environ["PATH"],
            # What a sanitizer's run-time says must not be lost.
            "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "")}
        settings = [word for name, value in passed.items() for word in ("-E", f"{name}={value}")]
        self.log = open(folder / "log", "wb")
        self.process = subprocess.Popen(
            ["systemd-socket-activate", "-l", str(self.socket), *(["-l", f"127.0.0.1:{self.port}"] if hears else []), f"--fdname={names}", *settings,
             str(bin_dir / "posternd"), *arguments], stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)
        deadline = time.monotonic() + 30
        while not self.socket.exists() or hears and not self._port_listens():
            assert time.monotonic() < deadline and self.process.poll() is None
            time.sleep(0.01)

    def configure(self, text):
        self.config.write_text(text)
        self.config.chmod(0o600)

    def _port_listens(self):
        # Looked up, since a connection would already start the daemon.
        table = pathlib.Path("/proc/net/tcp").read_text()
        return f"0100007F:{self.port:04X} 00000000:0000 0A" in table

    def call(self, method, more=False, **parameters):
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(20)
            connection.connect(str(self.socket))
            message = {"method": method if "." in method else f"io.postern.{method}", "parameters": parameters, "more": more}
            connection.sendall(json.dumps(message).encode() + b"\0")
            answer = b""
            # Of many replies the first is enough.
            while b"\0" not in answer:
                data = connection.recv(65536)
                assert data, self.text()
                answer += data
        return json.loads(answer[:answer.index(b"\0")])

    def sign_in(self, provider):
        """The redirect URI of a sign-in that begins, or why none does."""
        answer = self.call("SignIn", more=True, providerID=provider, presentation="client", intent="credential")
        if "error" in answer:
            return answer["error"].removeprefix("io.postern."), answer["parameters"]
        url = urllib.parse.urlsplit(answer["parameters"]["event"]["authorizationURL"])
        return urllib.parse.parse_qs(url.query)["redirect_uri"][0]

    def problems(self):
        return {one["providerID"]: one.get("problem") for one in self.call("ListProviders")["parameters"]["providers"]}

    def page(self, path, language="en"):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        connection.request("GET", path, headers={"Accept-Language": language})
        answer = connection.getresponse()
        return answer.status, answer.read().decode()

    def get(self, path):
        return self.page(path)[0]

    def status_lines(self):
        """What the service manager was told up to now."""
        lines = []
        self.notifications.setblocking(False)
        try:
            while True:
                lines += [line[7:] for line in self.notifications.recv(4096).decode().splitlines() if line.startswith("STATUS=")]
        except BlockingIOError:
            return lines
        finally:
            self.notifications.settimeout(20)

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


def test_reloading_and_stopping_are_notified(activate):
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
def test_settings_overridden_by_the_passed_sockets_are_reported_once(activate, arguments, config, ignored):
    daemon = activate(arguments=arguments, config=config)
    assert "version" in daemon.call("GetStatus")["parameters"]
    warnings = [line for line in daemon.text().splitlines() if "ignored" in line]
    sentence = f"posternd: warning: {ignored} ignored: the service manager passed the sockets, so the socket units decide"
    assert warnings == ([sentence] if ignored else [])


# What it cannot work with

CLIENTS = """
[provider."github.com"]
client-id = "Iv1.0123456789abcdef"
client-secret = "s3cret"
[provider."gitlab.com"]
client-id = "lab"
[provider."microsoft.com"]
client-id = "ms"
"""


class Holder:
    """Another process that has an address; another user's, where this one may become another."""

    def __init__(self, *hosts, port):
        become = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if os.geteuid() == 0 else []
        code = (
            "import socket, sys\nheld = [socket.create_server((host, int(sys.argv[1])), family=socket.AF_INET6 if ':' in host else socket.AF_INET)"
            " for host in sys.argv[2:]]\nprint('held', flush=True)\nsys.stdin.read()")
        self.process = subprocess.Popen(
            [*become, sys.executable, "-c", code, str(port), *hosts], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout.readline() == "held\n"
        self.name = "nobody" if become else "another program of yours"

    def close(self):
        self.process.stdin.close()
        self.process.wait(20)
        self.process.stdout.close()


@pytest.fixture
def hold():
    holders = []

    def make(*hosts, port):
        holders.append(Holder(*hosts, port=port))
        return holders[-1]

    yield make
    for holder in holders:
        if holder.process.poll() is None:
            holder.close()


HEADINGS = {"en": "Postern’s configuration is not valid", "ja": "Postern の設定に誤りがあります", "it": "La configurazione di Postern non è valida"}


@pytest.mark.parametrize("with_reload", [True, False])
def test_a_broken_configuration_is_reported_and_the_daemon_works_once_it_is_fixed(activate, with_reload):
    daemon = activate(config="[daemon]\nno-such-key = true\n")
    assert daemon.call("GetStatus")["parameters"]["locked"] is True
    assert "version" in daemon.call("org.varlink.service.GetInfo")["parameters"]
    for method, parameters in [("SignIn", {"providerID": "github.com"}), ("GetCurrentUser", {}), ("ListProviders", {}), ("Reload", {})]:
        answer = daemon.call(method, **parameters)
        assert answer["error"] == "io.postern.ConfigurationInvalid"
        assert (answer["parameters"]["file"], answer["parameters"]["line"]) == (str(daemon.config), 2)
    for language, heading in HEADINGS.items():
        status, text = daemon.page("/__/auth/handler?code=x&state=y", language)
        assert status == 503 and heading in text and "config.toml:2" in text and "no-such-key" in text
    [line] = daemon.status_lines()[:1]
    assert "config.toml:2" in line and daemon.process.poll() is None
    told = [line for line in daemon.text().splitlines() if "no-such-key" in line]
    assert len(told) == 1, daemon.text()

    daemon.configure(CLIENTS)
    if with_reload:
        assert "error" not in daemon.call("Reload")
        assert daemon.status_lines()[-1] == "serving"
    assert daemon.sign_in("github.com") == f"http://127.0.0.1:{daemon.port}/__/auth/handler"
    assert daemon.call("GetStatus")["parameters"]["locked"] is False
    assert daemon.get("/__/auth/handler?code=x&state=y") == 400


def test_a_browser_is_served_after_the_fix(activate):
    daemon = activate(config="no-such-key = true\n")
    assert daemon.get("/__/auth/handler?code=x&state=y") == 503
    daemon.configure("")
    assert daemon.get("/__/auth/handler?code=x&state=y") == 400


def test_monitors_see_the_fix(activate):
    daemon = activate(config="no-such-key = true\n")
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(20)
        connection.connect(str(daemon.socket))
        connection.sendall(b'{"method": "io.postern.Monitor", "more": true}\0{"method": "org.varlink.service.GetInfo"}\0')
        # Nothing announces that it watches; what is asked after it on another connection comes after it.
        daemon.call("Reload")
        daemon.configure("")
        assert "error" not in daemon.call("Reload")
        text = b""
        while b"configurationReloaded" not in text:
            data = connection.recv(65536)
            assert data
            text += data


def test_a_missing_certificate_blocks_only_browsers(activate, tmp_path, bin_dir):
    daemon = activate(config=f'[callback]\ncertificate = "{tmp_path}/tls/loopback.crt"\nkey = "{tmp_path}/tls/loopback.key"\n{CLIENTS}')
    assert "error" not in daemon.call("GetCurrentUser")
    error, parameters = daemon.sign_in("github.com")
    assert error == "ConfigurationInvalid" and parameters["file"] == f"{tmp_path}/tls/loopback.crt"
    status, text = daemon.page("/__/auth/handler?code=x&state=y")
    assert status == 503 and "loopback.crt" in text
    (tmp_path / "tls").mkdir(mode=0o700)
    subprocess.run([bin_dir / "posternd", "--make-certificate", tmp_path / "tls"], check=True, capture_output=True)
    assert daemon.sign_in("github.com") == f"https://127.0.0.1:{daemon.port}/__/auth/handler"


def test_a_store_in_use_is_reported_and_opened_once_it_is_free(activate, tmp_path, bin_dir):
    other = subprocess.Popen(
        [bin_dir / "posternd", "--socket", tmp_path / "other", "--listen", "127.0.0.1:0", "--state-directory", tmp_path / "state/postern"],
        env=dict(os.environ, XDG_CONFIG_HOME=str(tmp_path / "none"), HOME=str(tmp_path), DBUS_SESSION_BUS_ADDRESS=f"unix:path={tmp_path}/no-bus"),
        stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        while "serving" not in other.stderr.readline():
            assert other.poll() is None
        daemon = activate()
        assert daemon.call("GetCurrentUser")["error"] == "io.postern.StoreLocked"
        status, text = daemon.page("/__/auth/handler?code=x&state=y")
        assert status == 503 and "cannot open its store" in text
        assert daemon.status_lines()[0] == "serving, without its store"
    finally:
        other.terminate()
        other.wait(20)
        other.stderr.close()
    assert "error" not in daemon.call("Reload")
    assert "error" not in daemon.call("GetCurrentUser")


# Its port is another's


def test_a_port_in_use_affects_only_the_providers_that_need_it(activate, hold):
    port = free_port()
    holder = hold("127.0.0.1", port=port)
    daemon = activate(names="varlink", port=port, config="[callback]\nport = {port}\n" + CLIENTS)
    [url] = daemon.call("GetStatus")["parameters"]["callbackURLs"]
    free = urllib.parse.urlsplit(url).port
    assert free != port
    assert daemon.sign_in("github.com") == f"http://127.0.0.1:{free}/__/auth/handler"
    assert daemon.sign_in("microsoft.com") == f"http://localhost:{free}/__/auth/handler"
    error, parameters = daemon.sign_in("gitlab.com")
    assert error == "ProviderNotConfigured"
    assert holder.name in parameters["message"] and f"127.0.0.1:{port}" in parameters["message"]
    problems = daemon.problems()
    assert holder.name in problems["gitlab.com"] and problems["github.com"] is None
    assert f"127.0.0.1:{port} is in use" in daemon.status_lines()[0]
    assert len([line for line in daemon.text().splitlines() if "is in use" in line]) == 1, daemon.text()

    holder.close()
    assert daemon.sign_in("gitlab.com") == f"http://127.0.0.1:{port}/__/auth/handler"
    assert daemon.call("GetStatus")["parameters"]["callbackURLs"] == [f"http://127.0.0.1:{port}/__/auth/handler"]
    assert daemon.problems()["gitlab.com"] is None
    assert daemon.status_lines()[-1].startswith("serving; ")
    # The browser of a sign-in that began before comes back to where it was sent.
    connection = http.client.HTTPConnection("127.0.0.1", free, timeout=20)
    connection.request("GET", "/__/auth/handler?code=x&state=y")
    assert connection.getresponse().status == 400
    assert daemon.get("/__/auth/handler?code=x&state=y") == 400


HAS_IPV6 = os.path.exists("/proc/net/if_inet6") and "00000000000000000000000000000001" in pathlib.Path("/proc/net/if_inet6").read_text()


@pytest.mark.skipif(not HAS_IPV6, reason="this machine has no ::1")
def test_the_other_localhost_address_is_bound_or_reported(activate, hold):
    port = free_port()
    holder = hold("::1", port=port)
    daemon = activate(port=port, config=CLIENTS)
    error, parameters = daemon.sign_in("microsoft.com")
    assert error == "ProviderNotConfigured"
    assert f"[::1]:{port}" in parameters["message"] and holder.name in parameters["message"]
    assert f"[::1]:{port}" in daemon.problems()["microsoft.com"]
    assert daemon.sign_in("github.com") == f"http://127.0.0.1:{port}/__/auth/handler"

    holder.close()
    assert daemon.sign_in("microsoft.com") == f"http://localhost:{port}/__/auth/handler"
    with pytest.raises(OSError):
        socket.create_server(("::1", port), family=socket.AF_INET6)
    connection = http.client.HTTPConnection("::1", port, timeout=20)
    connection.request("GET", "/__/auth/done", headers={"Host": f"localhost:{port}"})
    assert connection.getresponse().status == 200


@pytest.mark.skipif(not HAS_IPV6, reason="this machine has no ::1")
def test_a_reload_that_adds_a_localhost_provider_binds_both_addresses(activate):
    daemon = activate()
    daemon.call("GetStatus")
    socket.create_server(("::1", daemon.port), family=socket.AF_INET6).close()
    daemon.configure(CLIENTS)
    daemon.call("Reload")
    with pytest.raises(OSError):
        socket.create_server(("::1", daemon.port), family=socket.AF_INET6)


# The units


@pytest.fixture
def units(tmp_path, bin_dir):
    for name in UNITS:
        text = (PACKAGE / "systemd" / name).read_text()
        (tmp_path / name).write_text(text.replace("/usr/bin/", f"{bin_dir}/"))
    return tmp_path


def verify(units):
    environment = dict(os.environ, XDG_RUNTIME_DIR=str(units))
    done = subprocess.run(
        ["systemd-analyze", "--user", "verify", "--man=no", *[str(units / name) for name in UNITS]], env=environment, capture_output=True, text=True)
    # A mistyped key is a warning with status 0: any word counts.
    return done.stdout + done.stderr


def test_the_units_are_well_formed(units):
    assert verify(units) == ""


def test_a_mistyped_unit_is_detected(units):
    service = units / "postern.service"
    service.write_text(service.read_text().replace("WatchdogSec=", "WatchdogSecs="))
    assert "WatchdogSecs" in verify(units)


def test_the_installer_installs_below_a_prefix_and_uninstalls_again(tmp_path, bin_dir):
    command = ["sh", str(PACKAGE / "packaging/install.sh"), "--prefix", "/usr", "--destdir", str(tmp_path / "root"), "--bin-dir", str(bin_dir)]
    subprocess.run(command, check=True, capture_output=True)
    everything = list((tmp_path / "root").rglob("*"))
    files = [path for path in everything if path.is_file() and not path.is_symlink()]
    found = sorted(path.name for path in files if "share" not in path.relative_to(tmp_path).parts)
    assert found == sorted(["posternd", "postern", "postern-mcp", "postern-demo-provider", *UNITS])
    # Manuals and completions: Tests/EndToEnd/test_manuals.py and test_completion.py look into them.
    assert {"postern.1", "postern-sign-in.1", "postern.toml.5", "io.postern.7", "posternd.8", "postern", "_postern", "postern.fish"} <= {
        path.name for path in files if "share" in path.relative_to(tmp_path).parts}
    links = {path.name: os.readlink(path) for path in everything if path.is_symlink()}
    # A program of a helper's name, and its manual.
    assert set(links.values()) == {"postern", "postern-helper.1"}
    assert links["git-credential-postern"] == "postern" and links["git-credential-postern.1"] == "postern-helper.1"
    subprocess.run([*command, "--uninstall"], check=True, capture_output=True)
    assert [path for path in (tmp_path / "root").rglob("*") if path.is_file() or path.is_symlink()] == []


def test_the_installer_keeps_other_programs_with_a_helpers_name(tmp_path, bin_dir):
    command = ["sh", str(PACKAGE / "packaging/install.sh"), "--prefix", "/usr", "--destdir", str(tmp_path), "--bin-dir", str(bin_dir)]
    other = tmp_path / "usr/bin/git-credential-postern"
    other.parent.mkdir(parents=True)
    other.write_text("another")
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert "git-credential-postern is another program" in done.stderr
    subprocess.run([*command, "--uninstall"], check=True, capture_output=True)
    assert other.read_text() == "another"
