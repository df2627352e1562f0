"""docs/use/moving-from: each line that a page tells people to run is run, in the page's order, and does what the page says."""
import base64
import contextlib
import json
import os
import re
import select
import shutil
import signal
import sys

import foreign_files as foreign
import pytest
from commands import Command
from devices import type_code
from git_server import GitServer
from github import GitHub
from loopback import Handler, Listener
from mail_server import OAUTHBEARER, XOAUTH2
from moving import PAGES, Shell, configuration, lines
from person import browser, consent, parameters
from postern import wait_for
from signing_in import PERSON, browser_command

# Each page's lines, counted: one that is not run cannot hide.
COUNTS = {"pizauth": 12, "oidc-agent": 20, "git-credential-oauth": 16, "mutt_oauth2": 10, "gh": 15}


def test_every_page_has_its_counted_commands():
    assert {path.stem for path in PAGES.glob("*.md")} == set(COUNTS)
    assert {page: len(lines(page)) for page in COUNTS} == COUNTS


# ---- What a line does -----------------------------------------------------------------


def says(*patterns):
    """It ends well, and its words have these in them."""
    def check(shell, line):
        out, err = shell.run(line)
        for pattern in patterns:
            assert re.search(pattern, out + err), (line, pattern, out, err)
    return check


def nothing(shell, line):
    """It ends well, and says nothing."""
    assert shell.run(line) == ("", "")


def token(daemon, account, method="GetAccessToken", member="accessToken", **more):
    return daemon.call(method, {"providerID": account, **more})[member]


def prints_token(account, form="{}", **more):
    """What the daemon keeps is printed, in that form, and nothing else."""
    def check(shell, line):
        assert shell.run(line) == (form.format(token(shell.daemon, account, **more)) + "\n", "")
    return check


def prints_another_token(account):
    def check(shell, line):
        before = token(shell.daemon, account)
        out, err = shell.run(line)
        assert err == "" and out.strip() != before and out.strip() == token(shell.daemon, account)
    return check


def signs_in(shell, line):
    """The page opens, its person says yes."""
    out, err = shell.run(line)
    assert out.startswith("signed in as "), (out, err)


ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+/\S*authorize\?\S+")
CODE = re.compile(r"[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}")


def words_until(process, pattern):
    words = ""
    while not re.search(pattern, words):
        line = process.stderr.readline()
        assert line, words
        words += line
    return words


@contextlib.contextmanager
def started(shell, line):
    process = shell.start(line)
    try:
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        process.communicate(timeout=20)


def signs_in_elsewhere(answer):
    """The address is shown; the browser is somebody else's."""
    def check(shell, line):
        with started(shell, line) as process:
            answer(ADDRESS.search(words_until(process, ADDRESS.pattern + r"\n"))[0])
            assert process.stdout.readline().startswith("signed in as ") and process.wait(20) == 0
    return check


def signs_in_with_a_code(provider):
    def check(shell, line):
        with started(shell, line) as process:
            type_code(f"{provider}/device", user_code=CODE.search(words_until(process, CODE.pattern))[0])
            assert process.stdout.readline().startswith("signed in as ") and process.wait(20) == 0
    return check


def tells_what_happens(account):
    def check(shell, line):
        with started(shell, line) as process:
            def something_happens():
                token(shell.daemon, account, forceRefresh=True)
                return select.select([process.stdout], [], [], 0.1)[0]

            wait_for(something_happens, what="an event")
            assert json.loads(process.stdout.readline())["kind"]
    return check


def locks(shell, line):
    shell.run(line)
    assert shell.daemon.call("GetStatus")["locked"] is True


def unlocks(shell, line):
    shell.run(line)
    assert shell.daemon.call("GetStatus")["locked"] is False


def prints_response(pattern, account):
    def check(shell, line):
        out, err = shell.run(line)
        response = pattern.fullmatch(base64.b64decode(out))
        assert err == "" and response[1] == b"ada@example.com" and response[2].decode() == token(shell.daemon, account)
    return check


def forgets(account):
    def check(shell, line):
        shell.run(line)
        shell.run(f"postern token {account}", status=3)
    return check


