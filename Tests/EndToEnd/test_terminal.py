"""What `postern` shows to a person at a terminal, which differs from what a program reads."""
import datetime
import re

import pytest
from commands import URL, Command, run
from fake_service import Service
from person import consent
from postern import FAKETIME, oidc
from terminal import shown

# A command on a desktop, which waits a tenth of its time.
FASTER = {"prefix": ["env"], "DISPLAY": ":99", "LD_PRELOAD": FAKETIME, "FAKETIME": "+0 x10"}


def moment(**distance):
    """RFC 3339, so far from now."""
    return (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(**distance)).strftime("%Y-%m-%dT%H:%M:%SZ")


def session(end):
    return {"sessionID": "s1", "providerID": "work", "app": "default", "intent": "signIn", "state": "authorizationPending",
            "startedAt": moment(minutes=-1), "expiresAt": end}


@pytest.fixture
def service(tmp_path):
    service = Service(tmp_path)
    yield service
    service.close()


def test_times_are_relative_on_a_terminal_and_exact_for_a_program(service):
    end = moment(minutes=9, seconds=20)
    service.answers["ListSessions"] = {"sessions": [session(end)]}
    assert "in 9 min" in shown(service, 200, "sessions")[1]
    assert end in run(service, "sessions").stdout
    assert end in shown(service, 200, "sessions", "--json")[1]
    service.answers["ListSessions"] = {"sessions": [session("2026-01-21T06:24:00Z")]}
    assert "2026-01-21 11:54" in shown(service, 200, "sessions", TZ="IST-5:30")[1]


CREDENTIAL = {
    "providerID": "github.com", "uid": "583231", "displayName": "Ada Lovelace", "email": "ada@example.com", "scopes": ["read:user", "user:email", "repo"],
    "expiresAt": "2026-01-21T06:24:00Z", "refreshable": True, "state": "good"}
STATUS = {
    "version": "0.1.0", "startedAt": "2199-01-21T06:24:00Z", "callbackURLs": ["http://127.0.0.1:7678"], "locked": False, "sessions": 0, "users": 1,
    "credentials": 1, "problems": ["port 7678 is held by another program; answers of providers that need it do not arrive"]}


@pytest.mark.parametrize("columns", [30, 80])
def test_lists_fit_the_terminal(service, columns):
    service.answers |= {"ListCredentials": {"credentials": [CREDENTIAL]}, "GetStatus": STATUS, "ListSessions": {"sessions": [session(moment(minutes=9))]}}
    for command in ("credentials", "sessions", "status"):
        status, text = shown(service, columns, command)
        lines = text.splitlines()
        assert status == 0 and max(map(len, lines)) <= columns, text
        assert not any(line != line.rstrip() for line in lines), text
        for value in {"credentials": ["583231", "ada@example.com"], "sessions": ["s1", "authorizationPending"], "status": ["http://127.0.0.1:7678"]}[command]:
            assert value in text
    status, text = shown(service, columns, "provider", "show", "nope")
    assert status == 1 and max(len(line) for line in text.splitlines() if not line.startswith(" ")) <= columns


def test_a_waiting_sign_in_shows_a_countdown_its_keys_and_a_link(make_daemon, demo_provider):
    daemon = make_daemon(oidc(demo_provider), browser='["true"]').start()
    command = Command(daemon, "sign-in", "demo", "--timeout", "5m", terminal=True, **FASTER)
    command.read_until(r"in the browser … 4:\d\d left \(\? and Enter: keys\)")
    # After three seconds, since no page may have opened.
    command.read_until("If no page opens, open this one:")
    while len(set(re.findall(r"4:\d\d left", command.text))) < 3:
        command.read_until(r"4:\d\d left")
    # Each second once, and not more often.
    drawn = re.findall(r"\r\x1b\[K[^\r]*(4:\d\d) left", command.text)
    assert len(drawn) <= len(set(drawn)) + 2, drawn
    command.type("?\n")
    keys = command.read_until(r"Keys, the letters each with Enter:[^\0]*Ctrl-C  give up")
    assert "  u       the address of the page" in keys
    command.type("u\n")
    url = command.read_until(URL.pattern)
    assert url in command.links
    consent(url)
    assert command.end()[0] == 0


def test_a_quiet_sign_in_shows_no_countdown(make_daemon, demo_provider):
    daemon = make_daemon(oidc(demo_provider), browser='["true"]').start()
    command = Command(daemon, "sign-in", "demo", "--quiet", terminal=True, **FASTER)
    consent(command.read_until(URL.pattern))  # what no page that opens would need
    assert command.end()[0] == 0
    assert "left" not in command.text and "\x1b[K" not in command.text


@pytest.mark.parametrize("option, told", [("--no-browser", True), ("--quiet", False)])
def test_without_a_terminal_a_quiet_sign_in_ends_its_output_with_the_page(make_daemon, demo_provider, option, told):
    daemon = make_daemon(oidc(demo_provider), browser='["true"]').start()
    command = Command(daemon, "sign-in", "demo", option, DISPLAY=":99")
    consent(command.read_until(URL.pattern))
    assert command.end()[0] == 0
    assert ("the browser came back" in command.text) == told
