"""A provider with a device flow that follows a script: each response is in the script, and it counts requests."""
import json
import threading
import urllib.parse

import loopback

PENDING = (400, {"error": "authorization_pending"})
CODE = {"device_code": "dc-0001", "user_code": "WDJB-MJHT", "expires_in": 900, "interval": 1}
TOKEN = {"access_token": "at-secret-1", "token_type": "bearer", "scope": "profile", "expires_in": 3600}


class DeviceServer(loopback.Listener):
    def __init__(self):
        self.code_answers = []      # before the usual one: (status, body)
        self.polls = []             # forms, in order
        self.answers = []           # to the polls, before `usual`: (status, body)
        self.usual = PENDING
        self.requests = []          # (method, path, headers, form)
        self.arrived = threading.Semaphore(0)
        server = self

        class Handler(loopback.Handler):
            def answer(self, status, body, kind="application/json; charset=utf-8"):
                if not isinstance(body, (str, bytes)):
                    body = json.dumps(body)
                data = body if isinstance(body, bytes) else body.encode()
                self.send(status, data, ("Content-Type", kind))

            def do_POST(self):
                form = dict(urllib.parse.parse_qsl(self.body().decode()))
                server.requests.append(("POST", self.path, dict(self.headers), form))
                if self.path == "/device/code":
                    return self.answer(*(server.code_answers.pop(0) if server.code_answers else (200, server.code)))
                if self.path != "/token":
                    return self.answer(404, {"message": "Not Found"})
                server.polls.append(form)
                server.arrived.release()
                self.answer(*(server.answers.pop(0) if server.answers else server.usual))

            def do_GET(self):
                server.requests.append(("GET", self.path, dict(self.headers), None))
                if self.headers.get("Authorization") == "Bearer at-secret-1":
                    return self.answer(200, {"id": 4711, "login": "octo", "name": "Octo"})
                self.answer(401, {"message": "Bad credentials"})

        super().__init__(Handler)
        self.code = {**CODE, "verification_uri": f"{self.origin}/device"}

    def configuration(self, name="legacy", **more):
        """A plain OAuth 2.0 provider; underscores in further keys mean dashes, None removes a key."""
        keys = {
            "kind": "oauth2", "client_id": "client-1", "authorization_endpoint": f"{self.origin}/authorize",
            "token_endpoint": f"{self.origin}/token", "userinfo_endpoint": f"{self.origin}/user",
            "revocation_endpoint": f"{self.origin}/revoke", "device_authorization_endpoint": f"{self.origin}/device/code",
            "scopes": ["profile"], **more}
        lines = [f"{key.replace('_', '-')} = {json.dumps(value)}" for key, value in keys.items() if value is not None]
        return "\n".join([f'[provider."{name}"]', *lines]) + "\n"

    def wait_for_polls(self, count):
        for _ in range(count):
            assert self.arrived.acquire(timeout=30), f"{len(self.polls)} polls, and no more"
