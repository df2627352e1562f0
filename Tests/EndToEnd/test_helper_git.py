"""git takes its tokens from Postern: clone, fetch and push over HTTP, with git itself."""
import json
import subprocess
import time
import urllib.parse

import pytest
from commands import START, Command, environment, run
from fake import Server
from git_server import GitServer
from github import GitHub
from helpers import ask, links
from keys import Keys
from person import browser, parameters
from postern import ROOT, ends_with, oidc
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


def test_another_password_that_was_refused_refreshes_nothing(world):
    sign_in(world.daemon)
    ask(world.daemon, "git", "erase", stdin=asked(world.host.origin, username="oauth2", password="of another helper"))
    ask(world.daemon, "git", "erase", stdin=asked("https://elsewhere.example", username="oauth2", password=world.latest))
    assert world.refreshes == 0
    ask(world.daemon, "git", "erase", stdin=asked(world.host.origin, username="oauth2", password=world.latest))
    assert world.refreshes == 1


def test_a_hundred_gits_at_once_cause_one_refresh(world):
    url = world.host.repository("one.git")
    world.tokens.changed = {"expires_in": 20}
    sign_in(world.daemon)
    world.tokens.changed = {}
    gits = [world.git.start("ls-remote", url) for _ in range(100)]
    for process in gits:
        out, words = process.communicate(timeout=240)
        assert process.returncode == 0 and "refs/heads/main" in out, words
    assert world.refreshes == 1 and set(world.host.tokens()) == {world.latest}


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


def both_sign_in(world, ada="ada", grace="grace"):
    names = {"ada": ada, "grace": grace}
    return {person: sign_in(world.daemon, person, providerID=name)["credential"]["accessToken"] for person, name in names.items()}


def test_two_accounts_are_told_apart_by_path(make_world):
    world = make_world(ACCOUNTS)
    tokens = both_sign_in(world)
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


def test_one_account_beside_another_with_a_path_has_the_rest(make_world):
    world = make_world(ACCOUNTS.partition("[account.grace]")[0])
    tokens = both_sign_in(world, grace="demo")
    world.host.accepts = lambda token, path: token == tokens.get(path.split("/")[1])
    path = ["credential.useHttpPath=true"]
    for person in ("ada", "grace"):
        world.git.run("ls-remote", world.host.repository(f"{person}/one.git"), settings=path)
        assert world.host.tokens()[-1] == tokens[person]
    world.git.run("ls-remote", f"{world.host.origin}/grace/one.git")
    assert world.host.tokens()[-1] == tokens["grace"], "and where git sends no path"


def test_the_account_that_the_name_of_the_provider_means_is_used(make_world):
    world = make_world(ACCOUNTS, account="grace")
    tokens = both_sign_in(world)
    world.host.accepts = lambda token, path: token in tokens.values()
    url = world.host.repository("one.git")
    world.git.run("ls-remote", url)
    assert world.host.tokens()[-1] == tokens["grace"]
    assert world.daemon.call("GetAccessToken", {"providerID": "demo"})["accessToken"] == tokens["grace"]
    # Nobody takes its place.
    world.daemon.call("RevokeCredential", {"providerID": "grace"})
    _, words = world.git.run("ls-remote", url, status=128)
    assert "postern sign-in grace" in words and "told us to quit" in words
    with ends_with("SignInRequired"):
        world.daemon.call("GetAccessToken", {"providerID": "demo"})


def test_where_only_another_path_is_served_git_says_how_to_send_it(make_world):
    world = make_world(ACCOUNTS.partition("[account.grace]")[0] + "only = true\n")
    tokens = {"ada": sign_in(world.daemon, "ada", providerID="ada")["credential"]["accessToken"]}
    url = world.host.repository("ada/one.git")
    _, words = world.git.run("ls-remote", url, status=128)
    line, = [line for line in words.splitlines() if line.startswith("postern: ")]
    assert f"those of ada are for {world.host.origin}/ada/;" in line and "terminal prompts disabled" in words
    assert line.endswith(f" git config --global credential.{world.host.origin}.useHttpPath true")
    world.git.run("ls-remote", url, settings=["credential.useHttpPath=true"])
    assert world.host.tokens()[-1] == tokens["ada"]


