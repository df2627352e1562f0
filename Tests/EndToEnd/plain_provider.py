"""An OAuth 2.0 provider that supports every response mode: query, fragment and form, with any redirect URI."""
import html
import http.server
import json
import ssl
import threading
import urllib.parse


class PlainProvider:
    """Consents at once. `mode` is its response mode; a `response_mode` in the request takes precedence."""

    def __init__(self, mode="query", certificate=None, host="127.0.0.1"):
        self.mode = mode
        self.person = {"id": 7, "name": "Ada Lovelace", "email": "ada@example.com", "username": "ada"}
        self.exchanges = []         # the forms that came to the token endpoint
        self.code = "code-1"
        self.revoked = []
        self.wrap = lambda redirect_uri, answer: None   # another way to put an answer into a redirect
        provider = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def log_message(self, *arguments):
                pass

            def answer(self, status, body, kind="application/json", headers=()):
                data = (body if isinstance(body, str) else json.dumps(body)).encode()
                self.send_response(status)
                for name, value in [("Content-Type", kind), ("Content-Length", str(len(data))), *headers]:
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(data)

            def do_GET(self):
                url = urllib.parse.urlsplit(self.path)
                if url.path == "/user":
                    return self.answer(200, provider.person)
                if url.path != "/authorize":
                    return self.answer(404, {})
                asked = dict(urllib.parse.parse_qsl(url.query))
                answer = {"state": asked["state"], "code": provider.code}
                mode = asked.get("response_mode") or provider.mode
                if mode == "form_post":
                    fields = "".join(f'<input type="hidden" name="{name}" value="{html.escape(value)}">' for name, value in answer.items())
                    return self.answer(
                        200, f'<!DOCTYPE html><title>Signing in</title><form method="post" action="{html.escape(asked["redirect_uri"])}">{fields}</form>'
                        "<script>document.forms[0].submit()</script>", "text/html")
                location = provider.location(asked["redirect_uri"], answer, mode)
                self.answer(302, "", headers=[("Location", location)])

            def do_POST(self):
                form = dict(urllib.parse.parse_qsl(self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode(), keep_blank_values=True))
                if self.path == "/revoke":
                    provider.revoked.append(form.get("token"))
                    return self.answer(200, {})
                if self.path == "/introspect":
                    return self.answer(200, {"active": True, "client_id": "postern", "sub": str(provider.person["id"])})
                provider.exchanges.append(form)
                self.answer(200, {"access_token": "token-1", "token_type": "bearer", "expires_in": 3600})

        self.server = http.server.ThreadingHTTPServer((host, 0), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        self.token_origin = None
        if certificate:
            # Only browsers use TLS; the daemon uses a second server, for which no certificate has to be trusted.
            self.plain = http.server.ThreadingHTTPServer((host, 0), Handler)
            self.plain.daemon_threads = True
            threading.Thread(target=self.plain.serve_forever, args=(0.02,), daemon=True).start()
            self.token_origin = f"http://{host}:{self.plain.server_address[1]}"
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*certificate)
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.origin = f"{'https' if certificate else 'http'}://localhost:{self.port}"
        self.token_origin = self.token_origin or f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    def location(self, redirect_uri, answer, mode="query"):
        wrapped = self.wrap(redirect_uri, answer)
        return wrapped or redirect_uri + ("#" if mode == "fragment" else "?") + urllib.parse.urlencode(answer)

    def configuration(self, name="demo", **more):
        lines = [f"[provider.{name}]", 'kind = "oauth2"', 'client-id = "postern"', f'authorization-endpoint = "{self.origin}/authorize"',
                 f'token-endpoint = "{self.token_origin}/token"', f'userinfo-endpoint = "{self.token_origin}/user"',
                 f'revocation-endpoint = "{self.token_origin}/revoke"']
        return "\n".join(lines + [f"{key.replace('_', '-')} = {json.dumps(value)}" for key, value in more.items()]) + "\n"

    def close(self):
        self.server.shutdown()
        self.server.server_close()
        if hasattr(self, "plain"):
            self.plain.shutdown()
            self.plain.server_close()
