"""`postern import`: accounts of other programs, with the refresh tokens that those got, in the files that those write."""
import json
import os
import shutil
import stat
import subprocess

import foreign_files as foreign
import pytest
from commands import POSTERN, Command, environment, run
from desktop import Desktop
from fake_service import Refusal, Service
from github import GitHub
from postern import oidc
from signing_in import sign_in
from token_server import TokenServer


@pytest.fixture
def issuer(make_provider):
    return make_provider()


@pytest.fixture
def daemon(make_daemon):
    return make_daemon().start()


@pytest.fixture(scope="module")
def gpg(tmp_path_factory):
    if not shutil.which("gpg"):
        pytest.skip("gnupg is not installed")
    made = foreign.GnuPG(tmp_path_factory.mktemp("gpg") / "gnupg")
    yield made
    made.close()


@pytest.fixture
def agent(tmp_path):
    if not shutil.which("oidc-gen"):
        pytest.skip("oidc-agent-cli is not installed")
    made = foreign.OIDCAgent(tmp_path)
    yield made
    made.close()


def take(daemon, *arguments, yes=True, stdin=None, **more):
    """Runs it to its end. Standard input is bytes, or nothing."""
    home = daemon.directory / "home"
    home.mkdir(exist_ok=True)
    more = {"HOME": str(home), "XDG_CONFIG_HOME": str(home / ".config"), "XDG_STATE_HOME": str(home / ".local/state"), **more}
    done = subprocess.run(
        [POSTERN, "import", *map(str, arguments), "--config", str(daemon.config), *(["--yes"] if yes else [])], input=stdin or b"",
        capture_output=True, timeout=60, env=environment(daemon, **more))
    done.stdout, done.stderr = done.stdout.decode(), done.stderr.decode()
    return done


def mutt_file(path, **members):
    document = {
        "registration": "google", "authflow": "localhostauthcode", "email": "ada@example.com", "access_token": "at-of-mutt",
        "access_token_expiration": "2026-01-01T10:00:00", "refresh_token": "rt", "client_id": foreign.CLIENT, "client_secret": "", **members}
    path.write_text(json.dumps({key: value for key, value in document.items() if value is not None}))
    path.chmod(0o600)
    return path


def is_left_alone(daemon):
    """No credential and no configuration came of it."""
    files = sorted(path.name for path in (daemon.directory / "config.d").glob("*")) if (daemon.directory / "config.d").exists() else []
    return (daemon.call("ListCredentials")["credentials"], files) == ([], [])


# MARK: The four programs

def test_a_gpg_encrypted_token_file_of_mutt_oauth2_is_imported(daemon, issuer, gpg, tmp_path):
    got = foreign.grant(issuer)
    plain = mutt_file(tmp_path / "plain", refresh_token=got["refresh_token"])
    file = tmp_path / "ada.tokens"
    file.write_bytes(gpg.encrypted(plain.read_bytes()))
    before = file.read_bytes()
    done = take(daemon, "mutt_oauth2", file, "--issuer", issuer, "--as", "mail", **gpg.environment)
    assert done.returncode == 0, done.stderr
    assert "stop mutt_oauth2" in done.stderr and "mail was taken over: ada@example.com" in done.stderr
    assert got["refresh_token"] not in done.stderr + done.stdout and file.read_bytes() == before
    written = daemon.directory / "config.d" / "mail.toml"
    assert stat.S_IMODE(written.stat().st_mode) == 0o600
    text = written.read_text()
    assert f'issuer = "{issuer}"' in text and "[account.mail]" in text and 'login = "ada@example.com"' in text
    first = run(daemon, "token", "mail").stdout.strip()
    assert first and first != got["access_token"]
    # The provider gives a new refresh token at each use, and takes the second use of one for a theft: this one has its own.
    assert run(daemon, "token", "mail", "--refresh").returncode == 0
    again = take(daemon, "mutt_oauth2", file, "--issuer", issuer, "--as", "mail", **gpg.environment)
    assert again.returncode == 0 and "mail is here already: ada@example.com" in again.stderr, again.stderr
    renamed = take(daemon, "mutt_oauth2", file, "--issuer", issuer, "--as", "other", "--login", "demo-1815", "--replace", **gpg.environment)
    assert renamed.returncode == 1 and "was already imported" in renamed.stderr, renamed.stderr
    assert [path.name for path in (daemon.directory / "config.d").iterdir()] == ["mail.toml"]
    daemon.kill()
    daemon.start()
    assert run(daemon, "token", "mail", "--refresh").returncode == 0
    assert daemon.call("GetCurrentUser") == {}, "it was nobody's sign-in"


