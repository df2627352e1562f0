"""An administrator's typos, on a machine with two users."""
import json

import pytest

from machine import SOURCE, wait_until
from package import PUBLIC

FILE = "/etc/postern/config.toml"
GOOD = PUBLIC.replace("legacy", "company") + "[sign-in]\ntimeout = \"2m\"\n"


class Second:
    """Another user, with the package in their home."""

    def __init__(self, machine):
        self.machine = machine
        self.who = {"user": "otto", "uid": 1002, "home": "/home/otto"}
        machine.run("useradd", "-m", "-u", "1002", "otto", user="root")
        machine.run("loginctl", "enable-linger", "otto", user="root")
        wait_until(machine.path("/run/user/1002/systemd/private").exists, "the second user's service manager", 60)
        self.run("sh", f"{SOURCE}/packaging/install.sh", "--no-enable")
        self.run("systemctl", "--user", "daemon-reload")
        self.run("systemctl", "--user", "start", "postern.socket")

    def run(self, *words, **options):
        return self.machine.run(*words, **self.who, **options)


@pytest.fixture(scope="module")
def second(machine):
    second = Second(machine)
    yield second
    second.run("systemctl", "--user", "stop", "postern.socket", "postern.service")
    machine.run("loginctl", "disable-linger", "otto", user="root")


@pytest.fixture
def users(installed, second):
    """What runs a command as each of the two; both have no configuration of their own, or one of a provider."""
    second.run("systemctl", "--user", "stop", "postern.service")
    second.run("rm", "-rf", "/home/otto/.local/state/postern")
    second.run("systemctl", "--user", "start", "postern.socket")
    installed.run("mkdir", "-p", "/etc/postern", user="root")
    yield [installed.run, second.run]
    installed.run("rm", "-r", "/etc/postern", user="root")


def write(machine, text, mode=0o644):
    machine.write(FILE, text, mode, user="root", uid=0)


def status(run):
    return json.loads(run("postern", "status", "--json").stdout)


def providers(run):
    return {p["providerID"]: p.get("problem") for p in json.loads(run("postern", "provider", "list", "--json").stdout)["providers"]}


def test_a_typo_in_a_section_is_reported_to_both_users_and_blocks_neither(installed, users):
    write(installed, GOOD.replace("client-id", "clientid"))
    for run in users:
        said = status(run)
        # The port is the first user's.
        assert "unknown key clientid" in said["leftOut"][0] and not any("company" in problem for problem in said.get("problems") or [])
        assert "unknown key clientid" in providers(run)["company"]
        assert "left out" in run("postern", "status").stdout
        findings = json.loads(run("postern", "doctor", "--json", check=False).stdout)["findings"]
        assert ["warn"] == [f["level"] for f in findings if "clientid" in f["detail"]]
        wait_until(
            lambda: "unknown key clientid" in run("journalctl", "--user", "--no-pager", "-u", "postern.service").stdout, "the journal")
    assert providers(users[0])["legacy"] is None
    checked = installed.run(f"{SOURCE}/.build/release/posternd", "--check-config", "--system", user="root", check=False)
    assert checked.returncode == 78 and f"{FILE}:7: " in checked.stderr, checked.stderr
    # Mended, it counts from the next reload on.
    write(installed, GOOD)
    assert installed.run(f"{SOURCE}/.build/release/posternd", "--check-config", "--system", user="root").stdout
    for run in users:
        run("postern", "reload")
        assert "leftOut" not in status(run) and providers(run)["company"] is None


@pytest.mark.parametrize("text, mode", [("[provider.company\n", 0o644), (GOOD, 0o666), (GOOD, 0o600)], ids=["syntax", "writable", "closed"])
def test_an_unusable_file_keeps_each_users_last_valid_content(installed, second, users, text, mode):
    write(installed, GOOD)
    # The second user's daemon has not run since the file is there.
    assert providers(users[0])["company"] is None
    write(installed, text, mode)
    installed.systemctl("stop", "postern.service")
    assert providers(users[0])["company"] is None
    assert "what the file said before stays in force" in status(users[0])["leftOut"][0]
    assert "company" not in providers(users[1])
    assert "the file is not used" in status(users[1])["leftOut"][0]
