"""The device flow (RFC 8628): a code typed on another device, against the demo provider and against scripted answers."""
import json
import time

import pytest
from device_server import CLOSE, CODE, PENDING, TOKEN, DeviceServer
from devices import Beside, Device, demo, provider, server, type_code  # noqa: F401 fixtures
from person import consent
from postern import ends_with, free_port, oidc, wait_for
from signing_in import SignIn, browser_command


@pytest.fixture
def daemon(make_daemon, server):
    return make_daemon(server.configuration(), port=free_port()).start()


def begin(daemon, **parameters):
    return Device(daemon, providerID="legacy", **parameters)


# ---- The whole way ----------------------------------------------------------


def test_somebody_signs_in_on_another_device(demo, provider):
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


def test_the_code_may_be_typed_carelessly(demo):
    waiting = Device(demo)
    type_code(waiting.event["verificationURI"], "grace", user_code=waiting.code.lower().replace("-", " "))
    assert waiting.completed()["result"]["user"]["email"] == "grace@example.org"


def test_a_no_is_a_no(demo):
    waiting = Device(demo)
    type_code(waiting.event["verificationURIComplete"], None)
    with ends_with("SignInDenied") as caught:
        waiting.completed()
    assert caught.value.parameters["error"] == "access_denied"
    assert demo.call("ListCredentials") == {"credentials": []}


def test_nothing_of_it_is_in_the_log_or_readable_on_disk(make_daemon, server):
    daemon = make_daemon(server.configuration() + '[daemon]\nlog-level = "debug"\n').start()
    monitor = daemon.client()
    monitor.send("Monitor", more=True)
    waiting = begin(daemon)
    server.wait_for_polls(1)
    everything = b"".join(path.read_bytes() for path in (daemon.directory / "state").rglob("*") if path.is_file())
    secrets = [CODE["device_code"], CODE["user_code"], TOKEN["access_token"]]
    assert not [secret for secret in secrets if secret.encode() in everything]
    server.usual = (200, TOKEN)
    waiting.completed()
    told = ""
    while "resultDelivered" not in told:
        told += json.dumps(monitor.receive_raw())
    log = daemon.log.read_text()
    assert not [secret for secret in secrets if secret in log or secret in told]


def test_the_questions_are_as_the_standard_has_them(daemon, server):
    waiting = begin(daemon, scopes=["profile", "email"], customParameters={"audience": "https://api.example"})
    server.answers = [PENDING, (200, TOKEN)]
    waiting.completed()
    [(_, _, headers, asked)] = [r for r in server.requests if r[1] == "/device/code"]
    assert asked == {"client_id": "client-1", "scope": "profile email", "audience": "https://api.example"}
    assert headers["Accept"] == "application/json" and "Authorization" not in headers
    poll = {"grant_type": "urn:ietf:params:oauth:grant-type:device_code", "device_code": "dc-0001", "client_id": "client-1"}
    assert server.polls == [poll, poll]
    assert server.most_under_way == 1


def test_a_confidential_client_says_who_it_is_both_times(make_daemon, server):
    daemon = make_daemon(server.configuration(client_secret="shh", client_authentication="client_secret_basic")).start()
    waiting = begin(daemon)
    server.answers = [(200, TOKEN)]
    waiting.completed()
    posts = [r for r in server.requests if r[1] in ("/device/code", "/token")]
    assert [r[2]["Authorization"].split()[0] for r in posts] == ["Basic", "Basic"]
    assert posts[0][3]["client_id"] == "client-1" and not [r for r in posts if "client_secret" in r[3]]


def test_a_bound_on_the_age_of_the_proof_that_is_no_number_is_refused_before_a_code(daemon, server):
    with ends_with("ProviderNotConfigured") as caught:
        begin(daemon, customParameters={"max_age": "soon"})
    assert "max_age must be a number of seconds" in caught.value.parameters["message"] and not server.requests


# ---- What the answers mean --------------------------------------------------


