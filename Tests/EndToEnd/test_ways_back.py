"""The other ways by which an answer comes back over HTTP, with a real browser: https, the fragment, a form."""
import contextlib
import json
import re
import shutil
import socket
import ssl
import subprocess

import pytest
import requests
from chromium import AVAILABLE, By, chromium, make_certificate, wait
from chromium import arrived as page_arrived
from commands import run
from person import answer
from plain_provider import PlainProvider
from postern import BIN, oidc
from selenium.common.exceptions import WebDriverException
from signing_in import SignIn

needs_chromium = pytest.mark.skipif(not AVAILABLE, reason="needs Debian's chromium and chromium-driver")


@pytest.fixture
def certificate(tmp_path):
    """Made by the command that a person uses; the directory of its files."""
    done = subprocess.run([BIN / "postern", "provider", "certificate", "--directory", tmp_path / "tls"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return tmp_path / "tls", done.stdout


def https(directory):
    return f'certificate = "{directory}/loopback.crt"\nkey = "{directory}/loopback.key"\n'


def arrived(driver, daemon):
    text = page_arrived(driver, daemon)
    history = driver.execute_cdp_cmd("Page.getNavigationHistory", {})["entries"]
    assert not [entry["url"] for entry in history if "code=" in entry["url"]]
    assert "code=" not in driver.page_source
    assert [entry for entry in driver.get_log("browser") if entry["level"] == "SEVERE"] == []
    return text


def test_no_key_is_written_to_a_shared_directory_or_an_empty_path(tmp_path):
    def make(directory):
        return subprocess.run([BIN / "postern", "provider", "certificate", "--directory", directory], capture_output=True, text=True, timeout=60, cwd=tmp_path)

    nowhere = make("")
    assert nowhere.returncode == 64 and "--directory needs a path" in nowhere.stderr and not list(tmp_path.iterdir())
    for mode in (0o777, 0o770, 0o1777):
        shared = tmp_path / oct(mode)
        shared.mkdir()
        shared.chmod(mode)
        refused = make(shared)
        assert refused.returncode == 1 and "others can write there" in refused.stderr and not list(shared.iterdir())


def test_no_key_is_written_below_a_directory_writable_by_others(tmp_path):
    """They could put another directory in the place of the one below."""
    shared = tmp_path / "shared"
    (shared / "sub").mkdir(parents=True)
    shared.chmod(0o777)
    for directory in [shared / "sub", shared / "new", "shared/sub/../sub"]:
        refused = subprocess.run(
            [BIN / "postern", "provider", "certificate", "--directory", directory], capture_output=True, text=True, timeout=60, cwd=tmp_path)
        assert refused.returncode == 1 and f"chmod go-w {shared}" in refused.stderr, refused.stderr
    assert not list((shared / "sub").iterdir()) and not (shared / "new").exists()
    # Everybody's on purpose.
    refused = subprocess.run([BIN / "postern", "provider", "certificate", "--directory", "/tmp"], capture_output=True, text=True, timeout=60)
    assert refused.returncode == 1 and "others can write there" in refused.stderr and "chmod" not in refused.stderr


def test_the_directory_is_reported_as_an_absolute_path(tmp_path):
    (tmp_path / "below").mkdir()
    done = subprocess.run(
        [BIN / "postern", "provider", "certificate", "--directory", "..", "--json"], capture_output=True, text=True, timeout=60, cwd=tmp_path / "below")
    assert done.returncode == 0 and json.loads(done.stdout)["key"] == str(tmp_path / "loopback.key"), done.stderr


def test_the_certificate_command_makes_a_private_key_and_explains_how_to_trust_it(certificate):
    directory, text = certificate
    assert (directory / "loopback.key").stat().st_mode & 0o777 == 0o600 and directory.stat().st_mode & 0o777 == 0o700
    for word in [f'certificate = "{directory}/loopback.crt"', "certutil -d sql:$HOME/.pki/nssdb -A -t C,,", "Firefox", "update-ca-certificates", "To undo", "-D -n"]:
        assert word in text
    # The authority's key is nowhere.
    assert sorted(path.name for path in directory.iterdir()) == ["loopback-authority.crt", "loopback.crt", "loopback.key"]
    before = (directory / "loopback.crt").read_bytes()
    again = subprocess.run([BIN / "postern", "provider", "certificate", "--directory", directory], capture_output=True, text=True, timeout=60)
    assert again.returncode == 0 and again.stdout == text and (directory / "loopback.crt").read_bytes() == before
    subprocess.run([BIN / "postern", "provider", "certificate", "--directory", directory, "--replace"], capture_output=True, check=True, timeout=60)
    assert (directory / "loopback.crt").read_bytes() != before


def test_missing_directories_are_created(tmp_path):
    done = subprocess.run([BIN / "postern", "provider", "certificate"], env={"HOME": str(tmp_path / "home")}, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "home" / ".config" / "postern" / "loopback.key").stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "home" / ".config").stat().st_mode & 0o777 == 0o700


def test_simultaneous_certificate_commands_leave_matching_files(certificate):
    directory, _ = certificate
    words = [BIN / "postern", "provider", "certificate", "--directory", directory, "--replace"]
    started = [subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) for _ in range(6)]
    said = [process.communicate(timeout=60)[1] for process in started]
    assert [process.returncode for process in started] == [0] * 6, said
    ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(directory / "loopback.crt", directory / "loopback.key")
    subprocess.run(
        ["openssl", "verify", "-CAfile", directory / "loopback-authority.crt", directory / "loopback.crt"], check=True, capture_output=True, timeout=60)
    assert sorted(path.name for path in directory.iterdir()) == ["loopback-authority.crt", "loopback.crt", "loopback.key"]


