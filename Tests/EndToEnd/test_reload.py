"""The configuration read anew: what was begun with one provider never meets another that took its name."""
import json
import signal

import pytest
from person import answer, browser
from postern import ends_with, oidc, wait_for
from relay import Relay
from signing_in import SignIn, sign_in


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


def test_metadata_being_fetched_are_not_used_for_a_provider_that_took_over_the_name(make_daemon, make_provider):
    first, second = make_provider(), make_provider()
    keys = Relay(f"{first}/jwks")
    config = oidc(first, jwks_uri=keys.url)
    daemon = make_daemon(config).start()
    pending = SignIn(daemon)
    keys.open.clear()
    browser().get(answer(pending.url), allow_redirects=False)
    assert keys.arrived.acquire(timeout=20)  # the first provider's keys are being fetched
    daemon.write(oidc(second))
    daemon.call("Reload")
    keys.open.set()
    # Whom the first one means by a number may be somebody else at the second.
    with ends_with("ProviderNotConfigured"):
        pending.completed()
    assert sign_in(daemon, app="other")["result"]["user"]  # verified with the second provider's keys
    keys.close()


def test_the_command_lines_log_level_survives_a_reload(make_daemon, demo_provider):
    daemon = make_daemon(oidc(demo_provider)).start("--log-level", "debug")
    daemon.call("Reload")
    SignIn(daemon)
    assert "sign-in requested" in daemon.log.read_text()


def test_a_corrected_secret_file_takes_effect_without_a_reload(make_daemon, make_provider, tmp_path):
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


def test_many_reload_signals_cause_few_reloads_and_delay_nothing_else(make_daemon, demo_provider, slow):
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