def test_two_accounts_are_told_apart_by_name(make_world):
    world = make_world(ACCOUNTS.replace("/ada/", "").replace("/grace", ""))
    tokens = both_sign_in(world)
    world.host.accepts = lambda token, path: token in tokens.values()
    url = world.host.repository("one.git")
    _, words = world.git.run("ls-remote", url, status=128)
    assert "ada, grace" in words and "`postern config set provider.demo.account ada`" in words and "told us to quit" in words
    for name, person in (("ada", "ada"), ("grace", "grace"), ("grace%40example.org", "grace")):
        world.git.run("ls-remote", url.replace("://", f"://{name}@"))
        assert world.host.tokens()[-1] == tokens[person]
    _, words = world.git.run("ls-remote", url.replace("://", "://linus@"), status=128)
    assert "terminal prompts disabled" in words


def test_the_lines_of_the_documentation(world):
    text = (ROOT / "docs" / "use" / "helpers.md").read_text()
    lines = text.split("## git\n", 1)[1].split("```sh\n", 1)[1].split("```", 1)[0].replace("https://github.com", world.host.origin)
    settings = world.folder / "gitconfig"
    world.git.environment["GIT_CONFIG_GLOBAL"] = str(settings)
    subprocess.run(["sh", "-ec", lines], env=world.git.environment, check=True, timeout=60)
    sign_in(world.daemon)
    world.git.run("clone", "-q", world.host.repository("one.git"), "one", helpers=())
    assert set(world.host.tokens()) == {world.latest}


# ---- where there is no token --------------------------------------------------------------


def test_where_nobody_has_signed_in_git_says_what_to_run(world):
    url = world.host.repository("one.git")
    _, words = world.git.run("clone", "-q", url, "one", status=128)
    assert "postern sign-in demo" in words and "told us to quit" in words
    assert world.host.tokens() == [] and world.daemon.call("ListSessions")["sessions"] == []


def test_the_next_helper_has_its_turn_where_no_account_serves_the_host(make_world, tmp_path):
    world = make_world(serves=["https://git.example.org"])
    sign_in(world.daemon)
    url = world.host.repository("one.git")
    world.host.accepts = lambda token, path: token == "of-another"
    _, words = world.git.run("clone", "-q", url, "one", status=128)
    assert "terminal prompts disabled" in words and f"no account's tokens are for {world.host.origin}; " in words
    other = '!f() { test "$1" = get && printf "username=u\\npassword=of-another\\n"; }; f'
    world.git.run("clone", "-q", url, "one", helpers=("postern", other))
    assert set(world.host.tokens()) == {"of-another"}


def test_the_next_helper_has_its_turn_without_a_daemon(world):
    url = world.host.repository("one.git")
    world.daemon.stop()
    world.host.accepts = lambda token, path: token == "of-another"
    other = '!f() { test "$1" = get && printf "username=u\\npassword=of-another\\n"; }; f'
    _, words = world.git.run("clone", "-q", url, "one", helpers=("postern", other))
    assert START in words


@pytest.mark.parametrize("protocol, arguments, stdin, status", [
    ("git", ["get"], "protocol=https\nhost=git.example.org\n", 4), ("docker", ["get"], "registry.example.org", 1), ("kubectl", ["demo"], "", 4)])
def test_without_a_daemon_a_helper_falls_through_at_once(make_daemon, protocol, arguments, stdin, status):
    daemon = make_daemon()
    assert ask(daemon, protocol, *arguments, stdin=stdin).returncode == status


def test_an_outage_is_said_and_is_no_reason_to_sign_in(world):
    world.tokens.changed = {"expires_in": 20}
    sign_in(world.daemon)
    pages = world.daemon.call("ListSessions")
    world.tokens.refuse_connections()
    try:
        result = ask(world.daemon, "git", "get", stdin=asked(world.host.origin))
        assert (result.stdout, result.returncode) == ("quit=1\n", 1)
        assert "sign-in" not in result.stderr
        # Known by now: nobody waits for it again, and the provider is not asked again.
        assert ask(world.daemon, "git", "get", stdin=asked(world.host.origin)).stdout == "quit=1\n"
    finally:
        world.tokens.accept_connections()
    assert world.daemon.call("ListSessions") == pages


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


def test_a_token_that_the_provider_took_back_is_noticed_at_gits_next_call(at_github, tmp_path):
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


@pytest.mark.parametrize("command", [["token", "github.com", "--refresh"], ["curl", "-s", "-o", "/dev/null", "ORIGIN/octo/one.git/info/refs"]])
def test_it_is_noticed_by_the_commands_too(at_github, command):
    daemon, host, provider = at_github
    provider.revoked.add("gho_aaaa")
    # curl's own status: the answer was 401, which is no failure.
    ended = run(daemon, *(word.replace("ORIGIN", host.origin) for word in command))
    assert ended.returncode == (3 if command[0] == "token" else 0), ended.stderr
    assert run(daemon, "token", "github.com").returncode == 3


