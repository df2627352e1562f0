"""`postern setup`: from nothing to the first token in one command, against a server in GitHub's shape."""
import base64
import contextlib
import json
import os
import re
import socket
import stat
import termios
import urllib.parse

from commands import URL, run
from desktop import Desktop
from fake_service import Refusal, Service
from newcomer import ID, fresh, github  # noqa: F401
from person import consent
from postern import wait_for

WHAT_FOR = r"What are the tokens for\?"
SIGNED_IN = (0, "signed in as octo at GitHub (account o@example.com)\n")


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def fill_in(command, secret, purpose="3"):
    """What for (3 is sign-in only), what GitHub gave, and yes; returns what was typed."""
    typed = [f"{purpose}\n", f"{ID}\n", f"{secret}\n", "\n"]
    for question, answer in zip([WHAT_FOR, "Client ID:", "Client secret", r"Write it\?"], typed):
        command.read_until(question)
        if question == "Client secret":
            wait_for(lambda: not termios.tcgetattr(command.master)[3] & termios.ECHO)
        command.type(answer)
    return "".join(typed)


def test_one_command_and_one_page_lead_to_the_first_token(fresh):
    command = fresh.command("setup", "github.com")
    typed = fill_in(command, "shh")
    assert command.end() == SIGNED_IN, command.text
    # Beside the ID and the secret: a number, and Enter four times.
    assert len(typed) == len(ID) + len("shh") + 1 + 4
    wait_for(lambda: len(fresh.pages) == 2)
    registration, authorization = sorted(fresh.pages, key=lambda page: "/login/" in page)
    page = urllib.parse.urlsplit(registration)
    assert page.netloc == "github.com" and page.path == "/settings/applications/new"
    callback = fresh.daemon.origin + "/__/auth/handler"
    assert urllib.parse.parse_qs(page.query) == {
        "oauth_application[name]": ["Postern"], "oauth_application[url]": [fresh.daemon.origin], "oauth_application[callback_url]": [callback]}
    assert "/login/oauth/authorize" in authorization
    assert fresh.part.read_text() == (
        f'[provider."github.com"]\nclient-id = "{ID}"\nclient-secret = {{ file = "~/xdg/postern/github.com.secret" }}\n')
    assert fresh.secret.read_text() == "shh\n" and mode(fresh.secret) == mode(fresh.part) == 0o600
    assert "shh" not in command.text and f'+ provider."github.com".client-id = "{ID}"' in command.text
    # The callback URL, and nothing else, went to the clipboard.
    copied = [part.split("\x07")[0] for part in command.text.split("\x1b]52;c;")[1:]]
    assert [base64.b64decode(text).decode() for text in copied] == [callback]
    assert fresh.run("token", "github.com").stdout == "gho_aaaa\n"


def test_a_secret_missing_from_standard_input_is_reported(fresh):
    for given, words in [("", "standard input is empty"), ("\nshh\n", "the first line of standard input")]:
        result = fresh.run("setup", "github.com", "--client-id", ID, "--client-secret-file", "-", "--yes", "--no-sign-in", stdin=given)
        assert result.returncode == 1 and words in result.stderr and "client secret" in result.stderr, result.stderr
    assert not fresh.part.exists() and not fresh.secret.exists()


