"""What a page, a program or a mistake can send to the callback listener, and that it cannot end, block or spoil a sign-in that waits."""
import concurrent.futures
import contextlib
import re
import socket
import urllib.parse

import pytest
from person import answer, browser, consent, parameters
from postern import ends_with
from signing_in import SignIn


@pytest.fixture
def waiting(demo):
    """A sign-in whose browser is about to come back: (daemon, sign-in, callback URL)."""
    pending = SignIn(demo)
    return demo, pending, answer(pending.url)


def address(daemon):
    parts = urllib.parse.urlsplit(daemon.origin)
    return parts.hostname, parts.port


def raw(daemon, text, timeout=20):
    """The answer to these bytes, up to its end or the connection's."""
    with socket.create_connection(address(daemon), timeout=timeout) as connection:
        connection.sendall(text.encode("latin-1"))
        connection.shutdown(socket.SHUT_WR)
        data = b""
        with contextlib.suppress(ConnectionResetError):
            while chunk := connection.recv(65536):
                data += chunk
    return data.decode("latin-1")


def request(daemon, method, target, body="", **headers):
    host, port = address(daemon)
    fields = {"Host": f"{host}:{port}", "Connection": "close", **{k.replace("_", "-"): v for k, v in headers.items()}}
    if body:
        fields["Content-Length"] = str(len(body))
    head = f"{method} {target} HTTP/1.1\r\n" + "".join(f"{k}: {v}\r\n" for k, v in fields.items() if v is not None)
    return raw(daemon, head + "\r\n" + body)


def status(reply):
    return int(reply.split(" ", 2)[1]) if reply.startswith("HTTP/") else 0


HANDLER = "/__/auth/handler"
FORM = {"Content_Type": "application/x-www-form-urlencoded"}

# name: (method, what comes behind the path, headers, body, statuses that will do); STATE, CODE and QUERY stand for the real ones
HOSTILE = {
    "a wrong state": ("GET", "?state=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA&code=CODE", {}, "", {400}),
    "no state": ("GET", "?code=CODE", {}, "", {400}),
    "an error without state": ("GET", "?error=access_denied&error_description=no", {}, "", {400}),
    "an error with a wrong state": ("GET", "?error=access_denied&state=x", {}, "", {400}),
    "the state twice": ("GET", "?state=STATE&state=STATE&code=CODE", {}, "", {400}),
    "the code twice": ("GET", "?state=STATE&code=CODE&code=x", {}, "", {400}),
    "a broken escape": ("GET", "?state=STATE&code=%zz", {}, "", {400}),
    "the state in other letter case": ("GET", "?state=SWAPPED&code=CODE", {}, "", {400}),
    "a line break in the state": ("GET", "?state=STATE%0A&code=CODE", {}, "", {400}),
    "a line break in the error": ("GET", "?state=STATE&error=access_denied%0A", {}, "", {400}),
    "the state and a blank": ("GET", "?state=STATE%20&code=CODE", {}, "", {400}),
    "HEAD": ("HEAD", "?QUERY", {}, "", {405}),
    "OPTIONS": ("OPTIONS", "?QUERY", {"Origin": "https://evil.example"}, "", {405}),
    "PUT": ("PUT", "?QUERY", {}, "", {405}),
    "an image": ("GET", "?QUERY", {"Sec_Fetch_Dest": "image"}, "", {403}),
    "a frame": ("GET", "?QUERY", {"Sec_Fetch_Dest": "iframe"}, "", {403}),
    "a fetch of a script": ("GET", "?QUERY", {"Sec_Fetch_Dest": "empty", "Sec_Fetch_Mode": "cors"}, "", {403}),
    "a prefetch": ("GET", "?QUERY", {"Sec_Purpose": "prefetch", "Sec_Fetch_Dest": "document"}, "", {403, 503}),
    "a prefetch without destination": ("GET", "?QUERY", {"Sec_Purpose": "prefetch", "Sec_Fetch_Dest": "empty"}, "", {403}),
    "a prerender": ("GET", "?QUERY", {"Sec_Purpose": "prefetch;prerender", "Sec_Fetch_Dest": "document"}, "", {403, 503}),
    "another host": ("GET", "?QUERY", {"Host": "evil.example"}, "", {421}),
    "another port": ("GET", "?QUERY", {"Host": "127.0.0.1:1"}, "", {421}),
    "no host": ("GET", "?QUERY", {"Host": None}, "", {400, 421}),
    "a form of another type": ("POST", "", {"Content_Type": "application/json"}, '{"state":"STATE","code":"CODE"}', {400, 415}),
    "a form and a query": ("POST", "?state=x", FORM, "QUERY", {400}),
    "an empty form": ("POST", "", FORM, "", {400, 411}),
    "a path beside": ("GET", "/../handler2?QUERY", {}, "", {400, 404}),
    "an escaped path": ("GET", "%2f?QUERY", {}, "", {400, 404}),
    "a long line": ("GET", "?QUERY&x=" + "x" * 9000, {}, "", {414}),
    "many headers": ("GET", "?QUERY", {f"X_{n}": "y" for n in range(120)}, "", {431}),
    "a large header": ("GET", "?QUERY", {"X_Large": "y" * 17000}, "", {431}),
    "a large form": ("POST", "", FORM, "QUERY&x=" + "x" * 70000, {413}),
    "two lengths": ("POST", "", {**FORM, "Content_length": "1"}, "QUERY", {400}),
}


