"""`keyring` as pip runs it, with the pip of the tests against an index on loopback. The form of pip 26.2 and later by its published bytes."""
import json
import shutil
import subprocess
import sys

import pip
import pytest
from helper_programs import at_home, helper, link, signed_in, token_of
from package_index import package_index


@pytest.fixture
def index(tmp_path):
    with package_index(tmp_path) as index:
        yield index


def download(daemon, index, tmp_path):
    programs = tmp_path / "programs"
    link(programs, "keyring")
    url = index.url.replace("://", "://oauth2accesstoken@")
    return subprocess.run(
        [sys.executable, "-m", "pip", "download", "--no-input", "--no-deps", "--no-cache-dir", "--disable-pip-version-check",
         "--keyring-provider", "subprocess", "-i", url, "-d", str(tmp_path / "got"), "thing"],
        capture_output=True, text=True, timeout=120, env=at_home(daemon, tmp_path / "home", programs, PIP_CONFIG_FILE="/dev/null"))


def test_pip_downloads_with_a_token_from_postern(make_daemon, demo_provider, index, tmp_path):
    daemon = signed_in(make_daemon, demo_provider, index.url, f"{index.origin}/files/")
    index.secret = token_of(daemon)
    done = download(daemon, index, tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "got" / index.wheel.name).exists()
    assert ("/simple/thing/", "oauth2accesstoken", index.secret) in index.seen
    assert index.secret not in done.stdout + done.stderr
    status, out, words = helper(daemon, "keyring", "--mode=creds", "--output=json", "get", index.url)
    assert (status, json.loads(out), words) == (0, {"username": "oauth2", "password": index.secret}, "")


@pytest.mark.skipif(shutil.which("uv") is None, reason="needs uv")
def test_uv_installs_with_a_token_from_postern(make_daemon, demo_provider, index, tmp_path):
    """uv asks for the index's URL, too."""
    daemon = signed_in(make_daemon, demo_provider, index.url, f"{index.origin}/files/")
    index.secret = token_of(daemon)
    programs = tmp_path / "programs"
    link(programs, "keyring")
    done = subprocess.run(
        [shutil.which("uv"), "pip", "install", "--no-config", "--no-cache", "--quiet", "--python", sys.executable,
         "--target", str(tmp_path / "got"), "--keyring-provider", "subprocess", "--index-url", index.url.replace("://", "://oauth2accesstoken@"), "thing"],
        capture_output=True, text=True, timeout=120, env=at_home(daemon, tmp_path / "home", programs))
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "got" / "thing.py").exists() and index.secret not in done.stdout + done.stderr


def test_an_index_without_an_account_gets_no_token(make_daemon, demo_provider, index, tmp_path):
    daemon = signed_in(make_daemon, demo_provider, "http://127.0.0.1:1/simple/")
    done = download(daemon, index, tmp_path)
    assert done.returncode != 0
    assert index.seen and {password for _, _, password in index.seen} == {""}
    # pip 26.2 and later keep what the program says to themselves.
    status, out, words = helper(daemon, "keyring", "get", index.url, "oauth2accesstoken")
    assert (status, out) == (1, b"") and "those of demo are for http://127.0.0.1:1/simple/" in words, words
    assert words in done.stderr or tuple(map(int, pip.__version__.split(".")[:2])) >= (26, 2)
