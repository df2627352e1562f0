"""Mistakes in the files for all users of a machine: each user's daemon goes on, says so, and loosens nothing."""
import json
import os
import subprocess

import pytest
from commands import run
from postern import BIN, VarlinkError, wait_for

GOOD = """
[provider.work]
kind = "oauth2"
authorization-endpoint = "http://127.0.0.1:9/authorize"
token-endpoint = "http://127.0.0.1:9/token"
userinfo-endpoint = "http://127.0.0.1:9/userinfo"
client-id = "work"

[account.acme]
provider = "work"
"""
MINE = GOOD.replace("work", "mine").replace("acme", "own")


@pytest.fixture
def file(system):
    return system / "etc/postern/config.toml"


@pytest.fixture
def start(make_daemon, system):
    """A daemon of the user's, or another one in the same place."""
    daemon = make_daemon(MINE, environment={"POSTERN_SYSTEM_ROOT": str(system)})

    def start():
        if daemon.process is not None and daemon.process.poll() is None:
            daemon.stop()
        return daemon.start()

    return start


def problems(daemon):
    return {p["providerID"]: p.get("problem") for p in daemon.call("ListProviders")["providers"]}


def check(daemon, *arguments):
    return subprocess.run(
        [BIN / "posternd", "--check-config", *arguments], capture_output=True, text=True, timeout=60,
        env={**os.environ, "HOME": str(daemon.directory), **daemon.environment})


def test_a_mistake_in_a_section_is_reported_everywhere_and_blocks_nobody(start, file):
    file.write_text(GOOD.replace('client-id = "work"', 'clientid = "work"') + "[sign-in]\ntimeout = 5\n")
    daemon = start()
    fault = f"{file}:7: unknown key clientid in [provider.work]; did you mean client-id?; [provider.work] is not used until this is fixed"
    assert fault in daemon.call("GetStatus")["leftOut"] and len(daemon.call("GetStatus")["leftOut"]) == 2
    assert "problems" not in daemon.call("GetStatus") or not daemon.call("GetStatus")["problems"]
    wait_for(lambda: f"a mistake in a file for all users: {fault}" in daemon.log.read_text(), what="the log")
    status = run(daemon, "status").stdout
    assert "left out" in status and "unknown key clientid" in " ".join(status.split()), status
    found = json.loads(run(daemon, "doctor", "--json", **daemon.environment).stdout)["findings"]
    about = [finding for finding in found if "clientid" in finding["detail"]]
    assert [(f["level"], f["title"], f["detail"], f["fix"]) for f in about] == [("warn", "configuration", fault, "tell the administrator of this machine")]
    # What is not affected works, and what is says why.
    assert problems(daemon)["mine"] is None and "clientid" in problems(daemon)["work"]
    for name in ("work", "acme"):
        with pytest.raises(VarlinkError, match="unknown key clientid") as error:
            daemon.call("SignIn", {"providerID": name, "presentation": "client"}, more=True)
        assert error.value.short == "ProviderNotConfigured"
    # A reload takes a mistake like a start does, and its end, too.
    file.write_text(GOOD + "[colours]\n")
    daemon.call("Reload")
    assert problems(daemon)["work"] is None and len(daemon.call("GetStatus")["leftOut"]) == 1
    file.write_text(GOOD)
    daemon.call("Reload")
    assert "leftOut" not in daemon.call("GetStatus")


def test_an_account_with_a_mistake_gives_no_token_and_says_why(start, file):
    file.write_text(GOOD + "onyl = true\n")
    daemon = start()
    for call in ("GetAccessToken", "GetIDToken"):
        with pytest.raises(VarlinkError, match="the account acme cannot be used: .*unknown key onyl"):
            daemon.call(call, {"providerID": "acme"})
    assert problems(daemon)["work"] is None


def test_the_last_valid_content_of_a_file_stays_in_force_across_a_restart(start, file):
    file.write_text(GOOD)
    daemon = start()
    file.write_text("[provider.work\n")
    daemon.call("Reload")
    for _ in range(2):
        [fault] = daemon.call("GetStatus")["leftOut"]
        assert fault.startswith(f"{file}:") and fault.endswith("; what the file said before stays in force until this is fixed")
        assert problems(daemon)["work"] is None
        daemon = start()
    file.unlink()
    daemon.call("Reload")
    assert "work" not in problems(daemon) and "leftOut" not in daemon.call("GetStatus")