def test_if_one_file_cannot_be_replaced_none_is(certificate):
    directory, _ = certificate
    before = {path.name: path.read_bytes() for path in directory.iterdir()}
    # In the way of the second one.
    (directory / ".loopback.crt.new").mkdir()
    again = subprocess.run([BIN / "postern", "provider", "certificate", "--directory", directory, "--replace"], capture_output=True, text=True, timeout=60)
    assert again.returncode == 1 and "cannot write" in again.stderr
    (directory / ".loopback.crt.new").rmdir()
    assert {path.name: path.read_bytes() for path in directory.iterdir()} == before


def test_the_listener_serves_https_under_each_of_its_names(make_daemon, certificate):
    provider = PlainProvider()
    daemon = make_daemon(provider.configuration(), callback='addresses = ["127.0.0.1", "::1"]\n' + https(certificate[0])).start()
    urls = daemon.call("GetStatus")["callbackURLs"]
    assert [re.sub(r":\d+/", ":PORT/", url) for url in urls] == ["https://127.0.0.1:PORT/__/auth/handler", "https://[::1]:PORT/__/auth/handler"]
    assert daemon.call("ListProviders")["providers"][0]["redirectURI"] == urls[0]
    port = urls[0].split(":")[2].split("/")[0]
    doctor = run(daemon, "doctor").stdout
    assert all(f"{url.split('/__/')[0]} answers; whether your browser trusts" in doctor for url in urls), doctor
    session = requests.Session()
    session.trust_env = False
    for host in ["127.0.0.1", "[::1]", "localhost"]:
        reply = session.get(f"https://{host}:{port}/__/auth/done", verify=str(certificate[0] / "loopback-authority.crt"))
        assert reply.status_code == 200
        assert session.get(f"https://{host}:{port}/__/auth/done", verify=str(certificate[0] / "loopback-authority.crt"), headers={"Host": "evil.example"}).status_code == 421
    with pytest.raises(requests.exceptions.SSLError):
        session.get(f"https://127.0.0.1:{port}/__/auth/done")
    provider.close()


def test_an_expiring_certificate_and_a_readable_key_are_logged(make_daemon, tmp_path):
    files, _ = make_certificate(tmp_path, "localhost")
    (tmp_path / "provider.key").chmod(0o644)
    daemon = make_daemon(callback=f'certificate = "{files[0]}"\nkey = "{files[1]}"').start()
    log = daemon.log.read_text()
    assert re.search("ends within [12] days", log) and "can be read by others" in log