def test_a_plain_token_file_and_one_with_a_decrypt_command_are_imported(daemon, issuer, tmp_path):
    for person, name, arguments in [("ada", "ada", []), ("grace", "grace", ["--decrypt-command", "tr a-zA-Z n-za-mN-ZA-M"])]:
        email = {"ada": "ada@example.com", "grace": "grace@example.org"}[person]
        file = mutt_file(tmp_path / name, refresh_token=foreign.grant(issuer, person)["refresh_token"], email=email)
        if arguments:
            file.write_bytes(subprocess.run(["tr", "a-zA-Z", "n-za-mN-ZA-M"], input=file.read_bytes(), capture_output=True, check=True).stdout)
        done = take(daemon, "mutt_oauth2", file, "--issuer", issuer, "--as", name, *arguments)
        assert done.returncode == 0, done.stderr
    # One provider for both: the client is the same.
    assert "[provider" not in (daemon.directory / "config.d" / "grace.toml").read_text()
    assert run(daemon, "token", "ada").stdout != run(daemon, "token", "grace").stdout != ""


def test_an_account_of_oidc_agent_is_imported(daemon, issuer, agent):
    file = agent.generate("work", issuer, foreign.grant(issuer)["refresh_token"])
    before = file.read_bytes()
    done = take(daemon, "oidc-agent", "work", "--password-file", agent.password_file, "--json", **agent.environment)
    assert done.returncode == 0, done.stderr
    [account] = json.loads(done.stdout)["accounts"]
    assert account["state"] == "imported" and account["account"] == "work" and account["uid"] == "demo-1815" and account["hasRefreshToken"] is True
    assert run(daemon, "token", "work").returncode == 0 and file.read_bytes() == before
    # oidc-agent has written a slash behind the issuer, which the provider does not call itself by.
    assert f'issuer = "{issuer}"' in (daemon.directory / "config.d" / "work.toml").read_text()
    agent.password_file.write_text("wrong\n")
    wrong = take(daemon, "oidc-agent", file, "--password-file", agent.password_file, "--as", "again")
    assert wrong.returncode == 1 and "oidc-gen failed" in wrong.stderr


def test_an_account_of_oama_is_imported_by_its_address(daemon, issuer, gpg):
    state = daemon.directory / "home" / ".local/state/oama"
    state.mkdir(parents=True)
    document = {
        "email": "ada@example.com", "service": "google", "scope": "openid email", "refresh_token": foreign.grant(issuer)["refresh_token"],
        "access_token": "at-of-oama", "token_type": "Bearer", "exp_date": "2026-01-01 10:00 UTC", "expires_in": 3600}
    (state / "ada@example.com.oama").write_bytes(gpg.encrypted(json.dumps(document).encode()))
    missing = take(daemon, "oama", "ada@example.com", "--issuer", issuer, **gpg.environment)
    # Nobody can be asked for it.
    assert missing.returncode == 64 and "--client-id" in missing.stderr and is_left_alone(daemon)
    done = take(daemon, "oama", "ada@example.com", "--issuer", issuer, "--client-id", foreign.CLIENT, **gpg.environment)
    assert done.returncode == 0, done.stderr
    assert run(daemon, "token", "ada-example.com").returncode == 0


@pytest.mark.skipif(not shutil.which("secret-tool"), reason="libsecret-tools is not installed")
def test_an_account_of_oama_in_the_keyring_is_imported(daemon, issuer, tmp_path):
    desktop = Desktop(tmp_path / "desktop")
    try:
        document = {"email": {"email": "ada@example.com"}, "service": "microsoft", "refresh_token": foreign.grant(issuer)["refresh_token"]}
        subprocess.run(
            ["secret-tool", "store", "--label=oama", "oama", "ada@example.com"], input=json.dumps(document), text=True, check=True, timeout=30,
            env={**os.environ, **desktop.environment})
        done = take(daemon, "oama", "ada@example.com", "--issuer", issuer, "--client-id", foreign.CLIENT, "--as", "mail", **desktop.environment)
        assert done.returncode == 0, done.stderr
        assert run(daemon, "token", "mail").returncode == 0
    finally:
        desktop.close()


def test_a_pizauth_dump_is_imported_from_standard_input(daemon, issuer):
    tokens = {person: foreign.grant(issuer, person)["refresh_token"] for person in ("ada", "grace")}
    dump = foreign.pizauth_sealed(foreign.pizauth_plain([
        ("poet", issuer, "ada@example.com", None, tokens["ada"]), ("navy", issuer, None, None, tokens["grace"]), ("new", issuer, None, None, None)]))
    issuers = ["--issuer", issuer]
    one = take(daemon, "pizauth", "-", "--account", "poet", "--as", "poet", *issuers, stdin=dump)
    assert one.returncode == 0, one.stderr
    rest = take(daemon, "pizauth", "-", "--account", "navy", "--account", "new", *issuers, "--json", stdin=dump)
    assert rest.returncode == 0, rest.stderr
    assert {each["found"]: each["state"] for each in json.loads(rest.stdout)["accounts"]} == {"navy": "imported", "new": "signInNeeded"}
    assert "sign in once with: postern sign-in new" in rest.stderr
    assert run(daemon, "token", "poet").stdout != run(daemon, "token", "navy").stdout
    assert run(daemon, "token", "new").returncode == 3
    nobody = take(daemon, "pizauth", "-", "--account", "nobody", stdin=dump)
    assert nobody.returncode == 1 and "navy, new, poet" in nobody.stderr