def test_a_mistake_about_the_stores_key_prevents_creating_a_store(make_daemon, system, file):
    """Its key would stay in a place that the administrator may not want."""
    file.write_text('[store]\nkey = "pasphrase"\n')
    daemon = make_daemon(environment={"POSTERN_SYSTEM_ROOT": str(system)})
    daemon.config.write_text("[callback]\nport = 0\n")
    daemon.start()
    assert "no store is made while it is unknown where the administrator wants its key" in daemon.call("GetStatus")["storeProblem"]
    assert not (daemon.directory / "state/postern.db").exists() and not (daemon.directory / "state/key").exists()
    # The user may decide; and one that is there is opened.
    daemon.config.write_text('[callback]\nport = 0\n[store]\nkey = "file"\n')
    daemon.call("Reload")
    assert "storeProblem" not in daemon.call("GetStatus")
    daemon.config.write_text("[callback]\nport = 0\n")
    daemon.stop()
    daemon.start()
    assert "storeProblem" not in daemon.call("GetStatus")


def test_a_mistake_about_the_authority_prevents_every_sign_in(start, file):
    file.write_text('[accounts]\nautority = "firebase"\n')
    daemon = start()
    assert any("nobody can sign in while it is unknown where the administrator wants the users" in p for p in daemon.call("GetStatus")["problems"])
    with pytest.raises(VarlinkError):
        daemon.call("CreateUser", {"email": "ada@example.org", "password": "correct horse"})
    file.write_text("[accounts]\none-acount-per-email = false\n")
    daemon = start()
    assert daemon.call("CreateUser", {"email": "ada@example.org", "password": "correct horse"})


def test_a_file_can_be_checked_before_it_is_deployed(start, system, file, tmp_path):
    file.write_text(GOOD)
    daemon = start()
    for path in (file.parent, file.parent / "config.d"):
        path.chmod(0o755)
    file.chmod(0o644)
    done = check(daemon, "--system")
    assert done.returncode == 0 and done.stderr == "" and str(file) in done.stdout, done.stderr
    draft = tmp_path / "draft/config.toml"
    (draft.parent / "config.d").mkdir(parents=True)
    draft.write_text(GOOD + "onyl = true\n[callback]\nprt = 1\n")
    (draft.parent / "config.d/secret.toml").write_text('[provider.lab]\nkind = "oidc"\nissuer = "https://lab.example"\nclient-id = "x"\nclient-secret = "hush"\n')
    (draft.parent / "config.d/syntax.toml").write_text("[x\n")
    done = check(daemon, "--system", "--config", str(draft))
    lines = [line for line in done.stderr.splitlines() if line]
    assert done.returncode == 78 and len(lines) == 4 and "hush" not in done.stderr, done.stderr
    for place in (f"{draft}:11: ", f"{draft}:13: ", f"{draft.parent}/config.d/secret.toml:5: ", f"{draft.parent}/config.d/syntax.toml:1: "):
        assert any(place in line for line in lines), (place, done.stderr)
    # The user's own configuration has no part in it.
    daemon.config.write_text("nonsense")
    assert check(daemon, "--system").returncode == 0
    file.chmod(0o600)
    assert check(daemon, "--system").returncode == 78
    assert check(daemon, "--system", "--config", str(tmp_path / "none.toml")).returncode == 78
    (system / "usr/share/postern/providers.d/tool.toml").write_text("[callback]\nport = 1\n")
    file.chmod(0o644)
    done = check(daemon, "--system")
    assert done.returncode == 78 and "tool.toml:1: " in done.stderr, done.stderr


def test_a_root_without_files_is_not_reported_as_valid(make_daemon, tmp_path):
    daemon = make_daemon(MINE)
    for root, status, sentence in [
        ("./tree", 64, "POSTERN_SYSTEM_ROOT is './tree', which is not an absolute path; nothing was checked"),
        (str(tmp_path / "nowhere"), 78, f"there is no configuration for all users below {tmp_path}/nowhere"),
    ]:
        daemon.environment["POSTERN_SYSTEM_ROOT"] = root
        checked = check(daemon, "--system")
        assert checked.returncode == status and sentence in checked.stderr and not checked.stdout, checked
