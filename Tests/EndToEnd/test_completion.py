"""Completion in the shells themselves: TAB, as a person presses it, and what each of them says that there is."""
import contextlib
import fcntl
import os
import pathlib
import pty
import re
import select
import shlex
import socket
import stat
import subprocess
import termios
import time

import pytest
from commands import POSTERN, environment, run
from person import browser, consent
from plain_provider import PlainProvider
from postern import BIN, free_port, oidc, wait_for
from second_factors import enroll
from signing_in import SignIn, sign_in

ACCOUNTS = """
[account.acme]
provider = "demo"
"""
SHELLS = ("bash", "zsh", "fish")


def start(daemon, tmp_path):
    """With its state where a command looks for it."""
    (tmp_path / "xdg").mkdir()
    os.symlink(daemon.directory / "state", tmp_path / "xdg/postern")
    daemon.variables = environment(
        daemon, XDG_STATE_HOME=str(tmp_path / "xdg"), HOME=str(tmp_path), PATH=f"{BIN}:{os.environ['PATH']}")
    daemon.start()
    wait_for(lambda: (daemon.directory / "state/names").exists(), what="the names")
    return daemon


@pytest.fixture
def daemon(make_daemon, demo_provider, tmp_path):
    return start(make_daemon(oidc(demo_provider, trust_email=True) + ACCOUNTS), tmp_path)


@pytest.fixture(scope="module")
def scripts(tmp_path_factory):
    """As the installer makes them."""
    directory = tmp_path_factory.mktemp("scripts")
    for shell, name in zip(SHELLS, ("postern", "_postern", "postern.fish")):
        done = subprocess.run([POSTERN, "--generate-completion-script", shell], check=True, capture_output=True, text=True)
        (directory / name).write_text(done.stdout)
    done = subprocess.run([BIN / "posternd", "--generate-completion-script", "fish"], check=True, capture_output=True, text=True)
    (directory / "posternd.fish").write_text(done.stdout)
    return directory


class Shell:
    """On a terminal of its own."""

    def __init__(self, variables, *command):
        self.master, slave = pty.openpty()

        def take_terminal():
            os.setsid()
            fcntl.ioctl(slave, termios.TIOCSCTTY, 0)

        self.process = subprocess.Popen(
            command, stdin=slave, stdout=slave, stderr=slave, env={**variables, "TERM": "dumb", "LC_ALL": "C.UTF-8"}, preexec_fn=take_terminal)
        os.close(slave)
        self.text = ""

    def send(self, text):
        self.text = ""
        os.write(self.master, text.encode())

    def read_until(self, pattern, seconds=30):
        end = time.monotonic() + seconds
        while not (found := re.search(pattern, self.text)):
            assert time.monotonic() < end, f"no {pattern} in {self.text!r}"
            self.read_some(0.2)
        return found

    def read_some(self, seconds=0):
        if select.select([self.master], [], [], seconds)[0]:
            self.text += os.read(self.master, 65536).decode(errors="replace")

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.master)


@pytest.fixture
def shell(daemon, scripts):
    shells = []

    def make(name):
        made = {
            "bash": lambda: Shell(daemon.variables, "bash", "--noprofile", "--norc", "-i"),
            "zsh": lambda: Shell(daemon.variables, "zsh", "-f", "-i"),
        }[name]()
        shells.append(made)
        if name == "bash":
            made.send(f"PS1='ready> '; . /usr/share/bash-completion/bash_completion; . {shlex.quote(str(scripts / 'postern'))}; echo do''ne\n")
        else:
            directory = shlex.quote(str(scripts))
            made.send(f"PS1='ready> '; fpath=({directory} $fpath); autoload -Uz compinit; compinit -D -u; echo do''ne\n")
        made.read_until(r"done\r?\n")
        made.read_until("ready> ")
        return made

    yield make
    for made in shells:
        made.close()


LINES = [
    ("postern whoa", "mi "), ("postern token ac", "me "), ("postern sign-in de", "mo "), ("postern login de", "mo "), ("postern logout --js", "on "),
    ("postern logout --keep", "-grant "), ("postern provider show github", "\\.com "), ("postern token acme --min-v", "alidity "),
    ("postern second-factor add to", "tp "), ("postern exec --env GH_TOKEN=ac", "me "), ("postern exec --env A=demo --file B=ac", "me ")]
