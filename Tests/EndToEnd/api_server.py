"""A Kubernetes API server that only checks bearer tokens: on loopback, with TLS and its own certificate authority."""
import datetime
import ipaddress
import json
import ssl

import loopback
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec


def certificate(folder):
    """A certificate for 127.0.0.1 that is its own authority, and its key: (path, path)."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "test")])
    now = datetime.datetime.now(datetime.timezone.utc)
    made = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key()).serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(hours=1)).not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True).sign(key, hashes.SHA256()))
    paths = folder / "server.pem", folder / "server.key"
    paths[0].write_bytes(made.public_bytes(serialization.Encoding.PEM))
    paths[1].write_bytes(key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
    return paths


class APIServer(loopback.Listener):
    def __init__(self, folder):
        self.accepts = lambda token: False
        self.seen = []              # the bearer tokens that came; None where there was none
        self.certificate, key = certificate(folder)
        server = self

        class Handler(loopback.Handler):
            def do_GET(self):
                scheme, _, token = (self.headers.get("Authorization") or "").partition(" ")
                token = token if scheme == "Bearer" else None
                server.seen.append(token)
                if token is None or not server.accepts(token):
                    status = {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "reason": "Unauthorized", "code": 401,
                              "message": "Unauthorized"}
                    return self.send(401, json.dumps(status).encode(), ("Content-Type", "application/json"))
                self.send(200, b"ok", ("Content-Type", "text/plain"))

        super().__init__(Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate, key)
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.origin = self.origin.replace("http:", "https:")