def test_an_invalid_callback_changes_nothing(waiting):
    daemon, pending, callback = waiting
    given = parameters(callback)
    words = {"QUERY": callback.split("?", 1)[1], "STATE": given["state"], "CODE": given["code"], "SWAPPED": given["state"].swapcase()}
    for name, (method, behind, headers, body, expected) in HOSTILE.items():
        for word, value in words.items():
            behind, body = behind.replace(word, value), body.replace(word, value)
        reply = request(daemon, method, HANDLER + behind, body, **headers)
        assert status(reply) in expected, (name, reply)
        assert given["state"] not in reply and given["code"] not in reply, name
        assert "access-control" not in reply.lower() and "set-cookie" not in reply.lower(), name
    for text in ["\x16\x03\x01\x02\x00\x01\x00", "GET\r\n\r\n", "\0" * 100, "GET / HTTP/9.9\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"]:
        assert status(raw(daemon, text)) in (0, 400, 404, 405, 421, 505)
    for target in ["/favicon.ico", "/", "/__/auth/done", "/__/auth/done?page=nonsense", "/robots.txt", "/__/auth/handler/"]:
        reply = request(daemon, "GET", target, Referer=callback)
        head = reply.split("\r\n\r\n")[0].lower()
        assert status(reply) in (200, 204, 400, 404)
        for line in ["cache-control: no-store", "referrer-policy: no-referrer", "x-content-type-options: nosniff", "cross-origin-opener-policy: same-origin"]:
            assert line in head, reply
        policy = re.search(r"content-security-policy: (.*)", head)[1]
        assert all(part in policy for part in ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'"])
    assert pending.client.silent(0)
    page = browser().get(callback)
    assert page.status_code == 200 and "Ada Lovelace" in page.text, page.text
    assert pending.completed()["state"] == "completed"


def test_the_callback_redirects_to_a_clean_address_and_reloads_show_the_result(waiting):
    daemon, pending, callback = waiting
    first = browser().get(callback, allow_redirects=False)
    assert first.status_code == 303 and first.headers["Location"].startswith("/__/auth/done?page=") and not first.content
    assert not any(value in first.headers["Location"] for value in parameters(callback).values())
    assert pending.completed()["state"] == "completed"
    for url in [callback, daemon.origin + first.headers["Location"], callback]:
        page = browser().get(url)
        assert page.status_code == 200 and "Ada Lovelace" in page.text and page.url.startswith(f"{daemon.origin}/__/auth/done?page=")
    changed = callback.replace("code=", "code=x")
    assert browser().get(changed).status_code == 400
    refusal = f"{daemon.origin}{HANDLER}?state={parameters(callback)['state']}&error=access_denied"
    assert browser().get(refusal).status_code == 400


def test_a_refusal_is_escaped_and_told_in_one_line(waiting):
    daemon, pending, callback = waiting
    given = parameters(callback)
    said = "<script>alert(1)</script> You said no.\r\nTrace:\x1b[31m 7\0"
    page = browser().get(f"{daemon.origin}{HANDLER}?" + urllib.parse.urlencode(
        {"state": given["state"], "iss": given["iss"], "error": "access_denied", "error_description": said}))
    assert page.status_code == 200 and "<script>alert" not in page.text
    assert "You said no. Trace:" in page.text and not re.search(r"[\0\r\x1b]", page.text)
    with ends_with("SignInDenied") as caught:
        pending.completed()
    assert caught.value.parameters["error"] == "access_denied"
    told = caught.value.parameters["errorDescription"] + caught.value.parameters["message"]
    assert "You said no. Trace:" in told and told.isprintable()
    assert not re.search(r"\x1b\[31m|\0", daemon.log.read_text())


def test_twenty_callbacks_at_once_complete_their_sign_ins(demo):
    pending = [SignIn(demo, app=f"app{n}", intent="credential") for n in range(20)]
    with concurrent.futures.ThreadPoolExecutor(20) as pool:
        pages = list(pool.map(lambda p: consent(p.url), pending))
    assert all("Ada Lovelace" in page.text for page in pages)
    assert len({p.completed()["credential"]["handle"] for p in pending}) == 20
