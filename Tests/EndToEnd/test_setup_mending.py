"""After a failure `postern setup` begins with what failed, and Enter alone does not repeat it. Keys are counted."""
import contextlib
import json
import tomllib
import urllib.request

import loopback
from commands import URL
from newcomer import ID, fresh, github  # noqa: F401
from person import consent

SECRET, WRITE = "Client secret.*not shown", r"Write it\?"
KEEP = rf"Client ID \(Enter: keep {ID}\):"
NEW = [(r"What are the tokens for\?", "3"), ("Client ID:", ID), (SECRET, "wrong"), (WRITE, "")]


def work(fresh):
    return tomllib.loads((fresh.directory / "config.d" / "work.toml").read_text())["provider"]["work"]


def test_a_refused_client_is_asked_for_again_at_once(fresh):
    dialogue = fresh.dialogue("setup", "github.com").answer(*NEW, (r"refused the client ID or the secret[^\0]*" + KEEP, ""), (SECRET, "shh"), (WRITE, ""))
    assert dialogue.end()[0] == 0, dialogue.text
    assert fresh.secret.read_text() == "shh\n"
    # Fixing it takes the right secret, and Enter three times.
    assert dialogue.keys == sum(len(typed) + 1 for _, typed in NEW) + len("shh") + 3


def test_the_next_setup_begins_with_the_refused_client(fresh):
    wrong = fresh.run("setup", "github.com", "--client-id", ID, "--client-secret-file", "-", "--yes", "--no-sign-in", stdin="wrong\n")
    assert wrong.returncode == 1 and "postern setup github.com asks again" in wrong.stderr, wrong.stderr
    dialogue = fresh.dialogue("setup", "github.com").answer((r"does not work:[^\0]*" + KEEP, ""), (SECRET, "shh"), (WRITE, ""))
    assert dialogue.end() == (0, "signed in as octo at GitHub (account o@example.com)\n"), dialogue.text
    assert "Change its client" not in dialogue.text and dialogue.keys == len("shh") + 3


def test_a_client_refused_in_the_device_flow_is_asked_for_again(fresh, github):
    """Only a sign-in shows it."""
    assert fresh.run("setup", "github.com", "--client-id", "wrong", "--yes", "--no-sign-in").returncode == 0
    github.device_error = "incorrect_client_credentials"
    refused = fresh.run("sign-in", "github.com")
    assert refused.returncode == 1 and "postern setup github.com" in refused.stderr, refused.stderr
    dialogue = fresh.dialogue("setup", "github.com", "--no-sign-in").answer(
        (r"does not work:[^\0]*incorrect_client_credentials[^\0]*Client ID \(Enter: keep wrong\):", ""), (SECRET, ""),
        (r"That is the client that GitHub refused\.[^\0]*Client ID", ID), (SECRET, ""), (WRITE, ""))
    assert dialogue.end()[0] == 0 and f'client-id = "{ID}"' in fresh.part.read_text(), dialogue.text


def test_enter_does_not_keep_the_refused_client(fresh, confidential_provider):
    public = fresh.run("setup", "work", "--issuer", confidential_provider, "--client-id", "postern-demo", "--yes", "--no-sign-in")
    assert public.returncode == 1, public.stderr
    again = [(r"Client ID \(Enter: keep postern-demo\):", ""), (SECRET, "")]
    dialogue = fresh.dialogue("setup", "work", "--no-sign-in").answer(
        *again, (r"That is the client that work refused\.[^\0]*Client ID", ""), (SECRET, "right"), (WRITE, ""))
    assert dialogue.end()[0] == 0 and "accepted the client" in dialogue.text, dialogue.text


def test_a_pasted_discovery_url_is_shortened_to_the_issuer(fresh, demo_provider):
    pasted = demo_provider + "/.well-known/openid-configuration"
    dialogue = fresh.dialogue("setup", "work", DISPLAY="").answer(
        (r"Issuer \(https://…\):", pasted), ("Display name", ""), ("Servers", ""), ("Client ID:", "postern-demo"), (SECRET, ""), (WRITE, ""))
    consent(dialogue.command.read_until(URL.pattern))
    assert dialogue.end()[0] == 0 and work(fresh)["issuer"] == demo_provider, dialogue.text
    assert dialogue.keys == len(pasted) + len("postern-demo") + 6
    script = fresh.run("setup", "other", "--issuer", pasted, "--client-id", "postern-demo", "--yes", "--no-sign-in")
    assert script.returncode == 0 and f'"{demo_provider}"' in (fresh.directory / "config.d" / "other.toml").read_text(), script.stderr


