"""Servers on the internet, as far as a test needs them: a proxy on loopback acts as them, for clients that trust its certificate."""
import ssl
import subprocess

import loopback


def certificate(folder, *hosts):
    """A self-signed certificate for these hosts: the paths of the certificate and its key."""
    made, key = folder / "elsewhere.pem", folder / "elsewhere.key"
    names = ",".join(f"DNS:{host}" for host in hosts)
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", "/CN=elsewhere",
         "-addext", f"subjectAltName={names}", "-keyout", str(key), "-out", str(made)], check=True, capture_output=True, timeout=60)
    return made, key


class Elsewhere(loopback.Listener):
    """`handler` answers for these hosts; others get no answer."""

    def __init__(self, handler, folder, *hosts):
        self.refused = []           # what was asked for beside them
        self.certificate, key = certificate(folder, *hosts)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate, key)
        proxy = self

        class Handler(loopback.Handler):
            def do_CONNECT(self):
                self.close_connection = True
                if self.path.removesuffix(":443") not in hosts:
                    proxy.refused.append(self.path)
                    return self.send(403, b"")
                self.send_response(200)
                self.end_headers()
                with context.wrap_socket(self.connection, server_side=True) as inside:
                    handler(inside, self.client_address, self.server)

        super().__init__(Handler)
