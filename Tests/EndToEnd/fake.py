"""A provider's server in the tests: notes every request, and answers each as a function of it says."""
import http.server
import json
import threading
import urllib.parse


class Request:
    def __init__(self, method, target, headers, body):
        self.method, self.headers, self.body = method, headers, body
        parts = urllib.parse.urlsplit(target)
        self.path, self.query = parts.path, dict(urllib.parse.parse_qsl(parts.query, keep_blank_values=True))
        self.form = dict(urllib.parse.parse_qsl(body, keep_blank_values=True))


class Server:
    """Subclasses have `answer(request)`, which gives (status, body); a body that is no text goes out as JSON."""

    def __init__(self):
        self.requests = []
        self.next = []              # (path, status, body), given before the usual answer
        server = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *arguments):
                pass

            def handle_request(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
                request = Request(self.command, self.path, dict(self.headers), body)
                server.requests.append(request)
                for planned in server.next:
                    if planned[0] == request.path:
                        server.next.remove(planned)
                        status, answer = planned[1:]
                        break
                else:
                    status, answer = server.answer(request)
                data = answer.encode() if isinstance(answer, str) else json.dumps(answer).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json; charset=utf-8")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            do_GET = do_POST = do_DELETE = handle_request

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.origin = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def sent(self, path, method=None):
        return [request for request in self.requests if request.path == path and method in (None, request.method)]

    def close(self):
        self.server.shutdown()
        self.server.server_close()
