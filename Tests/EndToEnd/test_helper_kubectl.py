"""kubectl takes its tokens from Postern: Debian's, and whichever newer one is there."""
import json
import os
import pty
import shutil
import subprocess
import sys

import pytest
from api_server import APIServer
from commands import POSTERN, environment
from postern import oidc, wait_for
from signing_in import PERSON, sign_in
from token_server import TokenServer

V1, V1BETA1 = "client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1"


def kubectls():
    """Every kubectl at hand, with the versions of the protocol that it speaks."""
    for path in dict.fromkeys(filter(None, [shutil.which("kubectl"), os.environ.get("POSTERN_KUBECTL")])):
        words = subprocess.run([path, "version", "--client", "-o", "json"], capture_output=True, text=True, timeout=60).stdout
        minor = int(json.loads(words)["clientVersion"]["minor"].rstrip("+"))
        for version in (V1BETA1, V1) if minor >= 22 else (V1BETA1,):
            yield pytest.param((path, version), id=f"1.{minor}-{version.rsplit('/', 1)[1]}")


KUBECTLS = list(kubectls()) or [pytest.param(None, marks=pytest.mark.skip(reason="needs Debian's kubernetes-client"))]


@pytest.fixture
def api(tmp_path):
    server = APIServer(tmp_path)
    yield server
    server.close()


@pytest.fixture
def counted(make_daemon, make_provider, api):
    servers = []

    def make(browser='"none"', serves=None):
        issuer = make_provider()
        tokens = TokenServer(f"{issuer}/token")
        servers.append(tokens)
        config = oidc(issuer, token_endpoint=tokens.url, **({"serves": serves} if serves else {}))
        daemon = make_daemon(config, browser=browser, environment={"DISPLAY": ":99"}).start()
        api.accepts = lambda token: bool(tokens.given) and token == tokens.given[-1]["access_token"]
        return daemon, tokens

    yield make
    for server in servers:
        server.close()


class Kubectl:
    def __init__(self, folder, daemon, api, kubectl, *arguments, cluster_info=False, account="demo"):
        self.path, version = kubectl
        plugin = {"apiVersion": version, "command": POSTERN, "args": ["helper", "kubectl", account, *arguments],
                  "interactiveMode": "IfAvailable", "provideClusterInfo": cluster_info}
        config = {
            "apiVersion": "v1", "kind": "Config", "current-context": "c",
            "clusters": [{"name": "c", "cluster": {"server": api.origin, "certificate-authority": str(api.certificate)}}],
            "users": [{"name": "u", "user": {"exec": plugin}}], "contexts": [{"name": "c", "context": {"cluster": "c", "user": "u"}}]}
        self.folder = folder
        (folder / "kubeconfig").write_text(json.dumps(config))
        self.environment = environment(daemon, HOME=str(folder), KUBECONFIG=str(folder / "kubeconfig"))

    def start(self, stdin=subprocess.DEVNULL):
        return subprocess.Popen(
            [self.path, "get", "--raw", "/healthz"], stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=self.environment, cwd=self.folder)

    def run(self):
        process = self.start()
        out, words = process.communicate(timeout=60)
        return process.returncode, out, words


@pytest.fixture(params=KUBECTLS)
def kubectl(request):
    return request.param


def test_an_access_token_and_an_id_token(tmp_path, counted, api, kubectl):
    daemon, tokens = counted()
    credential = sign_in(daemon)["credential"]
    assert Kubectl(tmp_path, daemon, api, kubectl).run()[:2] == (0, "ok")
    assert set(api.seen) == {tokens.given[-1]["access_token"]}
    api.accepts = lambda token: token == credential["idToken"]
    status, out, words = Kubectl(tmp_path, daemon, api, kubectl, "--id-token").run()
    assert (status, out) == (0, "ok"), words


def test_the_token_is_sent_to_clusters_that_the_account_serves(tmp_path, counted, api, kubectl):
    daemon, _ = counted(serves=[api.origin])
    sign_in(daemon)
    assert Kubectl(tmp_path, daemon, api, kubectl, cluster_info=True).run()[:2] == (0, "ok")


def test_the_token_is_not_sent_to_other_clusters(tmp_path, counted, api, kubectl):
    daemon, _ = counted(serves=["https://kubernetes.example.org"])
    sign_in(daemon)
    status, _, words = Kubectl(tmp_path, daemon, api, kubectl, cluster_info=True).run()
    assert status != 0 and f"the tokens of demo are not for {api.origin}" in words
    assert not any(api.seen)


def test_without_an_account_kubectl_says_what_to_run(tmp_path, counted, api, kubectl):
    daemon, _ = counted()
    status, _, words = Kubectl(tmp_path, daemon, api, kubectl, "--interactive").run() if kubectl[1] == V1 else Kubectl(
        tmp_path, daemon, api, kubectl).run()
    assert status != 0 and "postern sign-in demo" in words and "getting credentials" in words
    assert daemon.call("ListSessions")["sessions"] == []


def test_ten_simultaneous_kubectls_open_one_page(tmp_path, counted, api, kubectl):
    browser = tmp_path / "browser"
    opened, go = tmp_path / "opened", tmp_path / "go"
    browser.write_text(
        f"import os, sys, time\nopen({str(opened)!r}, 'a').write(sys.argv[1] + '\\n')\n"
        f"end = time.monotonic() + 60\nwhile not os.path.exists({str(go)!r}) and time.monotonic() < end: time.sleep(0.01)\n"
        f"os.execv(sys.executable, [sys.executable, {str(PERSON)!r}, 'ada', sys.argv[1]])\n")
    daemon, _ = counted(browser=json.dumps([sys.executable, str(browser)]))
    command = Kubectl(tmp_path, daemon, api, kubectl, "--interactive")
    # Somebody sits there: standard input is a terminal.
    master, slave = pty.openpty()
    try:
        processes = [command.start(stdin=slave) for _ in range(10)]
        for process in processes:
            assert "sign in to demo in your browser" in process.stderr.readline()
        wait_for(opened.exists, what="the page")
        go.touch()
        for process in processes:
            out, words = process.communicate(timeout=60)
            assert (process.returncode, out) == (0, "ok"), words
    finally:
        os.close(master)
        os.close(slave)
    assert len(opened.read_text().splitlines()) == 1
