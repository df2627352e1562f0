"""A package index on loopback, with one package, for whoever brings the token as a password; what is uploaded is kept."""
import base64
import contextlib
import zipfile

import loopback


class Index(loopback.Listener):
    def __init__(self, wheel):
        self.wheel, self.secret, self.seen, self.uploads = wheel, None, [], []
        self.links = "/files/"
        index = self

        class Handler(loopback.Handler):
            def is_refused(self):
                kind, _, value = (self.headers.get("Authorization") or "").partition(" ")
                user, _, password = base64.b64decode(value).decode().partition(":") if kind == "Basic" else ("", "", value)
                index.seen.append((self.path, user, password))
                if index.secret and password == index.secret:
                    return False
                self.send(401, b"", ("WWW-Authenticate", 'Basic realm="index"'))
                return True

            def do_GET(self):
                if self.is_refused():
                    return
                if self.path == "/simple/thing/":
                    self.send(200, f'<a href="{index.links}{index.wheel.name}">{index.wheel.name}</a>'.encode(), ("Content-Type", "text/html"))
                elif self.path == f"/files/{index.wheel.name}":
                    self.send(200, index.wheel.read_bytes(), ("Content-Type", "application/octet-stream"))
                else:
                    self.send(404, b"")

            def do_POST(self):
                body = self.body()
                if not self.is_refused():
                    index.uploads.append((self.path, body))
                    self.send(200, b"")

            def do_HEAD(self):
                """uv looks at a file before it fetches parts of it; this server has none."""
                self.send(405, b"")
                self.close_connection = True

        super().__init__(Handler)
        self.url = f"{self.origin}/simple/"
        self.upload_url = f"{self.origin}/legacy/"


@contextlib.contextmanager
def package_index(folder):
    folder.mkdir(exist_ok=True)
    wheel = folder / "thing-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("thing.py", "")
        archive.writestr("thing-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: thing\nVersion: 1.0\n")
        archive.writestr("thing-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr("thing-1.0.dist-info/RECORD", "thing.py,,\nthing-1.0.dist-info/METADATA,,\nthing-1.0.dist-info/WHEEL,,\nthing-1.0.dist-info/RECORD,,\n")
    index = Index(wheel)
    yield index
    index.close()
