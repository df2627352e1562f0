"""A server behind `postern exec --proxy`: it notes what comes, byte for byte, and answers as the path says."""
import json
import threading
import urllib.parse

import loopback


CUT = {
    "length": b"HTTP/1.1 200 OK\r\nContent-Length: 20\r\nX-A: 1\r\n\r\n01234567890123456789",
    "chunks": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\na\r\n0123456789\r\na;x=y\r\n0123456789\r\n0\r\nT: 1\r\n\r\n",
}


class ProxiedAPI(loopback.Listener):
    def __init__(self):
        self.seen = []              # (method, path, [(name, value)], body)
        self.gate = threading.Event()
        self.came = threading.Event()
        api = self

        class Handler(loopback.Handler):
            def part_came(self):
                api.came.set()

            def handle_request(self):
                body = self.body()
                api.seen.append((self.command, self.path, list(self.headers.items()), body))
                token = (self.headers.get("Authorization") or "").removeprefix("Bearer ")
                path, _, query = self.path.partition("?")
                name = path.rsplit("/", 1)[-1]
                if name == "to":
                    return self.send(302, b"", ("Location", urllib.parse.unquote(query)))
                if name == "echo":
                    # The token in the head, and in the body.
                    return self.send(200, f"body {token}".encode(), ("X-Echo", f"it was {token}!"), ("Link", f"<{api.origin}/v1/next?t={token}>"), ("Set-Cookie", f"s={token}"))
                if name == "stream":
                    return self.stream()
                if name == "cut":
                    form, _, at = query.partition("&")
                    self.wfile.write(CUT[form][:int(at)])
                    self.close_connection = True
                    return None
                if name == "big":
                    return self.send(200, b"x" * int(query))
                self.send(200, json.dumps({"path": self.path, "length": len(body)}).encode(), ("Content-Type", "application/json"))

            def stream(self):
                """A part at once, and the rest when the test lets it."""
                self.send_response(200)
                self.send_header("Transfer-Encoding", "chunked")
                self.end_headers()
                self.wfile.write(b"6\r\nfirst\n\r\n")
                self.wfile.flush()
                api.gate.wait(20)
                self.wfile.write(b"5\r\nlast\n\r\n0\r\n\r\n")

            do_GET = do_POST = do_PUT = do_PROPFIND = handle_request

        super().__init__(Handler)

    def close(self):
        self.gate.set()
        super().close()
