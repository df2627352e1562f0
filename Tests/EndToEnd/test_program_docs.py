"""The blocks of docs/programs/programs.md, as they stand there: where all goes well, and where it does not. What is replaced is the provider's name."""
import os
import pty
import re
import select
import subprocess
import sys

import pytest
from device_server import TOKEN, DeviceServer
from person import consent
from postern import ROOT, oidc
from signing_in import browser_command, sign_in

TEXT = (ROOT / "docs" / "programs" / "programs.md").read_text()
BLOCKS = [(kind, text.replace("github.com", "demo")) for kind, text in re.findall(r"^```(\w+)\n(.*?)^```$", TEXT, re.M | re.S)]
CALLS, EVENTS = [text for kind, text in BLOCKS if kind == "bash"]
PACKAGE, LIBRARY, PLAIN, USERS = [text for kind, text in BLOCKS if kind == "python"]
EVERY = [("bash", CALLS), ("bash", EVENTS), ("python", PACKAGE), ("python", LIBRARY), ("python", PLAIN), ("python", USERS)]


def test_every_documented_block_is_run_by_a_test():
    # The command's own lines are in test_curl.py and test_exec.py, varlinkctl's in test_varlinkctl.py, the Swift lines in PosternClient's own tests.
    assert [kind for kind, _ in BLOCKS] == ["python", "swift", "sh", "bash", "bash", "sh", "python", "python", "python"]


@pytest.fixture
def home(tmp_path):
    """Where the blocks look for the socket."""
    return tmp_path / "runtime"


@pytest.fixture
def start(make_daemon, demo_provider, home):
    def start(browser='"none"'):
        daemon = make_daemon(oidc(demo_provider) + f"browser = {browser}\n").start()
        (home / "postern").mkdir(parents=True)
        (home / "postern" / "io.postern").symlink_to(daemon.path)
        return daemon

    return start


