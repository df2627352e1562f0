"""The relay page, served as it lies in packaging/, in a real browser: what it hands on, and that it hands on nothing else, nowhere else."""
import base64
import hashlib
import http.server
import io
import json
import re
import shutil
import ssl
import subprocess
import threading
import urllib.parse

import pytest
from chromium import AVAILABLE, By, arrived, chromium, make_certificate, prefer, wait
from person import browser
from plain_provider import PlainProvider
from postern import ROOT, ends_with
from signing_in import SignIn

PAGE = (ROOT / "packaging" / "relay" / "index.html").read_text()
LISTENER = "http://127.0.0.1:7678/__/auth/handler"
RELAY = "https://app.example.com/__/auth/handler"
needs_chromium = pytest.mark.skipif(not AVAILABLE, reason="needs Debian's chromium and chromium-driver")


class Server:
    """Serves `page` at the relay's path and a frame around it; or, without a page, writes down who came."""

    def __init__(self, certificate=None):
        self.page, self.seen = None, []
        server = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def log_message(self, *arguments):
                pass

            def do_GET(self):
                url = urllib.parse.urlsplit(self.path)
                text = server.page or "<!DOCTYPE html><title>listener</title>listener"
                if url.path == "/frame":
                    text = f'<!DOCTYPE html><title>frame</title><iframe src="/__/auth/handler?{url.query}"></iframe>'
                elif url.path != "/favicon.ico":
                    server.seen.append((self.path, self.headers.get("Referer")))
                self.send_response(200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.end_headers()
                self.wfile.write(text.encode())

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*certificate)
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


def page_for(listener):
    assert PAGE.count(LISTENER) == 1
    return PAGE.replace(LISTENER, listener)


@pytest.fixture(scope="module")
def relay(tmp_path_factory):
    """The relay's host and a browser that finds it."""
    certificate, argument = make_certificate(tmp_path_factory.mktemp("relay"), "app.example.com")
    server = Server(certificate)
    with chromium(argument, f"--host-resolver-rules=MAP app.example.com:443 127.0.0.1:{server.port}, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost") as driver:
        yield server, driver
    server.close()


@pytest.fixture
def listener():
    server = Server()
    server.page = ""
    yield server
    server.close()


def text_of(driver):
    return driver.find_element(By.TAG_NAME, "body").text


def test_the_page_is_sealed_and_fetches_nothing():
    for kind in ["style", "script"]:
        [text] = re.findall(rf"<{kind}>(.*?)</{kind}>", PAGE, re.S)
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in PAGE, f"the {kind} was changed; its hash is sha256-{digest}"
    assert "default-src 'none'" in PAGE and "base-uri 'none'" in PAGE and "form-action 'none'" in PAGE and 'name="referrer" content="no-referrer"' in PAGE
    assert not re.search(r"\b(src|href)\s*=", PAGE) and not re.search(r"//(?!127\.0\.0\.1)[a-z0-9]", PAGE)
    assert "innerHTML" not in PAGE and "eval" not in PAGE and "document.write" not in PAGE


def test_without_scripts_the_title_matches_the_heading():
    title, heading = (re.search(rf"<{name}>(.*?)</{name}>", PAGE)[1] for name in ("title", "h1"))
    assert title == heading == "Scripts are needed here"


@needs_chromium
@pytest.mark.parametrize("mode", ["query", "fragment"])
def test_a_sign_in_comes_back_through_the_relay(make_daemon, relay, mode):
    server, driver = relay
    provider = PlainProvider(mode)
    daemon = make_daemon(provider.configuration(redirect_uri=RELAY, own_callback_path=True)).start()
    server.page = page_for(f"{daemon.origin}/__/auth/handler/demo")
    assert daemon.call("ListProviders")["providers"][0]["redirectURI"] == RELAY
    pending = SignIn(daemon)
    driver.get(pending.url)
    assert "Ada Lovelace" in arrived(driver, daemon)
    assert pending.completed()["state"] == "completed"
    assert provider.exchanges[0]["redirect_uri"] == RELAY
    history = driver.execute_cdp_cmd("Page.getNavigationHistory", {})["entries"]
    assert not [entry["url"] for entry in history if "code=" in entry["url"]]
    assert [entry for entry in driver.get_log("browser") if entry["level"] == "SEVERE"] == []
    provider.close()


