"""MCP servers that are awkward on purpose: each answers as its script says, byte by byte, behind the honest issuer of hostile_mcp.py."""
import collections
import contextlib
import json
import queue
import socket
import threading
import time

from hostile_mcp import HONEST, HostileServers

SSE = "text/event-stream"


class Visit:
    """One request at the endpoint, and what its script answers."""

    def __init__(self, place, handler, method, raw):
        self.place, self.handler, self.method, self.raw = place, handler, method, raw
        self.headers = {name.lower(): text for name, text in handler.headers.items()}
        self.token = self.headers.get("authorization", "").removeprefix("Bearer ")
        self.body = json.loads(raw) if raw else None
        self.status = None
        self.ended = threading.Event()      # its connection, by `cut`

    @property
    def call(self):
        """The JSON-RPC method, or that of HTTP where there is none."""
        return self.body.get("method", "response") if isinstance(self.body, dict) else "batch" if self.body else self.method

    @property
    def id(self):
        return self.body.get("id")

    # ---- Answers -----------------------------------------------------------------

    def write(self, data):
        self.handler.wfile.write(data)

    def send(self, status, data=b"", *headers):
        self.status = status
        self.handler.send(status, data, *headers)

    def json(self, document, *headers, status=200):
        self.send(status, json.dumps(document).encode(), ("Content-Type", "application/json"), *headers)

    def result(self, result=None, *headers):
        self.json({"jsonrpc": "2.0", "id": self.id, "result": result or {}}, *headers)

    def error(self, status, code, message, data=None, **more):
        error = {"code": code, "message": message, **({} if data is None else {"data": data})}
        self.json({"jsonrpc": "2.0", "id": self.id, "error": error, **more}, status=status)

    def text(self, text):
        self.result({"content": [{"type": "text", "text": text}], "isError": False})

    def stream(self, *headers):
        """Begins a stream, in chunks."""
        self.status = 200
        self.handler.send_response(200)
        for name, text in (("Content-Type", SSE), ("Cache-Control", "no-store"), ("Transfer-Encoding", "chunked"), *headers):
            self.handler.send_header(name, text)
        self.handler.end_headers()
        return self

    def chunk(self, data):
        self.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")

    def event(self, message, id=None, retry=None):
        data = message if isinstance(message, str) else json.dumps(message)
        fields = [*([f"id: {id}"] if id is not None else []), *([f"retry: {retry}"] if retry is not None else []), f"data: {data}"]
        self.chunk(("\n".join(fields) + "\n\n").encode())

    def progress(self, number, text="x", id=None):
        self.event({"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": self.id, "progress": number, "message": text}}, id)

    def done(self, text="done", id=None):
        self.event({"jsonrpc": "2.0", "id": self.id, "result": {"content": [{"type": "text", "text": text}]}}, id)

    def end(self):
        self.write(b"0\r\n\r\n")

    def cut(self):
        """The connection ends here."""
        self.handler.close_connection = True
        self.handler.wfile.flush()
        with contextlib.suppress(OSError):
            self.handler.connection.shutdown(socket.SHUT_WR)
        self.ended.set()

    def until_gone(self):
        """Until the other side has closed the connection; what it says before is not read."""
        self.handler.connection.settimeout(30)
        gone = not self.handler.connection.recv(1)
        self.cut()
        return gone


def initialize(visit):
    session = visit.place.session()
    visit.result({"protocolVersion": visit.body["params"]["protocolVersion"], "capabilities": {"tools": {}, "logging": {}},
                  "serverInfo": {"name": "awkward", "version": "1"}}, ("Mcp-Session-Id", session))


def accepted(visit):
    visit.send(202)


def absent(visit):
    visit.send(405, b"", ("Allow", "POST, DELETE"))


# What an honest server of 2025-11-25 answers; scripts replace some of it.
USUAL = {
    "initialize": initialize, "notifications/initialized": accepted, "notifications/cancelled": accepted, "response": accepted,
    "GET": absent, "DELETE": lambda visit: visit.send(204), "ping": lambda visit: visit.result(),
    "tools/list": lambda visit: visit.result({"tools": []}), "tools/call": lambda visit: visit.text(visit.body["params"]["name"]),
}


