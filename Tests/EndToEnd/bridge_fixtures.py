"""What the tests of the bridge at awkward servers share: fixtures, which a test module imports."""
import threading

import pytest
from agreeing import visit as agree
from awkward_mcp import AwkwardServers
from bridges import Bridge
from mcp_servers import AGREES, mcp
from postern import Daemon, free_port
from signing_in import SignIn

# One server and one account for each test, so that none finds what another left.
NAMES = [f"s{number}" for number in range(20)]


@pytest.fixture(scope="module")
def servers():
    servers = AwkwardServers(NAMES)
    yield servers
    servers.close()


@pytest.fixture(scope="module")
def daemon(servers, tmp_path_factory):
    daemon = Daemon(tmp_path_factory.mktemp("daemon"), "".join(mcp(servers.url(name), name) for name in NAMES), browser=AGREES, port=free_port()).start()
    yield daemon
    daemon.stop()


def sign_in(daemon, name):
    pending = SignIn(daemon, providerID=name, intent="keep")
    assert agree(pending.url).startswith("200 ")
    pending.completed()


@pytest.fixture(scope="module")
def unused():
    return iter(NAMES)


@pytest.fixture
def place(servers, unused):
    """A server that nobody has used, nor signed in to."""
    return servers.place(next(unused))


@pytest.fixture
def server(daemon, place):
    """One that the daemon has a token for."""
    sign_in(daemon, place.name)
    return place


@pytest.fixture
def gate():
    """Answers wait for it; at the latest until the test has ended."""
    event = threading.Event()
    yield event
    event.set()


@pytest.fixture
def bridges(daemon):
    """`bridges(server)`: a bridge to it, which ends with the test."""
    started = []

    def start(server, *arguments, of=None, name=None, **more):
        started.append(Bridge(of or daemon, *arguments, name=name or server.name, **more))
        return started[-1]

    yield start
    for bridge in started:
        bridge.stop()


@pytest.fixture
def bridge(bridges, server):
    """One of 2025-11-25 that has begun its session."""
    bridge = bridges(server)
    assert "result" in bridge.initialize()
    return bridge


def text_of(answer):
    return answer["result"]["content"][0]["text"]
