"""Answers that come back by an application's URL scheme: through the desktop's own programs, for real."""
import json
import os
import shutil
import subprocess
import sys
import urllib.parse

import pytest
from person import browser, parameters
from plain_provider import PlainProvider
from postern import BIN, wait_for
from signing_in import SignIn

pytestmark = pytest.mark.skipif(not all(map(shutil.which, ["gio", "xdg-mime", "xdg-open"])), reason="needs libglib2.0-bin and xdg-utils")

SCHEME = "com.example.app"
FIREBASE = "app-1-1234567890-ios-abcdef"


class Desktop:
    """A person's desktop settings, in a directory of their own."""

    def __init__(self, directory, socket):
        self.directory = directory
        directory.mkdir()
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": str(directory), "XDG_DATA_HOME": str(directory / "data"), "XDG_CONFIG_HOME": str(directory / "config"),
            "XDG_DATA_DIRS": "/usr/local/share:/usr/share", "POSTERN_SOCKET": str(socket), "LANG": "C.UTF-8"}
        (directory / "config").mkdir()

    def run(self, *command, **more):
        return subprocess.run([*map(str, command)], env={**self.environment, **more}, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)

    def postern(self, *arguments):
        return self.run(BIN / "postern", *arguments)

    def register(self, scheme=SCHEME, provider="demo"):
        done = self.postern("url-scheme", "register", scheme, "--provider", provider)
        assert done.returncode == 0, done.stderr
        return self.directory / "data" / "applications" / f"postern-url-{scheme}.desktop"


@pytest.fixture
def provider():
    provider = PlainProvider()
    yield provider
    provider.close()


@pytest.fixture
def world(make_daemon, provider, tmp_path):
    daemon = make_daemon(provider.configuration(redirect_uri=f"{SCHEME}:/callback") + provider.configuration("other")).start()
    return daemon, Desktop(tmp_path / "desktop", daemon.path), provider


def redirect(url):
    """Where the provider sends the browser."""
    reply = browser().get(url, allow_redirects=False)
    assert reply.is_redirect, reply.text
    return reply.headers["Location"]


OPENERS = {"gio": (["gio", "open"], {}), "xdg-open": (["xdg-open"], {"DISPLAY": ":99"})}


@pytest.mark.parametrize("opener", OPENERS)
def test_the_desktop_delivers_the_response(world, opener):
    daemon, desktop, provider = world
    file = desktop.register()
    assert desktop.run("xdg-mime", "query", "default", f"x-scheme-handler/{SCHEME}").stdout.strip() == file.name
    pending = SignIn(daemon)
    assert parameters(pending.url)["redirect_uri"] == f"{SCHEME}:/callback"
    command, more = OPENERS[opener]
    opened = desktop.run(*command, redirect(pending.url), **more)
    assert opened.returncode == 0, opened.stderr
    assert pending.completed()["result"]["user"]["displayName"] == "Ada Lovelace"
    assert provider.exchanges[0]["redirect_uri"] == f"{SCHEME}:/callback"


def test_the_desktop_file_runs_the_program_with_only_the_url(world):
    _, desktop, _ = world
    file = desktop.register()
    lines = file.read_text().splitlines()
    assert f"Exec={os.path.realpath(BIN / 'postern')} %u" in lines and f"MimeType=x-scheme-handler/{SCHEME};" in lines
    if shutil.which("desktop-file-validate"):
        checked = desktop.run("desktop-file-validate", file)
        assert checked.returncode == 0, checked.stdout
    listed = json.loads(desktop.postern("url-scheme", "list", "--json").stdout)["schemes"]
    assert listed == [{"scheme": SCHEME, "provider": "demo", "program": os.path.realpath(BIN / "postern"), "inForce": True}]
    assert desktop.postern("url-scheme", "remove", SCHEME).returncode == 0
    assert not file.exists() and desktop.postern("url-scheme", "remove", SCHEME).returncode == 1
    assert desktop.run("gio", "open", f"{SCHEME}:/callback?x=y").returncode != 0


def test_registering_says_what_the_configuration_still_lacks(world):
    _, desktop, _ = world
    assert "redirect-uri" not in desktop.postern("url-scheme", "register", SCHEME, "--provider", "demo").stderr
    assert f'redirect-uri = "{SCHEME}:/callback"' in desktop.postern("url-scheme", "register", SCHEME, "--provider", "other").stderr
    for scheme in ["https", "mailto", "x", "a.b;text/html", "../x.y"]:
        assert desktop.postern("url-scheme", "register", scheme, "--provider", "demo").returncode == 64
    # Names that the configuration does not take.
    for name in ["", "Work", ".x", "a b", "ü", "a/b", "password", "a" * 65]:
        refused = desktop.postern("url-scheme", "register", SCHEME, "--provider", name)
        assert refused.returncode == 64 and "name" in refused.stderr, name