# In bash a value may stand behind an equals sign.
BASH = [("postern token demo --account=ac", "me "), ("postern second-factor add --name=x to", "tp "), ("postern token --account=", "acme ")]


@pytest.mark.parametrize("name", ["bash", "zsh"])
def test_a_tab_completes_the_line(shell, name):
    terminal = shell(name)
    for typed, completed in LINES + (BASH if name == "bash" else []):
        terminal.send(typed + "\t")
        terminal.read_until(re.escape(typed) + completed)
        terminal.send("\x15")
    for typed in ("postern exec --env GH_TOKEN=", "postern exec --env A=demo --env B="):
        terminal.send(typed + "\t\t")
        terminal.read_until(r"acme\s+(\S*=)?demo|demo\s+(\S*=)?acme")
        terminal.send("\x15")


def fish(daemon, scripts, *lines):
    """On a terminal: without one, fish does not tell its functions where the cursor is."""
    asked, answer = daemon.directory / "asked", daemon.directory / "answer"
    asked.write_text("".join(f"complete -C {shlex.quote(line)} 2>&1; echo END\n" for line in lines))
    terminal = Shell(daemon.variables, "fish", "--no-config", "--interactive", "--init-command", f"source {scripts / lines[0].split()[0]}.fish")
    try:
        terminal.send(f"source {asked} >{answer}; mv {answer} {answer}.whole\r")
        # What it echoes has to be taken from it meanwhile.
        wait_for(lambda: terminal.read_some() or pathlib.Path(f"{answer}.whole").exists(), what="fish's answer")
    finally:
        terminal.close()
    whole = pathlib.Path(f"{answer}.whole")
    answers = [[row.split("\t")[0] for row in part.splitlines()] for part in whole.read_text().split("END\n")[:-1]]
    whole.unlink()
    return answers if len(lines) > 1 else answers[0]


def bash(daemon, scripts, *lines):
    if len(lines) > 1:
        return [bash(daemon, scripts, line) for line in lines]
    [line] = lines
    # It breaks words at blanks and at =.
    words = [word for part in line.split(" ") for word in (re.findall("=|[^=]+", part) or [""])]
    script = f"""
        . {shlex.quote(str(scripts / 'postern'))}
        COMP_WORDS=({' '.join(map(shlex.quote, words))}) COMP_CWORD={len(words) - 1} COMP_LINE={shlex.quote(line)} COMP_POINT={len(line)}
        COMP_TYPE=9 COMP_KEY=9
        compopt() {{ :; }}  # it takes a completion of readline's own
        _postern
        printf '%s\\n' "${{COMPREPLY[@]}}"
        """
    done = subprocess.run(["bash", "--norc", "-c", script], env=daemon.variables, capture_output=True, text=True, check=True, timeout=60)
    return [row.strip() for row in done.stdout.splitlines() if row.strip()]


ASKED = {"fish": fish, "bash": bash}


def both(daemon, scripts, line):
    """What fish offers, and bash too."""
    offered = fish(daemon, scripts, line)
    assert sorted(bash(daemon, scripts, line)) == sorted(offered), line
    return offered


@pytest.mark.parametrize("ask", ASKED.values(), ids=ASKED)
def test_completion_offers_the_names_that_fit_each_command(daemon, scripts, ask):
    assert {"acme", "demo"} <= set(ask(daemon, scripts, "postern token "))
    # Nothing can be had of one whose client is not configured, but it can be looked at.
    assert "github.com" not in ask(daemon, scripts, "postern token ") and "github.com" in ask(daemon, scripts, "postern provider show ")
    # Users of apps alone are anonymous, or have a password.
    assert {"acme", "demo", "github.com"} <= set(ask(daemon, scripts, "postern sign-in ")) - {"anonymous", "password"} == set(ask(daemon, scripts, "postern login "))
    assert {"anonymous", "password"} <= set(ask(daemon, scripts, "postern sign-in --app mail "))
    assert ask(daemon, scripts, "postern sign-out ") == ask(daemon, scripts, "postern revoke ") == []
    assert ask(daemon, scripts, "postern attach ") == []
    client = daemon.client()
    client.send("SignIn", {"providerID": "demo", "presentation": "client"}, more=True)
    session = client.receive()["event"]["sessionID"]
    assert ask(daemon, scripts, "postern attach ") == [session] == ask(daemon, scripts, "postern cancel ")
    client.close()


