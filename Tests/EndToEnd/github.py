"""A server that behaves like GitHub's: its paths, status codes and bodies (errors with 200, commas between scopes, User-Agent required)."""
import json
import urllib.parse

import loopback


class GitHub(loopback.Listener):
    def __init__(self):
        self.revoked = set()        # tokens that are refused
        self.device_error = None    # what requests for a code are answered with
        self.usual = ["read:user", "user:email"]
        self.asked = self.usual     # the scopes of the last page, which the user granted
        self.scopes = {}            # of each token
        self.foreign = set()        # tokens of another application, which this one's client can neither check nor revoke
        self.requests = []          # (method, path, headers, form or body)
        self.codes = {"good": "gho_aaaa"}
        self.token_answers = []     # answers to give before the usual ones: (status, content type, body)
        self.emails = [{"email": "o@example.com", "primary": True, "verified": True, "visibility": "private"}]
        self.user = {"login": "octo", "id": 583231, "avatar_url": "https://avatars.githubusercontent.com/u/583231?v=4", "name": None, "email": None}
        github = self

        def granted(token):
            self.scopes[token] = self.asked
            return {"access_token": token, "scope": ",".join(self.asked), "token_type": "bearer"}

        class Handler(loopback.Handler):
            def answer(self, status, body, kind="application/json; charset=utf-8", headers=()):
                data = body if isinstance(body, bytes) else (body if isinstance(body, str) else json.dumps(body)).encode()
                self.send(status, data, ("Content-Type", kind), *headers)

            def do_POST(self):
                body = self.body().decode()
                form = dict(urllib.parse.parse_qsl(body))
                github.requests.append(("POST", self.path, dict(self.headers), form))
                if self.path == "/login/device/code" and github.device_error:
                    return self.answer(200, {"error": github.device_error})
                if self.path == "/login/device/code":
                    github.asked = form.get("scope", "").split() or github.usual
                    return self.answer(200, {"device_code": "dc", "user_code": "WDJB-MJHT", "verification_uri": f"{github.origin}/login/device", "expires_in": 900, "interval": 1})
                if self.path != "/login/oauth/access_token":
                    return self.answer(404, {"message": "Not Found"})
                if github.token_answers:
                    status, kind, text = github.token_answers.pop(0)
                    return self.answer(status, text, kind)
                if form.get("device_code") == "dc" and "client_secret" not in form:
                    token = github.codes.pop("device", None)
                    return self.answer(200, granted(token) if token else {"error": "authorization_pending"})
                if form.get("client_secret") != "shh":
                    return self.answer(200, {"error": "incorrect_client_credentials", "error_description": "The client_id and/or client_secret passed are incorrect.", "error_uri": "https://docs.github.com/x"})
                token = github.codes.pop(form.get("code"), None)
                if not token:
                    return self.answer(200, {"error": "bad_verification_code", "error_description": "The code passed is incorrect or expired.", "error_uri": "https://docs.github.com/x"})
                answer = granted(token)
                if "application/json" not in (self.headers.get("Accept") or ""):
                    return self.answer(200, urllib.parse.urlencode(answer), "application/x-www-form-urlencoded; charset=utf-8")
                self.answer(200, answer)

            def do_GET(self):
                github.requests.append(("GET", self.path, dict(self.headers), None))
                page = urllib.parse.urlsplit(self.path)
                if page.path == "/login/oauth/authorize":
                    asked = dict(urllib.parse.parse_qsl(page.query))
                    github.asked = asked.get("scope", "").split() or github.usual
                    answer = urllib.parse.urlencode({"code": "good", "state": asked["state"]})
                    return self.send(302, b"", ("Location", f'{asked["redirect_uri"]}?{answer}'))
                if not self.headers.get("User-Agent"):
                    return self.answer(403, "Request forbidden by administrative rules.", "text/plain")
                authorization = self.headers.get("Authorization") or ""
                if not authorization.startswith("Bearer gh") or authorization[7:] in github.revoked:
                    return self.answer(401, {"message": "Bad credentials", "documentation_url": "https://docs.github.com/rest"})
                if self.path == "/user":
                    return self.answer(200, github.user)
                if self.path.startswith("/user/emails"):
                    return self.answer(200, github.emails)
                self.answer(404, {"message": "Not Found"})

            def do_DELETE(self):
                body = self.body().decode()
                github.requests.append(("DELETE", self.path, dict(self.headers), json.loads(body or "{}")))
                if github.requests[-1][3].get("access_token") in github.foreign:
                    return self.answer(404, {"message": "Not Found", "documentation_url": "https://docs.github.com/rest"})
                self.send_response(204)
                self.end_headers()

        super().__init__(Handler)

    def endpoints(self):
        """Without a client."""
        return f'''
[provider."github.com"]
authorization-endpoint = "{self.origin}/login/oauth/authorize"
token-endpoint = "{self.origin}/login/oauth/access_token"
userinfo-endpoint = "{self.origin}/user"
device-authorization-endpoint = "{self.origin}/login/device/code"
'''

    def configuration(self):
        return f'''
[provider."github.com"]
client-id = "Iv1.0123456789abcdef"
client-secret = "shh"
authorization-endpoint = "{self.origin}/login/oauth/authorize"
token-endpoint = "{self.origin}/login/oauth/access_token"
userinfo-endpoint = "{self.origin}/user"
'''
