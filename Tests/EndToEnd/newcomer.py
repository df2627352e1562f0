"""A user who has installed Postern and configured nothing, and the GitHub-like server that they sign in to first."""
import json
import sys

import pytest
from commands import Command, run
from github import GitHub
from postern import ROOT

ID = "Iv1.0123456789abcdef"

# A browser: records each page, and returns from GitHub's sign-in page with its response.
BROWSER = f"""#!{sys.executable}
import sys, urllib.parse
sys.path.insert(0, {str(ROOT / "Tests" / "EndToEnd")!r})
from person import browser, parameters
with open(__file__ + ".pages", "a") as pages:
    pages.write(sys.argv[1] + "\\n")
if "/login/oauth/authorize" in sys.argv[1]:
    asked = parameters(sys.argv[1])
    browser().get(asked["redirect_uri"] + "?" + urllib.parse.urlencode({{"code": "good", "state": asked["state"]}}))
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
        self.browser = tmp_path / "browser"
        self.browser.write_text(BROWSER)
        self.browser.chmod(0o755)
        self.environment = {"POSTERN_SYSTEM_ROOT": str(root), "HOME": str(tmp_path)}
        self.daemon = make_daemon("", browser=json.dumps([str(self.browser)]), environment=self.environment).start()
        self.directory = tmp_path / "xdg" / "postern"
        self.directory.parent.mkdir()
        self.directory.symlink_to(self.daemon.directory)
        self.environment.update(XDG_CONFIG_HOME=str(tmp_path / "xdg"))

    def command(self, *arguments, **more):
        return Command(self.daemon, *arguments, terminal=True, **{"DISPLAY": ":99", **self.environment, **more})

    def run(self, *arguments, **more):
        return run(self.daemon, *arguments, **self.environment, **more)

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


@pytest.fixture
def fresh(make_daemon, tmp_path, github):
    return Fresh(make_daemon, tmp_path, github.endpoints())
