"""Accounts with names of their own: which one a name, a login, a URL and a person mean."""
import base64
import contextlib
import fcntl
import json
import os
import pty
import queue
import struct
import subprocess
import termios

import pytest
from commands import POSTERN, Command, environment, run
from fake_service import Refusal, Service
from loopback import Handler, Listener
from postern import ends_with, oidc
from signing_in import browser_command, keep, sign_in

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


def test_an_account_can_be_named_in_every_way(daemon):
    ada = keep(daemon, "ada", providerID="poet")
    grace = keep(daemon, "grace", providerID="navy")
    for arguments, token in [
        (("poet",), ada), (("navy",), grace), (("demo", "--account", "ADA@example.com"), ada), (("demo", "--account", "navy"), grace),
        (("demo", "--account", "demo-1906"), grace),
    ]:
        done = run(daemon, "token", *arguments)
        assert (done.returncode, done.stdout) == (0, token + "\n"), done.stderr
    several = run(daemon, "token", "demo")
    assert several.returncode == 1 and not several.stdout
    assert "ada@example.com, grace@example.org; name one" in several.stderr and "--account poet, --account navy" in several.stderr
    listed = {each["uid"]: each for each in json.loads(run(daemon, "credentials", "--json").stdout)["credentials"]}
    assert [(listed[uid]["account"], listed[uid]["email"]) for uid in ("demo-1815", "demo-1906")] == [
        ("poet", "ada@example.com"), ("navy", "grace@example.org")]


def set_key(daemon, key, value):
    done = run(daemon, "config", "set", key, value, "--config", str(daemon.config))
    assert done.returncode == 0, done.stderr


def test_with_two_accounts_every_command_explains_how_to_choose_one(make_daemon, demo):
    daemon = make_daemon(oidc(demo, serves=[f"{demo}/api"])).start()
    sign_in(daemon, "ada")
    grace = sign_in(daemon, "grace")["credential"]["accessToken"]
    naming = "postern config set account.NAME.provider {} && postern config set account.NAME.login '{{ id = \"ID\" }}', where ID is demo-1815 or demo-1906"
    for arguments, provider in [
        (("exec", "--env", "A=demo", "--", "true"), "demo"), (("sasl", "xoauth2", "demo"), "demo"),
        (("curl", "--account", "demo", f"{demo}/api"), "demo"),
        (("call", "GetAccessToken", '{"providerID": "demo"}'), "demo"),
    ]:
        several = run(daemon, *arguments)
        assert several.returncode == 1 and not several.stdout, arguments
        assert naming.format(provider) in several.stderr and "choose one" not in several.stderr, (arguments, several.stderr)
    several = run(daemon, "curl", f"{demo}/api")
    assert several.returncode == 1 and "account.NAME.login '{ id = \"ID\" }' && postern config set provider.demo.account NAME`" in several.stderr
    assert several.stderr.count("account.NAME.provider") == 1, several.stderr
    helped = run(daemon, "helper", "pnpm", "demo")
    assert helped.returncode != 0 and naming.format("demo") in helped.stderr, helped.stderr
    for command in ("token", "revoke"):
        assert "--account ada@example.com, --account grace@example.org" in run(daemon, command, "demo").stderr
    for key, value in [("provider", "demo"), ("login", '{ id = "demo-1906" }')]:
        set_key(daemon, f"account.navy.{key}", value)
    named = run(daemon, "exec", "--env", "A=navy", "--", "sh", "-c", 'printf %s "$A"')
    assert (named.returncode, named.stdout) == (0, grace), named.stderr
    assert run(daemon, "helper", "pnpm", "navy").stdout.strip().removeprefix("Bearer ") == grace


def test_another_person_is_not_stored_under_the_accounts_name(daemon):
    with ends_with("UserMismatch"):
        sign_in(daemon, "grace", providerID="poet")
    missing = run(daemon, "token", "poet")
    assert missing.returncode == 3 and "postern sign-in poet" in missing.stderr
    assert run(daemon, "credentials").stdout == ""


def test_a_name_without_a_login_survives_a_restart(daemon):
    sign_in(daemon, "ada")
    grace = keep(daemon, "grace", providerID="navy")
    daemon.kill()
    daemon.start()
    assert run(daemon, "token", "navy").stdout == grace + "\n"


def test_a_terminal_asks_which_account_is_meant(daemon):
    sign_in(daemon, "ada")
    grace = sign_in(daemon, "grace")["credential"]["accessToken"]
    command = Command(daemon, "token", "demo", terminal=True)
    command.read_until(r"which one\? \[")
    assert "1  poet, ada@example.com" in command.text and "2  grace@example.org" in command.text
    # No account is meant by Enter alone.
    command.type("\n")
    command.read_until("Type a number from 1 to 2, or n")
    command.read_until(r"which one\? \[")
    command.type("2\n")
    assert command.end() == (0, grace + "\n"), command.text
    # Who knows the list by heart need not wait for the question to come again.
    command = Command(daemon, "token", "demo", terminal=True)
    command.read_until(r"which one\? \[")
    command.type("3\n2\n")
    assert command.end() == (0, grace + "\n"), command.text
    command = Command(daemon, "token", "demo", terminal=True)
    command.read_until(r"which one\? \[")
    command.type("n\n")
    assert command.end() == (2, "")