def test_a_second_run_finds_the_existing_setup(fresh, github):
    assert fresh.run("setup", "github.com", "--client-id", ID, "--client-secret-file", "-", "--yes", "--no-sign-in", stdin="shh\n").returncode == 0
    command = fresh.command("setup", "github.com")
    command.read_until(r"already set up[^\0]*Change its client\?")
    command.type("\n")
    assert command.end() == SIGNED_IN, command.text
    # Another client has a secret of its own; the file keeps what else it has.
    fresh.part.write_text(fresh.part.read_text() + 'scopes = ["repo"]  # for work\n')
    command = fresh.command("setup", "github.com", "--no-sign-in")
    command.read_until("Change its client")
    command.type("y\n")
    command.read_until(r"1  sign-in only: [^\0]*" + WHAT_FOR)
    command.type("\n")
    command.read_until(rf"Client ID \(Enter: keep {ID}\):")
    command.type("Iv2.another\n")
    command.read_until("Client secret")
    wait_for(lambda: not termios.tcgetattr(command.master)[3] & termios.ECHO)
    command.type("shh\n")
    command.read_until("Write it")
    command.type("\n")
    assert command.end()[0] == 0, command.text
    assert '- provider."github.com".client-id = "Iv1' in command.text.replace("\r", "")
    text = fresh.part.read_text()
    assert 'client-id = "Iv2.another"' in text and '["repo"]  # for work' in text and fresh.secret.read_text() == "shh\n"


def test_a_secret_file_becomes_private_whatever_its_mode_was(fresh):
    fresh.secret.write_text("old\n")
    fresh.secret.chmod(0o644)
    result = fresh.run("setup", "github.com", "--client-id", ID, "--client-secret-file", "-", "--yes", "--no-sign-in", stdin="shh\n")
    assert result.returncode == 0 and "(mode 600)" in result.stderr, result.stderr
    assert fresh.secret.read_text() == "shh\n" and mode(fresh.secret) == 0o600


def test_a_change_that_the_daemon_rejects_leaves_the_secret_unchanged(fresh, tmp_path):
    tool = tmp_path / "tools" / "secret-tool"
    tool.parent.mkdir()
    kept = tool.with_name("kept")
    tool.write_text(f'#!/bin/sh\ncase $1 in store) cat > {kept};; lookup) test -e {kept} && cat {kept};; clear) rm {kept};; esac\n')
    tool.chmod(0o755)
    # What the daemon reads is broken, and what the command reads is not.
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    config = elsewhere / "config.toml"
    config.write_text("")
    (elsewhere / "config.d").mkdir()
    secret = elsewhere / "github.com.secret"
    fresh.daemon.config.write_text("nonsense")

    def setup(*more):
        result = fresh.run(
            "setup", "github.com", "--client-id", ID, "--client-secret-file", "-", "--yes", "--no-sign-in", "--config", str(config), *more,
            stdin="shh\n", PATH=f"{tool.parent}:{os.environ['PATH']}")
        assert result.returncode != 0 and "config.toml:1" in result.stderr, result.stderr
        assert not list((elsewhere / "config.d").iterdir())

    setup()
    assert not secret.exists()
    secret.write_text("old\n")
    secret.chmod(0o600)
    setup()
    assert secret.read_text() == "old\n" and mode(secret) == 0o600
    setup("--secret-in", "keyring")
    assert not kept.exists()
    kept.write_text("old")
    setup("--secret-in", "keyring")
    assert kept.read_text() == "old"


def test_a_name_unusable_as_a_file_name_is_refused_before_anything_is_written(fresh):
    def files():
        return {path: path.read_bytes() for path in fresh.daemon.directory.rglob("*.toml")}

    before = files()
    assert fresh.daemon.config in before
    given = ("--issuer", "http://127.0.0.1:9", "--client-id", "x", "--client-secret-file", "-", "--yes", "--no-sign-in")
    for name in ("../config", "https://git.example.com", "password"):
        for secret in ("file", "credential"):
            result = fresh.run("setup", name, *given, "--secret-in", secret, stdin="shh\n")
            assert result.returncode == 64 and f'"{name}": ' in result.stderr, result.stderr
    assert files() == before and not list(fresh.daemon.directory.rglob("*.secret"))
    asked = fresh.run("setup", "https://git.example.com", "--client-id", "x", "--yes")
    assert asked.returncode == 64 and "postern setup work --issuer https://" in asked.stderr, asked.stderr
    command = fresh.command("setup")
    command.read_until(r"Which one\?")
    # The beginning of one of them is as good as its number; that of several, or of none, is not.
    command.type("g\n")
    command.read_until(r"Type a number[^\0]*Which one\?")
    command.type("another\n")
    command.read_until("A name for it")
    command.type("../config\n")
    command.read_until(r"consists of a to z[^\0]*A name for it")
    command.type("work\n")
    command.read_until("Issuer")
    command.type("\x03")
    command.end()