def test_a_pizauth_configuration_is_imported_without_tokens(daemon, issuer):
    home = daemon.directory / "home" / ".config"
    home.mkdir(parents=True)
    (home / "pizauth.conf").write_text(
        'auth_notify_cmd = "notify-send \\"sign in\\"";\n' + foreign.pizauth_configuration("poet", issuer, login_hint="ada@example.com")
        + foreign.pizauth_configuration("navy", issuer, auth_uri_fields={"login_hint": "grace@example.org", "x": "y"}))
    whose = take(daemon, "pizauth", "--account", "poet")
    assert whose.returncode == 1 and "--issuer" in whose.stderr and "--userinfo-endpoint" in whose.stderr and is_left_alone(daemon)
    done = take(daemon, "pizauth", "--userinfo-endpoint", f"{issuer}/userinfo")
    assert done.returncode == 0, done.stderr
    # Under the name that was imported, with the client that was imported.
    sign_in(daemon, "ada", providerID="poet")
    assert run(daemon, "token", "poet").returncode == 0 and run(daemon, "token", "navy").returncode == 3


# MARK: gh

HOSTS = """github.com:
    users:
        octo:
            oauth_token: gho_octo
        ada-work:
    git_protocol: https
    oauth_token: gho_octo
    user: octo
git.example.com:
    users:
        octo:
            oauth_token: gho_enterprise
    user: octo
"""


@pytest.fixture
def github():
    server = GitHub()
    server.foreign = {"gho_octo", "gho_enterprise"}
    yield server
    server.close()


def github_provider(github, name="github.com", more=""):
    """With the person's own client, and the API at the test's server."""
    return f'[provider."{name}"]\nclient-id = "Iv1.mine"\nclient-secret = "shh"\nuserinfo-endpoint = "{github.origin}/user"\n{more}'


def hosts_file(daemon, text=HOSTS):
    directory = daemon.directory / "home" / ".config" / "gh"
    directory.mkdir(parents=True)
    (directory / "hosts.yml").write_text(text)
    return directory


def test_gh_needs_a_configured_provider(daemon):
    hosts_file(daemon)
    done = take(daemon, "gh", PATH="/nowhere")
    assert done.returncode == 1 and "octo: no provider for github.com is set up here" in done.stderr and "postern setup github.com" in done.stderr
    assert 'host = "git.example.com"' in done.stderr and "gho_" not in done.stderr and is_left_alone(daemon)
    wrong = take(daemon, "gh", "--client-id", "178c6fc778ccc68e1d6a")
    assert wrong.returncode == 64 and "--provider" in wrong.stderr


def test_a_token_in_ghs_file_is_imported_as_an_account(make_daemon, github):
    daemon = make_daemon(github_provider(github)).start()
    before = (hosts_file(daemon) / "hosts.yml").read_text()
    done = take(daemon, "gh", "--account", "octo", "--json", PATH="/nowhere")
    assert done.returncode == 0, done.stderr
    [account] = json.loads(done.stdout)["accounts"]
    assert (account["state"], account["account"], account["login"], account["uid"], account["hasAccessToken"]) == ("imported", "octo", "octo", "583231", True)
    assert "access token   yes, of gh's own client; nothing renews it" in done.stderr and "not revoke it" in done.stderr, done.stderr
    assert "octo has no refresh token: the access token works until github.com ends it; then sign in with: postern sign-in octo" in done.stderr
    assert "stop gh" not in done.stderr and "gho_" not in done.stdout + done.stderr
    written = daemon.directory / "config.d" / "octo.toml"
    assert written.read_text() == '[account.octo]\nprovider = "github.com"\nlogin = "octo"\n'
    assert run(daemon, "token", "octo").stdout == "gho_octo\n"
    assert [request[:2] for request in github.requests if request[0] != "GET"] == [], "nothing is exchanged"
    [stored] = daemon.call("ListCredentials")["credentials"]
    assert stored["state"] == "good" and not stored["refreshable"] and stored["email"] == "o@example.com"
    # The provider is asked about the token with the token itself: to our client it would be unknown.
    assert run(daemon, "token", "octo", "--refresh").returncode == 3
    assert daemon.call("ListCredentials")["credentials"][0]["state"] == "good"
    # Its client alone can revoke it.
    revoked = daemon.call("RevokeCredential", {"providerID": "octo"})
    assert revoked["revokedAtProvider"] is False and daemon.call("ListCredentials")["credentials"] == []
    assert (daemon.directory / "home/.config/gh/hosts.yml").read_text() == before