@pytest.mark.parametrize("answers", [
    [(400, {"error": "authorization_pending"}), (428, {"error": "authorization_pending"}), (403, {"error": "authorization_pending"}),
     (200, {"error": "authorization_pending"})],
    [(200, {"error": "slow_down", "error_description": "Too many requests.", "interval": 2}), (403, {"error": "authorization_pending"})],
    [CLOSE, (502, "<html>Bad Gateway</html>")],
    [(200, "<html>Sign in to this hotel's network</html>"), PENDING],
], ids=["pending", "slow-down", "network", "portal"])
def test_what_does_not_end_it(daemon, server, answers):
    server.answers = [*answers, (200, TOKEN)]
    waiting = begin(daemon)
    assert waiting.completed()["result"]["user"]["displayName"] == "Octo"
    assert len(server.polls) == len(answers) + 1 and server.most_under_way == 1


def test_a_provider_that_is_gone_for_a_while_costs_nothing(make_daemon, make_provider):
    port = str(free_port())
    provider = make_provider("--device-interval", "1", "--port", port)
    server = DeviceServer()
    daemon = make_daemon(server.configuration(token_endpoint=f"http://127.0.0.1:{port}/token")).start()
    waiting = begin(daemon)
    process = make_provider.processes[provider]
    process.kill()
    process.wait()
    # Nobody listens there now; then somebody does again, who knows nothing of the code.
    make_provider("--device-interval", "1", "--port", port)
    with ends_with("ExchangeFailed"):
        waiting.completed()
    server.close()


@pytest.mark.parametrize("status, body, error", [
    (400, {"error": "expired_token"}, "SignInTimedOut"),
    (200, {"error": "token_expired"}, "SignInTimedOut"),
    (403, {"error": "access_denied", "error_description": "No."}, "SignInDenied"),
    (400, {"error": "authorization_declined"}, "SignInDenied"),
    (400, {"error": "invalid_grant", "error_description": "used"}, "ExchangeFailed"),
    (400, {"error": "bad_verification_code"}, "ExchangeFailed"),
    (200, {"error": "incorrect_client_credentials"}, "ExchangeFailed"),
    (200, {"error": "device_flow_disabled"}, "ProviderNotConfigured"),
    (200, {"access_token": "at-secret-1"}, "ExchangeFailed"),
    (200, {**TOKEN, "access_token": "a b"}, "ExchangeFailed"),
])
def test_what_ends_it(daemon, server, status, body, error):
    server.answers = [(status, body)]
    waiting = begin(daemon)
    with ends_with(error):
        waiting.completed()
    assert len(server.polls) == 1
    assert daemon.call("GetStatus")["sessions"] == 0


def test_a_grant_whose_profile_cannot_be_had_is_taken_back(daemon, server):
    server.answers = [(200, {**TOKEN, "access_token": "at-of-nobody", "refresh_token": "rt-of-nobody"})]  # the profile is refused to it
    with ends_with("ExchangeFailed"):
        begin(daemon).completed()
    wait_for(lambda: server.revoked == ["rt-of-nobody", "at-of-nobody"], what="the revocation")


def test_a_grant_that_makes_no_sense_is_taken_back(daemon, server):
    server.answers = [(200, {**TOKEN, "token_type": "mac"})]
    with ends_with("ExchangeFailed"):
        begin(daemon).completed()
    wait_for(lambda: server.revoked == [TOKEN["access_token"]], what="the revocation")


def test_a_code_that_nobody_types_ends_with_its_time(daemon, server):
    server.code["expires_in"] = 4
    waiting = begin(daemon)
    assert waiting.event["expiresAt"] < daemon.call("ListSessions")["sessions"][0]["expiresAt"]
    with ends_with("SignInTimedOut"):
        waiting.completed()


def test_a_program_may_have_less_patience_than_the_code(daemon, server):
    # On a slow machine it may be over before there is a code.
    with ends_with("SignInTimedOut"):
        begin(daemon, timeoutSeconds=1).completed()
    assert daemon.call("GetStatus")["sessions"] == 0