def imports(daemon, folder, name, make_file, *dialogue, signed_in=True, renewable=True):
    """Into another daemon, since the first one has the page's account by hand: a person at a terminal, who is asked."""
    def check(_, line):
        folder.mkdir()
        shell = Shell(daemon, folder)
        # Its configuration is where the command writes.
        (shell.home / ".config").mkdir()
        (shell.home / ".config" / "postern").symlink_to(daemon.directory)
        more = make_file(shell.home) or {}
        assert line.startswith("postern ")
        command = Command(daemon, *line.replace("~", str(shell.home)).split()[1:], terminal=True, HOME=str(shell.home), XDG_CONFIG_HOME=str(shell.home / ".config"), **more)
        for question, answer in dialogue:
            command.read_until(question)
            command.type(answer + "\n")
        assert command.end() == (0, ""), command.text
        assert f"[account.{name}]" in (daemon.directory / "config.d" / f"{name}.toml").read_text()
        if signed_in:
            shell.run(f"postern token {name}" + (" --refresh" if renewable else ""))
        else:
            assert f"postern sign-in {name}" in command.text
            shell.run(f"postern token {name}", status=3)
    return check


def run_page(shell, page, expected):
    """Nothing on the page is left out, and nothing is run that does not stand there."""
    assert [line for line, _ in expected] == lines(page)
    for line, check in expected:
        check(shell, line)


# ---- The pages --------------------------------------------------------------------------


GOOGLE = 'client-id = "1234567890-abc.apps.googleusercontent.com"'
GOOGLES_SECRET = 'client-secret = { file = "~/.config/postern/google.secret" }'


def at_demo(issuer):
    """The demo provider in place of a built-in one: what is known of that, it is told by the provider."""
    known = browser().get(f"{issuer}/.well-known/openid-configuration", timeout=30).json()
    names = ("issuer", "authorization_endpoint", "token_endpoint", "userinfo_endpoint", "jwks_uri", "device_authorization_endpoint", "revocation_endpoint")
    return "\n".join(['client-id = "postern-demo"', *(f'{name.replace("_", "-")} = "{known[name]}"' for name in names)])


def at_google(issuer):
    """The demo provider gives a refresh token for a scope, and Google for a parameter."""
    return [(GOOGLE, at_demo(issuer)), (GOOGLES_SECRET, ""),
            ('"https://mail.google.com/"]', '"https://mail.google.com/", "offline_access"]')]


def test_pizauth(make_daemon, demo_provider, tmp_path):
    daemon = make_daemon(configuration("pizauth", *at_google(demo_provider)), browser=browser_command()).start_fast(10)
    other = make_daemon().start()

    def its_file(home):
        text = foreign.pizauth_configuration("work", "https://unused.example", login_hint="ada@example.com")
        for old, new in [("https://unused.example/authorize", "https://accounts.google.com/o/oauth2/v2/auth"),
                         ("https://unused.example/token", "https://oauth2.googleapis.com/token")]:
            text = text.replace(old, new)
        (home / ".config" / "pizauth.conf").write_text(text)

    run_page(Shell(daemon, tmp_path), "pizauth", [
        # It keeps no refresh token on disk.
        ("postern import pizauth ~/.config/pizauth.conf --account work",
         imports(other, tmp_path / "import", "work", its_file, (r"take \S+ over\?", "y"), signed_in=False)),
        ("postern status", says("store +open")),
        ("postern reload", says("")),
        ("postern sign-in work", signs_in),
        ("postern sign-in work --no-browser", signs_in_elsewhere(consent)),
        ("postern token work", prints_token("work")),
        ("postern token work", prints_token("work")),
        ("postern token work --refresh", prints_another_token("work")),
        ("postern credentials", says("google.com .*ada@example.com|google.com .*Ada Lovelace")),
        ("postern status --json", lambda shell, line: json.loads(shell.run(line)[0])["version"]),
        ("postern monitor --json", tells_what_happens("work")),
        ("postern revoke work", forgets("work")),
    ])


class API(Listener):
    """Says whose token came."""

    def __init__(self):
        self.authorizations = []
        api = self

        class Handling(Handler):
            def do_GET(self):
                api.authorizations.append(self.headers.get("Authorization"))
                self.send(200, b"{}\n")

        super().__init__(Handling)