def test_a_session_behind_a_relay_is_answered_only_at_its_own_path(make_daemon):
    provider = PlainProvider()
    daemon = make_daemon(provider.configuration(redirect_uri=RELAY, own_callback_path=True)).start()
    pending = SignIn(daemon)
    given = browser().get(pending.url, allow_redirects=False).headers["Location"]
    assert given.startswith(RELAY + "?")
    answer = given.split("?", 1)[1]
    assert browser().get(f"{daemon.origin}/__/auth/handler?{answer}").status_code == 400
    with ends_with("RedirectNotRecognised"):
        daemon.call("DeliverRedirect", {"url": f"https://evil.example/__/auth/handler/demo?{answer}"})
    # Pasted from the address bar of the page, where its script was not let run.
    assert daemon.call("DeliverRedirect", {"url": given}) == {"sessionID": pending.id}
    assert pending.completed()["state"] == "completed"
    provider.close()


@needs_chromium
def test_the_relay_forwards_only_response_parameters_and_no_referrer(relay, listener):
    server, driver = relay
    server.page = page_for(f"http://127.0.0.1:{listener.port}/__/auth/handler")
    driver.get(RELAY + "?state=a%26b&utm=x&code=c+d%3D&target=https%3A%2F%2Fevil.example&postern-listener=http%3A%2F%2F127.0.0.1%3A1%2F&state=again&iss=https%3A%2F%2Fop&__proto__=x&error_description=%3Cb%3E")
    wait(driver, lambda d: listener.seen)
    (path, referrer), = listener.seen
    assert referrer is None
    assert urllib.parse.parse_qsl(urllib.parse.urlsplit(path).query) == [
        ("state", "a&b"), ("code", "c d="), ("state", "again"), ("iss", "https://op"), ("error_description", "<b>")]
    # An answer in the fragment stays there.
    listener.seen.clear()
    driver.get("about:blank")
    driver.get(RELAY + "#state=a&code=c&access_token=t")
    # The address changes when the answer is there, not when it was asked for.
    wait(driver, lambda d: d.current_url.endswith("/__/auth/handler#state=a&code=c"))
    assert listener.seen[0][0] == "/__/auth/handler"


@needs_chromium
@pytest.mark.parametrize("refusal", ["oauth_problem=user_refused&oauth_token=t", "state=s&oauth_problem=user_refused", "state=s&error_message=Sorry", "denied=t"])
def test_a_refusal_is_forwarded_unchanged(relay, listener, refusal):
    server, driver = relay
    server.page = page_for(f"http://127.0.0.1:{listener.port}/__/auth/handler")
    driver.get("about:blank")
    driver.get(f"{RELAY}?{refusal}")
    wait(driver, lambda d: listener.seen)
    assert listener.seen[0][0] == f"/__/auth/handler?{refusal}"


STAYS = {
    "no answer": "", "other words": "?target=https%3A%2F%2Fevil.example&next=x", "a state alone": "?state=x", "a code alone": "?code=x",
    "a script as the state's place": "?javascript%3Aalert(1)", "too long": "?state=x&code=" + "a" * 7000, "too long a fragment": "#state=x&code=" + "a" * 7000,
    "too long once it is written anew": "?state=x&code=" + "~" * 6900, "the same in the fragment": "#state=x&code=" + "~" * 6900,
    "too many bytes in words that stay": "?state=x&code=y&z=" + "a" * 7000,
}


@needs_chromium
@pytest.mark.parametrize("name", STAYS)
def test_a_request_that_is_not_a_response_is_not_forwarded(relay, listener, name):
    server, driver = relay
    server.page = page_for(f"http://127.0.0.1:{listener.port}/__/auth/handler")
    driver.get("about:blank")
    driver.get(RELAY + STAYS[name])
    assert re.search("Nothing arrived here|too large", text_of(driver)) and driver.current_url.startswith(RELAY) and not listener.seen


@needs_chromium
@pytest.mark.parametrize("address", [
    "javascript:alert(1)//127.0.0.1:7678/__/auth/handler", "https://evil.example/__/auth/handler", "http://evil.example:80/__/auth/handler",
    "http://127.0.0.1@evil.example:80/__/auth/handler", "http://127.0.0.1:7678@evil.example/__/auth/handler", "http://127.0.0.1.evil.example:80/__/auth/handler",
    "http://127.0.0.1:PORT/other", "http://127.0.0.1:PORT/__/auth/handler/../../x", "http://127.0.0.1:PORT/__/auth/handler?x=y", "http://127.0.0.1:PORT/__/auth/handler#",
    " http://127.0.0.1:PORT/__/auth/handler", "//127.0.0.1:PORT/__/auth/handler", "http://127.0.0.1/__/auth/handler", "http://[::2]:PORT/__/auth/handler",
    "http://127.0.0.1:65536/__/auth/handler", "http://127.0.0.1:99999/__/auth/handler", "http://127.0.0.1:0/__/auth/handler",
    "http://0.0.0.0:PORT/__/auth/handler", "http://127.0.0.1:PORT/__/auth/handler\nx", "",
])
def test_a_page_configured_with_a_foreign_address_forwards_nothing(relay, listener, address):
    server, driver = relay
    server.page = page_for(address.replace("PORT", str(listener.port)))
    driver.get("about:blank")
    driver.get(RELAY + "?state=x&code=y")
    assert "not set up" in text_of(driver) and driver.current_url.startswith(RELAY) and not listener.seen