@pytest.mark.parametrize("status, body, error", [
    (200, {**CODE, "verification_uri": "javascript:alert(1)"}, "ExchangeFailed"),
    (200, {**CODE, "verification_uri": "http://example.com/device"}, "ExchangeFailed"),
    (200, {**CODE, "verification_uri": "https://user@example.com/device"}, "ExchangeFailed"),
    (200, {**CODE, "verification_uri": "https://example.com/\u001b[2J"}, "ExchangeFailed"),
    (200, CODE, "ExchangeFailed"),
    (200, {**CODE, "verification_uri": "https://example.com/device", "user_code": "A\nB"}, "ExchangeFailed"),
    (200, {**CODE, "verification_uri": "https://example.com/device", "user_code": "\u202eBA"}, "ExchangeFailed"),
    (200, {**CODE, "verification_uri": "https://example.com/device", "user_code": "A" * 65}, "ExchangeFailed"),
    (200, {**CODE, "verification_uri": "https://example.com/device", "device_code": "d\r\nX: y"}, "ExchangeFailed"),
    (200, {**CODE, "verification_uri": "https://example.com/device", "expires_in": 0}, "ExchangeFailed"),
    (200, {**CODE, "verification_uri": "https://example.com/device", "expires_in": None}, "ExchangeFailed"),
    pytest.param(200, b"\xff" * 300_000, "ExchangeFailed", id="300 kB"),
    (200, "<html>", "ExchangeFailed"),
    (400, {"error": "invalid_scope", "error_description": "no"}, "ExchangeFailed"),
    (403, {"error": "device_flow_disabled"}, "ProviderNotConfigured"),
    (503, "busy", "ProviderUnreachable"),
    (302, "", "ExchangeFailed"),
])
def test_a_code_that_cannot_be_shown_is_none(daemon, server, status, body, error):
    server.code_answers = [(status, body)]
    with ends_with(error) as caught:
        begin(daemon)
    assert "dc-0001" not in str(caught.value)
    # Whose answer it was.
    assert caught.value.parameters["message"].startswith(daemon.call("ListProviders")["providers"][0]["displayName"])
    assert daemon.call("ListSessions") == {"sessions": []} and not server.polls


def test_a_complete_address_that_is_no_good_is_left_out(daemon, server):
    server.code["verification_uri_complete"] = "javascript:alert(1)"
    assert "verificationURIComplete" not in begin(daemon).event


# ---- Providers' own ways ----------------------------------------------------


def github(server, **more):
    """GitHub's paths at this server; None takes a key out."""
    return server.configuration(
        "github.com", **{"kind": None, "scopes": None, "client_id": "Iv1.0123456789abcdef", "revocation_endpoint": None, **more})


GITHUB_CODE = {
    "device_code": "3584d83530557fdd1f46af8289938c8ef79f9dc5", "user_code": "WDJB-MJHT",
    "verification_uri": "https://github.com/login/device", "expires_in": 900, "interval": 1}


@pytest.mark.parametrize("more", [{"flow": "device"}, {"client_secret": "shh"}], ids=["without-secret", "with-secret"])
def test_github(make_daemon, server, more):
    server.code = GITHUB_CODE
    server.answers = [
        (200, {"error": "authorization_pending", "error_description": "The authorization request is still pending.", "error_uri": "https://docs.github.com/x"}),
        (200, {"error": "slow_down", "error_description": "Too many requests have been made in the same timeframe.", "error_uri": "https://docs.github.com/x", "interval": 2}),
        (200, {"access_token": "at-secret-1", "scope": "read:user,user:email", "token_type": "bearer"})]
    daemon = make_daemon(github(server, **more)).start()
    waiting = Device(daemon, providerID="github.com")
    assert (waiting.event["verificationURI"], waiting.code) == ("https://github.com/login/device", "WDJB-MJHT")
    assert waiting.completed()["result"]["user"]["providerData"][0]["uid"] == "4711"
    # The client ID and nothing else: GitHub's device flow knows no secret.
    posts = [r[3] for r in server.requests if r[0] == "POST"]
    assert posts[0] == {"client_id": "Iv1.0123456789abcdef", "scope": "read:user user:email"}
    assert set(posts[1]) == {"client_id", "device_code", "grant_type"}


def test_github_without_a_secret_has_no_browser_flow(make_daemon, server):
    daemon = make_daemon(github(server, flow="device")).start()
    [provider] = daemon.call("ListProviders")["providers"][:1]
    assert provider["configured"] and provider["flows"] == ["device"]
    with ends_with("UnsupportedFlow") as caught:
        daemon.call("SignIn", {"providerID": "github.com", "flow": "browser", "presentation": "client"}, more=True)
    assert caught.value.parameters["flow"] == "browser"
    assert "userCode" in daemon.call("SignIn", {"providerID": "github.com"}, more=True)["event"]