def test_plain_http_and_broken_handshakes_at_the_https_port_change_nothing(make_daemon, demo_provider, certificate):
    daemon = make_daemon(oidc(demo_provider), callback=https(certificate[0])).start()
    pending = SignIn(daemon)
    host, port = "127.0.0.1", int(daemon.origin.rsplit(":", 1)[1])
    # The demo provider takes loopback addresses with http alone, so the answer is made from one.
    callback = answer(pending.url.replace("redirect_uri=https", "redirect_uri=http"))
    session = requests.Session()
    session.trust_env = False
    page = session.get(callback.replace("https://", "http://"), allow_redirects=False)
    assert page.status_code == 400 and "Use https for this address" in page.text and "code=" not in page.text and page.headers["Cache-Control"] == "no-store"
    for nonsense in [b"\x16\x03\x01\x00\x05hello", b"\x00" * 64, b"\x16", b"\x80\x2e\x01\x00\x02", b"\xff" * 3]:
        with socket.create_connection((host, port), timeout=10) as connection:
            # Whoever hears nonsense may be gone before all of it was said.
            with contextlib.suppress(OSError):
                connection.sendall(nonsense)
                connection.shutdown(socket.SHUT_WR)
                while connection.recv(4096):
                    pass
    # Who does not trust the certificate says so and goes.
    with socket.create_connection((host, port), timeout=10) as connection, pytest.raises(ssl.SSLError):
        ssl.create_default_context().wrap_socket(connection, server_hostname="localhost")
    done = session.get(callback.replace("http://", "https://"), verify=str(certificate[0] / "loopback-authority.crt"))
    assert done.status_code == 200


@pytest.fixture
def trusting_home(certificate, tmp_path):
    """A home whose browsers trust the certificate: what the printed steps do."""
    if not shutil.which("certutil"):
        pytest.skip("needs libnss3-tools")
    home = tmp_path / "home"
    home.mkdir()
    steps = [line.strip() for line in certificate[1].splitlines() if "/.pki/nssdb" in line and "-D" not in line]
    assert len(steps) == 3
    for step in steps:
        done = subprocess.run(["sh", "-c", step], env={"PATH": "/usr/bin:/bin", "HOME": str(home)}, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
    return home


@needs_chromium
def test_a_chromium_that_trusts_the_certificate_returns_over_https(make_daemon, certificate, trusting_home):
    provider = PlainProvider()
    daemon = make_daemon(provider.configuration(), callback=https(certificate[0])).start()
    with chromium(home=trusting_home) as driver:
        for provider.mode in ["query", "fragment", "form_post"]:
            pending = SignIn(daemon)
            driver.get(pending.url)
            assert "Ada Lovelace" in arrived(driver, daemon) and daemon.origin.startswith("https://"), provider.mode
            assert pending.completed()["state"] == "completed"
            assert provider.exchanges.pop()["redirect_uri"] == f"{daemon.origin}/__/auth/handler"
    provider.close()


@pytest.fixture(scope="module")
def untaught(tmp_path_factory):
    """A browser that trusts no certificate but that of a provider at localhost, and the provider's."""
    certificate, argument = make_certificate(tmp_path_factory.mktemp("provider"), "localhost")
    with chromium(argument) as driver:
        yield driver, certificate


@needs_chromium
def test_a_chromium_that_does_not_trust_the_certificate_is_blocked(make_daemon, certificate, untaught):
    driver, _ = untaught
    provider = PlainProvider()
    daemon = make_daemon(provider.configuration(), callback=https(certificate[0])).start()
    pending = SignIn(daemon)
    try:
        driver.get(pending.url)
        assert "ERR_CERT_AUTHORITY_INVALID" in driver.page_source
    except WebDriverException as error:
        assert "ERR_CERT_AUTHORITY_INVALID" in str(error)
    assert pending.client.silent(0) and not provider.exchanges
    provider.close()


@needs_chromium
@pytest.mark.parametrize("secure", [False, True], ids=["http", "https"])
@pytest.mark.parametrize("mode", ["fragment", "form_post"])
def test_a_provider_on_another_site_responds_by_fragment_or_form(make_daemon, untaught, mode, secure):
    driver, certificate = untaught
    # What was refused before is neither in its history nor in its log.
    driver.get("about:blank")
    driver.execute_cdp_cmd("Page.resetNavigationHistory", {})
    driver.get_log("browser")
    provider = PlainProvider("query", certificate if secure else None)
    # The provider does as it is asked.
    daemon = make_daemon(provider.configuration(response_mode=mode)).start()
    pending = SignIn(daemon)
    assert f"response_mode={mode}" in pending.url
    driver.get(pending.url)
    assert "Ada Lovelace" in arrived(driver, daemon)
    assert pending.completed()["state"] == "completed"
    # Again the same, from the provider on: a new answer to a state that is used up.
    driver.get(pending.url)
    assert "Ada Lovelace" in arrived(driver, daemon)
    provider.code = "code-2"
    driver.get(pending.url)
    wait(driver, lambda d: "has expired or was already used" in d.find_element(By.TAG_NAME, "body").text)
    assert [form["code"] for form in provider.exchanges] == ["code-1"]
    provider.close()
