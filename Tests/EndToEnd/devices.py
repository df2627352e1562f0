"""Sign-ins with a code that is typed on another device, and who takes part in them."""
import pytest
from device_server import DeviceServer
from person import Form, browser
from postern import VarlinkError, oidc


class Device:
    """A sign-in that waits for a code; it has received its first event."""

    def __init__(self, daemon, **parameters):
        self.client = daemon.client()
        self.client.send("SignIn", {"providerID": "demo", "flow": "device", "presentation": "client", **parameters}, more=True)
        self.event = self.next()
        self.id = self.event["sessionID"]
        self.code = self.event.get("userCode")

    def next(self):
        return self.client.receive()["event"]

    def completed(self):
        while True:
            reply = self.client.receive_raw()
            if "error" in reply:
                raise VarlinkError(reply["error"], reply["parameters"])
            if not reply.get("continues"):
                return reply["parameters"]["event"]


class Beside(Device):
    """Another flow for a sign-in that waits; it has received the first event with this flow."""

    def __init__(self, daemon, sessionID, flow="device"):
        self.client = daemon.client()
        self.client.send("AttachSession", {"sessionID": sessionID, "flow": flow}, more=True)
        member = {"device": "userCode", "browser": "authorizationURL"}[flow]
        self.event = self.next()
        while member not in self.event:
            self.event = self.next()
        self.id = self.event["sessionID"]
        self.code, self.url = self.event.get("userCode"), self.event.get("authorizationURL")


def type_code(url, person="ada", **fields):
    """The person at the page: with the code in its address, or typed. Returns the final page."""
    session = browser()
    page = session.get(url, params=fields, timeout=30)
    assert page.status_code == 200, page.text
    choice = {"decision": "deny"} if person is None else {"person": person}
    return session.post(url.split("?")[0], data={**Form(page.text).fields, **choice}, timeout=30)


@pytest.fixture
def provider(make_provider):
    return make_provider("--device-interval", "1")


@pytest.fixture
def demo(make_daemon, provider):
    return make_daemon(oidc(provider)).start()


@pytest.fixture
def server():
    server = DeviceServer()
    yield server
    server.close()
