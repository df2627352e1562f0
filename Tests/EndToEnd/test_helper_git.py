"""git takes its tokens from Postern: clone, fetch and push over HTTP, with git itself."""
import json
import subprocess
import urllib.parse

import pytest
from commands import START, Command, environment, run
from git_server import GitServer
from github import GitHub
from helpers import ask, links
from person import browser, parameters
from postern import ROOT, oidc
from signing_in import SignIn, sign_in
from token_server import TokenServer


class Git:
    """git with nothing of this machine's configuration, and Postern as its only helper."""

    def __init__(self, folder, daemon, **more):
        self.folder = folder
        path = f"{links(folder / 'bin', 'git-credential-postern')}:/usr/bin:/bin"
        self.environment = environment(
            daemon, PATH=path, HOME=str(folder), GIT_CONFIG_GLOBAL="/dev/null", GIT_CONFIG_NOSYSTEM="1", GIT_TERMINAL_PROMPT="0",
            GIT_ASKPASS="", SSH_ASKPASS="", **more)

    def command(self, *arguments, helpers=("postern",), settings=()):
        options = [f"credential.helper={helper}" for helper in helpers] + ["user.name=t", "user.email=t@example.com", *settings]
        return ["git", *(word for option in options for word in ("-c", option)), *arguments]

    def start(self, *arguments, **more):
        return subprocess.Popen(
            self.command(*arguments, **more), cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True)

    def run(self, *arguments, status=0, **more):
        process = self.start(*arguments, **more)
        out, words = process.communicate(timeout=120)
        assert process.returncode == status, words
        return out, words


class World:
    """A daemon, its provider behind a counting server, and a git server that takes the provider's latest token alone."""

    def __init__(self, folder, make_daemon, make_provider, config="", serves=None, account=None, **more):
        (folder / "served").mkdir()
        self.folder = folder
        self.host = GitServer(folder / "served")
        issuer = make_provider()
        self.tokens = TokenServer(f"{issuer}/token")
        self.host.accepts = lambda token, path: token == self.latest
        meant = {} if account is None else {"account": account}
        self.provider = oidc(issuer, token_endpoint=self.tokens.url, serves=[self.host.origin] if serves is None else serves, **meant)
        self.daemon = make_daemon(self.configuration(config), **more).start()
        self.git = Git(folder, self.daemon)

    def configuration(self, accounts):
        return self.provider + accounts.replace("ORIGIN", self.host.origin)

    @property
    def latest(self):
        return self.tokens.given[-1]["access_token"]

    @property
    def refreshes(self):
        return self.tokens.count("refresh_token")

    def close(self):
        self.host.close()
        self.tokens.close()


@pytest.fixture
def make_world(tmp_path, make_daemon, make_provider):
    worlds = []

    def make(config="", **more):
        worlds.append(World(tmp_path, make_daemon, make_provider, config, **more))
        return worlds[-1]

    yield make
    for world in worlds:
        world.close()


@pytest.fixture
def world(make_world):
    return make_world()


def asked(url, **more):
    """What git writes for `get`."""
    parts = urllib.parse.urlsplit(url)
    lines = {"protocol": parts.scheme, "host": parts.netloc, **more}
    return "".join(f"{key}={value}\n" for key, value in lines.items())


def answered(result):
    return dict(line.split("=", 1) for line in result.stdout.splitlines())


# ---- clone, fetch, push ---------------------------------------------------------------


def test_clone_fetch_and_push(world):
    url = world.host.repository("org/one.git")
    sign_in(world.daemon)
    world.git.run("clone", "-q", url, "one")
    assert (world.folder / "one" / "file").read_text() == "1\n"
    (world.folder / "one" / "file").write_text("2\n")
    world.git.run("-C", "one", "commit", "-qam", "two")
    world.git.run("-C", "one", "push", "-q", "origin", "HEAD")
    world.git.run("clone", "-q", url, "two")
    assert (world.folder / "two" / "file").read_text() == "2\n"
    world.git.run("-C", "one", "fetch", "-q")
    assert set(world.host.tokens()) == {world.latest} and world.refreshes == 0
    assert {user for _, user, token in world.host.seen if token} == {"oauth2"}