def test_google(make_daemon, server):
    server.code = {"device_code": "d", "user_code": "GQVQ-JKEC", "expires_in": 1800, "interval": 1, "verification_url": "https://www.google.com/device"}
    server.answers = [
        (428, {"error": "authorization_pending", "error_description": "Precondition Required"}),
        (403, {"error": "slow_down", "error_description": "Forbidden", "interval": 2}),
        (200, {**TOKEN, "token_type": "Bearer", "scope": "openid https://www.googleapis.com/auth/userinfo.email"})]
    daemon = make_daemon(server.configuration(client_secret="shh", client_authentication="client_secret_post")).start()
    waiting = begin(daemon)
    assert (waiting.event["verificationURI"], waiting.code) == ("https://www.google.com/device", "GQVQ-JKEC")
    waiting.completed()
    assert server.polls[-1]["client_secret"] == "shh"


def test_facebook(make_daemon, server):
    server.code = {"code": "92a2b2e351f2b0b3503b2de251132f47", "user_code": "A1NWZ9", "verification_uri": "https://www.facebook.com/device",
                   "expires_in": 420, "interval": 1}
    def wrong(subcode):
        return 400, {"error": {"message": "…", "type": "OAuthException", "code": 31, "error_subcode": subcode, "fbtrace_id": "x"}}
    server.answers = [wrong(1349174), wrong(1349172), (200, {"access_token": TOKEN["access_token"], "expires_in": 5183996})]
    daemon = make_daemon(server.configuration(
        "facebook.com", kind=None, revocation_endpoint=None, device_authorization_endpoint=f"{server.origin}/device/login",
        client_secret="shh", client_token="client-token-1", scopes=["email"])).start()
    flows = {each["providerID"]: each["flows"] for each in daemon.call("ListProviders")["providers"]}
    assert flows["facebook.com"] == ["browser", "device"]
    waiting = Device(daemon, providerID="facebook.com")
    assert (waiting.event["verificationURI"], waiting.code) == ("https://www.facebook.com/device", "A1NWZ9")
    assert waiting.completed()["credential"]["accessToken"] == TOKEN["access_token"]
    asked = [form for method, path, _, form in server.requests if path == "/device/login"]
    assert asked == [{"access_token": "client-1|client-token-1", "scope": "email"}]
    assert server.polls[-1] == {"access_token": "client-1|client-token-1", "code": server.code["code"]}


def test_without_a_client_token_facebook_has_no_device_flow(make_daemon):
    daemon = make_daemon('[provider."facebook.com"]\nclient-id = "1"\nclient-secret = "shh"\n').start()
    with ends_with("UnsupportedFlow"):
        Device(daemon, providerID="facebook.com")


def test_microsoft(daemon, server):
    server.code = {
        "user_code": "ABC123DEF", "device_code": "B" * 220, "verification_uri": "https://microsoft.com/devicelogin", "expires_in": 900,
        "interval": 1, "message": "To sign in, use a web browser to open the page …"}
    server.answers = [
        (400, {"error": "authorization_pending", "error_description": "AADSTS70016: …", "error_codes": [70016], "timestamp": "2026-08-20 10:00:00Z"}),
        (400, {"error": "authorization_declined", "error_description": "AADSTS70000: …", "error_codes": [70000]})]
    waiting = begin(daemon)
    assert waiting.code == "ABC123DEF" and "verificationURIComplete" not in waiting.event
    with ends_with("SignInDenied") as caught:
        waiting.completed()
    assert caught.value.parameters["error"] == "authorization_declined"


# ---- Which flow -------------------------------------------------------------


def test_a_provider_without_it_is_told(make_daemon, server, provider):
    daemon = make_daemon(server.configuration(device_authorization_endpoint=None)).start()
    assert daemon.call("ListProviders")["providers"][0]["flows"] == ["browser"]
    with ends_with("UnsupportedFlow") as caught:
        begin(daemon)
    assert caught.value.parameters["flow"] == "device" and caught.value.parameters["providerID"] == "legacy"


def test_a_provider_whose_metadata_name_none_is_told(make_daemon):
    import http.server
    import threading

    class Handler(http.server.BaseHTTPRequestHandler):
        def log_message(self, *arguments):
            pass

        def do_GET(self):
            issuer = f"http://{self.headers['Host']}"
            self.send_response(200)
            self.end_headers()
            self.wfile.write(json.dumps({
                "issuer": issuer, "authorization_endpoint": f"{issuer}/a", "token_endpoint": f"{issuer}/t", "jwks_uri": f"{issuer}/k"}).encode())

    metadata = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=metadata.serve_forever, args=(0.02,), daemon=True).start()
    daemon = make_daemon(oidc(f"http://127.0.0.1:{metadata.server_address[1]}", flow="device")).start()
    with ends_with("UnsupportedFlow"):
        Device(daemon)
    # What people prefer is no reason to sign nobody in.
    assert "authorizationURL" in daemon.call("SignIn", {"providerID": "demo"}, more=True)["event"]
    metadata.shutdown()
    metadata.server_close()


