"""What is wrong with a command line, or with what the command was given to print on and to ask, is said and never passed over."""
import json
import subprocess
import termios

import pytest
from commands import POSTERN, Command, environment, run
from fake_service import Refusal, Service
from terminal import shown

PROVIDERS = {
    "providers": [
        {"providerID": name, "displayName": name, "kind": "oauth2", "flows": ["browser"], "scopes": [], "configured": ready}
        for name, ready in [("github.com", True), ("gitlab.com", False), ("work", True)]]}


def not_found(parameters):
    return Refusal("ProviderNotFound", providerID=parameters["providerID"])


def token(text):
    return {"accessToken": text, "tokenType": "Bearer", "scopes": [], "uid": "1"}


@pytest.fixture
def service(tmp_path):
    service = Service(
        tmp_path, ListProviders=PROVIDERS, GetAccessToken=not_found, SignIn=not_found, SignOut={},
        GetStatus={"version": "0.1.0", "startedAt": "2026-11-21T06:24:00Z", "callbackURLs": [], "locked": False, "sessions": 0, "users": 0, "credentials": 0})
    yield service
    service.close()


@pytest.mark.parametrize("word", ["--help", "-h"])
def test_a_helper_has_help(service, word):
    done = run(service, "helper", "git", word)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("postern helper git") and "man postern-helpers" in done.stdout
    # Where it is another program's argument, it is still wrong.
    assert run(service, "helper", "git", "--account", "work", word).returncode == 64


def test_a_mistyped_provider_gets_a_suggestion(service):
    for words in (("token", "github"), ("token", "github", "-q"), ("sign-in", "github"), ("provider", "show", "github")):
        done = run(service, *words)
        assert done.returncode == 1 and "did you mean github.com?" in done.stderr, words
    assert "did you mean" not in run(service, "token", "example").stderr


@pytest.mark.parametrize("words, what, advice", [
    (("token", ""), "the provider's name is empty", "provider list"), (("sign-in", ""), "the provider's name is empty", "provider list"),
    (("link", ""), "the provider's name is empty", "provider list"), (("unlink", ""), "the provider's name is empty", "whoami"),
    (("provider", "show", ""), "the provider's name is empty", "provider list"),
    (("url-scheme", "register", "com.example.app", "--provider", ""), "the provider's name is empty", "provider list"),
    (("sign-out", ""), "the account's name is empty", "postern credentials"), (("revoke", ""), "the account's name is empty", "postern credentials"),
    (("import", "pizauth", "--provider", ""), "--provider is empty", "leave the option out"), (("cancel", ""), "the session ID is empty", "postern sessions"),
    (("attach", ""), "the session ID is empty", "postern sessions"), (("create-user", ""), "the address is empty", "ada@example.com"),
    (("sign-in", "--email", ""), "--email is empty", "address"), (("second-factor", "remove", ""), "the factor's UID is empty", "second-factor list"),
    (("user-token", "--audience", ""), "--audience is empty", "the service"), (("url-scheme", "remove", ""), "the scheme is empty", "callback URL")])
def test_an_empty_argument_is_reported_as_empty(service, words, what, advice):
    """As a script has it, whose variable is not set. Nothing is asked of the daemon that would change anything."""
    done = run(service, *words, stdin="a password\n")
    assert (done.returncode, done.stdout) == (64, "") and what in done.stderr and advice in done.stderr, done.stderr
    assert service.called("RevokeCredential") == service.called("SignIn") == service.called("CancelSession") == []


def test_arguments_that_no_completion_script_sends_are_refused_silently(service):
    done = run(service, "---completion", "--json")
    assert (done.returncode, done.stdout, done.stderr) == (64, "", "")


def test_login_and_logout_are_aliases(service):
    assert run(service, "logout", "--app", "default").returncode == 0 and service.called("SignOut") == [{"app": "default"}]
    run(service, "login", "github.com")
    assert [(call["providerID"], call["intent"], call.get("app")) for call in service.called("SignIn")] == [("github.com", "keep", None)]
    run(service, "login", "github.com", "--app", "mail")
    assert [(call["intent"], call.get("app")) for call in service.called("SignIn")][1:] == [("signIn", "mail")]


