"""Two accounts at one provider, and all accounts in one view: what a person types, and which account each program gets."""
import json
import subprocess
import sys
import tomllib
import urllib.parse

import pytest
from commands import DISPLAY, POSTERN, URL, Command, environment, run
from fake_service import Service
from helpers import ask, links
from person import consent
from postern import oidc
from signing_in import sign_in
from terminal import shown

GIT, REGISTRY = "https://git.example.com", "https://registry.example.com"


@pytest.fixture
def work(make_daemon, make_provider):
    """A daemon that knows one provider, where Ada has signed in under its name."""
    daemon = make_daemon(oidc(make_provider(), "work", display_name="Example Corp", serves=[GIT])).start()
    sign_in(daemon, "ada", providerID="work", intent="keep")
    return daemon


class Typist:
    """Counts what a person types: commands, and keys in answer to them."""

    def __init__(self, daemon):
        self.daemon, self.commands, self.keys = daemon, 0, 0

    def run(self, *arguments, **more):
        self.commands += 1
        return run(self.daemon, *arguments, **more)

    def sign_in(self, person, *arguments, answers=()):
        """At a terminal, with the page in a browser of the test; `answers` are questions and what is typed."""
        self.commands += 1
        shows = [] if "setup" in arguments else ["--no-browser"]
        command = Command(self.daemon, *arguments, *shows, terminal=True)
        for question, answer in answers:
            command.read_until(question)
            command.type(answer)
            self.keys += len(answer)
        self.url = command.read_until(URL.pattern)
        assert consent(self.url, person).status_code == 200
        status, out = command.end()
        return status, out, command.text

    def shell(self, *words, env):
        """A command of another program."""
        self.commands += 1
        done = subprocess.run(words, env=env, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr

    def write(self, file, text):
        """In an editor."""
        self.commands += 1
        self.keys += len(text)
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)

    def remove(self, *arguments, answer="y\n"):
        self.commands += 1
        command = Command(self.daemon, *arguments, terminal=True)
        command.read_until(r"\[[yY]/[nN]\]")
        command.type(answer)
        self.keys += len(answer)
        return (*command.end(), command.text)


def tokens(daemon, *names):
    found = [run(daemon, "token", name) for name in names]
    assert all(each.returncode == 0 for each in found), [each.stderr for each in found]
    return [each.stdout for each in found]


def sections(daemon):
    return tomllib.loads(daemon.config.read_text())