@pytest.mark.skipif(not shutil.which("oidc-gen"), reason="needs oidc-agent-cli")
def test_oidc_agent(make_daemon, make_provider, tmp_path):
    issuer, api = make_provider("--device-interval", "1"), API()
    changes = [('"https://login.example.org"', f'"{issuer}"'), ('"postern"', '"postern-demo"'), ("https://api.example.org", api.origin)]
    daemon = make_daemon(configuration("oidc-agent", *changes), browser=browser_command()).start_fast(10)

    def asks_the_api(shell, line):
        assert shell.run(line)[0] == "{}\n" and api.authorizations == [f"Bearer {token(daemon, 'work')}"]

    other, agent = make_daemon().start(), None

    def its_file(home):
        nonlocal agent
        agent = foreign.OIDCAgent(tmp_path)
        agent.generate("work", issuer, foreign.grant(issuer)["refresh_token"])
        return agent.environment

    try:
        run_page(Shell(daemon, tmp_path, ("https://api.example.org/me", f"{api.origin}/me")), "oidc-agent", [
            ("postern status", says("store +open")),
            ("postern import oidc-agent work", imports(other, tmp_path / "import", "work", its_file, ("assword", foreign.OIDCAgent.password), (r"take \S+ over\?", "y"))),
            ("postern reload", says("")),
            ("postern sign-in work", signs_in),
            ("postern sign-in work --device", signs_in_with_a_code(issuer)),
            ("postern sign-in work", signs_in),
            ("postern credentials", says("institute ")),
            ("postern token work", prints_token("work")),
            ("postern token work --min-validity 300s", prints_token("work", minimumValiditySeconds=300)),
            ("postern token work --scope email", prints_token("work", scopes=["email"])),
            ("postern token work --resource https://api.example.org/", prints_token("work", resource="https://api.example.org/")),
            ("postern token work --refresh", prints_another_token("work")),
            ("postern token work --id-token", prints_token("work", method="GetIDToken", member="idToken")),
            ("postern token work --header", prints_token("work", "Authorization: Bearer {}")),
            ("postern token work --json | jq -r .expiresAt", prints_token("work", member="expiresAt")),
            ("postern exec --env OIDC_AT=work -- printenv OIDC_AT", prints_token("work")),
            ("postern curl https://api.example.org/me", asks_the_api),
            ("postern lock", locks),
            ("postern unlock", unlocks),
            ("postern revoke work", forgets("work")),
        ])
    finally:
        if agent:
            agent.close()
        api.close()


def test_mutt_oauth2(make_daemon, make_provider, tmp_path):
    google, microsoft = make_provider(), make_provider("--device-interval", "1")
    changes = [
        *at_google(google),
        ('[provider."microsoft.com"]\nclient-id = "11111111-2222-3333-4444-555555555555"',
         f'[provider."microsoft.com"]\n{at_demo(microsoft)}')]
    daemon = make_daemon(configuration("mutt_oauth2", *changes), browser=browser_command()).start_fast(10)
    other = make_daemon(re.sub(r"\[account\.mail\].*?(?=\[provider)", "", configuration("mutt_oauth2", *changes), flags=re.S)).start()

    def its_file(home):
        document = {
            "registration": "google", "authflow": "localhostauthcode", "email": "ada@example.com", "access_token": "at", "access_token_expiration": "2026-01-01T10:00:00",
            "refresh_token": foreign.grant(google)["refresh_token"], "client_id": foreign.CLIENT, "client_secret": ""}
        (home / ".mutt").mkdir()
        (home / ".mutt" / "ada.tokens").write_text(json.dumps(document))
        (home / ".mutt" / "ada.tokens").chmod(0o600)

    run_page(Shell(daemon, tmp_path), "mutt_oauth2", [
        ("postern import mutt_oauth2 ~/.mutt/ada.tokens --provider google.com --as mail",
         imports(other, tmp_path / "import", "mail", its_file, (r"take \S+ over\?", "y"))),
        ("postern sign-in mail", signs_in),
        ("postern sign-in mail", signs_in),
        ("postern sign-in mail --no-browser", signs_in_elsewhere(consent)),
        ("postern sign-in microsoft.com --device", signs_in_with_a_code(microsoft)),
        ("postern token mail", prints_token("mail")),
        ("postern sasl oauthbearer mail --host imap.gmail.com --port 993", prints_response(OAUTHBEARER, "mail")),
        ("postern sasl xoauth2 microsoft.com --user ada@example.com", prints_response(XOAUTH2, "microsoft.com")),
        ("postern credentials", says("google.com ", "microsoft.com ")),
        ("postern revoke mail", forgets("mail")),
    ])


