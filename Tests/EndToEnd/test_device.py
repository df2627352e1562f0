"""The device flow (RFC 8628): a code typed on another device, against the demo provider and against scripted answers."""
from device_server import PENDING, TOKEN
from devices import Beside, Device, demo, provider, server, type_code  # noqa: F401 fixtures
from person import consent
from postern import free_port
from signing_in import SignIn


def test_a_user_signs_in_on_another_device(demo, provider):
    waiting = Device(demo)
    event = waiting.event
    assert event["state"] == "authorizationPending" and "authorizationURL" not in event
    assert event["verificationURI"] == f"{provider}/device"
    assert event["verificationURIComplete"] == f"{provider}/device?user_code={waiting.code}"
    page = type_code(event["verificationURIComplete"])
    assert "All done here" in page.text
    assert waiting.next()["state"] == "exchanging"
    completed = waiting.completed()
    assert completed["result"]["user"]["email"] == "ada@example.com"
    assert completed["credential"]["idToken"].count(".") == 2
    # No nonce is sent in this flow, so there is none to hand out.
    assert "rawNonce" not in completed["credential"]
    assert demo.call("GetAccessToken", {"providerID": "demo", "forceRefresh": True})["uid"] == "demo-1815"
    flows = {each["providerID"]: each["flows"] for each in demo.call("ListProviders")["providers"]}
    assert flows["demo"] == ["browser", "device"]
    assert demo.call("ListSessions")["sessions"][0]["state"] == "completed"


def test_a_code_can_be_added_to_a_pending_page(demo):
    page = SignIn(demo)
    device = Beside(demo, page.id)
    both = page.client.receive()["event"]
    assert both["userCode"] == device.code and both["authorizationURL"] == page.url == device.url
    type_code(device.event["verificationURIComplete"], "grace")
    assert page.completed()["result"]["user"]["email"] == "grace@example.org"
    credential = device.completed()["credential"]
    assert "rawNonce" not in credential
    # Who comes back with the page now sees how it ended; the code of that page is not used.
    late = consent(page.url)
    assert late.status_code == 200 and "Grace Hopper" in late.text


def test_a_killed_daemon_resumes_polling_for_the_same_code(make_daemon, server):
    daemon = make_daemon(server.configuration(), port=free_port()).start()
    waiting = Device(daemon, providerID="legacy")
    server.wait_for_polls(1)
    daemon.kill()
    server.answers = [PENDING]
    daemon.start()
    server.wait_for_polls(1)
    assert {poll["device_code"] for poll in server.polls} == {"dc-0001"}
    back = daemon.client()
    back.send("AttachSession", {"sessionID": waiting.id}, more=True)
    assert back.receive()["event"]["userCode"] == waiting.code
    server.usual = (200, TOKEN)
    assert back.receive()["event"]["state"] == "exchanging"
    assert back.receive()["event"]["result"]["user"]["displayName"] == "Octo"
    assert len([r for r in server.requests if r[1] == "/device/code"]) == 1