def test_the_accounts_of_another_provider_are_not_offered(tmp_path):
    """Two servers that count their accounts give the same numbers to different people."""
    kept = [{"providerID": provider, "uid": uid, "email": f"{uid}@{provider}", "scopes": [], "refreshable": True, "state": "good"}
            for provider in ("elsewhere", "demo") for uid in ("1", "2")]

    def token(parameters):
        if "uid" not in parameters:
            return Refusal("AmbiguousAccount", uids=["1", "2"])
        return {"accessToken": "token of " + parameters["uid"], "tokenType": "Bearer", "scopes": [], "uid": parameters["uid"]}

    fake = Service(tmp_path, ListCredentials={"credentials": kept}, GetAccessToken=token)
    try:
        command = Command(fake, "token", "demo", terminal=True)
        command.read_until(r"which one\? \[1–2")
        assert "1  1@demo, 1" in command.text and "2  2@demo, 2" in command.text and "elsewhere" not in command.text
        command.type("2\n")
        assert command.end() == (0, "token of 2\n"), command.text
        assert fake.called("GetAccessToken") == [{"providerID": "demo"}, {"providerID": "demo", "uid": "2"}]
    finally:
        fake.close()


def test_input_typed_before_the_question_does_not_answer_it(tmp_path):
    """Enter or a number, pressed while the command did something else."""
    kept = [{"providerID": "demo", "uid": uid, "scopes": [], "refreshable": True, "state": "good"} for uid in ("1", "2")]
    terminal = queue.Queue()

    def token(parameters):
        if "uid" not in parameters:
            terminal.get(timeout=20).type("1\n")
            return Refusal("AmbiguousAccount", uids=["1", "2"])
        return {"accessToken": "token of " + parameters["uid"], "tokenType": "Bearer", "scopes": [], "uid": parameters["uid"]}

    fake = Service(tmp_path, ListCredentials={"credentials": kept}, GetAccessToken=token)
    try:
        command = Command(fake, "token", "demo", terminal=True)
        terminal.put(command)
        command.read_until(r"which one\? \[1–2")
        command.type("2\n")
        assert command.end() == (0, "token of 2\n"), command.text
    finally:
        fake.close()


def test_a_url_finds_its_account(daemon, demo):
    keep(daemon, "ada", providerID="poet")
    keep(daemon, "grace", providerID="navy")

    def found(url):
        return [each["account"] for each in daemon.call("FindAccount", {"url": url})["accounts"]]

    assert found(f"{demo}/api/poems/1") == ["poet", "navy"] and found(f"{demo}/api/ships") == ["navy", "poet"]
    assert found(f"{demo}/apis") == [] and found("https://example.org/api/poems/") == []
    for url in (f"{demo}/api/poems/../ships", "http://user@127.0.0.1/api", "https://example.org/#"):
        with ends_with("OriginNotServed"):
            daemon.call("FindAccount", {"url": url})


def test_exec_and_sasl_accept_the_accounts_name(daemon, demo):
    tokens = {name: keep(daemon, person, providerID=name) for name, person in (("poet", "ada"), ("navy", "grace"))}
    both = run(daemon, "exec", "--env", "A=poet", "--env", "B=navy", "--", "sh", "-c", 'echo "$A $B"')
    assert both.stdout.split() == [tokens["poet"], tokens["navy"]], both.stderr
    assert run(daemon, "exec", "--env", "A=demo", "--", "echo", "ran").stdout == "", "two accounts, and neither is named"
    for name, address in (("poet", "ada@example.com"), ("navy", "grace@example.org")):
        done = run(daemon, "sasl", "xoauth2", name)
        assert base64.b64decode(done.stdout) == f"user={address}\x01auth=Bearer {tokens[name]}\x01\x01".encode(), done.stderr
    assert run(daemon, "sasl", "xoauth2", "demo").stdout == ""


class API(Listener):
    """Notes whose token came, and where."""

    def __init__(self):
        self.seen = []
        api = self

        class Handling(Handler):
            def do_GET(self):
                api.seen.append((self.path, self.headers.get("Authorization")))
                self.send(200, b"ok\n")

        super().__init__(Handling)


