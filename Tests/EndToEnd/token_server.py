"""A proxy for a provider's token endpoint: counts requests, holds them, loses responses, or responds instead of the provider."""
import json
import threading
import urllib.parse
import urllib.request

import loopback


class TokenServer(loopback.Listener):
    """Passes token requests on to `target`, unless told otherwise."""

    def __init__(self, target):
        self.target = target
        self.forms = []             # every request that arrived, in order
        self.answers = []           # given before anything is passed on: (status, headers, body), or "close" to lose the answer
        self.without = ()           # members left out of the answers that are passed on
        self.changed = {}           # members of the answers that are passed on, in place of the provider's
        self.given = []             # what the provider answered, before that
        self.lose_after = False     # passes on, then closes without a word
        self.open = threading.Event()
        self.open.set()
        self.arrived = threading.Semaphore(0)
        server = self

        class Handler(loopback.Handler):
            def do_POST(self):
                body = self.body()
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
                    self.close_connection = True
                    return
                self.send(status, data, *headers.items())

            def passed_on(self, body):
                headers = {"Content-Type": self.headers["Content-Type"]}
                if self.headers.get("Authorization"):
                    headers["Authorization"] = self.headers["Authorization"]
                request = urllib.request.Request(server.target, body, headers)
                opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
                try:
                    with opener.open(request, timeout=20) as reply:
                        data = reply.read()
                        server.given.append(json.loads(data))
                        if server.without or server.changed:
                            members = {**server.given[-1], **server.changed}
                            data = json.dumps({k: v for k, v in members.items() if k not in server.without}).encode()
                        return reply.status, {"Content-Type": reply.headers["Content-Type"]}, data
                except urllib.error.HTTPError as error:
                    return error.code, {"Content-Type": error.headers["Content-Type"]}, error.read()

        super().__init__(Handler)
        self.url = f"{self.origin}/token"

    def count(self, grant_type):
        return sum(form.get("grant_type") == grant_type for form in self.forms)

    def answer_next(self, status, body, **headers):
        data = body if isinstance(body, bytes) else body.encode()
        self.answers.append((status, {"Content-Type": "application/json", **{k.replace("_", "-"): v for k, v in headers.items()}}, data))

    def close(self):
        self.open.set()
        super().close()