def test_existing_files_are_neither_removed_nor_overwritten(fresh, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    (elsewhere / "config.d").mkdir(parents=True)
    (elsewhere / "config.toml").write_text("")
    part = elsewhere / "config.d" / "github.com.toml"
    kept = '[provider."github.com"]\nclient-id = "old"  # mine\n'
    part.write_text(kept)
    part.chmod(0o640)
    config = fresh.daemon.config.read_text()
    fresh.daemon.config.write_text("nonsense")
    result = fresh.run(
        "setup", "github.com", "--client-id", ID, "--client-secret-file", "-", "--yes", "--no-sign-in", "--config",
        str(elsewhere / "config.toml"), stdin="shh\n")
    assert result.returncode != 0 and "config.toml:1" in result.stderr, result.stderr
    assert part.read_text() == kept and mode(part) == 0o640
    fresh.daemon.config.write_text(config)
    # Somebody writes the file while the question stands.
    secret = tmp_path / "in.secret"
    secret.write_text("shh\n")
    command = fresh.command("setup", "github.com", "--client-id", ID, "--client-secret-file", str(secret), "--no-sign-in")
    command.read_until(WHAT_FOR)
    command.type("3\n")
    command.read_until("Write it")
    fresh.part.parent.mkdir(exist_ok=True)
    fresh.part.write_text(kept)
    command.type("\n")
    assert command.end()[0] == 1 and "github.com.toml has changed in the meantime and was not written" in command.text, command.text
    assert fresh.part.read_text() == kept and not fresh.secret.exists()


def test_undoing_a_change_keeps_what_others_wrote_in_between(fresh, tmp_path):
    """The daemon does not accept the change; until it has said so, somebody else writes both files."""
    def reload(parameters):
        fresh.part.write_text(fresh.part.read_text() + "# by another\n")
        fresh.secret.write_text("of another\n")
        raise Refusal("ConfigurationInvalid", file=str(fresh.part))

    service = Service(
        tmp_path, ListProviders={"providers": [{
            "providerID": "github.com", "displayName": "GitHub", "kind": "oauth2", "flows": ["browser"], "scopes": [], "configured": False}]},
        GetStatus={"version": "0.1.0", "startedAt": "2026-11-21T06:24:00Z", "callbackURLs": [], "locked": False, "sessions": 0, "users": 0, "credentials": 0},
        Reload=reload)
    try:
        result = run(
            service, "setup", "github.com", "--client-id", ID, "--client-secret-file", "-", "--yes", "--no-sign-in", stdin="shh\n", **fresh.environment)
    finally:
        service.close()
    assert result.returncode == 1 and result.stderr.count("has changed in the meantime, and stays as it is now") == 2, result.stderr
    assert fresh.part.read_text().endswith("# by another\n") and fresh.secret.read_text() == "of another\n"


def test_the_registration_page_opens_in_the_users_own_environment(fresh):
    """With what a desktop and its programs need, whatever it is called, and without what is for this process alone."""
    given = {"MOZ_ENABLE_WAYLAND": "1", "GTK_IM_MODULE": "ibus", "LC_MESSAGES": "ja_JP.UTF-8"}
    taken = {"XDG_ACTIVATION_TOKEN": "t", "NOTIFY_SOCKET": "/nowhere", "CREDENTIALS_DIRECTORY": "/nowhere", "SYSTEMD_EXEC_PID": "1", "INVOCATION_ID": "x"}
    script = fresh.browser.read_text().replace(
        "import sys, urllib.parse", "import json, os, sys, urllib.parse\nopen(__file__ + '.environment', 'w').write(json.dumps(dict(os.environ)))")
    fresh.browser.write_text(script)
    command = fresh.command("setup", "github.com", **given, **taken)
    command.read_until(WHAT_FOR)
    command.type("\n")
    command.read_until("Client ID:")
    wait_for(lambda: fresh.pages)
    command.type("\x03")
    command.end()
    seen = json.loads(fresh.browser.with_name("browser.environment").read_text())
    assert {name: seen.get(name) for name in given} == given and not taken.keys() & seen.keys()


def test_answering_no_changes_nothing(fresh):
    command = fresh.command("setup", "github")
    command.read_until(WHAT_FOR)
    command.type("\n")
    command.read_until("Client ID:")
    command.type("x\n")
    command.read_until("Client secret")
    command.type("y\n")
    command.read_until("Write it")
    command.type("n\n")
    assert command.end()[0] == 2
    assert not fresh.part.exists() and not fresh.secret.exists()


def test_github_needs_only_a_client_id(fresh, github):
    command = fresh.command("setup", "github.com")
    fill_in(command, "")
    command.read_until("WDJB-MJHT")
    github.codes["device"] = "gho_device"
    assert command.end() == SIGNED_IN, command.text
    assert fresh.part.read_text() == f'[provider."github.com"]\nclient-id = "{ID}"\nflow = "device"\n' and not fresh.secret.exists()
    assert fresh.run("token", "github.com").stdout == "gho_device\n"


def test_without_a_terminal_setup_says_which_arguments_it_needs(fresh):
    for arguments, word in [((), "which provider"), (("github.com",), "--client-id"), (("work",), 'no provider called "work"'), (("work",), "--client-id"), (("",), "provider's name is empty"), (("work", "--client-id", "x"), "--issuer")]:
        result = fresh.run("setup", *arguments)
        assert result.returncode == 64 and word in result.stderr, result.stderr
    assert not (fresh.directory / "config.d").exists()


def test_a_sign_in_without_a_client_offers_setup(fresh):
    result = fresh.run("sign-in", "github.com")
    assert result.returncode == 1 and "postern setup github.com" in result.stderr
    command = fresh.command("sign-in", "github.com")
    command.read_until(r"not set up yet\. Set it up now\?")
    command.type("\n")
    fill_in(command, "shh")
    assert command.end() == SIGNED_IN, command.text


def test_an_openid_provider_is_set_up_by_its_issuer(fresh, demo_provider):
    command = fresh.command("setup", "work", DISPLAY="")
    for question, answer in [
        ("Issuer", demo_provider), (r"Display name \(Enter: work\)", ""), ("Servers", ""), ("Client ID:", "postern-demo"), ("Client secret", ""),
        ("Write it", ""),
    ]:
        command.read_until(question)
        command.type(answer + "\n")
    consent(command.read_until(URL.pattern))
    assert command.end() == (0, "signed in as Ada Lovelace at work (account ada@example.com)\n"), command.text
    assert f'[provider.work]\nkind = "oidc"\nissuer = "{demo_provider}"\nclient-id = "postern-demo"\n' == (
        fresh.directory / "config.d" / "work.toml").read_text()


def test_setup_starts_the_sockets_after_the_user_agrees(fresh, tmp_path):
    """systemd's part is played by a program that puts the socket where the unit has it."""
    runtime = tmp_path / "runtime"
    (runtime / "postern").mkdir(parents=True, mode=0o700)
    runtime.chmod(0o700)
    tools = tmp_path / "tools"
    tools.mkdir()
    systemctl = tools / "systemctl"
    systemctl.write_text(
        f'#!/bin/sh\ntest "$2" = show && exit\necho "$@" >> {tools}/asked\nln -s {fresh.daemon.path} {runtime}/postern/io.postern\n')
    systemctl.chmod(0o755)
    more = {"POSTERN_SOCKET": "", "XDG_RUNTIME_DIR": str(runtime), "PATH": f"{tools}:{os.environ['PATH']}"}
    assert fresh.run("setup", "github.com", **more).returncode == 4
    command = fresh.command("setup", "github.com", **more)
    command.read_until(r"enable --now postern\.socket\)\?")
    assert not (tools / "asked").exists()
    command.type("y\n")
    fill_in(command, "shh")
    assert command.end() == SIGNED_IN, command.text
    assert (tools / "asked").read_text() == "--user enable --now postern.socket\n"


def test_where_no_systemd_answers_setup_says_how_to_start_the_daemon_in_the_background(fresh, tmp_path):
    """As in a container that has systemctl."""
    runtime = tmp_path / "runtime"
    runtime.mkdir(mode=0o700)
    systemctl = tmp_path / "tools" / "systemctl"
    systemctl.parent.mkdir()
    systemctl.write_text("#!/bin/sh\necho 'Failed to connect to bus: No medium found' >&2\nexit 1\n")
    systemctl.chmod(0o755)
    for path, *arguments in [(f"{systemctl.parent}:{os.environ['PATH']}", "github.com"), (str(tmp_path / "nowhere"), "github.com", "--yes")]:
        more = {"POSTERN_SOCKET": "", "XDG_RUNTIME_DIR": str(runtime), "PATH": path}
        result = fresh.run("setup", *arguments, **more)
        assert (result.returncode, result.stdout) == (4, "")
        assert result.stderr.endswith("the daemon is not running\n  start it in the background: nohup posternd >/dev/null 2>&1 &\n"), result.stderr
        assert "systemctl" not in result.stderr and "bus" not in result.stderr
        command = fresh.command("setup", *arguments, **more)
        assert command.end() == (4, "") and "nohup posternd >/dev/null 2>&1 &" in command.text and "?" not in command.text, command.text


def test_only_built_in_providers_are_called_built_in(fresh, tmp_path):
    (fresh.directory / "config.d").mkdir(exist_ok=True)
    (fresh.directory / "config.d" / "forge.toml").write_text(
        '[provider.forge]\nkind = "oauth2"\nclient-id = "c"\nauthorization-endpoint = "https://forge.example/a"\n'
        'token-endpoint = "https://forge.example/t"\nuserinfo-endpoint = "https://forge.example/u"\n')
    (fresh.directory / "config.d" / "forge.toml").chmod(0o600)
    reload = fresh.run("reload")
    assert reload.returncode == 0, reload.stderr
    asked = fresh.run("setup")
    assert asked.returncode == 64 and "forge" in asked.stderr and "github.com" in asked.stderr and "built-in" not in asked.stderr, asked.stderr
    refused = fresh.run("setup", "forge", "--issuer", "https://other.example", "--client-id", "x", "--yes", "--no-sign-in")
    assert refused.returncode == 64 and "forge has no issuer" in refused.stderr and "built in" not in refused.stderr, refused.stderr


def test_the_secret_goes_to_the_keyring_on_request(fresh, tmp_path):
    """secret-tool's part is played by a program with a file; the real one is in test_keyring.py."""
    tools = tmp_path / "tools"
    tools.mkdir()
    tool = tools / "secret-tool"
    tool.write_text(f'#!/bin/sh\ncase $1 in store) cat > {tools}/kept;; lookup) [ -e {tools}/kept ] && cat {tools}/kept;; esac\n')
    tool.chmod(0o755)
    result = fresh.run(
        "setup", "github.com", "--client-id", ID, "--client-secret-file", "-", "--secret-in", "keyring", "--yes", "--no-sign-in",
        stdin="shh\n", PATH=f"{tools}:{os.environ['PATH']}")
    assert result.returncode == 0, result.stderr
    assert (tools / "kept").read_text() == "shh" and not fresh.secret.exists()
    assert f'client-secret = {{ command = ["{tool}", "lookup", ' in fresh.part.read_text()


def test_a_locked_keyring_keeps_its_secret(fresh, tmp_path):
    """Nobody unlocks it, so secret-tool tells the secret no more than if there were none; undoing would remove it."""
    with contextlib.closing(Desktop(tmp_path / "desktop")) as desktop:
        item = ("application", "postern-client", "provider", "github.com", "secret", "client-secret")
        desktop.run("secret-tool", "store", "--label=Postern", *item, input="old")
        desktop.lock()
        refused = fresh.run(
            "setup", "github.com", "--client-id", ID, "--client-secret-file", "-", "--secret-in", "keyring", "--yes", "--no-sign-in", stdin="shh\n",
            DBUS_SESSION_BUS_ADDRESS=desktop.environment["DBUS_SESSION_BUS_ADDRESS"])
        assert refused.returncode == 1 and "(it is locked), so nothing was stored" in refused.stderr, refused.stderr
        assert not fresh.part.exists()
        desktop.unlock()
        assert desktop.run("secret-tool", "lookup", *item) == "old"


def test_a_wrong_issuer_is_reported_and_fixed_by_the_same_command(fresh, demo_provider, tmp_path):
    wrong = fresh.run("setup", "work", "--issuer", "http://127.0.0.1:9", "--client-id", "postern-demo", "--yes", "--no-sign-in")
    assert wrong.returncode == 1 and "127.0.0.1:9" in wrong.stderr and "nobody can sign in with work yet" in wrong.stderr, wrong.stderr
    assert "refused the client ID or the secret" not in wrong.stderr
    right = fresh.run("setup", "work", "--issuer", demo_provider, "--yes", "--no-sign-in")
    assert right.returncode == 0, right.stderr
    text = (fresh.directory / "config.d" / "work.toml").read_text()
    assert demo_provider in text and "127.0.0.1:9\"" not in text and "postern-demo" in text


def test_a_script_changes_the_secret_alone(fresh, confidential_provider, tmp_path):
    first = fresh.run("setup", "work", "--issuer", confidential_provider, "--client-id", "postern-demo", "--yes", "--no-sign-in")
    assert first.returncode == 1 and "refused the client ID or the secret" in first.stderr
    # With what an editor and the clipboard put around it.
    pasted = tmp_path / "pasted.secret"
    pasted.write_bytes(b"\xef\xbb\xbfright \r\n")
    second = fresh.run("setup", "work", "--client-secret-file", str(pasted), "--yes", "--no-sign-in")
    assert second.returncode == 0, second.stderr


def test_a_built_in_provider_keeps_its_issuer(fresh):
    for client in (("--client-id", "x"), ()):
        refused = fresh.run("setup", "google.com", "--issuer", "https://other.example", *client, "--yes", "--no-sign-in")
        assert refused.returncode == 64 and "is built in" in refused.stderr, refused.stderr


def test_a_misspelt_provider_is_not_set_up_as_a_new_one(fresh):
    result = fresh.run("setup", "gihub.com", "--client-id", ID, "--yes", "--no-sign-in")
    assert result.returncode == 64 and 'there is no provider called "gihub.com"; did you mean github.com?' in result.stderr, result.stderr
    command = fresh.command("setup", "gihub.com")
    command.read_until(r"Did you mean github\.com\?")
    command.type("\n")
    command.read_until(WHAT_FOR)
    assert "Issuer" not in command.text
    command.type("\x03")
    command.end()


def test_a_new_client_does_not_keep_the_old_clients_secret(fresh):
    """At GitHub an ID alone is a client for codes; with a secret of its own it is one for pages."""
    given = ("--yes", "--no-sign-in")
    assert fresh.run("setup", "github.com", "--client-id", ID, "--client-secret-file", "-", *given, stdin="shh\n").returncode == 0
    other = ID.replace("0", "9")
    result = fresh.run("setup", "github.com", "--client-id", other, *given)
    assert result.returncode == 0 and "The secret was the old client's, so provider.github.com.client-secret goes" in result.stderr, result.stderr
    assert fresh.part.read_text() == f'[provider."github.com"]\nclient-id = "{other}"\nflow = "device"\n'
    result = fresh.run("setup", "github.com", "--client-id", ID, "--client-secret-file", "-", *given, stdin="shh\n")
    assert result.returncode == 0 and 'flow = "browser"' in fresh.part.read_text(), result.stderr
    # The same ID once more is no other client.
    assert fresh.run("setup", "github.com", "--client-id", ID, *given).returncode == 0
    assert "client-secret" in fresh.part.read_text() and 'flow = "browser"' in fresh.part.read_text()


def test_a_terminal_asks_for_the_secret_of_a_new_client(fresh):
    result = fresh.run("setup", "github.com", "--client-id", ID, "--client-secret-file", "-", "--yes", "--no-sign-in", stdin="shh\n")
    assert result.returncode == 0, result.stderr
    command = fresh.command("setup", "github.com", "--client-id", ID.replace("0", "9"), "--no-sign-in")
    command.read_until(WHAT_FOR)
    command.type("\n")
    command.read_until("Client secret")
    assert "keep the current one" not in command.text
    wait_for(lambda: not termios.tcgetattr(command.master)[3] & termios.ECHO)
    command.type("shh\n")
    command.read_until("Write it")
    command.type("\n")
    assert command.end()[0] == 0, command.text
    assert fresh.secret.read_text() == "shh\n" and ID.replace("0", "9") in fresh.part.read_text()


def test_a_port_in_use_is_reported_before_anything_is_registered_for_it(fresh):
    """Where the provider takes no other one."""
    with socket.socket() as foreign:
        foreign.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        foreign.bind(("127.0.0.1", 0))
        foreign.listen()
        port = foreign.getsockname()[1]
        fresh.daemon.stop()
        config = fresh.daemon.directory / "config.toml"
        config.write_text(re.sub(r"port = \d+", f"port = {port}", config.read_text()))
        fresh.daemon.start()
        command = fresh.command("setup", "twitter.com")
        command.read_until("API key:")
        assert f"127.0.0.1:{port} is in use by another program of yours" in command.text and "before it is free" in command.text
        assert f"(process {os.getpid()}) has the port: end it" in command.text
        command.type("\x03")
        command.end()
        command = fresh.command("setup", "github.com")
        command.read_until(WHAT_FOR)
        command.type("\n")
        command.read_until("Client ID:")
        assert "in use by" not in command.text
        command.type("\x03")
        command.end()


def test_the_issuer_is_checked_before_setup_asks_anything_else(fresh, demo_provider):
    command = fresh.command("setup", "work", "--no-sign-in", DISPLAY="")
    command.read_until("Issuer")
    command.type("\n")
    command.read_until("Nothing was typed")
    command.type("login.example.com\n")
    command.read_until(r"issuer in \[provider\.work\][^\0]*Issuer \(https://…\):")
    command.type("http://127.0.0.1:9\n")
    command.read_until(r"127\.0\.0\.1:9[^\0]*Issuer \(type the same again to use it anyway\):")
    command.type("\n")
    command.read_until(r"Nothing was typed[^\0]*Issuer")
    assert "Client ID" not in command.text
    for question, answer in [
        ("Display name", demo_provider), ("Servers", ""), ("Client ID:", ""), ("Client secret", "postern-demo"), (r"Write it\?", ""),
    ]:
        command.type(answer + "\n")
        command.read_until(question)
    command.type("maybe\n")
    command.read_until(r"Type y for yes or n for no\.[^\0]*Write it\?")
    command.type("\n")
    assert command.end()[0] == 0, command.text
    assert f'issuer = "{demo_provider}"\nclient-id = "postern-demo"' in (fresh.directory / "config.d" / "work.toml").read_text()


def test_setup_says_when_nothing_needs_to_change(fresh, demo_provider):
    words = ["setup", "work", "--issuer", demo_provider, "--client-id", "postern-demo", "--yes", "--no-sign-in"]
    assert fresh.run(*words).returncode == 0
    again = fresh.run(*words)
    assert again.returncode == 0 and "Nothing needs to change" in again.stderr and "This goes into" not in again.stderr, again.stderr