@needs_chromium
@pytest.mark.parametrize("width", [360, 800, 1400])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_text_of_the_page_fits_the_screen(relay, listener, tmp_path, scheme, width):
    server, driver = relay
    prefer(driver, "en", scheme, width=width)
    server.page = page_for(f"http://127.0.0.1:{listener.port}/__/auth/handler")
    driver.get(RELAY)
    assert text_of(driver)
    driver.save_screenshot(str(tmp_path / f"relay-{scheme}-{width}.png"))
    assert driver.execute_script("return document.documentElement.scrollWidth <= window.innerWidth")


@needs_chromium
def test_nothing_is_forwarded_from_a_frame(relay, listener):
    server, driver = relay
    server.page = page_for(f"http://127.0.0.1:{listener.port}/__/auth/handler")
    driver.get("https://app.example.com/frame?state=x&code=y")
    driver.switch_to.frame(driver.find_element(By.TAG_NAME, "iframe"))
    assert "Not in a frame" in text_of(driver) and not listener.seen
    driver.switch_to.default_content()


# ---- The snippets for hosts that can read a form ------------------------------

FORM = "state=S%26&code=C&user=%7B%22name%22%3A1%7D&target=https%3A%2F%2Fevil.example"
GOOD = LISTENER + "?state=S%26&code=C&user=%7B%22name%22%3A1%7D"


def snippet(language):
    [text] = re.findall(rf"```{language}\n(.*?)```", (ROOT / "docs" / "use" / "relay.md").read_text(), re.S)
    return text


def test_the_python_snippet_turns_a_form_into_a_redirect(tmp_path):
    space = {}
    exec(snippet("python"), space)

    def call(method, body, kind="application/x-www-form-urlencoded", length=None):
        got = {}
        body = body if isinstance(body, bytes) else body.encode()
        environ = {"REQUEST_METHOD": method, "CONTENT_TYPE": kind, "CONTENT_LENGTH": length or str(len(body)), "wsgi.input": io.BytesIO(body)}
        list(space["application"](environ, lambda status, headers: got.update(status=int(status[:3]), **{k: v for k, v in headers})))
        return got

    good = call("POST", FORM)
    assert good["status"] == 303 and good["Location"] == GOOD and good["Referrer-Policy"] == "no-referrer"
    for refused in [call("POST", ""), call("POST", "x=y"), call("POST", "state=" + "a" * 9000), call("POST", "state=x&code=" + "*" * 6900), call("GET", ""), call("POST", FORM, "text/plain"), call("POST", "state=x"),
                    call("POST", FORM, length="-1"), call("POST", FORM, length="x"), call("POST", FORM, length="9" * 5000), call("POST", b"state=\xff")]:
        assert refused["status"] in (400, 405, 413) and "Location" not in refused


@pytest.mark.skipif(not shutil.which("node"), reason="needs node")
def test_the_javascript_snippet_turns_a_form_into_a_redirect(tmp_path):
    (tmp_path / "relay.mjs").write_text(snippet("js"))
    (tmp_path / "try.mjs").write_text(f"""
import relay from "./relay.mjs";
const ask = async (method, body, type = "application/x-www-form-urlencoded") => {{
  const reply = await relay.fetch(new Request("{RELAY}", {{ method, body: method === "GET" ? undefined : body, headers: {{ "Content-Type": type }} }}));
  return [reply.status, reply.headers.get("Location")];
}};
console.log(JSON.stringify([await ask("POST", {FORM!r}), await ask("POST", ""), await ask("POST", "x=y"), await ask("GET"), await ask("POST", {FORM!r}, "text/plain"),
  await ask("POST", "state=" + "a".repeat(9000))]));
""")
    done = subprocess.run(["node", str(tmp_path / "try.mjs")], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    good, *refused = json.loads(done.stdout)
    assert good == [303, GOOD]
    assert all(status in (400, 405, 413) and location is None for status, location in refused)
