"""Signing in, from a program's call to its answer, against the demo provider."""
import json

import pytest
from person import answer, browser, consent, parameters
from postern import ends_with, free_port, oidc, wait_for
from signing_in import SignIn, browser_command, handle_of


def test_a_program_follows_a_sign_in_event_by_event(demo, demo_provider):
    pending = SignIn(demo)
    asked = parameters(pending.url)
    assert pending.url.startswith(demo_provider) and asked["code_challenge_method"] == "S256" and asked["redirect_uri"] == demo.origin + "/__/auth/handler"
    page = consent(pending.url)
    exchanging, completed = pending.rest()
    assert (exchanging["state"], completed["state"]) == ("exchanging", "completed")
    assert "authorizationURL" not in exchanging and "authorizationURL" not in completed
    assert page.url.startswith(f"{demo.origin}/__/auth/done?page=") and page.status_code == 200
    assert "Ada Lovelace" in page.text and "code=" not in page.url

    result, credential = completed["result"], completed["credential"]
    assert result["operation"] == "signIn" and result["additionalUserInfo"]["isNewUser"] is True
    assert result["additionalUserInfo"]["profile"]["sub"] == "demo-1815" and result["additionalUserInfo"]["username"] == "ada"
    user = result["user"]
    assert (user["displayName"], user["email"], user["isAnonymous"]) == ("Ada Lovelace", "ada@example.com", False)
    assert [(p["providerID"], p["uid"]) for p in user["providerData"]] == [("demo", "demo-1815")]
    assert credential["accessToken"] and credential["idToken"].count(".") == 2 and credential["rawNonce"] and "handle" not in credential
    assert set(credential["scopes"]) >= {"openid", "email", "profile"} and credential["tokenType"].lower() == "bearer"
    assert demo.call("GetStatus") | {"sessions": 0, "users": 1, "credentials": 1} == demo.call("GetStatus")


def test_no_secret_of_a_sign_in_is_in_the_log_or_on_disk(demo, make_daemon, demo_provider):
    noisy = make_daemon(oidc(demo_provider) + '[daemon]\nlog-level = "debug"\n').start()
    monitor = noisy.client()
    monitor.send("Monitor", {}, more=True)
    pending = SignIn(noisy)
    callback = answer(pending.url)
    browser().get(callback)
    completed = pending.completed()
    access = noisy.call("GetAccessToken", {"providerID": "demo", "forceRefresh": True})["accessToken"]
    handle = handle_of(noisy, "grace")
    asked, answered, credential = parameters(pending.url), parameters(callback), completed["credential"]
    secrets = [asked["state"], asked["nonce"], answered["code"], credential["accessToken"], credential["idToken"], credential["rawNonce"],
               access, handle, *credential["idToken"].split(".")[1:]]
    personal = ["ada@example.com", "Lovelace", "demo-1815", "grace@example.org"]
    noisy.kill()  # what a backup takes of a running daemon: the write-ahead log, too
    log = noisy.log.read_bytes()
    assert b"signed in" in log
    for secret in secrets:
        assert secret.encode() not in log
    files = [path for path in (noisy.directory / "state").rglob("*") if path.is_file()]
    assert any(path.name == "postern.db" for path in files)
    for path in files:
        data = path.read_bytes()
        assert path.stat().st_mode & 0o077 == 0, path
        for text in secrets + personal:
            assert text.encode() not in data, (path, text)
    kinds = b""
    with pytest.raises(EOFError):
        while True:
            kinds += repr(monitor.receive_raw()).encode()
    assert b"signInCompleted" in kinds
    for secret in secrets:
        assert secret.encode() not in kinds


def test_a_call_without_more_gets_only_the_last_event(make_daemon, demo_provider):
    daemon = make_daemon(oidc(demo_provider), browser=browser_command("grace")).start()
    event = daemon.call("SignIn", {"providerID": "demo"})["event"]
    assert event["state"] == "completed" and event["result"]["user"]["email"] == "grace@example.org"


