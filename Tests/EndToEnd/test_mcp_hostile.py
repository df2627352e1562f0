"""Hostile MCP servers: each is refused in its own words, and no further request follows the one that gave it away."""
import json
import re
import subprocess

import public_network
import pytest
from commands import DISPLAY, run
from hostile_mcp import BIG, CONTROL, EXTRA, PAGE_WORDS, ROWS, HostileServers
from mcp_servers import AGREES, mcp
from postern import Daemon, free_port

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
        findings = daemon.call("ResolveResource", {"url": hostile.url(name), "name": key(name)})["findings"]
        failed = "".join(f"{each['title']}: {each['detail']}\n" for each in findings if each["level"] == "fail")
        for word in row.says:
            assert word in failed, findings
    if row.body == "big":
        # What the buffers of two sockets hold is under way, and no more.
        assert hostile.sent[name.replace(" ", "-")] < BIG


def test_the_honest_server_is_accepted(hostile, daemon):
    done = run(daemon, "sign-in", "honest", **DISPLAY)
    assert done.returncode == 0, done.stderr
    assert run(daemon, "token", "honest").returncode == 0
    assert run(daemon, "mcp", "check", "honest").returncode == 0
    # Of the others nothing is kept.
    assert [each["providerID"] for each in daemon.call("ListCredentials")["credentials"]] == ["honest"]


def test_control_characters_from_a_server_are_neither_shown_nor_sent(hostile, daemon):
    done, checked = run(daemon, "sign-in", "odd-scopes", **DISPLAY), run(daemon, "mcp", "check", "odd-scopes")
    said = done.stdout + done.stderr + checked.stdout + checked.stderr
    assert not set(CONTROL.replace("x", "").replace("]0;owned", "")) & set(said), said
    for asked in hostile.asked("odd scopes", "authorize"):
        assert asked.get("scope") == "read"
    assert all(CONTROL not in json.dumps(asked, ensure_ascii=False) for asked in hostile.asked("odd scopes", "register"))


# ---- A public server, and names and addresses behind the firewall -------------------


@pytest.fixture(scope="module")
def public(tmp_path_factory):
    if subprocess.run(["unshare", "--net", "--mount", "true"], capture_output=True).returncode:
        pytest.skip("a network of its own needs root")
    return public_network.outcomes(tmp_path_factory.mktemp("network"))


@pytest.mark.parametrize("name", public_network.ISSUERS)
def test_a_public_server_cannot_redirect_discovery_to_a_private_address(public, name):
    """By name or by address: the one that would be connected to counts, and nothing is."""
    outcome = public[name.replace(" ", "-")]
    assert outcome["status"] == 1 and outcome["connections"] == [], outcome
    host = public_network.ISSUERS[name].removeprefix("https://").strip("[]")
    assert host in outcome["said"] and "address" in outcome["said"], outcome["said"]


def test_nor_through_a_redirect_or_an_endpoint(public):
    redirect = public["redirect"]
    assert redirect["status"] == 1 and redirect["connections"] == [] and "private.inside.test" in redirect["said"], redirect
    for name in public_network.ENDPOINTS:
        assert public[name]["connections"] == [] and "address" in public[name]["signed in"], public[name]


def test_public_and_configured_addresses_are_contacted(public):
    assert public["honest"]["status"] == 0, public["honest"]["said"]
    assert set(public["named"]["connections"]) == {"10.77.0.5"}, public["named"]