class GitLab(Server):
    def __init__(self):
        super().__init__()
        self.keys = Keys(self.origin, "app-id")
        self.nonce, self.given = None, []

    def configuration(self, serves):
        return f'''
[provider."gitlab.com"]
client-id = "app-id"
client-secret = "gloas-shh"
issuer = "{self.origin}"
authorization-endpoint = "{self.origin}/oauth/authorize"
token-endpoint = "{self.origin}/oauth/token"
userinfo-endpoint = "{self.origin}/oauth/userinfo"
jwks-uri = "{self.origin}/jwks"
scopes = ["openid", "profile", "email", "write_repository"]
serves = ["{serves}"]
'''

    def answer(self, request):
        if request.path == "/jwks":
            return 200, self.keys.document
        if request.path == "/oauth/userinfo":
            return 200, {"sub": "4123", "name": "Ada Lovelace", "preferred_username": "ada"}
        if request.path == "/oauth/token":
            self.given.append(f"glat-{len(self.given) + 1}")
            return 200, {"access_token": self.given[-1], "refresh_token": f"rt-{len(self.given)}", "token_type": "Bearer", "expires_in": 7200,
                         "scope": "openid profile email write_repository", "id_token": self.keys.token(sub="4123", nonce=self.nonce)}
        return 404, {}


def test_gitlab(tmp_path, make_daemon):
    (tmp_path / "served").mkdir()
    host, provider = GitServer(tmp_path / "served"), GitLab()
    try:
        daemon = make_daemon(provider.configuration(host.origin)).start()
        pending = SignIn(daemon, providerID="gitlab.com")
        provider.nonce = parameters(pending.url)["nonce"]
        browser().get(f"{daemon.origin}/__/auth/handler", params={"code": "good", "state": parameters(pending.url)["state"]})
        pending.completed()
        provider.nonce = None
        host.accepts = lambda token, path: token == provider.given[-1]
        git = Git(tmp_path, daemon)
        git.run("clone", "-q", host.repository("group/sub/one.git"), "one")
        assert [(user, token) for _, user, token in host.seen if token][0] == ("oauth2", "glat-1")
        expiry = int(answered(ask(daemon, "git", "get", stdin=asked(host.origin)))["password_expiry_utc"])
        assert 7000 < expiry - time.time() <= 7200
        # Refused, refreshed, and good again.
        host.accepts = lambda token, path: token == "glat-2"
        git.run("-C", "one", "fetch", "-q", status=128)
        git.run("-C", "one", "fetch", "-q")
        assert provider.given == ["glat-1", "glat-2"]
    finally:
        host.close()
        provider.close()


# ---- bytes ----------------------------------------------------------------------------------


def test_the_answer_has_the_end_of_the_token(world):
    sign_in(world.daemon)
    token = world.daemon.call("GetAccessToken", {"providerID": "demo"})
    result = ask(world.daemon, "git", "get", stdin=asked(world.host.origin))
    assert result.stdout.startswith(f"username=oauth2\npassword={token['accessToken']}\npassword_expiry_utc=")
    assert result.returncode == 0 and result.stderr == ""
    expiry = int(answered(result)["password_expiry_utc"])
    assert time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(expiry)) == token["expiresAt"]


def test_a_git_of_today_gets_a_bearer_token_where_the_server_wants_one(world):
    """The bytes of git 2.46 and later, as its documents have them; Debian 12's git is older."""
    sign_in(world.daemon)
    question = "capability[]=authtype\ncapability[]=state\n" + asked(world.host.origin) + 'wwwauth[]=Bearer realm="git"\n'
    answer = ask(world.daemon, "git", "get", stdin=question).stdout
    assert answer.startswith(f"capability[]=authtype\nauthtype=Bearer\ncredential={world.latest}\nephemeral=1\npassword_expiry_utc=")
    ask(world.daemon, "git", "erase", stdin=question + f"authtype=Bearer\ncredential={world.latest}\nephemeral=1\n")
    assert world.refreshes == 1


