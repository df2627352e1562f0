"""The package of packaging/python, under another name, since the tests have a module `postern`; and a server that replies anything."""
import asyncio
import contextlib
import importlib.util
import json
import pathlib
import socket
import subprocess
import sys
import tempfile
import threading

from postern import ROOT

FOLDER = ROOT / "packaging" / "python"
SOURCES = FOLDER / "src"


def load(path, name):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def build(target, source, folder):
    """Builds the sdist or the wheel into the folder, which has no other; nothing is fetched."""
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-d", str(folder), "-t", target], cwd=source, check=True, capture_output=True, timeout=120)
    built, = folder.glob("*.tar.gz" if target == "sdist" else "*.whl")
    return built


def install(wheel, site):
    subprocess.run([sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-index", "--no-deps", "--target", str(site), str(wheel)],
                   check=True, timeout=120)


package = load(SOURCES / "postern" / "__init__.py", "postern_package")


class Blocking:
    """Both clients with the same names. A stream's items are returned as a list, with the error that ended it."""

    @staticmethod
    def call(path, method, *arguments, options=None, **parameters):
        return getattr(package.Client(socket_path=str(path), **(options or {})), method)(*arguments, **parameters)

    @staticmethod
    def stream(path, method, *arguments, seen=None, **parameters):
        items = []
        try:
            for item in getattr(package.Client(socket_path=str(path)), method)(*arguments, **parameters):
                items.append(item)
                if seen:
                    seen(item)
        except package.PosternError as error:
            return items, error
        return items, None


class Asyncio:
    @staticmethod
    def call(path, method, *arguments, options=None, **parameters):
        return asyncio.run(getattr(package.AsyncClient(socket_path=str(path), **(options or {})), method)(*arguments, **parameters))

    @staticmethod
    def stream(path, method, *arguments, seen=None, **parameters):
        async def run():
            items = []
            try:
                async for item in getattr(package.AsyncClient(socket_path=str(path)), method)(*arguments, **parameters):
                    items.append(item)
                    if seen:
                        seen(item)
            except package.PosternError as error:
                return items, error
            return items, None

        return asyncio.run(run())


class Script:
    """A fake daemon: reads one call of each connection, sends a given reply, and keeps the connection open or not."""

    def __init__(self, *parts, stays=False):
        # Not in the test's own directory, whose name may be longer than a socket's path can be.
        self.directory = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.directory.name) / "scripted"
        self.parts, self.stays = parts, stays
        self.calls, self.gone = [], threading.Event()
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(self.path))
        self.listener.listen()
        self.thread = threading.Thread(target=self.serve, daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def serve(self):
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self.listener.accept()
                with connection, contextlib.suppress(ConnectionError):
                    self.answer(connection)

    def answer(self, connection):
        call = b""
        while not call.endswith(b"\0"):
            data = connection.recv(65536)
            if not data:
                return
            call += data
        self.calls.append(json.loads(call[:-1]))
        # A client that disconnects with a reply unread resets the connection, and one that is quick does before it is sent.
        with contextlib.suppress(ConnectionError):
            for part in self.parts:
                connection.sendall(part)
            if not self.stays:
                return
            while connection.recv(65536):
                pass
        self.gone.set()

    def __exit__(self, *error):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.thread.join(10)
        self.directory.cleanup()


def message(**reply):
    return json.dumps(reply).encode() + b"\0"
