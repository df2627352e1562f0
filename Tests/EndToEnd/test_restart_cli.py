"""A command that waits for its person while its daemon goes and comes back."""

import pytest
from commands import URL, Command
from person import consent
from postern import FAKETIME, free_port, oidc


@pytest.fixture
def daemon(make_daemon, demo_provider):
    return make_daemon(oidc(demo_provider), port=free_port()).start()


@pytest.mark.parametrize("end", ["stop", "kill"])
def test_a_waiting_command_survives_a_restart(daemon, end):
    command = Command(daemon, "sign-in", "demo", "--no-browser")
    first = command.read_until(URL.pattern)
    command.read_until("Waiting until")
    getattr(daemon, end)()
    command.read_until("the daemon stopped")
    daemon.start()
    command.read_until("the daemon is back")
    # The page that is open already is as good as the one that is shown now.
    consent(first)
    status, out = command.end()
    assert status == 0 and "Ada Lovelace" in out + command.text, command.text


def test_a_command_whose_daemon_stays_stopped_names_the_attach_command(daemon):
    # Ten times as fast as it would wait.
    command = Command(daemon, "sign-in", "demo", "--no-browser", prefix=["env"], LD_PRELOAD=FAKETIME, FAKETIME="+0 x10")
    command.read_until(URL.pattern)
    session, = daemon.call("ListSessions")["sessions"]
    daemon.stop()
    status, _ = command.end()
    assert status == 1 and f"postern attach {session['sessionID']}" in command.text, command.text
    daemon.start()
    attached = Command(daemon, "attach", session["sessionID"])
    consent(attached.read_until(URL.pattern))
    assert attached.end()[0] == 0