def test_an_expired_token_is_refreshed_before_git_gets_it(world):
    url = world.host.repository("one.git")
    world.tokens.changed = {"expires_in": 20}
    sign_in(world.daemon)
    first = world.latest
    world.tokens.changed = {}
    world.git.run("clone", "-q", url, "one")
    assert world.refreshes == 1 and world.latest != first
    assert set(world.host.tokens()) == {world.latest}


def test_a_refused_token_is_refreshed_once_and_nobody_is_signed_out(world):
    url = world.host.repository("one.git")
    sign_in(world.daemon)
    refused = world.latest
    world.host.accepts = lambda token, path: token != refused and token == world.latest
    _, words = world.git.run("clone", "-q", url, "one", status=128)
    assert "Authentication failed" in words
    assert world.refreshes == 1 and world.host.tokens() == [refused]
    world.git.run("clone", "-q", url, "one")
    world.git.run("-C", "one", "fetch", "-q")
    assert world.refreshes == 1 and set(world.host.tokens(since=2)) == {world.latest}
    assert world.daemon.call("ListCredentials")["credentials"][0]["state"] == "good"


ACCOUNTS = '''
[account.ada]
provider = "demo"
login = "ada@example.com"
for = ["ORIGIN/ada/"]

[account.grace]
provider = "demo"
login = "grace@example.org"
for = ["ORIGIN/grace"]
'''


def test_two_accounts_are_told_apart_by_path_or_by_name(make_world):
    world = make_world(ACCOUNTS)
    tokens = {name: sign_in(world.daemon, name, providerID=name)["credential"]["accessToken"] for name in ("ada", "grace")}
    world.host.accepts = lambda token, path: token == tokens.get(path.split("/")[1])
    for person in ("ada", "grace"):
        world.git.run("clone", "-q", world.host.repository(f"{person}/one.git"), person, settings=["credential.useHttpPath=true"])
    assert set(world.host.tokens()) == set(tokens.values())
    # Without the path git asks for the host, which the provider of both serves.
    url = f"{world.host.origin}/ada/one.git"
    _, words = world.git.run("ls-remote", url, status=128)
    assert "ada, grace; name one of them" in words and "told us to quit" in words
    line, = [line for line in words.splitlines() if line.startswith("postern: ")]
    assert "`postern config set provider.demo.account ada`" in line
    command = line.rpartition(" after: ")[2]
    assert command == f"git config --global credential.{world.host.origin}.useHttpPath true"
    world.git.run("ls-remote", url, settings=[f"credential.{world.host.origin}.useHttpPath=true"])
    assert world.host.tokens()[-1] == tokens["ada"]
    # A name in the URL means an account, or an address that one has; nobody's name is another helper's.
    for name, person in (("ada", "ada"), ("grace%40example.org", "grace")):
        world.git.run("ls-remote", f"{world.host.origin}/{person}/one.git".replace("://", f"://{name}@"))
        assert world.host.tokens()[-1] == tokens[person]
    _, words = world.git.run("ls-remote", url.replace("://", "://linus@"), status=128)
    assert "terminal prompts disabled" in words


def test_the_documented_git_settings_work(world):
    text = (ROOT / "docs" / "use" / "helpers.md").read_text()
    lines = text.split("## git\n", 1)[1].split("```sh\n", 1)[1].split("```", 1)[0].replace("https://github.com", world.host.origin)
    settings = world.folder / "gitconfig"
    world.git.environment["GIT_CONFIG_GLOBAL"] = str(settings)
    subprocess.run(["sh", "-ec", lines], env=world.git.environment, check=True, timeout=60)
    sign_in(world.daemon)
    world.git.run("clone", "-q", world.host.repository("one.git"), "one", helpers=())
    assert set(world.host.tokens()) == {world.latest}


# ---- where there is no token --------------------------------------------------------------


def test_without_a_sign_in_git_says_what_to_run(world):
    url = world.host.repository("one.git")
    _, words = world.git.run("clone", "-q", url, "one", status=128)
    assert "postern sign-in demo" in words and "told us to quit" in words
    assert world.host.tokens() == [] and world.daemon.call("ListSessions")["sessions"] == []


