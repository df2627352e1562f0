"""A Varlink service of the tests instead of the daemon: records every call, and answers as a function says."""
import contextlib
import json
import socket
import threading

from postern import wait_for


class Refusal(Exception):
    """An error of io.postern, by its short name."""

    def __init__(self, name, **parameters):
        super().__init__(name)
        self.name, self.parameters = name, {"code": 0, "message": f"the words of {name}", **parameters}


class Service:
    """`answers` by the methods' short names: parameters, an exception to reply with, or a function of the parameters that gives either."""

    def __init__(self, directory, **answers):
        self.path = directory / "service"
        self.calls = []             # (method, parameters)
        self.answers = {"GetInfo": {"interfaces": ["io.postern"]}, "ListProviders": {"providers": []}, "ListSessions": {"sessions": []}, **answers}
        self.listeners = []         # connections that called Monitor
        self.server = socket.socket(socket.AF_UNIX)
        self.server.bind(str(self.path))
        self.server.listen(16)
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                connection, _ = self.server.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        buffer = b""
        # A command that has what it needs may disconnect at any time.
        with connection, contextlib.suppress(ConnectionError):
            while data := connection.recv(65536):
                buffer += data
                while b"\0" in buffer:
                    message, buffer = buffer.split(b"\0", 1)
                    call = json.loads(message)
                    self.answer(connection, call["method"].rsplit(".", 1)[1], call.get("parameters") or {})
        if connection in self.listeners:
            self.listeners.remove(connection)

    def answer(self, connection, method, parameters):
        self.calls.append((method, parameters))
        if method == "Monitor":
            self.listeners.append(connection)
            return
        answer = self.answers.get(method, Refusal("InternalError"))
        try:
            if callable(answer):
                answer = answer(parameters)
            if isinstance(answer, Refusal):
                raise answer
            reply = {"parameters": answer}
        except Refusal as refusal:
            reply = {"error": f"io.postern.{refusal.name}", "parameters": refusal.parameters}
        connection.sendall(json.dumps(reply).encode() + b"\0")

    def tell(self, kind, message, **more):
        """Sends an event to all who listen; somebody does, or is about to."""
        wait_for(lambda: self.listeners, what="a listener")
        event = {"time": "2026-11-21T06:24:00Z", "kind": kind, "message": message, **more}
        for connection in list(self.listeners):
            with contextlib.suppress(OSError):
                connection.sendall(json.dumps({"parameters": event, "continues": True}).encode() + b"\0")

    def called(self, method):
        return [parameters for name, parameters in self.calls if name == method]

    def close(self):
        self.server.shutdown(socket.SHUT_RDWR)
        self.server.close()