def test_an_enterprise_host_needs_its_own_provider(make_daemon, github):
    daemon = make_daemon(github_provider(github, more='host = "git.example.com"\n')).start()
    hosts_file(daemon)
    done = take(daemon, "gh", "--account", "octo@git.example.com", PATH="/nowhere")
    assert done.returncode == 0, done.stderr
    assert run(daemon, "token", "octo-git.example.com").stdout == "gho_enterprise\n"
    other = take(daemon, "gh", "--account", "octo", PATH="/nowhere")
    assert other.returncode == 1 and "no provider for github.com" in other.stderr, other.stderr


def test_a_named_provider_gets_no_gh_token_of_another_host(make_daemon, github):
    corp = github_provider(github, name="corp", more='kind = "oauth2"\nprofile = { uid = "id", username = "login" }\n') + "".join(
        f'{key}-endpoint = "https://git.example.com/login/oauth/{path}"\n' for key, path in [("authorization", "authorize"), ("token", "access_token")])
    daemon = make_daemon(corp).start()
    hosts_file(daemon)
    alone = take(daemon, "gh", "--account", "octo", "--provider", "corp", PATH="/nowhere")
    assert alone.returncode == 1 and "octo is skipped: its token is of github.com, and corp is at https://git.example.com/" in alone.stderr, alone.stderr
    assert github.requests == [] and is_left_alone(daemon)
    done = take(daemon, "gh", "--provider", "corp", "--json", PATH="/nowhere")
    assert done.returncode == 0, done.stderr
    states = {each["found"]: each["state"] for each in json.loads(done.stdout)["accounts"]}
    assert states == {"octo": "skipped", "ada-work": "skipped", "octo@git.example.com": "imported"}
    assert "has no refresh token: the access token works until corp ends it" in done.stderr
    assert "gho_octo" not in str(github.requests) and "gho_enterprise" in str(github.requests)


def test_a_gh_token_in_a_keyring_is_read_through_gh_or_needs_a_sign_in(make_daemon, github, tmp_path):
    daemon = make_daemon(github_provider(github)).start()
    directory = hosts_file(daemon)
    without = take(daemon, "gh", "--account", "ada-work", "--dry-run", PATH="/nowhere")
    assert "not in the file, gh keeps it in a keyring: sign in once afterwards" in without.stderr
    github.user["login"] = "ada-work"
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "gh").write_text(
        f'#!/bin/sh\necho "$*" >>{tmp_path}/asked\n[ "$*" = "auth token --hostname github.com --user ada-work" ] && echo gho_keyring\n')
    (programs / "gh").chmod(0o755)
    # Of a file that is given, gh may know nothing.
    given = take(daemon, "gh", directory / "hosts.yml", "--account", "ada-work", "--dry-run", "--json", PATH=f"{programs}:{os.environ['PATH']}")
    assert "hasAccessToken" not in json.loads(given.stdout)["accounts"][0] and not (tmp_path / "asked").exists()
    done = take(daemon, "gh", "--account", "ada-work", PATH=f"{programs}:{os.environ['PATH']}")
    assert done.returncode == 0 and run(daemon, "token", "ada-work").stdout == "gho_keyring\n", done.stderr
    assert (tmp_path / "asked").read_text() == "auth token --hostname github.com --user ada-work\n"


def test_gh_config_dir_is_used_and_a_missing_or_broken_file_is_reported(make_daemon, github, tmp_path):
    daemon = make_daemon(github_provider(github)).start()
    missing = take(daemon, "gh")
    assert missing.returncode == 1 and "gh/hosts.yml cannot be read: No such file" in missing.stderr
    (tmp_path / "gh").mkdir()
    (tmp_path / "gh" / "hosts.yml").write_text("github.com:\n    user: octo\n    oauth_token: gho_octo\n")
    assert take(daemon, "gh", GH_CONFIG_DIR=str(tmp_path / "gh"), PATH="/nowhere").returncode == 0
    for text in (b"\xff", b"github.com:\n\tuser: x\n", b" " * 70_000):
        done = take(daemon, "gh", "-", stdin=text)
        assert done.returncode == 1 and not done.stdout and len(done.stderr.splitlines()) <= 2, (text[:40], done.stderr)


# MARK: A client secret, and providers that are there