def test_a_program_without_subcommands_completes_in_the_same_way(daemon, scripts):
    assert set(fish(daemon, scripts, "posternd --log-level ")) == {"error", "warning", "notice", "info", "debug"}
    assert set(fish(daemon, scripts, "posternd --log")) == {"--log-level"}


def test_a_program_on_the_line_is_not_run(daemon, scripts, tmp_path):
    other = tmp_path / "there" / "postern"
    other.parent.mkdir()
    other.write_text(f"#!/bin/sh\ntouch {tmp_path}/was-run\n")
    other.chmod(0o755)
    shell = Shell({**daemon.variables, "HOME": str(tmp_path)}, "bash", "--noprofile", "--norc", "-i")
    try:
        shell.send(f"cd {other.parent}; . {shlex.quote(str(scripts / 'postern'))}; PS1='ready> '\n")
        shell.read_until("ready> ")
        shell.send("./postern token ac\t")
        shell.read_until("acme ")
    finally:
        shell.close()
    assert not (tmp_path / "was-run").exists()


def test_fish_completes_an_account_after_a_variable_name(daemon, scripts):
    assert {"A=acme", "A=demo"} <= set(fish(daemon, scripts, "postern exec --env A="))
    assert fish(daemon, scripts, "postern exec --env B=demo --file A=ac") == ["A=acme"]
    # A name has to be there first.
    assert not [row for row in fish(daemon, scripts, "postern exec --env AC") if "=" in row]


def test_second_factors_are_offered_for_the_app_on_the_command_line(daemon, scripts):
    assert both(daemon, scripts, "postern second-factor remove ") == []
    sign_in(daemon, app="tool")
    enroll(daemon, app="tool", displayName="$(id>/tmp/x)")
    [factor] = daemon.call("GetCurrentUser", {"app": "tool"})["user"]["secondFactors"]
    assert both(daemon, scripts, "postern second-factor remove ") == []
    assert both(daemon, scripts, "postern second-factor remove --app tool ") == [factor["uid"]]


def test_unlink_offers_the_providers_linked_in_the_app_on_the_command_line(daemon, scripts):
    assert both(daemon, scripts, "postern unlink ") == []
    sign_in(daemon, app="tool")
    daemon.call("CreateUser", {"email": "eve@example.com", "password": "correct horse", "app": "mail"})
    assert both(daemon, scripts, "postern unlink ") == []
    for spelling in ("--app tool", "--app=tool"):
        assert both(daemon, scripts, f"postern unlink {spelling} ") == ["demo"], spelling
    assert both(daemon, scripts, "postern unlink --app mail ") == ["password"]
    assert set(both(daemon, scripts, "postern reauthenticate --app mail ")) == {"password", "acme"}
    # Nobody is linked to nobody.
    linked = both(daemon, scripts, "postern link --app mail ")
    assert {"demo", "acme", "password", "github.com"} <= set(linked) and "anonymous" not in linked


def test_attach_offers_finished_sign_ins_whose_result_was_not_fetched(daemon, scripts):
    sign_in(daemon)
    cancelled, unfetched = SignIn(daemon), SignIn(daemon, app="gone")
    daemon.call("CancelSession", {"sessionID": cancelled.id})
    unfetched.client.close()
    assert consent(unfetched.url).status_code == 200
    waiting = SignIn(daemon, app="waiting")
    states = {session["sessionID"]: session["state"] for session in daemon.call("ListSessions")["sessions"]}
    assert len(states) == 4 and states[cancelled.id] == "failed" and states[unfetched.id] == "completed"
    assert set(both(daemon, scripts, "postern attach ")) == {waiting.id, unfetched.id}
    assert both(daemon, scripts, "postern cancel ") == [waiting.id]
    listed = [row for row in run(daemon, "sessions").stdout.splitlines() if "not fetched" in row]
    assert len(listed) == 1 and listed[0].startswith(unfetched.id)
    assert run(daemon, "attach", unfetched.id).returncode == 0
    assert both(daemon, scripts, "postern attach ") == [waiting.id] and "not fetched" not in run(daemon, "sessions").stdout


