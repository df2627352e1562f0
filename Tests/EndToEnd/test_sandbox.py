"""A program in a sandbox reaches the daemon by the one directory that it is given, and then has what every program of the user has."""
import os
import re
import shutil
import subprocess

import pytest
from postern import BIN, ROOT, oidc
from python_package import SOURCES
from sandboxes import APP, Flatpak, bubblewrap
from signing_in import browser_command, sign_in

TEXT = (ROOT / "docs" / "programs" / "flatpak.md").read_text()

CAN_MAKE_NAMESPACES = shutil.which("bwrap") is not None and subprocess.run([*bubblewrap(), "/usr/bin/true"], capture_output=True).returncode == 0
needs_bubblewrap = pytest.mark.skipif(not CAN_MAKE_NAMESPACES, reason="needs bubblewrap, and a kernel that lets it make namespaces")


@pytest.fixture(scope="module")
def flatpak(tmp_path_factory):
    if shutil.which("flatpak") is None or not CAN_MAKE_NAMESPACES:
        pytest.skip("needs flatpak, and a kernel that lets it make namespaces")
    if os.geteuid() != 0:
        pytest.skip("needs root to lay out /run/user in a mount namespace")
    return Flatpak(tmp_path_factory.mktemp("fp"))


@pytest.fixture
def daemon(make_daemon, demo_provider):
    return make_daemon(oidc(demo_provider) + f"browser = {browser_command('ada')}\n")


def documented(begin):
    """The one command of the page that begins so, for the test's application."""
    command, = re.findall(rf"^{begin}.*$", TEXT, re.M)
    return command.partition("#")[0].replace("com.example.Tool", APP).split()[1:]


def test_a_flatpak_application_needs_only_one_permission(flatpak, daemon):
    daemon.path = flatpak.runtime / "postern" / "io.postern"
    daemon.start()
    run = ("run", "--user", APP, "demo")
    without = flatpak.call(*run)
    assert without.returncode == 1 and "posternd cannot be reached" in without.stderr and "No such file" in without.stderr
    assert flatpak.call("run", "--user", "--filesystem=host", APP, "demo").returncode == 1
    once = flatpak.call(*documented("flatpak run"), "demo")
    assert once.returncode == 0 and once.stdout.startswith("the account is ada@example.com\n"), once.stderr
    flatpak.check(*documented("flatpak override --user --filesystem"))
    signed_in = flatpak.call(*run)
    token = daemon.call("GetAccessToken", {"providerID": "demo"})["accessToken"]
    assert (signed_in.returncode, signed_in.stdout, signed_in.stderr) == (0, f"the account is ada@example.com\n{token}\n", "")
    shown = flatpak.check("info", "--user", "--show-permissions", APP).stdout
    manifest, = re.findall(r"filesystems=xdg-run/postern", shown)
    assert manifest in TEXT
    flatpak.check(*documented("flatpak override --user --nofilesystem"))
    assert flatpak.call(*run).returncode == 1


def test_an_application_can_be_given_only_one_token(flatpak, daemon):
    daemon.path = flatpak.runtime / "other" / "io.postern"
    daemon.start()
    sign_in(daemon)
    token = daemon.call("GetAccessToken", {"providerID": "demo"})["accessToken"]
    words = documented("postern exec")
    words[words.index("TOKEN=github.com")] = "TOKEN=demo"
    words[words.index("run")] = "run --user --command=print-token"
    done = subprocess.run(
        flatpak.session(BIN / "postern", words[0], "--socket", daemon.path, *" ".join(words[1:]).split()), env=flatpak.environment, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout) == (0, token + "\n"), done.stderr


# Two calls by the package for Python; between them it waits for a line.
TWO_CALLS = """
import sys
import postern
client = postern.Client()
for _ in range(2):
    print(client.get_access_token("demo").access_token, flush=True)
    sys.stdin.readline()
"""


def in_sandbox(daemon, program, *options, bind="--bind"):
    """A process that sees the socket's directory and nothing else that is the user's."""
    sandbox = bubblewrap("--ro-bind", SOURCES, "/package", bind, daemon.path.parent, "/run/postern", "--setenv", "PYTHONPATH", "/package",
                         "--setenv", "POSTERN_SOCKET", "/run/postern/io.postern", *options)
    return subprocess.Popen([*sandbox, "/usr/bin/python3", "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@needs_bubblewrap
@pytest.mark.parametrize("options, bind", [([], "--bind"), (["--uid", "4321", "--gid", "4321"], "--bind"), ([], "--ro-bind")], ids=["namespaces", "another number", "read-only"])
def test_user_namespaces_do_not_hide_the_user(daemon, options, bind):
    # As whom a process appears in its sandbox, and whether the directory is writable there, is nothing to the socket.
    daemon.start()
    sign_in(daemon, app="elsewhere")
    with in_sandbox(daemon, TWO_CALLS, *options, bind=bind) as process:
        out, error = process.communicate("\n\n", timeout=60)
    token = daemon.call("GetAccessToken", {"providerID": "demo"})["accessToken"]
    assert (process.returncode, out, error) == (0, f"{token}\n{token}\n", "")


@needs_bubblewrap
def test_a_sandbox_with_the_socket_directory_reaches_a_restarted_daemon(daemon):
    daemon.start()
    sign_in(daemon)
    with in_sandbox(daemon, TWO_CALLS) as process:
        token = process.stdout.readline()
        daemon.stop()
        daemon.start()
        out, error = process.communicate("\n\n", timeout=60)
        assert (process.returncode, out, error) == (0, token, "")


@needs_bubblewrap
def test_a_sandboxed_program_signs_in_under_its_app_name(make_daemon, demo_provider):
    daemon = make_daemon(oidc(demo_provider)).start()
    program = "import postern\nclient = postern.Client(app='a-tool')\nfor event in client.sign_in_events('demo', presentation='client'): print(event.authorization_url, flush=True)"
    with in_sandbox(daemon, program) as process:
        assert process.stdout.readline().startswith("http")
        session, = daemon.call("ListSessions")["sessions"]
        assert session["app"] == "a-tool"
        daemon.call("CancelSession", {"sessionID": session["sessionID"]})
        assert "SignInCancelled" in process.communicate(timeout=30)[1]
