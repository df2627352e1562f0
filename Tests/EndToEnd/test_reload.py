"""The configuration read anew: what was begun with one provider never meets another that took its name."""
import json
import signal

import pytest
from person import answer, browser
from postern import ends_with, free_port, oidc, wait_for
from relay import Relay
from signing_in import SignIn, sign_in
from token_server import TokenServer


@pytest.fixture
def servers():
    made = []

    def make(kind, target):
        made.append(kind(target))
        return made[-1]

    yield make
    for server in made:
        server.close()


class SlowSecret:
    """A provider's client secret that a program gives, in its own time."""

    def __init__(self, issuer, directory):
        self.runs, self.gate = directory / "runs", directory / "gate"
        command = f"echo >> {self.runs}; while ! test -e {self.gate}; do sleep 0.05; done; echo x"
        self.configuration = oidc(issuer) + f"client-secret = {{ command = {json.dumps(['/bin/sh', '-c', command])} }}\n"

    def readings(self):
        """How many times the program was started."""
        return len(self.runs.read_text()) if self.runs.exists() else 0

    def give(self):
        self.gate.touch()

    def hold_back(self):
        self.gate.unlink()


@pytest.fixture
def slow(demo_provider, tmp_path):
    return SlowSecret(demo_provider, tmp_path)


def test_a_code_is_not_sent_to_another_provider_that_took_the_name(make_daemon, make_provider, servers):
    first, second = make_provider(), make_provider()
    tokens = servers(TokenServer, f"{second}/token")
    daemon = make_daemon(oidc(first)).start()
    pending = SignIn(daemon)
    callback = answer(pending.url)
    daemon.write(oidc(second, token_endpoint=tokens.url))
    daemon.call("Reload")
    assert browser().get(callback).status_code == 400
    with ends_with("ProviderNotConfigured"):
        pending.completed()
    assert tokens.forms == []


@pytest.mark.parametrize("change", ["issuer", "client", "token endpoint"])
def test_a_token_is_not_used_at_another_registration(make_daemon, make_provider, servers, change):
    issuer = make_provider()
    daemon = make_daemon(oidc(issuer)).start()
    sign_in(daemon)
    tokens = servers(TokenServer, f"{issuer}/token")
    if change == "issuer":
        daemon.write(oidc(make_provider()))
    elif change == "client":
        daemon.write(oidc(issuer, client="another"))
    else:
        daemon.write(oidc(issuer, token_endpoint=tokens.url))
    daemon.call("Reload")
    for more in ({}, {"forceRefresh": True}):
        with ends_with("SignInRequired") as caught:
            daemon.call("GetAccessToken", {"providerID": "demo", **more})
        assert caught.value.parameters["reason"] == "the provider's configuration changed"
    assert tokens.forms == []
    assert daemon.call("RevokeCredential", {"providerID": "demo"})["revokedAtProvider"] is False
    assert tokens.forms == []
    daemon.write(oidc(issuer))
    daemon.call("Reload")
    assert sign_in(daemon)["credential"]["accessToken"]


def test_metadata_under_way_do_not_become_those_of_the_provider_that_took_the_name(make_daemon, make_provider, servers):
    first, second = make_provider(), make_provider()
    keys = servers(Relay, f"{first}/jwks")
    config = oidc(first, jwks_uri=keys.url)
    daemon = make_daemon(config).start()
    pending = SignIn(daemon)
    keys.open.clear()
    browser().get(answer(pending.url), allow_redirects=False)
    assert keys.arrived.acquire(timeout=20)  # the first provider's keys are being fetched
    daemon.write(oidc(second))
    daemon.call("Reload")
    keys.open.set()
    pending.completed()
    assert sign_in(daemon, app="other")["result"]["user"]  # verified with the second provider's keys


def test_a_credential_of_a_provider_that_left_the_configuration_can_be_taken_back(make_daemon, demo_provider):
    daemon = make_daemon(oidc(demo_provider)).start()
    sign_in(daemon)
    daemon.write("")
    daemon.call("Reload")
    assert daemon.call("RevokeCredential", {"providerID": "demo"})["revokedAtProvider"] is False
    assert daemon.call("ListCredentials") == {"credentials": []}
    with ends_with("ProviderNotFound"):
        daemon.call("RevokeCredential", {"providerID": "demo"})


def test_of_reloads_at_once_the_last_one_stays(make_daemon, demo_provider, slow):
    """The first takes its time over a secret; the second must not be overtaken by it."""
    daemon = make_daemon(oidc(demo_provider)).start()
    daemon.write(slow.configuration)
    first = daemon.client()
    first.send("Reload")
    wait_for(slow.readings, what="the first reading")
    second = daemon.client()
    daemon.write(oidc(demo_provider, name="later"))
    second.send("Reload")
    daemon.call("GetStatus")
    slow.give()
    first.receive()
    second.receive()
    assert {"demo", "later"} & {provider["providerID"] for provider in daemon.call("ListProviders")["providers"]} == {"later"}