def test_a_foreign_provider_is_imported_with_a_secret_from_its_own_file(daemon, tmp_path):
    mock = pytest.importorskip("oidc_provider_mock")
    import requests
    from person import parameters
    people = [mock.User(sub="grace", claims={"email": "grace@example.org", "name": "Grace Hopper"})]
    with mock.run_server_in_thread(user_claims=people) as server:
        issuer = f"http://localhost:{server.server_port}"
        session = requests.Session()
        session.trust_env = False
        back = "http://localhost:9/back"
        page = session.post(
            f"{issuer}/oauth2/authorize", params={"response_type": "code", "client_id": "c1", "redirect_uri": back, "scope": "openid email", "state": "s"},
            data={"sub": "grace"}, allow_redirects=False)
        code = parameters(page.headers["Location"])["code"]
        got = foreign.token(f"{issuer}/oauth2/token", grant_type="authorization_code", code=code, redirect_uri=back, client_id="c1", client_secret="s3cret")
        file = mutt_file(tmp_path / "tokens", email="grace@example.org", client_id="c1", client_secret="s3cret", refresh_token=got["refresh_token"])
        done = take(daemon, "mutt_oauth2", file, "--issuer", issuer, "--as", "navy")
        assert done.returncode == 0, done.stderr
        assert "s3cret" not in done.stdout + done.stderr and "with a secret" in done.stderr
        secret = daemon.directory / "config.d" / "navy.secret"
        assert secret.read_text() == "s3cret\n" and stat.S_IMODE(secret.stat().st_mode) == 0o600
        assert "s3cret" not in (daemon.directory / "config.d" / "navy.toml").read_text()
        assert run(daemon, "token", "navy", "--refresh").returncode == 0


def test_a_provider_with_the_same_issuer_and_client_is_used_whatever_its_name(make_daemon, issuer, tmp_path):
    daemon = make_daemon(oidc(issuer, name="other", client="another") + oidc(issuer, name="work")).start()
    file = mutt_file(tmp_path / "tokens", refresh_token=foreign.grant(issuer)["refresh_token"])
    done = take(daemon, "mutt_oauth2", file, "--issuer", issuer + "/", "--as", "mail")
    assert done.returncode == 0 and f"work at {issuer}" in done.stderr, done.stderr
    text = (daemon.directory / "config.d" / "mail.toml").read_text()
    assert "[provider" not in text and 'provider = "work"' in text
    assert run(daemon, "token", "mail").stdout == run(daemon, "token", "work").stdout != ""


def test_a_provider_with_the_same_endpoints_and_client_identifies_the_owner(make_daemon, issuer):
    profile = 'profile = { uid = "sub", email = "email" }\n'
    config = "".join(
        f'[provider.{name}]\nkind = "oauth2"\nclient-id = "{client}"\nauthorization-endpoint = "{issuer}/authorize"\n'
        f'token-endpoint = "{issuer}/token"\nuserinfo-endpoint = "{issuer}/userinfo"\n{profile}{app}'
        for name, client, app in [("harbour", foreign.CLIENT, ""), ("app", foreign.CLIENT, 'app = "com.example.Tool"\n'), ("other", "c2", "")])
    daemon = make_daemon(config).start()
    text = foreign.pizauth_configuration("poet", issuer, login_hint="ada@example.com")
    done = take(daemon, "pizauth", "-", stdin=text.encode())
    assert done.returncode == 0 and "harbour at" in done.stderr, done.stderr
    written = (daemon.directory / "config.d" / "poet.toml").read_text()
    assert written.startswith('[account.poet]\nprovider = "harbour"\nlogin = "ada@example.com"\n'), written


def test_an_account_keeps_its_name_unless_a_provider_has_it(make_daemon, issuer):
    daemon = make_daemon(oidc(issuer, name="poet")).start()
    text = foreign.pizauth_configuration("poet", issuer) + foreign.pizauth_configuration("Navy Blue", issuer)
    done = take(daemon, "pizauth", "-", "--issuer", issuer, "--json", stdin=text.encode())
    assert done.returncode == 0, done.stderr
    assert [each["account"] for each in json.loads(done.stdout)["accounts"]] == ["poet-account", "navy-blue"]


def test_a_provider_with_the_same_name_but_another_issuer_gets_no_token(make_daemon, make_provider, tmp_path):
    issuer, other = make_provider(), make_provider()
    name = issuer.split("/")[2].replace(":", "-")
    tokens = TokenServer(f"{other}/token")
    try:
        daemon = make_daemon(oidc(other, name=f'"{name}"', token_endpoint=tokens.url)).start()
        file = mutt_file(tmp_path / "tokens", refresh_token=foreign.grant(issuer)["refresh_token"])
        done = take(daemon, "mutt_oauth2", file, "--issuer", issuer, "--as", "mail")
        assert tokens.forms == [], "the refresh token went to another server"
        assert done.returncode == 0 and f"{name}-mail at {issuer}" in done.stderr, done.stderr
        assert f'issuer = "{issuer}"' in (daemon.directory / "config.d" / "mail.toml").read_text()
        shown = take(daemon, "mutt_oauth2", file, "--provider", name, "--as", "post", "--dry-run")
        assert f"{name} at {tokens.url}" in shown.stderr, shown.stderr
    finally:
        tokens.close()