def test_curl_uses_the_account_of_the_url_or_the_named_account(make_daemon, demo):
    api = API()
    try:
        accounts = ACCOUNTS % {"issuer": api.origin}
        daemon = make_daemon(oidc(demo, serves=[api.origin]) + accounts).start()
        ada = keep(daemon, "ada", providerID="poet")
        grace = keep(daemon, "grace", providerID="navy")
        for arguments, path, token in [
            ([], "/api/poems/1", ada), ([], "/api/ships", grace), (["--account", "poet"], "/api/poems/2", ada), (["--account", "navy"], "/api/poems/3", grace),
        ]:
            done = run(daemon, "curl", *arguments, "-sSf", f"{api.origin}{path}")
            assert (done.stdout, done.stderr) == ("ok\n", "") and api.seen.pop() == (path, f"Bearer {token}"), arguments
        done = run(daemon, "curl", "--account", "poet", "-sSf", f"{api.origin}/api/ships")
        assert done.stdout == "ok\n" and api.seen.pop() == ("/api/ships", f"Bearer {ada}"), "its own URL is added to those of its provider"
        # With `only` its tokens are for its own URLs, whoever names it.
        set_key(daemon, "account.poet.only", "true")
        done = run(daemon, "curl", "--account", "poet", "-sSf", f"{api.origin}/api/ships")
        assert done.returncode == 1 and done.stdout == "" and api.seen == []
        refused = run(daemon, "config", "set", "provider.demo.account", "poe", "--config", str(daemon.config))
        assert refused.returncode != 0 and 'did you mean "poet"?' in refused.stderr, refused.stderr
        set_key(daemon, "provider.demo.account", "poet")
        assert run(daemon, "token", "demo").stdout == ada + "\n"
    finally:
        api.close()


def test_an_unknown_account_name_is_reported_with_the_stored_ones(daemon):
    first = run(daemon, "token", "demo", "--account", "nobody@example.com")
    assert first.returncode == 3, "nobody at all has signed in"
    sign_in(daemon, "ada")
    sign_in(daemon, "grace")
    done = run(daemon, "token", "demo", "--account", "gracy")
    assert done.returncode == 1 and done.stdout == ""
    assert "no account at demo is called gracy; stored here: ada@example.com, grace@example.org; " in done.stderr
    assert "--account poet, --account grace@example.org" in done.stderr
    # Nobody is asked to choose who has chosen.
    command = Command(daemon, "token", "demo", "--account", "gracy", terminal=True)
    assert command.end() == (1, "") and "which one?" not in command.text
    # One that is configured is signed in to.
    missing = run(daemon, "token", "demo", "--account", "navy")
    assert missing.returncode == 3 and "postern sign-in navy" in missing.stderr


def test_stored_credentials_are_listed_with_their_account_names(daemon):
    sign_in(daemon, "ada", providerID="poet")
    sign_in(daemon, "grace")
    lines = run(daemon, "credentials").stdout.splitlines()
    assert lines[0].split() == ["PROVIDER", "NAME", "ACCOUNT", "ADDRESS", "WHO", "STATE", "TOKEN", "UNTIL", "REFRESH", "SCOPES"]
    assert lines[1].split()[:4] == ["demo", "poet", "demo-1815", "ada@example.com"] and lines[2].split()[:4] == ["demo", "-", "demo-1906", "grace@example.org"]
    for width, first in ((60, "demo"), (120, "PROVIDER  NAME"), (250, "PROVIDER  NAME")):
        shown = on_a_terminal(daemon, width, "credentials").splitlines()
        assert shown[0].startswith(first) and "ada@example.com" in "".join(shown) and max(map(len, shown)) <= width, shown


def on_a_terminal(daemon, columns, *arguments):
    """What stands on a terminal of that width."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    with subprocess.Popen([POSTERN, *arguments], stdin=subprocess.DEVNULL, stdout=slave, stderr=subprocess.DEVNULL, env=environment(daemon)) as process:
        os.close(slave)
        shown = b""
        with contextlib.suppress(OSError):  # everybody at the other end has gone
            while data := os.read(master, 65536):
                shown += data
        assert process.wait(20) == 0
    os.close(master)
    return shown.decode()


def test_the_command_signs_in_by_name(make_daemon, demo):
    daemon = make_daemon(oidc(demo) + ACCOUNTS % {"issuer": demo}, browser=browser_command("ada")).start()
    done = run(daemon, "sign-in", "poet", DISPLAY=":99")
    assert (done.returncode, done.stdout) == (0, "signed in as Ada Lovelace at demo (account poet)\n") and "waiting for you at demo" in done.stderr, done.stderr
    assert run(daemon, "token", "poet").returncode == 0
    revoked = run(daemon, "sign-out", "poet")
    assert revoked.returncode == 0 and "Ada Lovelace at demo (account poet): revoked at demo, and forgotten here" in revoked.stderr and run(daemon, "token", "poet").returncode == 3
    waiting = Command(daemon, "sign-in", "navy", "--no-browser", terminal=True)
    waiting.read_until("press d and Enter")
    waiting.process.terminate()
    waiting.end()
