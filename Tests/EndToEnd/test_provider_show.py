"""`postern provider show`: for each built-in provider what to register, and a configuration that is one."""
import re
import subprocess

from commands import run
from postern import BIN

# The ID, lines of its table (nothing that makes it complete: then there is nothing to be copied), how the callback URL begins (None: there is none of this machine), and words that must be there and must not.
PROVIDERS = [
    ("github.com", "", "http://127.0.0.1:", ["with any port", "path must be the same"], []),
    ("twitter.com", "", "http://127.0.0.1:", ["exactly", "api-key"], ["client-id"]),
    ("x.com", "", "http://127.0.0.1:", ["exactly", "native app"], []),
    ("facebook.com", "", "http://localhost:", ["development mode", "only https pages"], []),
    ("facebook.com", "limited = true", "http://localhost:", ["development mode", "limited = true"], ["issuer", "secret ="]),
    ("google.com", "", "http://127.0.0.1:", ["Desktop app", "nothing to register"], ["register this"]),
    ("microsoft.com", "", "http://localhost:", ["Mobile and desktop applications", "does not matter", "tenant"], ["client-secret"]),
    ("apple.com", "", None, ["only https pages with a domain name", "redirect-uri", "signing-key"], ["127.0.0.1"]),
    ("gitlab.com", "", "http://127.0.0.1:", ["byte for byte", "Tick these scopes there:\n  openid profile email\n"], ["issuer"]),
]


def test_each_provider_says_what_to_register(make_daemon, tmp_path):
    daemon = make_daemon().start()
    port = daemon.origin.rsplit(":", 1)[1]
    empty = daemon.config.read_text()
    for provider, lines, callback, there, absent in PROVIDERS:
        daemon.config.write_text(f'{empty}[provider."{provider}"]\n{lines}\n')
        daemon.call("Reload")
        shown = run(daemon, "provider", "show", provider).stdout
        if callback:
            assert f"  {callback}{port}/__/auth/handler\n" in shown, shown
        else:
            assert "/__/auth/handler\n" not in shown and daemon.origin not in shown, shown
        assert [words for words in there if words not in shown] == [] and [words for words in absent if words in shown] == [], shown
        copied = tmp_path / "copied.toml"
        copied.write_text(re.search(r"^  \[provider.*\n(?:  \S.*\n)+", shown, re.M)[0].replace("  ", "").replace("…", "example1"))
        copied.chmod(0o600)
        check = subprocess.run([BIN / "posternd", "--config", copied, "--check-config"], capture_output=True, text=True)
        # What may be wrong with it is that the secret's file is not there yet.
        assert check.returncode != 78 and "unknown key" not in check.stderr, copied.read_text() + check.stderr


def test_provider_show_names_a_configured_redirect_page_for_registration(make_daemon):
    settings = 'client-id = "c"\nclient-secret = "s"\nredirect-uri = "https://app.example.com/__/auth/handler"\n'
    daemon = make_daemon(f'[provider."apple.com"]\n{settings}[provider."facebook.com"]\n{settings}').start()
    for provider, word in [("apple.com", "status 307"), ("facebook.com", "man postern-relay")]:
        shown = run(daemon, "provider", "show", provider).stdout
        assert "https://app.example.com/__/auth/handler" in shown and word in shown and daemon.origin not in shown, shown