def begin(kind, text, home, stdin=subprocess.DEVNULL):
    program = ["bash", "-c"] if kind == "bash" else [sys.executable, "-c"]
    environment = {**os.environ, "XDG_RUNTIME_DIR": str(home), "PYTHONPATH": str(ROOT / "packaging" / "python" / "src")}
    return subprocess.Popen(
        [*program, text], env=environment, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def run(kind, text, home, stdin=subprocess.DEVNULL):
    process = begin(kind, text, home, stdin)
    out, error = process.communicate(timeout=60)
    return process.returncode, out.decode(), error.decode()


def page_in(stream):
    """The address in the block's output, as soon as it is there."""
    said = b""
    while not (found := re.search(rb"(http://\S+)\s", said)):
        assert select.select([stream], [], [], 30)[0], said
        part = os.read(stream.fileno(), 65536)
        assert part, said
        said += part
    return found[1].decode()


@pytest.mark.parametrize("kind, text, name", [("bash", CALLS, ""), ("python", PACKAGE, "the account is "), ("python", LIBRARY, "the account is ")],
                         ids=["calls", "package", "library"])
def test_a_program_gets_a_token_after_one_sign_in(start, home, kind, text, name):
    daemon = start(browser_command("ada") if text is not LIBRARY else '"none"')
    process = begin(kind, text, home)
    if text is LIBRARY:
        assert consent(page_in(process.stdout)).status_code == 200
    out, error = process.communicate(timeout=60)
    token = daemon.call("GetAccessToken", {"providerID": "demo"})["accessToken"]
    assert (process.returncode, error.decode()) == (0, "") and out.decode().endswith(f"{name}ada@example.com\n{token}\n"), (out, error)
    assert run(kind, text, home) == (0, f"{name}ada@example.com\n{token}\n", "")
    assert [each["intent"] for each in daemon.call("ListSessions")["sessions"]] == ["keep"] and daemon.call("GetStatus")["users"] == 0


@pytest.mark.parametrize("kind, text", [("bash", CALLS), ("python", PACKAGE), ("python", LIBRARY)], ids=["calls", "package", "library"])
def test_with_several_accounts_none_is_chosen_arbitrarily(start, home, kind, text):
    daemon = start(browser_command("ada"))
    for person in ("ada", "grace"):
        sign_in(daemon, person, intent="keep")
    code, out, error = run(kind, text, home)
    assert code != 0 and out == "" and "ada@example.com" in error and "grace@example.org" in error and "Traceback" not in error


def test_a_shell_script_shows_the_page_itself(start, home):
    start()
    process = begin("bash", EVENTS, home)
    assert consent(page_in(process.stderr)).status_code == 200
    assert process.wait(30) == 0
    assert process.stderr.read().decode().splitlines()[-1] == "completed"


def test_a_shell_script_notices_that_the_daemon_ended(start, home):
    daemon = start()
    process = begin("bash", EVENTS, home)
    page_in(process.stderr)
    daemon.kill()
    assert process.wait(30) == 1


def test_an_app_signs_its_user_in_and_gets_the_token(start, home):
    daemon = start(browser_command("ada"))
    sign_in(daemon, "grace")
    code, out, error = run("python", USERS, home)
    token = daemon.call("GetAccessToken", {"providerID": "demo", "uid": "demo-1815"})["accessToken"]
    assert (code, out, error) == (0, f"hello, Ada Lovelace\n{token}\n", "")


def test_python_alone_gets_the_token(start, home):
    daemon = start()
    sign_in(daemon)
    token = daemon.call("GetAccessToken", {"providerID": "demo"})["accessToken"]
    assert run("python", PLAIN, home) == (0, token + "\n", "")


def test_an_error_is_a_message_and_an_exit_status(start, home):
    for kind, text in EVERY:
        code, out, error = run(kind, text, home)
        assert code != 0 and out == "" and "No such file or directory" in error and "Traceback" not in error, text
    start()
    for kind, text in EVERY:
        code, out, error = run(kind, text.replace('"demo"', '"nope"').replace("providerID: demo", "providerID: nope"), home)
        assert code != 0 and out == "" and "nope" in error and "Traceback" not in error, text


def test_a_shell_script_reports_that_no_page_can_be_opened(start, home):
    start()
    code, out, error = run("bash", CALLS, home)
    assert code != 0 and out == "" and "there is an address or a code to show" in error and "varlink" not in error


@pytest.mark.parametrize("kind, text", [("bash", EVENTS), ("python", PACKAGE), ("python", LIBRARY)], ids=["events", "package", "library"])
def test_a_device_code_is_shown_to_the_user(make_daemon, home, kind, text):
    provider = DeviceServer()
    provider.usual = (200, TOKEN)
    try:
        daemon = make_daemon(provider.configuration("demo", flow="device")).start_fast(10)
        (home / "postern").mkdir(parents=True)
        (home / "postern" / "io.postern").symlink_to(daemon.path)
        main, terminal = pty.openpty()
        code, out, error = run(kind, text, home, terminal)
        os.close(main), os.close(terminal)
        words = f"open {provider.origin}/device on any device and type this code there{' to sign in' if text is PACKAGE else ''}: WDJB-MJHT"
        assert code == 0 and words in (out if text is LIBRARY else error), (out, error)
        assert text is EVENTS or out.endswith(f"the account is Octo\n{TOKEN['access_token']}\n")
    finally:
        provider.close()


def test_the_example_does_not_clutter_a_log(start, home, tmp_path):
    """A device file opened again truncates what is behind it."""
    start()
    log = tmp_path / "log"
    log.write_text("before\n")
    with log.open("a") as stream:
        program = EVENTS.replace("providerID: demo", "providerID: nope").replace("demo", "nope")
        code = subprocess.run(
            ["bash", "-c", program], env={**os.environ, "XDG_RUNTIME_DIR": str(home)}, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=stream,
            timeout=60).returncode
    assert code != 0 and log.read_text().startswith("before\n")
