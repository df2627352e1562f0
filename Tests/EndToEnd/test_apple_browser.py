"""A real browser between Apple's page, a website that hands the answer on, and the daemon: all under their own https names."""
import html
import http.server
import shutil
import ssl
import subprocess
import tempfile
import threading

import pytest
from apple import apple, daemon  # noqa: F401 fixtures
from chromium import arrived
from person import parameters
from signing_in import SignIn

webdriver = pytest.importorskip("selenium.webdriver")

pytestmark = pytest.mark.skipif(not shutil.which("chromium") or not shutil.which("chromedriver"), reason="needs Debian's chromium and chromium-driver")


class Sites:
    """https://appleid.apple.com, whose page posts a form by itself, and https://app.example.com, which answers posts with a 307."""

    def __init__(self, directory, target):
        self.page = ""
        self.seen = []
        sites = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def log_message(self, *arguments):
                pass

            def do_GET(self):
                data = sites.page.encode()
                self.send_response(200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def do_POST(self):
                self.rfile.read(int(self.headers["Content-Length"]))
                sites.seen.append((self.headers["Host"], self.headers["Origin"]))
                self.send_response(307)
                self.send_header("Location", target + self.path)
                self.send_header("Content-Length", "0")
                self.end_headers()

        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
                        "/CN=test", "-keyout", directory / "key", "-out", directory / "certificate"], check=True, capture_output=True)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(directory / "certificate", directory / "key")
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    def post(self, url, fields):
        inputs = "".join(f'<input type="hidden" name="{html.escape(name)}" value="{html.escape(value)}">' for name, value in fields.items())
        self.page = (f'<!DOCTYPE html><title>Apple</title><form method="post" action="{html.escape(url)}">{inputs}</form>'
                     "<script>document.forms[0].submit()</script>")

    def close(self):
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def sites(daemon, tmp_path):
    sites = Sites(tmp_path, daemon.origin)
    yield sites
    sites.close()


@pytest.fixture
def chromium(sites):
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    profile = tempfile.mkdtemp(prefix="postern-chromium")
    names = ", ".join(f"MAP {name}:443 127.0.0.1:{sites.port}" for name in ["appleid.apple.com", "app.example.com"])
    for argument in ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--no-proxy-server",
                     "--disable-background-networking", "--disable-component-update", "--no-first-run", "--ignore-certificate-errors",
                     f"--host-resolver-rules={names}", f"--user-data-dir={profile}"]:
        options.add_argument(argument)
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
    driver.set_page_load_timeout(30)
    yield driver
    driver.quit()
    shutil.rmtree(profile, ignore_errors=True)


@pytest.mark.parametrize("way", ["straight", "handed on"])
def test_a_posted_answer_arrives(chromium, daemon, apple, sites, way):
    pending = SignIn(daemon, providerID="apple.com")
    url = parameters(pending.url)["redirect_uri"] if way == "straight" else "https://app.example.com/__/auth/handler"
    sites.post(url, apple.agree(pending.url))
    chromium.get("https://appleid.apple.com/auth/authorize")
    assert "Ex Ample" in arrived(chromium, daemon)
    assert pending.completed()["credential"]["accessToken"] == "a1"
    assert sites.seen == ([] if way == "straight" else [("app.example.com", "https://appleid.apple.com")])