def test_nobody_would_learn_the_code_without_more(demo):
    with ends_with("ExpectedMore"):
        demo.call("SignIn", {"providerID": "demo", "flow": "device"})


@pytest.mark.parametrize("everywhere, here, device", [
    ("device", None, True), (None, "device", True), ("device", "browser", False), ("browser", "device", True), (None, None, False)])
def test_the_configuration_remembers_a_preference(make_daemon, provider, everywhere, here, device):
    daemon = make_daemon(browser='"none"' + (f'\nflow = "{everywhere}"' if everywhere else ""))
    daemon.write(oidc(provider, **({"flow": here} if here else {})))
    daemon.start()
    event = daemon.call("SignIn", {"providerID": "demo", "presentation": "client"}, more=True)["event"]
    assert ("userCode" in event) == device and ("authorizationURL" in event) != device
    # A program that names one gets that one.
    other = daemon.call("SignIn", {"providerID": "demo", "app": "b", "presentation": "client", "flow": "browser"}, more=True)["event"]
    assert "authorizationURL" in other and "userCode" not in other


def test_who_cannot_show_a_code_gets_a_page_whatever_is_preferred(make_daemon, provider):
    daemon = make_daemon(oidc(provider, flow="device"), browser=browser_command()).start()
    assert daemon.call("SignIn", {"providerID": "demo"})["event"]["result"]["user"]["email"] == "ada@example.com"


def test_a_preference_that_cannot_be_is_an_error_in_the_configuration(make_daemon, server):
    daemon = make_daemon(server.configuration(device_authorization_endpoint=None, flow="device"))
    with pytest.raises(AssertionError, match="must not be \"device\" without a device-authorization-endpoint"):
        daemon.start()


# ---- Together ---------------------------------------------------------------


def test_programs_that_ask_the_same_share_a_code(daemon, server):
    first, second = begin(daemon), begin(daemon)
    assert (first.id, first.code) == (second.id, second.code)
    assert len([r for r in server.requests if r[1] == "/device/code"]) == 1
    server.answers = [(200, TOKEN)]
    assert first.completed()["result"]["user"]["uid"] == second.completed()["result"]["user"]["uid"]
    assert server.most_under_way == 1


def test_a_page_that_waits_gets_a_code_beside_it(demo):
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


def test_a_code_that_waits_gets_a_page_beside_it(demo):
    device = Device(demo)
    page = Beside(demo, device.id, "browser")
    assert page.code == device.code
    assert device.next()["authorizationURL"] == page.url
    consent(page.url, "ada")
    assert device.completed()["credential"]["rawNonce"] and page.completed()["result"]["user"]["email"] == "ada@example.com"
    assert type_code(device.event["verificationURIComplete"]).status_code == 200


def test_who_wants_a_page_does_not_join_one_who_wants_a_code(make_daemon, provider):
    daemon = make_daemon(oidc(provider), browser=browser_command("grace")).start()
    device = Device(daemon, presentation="daemon")
    assert "authorizationURL" not in device.event
    page = daemon.call("SignIn", {"providerID": "demo"})["event"]
    assert page["sessionID"] != device.id and page["result"]["user"]["email"] == "grace@example.org"
    assert [s["state"] for s in daemon.call("ListSessions")["sessions"] if s["sessionID"] == device.id] == ["authorizationPending"]
    # Once its program is gone, the code is of no use to whoever types it.
    device.client.close()
    type_code(device.event["verificationURIComplete"], "ada")
    wait_for(lambda: [s for s in daemon.call("ListSessions")["sessions"] if s["sessionID"] == device.id and s["state"] != "authorizationPending"])
    assert daemon.call("GetCurrentUser")["user"]["email"] == "grace@example.org"