def test_completion_does_not_start_a_stopped_daemon(daemon, scripts):
    daemon.stop()
    daemon.path.unlink(missing_ok=True)
    with contextlib.closing(socket.socket(socket.AF_UNIX)) as listener:
        # As systemd's: a connection would start the daemon.
        listener.bind(str(daemon.path))
        listener.listen()
        assert {"acme", "demo"} <= set(bash(daemon, scripts, "postern token "))
        assert bash(daemon, scripts, "postern attach ") == []
        # It is not known what is linked.
        assert set(bash(daemon, scripts, "postern unlink ")) == {"demo", "password"}
        assert not select.select([listener], [], [], 0)[0]


def test_the_names_file_follows_the_configuration_and_contains_only_names(daemon):
    file = daemon.directory / "state/names"
    lines = file.read_text().splitlines()
    assert {"provider demo", "account acme", "unready github.com"} <= set(lines)
    assert all(re.fullmatch(r"(provider|unready|account) [a-z0-9._-]+", line) for line in lines)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    daemon.write(daemon.config.read_text().split('key = "file"\n', 1)[1] + '[account.navy]\nprovider = "demo"\n')
    assert run(daemon, "reload").returncode == 0
    assert "account navy" in file.read_text()


def test_a_names_file_that_is_still_correct_is_kept_after_a_restart(daemon):
    file = daemon.directory / "state/names"

    def restarted():
        daemon.stop()
        daemon.start()
        wait_for(lambda: subprocess.run(["flock", "-n", str(file), "true"], check=False).returncode, what="the lock of the names")
        return file.stat().st_ino

    first, text = file.stat().st_ino, file.read_text()
    assert restarted() == first
    for change in (lambda: file.write_text(text[:-1] + "x"), lambda: file.write_text(text + "account other\n"), lambda: file.chmod(0o644)):
        change()
        assert restarted() != first and file.read_text() == text and stat.S_IMODE(file.stat().st_mode) == 0o600
        first = file.stat().st_ino


def test_without_the_names_file_completion_offers_nothing_silently(daemon, scripts):
    (daemon.directory / "state/names").unlink()
    assert "acme" not in fish(daemon, scripts, "postern token ")


@pytest.mark.parametrize("shell_name, name", zip(SHELLS, ("postern", "_postern", "postern.fish")))
def test_the_shells_accept_the_scripts(scripts, shell_name, name):
    subprocess.run([shell_name, "-n", scripts / name], check=True, capture_output=True)


@pytest.mark.parametrize("ask", ASKED.values(), ids=ASKED)
def test_an_account_name_from_a_provider_is_never_executed(make_daemon, scripts, tmp_path, ask):
    subjects = [subject.replace("PWNED", str(tmp_path / "pwned")) for subject in (
        "$(id>PWNED)", "`id>PWNED`", "a;id>PWNED", "a'b\"c", "-rf", "a b", "~root", "*")]
    provider = PlainProvider()
    try:
        daemon = start(make_daemon(provider.configuration("evil"), port=free_port()), tmp_path)
        for subject in (*subjects, "seven"):
            provider.person = {"id": subject}
            pending = SignIn(daemon, providerID="evil")
            browser().get(pending.url)
            assert pending.completed()["state"] == "completed"
        # What somebody typed, or pasted, is offered back no more than what a provider says.
        lines = ["postern token evil --account "]
        for subject in subjects:
            lines += [f"postern exec --env {subject.replace(' ', '')}=", f"postern exec --env A={subject.split(' ')[0]}"]
        answers = ask(daemon, scripts, *lines)
        assert answers[0] == ["seven"]
        for line, offered in zip(lines, answers):
            assert not any(word.startswith(subject[:2]) for word in offered for subject in subjects), (line, offered)
        assert not (tmp_path / "pwned").exists()
    finally:
        provider.close()