def test_google_and_microsoft_are_recognized_by_name(daemon, tmp_path):
    def configure(name, registration, client):
        file = mutt_file(tmp_path / name, registration=registration, email=f"{name}@example.com", client_id=client, client_secret="s3cret")
        done = take(daemon, "mutt_oauth2", file, "--as", name, "--configuration-only")
        written = daemon.directory / "config.d" / f"{name}.toml"
        return done, written.read_text() if written.exists() else None

    first, text = configure("first", "google", "c1")
    assert first.returncode == 0 and '[provider."google.com"]' in text and "issuer" not in text and "postern sign-in first" in first.stderr, first.stderr
    second, text = configure("second", "google", "c1")
    assert second.returncode == 0 and "[provider" not in text and 'provider = "google.com"' in text, second.stderr
    # One provider has one client: another client is another provider, of the same issuer.
    third, text = configure("third", "google", "c2")
    assert third.returncode == 0 and '[provider."google.com-third"]' in text and 'issuer = "https://accounts.google.com"' in text, third.stderr
    fourth, text = configure("fourth", "microsoft", "c3")
    assert fourth.returncode == 0 and '[provider."microsoft.com"]' in text and "https://outlook.office.com/SMTP.Send" in text, fourth.stderr
    # Whose issuer depends on who signs in.
    fifth, text = configure("fifth", "microsoft", "c4")
    assert fifth.returncode == 1 and "another client" in fifth.stderr and text is None, fifth.stderr
    listed = {each["providerID"]: each["configured"] for each in daemon.call("ListProviders")["providers"]}
    assert listed["google.com"] and listed["google.com-third"] and listed["microsoft.com"]
    assert run(daemon, "token", "third").returncode == 3 and daemon.call("ListCredentials") == {"credentials": []}


# MARK: What does not come to anything

def test_a_refused_refresh_token_leaves_nothing_behind(daemon, issuer, tmp_path):
    file = mutt_file(tmp_path / "tokens", refresh_token="rt-that-nobody-gave", client_secret="")
    done = take(daemon, "mutt_oauth2", file, "--issuer", issuer, "--as", "mail")
    assert done.returncode == 1 and "does not accept this refresh token" in done.stderr, done.stderr
    assert "rt-that-nobody-gave" not in done.stderr and is_left_alone(daemon)
    assert run(daemon, "token", "mail").returncode == 1, "the name is gone as well"


def test_an_unreachable_provider_and_a_locked_store_stop_the_import(daemon, make_provider, tmp_path):
    issuer = make_provider()
    file = mutt_file(tmp_path / "tokens", refresh_token=foreign.grant(issuer)["refresh_token"])
    daemon.call("Lock")
    locked = take(daemon, "mutt_oauth2", file, "--issuer", issuer)
    assert locked.returncode == 1 and "unlock" in locked.stderr and not (daemon.directory / "config.d").exists()
    daemon.call("Unlock")
    make_provider.processes[issuer].stdin.close()
    make_provider.processes[issuer].wait(10)
    away = take(daemon, "mutt_oauth2", file, "--issuer", issuer)
    assert away.returncode == 1 and "cannot be reached" in away.stderr, away.stderr
    assert is_left_alone(daemon)


def test_undoing_an_import_keeps_what_others_wrote_in_between(daemon, tmp_path):
    """A file that the daemon does not read: the import is undone, and what was added to it in the meantime is kept."""
    elsewhere = tmp_path / "elsewhere" / "config.toml"
    elsewhere.parent.mkdir()
    elsewhere.write_text("")
    written = elsewhere.parent / "config.d" / "mail.toml"
    providers = daemon.call("ListProviders")

    def reload(parameters):
        if not any(method == "Reload" for method, _ in service.calls[:-1]):
            written.write_text(written.read_text() + "# by another\n")
        return {}

    service = Service(tmp_path, ListProviders=providers, ListCredentials={"credentials": []}, Reload=reload, GetAccessToken=Refusal("ProviderNotFound", providerID="mail"))
    try:
        file = mutt_file(tmp_path / "tokens", client_secret="s3cret")
        done = subprocess.run(
            [POSTERN, "import", "mutt_oauth2", str(file), "--as", "mail", "--config", str(elsewhere), "--yes"], capture_output=True, text=True, timeout=60,
            env=environment(service))
    finally:
        service.close()
    assert done.returncode == 1 and "the daemon does not read" in done.stderr, done.stderr
    assert written.read_text().endswith("# by another\n") and not (written.parent / "mail.secret").exists()


def test_an_existing_file_is_never_changed(daemon, issuer, tmp_path):
    directory = daemon.directory / "config.d"
    directory.mkdir(mode=0o700)
    (directory / "mail.toml").write_text("# mine\n")
    file = mutt_file(tmp_path / "tokens", refresh_token=foreign.grant(issuer)["refresh_token"])
    done = take(daemon, "mutt_oauth2", file, "--issuer", issuer, "--as", "mail")
    assert done.returncode == 1 and "was not changed" in done.stderr and "--as" in done.stderr
    assert (directory / "mail.toml").read_text() == "# mine\n" and len(list(directory.iterdir())) == 1
    assert take(daemon, "mutt_oauth2", file, "--issuer", issuer, "--as", "post").returncode == 0