def test_no_code_is_the_trouble_of_who_wanted_one_alone(daemon, server):
    page = SignIn(daemon, providerID="legacy")
    server.code_answers = [(403, {"error": "device_flow_disabled"})]
    with ends_with("ProviderNotConfigured"):
        Beside(daemon, page.id)
    [session] = daemon.call("ListSessions")["sessions"]
    assert session["state"] == "authorizationPending"
    again = Beside(daemon, page.id)
    assert again.code == "WDJB-MJHT"


@pytest.mark.parametrize("body", [{"error": "expired_token"}, {"error": "invalid_grant"}])
def test_where_a_code_is_over_the_page_still_waits_and_another_code_can_be_had(daemon, server, body):
    page = SignIn(daemon, providerID="legacy")
    server.answers = [(400, body)]
    first = Beside(daemon, page.id)
    assert page.client.receive()["event"]["userCode"] == "WDJB-MJHT"
    over = page.client.receive()["event"]
    assert "userCode" not in over and over["authorizationURL"] == page.url
    server.code["user_code"] = "SECOND"
    second = Beside(daemon, page.id)
    assert second.code == "SECOND"
    server.usual = (200, TOKEN)
    assert page.completed()["result"]["user"]["displayName"] == "Octo"
    first.completed()


def test_a_no_to_the_code_is_a_no_to_all(demo):
    page = SignIn(demo)
    type_code(Beside(demo, page.id).event["verificationURIComplete"], None)
    with ends_with("SignInDenied"):
        page.completed()


def test_both_ways_asked_for_at_once_are_both_there(demo):
    page = SignIn(demo)
    clients = [demo.client() for _ in range(6)]
    for number, client in enumerate(clients):
        client.send("AttachSession", {"sessionID": page.id, "flow": ["device", "browser"][number % 2]}, more=True)
    codes, urls, ids = set(), set(), set()
    for client in clients:
        event = {}
        while not ("userCode" in event and "authorizationURL" in event):
            event = client.receive()["event"]
        codes.add(event["userCode"])
        urls.add(event["authorizationURL"])
        ids.add(event["sessionID"])
    assert len(ids) == 1 and len(codes) == 1
    consent(urls.pop())
    for client in clients:
        event = {}
        while event.get("state") != "completed":
            event = client.receive()["event"]


# ---- Ends and restarts ------------------------------------------------------


def test_a_cancelled_one_asks_no_more_and_keeps_nothing(daemon, server):
    server.open.clear()
    waiting = begin(daemon)
    server.wait_for_polls(1)
    daemon.call("CancelSession", {"sessionID": waiting.id})
    with ends_with("SignInCancelled"):
        waiting.completed()
    # The person had said yes at that very moment: what came of it is taken back.
    server.usual = (200, TOKEN)
    server.open.set()
    wait_for(lambda: server.revoked == ["at-secret-1"], what="the revocation")
    assert daemon.call("ListCredentials") == {"credentials": []} and len(server.polls) == 1


def test_a_code_outlives_its_programs(daemon, server):
    waiting = begin(daemon)
    waiting.client.close()
    server.wait_for_polls(2)
    back = daemon.client()
    back.send("AttachSession", {"sessionID": waiting.id}, more=True)
    assert back.receive()["event"]["userCode"] == waiting.code
    server.usual = (200, TOKEN)
    while (event := back.receive()["event"])["state"] != "completed":
        pass
    assert event["result"]["user"]["displayName"] == "Octo"


def test_a_killed_daemon_goes_on_asking_for_the_same_code(daemon, server):
    waiting = begin(daemon)
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


def test_an_ending_daemon_begins_no_question_whose_answer_it_would_lose(make_daemon, server):
    daemon = make_daemon(server.configuration()).start()
    server.open.clear()
    begin(daemon)
    server.wait_for_polls(1)
    begin(daemon, app="other")
    due = time.monotonic() + 1.5
    daemon.process.terminate()
    # The first question keeps it from ending until after the second one would have been due.
    wait_for(lambda: time.monotonic() > due, what="the moment")
    server.open.set()
    assert daemon.process.wait(30) == 0 and len(server.polls) == 1


def lock(daemon):
    """Locks, up to the moment from which nothing new begins; who asked for it is answered when the store is closed."""
    client = daemon.client()
    client.send("Lock")
    wait_for(lambda: daemon.call("GetStatus")["locked"], what="the lock")
    return client


