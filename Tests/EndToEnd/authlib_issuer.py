"""A strict issuer made with authlib: exact redirect URIs, S256 demanded, no dynamic registration, `iss`, and refresh tokens that rotate.

authlib knows no client ID metadata documents and no RFC 8707: both are added here, in `Issuer.client` and `Indicated`.
It runs in a thread of the test, which sees and changes all of its state.
"""
import secrets
import threading
import time

import flask
import requests
import werkzeug.serving
from authlib.integrations.flask_oauth2 import AuthorizationServer
from authlib.oauth2.rfc6749 import AuthorizationCodeMixin, ClientMixin, InvalidGrantError, OAuth2Error, TokenMixin, grants, list_to_scope, scope_to_list
from authlib.oauth2.rfc7009 import RevocationEndpoint
from authlib.oauth2.rfc7636 import CodeChallenge
from authlib.oauth2.rfc7662 import IntrospectionEndpoint
from authlib.oauth2.rfc8414 import AuthorizationServerMetadata
from authlib.oauth2.rfc9207 import IssuerParameter

SCOPES = ["tools:use", "tools:admin", "offline_access"]
RESOURCE_SERVER = ("resource-server", "secret of the resource server")
LARGEST_DOCUMENT = 5120
AUTHORIZATION_CODE, REFRESH_TOKEN = "authorization_code", "refresh_token"


class Client(ClientMixin):
    def __init__(self, client_id, redirect_uris=(), method="none", secret=None):
        self.client_id, self.redirect_uris, self.method, self.secret = client_id, redirect_uris, method, secret

    def get_client_id(self):
        return self.client_id

    def get_default_redirect_uri(self):
        return None

    def get_allowed_scope(self, scope):
        return list_to_scope([one for one in scope_to_list(scope or "") if one in SCOPES])

    def check_redirect_uri(self, uri):
        return uri in self.redirect_uris    # character by character, the port of a loopback address too

    def check_client_secret(self, secret):
        return self.secret is not None and secrets.compare_digest(secret, self.secret)

    def check_endpoint_auth_method(self, method, endpoint):
        return method == self.method

    def check_response_type(self, response_type):
        return response_type == "code"

    def check_grant_type(self, grant_type):
        return grant_type in (AUTHORIZATION_CODE, REFRESH_TOKEN)


class Code(AuthorizationCodeMixin):
    def __init__(self, code, request):
        form = request.payload
        self.code, self.client_id, self.scope, self.redirect_uri = code, request.client.client_id, form.scope or "", form.redirect_uri
        self.person, self.resource = request.user, form.data.get("resource")
        self.code_challenge, self.code_challenge_method = form.data.get("code_challenge"), form.data.get("code_challenge_method")
        self.family = secrets.token_hex(8)
        self.end = time.time() + 60

    def get_redirect_uri(self):
        return self.redirect_uri

    def get_scope(self):
        return self.scope


class Token(TokenMixin):
    def __init__(self, answer, client_id, origin):
        self.answer, self.client_id, self.scope = answer, client_id, answer.get("scope", "")
        self.person, self.resource, self.family = origin.person, origin.resource, origin.family
        self.made, self.spent, self.ended = time.time(), None, False
        self.successor = None

    def check_client(self, client):
        return client.client_id == self.client_id

    def get_scope(self):
        return self.scope

    def get_expires_in(self):
        return self.answer["expires_in"]

    def is_expired(self):
        return time.time() >= self.made + self.get_expires_in()

    def is_revoked(self):
        return self.ended

    def get_user(self):
        return self.person

    def get_client(self):
        return None


class InvalidTarget(OAuth2Error):
    error = "invalid_target"


class Indicated:
    """RFC 8707, of which authlib has nothing: one resource, one of those that the issuer knows, and the same in each request."""

    def __init__(self, issuer):
        self.issuer = issuer

    def __call__(self, grant):
        if isinstance(grant, grants.AuthorizationCodeGrant):
            grant.register_hook("after_validate_authorization_request_payload", self.authorization)
        grant.register_hook("after_validate_token_request" if isinstance(grant, grants.AuthorizationCodeGrant) else "before_create_token_response", self.token)

    def authorization(self, grant, redirect_uri):
        asked = grant.request.payload.datalist.get("resource", [])
        if len(asked) != 1 or asked[0] not in self.issuer.resources:
            raise InvalidTarget(f"resource is {asked}", redirect_uri=redirect_uri)

    def token(self, grant, *_):
        origin = getattr(grant.request, "authorization_code", None) or grant.request.refresh_token
        if grant.request.form.get("resource") != origin.resource:
            raise InvalidTarget("another resource than the sign-in was for")