def test_registering_warns_before_taking_over_another_applications_scheme(world):
    _, desktop, _ = world
    applications = desktop.directory / "data" / "applications"
    applications.mkdir(parents=True)
    (applications / "other.desktop").write_text(
        f"[Desktop Entry]\nType=Application\nName=Other\nExec=/bin/true %u\nMimeType=x-scheme-handler/{SCHEME};\n")
    desktop.run("update-desktop-database", applications)
    assert desktop.run("xdg-mime", "default", "other.desktop", f"x-scheme-handler/{SCHEME}").returncode == 0
    done = desktop.postern("url-scheme", "register", SCHEME, "--provider", "demo")
    assert done.returncode == 0 and "other.desktop opens these addresses now" in done.stderr
    assert f"xdg-mime default other.desktop x-scheme-handler/{SCHEME}" in done.stderr
    assert "other.desktop" not in desktop.postern("url-scheme", "register", SCHEME, "--provider", "demo").stderr


# What a page can put into a link, each behind `com.example.app:/callback?`; MARK is a file that must never come to be.
HOSTILE = [
    "state=x&code=$(touch MARK)", "state=x&code=`touch MARK`", "state=x&code=;touch MARK;", "state=x&code=%0atouch%20MARK%0a", "state=x&code=\ntouch MARK\n",
    "state=x&code=\"; touch MARK; \"", "state=x&code='; touch MARK; '", "state=x&code=a b  c", "state=x&code=\\\"\\'", "state=x&code=%22%27%5c", "state=x&code=%u%f%F%%",
    "state=x&code=--socket=/tmp/evil", "state=x --socket MARK", "state=x&code=*", "state=x&code=~/x", "state=x&code=$HOME", "state=x&code=é%C3%A9", "state=x&code=|touch MARK",
    "state=x&code=" + "a" * 8000,
]


@pytest.mark.parametrize("opener", OPENERS)
def test_hostile_urls_arrive_as_one_unchanged_argument(world, tmp_path, opener):
    """With a program that records, started by the very desktop file of ours, its path apart."""
    _, desktop, _ = world
    file = desktop.register()
    record, mark = tmp_path / "record", tmp_path / "mark"
    recorder = tmp_path / "recorder"
    recorder.write_text(f"#!{sys.executable}\nimport json, os, sys\nwith open({str(record)!r} + '.new', 'w') as f: json.dump([os.fsencode(a).decode('latin1') for a in sys.argv[1:]], f)\n"
                        f"os.rename({str(record)!r} + '.new', {str(record)!r})\n")
    recorder.chmod(0o755)
    text = file.read_text().replace(os.path.realpath(BIN / "postern"), str(recorder))
    assert f"Exec={recorder} %u" in text
    file.write_text(text)
    command, more = OPENERS[opener]
    for hostile in HOSTILE:
        url = f"{SCHEME}:/callback?" + hostile.replace("MARK", str(mark))
        opened = desktop.run(*command, url, **more)
        assert opened.returncode == 0, opened.stderr
        wait_for(record.exists, what="the handler")
        assert [argument.encode("latin1").decode() for argument in json.loads(record.read_text())] == [url]
        assert not mark.exists(), url
        record.unlink()


def test_hostile_urls_run_nothing_and_leave_the_sign_in_waiting(world, tmp_path):
    """With the real program, against the real daemon."""
    daemon, desktop, provider = world
    desktop.register()
    mark = tmp_path / "mark"
    pending = SignIn(daemon)
    for hostile in HOSTILE:
        url = f"{SCHEME}:/callback?" + hostile.replace("MARK", str(mark))
        handed = desktop.postern(url)
        assert handed.returncode == 1 and "code" not in handed.stderr.replace("exit code", ""), handed.stderr
        desktop.run("gio", "open", url)
    assert desktop.run("gio", "open", redirect(pending.url)).returncode == 0
    assert pending.completed()["state"] == "completed"
    assert [form["code"] for form in provider.exchanges] == ["code-1"] and not mark.exists()


def test_a_code_with_special_characters_arrives_unchanged(world):
    daemon, desktop, provider = world
    desktop.register()
    provider.code = "a b\"c'd$(e)`f`\\g%h;i|j&k=l+m/é<n>~*"
    pending = SignIn(daemon)
    assert desktop.run("gio", "open", redirect(pending.url)).returncode == 0
    assert pending.completed()["state"] == "completed"
    assert provider.exchanges[0]["code"] == provider.code


def test_a_response_inside_a_firebase_link_is_accepted(make_daemon, provider, tmp_path):
    base = f"{FIREBASE}://firebaseauth/link"

    def wrap(redirect_uri, answer):
        link = "https://app.example.com/__/auth/handler?" + urllib.parse.urlencode(answer)
        link = "https://app.example.com/__/auth/callback?" + urllib.parse.urlencode({"authType": "signInWithRedirect", "link": link, "eventId": "1"})
        return f"{redirect_uri}?deep_link_id={urllib.parse.quote(link, safe='')}"

    provider.wrap = wrap
    daemon = make_daemon(provider.configuration(redirect_uri=base)).start()
    desktop = Desktop(tmp_path / "desktop", daemon.path)
    desktop.register(FIREBASE)
    pending = SignIn(daemon)
    assert desktop.run("gio", "open", redirect(pending.url)).returncode == 0
    assert pending.completed()["result"]["user"]["displayName"] == "Ada Lovelace"
    assert provider.exchanges[0]["redirect_uri"] == base