@pytest.mark.parametrize("place", ["etc", "own"])
def test_an_existing_account_is_not_overwritten(make_daemon, issuer, tmp_path, place):
    text = '[account.mail]\nprovider = "work"\nlogin = "grace@example.org"\nkeep-fresh = true\n'
    etc = tmp_path / "system/etc/postern"
    etc.mkdir(parents=True)
    (etc / "config.toml").write_text(text if place == "etc" else "")
    system = {"POSTERN_SYSTEM_ROOT": str(tmp_path / "system")}
    daemon = make_daemon(oidc(issuer, name="work") + (text if place == "own" else ""), environment=system).start()
    file = mutt_file(tmp_path / "tokens", refresh_token=foreign.grant(issuer)["refresh_token"])
    for arguments in (["--issuer", issuer], ["--provider", "work"]):
        done = take(daemon, "mutt_oauth2", file, *arguments, "--as", "mail", **system)
        assert done.returncode == 1 and "already has [account.mail]" in done.stderr and "--as" in done.stderr, done.stderr
        assert is_left_alone(daemon)
    grace = mutt_file(tmp_path / "grace", refresh_token=foreign.grant(issuer, "grace")["refresh_token"], email="grace@example.org")
    done = take(daemon, "mutt_oauth2", grace, "--provider", "work", "--as", "mail", **system)
    assert done.returncode == 0 and "configured already" in done.stderr, done.stderr
    assert not (daemon.directory / "config.d").exists()


def test_an_import_with_a_lost_response_is_repeated_only_on_request(make_daemon, issuer, tmp_path):
    tokens = TokenServer(f"{issuer}/token")
    try:
        daemon = make_daemon(oidc(issuer, name="work", token_endpoint=tokens.url)).start()
        file = mutt_file(tmp_path / "tokens", refresh_token=foreign.grant(issuer)["refresh_token"])
        arguments = ["mutt_oauth2", file, "--provider", "work", "--as", "mail"]
        tokens.answers.append("close")
        lost = take(daemon, *arguments)
        assert lost.returncode == 1 and "it is unknown" in lost.stderr and is_left_alone(daemon), lost.stderr
        for _ in range(2):
            again = take(daemon, *arguments)
            assert again.returncode == 3 and "the answer was lost" in again.stderr and len(tokens.forms) == 1, again.stderr
        done = take(daemon, *arguments, "--replace")
        assert done.returncode == 0 and "configured already" in done.stderr and len(tokens.forms) == 2, done.stderr
        assert run(daemon, "token", "mail", "--refresh").returncode == 0
    finally:
        tokens.close()


def test_an_import_into_a_configuration_the_daemon_does_not_read_fails(daemon, issuer, tmp_path):
    file = mutt_file(tmp_path / "tokens", refresh_token=foreign.grant(issuer)["refresh_token"])
    other = tmp_path / "other"
    done = run(daemon, "import", "mutt_oauth2", str(file), "--issuer", issuer, "--yes", "--config", str(other / "config.toml"))
    assert done.returncode == 1 and "--config" in done.stderr, done.stderr
    assert list((other / "config.d").iterdir()) == []


# MARK: Asking

def test_without_a_terminal_yes_is_required_and_a_dry_run_writes_nothing(daemon, issuer, tmp_path):
    file = mutt_file(tmp_path / "tokens", refresh_token=foreign.grant(issuer)["refresh_token"])
    nobody = take(daemon, "mutt_oauth2", file, "--issuer", issuer, yes=False)
    assert nobody.returncode == 64 and "--yes" in nobody.stderr
    look = take(daemon, "mutt_oauth2", file, "--issuer", issuer, "--dry-run", "--json", yes=False)
    assert look.returncode == 0 and json.loads(look.stdout)["accounts"][0]["state"] == "found", look.stderr
    assert "would write" in look.stderr and is_left_alone(daemon)


def test_the_import_happens_only_after_the_user_agrees(daemon, issuer, tmp_path):
    refresh_token = foreign.grant(issuer)["refresh_token"]
    file = mutt_file(tmp_path / "tokens", refresh_token=refresh_token, client_id=None)
    arguments = ["import", "mutt_oauth2", str(file), "--issuer", issuer, "--as", "mail", "--config", str(daemon.config)]
    for reply, left_alone, status in [("n\n", True, 2), ("y\n", False, 0)]:
        command = Command(daemon, *arguments, terminal=True)
        command.read_until("client ID:")
        command.type(foreign.CLIENT + "\n")
        command.read_until("client secret")
        command.type("\n")
        command.read_until(r"take ada@example.com over\?")
        command.type(reply)
        assert command.process.wait(30) == status
        assert is_left_alone(daemon) == left_alone
    assert run(daemon, "token", "mail").returncode == 0