def test_an_issuer_that_differs_by_a_slash_is_offered_in_the_providers_spelling(fresh, demo_provider):
    metadata = json.load(urllib.request.urlopen(demo_provider + "/.well-known/openid-configuration", timeout=20))

    class Handler(loopback.Handler):
        def do_GET(self):
            data = json.dumps({**metadata, "issuer": server.origin + "/"}).encode()
            self.send(200, data, ("Content-Type", "application/json"))

    server = loopback.Listener(Handler)
    with contextlib.closing(server):
        dialogue = fresh.dialogue("setup", "work", "--no-sign-in").answer(
            (r"Issuer \(https://…\):", server.origin), (rf"must be identical[^\0]*Issuer \(Enter: {server.origin}/, as the provider spells it\):", ""),
            ("Display name", ""), ("Servers", ""), ("Client ID:", "postern-demo"), (SECRET, ""), (WRITE, ""))
        assert dialogue.end()[0] == 0 and work(fresh)["issuer"] == server.origin + "/", dialogue.text
        # The same where a script has configured it.
        fresh.run("setup", "other", "--issuer", server.origin, "--client-id", "postern-demo", "--yes", "--no-sign-in")
        dialogue = fresh.dialogue("setup", "other", "--no-sign-in").answer(
            (rf"does not work:[^\0]*Issuer \(Enter: {server.origin}/, as the provider spells it\):", ""), (WRITE, ""))
        assert dialogue.end()[0] == 0, dialogue.text


def test_the_next_setup_begins_with_the_wrong_issuer_and_keeps_the_rest(fresh, demo_provider):
    wrong = fresh.run("setup", "work", "--issuer", "http://127.0.0.1:9", "--client-id", "postern-demo", "--yes", "--no-sign-in")
    assert wrong.returncode == 1
    dialogue = fresh.dialogue("setup", "work", "--no-sign-in").answer(
        (r"does not work:[^\0]*Issuer \(https://…\):", ""), (r"Nothing was typed[^\0]*Issuer \(https://…\):", demo_provider), (WRITE, ""))
    assert dialogue.end()[0] == 0 and work(fresh) == {"kind": "oidc", "issuer": demo_provider, "client-id": "postern-demo"}, dialogue.text
    assert "127.0.0.1:9" not in dialogue.text.split("Issuer", 1)[1].split("- ")[0]


def test_a_client_id_on_the_command_line_prompts_for_its_secret(fresh):
    dialogue = fresh.dialogue("setup", "github.com", "--client-id", ID, "--no-sign-in").answer(
        (r"What are the tokens for\?", "3"), (SECRET, "shh"), (WRITE, ""))
    assert dialogue.end()[0] == 0 and fresh.secret.read_text() == "shh\n", dialogue.text


def test_an_e_mail_address_is_refused_as_client_id(fresh):
    sentence = r"octo@example\.com is an e-mail address; the Client ID is on the page"
    dialogue = fresh.dialogue("setup", "github.com", "--no-sign-in").answer(
        (r"What are the tokens for\?", "3"), ("Client ID:", "octo@example.com"), (sentence + r"[^\0]*Client ID:", ID), (SECRET, "shh"), (WRITE, ""))
    assert dialogue.end()[0] == 0 and "octo@example.com" not in fresh.part.read_text(), dialogue.text
    script = fresh.run("setup", "github.com", "--client-id", "octo@example.com", "--yes", "--no-sign-in")
    assert script.returncode == 64 and "is an e-mail address" in script.stderr, script.stderr


def test_an_e_mail_address_as_client_id_is_questioned_at_other_providers_too(fresh, demo_provider):
    def begun(name, second):
        return fresh.dialogue("setup", name, "--no-sign-in").answer(
            (r"Issuer \(https://…\):", demo_provider), ("Display name", ""), ("Servers", ""), ("Client ID:", "me@example.com"),
            (r"me@example\.com is an e-mail address[^\0]*Client ID:", second), (SECRET, ""))

    dialogue = begun("work", "postern-demo").answer((WRITE, ""))
    assert dialogue.end()[0] == 0 and work(fresh)["client-id"] == "postern-demo", dialogue.text
    # Typed twice it is taken at its word.
    dialogue = begun("other", "me@example.com").answer((WRITE, "n"))
    assert dialogue.end()[0] == 2, dialogue.text


def test_after_a_changed_secret_every_command_advises_setup(fresh):
    given = ("setup", "github.com", "--client-id", ID, "--client-secret-file", "-", "--yes", "--no-sign-in")
    assert fresh.run(*given, stdin="shh\n").returncode == 0
    fresh.run(*given, stdin="changed\n")
    for command in ("provider check github.com", "sign-in github.com", "doctor"):
        done = fresh.run(*command.split(), DISPLAY=":99")
        assert "postern setup github.com" in done.stdout + done.stderr and "postern reload" not in done.stdout + done.stderr, done.stdout + done.stderr
