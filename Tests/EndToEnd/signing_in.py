"""A sign-in as programs request it: over the socket, with its page opened by the test."""
import json
import pathlib
import sys

from person import consent
from postern import VarlinkError

PERSON = pathlib.Path(__file__).resolve().parent / "person.py"


class SignIn:
    """A sign-in whose page this client opens; it waits at the page."""

    def __init__(self, daemon, **parameters):
        self.client = daemon.client()
        self.client.send("SignIn", {"providerID": "demo", "presentation": "client", **parameters}, more=True)
        self.event = self.client.receive()["event"]
        assert self.event["state"] == "authorizationPending", self.event
        self.id, self.url = self.event["sessionID"], self.event["authorizationURL"]

    def rest(self):
        """The remaining events."""
        events = []
        while True:
            reply = self.client.receive_raw()
            if "error" in reply:
                raise VarlinkError(reply["error"], reply["parameters"])
            events.append(reply["parameters"]["event"])
            if not reply.get("continues"):
                return events

    def completed(self):
        return self.rest()[-1]


def sign_in(daemon, person="ada", **parameters):
    pending = SignIn(daemon, **parameters)
    page = consent(pending.url, person)
    assert page.status_code == 200, page.text
    return pending.completed()


def keep(daemon, person="ada", **parameters):
    """The person's own sign-in, for all programs, which alone gives a configured name to an account; returns the access token."""
    account = sign_in(daemon, person, intent="keep", **parameters)["account"]
    return daemon.call("GetAccessToken", {"providerID": account["providerID"], "uid": account["uid"]})["accessToken"]


def handle_of(daemon, person="ada"):
    return sign_in(daemon, person, intent="credential")["credential"]["handle"]


def browser_command(person="ada"):
    """For the configuration: a browser in which that person agrees to everything."""
    return json.dumps([sys.executable, str(PERSON), person])