# MARK: Files that are none

HOSTILE = {
    "nothing": b"", "no JSON": b"{", "a list": b"[]", "nested": b'{"a":' * 400, "no registration": b"{}", "another registration": b'{"registration": "evil"}',
    "a number": b'{"registration": "google", "refresh_token": 5}', "a line feed": b'{"registration": "google", "refresh_token": "a\\nb"}',
    "an escape": b'{"registration": "google", "email": "\\u001b[2J", "refresh_token": "a"}', "twice": b'{"registration": "google", "registration": "google"}',
    "a long token": b'{"registration": "google", "refresh_token": "' + b"a" * 20_000 + b'"}', "too large": b"{" + b" " * 70_000 + b"}",
}


def test_a_hostile_token_file_is_refused_in_one_line(daemon, tmp_path):
    file = tmp_path / "tokens"
    for name, content in HOSTILE.items():
        file.write_bytes(content)
        # Where there is no `{` at the beginning gpg would be asked.
        for program in ("mutt_oauth2", "oama"):
            done = take(daemon, program, file, "--decrypt-command", "cat", "--issuer", "http://127.0.0.1:1")
            # A file that has no client lacks what the command line could have given.
            status = 64 if "give it with --client-id" in done.stderr else 1
            assert done.returncode == status and not done.stdout, (name, program, done.stderr)
            assert len(done.stderr.splitlines()) <= 2 and "\x1b" not in done.stderr, (name, done.stderr)
    assert is_left_alone(daemon)


def test_hostile_pizauth_configurations_and_dumps_are_refused(daemon, issuer):
    account = foreign.pizauth_configuration("x", issuer)
    texts = [
        "account", 'account "x', 'account "x" {', account * 2, account.replace(";", ""), account.replace("client_id", "client_od"), "account account {}",
        'account "x" { scopes = [["a"]]; }', "{" * 10_000, '"' * 9_999, account.replace(f'"{issuer}/token"', "[1]"), "\\", "x = y", 'x = "y"',
        account.replace('"offline_access"]', '"offline_access" "more"]'), "".join(foreign.pizauth_configuration(f"x{n}", issuer) for n in range(65)),
    ]
    plain = foreign.pizauth_plain([("x", issuer, None, None, "rt")])
    huge = (1 << 63).to_bytes(8, "little")
    dumps = [
        b"\0" * 20, b"\0" * 200, foreign.pizauth_sealed(plain)[:-1], foreign.pizauth_sealed(plain + b"\0"), foreign.pizauth_sealed(plain[:8] + huge + plain[16:]),
        foreign.pizauth_sealed(plain[:16] + huge + plain[24:]), foreign.pizauth_sealed((2).to_bytes(8, "little") + plain[8:]), foreign.pizauth_sealed(b""),
        *(foreign.pizauth_sealed(plain[:cut]) for cut in range(1, len(plain), 41)),
    ]
    for content in [text.encode() for text in texts] + dumps:
        done = take(daemon, "pizauth", "-", "--issuer", issuer, stdin=content)
        assert done.returncode == 1 and not done.stdout, (content[:80], done.stderr)
        assert len(done.stderr.splitlines()) <= 2, (content[:80], done.stderr)
    assert is_left_alone(daemon)


def test_an_argument_that_is_not_a_regular_file_is_refused(daemon, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path, tmp_path / "missing", "/dev/zero"):
        done = take(daemon, "mutt_oauth2", path, "--issuer", "http://127.0.0.1:1")
        assert done.returncode == 1 and len(done.stderr.splitlines()) == 1, done.stderr


def test_an_unknown_registration_uses_the_given_provider(make_daemon, issuer, tmp_path):
    daemon = make_daemon(oidc(issuer, name="work")).start()
    file = mutt_file(tmp_path / "tokens", registration="harbour", refresh_token=foreign.grant(issuer)["refresh_token"])
    alone = take(daemon, "mutt_oauth2", file)
    assert alone.returncode == 1 and "--provider" in alone.stderr and "--issuer" in alone.stderr
    unknown = take(daemon, "mutt_oauth2", file, "--provider", "play")
    assert unknown.returncode == 1 and "no provider play" in unknown.stderr
    done = take(daemon, "mutt_oauth2", file, "--provider", "work", "--as", "mail")
    assert done.returncode == 0, done.stderr
    assert run(daemon, "token", "mail").stdout != ""


def test_a_missing_file_is_reported_before_anything_else(daemon, tmp_path):
    for program in ("mutt_oauth2", "pizauth", "oidc-agent", "oama"):
        missing = take(daemon, program, tmp_path / "nofile", yes=False)
        assert missing.returncode == 1 and f"{tmp_path}/nofile cannot be read: No such file" in missing.stderr, missing.stderr
