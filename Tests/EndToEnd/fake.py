"""A provider's server in the tests: records every request, and answers with the result of a function."""
import json
import urllib.parse

import loopback


class Request:
    def __init__(self, method, target, headers, body):
        self.method, self.headers, self.body = method, headers, body
        parts = urllib.parse.urlsplit(target)
        self.path, self.query = parts.path, dict(urllib.parse.parse_qsl(parts.query, keep_blank_values=True))
        self.form = dict(urllib.parse.parse_qsl(body, keep_blank_values=True))


class Server(loopback.Listener):
    """Subclasses have `answer(request)`, which returns (status, body); a body that is not text is sent as JSON."""

    def __init__(self):
        self.requests = []
        self.next = []              # (path, status, body), given before the usual answer
        server = self

        class Handler(loopback.Handler):
            def handle_request(self):
                request = Request(self.command, self.path, dict(self.headers), self.body().decode())
                server.requests.append(request)
                for planned in server.next:
                    if planned[0] == request.path:
                        server.next.remove(planned)
                        status, answer = planned[1:]
                        break
                else:
                    status, answer = server.answer(request)
                data = answer.encode() if isinstance(answer, str) else json.dumps(answer).encode()
                self.send(status, data, ("Content-Type", "application/json; charset=utf-8"))

            do_GET = do_POST = do_DELETE = handle_request

        super().__init__(Handler)

    def sent(self, path, method=None):
        return [request for request in self.requests if request.path == path and method in (None, request.method)]
