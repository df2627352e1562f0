"""`postern setup` asks what the tokens are for: the first one does what it was wanted for. Keys are counted."""
import subprocess
import tomllib

import pytest
from commands import environment
from git_server import GitServer
from newcomer import ID, Fresh, fresh, github  # noqa: F401

WHAT_FOR, WRITE, GIT = r"What are the tokens for\? \[1–4, Enter: 1, n to cancel\]", r"Write it\?", r"Set it now\? \[Y/n\]"
SECRET = "Client secret.*not shown"


@pytest.fixture
def host(tmp_path):
    """git at GitHub: private repositories, for tokens with the scope `repo`."""
    (tmp_path / "served").mkdir()
    server = GitServer(tmp_path / "served")
    yield server
    server.close()


@pytest.fixture
def at_host(make_daemon, tmp_path, github, host):
    host.accepts = lambda token, path: "repo" in github.scopes.get(token, [])
    return Fresh(make_daemon, tmp_path, github.endpoints() + f'serves = ["{host.origin}"]\n')


def clone(fresh, url, to):
    return subprocess.run(
        ["git", "clone", "-q", url, str(to)], env=environment(fresh.daemon, **fresh.environment, GIT_TERMINAL_PROMPT="0", GIT_ASKPASS=""),
        capture_output=True, text=True, timeout=60, check=False)


def section(fresh):
    return tomllib.loads(fresh.part.read_text())["provider"]["github.com"]


def test_the_first_token_clones_a_private_repository_after_one_command_and_five_times_enter(at_host, host, tmp_path):
    url = host.repository("octo/private.git")
    dialogue = at_host.dialogue("setup", "github.com").answer((WHAT_FOR, ""), ("Client ID:", ID), (SECRET, "shh"), (WRITE, ""), (GIT, ""))
    assert dialogue.end()[0] == 0, dialogue.text
    assert dialogue.keys == len(ID) + len("shh") + 5
    assert section(at_host)["scopes"] == ["read:user", "user:email", "repo"]
    # Both lines were shown, and are what git has now.
    text = " ".join(dialogue.text.split())
    key = f"credential.{host.origin}.helper"
    assert f"git config --global --replace-all {key} '' git config --global --add {key} postern Set it now?" in text, text
    assert at_host.git_settings.read_text().split("\n", 1)[1] == '\thelper = \n\thelper = postern\n'
    done = clone(at_host, url, tmp_path / "clone")
    assert done.returncode == 0 and (tmp_path / "clone" / "file").read_text() == "1\n", done.stderr
    # Once more, what git has is not changed, and not asked about.
    before = at_host.git_settings.read_text()
    again = at_host.dialogue("setup", "github.com", "--client-id", ID, "--no-sign-in").answer((r"1  git and API: [^\0]*" + WHAT_FOR, ""), (SECRET, ""))
    assert again.end()[0] == 0 and f"git asks Postern for {host.origin} already" in again.text, again.text
    assert at_host.git_settings.read_text() == before


def test_a_sign_in_token_cannot_clone_private_repositories_and_leaves_git_unchanged(at_host, host, tmp_path):
    url = host.repository("octo/private.git")
    dialogue = at_host.dialogue("setup", "github.com").answer((WHAT_FOR, "3"), ("Client ID:", ID), (SECRET, "shh"), (WRITE, ""))
    assert dialogue.end()[0] == 0 and "scopes" not in section(at_host), dialogue.text
    assert not at_host.git_settings.exists()
    at_host.git_settings.write_text(f'[credential "{host.origin}"]\n\thelper = postern\n')
    assert clone(at_host, url, tmp_path / "clone").returncode != 0
    # What they are for can be changed: the client stays.
    assert at_host.run("setup", "github.com", "--scope", "read:user", "--scope", "repo", "--yes", "--no-sign-in").returncode == 0
    assert section(at_host)["scopes"] == ["read:user", "repo"] and section(at_host)["client-id"] == ID and at_host.secret.read_text() == "shh\n"


def test_git_is_configured_only_with_consent_and_enter_keeps_another_helper(at_host, host):
    other = f'[credential "{host.origin}"]\n\thelper = \n\thelper = !gh auth git-credential\n'
    at_host.git_settings.write_text(other)
    start = [(WHAT_FOR, ""), ("Client ID:", ID), (SECRET, "shh"), (WRITE, "")]
    dialogue = at_host.dialogue("setup", "github.com", "--no-sign-in").answer(*start)
    dialogue.answer((r"would stop: !gh auth git-credential\s+Set it now\? \[y/N\]", ""))
    assert dialogue.end()[0] == 0 and at_host.git_settings.read_text() == other, dialogue.text
    dialogue = at_host.dialogue("setup", "github.com", "--client-id", ID, "--no-sign-in").answer((WHAT_FOR, ""), (SECRET, ""), (r"Set it now\?", "y"))
    assert dialogue.end()[0] == 0, dialogue.text
    assert at_host.git_settings.read_text() == f'[credential "{host.origin}"]\n\thelper = \n\thelper = postern\n'