class Issuer:
    """`resources` are the servers that it issues tokens for; `trust` is an `Elsewhere` through which client documents are fetched."""

    resource_server = RESOURCE_SERVER

    def __init__(self, resources=(), trust=None):
        self.resources, self.trust = list(resources), trust
        self.seconds = 300          # how long an access token is valid
        self.grace = 0              # for how many seconds a spent refresh token gets the same answer again
        self.person = "ada"
        self.clients = {RESOURCE_SERVER[0]: Client(RESOURCE_SERVER[0], method="client_secret_basic", secret=RESOURCE_SERVER[1])}
        self.codes, self.tokens, self.refresh_tokens = {}, {}, {}
        self.requests = []          # (path, parameters) of the authorization, token and revocation endpoints
        self.fetched = []           # client documents
        self.refreshed = 0          # refresh tokens that were taken in exchange
        self.replayed = 0           # spent ones that came again in time
        self.thefts = 0             # spent ones that came again too late, or for good: all of their sign-in has ended
        self.refused = 0            # refresh tokens that were not taken, for whatever reason
        self.open = threading.Event()       # until then, answers of the token endpoint wait: what they say has happened
        self.open.set()
        self.answering = threading.Semaphore(0)
        self.lock = threading.Lock()
        app = flask.Flask("issuer")
        self.server = werkzeug.serving.make_server("127.0.0.1", 0, app, threaded=True, request_handler=Quiet)
        self.server.daemon_threads = True
        self.issuer = f"http://127.0.0.1:{self.server.server_port}"
        app.config["OAUTH2_TOKEN_EXPIRES_IN"] = None
        self.build(app)
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    def close(self):
        self.open.set()
        self.server.shutdown()
        self.server.server_close()

    def add_client(self, *redirect_uris):
        """A public client, registered by hand; returns its ID."""
        made = Client(secrets.token_urlsafe(8), redirect_uris)
        self.clients[made.client_id] = made
        return made.client_id

    def asked(self, path, grant_type=None):
        return [form for where, form in self.requests if where == path and form.get("grant_type") == grant_type]

    @property
    def metadata(self):
        made = {"issuer": self.issuer, "authorization_endpoint": f"{self.issuer}/authorize", "token_endpoint": f"{self.issuer}/token",
                "revocation_endpoint": f"{self.issuer}/revoke", "introspection_endpoint": f"{self.issuer}/introspect",
                "response_types_supported": ["code"], "grant_types_supported": [AUTHORIZATION_CODE, REFRESH_TOKEN],
                "token_endpoint_auth_methods_supported": ["none", "client_secret_basic"], "scopes_supported": SCOPES,
                "revocation_endpoint_auth_methods_supported": ["none", "client_secret_basic"],
                "code_challenge_methods_supported": ["S256"], "authorization_response_iss_parameter_supported": True}
        if self.trust:
            made["client_id_metadata_document_supported"] = True
        return made

    def client(self, client_id):
        """A client registered by hand, or by its document, which is fetched for each request by this, not by authlib."""
        if client_id in self.clients or not self.trust or not client_id.startswith("https://"):
            return self.clients.get(client_id)
        with requests.Session() as session:
            session.trust_env = False
            reply = session.get(client_id, proxies={"https": self.trust.origin}, verify=str(self.trust.certificate), allow_redirects=False, timeout=10)
        self.fetched.append((client_id, reply.status_code))
        if reply.status_code != 200 or len(reply.content) > LARGEST_DOCUMENT:
            return None
        document = reply.json()
        if document.get("client_id") != client_id or document.get("token_endpoint_auth_method") != "none" or "client_secret" in document:
            return None
        return Client(client_id, document["redirect_uris"])

    def end(self, family):
        for token in [*self.tokens.values(), *self.refresh_tokens.values()]:
            token.ended = token.ended or token.family == family

    def build(self, app):
        issuer = self

        class CodeGrant(grants.AuthorizationCodeGrant):
            TOKEN_ENDPOINT_AUTH_METHODS = ["none", "client_secret_basic"]

            def save_authorization_code(self, code, request):
                issuer.codes[code] = Code(code, request)

            def query_authorization_code(self, code, client):
                found = issuer.codes.get(code)
                return found if found and found.client_id == client.client_id and found.end > time.time() else None

            def delete_authorization_code(self, code):
                del issuer.codes[code.code]

            def authenticate_user(self, code):
                return code.person

        class RefreshGrant(grants.RefreshTokenGrant):
            TOKEN_ENDPOINT_AUTH_METHODS = ["none", "client_secret_basic"]
            INCLUDE_NEW_REFRESH_TOKEN = True

            def authenticate_refresh_token(self, refresh_token):
                found = issuer.refresh_tokens.get(refresh_token)
                if found and found.spent and not found.ended and time.time() - found.spent > issuer.grace:
                    issuer.thefts += 1
                    issuer.end(found.family)
                if found is None or found.ended:
                    issuer.refused += 1
                    raise InvalidGrantError("the refresh token is not valid")
                return found

            def authenticate_user(self, token):
                return token.person

            def issue_token(self, user, token):
                if token.spent:
                    issuer.replayed += 1
                    return token.successor
                issuer.refreshed += 1
                token.spent, token.successor = time.time(), super().issue_token(user, token)
                return token.successor

            def revoke_old_credential(self, token):
                pass    # spent already

        class Introspection(IntrospectionEndpoint):
            CLIENT_AUTH_METHODS = ["client_secret_basic"]

            def check_permission(self, token, client, request):
                return client.client_id == RESOURCE_SERVER[0]

            def query_token(self, token, hint):
                return issuer.tokens.get(token)

            def introspect_token(self, token):
                return {"client_id": token.client_id, "sub": token.person, "scope": token.scope, "aud": token.resource, "iss": issuer.issuer,
                        "exp": int(token.made + token.get_expires_in()), "token_type": "Bearer"}

        class Revocation(RevocationEndpoint):
            CLIENT_AUTH_METHODS = ["none", "client_secret_basic"]

            def query_token(self, token, hint):
                return issuer.refresh_tokens.get(token) or issuer.tokens.get(token)

            def revoke_token(self, token, request):
                issuer.end(token.family)

        class Named(IssuerParameter):
            def __init__(self, server):
                self(server)

            def get_issuer(self):
                return issuer.issuer

        def save(answer, request):
            origin = getattr(request, "authorization_code", None) or request.refresh_token
            token = Token(answer, request.client.client_id, origin)
            if answer["access_token"] not in issuer.tokens:     # an answer that is given again is the same one
                issuer.tokens[answer["access_token"]] = issuer.refresh_tokens[answer["refresh_token"]] = token

        def generate(grant_type, client, user=None, scope=None, expires_in=None, include_refresh_token=True):
            return {"token_type": "Bearer", "access_token": secrets.token_urlsafe(24), "refresh_token": secrets.token_urlsafe(24),
                    "expires_in": issuer.seconds, "scope": scope or ""}

        server = AuthorizationServer(app, issuer.client, save)
        server.scopes_supported = SCOPES
        server.register_token_generator("default", generate)
        server.register_grant(CodeGrant, [CodeChallenge(required=True), Indicated(issuer)])
        server.register_grant(RefreshGrant, [Indicated(issuer)])
        server.register_endpoint(Introspection)
        server.register_endpoint(Revocation)
        server.register_extension(Named)

        @app.get("/.well-known/oauth-authorization-server")
        def metadata():
            document = AuthorizationServerMetadata(issuer.metadata)
            return flask.jsonify(document)

        @app.get("/authorize")
        def authorize():
            issuer.requests.append(("/authorize", flask.request.args.to_dict()))
            try:
                grant = server.get_consent_grant(end_user=issuer.person)
            except OAuth2Error as error:
                if error.redirect_uri:
                    return server.handle_error_response(server.create_oauth2_request(None), error)
                return flask.Response(f"{error.error}: {error.description}", 400, mimetype="text/plain")    # a page, no redirect
            return server.create_authorization_response(grant_user=issuer.person, grant=grant)

        @app.post("/token")
        def token():
            issuer.requests.append(("/token", flask.request.form.to_dict()))
            with issuer.lock:
                answer = server.create_token_response()
            issuer.answering.release()
            issuer.open.wait(30)
            return answer

        @app.post("/introspect")
        def introspect():
            return server.create_endpoint_response("introspection")

        @app.post("/revoke")
        def revoke():
            issuer.requests.append(("/revoke", flask.request.form.to_dict()))
            return server.create_endpoint_response("revocation")


class Quiet(werkzeug.serving.WSGIRequestHandler):
    protocol_version = "HTTP/1.1"

    def log(self, *arguments):
        pass