class Place:
    """One server: its script, and what came."""

    def __init__(self, servers, name):
        self.servers, self.name = servers, name
        self.url = servers.url(name)
        self.visits, self.seen, self.sessions = [], queue.Queue(), []
        self.gone = set()       # sessions that have ended here
        self.script = dict(USUAL)

    def session(self):
        self.sessions.append(f"session-{len(self.sessions)}-{time.monotonic_ns()}")
        return self.sessions[-1]

    def plays(self, **script):
        """Names of HTTP methods, or those of JSON-RPC with `__` for the slash."""
        self.script = {**USUAL, **{name.replace("__", "/"): answer for name, answer in script.items()}}
        return self

    def came(self, call):
        return [visit for visit in self.visits if visit.call == call]

    def next(self, call, seconds=20):
        """The next visit of that kind, as soon as it is there."""
        end = time.monotonic() + seconds
        while True:
            visit = self.seen.get(timeout=max(end - time.monotonic(), 0.01))
            if visit.call == call:
                return visit

    def answer(self, handler, method, raw):
        visit = Visit(self, handler, method, raw)
        self.visits.append(visit)
        self.seen.put(visit)
        servers = self.servers
        if visit.token not in servers.granted:
            metadata = f'{servers.origin}/.well-known/oauth-protected-resource/{self.name}/mcp'
            return visit.json({}, ("WWW-Authenticate", f'Bearer resource_metadata="{metadata}"'), status=401)
        if visit.headers.get("mcp-session-id") in self.gone:
            return visit.json({"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": "Session not found"}}, status=404)
        answer = self.script.get(visit.call)
        if answer is None:
            return visit.error(404, -32601, "Method not found")
        try:
            answer(visit)
        except (BrokenPipeError, ConnectionResetError):
            visit.cut()


class AwkwardServers(HostileServers):
    """`place(name)` is the server of that name; every name is one."""

    def __init__(self, names):
        super().__init__({name: HONEST for name in names})
        self.places = {name: Place(self, name) for name in names}
        servers = self

        def answer_with(method):
            def answer(handler):
                target = handler.path.strip("/").split("/")
                if len(target) > 1 and target[1] == "mcp" and target[0] in servers.places:
                    chunked = "Transfer-Encoding" in handler.headers
                    servers.places[target[0]].answer(handler, method, unchunked(handler.rfile) if chunked else handler.body())
                else:
                    usual(handler, method)
            return answer

        usual_methods = {"GET": self.handler.do_GET, "POST": self.handler.do_POST}

        def usual(handler, method):
            usual_methods.get(method, lambda it: it.send(405, b""))(handler)

        for method in ("GET", "POST", "DELETE"):
            setattr(self.handler, f"do_{method}", answer_with(method))
        self.handler.disable_nagle_algorithm = True

    def place(self, name):
        return self.places[name]


def unchunked(stream):
    data = b""
    while size := int(stream.readline().split(b";")[0], 16):
        data += stream.read(size)
        stream.readline()
    stream.readline()
    return data


# ---- Answers that are cut -----------------------------------------------------------


def stream_of(id):
    progress = json.dumps({"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": id, "progress": 1}})
    events = f": hi\r\n\r\ndata: {progress}\n\ndata: {json.dumps({'jsonrpc': '2.0', 'id': id, 'result': {'n': 1}})}\n\n".encode()
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
    parts = [events[at:at + 40] for at in range(0, len(events), 40)]
    return head + b"".join(f"{len(part):x}\r\n".encode() + part + b"\r\n" for part in parts) + b"0\r\n\r\n"


def json_of(id):
    body = json.dumps({"jsonrpc": "2.0", "id": id, "result": {"n": 1}}).encode()
    return f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body


def once(server):
    """Every call came to the server at most once."""
    counted = collections.Counter(json.dumps(visit.id) for visit in server.came("tools/call"))
    assert set(counted.values()) <= {1}, counted