def test_scopes_can_be_typed_given_as_options_or_left_at_the_default(fresh):
    dialogue = fresh.dialogue("setup", "github.com", "--no-sign-in").answer(
        (WHAT_FOR, "4"), ("Scopes, with spaces between them:", 'gi"st'), (r"scopes in [^\0]*Scopes, with spaces", "read:user gist"), ("Client ID:", ID),
        (SECRET, "shh"), (WRITE, ""))
    assert dialogue.end()[0] == 0 and section(fresh)["scopes"] == ["read:user", "gist"], dialogue.text
    given = ("setup", "github.com", "--client-id", ID, "--client-secret-file", "-", "--yes", "--no-sign-in")
    fresh.part.unlink()
    assert fresh.run(*given, stdin="shh\n").returncode == 0 and "scopes" not in section(fresh)
    assert fresh.run(*given, "--scope", "repo", "--scope", "gist", stdin="shh\n").returncode == 0 and section(fresh)["scopes"] == ["repo", "gist"]
    refused = fresh.run(*given, "--scope", "two words", stdin="shh\n")
    assert refused.returncode != 0 and "single scopes" in refused.stderr and section(fresh)["scopes"] == ["repo", "gist"]


def test_the_registration_step_names_the_boxes_to_tick(fresh):
    mail = " ".join(f"https://outlook.office.com/{name}" for name in ("IMAP.AccessAsUser.All", "POP.AccessAsUser.All", "SMTP.Send"))
    consent = "Add these scopes to the consent screen"
    for provider, number, scopes, boxes in [
        ("gitlab.com", "", "openid profile email api write_repository", "Tick these scopes there:"),
        ("gitlab.com", "2", "openid profile email api", "Tick these scopes there:"),
        ("google.com", "", "openid email profile https://mail.google.com/", consent),
        ("google.com", "2", "openid email profile https://www.googleapis.com/auth/cloud-platform", consent),
        ("google.com", "3", "openid email profile", consent),
        ("microsoft.com", "", f"openid profile email offline_access {mail}", "API permissions"),
        ("microsoft.com", "2", "openid profile email offline_access User.Read", "API permissions"),
        ("x.com", "2", "users.read tweet.read offline.access tweet.write", "App permissions"),
    ]:
        dialogue = fresh.dialogue("setup", provider).answer((r"What are the tokens for\?", number))
        dialogue.command.read_until("ID:")
        assert dialogue.text.split(boxes, 1)[1].split("\n", 1)[1].split("\r")[0].strip() == scopes, dialogue.text
        dialogue.command.type("\x03")
        dialogue.end()


def test_servers_and_scopes_are_asked_for_an_unknown_provider(fresh, demo_provider):
    dialogue = fresh.dialogue("setup", "work", "--no-sign-in").answer(
        ("Issuer", demo_provider), (r"Display name \(Enter: work\):", "Example Corp"), ("Servers that its tokens are for", "git.example.com"),
        (r"serves in [^\0]*Servers that its tokens are for", "https://git.example.com https://api.example.com"), ("Scopes for them", "api"),
        ("Client ID:", "postern-demo"), (SECRET, ""), (WRITE, ""))
    assert dialogue.end()[0] == 0, dialogue.text
    assert tomllib.loads((fresh.directory / "config.d" / "work.toml").read_text())["provider"]["work"] == {
        "kind": "oidc", "issuer": demo_provider, "display-name": "Example Corp", "serves": ["https://git.example.com", "https://api.example.com"],
        "scopes": ["openid", "email", "profile", "api", "offline_access"], "client-id": "postern-demo"}


def test_servers_are_asked_for_again_while_there_are_none(fresh, demo_provider):
    assert fresh.run("setup", "work", "--issuer", demo_provider, "--client-id", "postern-demo", "--yes", "--no-sign-in").returncode == 0
    dialogue = fresh.dialogue("setup", "work", "--no-sign-in").answer(
        (r"Change its client\?", "y"), (r"Issuer \(Enter: keep", ""), ("Servers that its tokens are for", "https://git.example.com"), ("Client ID", ""), (SECRET, ""), (WRITE, ""))
    assert dialogue.end()[0] == 0, dialogue.text
    section = tomllib.loads((fresh.directory / "config.d" / "work.toml").read_text())["provider"]["work"]
    assert section == {"kind": "oidc", "issuer": demo_provider, "client-id": "postern-demo", "serves": ["https://git.example.com"]}