def accounts(daemon):
    done = run(daemon, "accounts", "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["accounts"]


AGAIN = r"1  again as ada@example\.com\s+2  with another account\s+Again, or with another account\? \[1–2, n to cancel\]"


def both(daemon):
    typist = Typist(daemon)
    status, out, text = typist.sign_in("grace", "sign-in", "work", answers=[(AGAIN, "2\n")])
    assert (status, out) == (0, "signed in as Grace Hopper at Example Corp (account grace)\n"), text
    return typist, text


def test_the_same_address_at_two_providers_takes_two_commands_and_no_question(make_daemon, make_provider):
    daemon = make_daemon(oidc(make_provider(), "first") + oidc(make_provider(), "second")).start()
    typist = Typist(daemon)
    for provider in ("first", "second"):
        status, _, text = typist.sign_in("ada", "sign-in", provider)
        assert status == 0, text
    assert (typist.commands, typist.keys) == (2, 0)
    assert [(each["name"], each["email"]) for each in accounts(daemon)] == [("first", "ada@example.com"), ("second", "ada@example.com")]


def test_a_second_account_takes_one_command_and_one_answer_and_breaks_no_script(work):
    before = tokens(work, "work")
    typist, text = both(work)
    assert (typist.commands, typist.keys) == (1, 2)
    assert "work still means ada@example.com, now also called ada; the new account is grace" in text and "postern accounts rename grace NAME" in text
    # The browser is asked to let the person choose, with what the refresh token needs.
    assert urllib.parse.parse_qs(urllib.parse.urlsplit(typist.url).query)["prompt"] == ["select_account consent"]
    found = sections(work)
    assert found["account"] == {
        "ada": {"provider": "work", "login": "ada@example.com"}, "grace": {"provider": "work", "login": "grace@example.org"}}
    assert found["provider"]["work"]["account"] == "ada"
    ada, grace = tokens(work, "ada", "grace")
    assert tokens(work, "work") == before == [ada] and grace != ada


def test_git_distinguishes_accounts_by_path_and_docker_by_host(work, tmp_path):
    both(work)
    ada, grace = (each.strip() for each in tokens(work, "ada", "grace"))
    env = environment(
        work, PATH=f"{links(tmp_path / 'bin', 'git-credential-postern', 'docker-credential-postern')}:/usr/bin:/bin", HOME=str(tmp_path),
        GIT_CONFIG_NOSYSTEM="1", GIT_TERMINAL_PROMPT="0", GIT_ASKPASS="")

    def given(typist, urls):
        done = typist.run("config", "set", "account.grace.for", json.dumps(urls), "--config", str(work.config))
        assert done.returncode == 0, done.stderr

    def password(url):
        place = urllib.parse.urlsplit(url)
        question = f"protocol={place.scheme}\nhost={place.netloc}\npath={place.path[1:]}\n\n"
        done = subprocess.run(["git", "credential", "fill"], input=question, env=env, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
        return dict(line.split("=", 1) for line in done.stdout.splitlines())["password"]

    def of_registry(host):
        """As docker does: the program that its file names for the registry."""
        name = json.loads((tmp_path / ".docker" / "config.json").read_text())["credHelpers"][host]
        program = tmp_path / "bin" / f"docker-credential-{name}"
        return json.loads(ask(work, "get", program=program, stdin=f"{host}\n").stdout)["Secret"]

    first, git, docker = Typist(work), Typist(work), Typist(work)
    first.shell("git", "config", "--global", "credential.helper", "postern", env=env)
    assert password(f"{GIT}/navy/ships") == ada and (first.commands, first.keys) == (1, 0), "as before the second one"
    given(git, [f"{GIT}/navy/"])
    assert password(f"{GIT}/navy/ships") == ada, "git does not say the path"
    git.shell("git", "config", "--global", f"credential.{GIT}.useHttpPath", "true", env=env)
    assert (password(f"{GIT}/navy/ships"), password(f"{GIT}/poems")) == (grace, ada) and (git.commands, git.keys) == (2, 0)
    given(docker, [f"{GIT}/navy/", REGISTRY])
    docker.write(tmp_path / ".docker" / "config.json", '{"credHelpers": {"registry.example.com": "postern"}}')
    assert of_registry("registry.example.com") == grace and (docker.commands, docker.keys) == (2, 52)
    assert (password(f"{GIT}/navy/ships"), password(f"{GIT}/poems")) == (grace, ada), "the first is repeated, and stays"
    listed = {each["name"]: each for each in accounts(work)}
    assert listed["grace"]["urls"] == [f"{GIT}/navy/", REGISTRY, GIT] and listed["ada"]["urls"] == [GIT]


@pytest.mark.parametrize("arguments", [("sign-in", "work", "--login-hint", "grace@example.org"), ("setup", "work")], ids=["hint", "setup"])
def test_a_second_account_added_another_way_does_not_take_over_the_name(work, arguments):
    before = tokens(work, "work")
    typist = Typist(work)
    answers = [(r"Change its client\?", "n\n"), (AGAIN, "2\n")] if arguments[0] == "setup" else []
    status, _, text = typist.sign_in("grace", *arguments, answers=answers)
    assert status == 0 and "work still means ada@example.com" in text, text
    assert sections(work)["provider"]["work"]["account"] == "ada" and tokens(work, "work") == before == tokens(work, "ada") != tokens(work, "grace")


def test_sign_out_by_the_providers_name_signs_out_its_default_account(work):
    both(work)
    grace = tokens(work, "grace")
    done = run(work, "sign-out", "work", "--yes")
    assert done.returncode == 0 and "Ada Lovelace at Example Corp (account ada): revoked" in done.stderr, done.stderr
    # Nobody takes its place.
    assert run(work, "token", "work").returncode == 3 and tokens(work, "grace") == grace
    again = run(work, "sign-out", "work", "--yes")
    assert again.returncode == 3 and "postern sign-in ada" in again.stderr and tokens(work, "grace") == grace, again.stderr


def test_signing_out_one_of_two_accounts_keeps_the_other(work):
    both(work)
    typist = Typist(work)
    status, out, text = typist.remove("sign-out", "grace")
    assert status == 0 and "revoked at Example Corp, and forgotten here" in text, text
    assert (typist.commands, typist.keys) == (1, 2)
    assert run(work, "token", "grace").returncode == 3 and tokens(work, "work") == tokens(work, "ada")


def test_removing_one_of_two_accounts_keeps_the_other(work):
    both(work)
    typist = Typist(work)
    status, out, text = typist.remove("accounts", "remove", "grace", answer="\n")
    assert status == 2 and out == "" and "revokes its tokens there" in text, "Enter alone is a no"
    status, out, text = typist.remove("accounts", "remove", "grace")
    assert status == 0 and "revoked at Example Corp, and forgotten here" in out and "[account.grace]" in out, text
    assert typist.keys == 3
    assert [each["name"] for each in accounts(work)] == ["ada"] and run(work, "token", "grace").returncode != 0
    assert tokens(work, "work") == tokens(work, "ada")
    # The one whose name the provider's means takes that along.
    assert run(work, "accounts", "remove", "work").returncode == 64, "nobody can be asked"
    assert run(work, "accounts", "remove", "work", "--yes").returncode == 0
    assert "account" not in sections(work) and "account" not in sections(work)["provider"]["work"] and accounts(work) == []


def test_a_name_given_as_an_option_is_used_and_shown_in_json(work):
    typist = Typist(work)
    status, out, text = typist.sign_in("grace", "accounts", "add", "work", "--as", "navy", "--json")
    assert status == 0 and json.loads(out)["event"]["account"]["account"] == "navy", text
    assert typist.keys == 0 and sections(work)["account"].keys() == {"ada", "navy"}
    for words, status, sentence in [
        (["work", "--as", "navy"], 64, "postern sign-in navy"), (["work", "--as", "work"], 64, "is the name of a provider"),
        (["work", "--as", "A"], 64, "a to z"), (["navy", "--as", "other"], 64, "postern accounts rename navy other"),
        (["work", "--as", "x", "--app", "a"], 64, "--app"), (["password", "--as", "x"], 64, "goes with a provider"),
    ]:
        done = run(work, "sign-in", *words, **DISPLAY)
        assert done.returncode == status and sentence in done.stderr, (words, done.stderr)


def test_a_providers_name_keeps_its_account_while_it_is_signed_out(work):
    both(work)
    assert run(work, "accounts", "remove", "grace", "--yes").returncode == 0 and run(work, "sign-out", "ada").returncode == 0
    status, out, text = Typist(work).sign_in("grace", "sign-in", "work")
    assert (status, out) == (1, "") and "ada@example.com was requested" in text and "--as NAME" in text and accounts(work)[0]["state"] != "good", text
    # Another one has a name of its own.
    status, out, text = Typist(work).sign_in("grace", "sign-in", "work", "--as", "navy")
    assert status == 0 and out.endswith("(account navy)\n") and tokens(work, "navy"), text
    assert run(work, "token", "work").returncode == 3 and sections(work)["provider"]["work"]["account"] == "ada"


def test_signing_in_again_with_the_same_account_gives_it_no_second_name(work):
    before = work.config.read_text()
    status, out, text = Typist(work).sign_in("ada", "sign-in", "work", "--as", "grace")
    assert (status, out) == (1, "") and "that was ada@example.com again" in text and "--no-browser" in text, text
    assert work.config.read_text() == before


def test_signing_in_again_as_the_same_account_takes_one_key_and_keeps_its_name(work):
    before = work.config.read_text()
    status, out, text = Typist(work).sign_in("ada", "sign-in", "work", answers=[(AGAIN, "1\n")])
    assert status == 0 and "Ada Lovelace at Example Corp" in out and work.config.read_text() == before, text
    command = Command(work, "sign-in", "work", terminal=True)
    command.read_until(AGAIN)
    command.type("n\n")
    assert command.end() == (2, "")


def test_renaming_an_account_changes_every_reference(work):
    both(work)
    before = tokens(work, "work")
    for old, new in [("ada", "poet"), ("grace@example.org", "navy")]:
        done = run(work, "accounts", "rename", old, new)
        assert done.returncode == 0 and done.stdout.endswith(f"is called {new} now\n"), done.stderr
    assert sections(work)["account"].keys() == {"poet", "navy"} and sections(work)["provider"]["work"]["account"] == "poet"
    assert tokens(work, "work") == before == tokens(work, "poet")
    taken = run(work, "accounts", "rename", "poet", "navy")
    assert taken.returncode == 64 and "there is an account called navy already" in taken.stderr
    nobody = run(work, "accounts", "rename", "nobody", "x")
    assert nobody.returncode == 64 and 'you have no account called "nobody"' in nobody.stderr


def test_an_account_without_a_login_can_be_renamed(make_daemon, make_provider):
    daemon = make_daemon(oidc(make_provider(), "work") + '[account.old] # mine\nprovider = "work"\n').start()
    for person, name in [("ada", "work"), ("grace", "old")]:
        sign_in(daemon, person, providerID=name, intent="keep")
    grace = tokens(daemon, "old")
    assert run(daemon, "accounts", "rename", "old", "new").returncode == 0
    assert tokens(daemon, "new") == grace and "[account.new] # mine" in daemon.config.read_text()


def test_removing_a_provider_removes_its_accounts_and_credentials(work):
    both(work)
    status, out, text = Typist(work).remove("provider", "remove", "work")
    assert status == 0 and out.count("revoked at Example Corp") == 2, text
    assert "Its accounts will be removed, too: ada, grace." in text and "2 accounts" in text
    assert not {"account", "provider"} & sections(work).keys() or "work" not in sections(work).get("provider", {})
    assert accounts(work) == [] and "work" not in run(work, "provider", "list").stdout
    assert run(work, "provider", "remove", "work").returncode == 1


def test_postern_without_arguments_shows_accounts_on_a_terminal_and_help_elsewhere(work, make_daemon):
    both(work)
    status, text = shown(work, 100)
    lines = text.splitlines()
    assert status == 0 and lines[0].split() == ["ACCOUNT", "WHO", "WHERE", "STATE", "UNTIL", "FOR"]
    assert lines[1].startswith("ada (also work)  ada@example.com") and lines[2].startswith("grace ")
    assert run(work).stdout == run(work, "--help").stdout
    work.kill()
    assert "USAGE: postern" in shown(work, 100)[1]


def test_partial_lists_mention_postern_accounts_only_on_a_terminal(work):
    assert "postern accounts" in shown(work, 100, "whoami")[1] and "postern accounts" not in run(work, "whoami").stderr
    for command in ("credentials", "status", "doctor"):
        assert "postern accounts" in shown(work, 100, command)[1].splitlines()[-1] and "postern accounts" not in run(work, command).stderr, command


# Of a process that has just been started, the kernel counts the memory of the one that it was copied from.
MEASURED = """import resource, subprocess, sys
ended = subprocess.run(sys.argv[1:])
sys.stderr.write(str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss))
sys.exit(ended.returncode)"""


def measured(daemon, folder, *options):
    """What `postern accounts` writes, and the most memory that it had, in KiB."""
    with (folder / "written").open("w+") as file:
        command = [sys.executable, "-I", "-S", "-c", MEASURED, POSTERN, "accounts", *options]
        ended = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.PIPE, text=True, env=environment(daemon))
        assert ended.returncode == 0, ended.stderr
        file.seek(0)
        return file.read(), int(ended.stderr)


def test_forty_thousand_credentials_are_listed_in_one_call(tmp_path):
    kept = [
        {"providerID": "work", "uid": str(n), "email": f"p{n}@example.com", "scopes": ["openid"], "refreshable": True, "state": "good",
         "keptBy": [f"app{n % 100}"]} for n in range(40_000)]
    kept[7]["keptBy"].append("")
    status = {"version": "1", "startedAt": "2026-11-21T06:24:00Z", "callbackURLs": [], "locked": False, "sessions": 0, "users": 10_000, "credentials": 40_000}
    fake = Service(tmp_path, ListCredentials={"credentials": kept}, GetStatus=status, GetCurrentUser={})
    try:
        document, memory = measured(fake, tmp_path, "--json")
        found = json.loads(document)["accounts"]
        assert len(found) == 40_000 and found[0]["uid"] == "7" and found[0]["person"] and found[-1]["apps"] == ["app99"]
        lines, more = measured(fake, tmp_path)
        assert len(lines.splitlines()) == 2 + 3 + 39_999
        assert len(fake.called("ListCredentials")) == 2 and len(fake.called("GetCurrentUser")) == 2 * 16
        # The reply itself is eight megabytes of text.
        assert max(memory, more) < 150_000
    finally:
        fake.close()