def test_a_caller_that_leaves_its_end_open_is_answered_after_an_empty_line(world):
    sign_in(world.daemon)
    command = [world.git.folder / "bin" / "git-credential-postern", "get"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=world.git.environment, text=True) as process:
        process.stdin.write(asked(world.host.origin) + "\n")
        process.stdin.flush()
        assert "password=" in process.stdout.read()


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """A daemon whose account serves a part of one host and port; for questions alone."""
    from postern import BIN, Daemon

    provider = subprocess.Popen(
        [str(BIN / "postern-demo-provider"), "--port", "0", "--exit-with-stdin"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    issuer = provider.stdout.readline().split()[1]
    serves = ["https://git.example.org", "https://xn--bcher-kva.example:8443/org"]
    daemon = Daemon(tmp_path_factory.mktemp("served"), oidc(issuer, serves=serves)).start()
    sign_in(daemon)
    yield daemon
    daemon.stop()
    provider.stdin.close()
    provider.wait(10)


@pytest.mark.parametrize("question", [
    "protocol=https\nhost=git.example.org\n", "protocol=https\nhost=GIT.Example.ORG\n", "protocol=https\nhost=git.example.org:443\n",
    "protocol=https\nhost=git.example.org\npath=a/b.git\nusername=oauth2\n", "protocol=https\nhost=git.example.org\nusername=ada@example.com\n",
    "protocol=https\nhost=xn--bcher-kva.example:8443\npath=org/a.git\n",
])
def test_the_host_that_is_served_gets_its_token(served, question):
    assert "password=" in ask(served, "git", "get", stdin=question).stdout


@pytest.mark.parametrize("question", [
    # Hosts that are not it.
    "protocol=https\nhost=git.example.org.evil.example\n", "protocol=https\nhost=evil-git.example.org\n", "protocol=https\nhost=example.org\n",
    "protocol=https\nhost=a.git.example.org\n", "protocol=https\nhost=git.example.org.\n", "protocol=https\nhost=g\u0456t.example.org\n",
    "protocol=https\nhost=xn--gt-62b.example.org\n", "protocol=https\nhost=b\u00fccher.example:8443\npath=org/a.git\n",
    # Ports and protocols that are not it.
    "protocol=https\nhost=git.example.org:444\n", "protocol=https\nhost=git.example.org:\n", "protocol=https\nhost=git.example.org:0443\n",
    "protocol=http\nhost=git.example.org\n", "protocol=http\nhost=git.example.org:443\n", "protocol=ssh\nhost=git.example.org\n",
    "protocol=HTTPS\nhost=git.example.org\n", "protocol=smtp\nhost=git.example.org\n",
    # Hosts that reach into the next part of a URL.
    "protocol=https\nhost=git.example.org@evil.example\n", "protocol=https\nhost=evil.example/@git.example.org\n",
    "protocol=https\nhost=git.example.org/x\n", "protocol=https\nhost=git.example.org#\n", "protocol=https\nhost=git.example.org?x\n",
    "protocol=https\nhost=evil.example%2f@git.example.org\n", "protocol=https\nhost=git.example.org\\@evil.example\n",
    # Paths that are not below.
    "protocol=https\nhost=xn--bcher-kva.example:8443\n", "protocol=https\nhost=xn--bcher-kva.example:8443\npath=organic/a.git\n",
    "protocol=https\nhost=xn--bcher-kva.example:8443\npath=Org/a.git\n", "protocol=https\nhost=xn--bcher-kva.example:8443\npath=org/../a.git\n",
    "protocol=https\nhost=xn--bcher-kva.example:8443\npath=org/%2e%2e/a.git\n", "protocol=https\nhost=xn--bcher-kva.example:8443\npath=org%2fa.git\n",
    # Lines that git never writes.
    "", "\n", "protocol=https\n", "host=git.example.org\n", "protocol=https\nhost=\n", "protocol=\nhost=git.example.org\n",
    "protocol=https\nhost=evil.example\nhost=git.example.org\n", "protocol=https\r\nhost=git.example.org\r\n",
    "protocol=https\nhost=git.example.org\0\n", "protocol=https\nhost=git.example.org\nusername=a\rb\n", "protocol=https\nhost=git.example.org\nx\n",
    "protocol=https\nhost=git.example.org\npath=" + "a" * 65536 + "\n", "protocol=https\nhost=" + "git.example.org" * 4000 + "\n",
    b"protocol=https\nhost=git.example.org\npath=\xff\n", "protocol=https\nhost=git.example.org\n" + "x[]=1\n" * 40000,
    # Somebody else's.
    "protocol=https\nhost=git.example.org\nusername=grace@example.org\n",
], ids=lambda question: repr(question[:70]))
def test_what_is_not_served_gets_no_token(served, question):
    result = ask(served, "git", "get", stdin=question)
    assert result.stdout == "" and result.stderr.count("\n") <= 1