# ---- GitHub's -------------------------------------------------------------------------------


class Codes(dict):
    """Each sign-in's code is good, and brings a token of its own."""

    def pop(self, code, default=None):
        self["given"] = self.get("given", 0) + 1
        return f"gho_{self['given']:04}" if code == "good" else default


def come_back(url):
    asked = parameters(url)
    browser().get(asked["redirect_uri"], params={"code": "good", "state": asked["state"]}, timeout=30)


# Goes back at once, and notes the page's address.
BROWSER = """
import sys
sys.path.insert(0, sys.argv[1])
import person
open(sys.argv[2], "w").write(sys.argv[3])
asked = person.parameters(sys.argv[3])
person.browser().get(asked["redirect_uri"], params={"code": "good", "state": asked["state"]}, timeout=30)
"""


def githubs_browser(folder):
    (folder / "browser.py").write_text(BROWSER)
    return json.dumps([sys.executable, str(folder / "browser.py"), str(PERSON.parent), str(folder / "asked")])


@pytest.fixture
def github():
    server = GitHub()
    server.codes = Codes()
    yield server
    server.close()


def at_github(github, serves):
    endpoints = github.configuration().split('client-secret = "shh"\n')[1]
    return [('client-secret = { file = "~/.config/postern/github.secret" }', f'client-secret = "shh"\n{endpoints}serves = ["{serves}"]')]


def test_git_credential_oauth(make_daemon, make_provider, github, tmp_path):
    (tmp_path / "served").mkdir()
    host, forge = GitServer(tmp_path / "served"), make_provider("--device-interval", "1")
    changes = [*at_github(github, host.origin), ('issuer = "https://git.example.org"', f'issuer = "{forge}"'), ('"postern"', '"postern-demo"')]
    daemon = make_daemon(configuration("git-credential-oauth", *changes), browser=githubs_browser(tmp_path)).start_fast(10)
    shell = Shell(daemon, tmp_path, ("https://github.com", host.origin), ("protocol=https\\nhost=github.com", host.origin.replace("http://", "protocol=http\\nhost=")))
    host.repository("octo/one.git")
    host.accepts = lambda given, path: given == token(daemon, "github.com")
    shell.run("git config --global credential.helper store")

    def sets(shell, line):
        nothing(shell, line)
        name, value = re.fullmatch(r"git config --global (?:--add )?(\S+) (\S+)", line).groups()
        assert shell.run(f"git config --global --get-all {name}")[0].splitlines()[-1] == value.strip('"')

    def unsets(shell, line):
        nothing(shell, line)
        shell.run("git config --global credential.helper", status=1)

    def clones(shell, line):
        shell.run(line)
        assert (shell.home / "one" / "file").read_text() == "1\n" and host.tokens()

    def answers(shell, line):
        out, _ = shell.run(line)
        assert f"password={token(daemon, 'github.com')}\n" in out and "username=" in out

    def still_answered(shell, line):
        sets(shell, line)
        answers(shell, r"printf 'protocol=https\nhost=github.com\npath=octo/one.git\n\n' | git credential fill")

    try:
        run_page(shell, "git-credential-oauth", [
            ('git config --global credential.https://github.com.helper ""', sets),
            ("git config --global --add credential.https://github.com.helper postern", sets),
            ('git config --global credential.https://git.example.org.helper ""', sets),
            ("git config --global --add credential.https://git.example.org.helper postern", sets),
            ("git config --global --unset-all credential.helper", unsets),
            ("postern sign-in github.com", signs_in),
            ("git clone https://github.com/octo/one.git", clones),
            ("postern sign-in forge --device", signs_in_with_a_code(forge)),
            ("postern sign-in github.com", signs_in),
            ("postern credentials", says("github.com ", "forge ")),
            (r"printf 'protocol=https\nhost=github.com\n\n' | git credential fill", answers),
            (r"printf 'protocol=https\nhost=github.com\n' | postern helper git get", answers),
            ("git config --global credential.https://github.com.username octo", still_answered),
            ("git config --global credential.useHttpPath true", still_answered),
            ("postern token forge --refresh", prints_another_token("forge")),
            ("postern revoke github.com", forgets("github.com")),
        ])
    finally:
        host.close()


