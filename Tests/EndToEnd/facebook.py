"""A server that behaves like Facebook's: the Graph API's paths, errors that are objects, a proof of the app's secret in every call."""
import hashlib
import hmac
import base64

from fake import Server
from keys import Keys
from person import browser, parameters

APP, SECRET = "138", "app-secret-0123456789abcdef"


def error(message, code, subcode=None, kind="OAuthException"):
    inner = {"message": message, "type": kind, "code": code, "fbtrace_id": "A"}
    return {"error": inner if subcode is None else {**inner, "error_subcode": subcode}}


class Facebook(Server):
    def __init__(self, limited=False):
        super().__init__()
        self.limited = limited
        self.keys = Keys("https://www.facebook.com", APP)
        self.codes = {}             # code: (redirect URI, challenge, nonce)
        self.tokens = set()         # the good ones
        self.me = {"id": "1020", "name": "Ex Ample", "email": "e@example.com",
                   "picture": {"data": {"height": 50, "is_silhouette": False, "url": "https://scontent.example/p.jpg", "width": 50}}}
        self.claims = {"jti": "j", "name": "Ex Ample", "email": "e@example.com", "picture": "https://scontent.example/p.jpg"}

    def configuration(self, more=""):
        lines = [
            '[provider."facebook.com"]', f'client-id = "{APP}"', "limited = true" if self.limited else f'client-secret = "{SECRET}"',
            f'authorization-endpoint = "{self.origin}/v25.0/dialog/oauth"', f'token-endpoint = "{self.origin}/v25.0/oauth/access_token"']
        if self.limited:
            lines += [f'jwks-uri = "{self.origin}/.well-known/oauth/openid/jwks/"', f'revocation-endpoint = "{self.origin}/platform/uninstall/"']
        else:
            lines += [f'userinfo-endpoint = "{self.origin}/v25.0/me"']
        return "\n".join([*lines, more]) + "\n"

    # ---- The page ------------------------------------------------------------

    def agree(self, url):
        """Where Facebook redirects the browser when the person agrees, without the fragment that it appends."""
        asked = parameters(url)
        assert asked["client_id"] == APP and asked["redirect_uri"].startswith("http://localhost:"), asked
        code = f"AQ{len(self.codes)}"
        self.codes[code] = (asked["redirect_uri"], asked.get("code_challenge"), {"nonce": asked.get("nonce")})
        answer = {"code": code, "state": asked["state"]}
        if asked.get("return_scopes") == "true":
            answer |= {"granted_scopes": asked["scope"], "denied_scopes": ""}
        return asked["redirect_uri"], answer

    # ---- The endpoints -------------------------------------------------------

    def answer(self, request):
        if request.path == "/v25.0/oauth/access_token":
            return self.exchanged(request) if request.method == "GET" else self.token(request.form)
        if request.path == "/.well-known/oauth/openid/jwks/":
            return 200, self.keys.document
        if request.path == "/platform/uninstall/":
            return 200, {"success": request.form.get("app_id") == APP and request.form.get("id_token", "").count(".") == 2}
        token = (request.headers.get("Authorization") or "").removeprefix("Bearer ")
        if token not in self.tokens:
            return 400, error("Error validating access token", 190, 460)
        if request.query.get("appsecret_proof") != hmac.new(SECRET.encode(), token.encode(), hashlib.sha256).hexdigest():
            return 400, error("API calls from the server require an appsecret_proof argument", 100, kind="GraphMethodException")
        if (request.method, request.path) == ("GET", "/v25.0/me"):
            fields = request.query.get("fields", "id,name").split(",")
            return 200, {name: value for name, value in self.me.items() if name in fields}
        if (request.method, request.path) == ("DELETE", "/v25.0/me/permissions"):
            self.tokens.clear()
            return 200, "true"
        return 404, error("Unknown path components", 2500)

    def token(self, form):
        redirect_uri, challenge, claims = self.codes.pop(form["code"], (None, None, None))
        if not redirect_uri:
            return 400, error("This authorization code has been used.", 100, 36009)
        if form["redirect_uri"] != redirect_uri:
            return 400, error("Error validating verification code.", 100, 36008)
        if self.limited:
            digest = base64.urlsafe_b64encode(hashlib.sha256(form.get("code_verifier", "").encode()).digest()).rstrip(b"=").decode()
            if "client_secret" in form or challenge != digest:
                return 400, error("Invalid code_verifier parameter", 1)
            return 200, {"access_token": "EAABl", "token_type": "bearer", "expires_in": 5183944,
                         "id_token": self.keys.token(**{**self.claims, **claims})}
        if form.get("client_secret") != SECRET:
            return 400, error("Error validating client secret.", 1)
        self.tokens.add("EAABshort")
        return 200, {"access_token": "EAABshort", "token_type": "bearer", "expires_in": 3600}

    def exchanged(self, request):
        query = request.query
        assert query["grant_type"] == "fb_exchange_token" and query["client_id"] == APP
        if query["client_secret"] != SECRET:
            return 400, error("Error validating client secret.", 1)
        if query["fb_exchange_token"] not in self.tokens:
            return 400, error("Error validating access token: Session has expired", 190, 463)
        token = f"EAABlong{len(self.tokens)}"
        self.tokens.add(token)
        return 200, {"access_token": token, "token_type": "bearer", "expires_in": 5183944}


def come_back(daemon, answer):
    """Opens the callback URL with Facebook's response; returns the page that the browser gets."""
    url, query = answer
    assert url == daemon.origin.replace("127.0.0.1", "localhost") + "/__/auth/handler"
    # The test's machine may resolve `localhost` to another address first; the daemon sees only the header.
    return browser(Host=daemon.origin.replace("http://127.0.0.1", "localhost")).get(f"{daemon.origin}/__/auth/handler", params=query)
