"""Accounts with names of their own: which one a name, a login, a URL and a person mean."""
import json

import pytest
from commands import Command, run
from postern import ends_with, oidc
from signing_in import browser_command, sign_in

ACCOUNTS = """
[account.poet]
provider = "demo"
login = "ada@example.com"
for = ["%(issuer)s/api/poems/"]
[account.navy]
provider = "demo"
"""


@pytest.fixture
def daemon(make_daemon, demo):
    return make_daemon(oidc(demo, serves=[f"{demo}/api"]) + ACCOUNTS % {"issuer": demo}).start()


@pytest.fixture
def demo(make_provider):
    return make_provider()


def test_every_name_of_an_account_gives_its_token(daemon):
    ada = sign_in(daemon, "ada", providerID="poet")["credential"]["accessToken"]
    grace = sign_in(daemon, "grace", providerID="navy")["credential"]["accessToken"]
    for arguments, token in [
        (("poet",), ada), (("navy",), grace), (("demo", "--account", "ADA@example.com"), ada), (("demo", "--account", "navy"), grace),
        (("demo", "--account", "demo-1906"), grace),
    ]:
        done = run(daemon, "token", *arguments)
        assert (done.returncode, done.stdout) == (0, token + "\n"), done.stderr
    several = run(daemon, "token", "demo")
    assert several.returncode == 1 and not several.stdout
    assert "ada@example.com (demo-1815), grace@example.org (demo-1906)" in several.stderr and "--account demo-1815" in several.stderr
    listed = {each["uid"]: each for each in json.loads(run(daemon, "credentials", "--json").stdout)["credentials"]}
    assert [(listed[uid]["account"], listed[uid]["email"]) for uid in ("demo-1815", "demo-1906")] == [
        ("poet", "ada@example.com"), ("navy", "grace@example.org")]


def test_somebody_else_is_not_kept_under_the_name(daemon):
    with ends_with("UserMismatch"):
        sign_in(daemon, "grace", providerID="poet")
    missing = run(daemon, "token", "poet")
    assert missing.returncode == 3 and "postern sign-in poet" in missing.stderr
    assert run(daemon, "credentials").stdout == ""


def test_a_name_without_a_login_outlives_a_restart(daemon):
    sign_in(daemon, "ada")
    grace = sign_in(daemon, "grace", providerID="navy")["credential"]["accessToken"]
    daemon.kill()
    daemon.start()
    assert run(daemon, "token", "navy").stdout == grace + "\n"


def test_a_terminal_asks_which_one(daemon):
    sign_in(daemon, "ada")
    grace = sign_in(daemon, "grace")["credential"]["accessToken"]
    command = Command(daemon, "token", "demo", terminal=True)
    command.read_until(r"which one\? \[")
    assert "1  poet, ada@example.com" in command.text and "2  grace@example.org" in command.text
    command.type("2\n")
    assert command.end() == (0, grace + "\n"), command.text
    command = Command(daemon, "token", "demo", terminal=True)
    command.read_until(r"which one\? \[")
    command.type("n\n")
    assert command.end() == (2, "")


def test_a_url_finds_its_account(daemon, demo):
    sign_in(daemon, "ada", providerID="poet")
    sign_in(daemon, "grace", providerID="navy")

    def found(url):
        return [each["account"] for each in daemon.call("FindAccount", {"url": url})["accounts"]]

    assert found(f"{demo}/api/poems/1") == ["poet", "navy"] and found(f"{demo}/api/ships") == ["navy"]
    assert found(f"{demo}/apis") == [] and found("https://example.org/api/poems/") == []
    for url in (f"{demo}/api/poems/../ships", "http://user@127.0.0.1/api", "https://example.org/#"):
        with ends_with("OriginNotServed"):
            daemon.call("FindAccount", {"url": url})


def test_the_command_signs_in_by_name(make_daemon, demo):
    daemon = make_daemon(oidc(demo) + ACCOUNTS % {"issuer": demo}, browser=browser_command("ada")).start()
    done = run(daemon, "sign-in", "poet", DISPLAY=":99")
    assert done.returncode == 0 and "Ada Lovelace" in done.stdout, done.stderr
    assert run(daemon, "token", "poet").returncode == 0
    revoked = run(daemon, "revoke", "poet")
    assert revoked.returncode == 0 and run(daemon, "token", "poet").returncode == 3
    waiting = Command(daemon, "sign-in", "navy", "--no-browser", terminal=True)
    waiting.read_until("press d and Enter")
    waiting.process.terminate()
    waiting.end()