class GHHost(Listener):
    """What gh takes for http://api.github.localhost, as a proxy: the one host that it speaks to without TLS."""

    def __init__(self, user):
        self.seen = []
        host = self

        class Handling(Handler):
            def do_GET(self):
                host.seen.append((self.path, self.headers.get("Authorization")))
                self.send(200, json.dumps(user).encode(), ("Content-Type", "application/json; charset=utf-8"))

        super().__init__(Handling)


@pytest.mark.skipif(not shutil.which("gh"), reason="needs gh")
def test_gh(make_daemon, github, tmp_path):
    api = GHHost(github.user)
    daemon = make_daemon(configuration("gh", *at_github(github, github.origin)), browser=githubs_browser(tmp_path)).start_fast(10)
    shell = Shell(daemon, tmp_path, ("https://api.github.com", github.origin), GH_HOST="github.localhost", HTTP_PROXY=api.origin, GH_NO_UPDATE_NOTIFIER="1")

    def asks_as(account):
        def check(shell, line):
            del api.seen[:]
            assert json.loads(shell.run(line)[0])["login"] == "octo"
            assert api.seen == [("http://api.github.localhost/user", f"token {token(daemon, account)}")]
        return check

    def asks_by_curl(shell, line):
        assert json.loads(shell.run(line)[0])["login"] == "octo"
        assert github.requests[-1][2]["Authorization"] == f"Bearer {token(daemon, 'github.com')}"

    def signs_in_for(scopes, *kept):
        def check(shell, line):
            signs_in(shell, line)
            asked = parameters((tmp_path / "asked").read_text())["scope"].split()
            # What the account has is asked for besides.
            assert asked[:len(scopes)] == scopes and sorted(asked[len(scopes):]) == sorted(kept)
        return check

    def then_asks(shell, line):
        asks_as("github.com")(shell, f"{line}\ngh api user")

    other = make_daemon(f'[provider."github.com"]\nclient-id = "Iv1.mine"\nclient-secret = "shh"\nuserinfo-endpoint = "{github.origin}/user"\n').start()

    def its_file(home):
        (home / ".config" / "gh").mkdir()
        (home / ".config" / "gh" / "hosts.yml").write_text("github.com:\n    users:\n        octo:\n            oauth_token: gho_gh\n    user: octo\n")

    try:
        run_page(shell, "gh", [
            ("postern import gh --account octo", imports(other, tmp_path / "import", "octo", its_file, (r"take octo over\?", "y"), renewable=False)),
            ("postern sign-in github.com", signs_in_for(["repo", "read:org", "gist", "workflow"])),
            ("postern sign-in github.com --no-browser", signs_in_elsewhere(come_back)),
            ("postern sign-in github.com --scope repo --scope read:org", signs_in_for(["repo", "read:org"], "read:user", "user:email")),
            ("postern credentials", says("github.com ", "octo")),
            ("postern token github.com", prints_token("github.com")),
            ("postern token octo", prints_token("octo")),
            ("postern token github.com --account octo", prints_token("octo")),
            ("postern exec --env GH_TOKEN=github.com -- gh api user", asks_as("github.com")),
            ("postern curl https://api.github.com/user", asks_by_curl),
            ("postern exec --env GH_TOKEN=octo -- gh api user", asks_as("octo")),
            ('git config --global credential.https://github.com.helper ""', nothing),
            ("git config --global --add credential.https://github.com.helper postern", nothing),
            ("postern revoke github.com", forgets("github.com")),
            ('gh() { postern exec --env GH_TOKEN=github.com -- gh "$@"; }', lambda shell, line: (shell.run("postern sign-in github.com"), then_asks(shell, line))),
        ])
    finally:
        api.close()