def test_the_next_helper_has_its_turn_where_no_account_serves_the_host_and_without_a_daemon(make_world):
    world = make_world(serves=["https://git.example.org"])
    sign_in(world.daemon)
    url = world.host.repository("one.git")
    world.host.accepts = lambda token, path: token == "of-another"
    _, words = world.git.run("clone", "-q", url, "one", status=128)
    assert "terminal prompts disabled" in words and f"no account's tokens are for {world.host.origin}; " in words
    other = '!f() { test "$1" = get && printf "username=u\\npassword=of-another\\n"; }; f'
    world.git.run("clone", "-q", url, "one", helpers=("postern", other))
    assert set(world.host.tokens()) == {"of-another"}
    world.daemon.stop()
    _, words = world.git.run("clone", "-q", url, "two", helpers=("postern", other))
    assert START in words


# ---- the shapes of hosts ---------------------------------------------------------------


@pytest.fixture
def at_github(tmp_path, make_daemon):
    """Octo has signed in at GitHub: a daemon, a git server that takes the token until GitHub has revoked it, and GitHub."""
    (tmp_path / "served").mkdir()
    host, provider = GitServer(tmp_path / "served"), GitHub()
    try:
        daemon = make_daemon(provider.configuration() + f'serves = ["{host.origin}"]\n').start()
        pending = SignIn(daemon, providerID="github.com")
        browser().get(f"{daemon.origin}/__/auth/handler", params={"code": "good", "state": parameters(pending.url)["state"]})
        pending.completed()
        host.accepts = lambda token, path: token == "gho_aaaa" and token not in provider.revoked
        yield daemon, host, provider
    finally:
        host.close()
        provider.close()


def test_github(at_github, tmp_path):
    daemon, host, provider = at_github
    git = Git(tmp_path, daemon)
    git.run("clone", "-q", host.repository("octo/one.git"), "one")
    assert {user for _, user, token in host.seen if token} == {"x-access-token"}
    # These tokens do not end, and that is not made up.
    result = ask(daemon, "git", "get", stdin=asked(host.origin))
    assert result.stdout == "username=x-access-token\npassword=gho_aaaa\n"
    # By the user name that GitHub knows, and by no other.
    assert answered(ask(daemon, "git", "get", stdin=asked(host.origin, username="octo")))["password"] == "gho_aaaa"
    assert ask(daemon, "git", "get", stdin=asked(host.origin, username="mona")).stdout == ""
    # It cannot be refreshed, and GitHub says that it is valid: the server's refusal changes nothing.
    host.accepts = lambda token, path: False
    users = sum(path == "/user" for _, path, *_ in provider.requests)
    git.run("-C", "one", "fetch", "-q", status=128)
    assert sum(path == "/user" for _, path, *_ in provider.requests) == users + 1
    assert daemon.call("GetAccessToken", {"providerID": "github.com"})["accessToken"] == "gho_aaaa"


def test_a_revoked_token_is_noticed_at_the_next_git_call(at_github, tmp_path):
    daemon, host, provider = at_github
    git = Git(tmp_path, daemon)
    git.run("clone", "-q", host.repository("octo/one.git"), "one")
    provider.revoked.add("gho_aaaa")
    assert run(daemon, "token", "github.com").returncode == 0
    _, words = git.run("-C", "one", "fetch", "-q", status=128)
    assert "Authentication failed" in words
    [credential] = json.loads(run(daemon, "credentials", "--json").stdout)["credentials"]
    assert credential["state"] == "signInNeeded"
    assert credential["reason"] == "the provider no longer accepts its access token: status 401: Bad credentials"
    ended = run(daemon, "token", "github.com")
    assert ended.returncode == 3 and ended.stdout == ""
    assert "the provider no longer accepts the access token (status 401: Bad credentials); run `postern sign-in github.com`" in ended.stderr
    assert "no longer accepts its access token" in run(daemon, "doctor").stdout
    # git is told, and asks for no password.
    _, words = git.run("-C", "one", "fetch", "-q", status=128)
    assert "postern sign-in github.com" in words
    # That is one command at a terminal, and no key.
    provider.codes["again"] = "gho_bbbb"
    host.accepts = lambda token, path: token == "gho_bbbb"
    command = Command(daemon, "sign-in", "github.com", "--no-browser", terminal=True)
    asked_for = parameters(command.read_until(r"http\S+[?&]state=[^\s\x1b]+"))
    browser().get(asked_for["redirect_uri"], params={"code": "again", "state": asked_for["state"]})
    assert command.end()[0] == 0, command.text
    git.run("-C", "one", "fetch", "-q")