def test_the_log_level_of_the_command_line_outlives_a_reload(make_daemon, demo_provider):
    daemon = make_daemon(oidc(demo_provider)).start("--log-level", "debug")
    daemon.call("Reload")
    SignIn(daemon)
    assert "sign-in requested" in daemon.log.read_text()


def test_a_refusal_is_told_though_the_metadata_cannot_be_had(make_daemon, make_provider):
    issuer = make_provider()
    daemon = make_daemon(oidc(issuer), port=free_port()).start()
    pending = SignIn(daemon)
    callback = answer(pending.url, None)
    daemon.kill()
    process = make_provider.processes[issuer]
    process.terminate()
    process.wait(10)
    daemon.start()
    client = daemon.client()
    client.send("AttachSession", {"sessionID": pending.id})
    daemon.call("ListSessions")
    browser().get(callback)
    with ends_with("SignInDenied"):
        client.receive()


def test_a_mended_client_id_gets_a_page_of_its_own(make_daemon, demo_provider):
    """And who waits for the page that can only fail is told."""
    daemon = make_daemon(oidc(demo_provider, client="mistyped")).start()
    gone, waiting = SignIn(daemon), SignIn(daemon)
    gone.client.close()
    assert "client_id=mistyped" in waiting.url
    daemon.write(oidc(demo_provider))
    daemon.call("Reload")
    with ends_with("ProviderNotConfigured"):
        waiting.completed()
    assert sign_in(daemon)["result"]["user"]


def test_a_page_of_a_provider_that_is_another_after_a_restart_is_over(make_daemon, make_provider):
    daemon = make_daemon(oidc(make_provider()), port=free_port()).start()
    old = SignIn(daemon)
    daemon.kill()
    daemon.write(oidc(make_provider()))
    daemon.start()
    with ends_with("ProviderNotConfigured"):
        daemon.call("AttachSession", {"sessionID": old.id}, more=True)
    assert sign_in(daemon)["result"]["user"]


def test_a_reload_changes_the_rules_about_addresses(make_daemon, make_provider):
    providers = oidc(make_provider()) + oidc(make_provider(), name="two")
    daemon = make_daemon(providers).start()
    sign_in(daemon)
    with ends_with("AccountExistsWithDifferentCredential"):
        sign_in(daemon, providerID="two")
    daemon.write(providers + "[accounts]\none-account-per-email = false\n")
    daemon.call("Reload")
    assert sign_in(daemon, providerID="two")["result"]["additionalUserInfo"]["isNewUser"]


def test_a_corrected_secret_file_counts_without_a_reload(make_daemon, make_provider, tmp_path):
    right, secret = tmp_path / "right", tmp_path / "secret"
    for path, text in (right, "right\n"), (secret, "wrong\n"):
        path.write_text(text)
        path.chmod(0o600)
    issuer = make_provider("--client-secret-file", str(right))
    daemon = make_daemon(oidc(issuer) + f'client-secret = {{ file = "{secret}" }}\n').start()

    def client():
        return [f["level"] for f in daemon.call("CheckProvider", {"providerID": "demo"})["findings"] if f["title"] == "client"]

    def wait_for_reading(number):
        """Files are looked at when somebody asks, once a second at most."""
        wait_for(lambda: daemon.call("ListProviders") and daemon.log.read_text().count("its file has changed") == number, what="the reading")

    assert client() == ["fail"]
    secret.write_text("right\n")
    wait_for_reading(1)
    assert client() == ["ok"] and "right\n" not in daemon.log.read_text()
    # Gone, it is told; back, it is used.
    secret.unlink()
    wait_for_reading(2)
    assert str(secret) in str(daemon.call("ListProviders"))
    right.rename(secret)
    wait_for_reading(3)
    assert str(secret) not in str(daemon.call("ListProviders")) and client() == ["ok"]


def test_many_signals_are_few_readings_and_do_not_hold_up_another_program_or_the_end(make_daemon, demo_provider, slow):
    daemon = make_daemon(oidc(demo_provider)).start()
    daemon.write(slow.configuration)
    program = daemon.client()

    def signals(count):
        for _ in range(count):
            daemon.process.send_signal(signal.SIGHUP)
            # The kernel keeps one of those that nobody has taken yet; after a call this one is taken.
            daemon.call("GetStatus")

    signals(1)
    wait_for(lambda: slow.readings() == 1, what="the first reading")
    signals(100)
    program.send("Reload")
    daemon.call("GetStatus")
    slow.give()
    program.receive()
    daemon.call("Reload")
    # The first, one for the other signals, one for each call.
    assert slow.readings() <= 4

    slow.hold_back()
    before = slow.readings()
    signals(1)
    wait_for(lambda: slow.readings() > before, what="a reading")
    before = slow.readings()
    signals(100)
    told = daemon.log.read_text().count("the configuration was reloaded")
    daemon.process.terminate()
    wait_for(lambda: "ending" in daemon.log.read_text(), what="the beginning of the end")
    slow.give()
    assert daemon.process.wait(20) == 0
    assert slow.readings() == before and daemon.log.read_text().count("the configuration was reloaded") == told
