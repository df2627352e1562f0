"""What the MCP servers of the tests have in common, whoever wrote them: they note their requests, take orders from the test, and end with it.

It runs in the servers' own processes, one of them with an SDK of 2025: nothing beside uvicorn and the standard library is imported here.
"""
import json
import os
import socket
import sys
import threading
import urllib.parse

import uvicorn

LIMIT = 1 << 20     # bytes of a request's body


def fields(headers):
    return {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in headers}


class Recorder:
    """`GET /test/requests` lists what came; `POST /test/set` changes `settings`; `GET /test/state` is what `state` says."""

    def __init__(self, app, settings, state, guard=None):
        self.app, self.settings, self.state, self.guard = app, settings, state, guard
        self.requests = []

    async def __call__(self, scope, receive, send):
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        body, more = b"", True
        while more and len(body) <= LIMIT:
            message = await receive()
            body, more = body + message.get("body", b""), message.get("more_body", False)
        path = scope["path"]
        if path == "/test/requests":
            return await answer(send, 200, self.requests)
        if path == "/test/state":
            return await answer(send, 200, self.state())
        if path == "/test/set":
            self.settings.update(json.loads(body))
            return await answer(send, 200, self.settings)
        headers = fields(scope["headers"])
        noted = {"method": scope["method"], "path": path, "query": dict(urllib.parse.parse_qsl(scope["query_string"].decode())), "headers": headers,
                 "form": {}, "json": None, "status": None, "answer": None, "challenge": None}
        if headers.get("content-type", "").startswith("application/x-www-form-urlencoded"):
            noted["form"] = dict(urllib.parse.parse_qsl(body.decode()))
        elif body:
            noted["json"] = json.loads(body)
        self.requests.append(noted)
        refusal = self.guard(noted) if self.guard else None
        if refusal:
            noted["status"], noted["challenge"] = refusal[0], refusal[2]
            return await answer(send, *refusal)
        given, received = b"", False

        async def again():
            nonlocal received
            if received:
                return await receive()
            received = True
            return {"type": "http.request", "body": body, "more_body": False}

        async def passing(message):
            nonlocal given
            if message["type"] == "http.response.start":
                noted["status"], noted["challenge"] = message["status"], fields(message["headers"]).get("www-authenticate")
            elif path in ("/register", "/token"):
                given += message.get("body", b"")
                if not message.get("more_body"):
                    noted["answer"] = json.loads(given)
                    if self.settings.get("lose") == path:   # the answer is lost on its way
                        self.settings["lose"] = None
                        noted["lost"] = True
                        raise ConnectionAbortedError("as the test wanted")
            await send(message)

        await self.app(scope, again, passing)


async def answer(send, status, document, challenge=None):
    headers = [(b"content-type", b"application/json"), (b"cache-control", b"no-store")]
    if challenge:
        headers.append((b"www-authenticate", challenge.encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": json.dumps(document).encode()})


def serve(make):
    """`make(base, options)` returns the application; the options are the program's argument, in JSON. It ends with its standard input."""
    options = json.loads(sys.argv[1]) if len(sys.argv) > 1 else {}
    # Where a socket does not say TCP, asyncio leaves Nagle's algorithm on, and each answer of several writes waits for 40 ms.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", options.get("port", 0)))
    base = f"http://127.0.0.1:{listener.getsockname()[1]}"
    app = make(base, options)

    def watch():
        sys.stdin.buffer.read()
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()
    listener.listen(128)
    print("listening", base, flush=True)
    uvicorn.Server(uvicorn.Config(app, log_level="warning", access_log=False)).run(sockets=[listener])
