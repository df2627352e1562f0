"""A user who has installed Postern and configured nothing, and the GitHub-like server that they sign in to first."""
import json
import os
import sys
import termios

import pytest
from commands import Command, run
from github import GitHub
from helpers import links
from postern import ROOT, wait_for

ID = "Iv1.0123456789abcdef"

# A browser: records each page, and agrees on GitHub's sign-in page.
BROWSER = f"""#!{sys.executable}
import sys, urllib.parse
sys.path.insert(0, {str(ROOT / "Tests" / "EndToEnd")!r})
from person import browser
with open(__file__ + ".pages", "a") as pages:
    pages.write(sys.argv[1] + "\\n")
if "/login/oauth/authorize" in sys.argv[1]:
    browser().get(sys.argv[1])
"""


@pytest.fixture
def github():
    server = GitHub()
    yield server
    server.close()


class Fresh:
    """A daemon without a client, and the user whose configuration it reads. The administrator has configured GitHub's address."""

    def __init__(self, make_daemon, tmp_path, administrator):
        root = tmp_path / "system"
        (root / "etc" / "postern").mkdir(parents=True)
        (root / "etc" / "postern" / "config.toml").write_text(administrator)
        self.git_settings = tmp_path / "gitconfig"
        self.browser = tmp_path / "browser"
        self.browser.write_text(BROWSER)
        self.browser.chmod(0o755)
        self.environment = {"POSTERN_SYSTEM_ROOT": str(root), "HOME": str(tmp_path)}
        self.daemon = make_daemon("", browser=json.dumps([str(self.browser)]), environment=self.environment).start()
        self.directory = tmp_path / "xdg" / "postern"
        self.directory.parent.mkdir()
        self.directory.symlink_to(self.daemon.directory)
        # git finds its helper.
        tools = links(tmp_path / "bin", "git-credential-postern")
        self.environment.update(
            XDG_CONFIG_HOME=str(tmp_path / "xdg"), PATH=f"{tools}:{os.environ['PATH']}", GIT_CONFIG_NOSYSTEM="1",
            GIT_CONFIG_GLOBAL=str(self.git_settings))

    def command(self, *arguments, **more):
        return Command(self.daemon, *arguments, terminal=True, **{"DISPLAY": ":99", **self.environment, **more})

    def run(self, *arguments, **more):
        return run(self.daemon, *arguments, **{**self.environment, **more})

    def dialogue(self, *arguments, **more):
        return Dialogue(self.command(*arguments, **more))

    @property
    def pages(self):
        path = self.browser.with_name("browser.pages")
        return path.read_text().split() if path.exists() else []

    @property
    def part(self):
        return self.directory / "config.d" / "github.com.toml"

    @property
    def secret(self):
        return self.directory / "github.com.secret"


class Dialogue:
    """A command on a terminal, whose questions are answered; counts the keys."""

    def __init__(self, command):
        self.command, self.keys = command, 0

    def answer(self, *pairs):
        """Waits for each question, and types the answer and Enter."""
        for question, typed in pairs:
            self.command.read_until(question)
            if "not shown" in question:
                wait_for(lambda: not termios.tcgetattr(self.command.master)[3] & termios.ECHO)
            self.command.type(typed + "\n")
            self.keys += len(typed) + 1
        return self

    def end(self):
        return self.command.end()

    @property
    def text(self):
        return self.command.text


@pytest.fixture
def fresh(make_daemon, tmp_path, github):
    return Fresh(make_daemon, tmp_path, github.endpoints() + 'serves = ["https://github.com", "https://api.github.com"]\n')
