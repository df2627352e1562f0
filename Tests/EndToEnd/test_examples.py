"""The examples of docs/programs/examples do what they say."""
import subprocess
import sys

import pytest
from postern import ROOT, oidc
from signing_in import browser_command, sign_in

MERGE = ROOT / "docs" / "programs" / "examples" / "merge-users.py"


@pytest.fixture
def two_providers(make_daemon, demo_provider):
    """The same people at two providers: at `demo` Ada sits at the browser, at `other` Grace."""
    config = oidc(demo_provider) + f"browser = {browser_command('ada')}\n" + oidc(demo_provider, "other") + f"browser = {browser_command('grace')}\n"
    return make_daemon(config).start()


def merge(daemon, directory, *arguments):
    return subprocess.run(
        [sys.executable, str(MERGE), "--app", "mine", *arguments, "demo", str(directory)], env={"POSTERN_SOCKET": str(daemon.path)},
        capture_output=True, text=True, timeout=60)


def write(directory, uid, **files):
    (directory / uid).mkdir()
    for name, text in files.items():
        (directory / uid / name).write_text(text)


def read(directory):
    return {path.relative_to(directory).as_posix(): path.read_text() for path in directory.rglob("*") if path.is_file()}


def test_without_a_collision_the_provider_is_linked(two_providers, tmp_path):
    user = sign_in(two_providers, "grace", providerID="other", app="mine")["result"]["user"]
    done = merge(two_providers, tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, user["uid"] + "\n", "")
    now = two_providers.call("GetCurrentUser", {"app": "mine"})["user"]
    assert [data["providerID"] for data in now["providerData"]] == ["other", "demo"]


@pytest.mark.parametrize("is_anonymous", [True, False], ids=["anonymous", "lasting"])
def test_two_users_are_merged(two_providers, tmp_path, is_anonymous):
    daemon, files = two_providers, tmp_path / "files"
    files.mkdir()
    stays = sign_in(daemon, "ada", app="elsewhere")["result"]["user"]["uid"]
    if is_anonymous:
        goes = daemon.call("SignInAnonymously", {"app": "mine"})["result"]["user"]["uid"]
    else:
        goes = sign_in(daemon, "grace", providerID="other", app="mine")["result"]["user"]["uid"]
    write(files, stays, both="first")
    write(files, goes, both="second", own="second")
    done = merge(daemon, files)
    assert (done.returncode, done.stdout, done.stderr) == (0, stays + "\n", "")
    assert read(files) == {f"{stays}/both": "first", f"{stays}/own": "second"}
    user = daemon.call("GetCurrentUser", {"app": "mine"})["user"]
    assert user["uid"] == stays and user["isAnonymous"] is False
    assert [data["providerID"] for data in user["providerData"]] == (["demo"] if is_anonymous else ["demo", "other"])
    assert daemon.call("GetStatus")["users"] == 1


def test_an_interrupted_merge_is_resumed(two_providers, tmp_path):
    files = tmp_path / "files"
    files.mkdir()
    user = sign_in(two_providers, "ada", app="mine")["result"]["user"]
    write(files, "gone", own="second")
    assert merge(two_providers, files, "--from", "gone").returncode == 0
    assert read(files) == {f"{user['uid']}/own": "second"}


def test_the_example_says_when_nobody_is_signed_in(two_providers, tmp_path):
    done = merge(two_providers, tmp_path)
    assert done.returncode == 1 and "nobody is signed in" in done.stderr


def test_without_a_daemon_it_says_so(tmp_path):
    for environment in ({"POSTERN_SOCKET": str(tmp_path / "none")}, {"XDG_RUNTIME_DIR": str(tmp_path)}, {}):
        done = subprocess.run([sys.executable, str(MERGE), "demo", str(tmp_path)], env=environment, capture_output=True, text=True, timeout=60)
        assert done.returncode == 1 and "posternd cannot be reached" in done.stderr and "Traceback" not in done.stderr
