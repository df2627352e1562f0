"""Stands before a provider's token endpoint: counts what comes, holds it, loses answers, or answers for the provider."""
import http.server
import json
import threading
import urllib.parse
import urllib.request


class TokenServer:
    """Passes token requests on to `target`, unless told otherwise."""

    def __init__(self, target):
        self.target = target
        self.forms = []             # every request that arrived, in order
        self.answers = []           # given before anything is passed on: (status, headers, body), or "close" to lose the answer
        self.lost = []              # forms whose answer the provider gave and nobody got
        self.without = ()           # members left out of the answers that are passed on
        self.lose_after = False     # passes on, then closes without a word
        self.open = threading.Event()
        self.open.set()
        self.arrived = threading.Semaphore(0)
        server = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *arguments):
                pass

            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                form = dict(urllib.parse.parse_qsl(body.decode()))
                server.forms.append(form)
                server.arrived.release()
                server.open.wait(30)
                answer = server.answers.pop(0) if server.answers else None
                if answer == "close":
                    self.close_connection = True
                    return
                status, headers, data = answer or self.passed_on(body)
                if server.lose_after:
                    server.lost.append(form)
                    self.close_connection = True
                    return
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def passed_on(self, body):
                headers = {"Content-Type": self.headers["Content-Type"]}
                if self.headers.get("Authorization"):
                    headers["Authorization"] = self.headers["Authorization"]
                request = urllib.request.Request(server.target, body, headers)
                opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
                try:
                    with opener.open(request, timeout=20) as reply:
                        data = reply.read()
                        if server.without:
                            data = json.dumps({k: v for k, v in json.loads(data).items() if k not in server.without}).encode()
                        return reply.status, {"Content-Type": reply.headers["Content-Type"]}, data
                except urllib.error.HTTPError as error:
                    return error.code, {"Content-Type": error.headers["Content-Type"]}, error.read()

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.server.request_queue_size = 128
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/token"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def count(self, grant_type):
        return sum(form.get("grant_type") == grant_type for form in self.forms)

    def answer_next(self, status, body, **headers):
        data = body if isinstance(body, bytes) else body.encode()
        self.answers.append((status, {"Content-Type": "application/json", **{k.replace("_", "-"): v for k, v in headers.items()}}, data))

    def close(self):
        self.open.set()
        self.server.shutdown()
        self.server.server_close()