def test_a_failure_with_json_is_a_json_document(service, tmp_path):
    refused = run(service, "token", "github", "--json")
    document = json.loads(refused.stdout)
    assert document["error"] == "io.postern.ProviderNotFound" and document["parameters"]["providerID"] == "github"
    assert (document["status"], document["message"], document["advice"]) == (1, "the words of ProviderNotFound", "did you mean github.com?")
    # People read as they did.
    assert "postern: the words of ProviderNotFound" in refused.stderr
    nobody = run(service, "sessions", "--json", "--socket", str(tmp_path / "none"))
    assert nobody.returncode == 4 == json.loads(nobody.stdout)["status"] and json.loads(nobody.stdout)["error"] == "daemonUnreachable"
    for words in (("status", "--bogus", "--json"), ("nope", "--json"), ("sign-in", "--json")):
        wrong = run(service, *words)
        assert wrong.returncode == 64 and json.loads(wrong.stdout)["error"] == "wrongUsage", words
    assert run(service, "token", "github").stdout == ""


def test_exec_prints_no_json_document_of_its_own(service):
    assert run(service, "exec", "--env", "A=b", "--", "no-such", "--json").stdout == ""


def test_quiet_omits_messages_that_need_no_action(service):
    words = ("sign-out", "--app", "mail")
    assert "signed out of the app mail; tokens stay" in run(service, *words).stderr and run(service, *words, "--quiet").stderr == ""
    assert run(service, "sessions", "-q").stderr == ""
    assert "the words of" in run(service, "token", "github", "--quiet").stderr


def test_a_token_that_is_not_a_single_line_is_an_error(service):
    service.answers["GetAccessToken"] = token("one\ntwo")
    for more in ((), ("--header",)):
        done = run(service, "token", "work", *more)
        assert (done.returncode, done.stdout) == (1, "") and "the token of work" in done.stderr
    service.answers["GetAccessToken"] = token("good")
    assert run(service, "token", "work").stdout == "good\n"


def closed(service, redirections, *words):
    script = f'"$0" "$@" {redirections}'
    return subprocess.run(["bash", "-c", script, POSTERN, *words], env=environment(service), capture_output=True, text=True, timeout=60)


def test_a_closed_standard_output_is_a_failure(service):
    service.answers["GetAccessToken"] = token("secret")
    for redirections in (">&-", "<&- >&-", ">&- 2>&-", "<&- >&- 2>&-"):
        done = closed(service, redirections, "token", "work")
        assert done.returncode == 1 and "secret" not in done.stdout + done.stderr
        assert "2>&-" in redirections or "could not be written" in done.stderr
    # None of it went to the daemon.
    assert {name for name, _ in service.calls} == {"GetAccessToken"}


def test_a_closed_standard_input_is_an_end_of_input(service):
    service.answers["Unlock"] = Refusal("WeakPassword", reason="none")
    done = closed(service, "<&-", "unlock")
    assert done.returncode == 64 and "a passphrase is needed, but none was given" in done.stderr


def test_control_backslash_at_a_hidden_prompt_gives_the_terminal_back(service):
    service.answers["Unlock"] = lambda parameters: Refusal("WeakPassword", reason="none")
    command = Command(service, "unlock", terminal=True)
    command.read_until("passphrase: ")
    assert not termios.tcgetattr(command.master)[3] & termios.ECHO
    command.type("half\x1c")
    # The test holds the terminal open, so that it can be looked at afterwards.
    status = command.process.wait(20)
    assert status == 2 and termios.tcgetattr(command.master)[3] & termios.ECHO
    command.end()


def test_usage_errors_fit_the_terminal_width(service):
    status, text = shown(service, 40, "token", "demo", "--min-validity", "5")
    assert status == 64 and " ".join(text.split()).startswith("postern: ") and "Usage: postern " in text
    assert max(map(len, text.splitlines())) <= 40, text


def test_the_table_of_protocols_fits_the_terminal(service):
    status, text = shown(service, 60, "helper", "--help")
    table = text.split("PROTOCOLS\n", 1)[1].split("\n\n", 1)[0].splitlines()
    assert status == 0 and all(line.startswith("  ") and len(line) < 60 for line in table), text
    assert {line.split()[0] for line in table} >= {"git", "terraform", "google"}
