"""Terraform's credentials helper: by its published calls, and by a real Terraform where there is one (it is not in Debian)."""
import contextlib
import io
import json
import shutil
import socket
import ssl
import subprocess
import tarfile
import threading

import loopback
import pytest
from helper_programs import at_home, helper, link, signed_in, token_of

HOST = "registry.example.org"


def test_the_helper_follows_the_published_protocol(make_daemon, demo_provider):
    daemon = signed_in(make_daemon, demo_provider, f"https://{HOST}")
    given = (0, f'{{"token":"{token_of(daemon)}"}}\n'.encode(), "")
    assert helper(daemon, "terraform", "get", HOST) == given
    assert helper(daemon, "terraform", "--account", "demo", "get", f"{HOST}:443") == given
    assert helper(daemon, "terraform", "get", f"{HOST}.evil.example") == (0, b"{}\n", "")


# ---- A real Terraform --------------------------------------------------------------


class Registry(loopback.Listener):
    """A module registry over TLS, for whoever brings the token."""

    def __init__(self, directory):
        self.token, self.seen = None, []
        registry = self
        archive = io.BytesIO()
        with tarfile.open(fileobj=archive, mode="w:gz") as tar:
            text = b'output "x" { value = 1 }\n'
            info = tarfile.TarInfo("main.tf")
            info.size = len(text)
            tar.addfile(info, io.BytesIO(text))

        class Handler(loopback.Handler):
            def do_GET(self):
                registry.seen.append((self.path, self.headers.get("Authorization")))
                if self.path == "/.well-known/terraform.json":
                    self.send(200, b'{"modules.v1":"/v1/modules/"}', ("Content-Type", "application/json"))
                elif self.path.endswith("/thing.tar.gz"):
                    self.send(200, archive.getvalue(), ("Content-Type", "application/gzip"))
                elif self.headers.get("Authorization") != f"Bearer {registry.token}":
                    self.send(401, b"{}")
                elif self.path == "/v1/modules/a/b/c/versions":
                    self.send(200, json.dumps({"modules": [{"versions": [{"version": "1.0.0"}]}]}).encode(), ("Content-Type", "application/json"))
                elif self.path == "/v1/modules/a/b/c/1.0.0/download":
                    self.send(204, b"", ("X-Terraform-Get", f"https://{HOST}/thing.tar.gz"))
                else:
                    self.send(404, b"{}")

        self.certificate, key = directory / "certificate", directory / "key"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
             f"/CN={HOST}", "-addext", f"subjectAltName=DNS:{HOST}", "-keyout", str(key), "-out", str(self.certificate)],
            check=True, capture_output=True)
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(self.certificate, key)
        super().__init__(Handler)
        self.proxy = Proxy(self.server.server_address)

    def listen(self, port):
        self.server = loopback.Server(("127.0.0.1", port), self.handler)
        self.server.socket = self.context.wrap_socket(self.server.socket, server_side=True)
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    def close(self):
        self.proxy.close()
        super().close()


class Proxy(loopback.Listener):
    """Leads every CONNECT to one address: Terraform wants a registry's name to have a full stop, and no such name is on loopback."""

    def __init__(self, address):
        class Handler(loopback.Handler):
            def do_CONNECT(self):
                with socket.create_connection(address) as far:
                    self.send_response(200)
                    self.end_headers()
                    there = threading.Thread(target=copy, args=(self.connection, far), daemon=True)
                    there.start()
                    copy(far, self.connection)
                    there.join()
                self.close_connection = True

        super().__init__(Handler)


def copy(source, target):
    """Until there is no more."""
    with contextlib.suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)


@pytest.mark.skipif(shutil.which("terraform") is None, reason="needs Terraform")
@pytest.mark.parametrize("served", [True, False])
def test_a_real_terraform(make_daemon, demo_provider, tmp_path, served):
    registry = Registry(tmp_path)
    try:
        daemon = signed_in(make_daemon, demo_provider, f"https://{HOST}" if served else f"https://other.{HOST}")
        registry.token = token_of(daemon)
        home = tmp_path / "home"
        link(home / ".terraform.d" / "plugins", "terraform-credentials-postern")
        (home / ".terraformrc").write_text('credentials_helper "postern" {\n  args = []\n}\n')
        project = tmp_path / "project"
        project.mkdir()
        (project / "main.tf").write_text(f'module "m" {{\n  source = "{HOST}/a/b/c"\n  version = "1.0.0"\n}}\n')
        done = subprocess.run(
            [shutil.which("terraform"), "init", "-input=false", "-no-color"], cwd=project, capture_output=True, text=True, timeout=120,
            env=at_home(
                daemon, home, SSL_CERT_FILE=str(registry.certificate), HTTPS_PROXY=registry.proxy.origin, CHECKPOINT_DISABLE="1",
                TF_CLI_CONFIG_FILE=str(home / ".terraformrc")))
        assert registry.token not in done.stdout + done.stderr
        assert (done.returncode == 0) == served, done.stdout + done.stderr
        authorizations = {authorization for path, authorization in registry.seen if path.startswith("/v1/")}
        assert authorizations == ({f"Bearer {registry.token}"} if served else {None})
    finally:
        registry.close()