def test_identical_requests_share_one_page_and_all_get_the_result(make_daemon, demo_provider, tmp_path):
    pages = tmp_path / "pages"
    pages.touch()
    daemon = make_daemon(oidc(demo_provider), browser=json.dumps(["/bin/sh", "-c", f'echo "$0" >> {pages}'])).start()
    clients = [daemon.client() for _ in range(20)]
    for number, client in enumerate(clients):
        client.send("SignIn", {"providerID": "demo"}, more=number % 2 == 0)
    consent(wait_for(pages.read_text, what="a page").strip())
    replies = []
    for client in clients:
        while (event := client.receive()["event"])["state"] != "completed":
            pass
        replies.append(event)
    assert len({event["sessionID"] for event in replies}) == 1
    assert {event["result"]["user"]["email"] for event in replies} == {"ada@example.com"}
    assert len({event["credential"]["accessToken"] for event in replies}) == 1
    assert len(pages.read_text().split()) == 1
    assert daemon.call("GetStatus")["users"] == 1 and len(daemon.call("ListSessions")["sessions"]) == 1


def test_either_loopback_address_accepts_the_redirect(make_daemon, demo_provider):
    daemon = make_daemon(oidc(demo_provider), callback='addresses = ["127.0.0.1", "::1"]').start()
    urls = daemon.call("GetStatus")["callbackURLs"]
    assert len(urls) == 2
    for url in urls:
        pending = SignIn(daemon)
        assert "Ada Lovelace" in browser().get(url + "?" + answer(pending.url).split("?", 1)[1]).text
        assert pending.completed()["state"] == "completed"


def test_a_provider_with_its_own_callback_path_is_answered_only_there(make_daemon, make_provider):
    provider = make_provider("--redirect-uri", "http://127.0.0.1/__/auth/handler/demo")
    daemon = make_daemon(oidc(provider, own_callback_path=True)).start()
    pending = SignIn(daemon)
    callback = answer(pending.url)
    assert "/__/auth/handler/demo?" in callback
    for elsewhere in [callback.replace("/handler/demo?", "/handler?"), callback.replace("/handler/demo?", "/handler/work?")]:
        assert browser().get(elsewhere).status_code in (400, 404)
    assert browser().get(callback).status_code == 200
    assert pending.completed()["state"] == "completed"
    redirects = {p["providerID"]: p.get("redirectURI") for p in daemon.call("ListProviders")["providers"]}
    assert redirects["demo"].endswith("/__/auth/handler/demo")


def test_a_page_opened_before_a_kill_still_signs_in(make_daemon, demo_provider):
    daemon = make_daemon(oidc(demo_provider), port=free_port()).start()
    pending = SignIn(daemon)
    callback = answer(pending.url)
    daemon.kill()
    with pytest.raises(EOFError):
        pending.completed()
    daemon.start()
    assert [s["sessionID"] for s in daemon.call("ListSessions")["sessions"]] == [pending.id]
    client = daemon.client()
    client.send("AttachSession", {"sessionID": pending.id})
    page = browser().get(callback)
    assert page.status_code == 200
    assert client.receive()["event"]["state"] == "completed"
    assert "Ada Lovelace" in browser().get(page.url).text


def test_a_wrong_redirect_is_refused_and_changes_nothing(demo):
    pending = SignIn(demo)
    callback = answer(pending.url)
    for wrong in [
        callback.replace("state=", "state=A"),
        callback.split("?")[0],
        callback.replace("state=", "estate="),
        callback + "&state=again",
        callback.replace("/__/auth/handler", "/__/auth/handler/other"),
        "",
        "not a url",
        "http://127.0.0.1:1/elsewhere?state=x&code=y",
        callback.replace("code=", "code=%zz"),
        "x" * 60000,
    ]:
        with ends_with("RedirectNotRecognised") as caught:
            demo.call("DeliverRedirect", {"url": wrong})
        assert parameters(callback)["state"] not in str(caught.value) and parameters(callback)["code"] not in str(caught.value)
    demo.call("DeliverRedirect", {"url": callback})
    assert pending.completed()["state"] == "completed"
