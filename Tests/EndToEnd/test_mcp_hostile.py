"""Hostile MCP servers: each is refused in its own words, and no further request follows the one that gave it away."""
import json
import re
import subprocess

import public_network
import pytest
from agreeing import visit
from commands import DISPLAY, POSTERN, environment, run
from hostile_mcp import BIG, CONTROL, EXTRA, PAGE_WORDS, ROWS, HostileServers, Row
from mcp_servers import AGREES, mcp
from postern import Daemon, VarlinkError, free_port, wait_for
from signing_in import SignIn

PLACES = ["mcp", "resource", "issuer", "register", "authorize", "token"]


@pytest.fixture(scope="module")
def hostile():
    servers = HostileServers()
    yield servers
    servers.close()


def key(name):
    return re.sub("[^a-z0-9]+", "-", name.lower())


@pytest.fixture(scope="module")
def daemon(tmp_path_factory, hostile):
    text = "".join(mcp(hostile.url(name), key(name)) for name in {**ROWS, **EXTRA})
    daemon = Daemon(tmp_path_factory.mktemp("daemon"), text, browser=AGREES, port=free_port()).start()
    yield daemon
    daemon.stop()


@pytest.fixture(scope="module", autouse=True)
def slow(hostile, daemon):
    """It takes its time, so it begins first and is looked at last."""
    process = subprocess.Popen([POSTERN, "mcp", "check", "slow"], env=environment(daemon), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    yield process
    process.kill()
    process.wait()


def last(row):
    """The places that a client may ask before it gives up."""
    return {"metadata": PLACES[:3], "/register": PLACES[:4], "/authorize": PLACES[:5], "/token": PLACES, "all": PLACES}[row.reaches]


@pytest.mark.parametrize("name", ROWS)
def test_a_hostile_server_is_refused(hostile, daemon, name):
    row = ROWS[name]
    done = run(daemon, "sign-in", key(name), **DISPLAY)
    assert done.returncode == row.status, done.stderr
    for word in row.says:
        assert word in done.stderr, done.stderr
    assert PAGE_WORDS not in done.stdout + done.stderr + daemon.log.read_text()
    asked = [place for each, place, _ in hostile.requests if each == name.replace(" ", "-")]
    assert asked and set(asked) <= set(last(row)), asked
    if row.reaches == "metadata":
        checked = run(daemon, "mcp", "check", key(name))
        assert checked.returncode == 1 and "fail" in checked.stdout, checked.stdout + checked.stderr
        for word in row.says:
            assert word in " ".join(checked.stdout.split()), checked.stdout
    assert run(daemon, "token", key(name)).returncode != 0
    assert not [each for each in daemon.call("ListCredentials")["credentials"] if each["providerID"] == key(name)]


def test_the_honest_one_is_not(hostile, daemon):
    done = run(daemon, "sign-in", "honest", **DISPLAY)
    assert done.returncode == 0, done.stderr
    assert run(daemon, "token", "honest").returncode == 0
    assert run(daemon, "mcp", "check", "honest").returncode == 0


def test_nothing_is_written_of_a_server_that_cannot_be_used(hostile, make_daemon):
    daemon = make_daemon(browser=AGREES, port=free_port()).start()
    before = daemon.config.read_text()
    for name in ("the resource of another origin", "no word of PKCE"):
        done = run(daemon, "mcp", "add", hostile.url(name), "--as", "work", "--yes", **DISPLAY)
        assert done.returncode == 1, done.stderr
        # What to do about it is nobody's registration.
        assert all(word in done.stderr for word in ROWS[name].says) and "register" not in done.stderr, done.stderr
    assert daemon.config.read_text() == before


@pytest.mark.parametrize("name", ["a resource document of 10 MB", "an issuer's document of 10 MB"])
def test_a_large_document_is_not_read_to_its_end(hostile, daemon, name):
    run(daemon, "mcp", "check", key(name))
    # What the buffers of two sockets hold is under way, and no more.
    assert hostile.sent[name.replace(" ", "-")] < BIG


def test_text_that_is_more_than_text_is_neither_shown_nor_sent(hostile, daemon):
    done, checked = run(daemon, "sign-in", "odd-scopes", **DISPLAY), run(daemon, "mcp", "check", "odd-scopes")
    said = done.stdout + done.stderr + checked.stdout + checked.stderr
    assert not set(CONTROL.replace("x", "").replace("]0;owned", "")) & set(said), said
    for asked in hostile.asked("odd scopes", "authorize"):
        assert asked.get("scope") == "read"
    assert all(CONTROL not in json.dumps(asked, ensure_ascii=False) for asked in hostile.asked("odd scopes", "register"))


WANTS = {"challenge": ['Bearer error="insufficient_scope", scope="write"']}


def sign_in(daemon, name, **parameters):
    pending = SignIn(daemon, providerID=key(name), intent="keep", **parameters)
    assert visit(pending.url).startswith("200 ")
    return pending.completed()


def test_a_server_that_wants_what_it_has_granted_is_asked_once(hostile, daemon):
    """A program that does as it is told: a person signs in where only that helps, and the request is sent again."""
    name = "step-up in a loop"
    sign_in(daemon, name)
    for _ in range(6):
        try:
            daemon.call("AuthorizeRequest", {"method": "POST", "url": hostile.url(name), "providerID": key(name), **WANTS})
        except VarlinkError as error:
            assert error.short == "StepUpRequired", error
            sign_in(daemon, name, **WANTS)
    assert [set(asked["scope"].split()) for asked in hostile.asked(name, "authorize")] == [{"read"}, {"read", "write"}]


def test_a_server_that_does_not_grant_what_it_wants_is_not_asked_again_at_once(hostile, daemon):
    name = "step-up in vain"
    sign_in(daemon, name)
    for _ in range(4):
        with pytest.raises(VarlinkError):
            sign_in(daemon, name, **WANTS)
    assert len(hostile.asked(name, "authorize")) <= 1 + 2, "a person's patience is not the server's to spend"
    assert run(daemon, "token", key(name)).returncode == 0, "what it had is kept"


def test_another_issuer_gets_nothing_of_the_first(hostile, make_daemon):
    hostile.rows |= {"moves": Row(resource={"authorization_servers": [f"{hostile.origin}/first"]}), "first": Row(), "second": Row()}
    daemon = make_daemon(mcp(hostile.url("moves"), "moves"), port=free_port()).start()
    sign_in(daemon, "moves")
    hostile.rows["moves"].resource = {"authorization_servers": [f"{hostile.origin}/second"]}
    daemon.kill()
    daemon.start()
    checked = run(daemon, "mcp", "check", "moves")
    assert f"{hostile.origin}/second" in checked.stdout + checked.stderr
    # The one that issued the refresh token may renew it, or a person is needed.
    renewed = run(daemon, "token", "moves", "--refresh")
    assert renewed.returncode == 0 or "postern sign-in moves" in renewed.stderr, renewed.stderr
    assert not hostile.asked("second", "token"), "a refresh token is for the one who issued it"
    # A server that was taken over could do the same: the person lets the old issuer go first.
    refused = run(daemon, "sign-in", "moves", **DISPLAY)
    assert refused.returncode != 0 and f"{hostile.origin}/first" in refused.stderr and "postern revoke moves" in refused.stderr, refused.stderr
    assert not hostile.asked("second", "authorize") and not hostile.asked("second", "register")
    assert run(daemon, "revoke", "moves", "--yes").returncode == 0
    pending = SignIn(daemon, providerID="moves", intent="keep")
    assert pending.url.startswith(f"{hostile.origin}/second/authorize")
    assert visit(pending.url).startswith("200 ") and pending.completed()
    first, second = (hostile.asked(name, "authorize")[-1]["client_id"] for name in ("first", "second"))
    assert first != second and len(hostile.asked("second", "register")) == 1


def test_a_slow_document_has_its_time_and_no_more(hostile, slow):
    """Begun before all others: a byte now and then is no progress."""
    wait_for(lambda: slow.poll() is not None, seconds=30, what="the end of the check")
    out, words = slow.communicate()
    assert slow.returncode == 1 and "10 s" in out + words, out + words


# ---- A public server, and names and addresses behind the firewall -------------------


@pytest.fixture(scope="module")
def public(tmp_path_factory):
    if subprocess.run(["unshare", "--net", "--mount", "true"], capture_output=True).returncode:
        pytest.skip("a network of its own needs root")
    return public_network.outcomes(tmp_path_factory.mktemp("network"))


@pytest.mark.parametrize("name", public_network.ISSUERS)
def test_a_public_server_sends_nobody_to_a_private_address(public, name):
    """By name or by address: the one that would be connected to counts, and nothing is."""
    outcome = public[name.replace(" ", "-")]
    assert outcome["status"] == 1 and outcome["connections"] == [], outcome
    host = public_network.ISSUERS[name].removeprefix("https://").strip("[]")
    assert host in outcome["said"] and "address" in outcome["said"], outcome["said"]


def test_nor_by_a_redirect_or_an_endpoint(public):
    redirect = public["redirect"]
    assert redirect["status"] == 1 and redirect["connections"] == [] and "private.inside.test" in redirect["said"], redirect
    for name in public_network.ENDPOINTS:
        assert public[name]["connections"] == [] and "address" in public[name]["signed in"], public[name]


def test_what_is_public_or_named_in_the_configuration_is_asked(public):
    assert public["honest"]["status"] == 0, public["honest"]["said"]
    assert set(public["named"]["connections"]) == {"10.77.0.5"}, public["named"]
