"""A server that behaves like X's, with OAuth 1.0a by oauthlib, which checks every signature, timestamp, nonce and verifier."""
import html
import http.server
import json
import threading
import time
import types
import urllib.parse

import oauthlib.oauth1.rfc5849.endpoints.base as endpoint_base
from oauthlib.oauth1 import RequestValidator, WebApplicationServer
from person import consent
from signing_in import SignIn

KEY, SECRET = "xvz1evFS4wEEPTGEFPHBogXX", "kAcSOqF21Fu85e7zjz7ZN2U4ZRhfV3WpwPAoE3Z7kBw"
PEOPLE = {
    "ada": {"id_str": "1815121018151210181", "name": "Ada Lovelace", "screen_name": "ada", "email": "ada@example.com"},
    "grace": {"id_str": "1906120919061209190", "name": "Grace Hopper", "screen_name": "grace", "email": "grace@example.org"},
}


class Validator(RequestValidator):
    """What oauthlib must know of clients and tokens; it checks everything else itself."""
    enforce_ssl = False
    dummy_client = "dummyclientdummyclient00"
    dummy_request_token = "dummyrequesttokendummy00"
    dummy_access_token = "dummyaccesstokendummy000"

    def __init__(self, server):
        super().__init__()
        self.server = server
        self.request_tokens, self.access_tokens, self.nonces = {}, {}, set()

    def check_access_token(self, token):
        return 20 <= len(token) <= 60 and "-" in token

    def get_client_secret(self, client_key, request):
        return SECRET if client_key == KEY else "nobody"

    def get_request_token_secret(self, client_key, token, request):
        return self.request_tokens.get(token, {}).get("oauth_token_secret", "nobody")

    def get_access_token_secret(self, client_key, token, request):
        return self.access_tokens.get(token, {}).get("secret", "nobody")

    def get_default_realms(self, client_key, request):
        return []

    def get_realms(self, token, request):
        return []

    def get_redirect_uri(self, token, request):
        return self.request_tokens[token]["callback"]

    def validate_client_key(self, client_key, request):
        return client_key == KEY

    def validate_request_token(self, client_key, token, request):
        return token in self.request_tokens

    def validate_access_token(self, client_key, token, request):
        return self.access_tokens.get(token, {}).get("client", KEY if token in self.access_tokens else None) == client_key

    def validate_timestamp_and_nonce(self, client_key, timestamp, nonce, request, request_token=None, access_token=None):
        stamp = (client_key, timestamp, nonce, request_token, access_token)
        fresh = stamp not in self.nonces and nonce.isalnum()
        self.nonces.add(stamp)
        return fresh

    def validate_redirect_uri(self, client_key, redirect_uri, request):
        known = self.server.callbacks
        if self.server.compares_exactly:
            return known is None or redirect_uri in known
        return known is None or redirect_uri.split("?")[0] in known

    def validate_requested_realms(self, client_key, realms, request):
        return True

    def validate_realms(self, client_key, token, request, uri=None, realms=None):
        return True

    def validate_verifier(self, client_key, token, verifier, request):
        return bool(verifier) and self.request_tokens.get(token, {}).get("verifier") == verifier

    def verify_request_token(self, token, request):
        return token in self.request_tokens

    def verify_realms(self, token, realms, request):
        return True

    def invalidate_request_token(self, client_key, request_token, request):
        self.request_tokens.pop(request_token, None)

    def save_request_token(self, token, request):
        self.request_tokens[token["oauth_token"]] = {**token, "callback": request.redirect_uri}

    def save_verifier(self, token, verifier, request):
        self.request_tokens[token]["verifier"] = verifier["oauth_verifier"]

    def save_access_token(self, token, request):
        person = self.request_tokens[request.resource_owner_key]["person"]
        # In X's format: with the account before a dash.
        token["oauth_token"] = f"{self.server.people[person]['id_str']}-{token['oauth_token']}"
        self.access_tokens[token["oauth_token"]] = {"secret": token["oauth_token_secret"], "person": person}