def test_a_grant_on_its_way_when_the_store_is_locked_is_kept_before_the_key_goes(daemon, server):
    server.open.clear()
    waiting = begin(daemon)
    server.wait_for_polls(1)
    locking = lock(daemon)
    assert locking.silent(0)
    server.usual = (200, TOKEN)
    server.open.set()
    assert waiting.completed()["result"]["user"]["displayName"] == "Octo"
    assert locking.receive() == {}
    daemon.call("Unlock")
    assert [credential["providerID"] for credential in daemon.call("ListCredentials")["credentials"]] == ["legacy"]
    assert server.revoked == [] and len(server.polls) == 1


def test_a_grant_that_comes_while_the_store_is_locked_costs_no_kept_credential(daemon, server):
    """Some providers take back all that a client has of an account with one token of it."""
    server.usual = (200, TOKEN)
    begin(daemon).completed()
    server.wait_for_polls(1)
    server.open.clear()
    begin(daemon, app="other")
    server.wait_for_polls(1)
    locking = lock(daemon)
    server.open.set()
    assert locking.receive() == {}
    daemon.call("Unlock")
    assert daemon.call("GetAccessToken", {"providerID": "legacy"})["accessToken"] == TOKEN["access_token"]
    assert server.revoked == []


def test_a_code_that_nobody_typed_by_the_lock_waits_with_its_sign_in(daemon, server):
    server.open.clear()
    waiting = begin(daemon)
    server.wait_for_polls(1)
    locking = lock(daemon)
    server.open.set()
    assert locking.receive() == {}
    with ends_with("StoreLocked") as caught:
        waiting.completed()
    assert f"postern attach {waiting.id}" in caught.value.parameters["message"]
    assert len(server.polls) == 1
    daemon.call("Unlock")
    back = daemon.client()
    back.send("AttachSession", {"sessionID": waiting.id}, more=True)
    assert back.receive()["event"]["userCode"] == waiting.code
    server.usual = (200, TOKEN)
    assert back.receive()["event"]["state"] == "exchanging"
    assert back.receive()["event"]["result"]["user"]["displayName"] == "Octo"


def test_a_slower_pace_outlives_a_kill(daemon, server):
    server.answers = [(400, {"error": "slow_down", "interval": 3})]
    begin(daemon)
    server.wait_for_polls(2)
    daemon.kill()
    started = time.monotonic()
    daemon.start()
    server.wait_for_polls(1)
    assert time.monotonic() - started >= 3


def test_a_page_and_its_code_both_outlive_a_kill(make_daemon, provider):
    daemon = make_daemon(oidc(provider), port=free_port()).start()
    page = SignIn(daemon)
    code = Beside(daemon, page.id).code
    daemon.kill()
    daemon.start()
    assert Beside(daemon, page.id).code == code
    consent(page.url)
    assert daemon.call("AttachSession", {"sessionID": page.id})["event"]["result"]["user"]["email"] == "ada@example.com"


def test_a_daemon_killed_while_the_grant_is_on_its_way_says_so(daemon, server):
    server.open.clear()
    waiting = begin(daemon)
    server.wait_for_polls(1)
    daemon.kill()
    # The provider spent the code on an answer that nobody got.
    server.open.set()
    server.usual = (400, {"error": "invalid_grant", "error_description": "used"})
    daemon.start()
    with ends_with("ExchangeFailed"):
        daemon.call("AttachSession", {"sessionID": waiting.id})
    assert daemon.call("ListCredentials") == {"credentials": []}


def test_a_code_that_ran_out_meanwhile_is_not_asked_for(daemon, server):
    server.code["expires_in"] = server.code["interval"] = 3
    server.open.clear()
    waiting = begin(daemon)
    server.wait_for_polls(1)
    daemon.kill()
    server.open.set()
    daemon.start()
    with ends_with("SignInTimedOut"):
        daemon.call("AttachSession", {"sessionID": waiting.id})
    assert len(server.polls) == 1


def test_another_client_id_gets_no_code_of_the_first(make_daemon, server):
    daemon = make_daemon(server.configuration()).start()
    waiting = begin(daemon)
    daemon.write(server.configuration(client_id="client-2"))
    daemon.call("Reload")
    with ends_with("ProviderNotConfigured"):
        waiting.completed()
    # One that was under way at the reload may have arrived after it.
    assert all(poll["client_id"] == "client-1" for poll in server.polls)