class Twitter:
    def __init__(self, callbacks=None):
        self.callbacks = callbacks          # the registered ones; None takes any
        self.compares_exactly = True
        self.skew = 0                       # seconds that its clock is ahead of ours
        self.answers = {}                   # path: answers to give before the usual ones, (status, content type, body)
        self.requests = []                  # (method, path, headers)
        self.people = {name: dict(person) for name, person in PEOPLE.items()}
        self.validator = Validator(self)
        self.oauth = WebApplicationServer(self.validator)
        # oauthlib uses the module's clock; this server has its own.
        endpoint_base.time = types.SimpleNamespace(time=lambda: time.time() + self.skew)
        twitter = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *arguments):
                pass

            def date_time_string(self, timestamp=None):
                return super().date_time_string(time.time() + twitter.skew)

            def do_GET(self):
                twitter.handle(self, "GET")

            def do_POST(self):
                twitter.handle(self, "POST")

        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        self.origin = f"http://127.0.0.1:{self.http.server_address[1]}"
        threading.Thread(target=self.http.serve_forever, args=(0.02,), daemon=True).start()

    def close(self):
        self.http.shutdown()
        self.http.server_close()

    def configuration(self, more="", name="twitter.com"):
        return f'''
[provider."{name}"]
api-key = "{KEY}"
api-secret = "{SECRET}"
request-token-endpoint = "{self.origin}/oauth/request_token"
authorization-endpoint = "{self.origin}/oauth/authorize"
access-token-endpoint = "{self.origin}/oauth/access_token"
profile-endpoint = "{self.origin}/1.1/account/verify_credentials.json"
revocation-endpoint = "{self.origin}/1.1/oauth/invalidate_token.json"
{more}
'''

    def sent(self, path):
        return [headers for _, requested, headers in self.requests if requested.split("?")[0] == path]

    # ---- The endpoints ---------------------------------------------------------

    def handle(self, handler, method):
        body = handler.rfile.read(int(handler.headers.get("Content-Length") or 0)).decode()
        self.requests.append((method, handler.path, dict(handler.headers)))
        uri, path = self.origin + handler.path, handler.path.split("?")[0]
        request = (uri, method, body, dict(handler.headers))
        if self.answers.get(path):
            status, kind, text = self.answers[path].pop(0)
            return self.answer(handler, status, text, kind)
        route = {
            ("POST", "/oauth/request_token"): self.request_token, ("GET", "/oauth/authorize"): self.page,
            ("POST", "/oauth/authorize"): self.decision, ("POST", "/oauth/access_token"): self.access_token,
            ("GET", "/1.1/account/verify_credentials.json"): self.verify_credentials,
            ("POST", "/1.1/oauth/invalidate_token.json"): self.invalidate_token,
            ("GET", "/1.1/search/tweets.json"): self.echo, ("POST", "/1.1/statuses/update.json"): self.echo,
        }.get((method, path))
        if route is None:
            return self.error(handler, 404, 34, "Sorry, that page does not exist.")
        route(handler, *request)

    def answer(self, handler, status, text, kind="text/html;charset=utf-8", headers=()):
        data = text.encode()
        handler.send_response(status)
        handler.send_header("Content-Type", kind)
        handler.send_header("Content-Length", str(len(data)))
        for name, value in headers:
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(data)

    def error(self, handler, status, code, message):
        self.answer(handler, status, json.dumps({"errors": [{"code": code, "message": message}]}), "application/json; charset=utf-8")

    def refuse(self, handler, text):
        """X's message for the error that oauthlib found."""
        if "Timestamp" in (text or ""):
            return self.error(handler, 401, 135, "Timestamp out of bounds.")
        self.error(handler, 401, 32, "Could not authenticate you.")

    def request_token(self, handler, *request):
        if 'oauth_callback="' not in (handler.headers.get("Authorization") or ""):
            return self.error(handler, 400, 415, "oauth_callback is required")
        _, text, status = self.oauth.create_request_token_response(*request)
        if status != 200:
            callback = urllib.parse.unquote(handler.headers["Authorization"].split('oauth_callback="')[1].split('"')[0])
            if not self.validator.validate_redirect_uri(KEY, callback, None):
                return self.error(handler, 403, 415, "Callback URL not approved for this client application.")
            return self.refuse(handler, text)
        self.answer(handler, 200, text)

    def page(self, handler, uri, *rest):
        token = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(uri).query)).get("oauth_token")
        if token not in self.validator.request_tokens or "verifier" in self.validator.request_tokens[token]:
            return self.answer(handler, 403, "<h1>Whoa there!</h1> The request token for this page is invalid.")
        self.answer(handler, 200, f'<form method="post" action="/oauth/authorize"><input type="hidden" name="oauth_token" value="{html.escape(token)}"></form>')

    def decision(self, handler, uri, method, body, headers):
        form = dict(urllib.parse.parse_qsl(body))
        token = form["oauth_token"]
        if form.get("decision") == "deny":
            callback = self.validator.request_tokens.pop(token)["callback"]
            location = f"{callback}{'&' if '?' in callback else '?'}denied={urllib.parse.quote(token)}"
        else:
            self.validator.request_tokens[token]["person"] = form["person"]
            answer, _, _ = self.oauth.create_authorization_response(uri, method, body, headers, realms=[], credentials={})
            location = answer["Location"]
        self.answer(handler, 302, "", headers=[("Location", location)])

    def access_token(self, handler, *request):
        _, text, status = self.oauth.create_access_token_response(*request)
        if status != 200:
            return self.refuse(handler, text)
        token = dict(urllib.parse.parse_qsl(text))["oauth_token"]
        person = self.people[self.validator.access_tokens[token]["person"]]
        self.answer(handler, 200, text + "&" + urllib.parse.urlencode({"user_id": person["id_str"], "screen_name": person["screen_name"]}))

    def account(self, handler, request):
        """The account whose token signed the request; None if there is none, after responding with the error."""
        try:
            valid, found = self.oauth.validate_protected_resource_request(*request, realms=[])
        except Exception as error:
            self.refuse(handler, str(error))
            return None
        if not valid:
            known = found.resource_owner_key in self.validator.access_tokens
            self.error(handler, 401, 32 if known else 89, "Could not authenticate you." if known else "Invalid or expired token.")
            return None
        return found.resource_owner_key

    def verify_credentials(self, handler, *request):
        token = self.account(handler, request)
        if token is None:
            return
        person = dict(self.people[self.validator.access_tokens[token]["person"]])
        if "include_email=true" not in request[0]:
            person.pop("email", None)
        photo = f"https://pbs.twimg.com/profile_images/1/{person['screen_name']}_normal.jpg"
        self.answer(handler, 200, json.dumps({"id": int(person["id_str"]), "profile_image_url_https": photo, "verified": False, **person}), "application/json;charset=utf-8")

    def echo(self, handler, uri, method, body, headers):
        """An API that returns the request's parameters, if the signature covers all of them."""
        token = self.account(handler, (uri, method, body, headers))
        if token is not None:
            asked = {"query": urllib.parse.parse_qsl(urllib.parse.urlsplit(uri).query, True), "form": urllib.parse.parse_qsl(body, True)}
            self.answer(handler, 200, json.dumps({"person": self.validator.access_tokens[token]["person"], **asked}), "application/json; charset=utf-8")

    def invalidate_token(self, handler, *request):
        token = self.account(handler, request)
        if token is not None:
            del self.validator.access_tokens[token]
            self.answer(handler, 200, json.dumps({"access_token": token}), "application/json; charset=utf-8")


def begin(daemon, **parameters):
    return SignIn(daemon, providerID="twitter.com", **parameters)


def sign_in(daemon, person="ada", **parameters):
    pending = begin(daemon, **parameters)
    consent(pending.url, person)
    return pending.completed()
