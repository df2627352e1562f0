"""Generated from io.postern.varlink: change that, then run packaging/python/generate.py."""

from __future__ import annotations

from typing import Dict, List, Literal, Mapping, Optional, TypeVar

from ._aio import AsyncReplies
from ._connection import Replies
from ._interface import (
    AgreedServer,
    AuthResult,
    AuthorizeRequestReply,
    CheckProviderReply,
    CredentialInput,
    EnrollSecondFactorReply,
    FindAccountReply,
    FormParameter,
    GetAccessTokenReply,
    GetIDTokenReply,
    GetRouteReply,
    GetStatusReply,
    GetUserTokenReply,
    Intent,
    MonitorReply,
    Provider,
    ResolveResourceReply,
    RevokeCredentialReply,
    Session,
    SignInEvent,
    StoredCredential,
    User,
)
from ._values import Reader, array, given, maybe_one, nothing, one, string

T = TypeVar("T")


class Methods:
    """The methods of the interface: the answers as an iterator. The parameter `app` is the client's own.

    Of an answer with one member, that is returned.
    """

    app: str

    def _call(self, method: str, parameters: Mapping[str, object], read: Reader[T]) -> T:
        raise NotImplementedError

    def _stream(self, method: str, parameters: Mapping[str, object], read: Reader[T]) -> Replies[T]:
        raise NotImplementedError

    def list_providers(self) -> List[Provider]:
        """The configured providers."""
        return self._call("ListProviders", {}, one("providers", array(Provider._read)))

    def check_provider(self, provider_id: str, *, issuer: Optional[str] = None) -> CheckProviderReply:
        """Checks a provider's setup by asking the provider, without the cache: reads its metadata and keys, and checks
        whether it accepts the client ID and secret. Nobody is signed in, and no token is stored. `authorization_url`:
        the page that a sign-in would open. `issuer`: the issuer of an OpenID provider that is not configured yet; only
        its metadata is then read.
        """
        return self._call(
            "CheckProvider",
            given(
                {
                    "providerID": provider_id,
                    "issuer": issuer,
                }
            ),
            CheckProviderReply._read,
        )

    def resolve_resource(
        self,
        url: str,
        *,
        challenge: Optional[List[str]] = None,
        name: Optional[str] = None,
    ) -> ResolveResourceReply:
        """What can be found out about the server of a resource, such as an MCP server: what its tokens are for (RFC
        9728), who issues them (RFC 8414), and how Postern is known there. Everything is asked anew, and nothing is
        stored. `challenge`: the values of `WWW-Authenticate` in the server's answer; without it the daemon sends the
        URL a request of its own. `name`: the [mcp.NAME] that is meant, with what it configures. Without it the URL is
        examined as one that is not configured.
        """
        return self._call(
            "ResolveResource",
            given(
                {
                    "url": url,
                    "challenge": challenge,
                    "name": name,
                }
            ),
            ResolveResourceReply._read,
        )

    def sign_in_events(
        self,
        provider_id: str,
        *,
        intent: Optional[Intent] = None,
        scopes: Optional[List[str]] = None,
        custom_parameters: Optional[Dict[str, str]] = None,
        login_hint: Optional[str] = None,
        flow: Optional[Literal["browser", "device"]] = None,
        presentation: Optional[Literal["daemon", "client"]] = None,
        timeout_seconds: Optional[int] = None,
        confirmation: Optional[str] = None,
        challenge: Optional[List[str]] = None,
        agreed: Optional[AgreedServer] = None,
    ) -> Replies[SignInEvent]:
        """Signs the user in through a provider, or does what `intent` says instead. An event at every change, the last
        one `completed`. Without it: only the last event. `presentation`: who opens the page. `daemon` (the default)
        opens the user's browser; `client` leaves it to the caller, which learns the URL from the first event.
        """
        return self._stream(
            "SignIn",
            given(
                {
                    "providerID": provider_id,
                    "intent": intent,
                    "app": None if intent == "keep" else self.app,
                    "scopes": scopes,
                    "customParameters": custom_parameters,
                    "loginHint": login_hint,
                    "flow": flow,
                    "presentation": presentation,
                    "timeoutSeconds": timeout_seconds,
                    "confirmation": confirmation,
                    "challenge": challenge,
                    "agreed": None if agreed is None else agreed._json(),
                }
            ),
            one("event", SignInEvent._read),
        )

    def list_sessions(self) -> List[Session]:
        """The sign-ins in progress, and those that ended within about the last ten minutes."""
        return self._call("ListSessions", {}, one("sessions", array(Session._read)))

    def attach_session(
        self,
        session_id: str,
        *,
        flow: Optional[Literal["browser", "device"]] = None,
    ) -> Replies[SignInEvent]:
        """Rejoins a sign-in after a lost connection or a restart of the daemon. An event at every change, as in SignIn.
        Without it: only the last event. A completed result can be fetched until it has been delivered once or has
        expired. `flow`: a way to answer that the sign-in is to have in addition to its own.
        """
        return self._stream(
            "AttachSession",
            given(
                {
                    "sessionID": session_id,
                    "flow": flow,
                }
            ),
            one("event", SignInEvent._read),
        )

    def cancel_session(self, session_id: str) -> None:
        """Cancels a sign-in for every program that waits for it."""
        self._call("CancelSession", given({"sessionID": session_id}), nothing)

    def deliver_redirect(self, url: str) -> str:
        """Delivers a redirect that did not arrive by HTTP: from a custom URL scheme, or pasted by the user."""
        return self._call("DeliverRedirect", given({"url": url}), one("sessionID", string))

    def sign_in_with_credential(self, credential: CredentialInput, *, intent: Optional[Intent] = None) -> AuthResult:
        """Signs in, links or reauthenticates with an existing credential."""
        return self._call(
            "SignInWithCredential",
            given(
                {
                    "credential": credential._json(),
                    "intent": intent,
                    "app": None if intent == "keep" else self.app,
                }
            ),
            one("result", AuthResult._read),
        )

    def sign_in_anonymously(self) -> AuthResult:
        """Signs in as an anonymous user, who has no account anywhere. Linking an account makes the user permanent, with
        the same `uid`.
        """
        return self._call("SignInAnonymously", given({"app": self.app}), one("result", AuthResult._read))

    def create_user(self, email: str, password: str, *, display_name: Optional[str] = None) -> AuthResult:
        """Creates a user with a password, and makes them the app's current user."""
        return self._call(
            "CreateUser",
            given(
                {
                    "email": email,
                    "password": password,
                    "displayName": display_name,
                    "app": self.app,
                }
            ),
            one("result", AuthResult._read),
        )

    def get_current_user(self) -> Optional[User]:
        """The app's current user; absent if nobody is signed in."""
        return self._call("GetCurrentUser", given({"app": self.app}), maybe_one("user", User._read))

    def update_user(
        self,
        *,
        display_name: Optional[str] = None,
        photo_url: Optional[str] = None,
        email: Optional[str] = None,
        password: Optional[str] = None,
    ) -> User:
        """Changes what is given of the current user. An empty name or photo URL removes the present one. A new address
        or password needs a sign-in within the last five minutes.
        """
        return self._call(
            "UpdateUser",
            given(
                {
                    "app": self.app,
                    "displayName": display_name,
                    "photoURL": photo_url,
                    "email": email,
                    "password": password,
                }
            ),
            one("user", User._read),
        )

    def unlink_provider(self, provider_id: str) -> User:
        """Unlinks a provider, or `password`, from the current user. The last one cannot be unlinked."""
        return self._call("UnlinkProvider", given({"providerID": provider_id, "app": self.app}), one("user", User._read))

    def fetch_providers(self, email: str) -> List[str]:
        """The ways to sign in with an address. An empty list does not prove that no user has the address."""
        return self._call("FetchProviders", given({"email": email}), one("providerIDs", array(string)))

    def sign_out(self) -> None:
        """Forgets the app's current user; the user and their credentials stay."""
        self._call("SignOut", given({"app": self.app}), nothing)

    def delete_user(self) -> None:
        """Deletes the current user and revokes their credentials at the providers. Needs a sign-in within the last five
        minutes.
        """
        self._call("DeleteUser", given({"app": self.app}), nothing)

    def get_user_token(self, audience: str) -> GetUserTokenReply:
        """An ID token that tells another local service who the app's current user is. This daemon signs it with its own
        key (ES256); the public key is at /.well-known/jwks.json on the callback listener.
        """
        return self._call("GetUserToken", given({"audience": audience, "app": self.app}), GetUserTokenReply._read)

    def enroll_second_factor(
        self,
        factor_id: Literal["totp", "phone"],
        *,
        phone_number: Optional[str] = None,
        display_name: Optional[str] = None,
    ) -> EnrollSecondFactorReply:
        """Begins the enrolment of a second factor: an authenticator app (RFC 6238) or a phone."""
        return self._call(
            "EnrollSecondFactor",
            given(
                {
                    "factorID": factor_id,
                    "phoneNumber": phone_number,
                    "displayName": display_name,
                    "app": self.app,
                }
            ),
            EnrollSecondFactorReply._read,
        )

    def confirm_second_factor(self, enrollment_id: str, verification_code: str) -> User:
        """Completes the enrolment with the first code."""
        return self._call(
            "ConfirmSecondFactor",
            given(
                {
                    "enrollmentID": enrollment_id,
                    "verificationCode": verification_code,
                    "app": self.app,
                }
            ),
            one("user", User._read),
        )

    def remove_second_factor(self, uid: str) -> User:
        """Removes a second factor from the current user."""
        return self._call("RemoveSecondFactor", given({"uid": uid, "app": self.app}), one("user", User._read))

    def start_second_factor(self, resolver: str, uid: str) -> None:
        """Sends a code to a phone among the factors of a SecondFactorRequired error."""
        self._call("StartSecondFactor", given({"resolver": resolver, "uid": uid}), nothing)

    def resolve_second_factor(self, resolver: str, uid: str, verification_code: str) -> AuthResult:
        """Completes a sign-in, a link or a reauthentication that requires a second factor."""
        return self._call(
            "ResolveSecondFactor",
            given(
                {
                    "resolver": resolver,
                    "uid": uid,
                    "verificationCode": verification_code,
                }
            ),
            one("result", AuthResult._read),
        )

    def list_credentials(self) -> List[StoredCredential]:
        """The stored credentials, without their secrets."""
        return self._call("ListCredentials", {}, one("credentials", array(StoredCredential._read)))

    def get_access_token(
        self,
        provider_id: str,
        *,
        uid: Optional[str] = None,
        account: Optional[str] = None,
        scopes: Optional[List[str]] = None,
        resource: Optional[str] = None,
        minimum_validity_seconds: Optional[int] = None,
        force_refresh: Optional[bool] = None,
    ) -> GetAccessTokenReply:
        """A token that is valid for at least `minimum_validity_seconds` (60 if not given), refreshed if needed. `uid`
        chooses one of several accounts at a provider; `account` does so by the account's configured name, its address
        or its user name. `provider_id` may also be the name of a configured account. `resource` is the service that the
        token is for (RFC 8707).
        """
        return self._call(
            "GetAccessToken",
            given(
                {
                    "providerID": provider_id,
                    "uid": uid,
                    "account": account,
                    "scopes": scopes,
                    "resource": resource,
                    "minimumValiditySeconds": minimum_validity_seconds,
                    "forceRefresh": force_refresh,
                }
            ),
            GetAccessTokenReply._read,
        )

    def get_id_token(
        self,
        provider_id: str,
        *,
        uid: Optional[str] = None,
        account: Optional[str] = None,
        minimum_validity_seconds: Optional[int] = None,
        force_refresh: Optional[bool] = None,
    ) -> GetIDTokenReply:
        """The account's verified ID token, refreshed if it expires too soon."""
        return self._call(
            "GetIDToken",
            given(
                {
                    "providerID": provider_id,
                    "uid": uid,
                    "account": account,
                    "minimumValiditySeconds": minimum_validity_seconds,
                    "forceRefresh": force_refresh,
                }
            ),
            GetIDTokenReply._read,
        )

    def authorize_request(
        self,
        method: str,
        url: str,
        *,
        provider_id: Optional[str] = None,
        account: Optional[str] = None,
        scopes: Optional[List[str]] = None,
        form: Optional[List[FormParameter]] = None,
        dpop_nonce: Optional[str] = None,
        force_refresh: Optional[bool] = None,
        challenge: Optional[List[str]] = None,
    ) -> AuthorizeRequestReply:
        """The header fields that authorize one HTTP request: a bearer token, a DPoP proof (RFC 9449) or an OAuth 1.0a
        signature (RFC 5849). Only for URLs that the account's tokens are for. `form` has the parameters of a form body,
        which OAuth 1.0a signs.
        """
        return self._call(
            "AuthorizeRequest",
            given(
                {
                    "method": method,
                    "url": url,
                    "providerID": provider_id,
                    "account": account,
                    "scopes": scopes,
                    "form": None if form is None else [item._json() for item in form],
                    "dpopNonce": dpop_nonce,
                    "forceRefresh": force_refresh,
                    "challenge": challenge,
                }
            ),
            AuthorizeRequestReply._read,
        )

    def report_refused_token(self, url: str, access_token: str) -> None:
        """A server refused this access token at this URL. If it is the token of an account whose tokens are for the
        URL, it is renewed; if nothing can renew it, its provider is asked whether it is still valid, and if not, the
        account's state becomes signInNeeded. A provider is asked about an account once a minute at most. Every other
        token changes nothing.
        """
        self._call("ReportRefusedToken", given({"url": url, "accessToken": access_token}), nothing)

    def find_account(self, url: str) -> FindAccountReply:
        """The accounts whose tokens are for this URL, in the order in which they are used: those whose own URL is
        closest, then those whose provider serves it. No token is returned.
        """
        return self._call("FindAccount", given({"url": url}), FindAccountReply._read)

    def get_route(
        self,
        *,
        url: Optional[str] = None,
        provider_id: Optional[str] = None,
        account: Optional[str] = None,
    ) -> GetRouteReply:
        """Where an account's tokens may go, and how a program of the user reaches those servers as the daemon does.
        `url`: one of its URLs; without it the account is named by `provider_id` and `account`, as in GetAccessToken. It
        is answered while the store is closed, too, from the configuration alone.
        """
        return self._call(
            "GetRoute",
            given(
                {
                    "url": url,
                    "providerID": provider_id,
                    "account": account,
                }
            ),
            GetRouteReply._read,
        )

    def import_credential(
        self,
        provider_id: str,
        *,
        refresh_token: Optional[str] = None,
        access_token: Optional[str] = None,
        scopes: Optional[List[str]] = None,
        replace: Optional[bool] = None,
        client_id: Optional[str] = None,
        client_secret: Optional[str] = None,
        resource: Optional[str] = None,
        issuer: Optional[str] = None,
        token_endpoint: Optional[str] = None,
    ) -> StoredCredential:
        """Imports another program's token: either a refresh token for the same client, which is used at once, or an
        access token of whichever client of the provider, which cannot be renewed, and which only that client can
        revoke. It is stored only if the provider says whose it is. This creates a credential and nothing else: no user,
        no sign-in, and no proof that the user is present. `provider_id` may be the name of a configured account, whose
        `login` the token's account must then match. `scopes`: those granted with a refresh token, if the answer has
        none. `replace`: replace a stored credential of the account, and send a refresh token again that the provider
        refused earlier. `client_id`, `client_secret`, `resource`: the client that the token was issued to and what it
        is for, at the server of an [mcp.NAME]. `issuer`, `token_endpoint`: who issued it there, as far as the other
        program knows; it is sent nowhere unless the server names the same.
        """
        return self._call(
            "ImportCredential",
            given(
                {
                    "providerID": provider_id,
                    "refreshToken": refresh_token,
                    "accessToken": access_token,
                    "scopes": scopes,
                    "replace": replace,
                    "clientID": client_id,
                    "clientSecret": client_secret,
                    "resource": resource,
                    "issuer": issuer,
                    "tokenEndpoint": token_endpoint,
                }
            ),
            one("credential", StoredCredential._read),
        )

    def revoke_credential(
        self,
        provider_id: str,
        *,
        uid: Optional[str] = None,
        account: Optional[str] = None,
        keep_grant: Optional[bool] = None,
    ) -> RevokeCredentialReply:
        """Revokes the credential at the provider, if possible, and forgets it here, whoever keeps it. `account` as in
        GetAccessToken. `keep_grant`: forgotten here only.
        """
        return self._call(
            "RevokeCredential",
            given(
                {
                    "providerID": provider_id,
                    "uid": uid,
                    "account": account,
                    "keepGrant": keep_grant,
                }
            ),
            RevokeCredentialReply._read,
        )

    def get_status(self) -> GetStatusReply:
        """The state of the service."""
        return self._call("GetStatus", {}, GetStatusReply._read)

    def reload(self) -> None:
        """Reloads the configuration; after an error the old one stays in effect."""
        self._call("Reload", {}, nothing)

    def lock(self) -> None:
        """Forgets the store's key until Unlock is called."""
        self._call("Lock", {}, nothing)

    def unlock(self, *, passphrase: Optional[str] = None) -> None:
        """Opens the store again."""
        self._call("Unlock", given({"passphrase": passphrase}), nothing)

    def monitor(self) -> Replies[MonitorReply]:
        """With `more` only: events as they happen; they never contain a secret."""
        return self._stream("Monitor", {}, MonitorReply._read)


class AsyncMethods:
    """The methods of the interface: coroutines, and answers as an asynchronous iterator. The parameter `app` is the client's own.

    Of an answer with one member, that is returned.
    """

    app: str

    async def _call(self, method: str, parameters: Mapping[str, object], read: Reader[T]) -> T:
        raise NotImplementedError

    def _stream(self, method: str, parameters: Mapping[str, object], read: Reader[T]) -> AsyncReplies[T]:
        raise NotImplementedError

    async def list_providers(self) -> List[Provider]:
        """The configured providers."""
        return await self._call("ListProviders", {}, one("providers", array(Provider._read)))

    async def check_provider(self, provider_id: str, *, issuer: Optional[str] = None) -> CheckProviderReply:
        """Checks a provider's setup by asking the provider, without the cache: reads its metadata and keys, and checks
        whether it accepts the client ID and secret. Nobody is signed in, and no token is stored. `authorization_url`:
        the page that a sign-in would open. `issuer`: the issuer of an OpenID provider that is not configured yet; only
        its metadata is then read.
        """
        return await self._call(
            "CheckProvider",
            given(
                {
                    "providerID": provider_id,
                    "issuer": issuer,
                }
            ),
            CheckProviderReply._read,
        )

    async def resolve_resource(
        self,
        url: str,
        *,
        challenge: Optional[List[str]] = None,
        name: Optional[str] = None,
    ) -> ResolveResourceReply:
        """What can be found out about the server of a resource, such as an MCP server: what its tokens are for (RFC
        9728), who issues them (RFC 8414), and how Postern is known there. Everything is asked anew, and nothing is
        stored. `challenge`: the values of `WWW-Authenticate` in the server's answer; without it the daemon sends the
        URL a request of its own. `name`: the [mcp.NAME] that is meant, with what it configures. Without it the URL is
        examined as one that is not configured.
        """
        return await self._call(
            "ResolveResource",
            given(
                {
                    "url": url,
                    "challenge": challenge,
                    "name": name,
                }
            ),
            ResolveResourceReply._read,
        )

    def sign_in_events(
        self,
        provider_id: str,
        *,
        intent: Optional[Intent] = None,
        scopes: Optional[List[str]] = None,
        custom_parameters: Optional[Dict[str, str]] = None,
        login_hint: Optional[str] = None,
        flow: Optional[Literal["browser", "device"]] = None,
        presentation: Optional[Literal["daemon", "client"]] = None,
        timeout_seconds: Optional[int] = None,
        confirmation: Optional[str] = None,
        challenge: Optional[List[str]] = None,
        agreed: Optional[AgreedServer] = None,
    ) -> AsyncReplies[SignInEvent]:
        """Signs the user in through a provider, or does what `intent` says instead. An event at every change, the last
        one `completed`. Without it: only the last event. `presentation`: who opens the page. `daemon` (the default)
        opens the user's browser; `client` leaves it to the caller, which learns the URL from the first event.
        """
        return self._stream(
            "SignIn",
            given(
                {
                    "providerID": provider_id,
                    "intent": intent,
                    "app": None if intent == "keep" else self.app,
                    "scopes": scopes,
                    "customParameters": custom_parameters,
                    "loginHint": login_hint,
                    "flow": flow,
                    "presentation": presentation,
                    "timeoutSeconds": timeout_seconds,
                    "confirmation": confirmation,
                    "challenge": challenge,
                    "agreed": None if agreed is None else agreed._json(),
                }
            ),
            one("event", SignInEvent._read),
        )

    async def list_sessions(self) -> List[Session]:
        """The sign-ins in progress, and those that ended within about the last ten minutes."""
        return await self._call("ListSessions", {}, one("sessions", array(Session._read)))

    def attach_session(
        self,
        session_id: str,
        *,
        flow: Optional[Literal["browser", "device"]] = None,
    ) -> AsyncReplies[SignInEvent]:
        """Rejoins a sign-in after a lost connection or a restart of the daemon. An event at every change, as in SignIn.
        Without it: only the last event. A completed result can be fetched until it has been delivered once or has
        expired. `flow`: a way to answer that the sign-in is to have in addition to its own.
        """
        return self._stream(
            "AttachSession",
            given(
                {
                    "sessionID": session_id,
                    "flow": flow,
                }
            ),
            one("event", SignInEvent._read),
        )

    async def cancel_session(self, session_id: str) -> None:
        """Cancels a sign-in for every program that waits for it."""
        await self._call("CancelSession", given({"sessionID": session_id}), nothing)

    async def deliver_redirect(self, url: str) -> str:
        """Delivers a redirect that did not arrive by HTTP: from a custom URL scheme, or pasted by the user."""
        return await self._call("DeliverRedirect", given({"url": url}), one("sessionID", string))

    async def sign_in_with_credential(
        self,
        credential: CredentialInput,
        *,
        intent: Optional[Intent] = None,
    ) -> AuthResult:
        """Signs in, links or reauthenticates with an existing credential."""
        return await self._call(
            "SignInWithCredential",
            given(
                {
                    "credential": credential._json(),
                    "intent": intent,
                    "app": None if intent == "keep" else self.app,
                }
            ),
            one("result", AuthResult._read),
        )

    async def sign_in_anonymously(self) -> AuthResult:
        """Signs in as an anonymous user, who has no account anywhere. Linking an account makes the user permanent, with
        the same `uid`.
        """
        return await self._call("SignInAnonymously", given({"app": self.app}), one("result", AuthResult._read))

    async def create_user(self, email: str, password: str, *, display_name: Optional[str] = None) -> AuthResult:
        """Creates a user with a password, and makes them the app's current user."""
        return await self._call(
            "CreateUser",
            given(
                {
                    "email": email,
                    "password": password,
                    "displayName": display_name,
                    "app": self.app,
                }
            ),
            one("result", AuthResult._read),
        )

    async def get_current_user(self) -> Optional[User]:
        """The app's current user; absent if nobody is signed in."""
        return await self._call("GetCurrentUser", given({"app": self.app}), maybe_one("user", User._read))

    async def update_user(
        self,
        *,
        display_name: Optional[str] = None,
        photo_url: Optional[str] = None,
        email: Optional[str] = None,
        password: Optional[str] = None,
    ) -> User:
        """Changes what is given of the current user. An empty name or photo URL removes the present one. A new address
        or password needs a sign-in within the last five minutes.
        """
        return await self._call(
            "UpdateUser",
            given(
                {
                    "app": self.app,
                    "displayName": display_name,
                    "photoURL": photo_url,
                    "email": email,
                    "password": password,
                }
            ),
            one("user", User._read),
        )

    async def unlink_provider(self, provider_id: str) -> User:
        """Unlinks a provider, or `password`, from the current user. The last one cannot be unlinked."""
        return await self._call(
            "UnlinkProvider",
            given(
                {
                    "providerID": provider_id,
                    "app": self.app,
                }
            ),
            one("user", User._read),
        )

    async def fetch_providers(self, email: str) -> List[str]:
        """The ways to sign in with an address. An empty list does not prove that no user has the address."""
        return await self._call("FetchProviders", given({"email": email}), one("providerIDs", array(string)))

    async def sign_out(self) -> None:
        """Forgets the app's current user; the user and their credentials stay."""
        await self._call("SignOut", given({"app": self.app}), nothing)

    async def delete_user(self) -> None:
        """Deletes the current user and revokes their credentials at the providers. Needs a sign-in within the last five
        minutes.
        """
        await self._call("DeleteUser", given({"app": self.app}), nothing)

    async def get_user_token(self, audience: str) -> GetUserTokenReply:
        """An ID token that tells another local service who the app's current user is. This daemon signs it with its own
        key (ES256); the public key is at /.well-known/jwks.json on the callback listener.
        """
        return await self._call("GetUserToken", given({"audience": audience, "app": self.app}), GetUserTokenReply._read)

    async def enroll_second_factor(
        self,
        factor_id: Literal["totp", "phone"],
        *,
        phone_number: Optional[str] = None,
        display_name: Optional[str] = None,
    ) -> EnrollSecondFactorReply:
        """Begins the enrolment of a second factor: an authenticator app (RFC 6238) or a phone."""
        return await self._call(
            "EnrollSecondFactor",
            given(
                {
                    "factorID": factor_id,
                    "phoneNumber": phone_number,
                    "displayName": display_name,
                    "app": self.app,
                }
            ),
            EnrollSecondFactorReply._read,
        )

    async def confirm_second_factor(self, enrollment_id: str, verification_code: str) -> User:
        """Completes the enrolment with the first code."""
        return await self._call(
            "ConfirmSecondFactor",
            given(
                {
                    "enrollmentID": enrollment_id,
                    "verificationCode": verification_code,
                    "app": self.app,
                }
            ),
            one("user", User._read),
        )

    async def remove_second_factor(self, uid: str) -> User:
        """Removes a second factor from the current user."""
        return await self._call("RemoveSecondFactor", given({"uid": uid, "app": self.app}), one("user", User._read))

    async def start_second_factor(self, resolver: str, uid: str) -> None:
        """Sends a code to a phone among the factors of a SecondFactorRequired error."""
        await self._call("StartSecondFactor", given({"resolver": resolver, "uid": uid}), nothing)

    async def resolve_second_factor(self, resolver: str, uid: str, verification_code: str) -> AuthResult:
        """Completes a sign-in, a link or a reauthentication that requires a second factor."""
        return await self._call(
            "ResolveSecondFactor",
            given(
                {
                    "resolver": resolver,
                    "uid": uid,
                    "verificationCode": verification_code,
                }
            ),
            one("result", AuthResult._read),
        )

    async def list_credentials(self) -> List[StoredCredential]:
        """The stored credentials, without their secrets."""
        return await self._call("ListCredentials", {}, one("credentials", array(StoredCredential._read)))

    async def get_access_token(
        self,
        provider_id: str,
        *,
        uid: Optional[str] = None,
        account: Optional[str] = None,
        scopes: Optional[List[str]] = None,
        resource: Optional[str] = None,
        minimum_validity_seconds: Optional[int] = None,
        force_refresh: Optional[bool] = None,
    ) -> GetAccessTokenReply:
        """A token that is valid for at least `minimum_validity_seconds` (60 if not given), refreshed if needed. `uid`
        chooses one of several accounts at a provider; `account` does so by the account's configured name, its address
        or its user name. `provider_id` may also be the name of a configured account. `resource` is the service that the
        token is for (RFC 8707).
        """
        return await self._call(
            "GetAccessToken",
            given(
                {
                    "providerID": provider_id,
                    "uid": uid,
                    "account": account,
                    "scopes": scopes,
                    "resource": resource,
                    "minimumValiditySeconds": minimum_validity_seconds,
                    "forceRefresh": force_refresh,
                }
            ),
            GetAccessTokenReply._read,
        )

    async def get_id_token(
        self,
        provider_id: str,
        *,
        uid: Optional[str] = None,
        account: Optional[str] = None,
        minimum_validity_seconds: Optional[int] = None,
        force_refresh: Optional[bool] = None,
    ) -> GetIDTokenReply:
        """The account's verified ID token, refreshed if it expires too soon."""
        return await self._call(
            "GetIDToken",
            given(
                {
                    "providerID": provider_id,
                    "uid": uid,
                    "account": account,
                    "minimumValiditySeconds": minimum_validity_seconds,
                    "forceRefresh": force_refresh,
                }
            ),
            GetIDTokenReply._read,
        )

    async def authorize_request(
        self,
        method: str,
        url: str,
        *,
        provider_id: Optional[str] = None,
        account: Optional[str] = None,
        scopes: Optional[List[str]] = None,
        form: Optional[List[FormParameter]] = None,
        dpop_nonce: Optional[str] = None,
        force_refresh: Optional[bool] = None,
        challenge: Optional[List[str]] = None,
    ) -> AuthorizeRequestReply:
        """The header fields that authorize one HTTP request: a bearer token, a DPoP proof (RFC 9449) or an OAuth 1.0a
        signature (RFC 5849). Only for URLs that the account's tokens are for. `form` has the parameters of a form body,
        which OAuth 1.0a signs.
        """
        return await self._call(
            "AuthorizeRequest",
            given(
                {
                    "method": method,
                    "url": url,
                    "providerID": provider_id,
                    "account": account,
                    "scopes": scopes,
                    "form": None if form is None else [item._json() for item in form],
                    "dpopNonce": dpop_nonce,
                    "forceRefresh": force_refresh,
                    "challenge": challenge,
                }
            ),
            AuthorizeRequestReply._read,
        )

    async def report_refused_token(self, url: str, access_token: str) -> None:
        """A server refused this access token at this URL. If it is the token of an account whose tokens are for the
        URL, it is renewed; if nothing can renew it, its provider is asked whether it is still valid, and if not, the
        account's state becomes signInNeeded. A provider is asked about an account once a minute at most. Every other
        token changes nothing.
        """
        await self._call("ReportRefusedToken", given({"url": url, "accessToken": access_token}), nothing)

    async def find_account(self, url: str) -> FindAccountReply:
        """The accounts whose tokens are for this URL, in the order in which they are used: those whose own URL is
        closest, then those whose provider serves it. No token is returned.
        """
        return await self._call("FindAccount", given({"url": url}), FindAccountReply._read)

    async def get_route(
        self,
        *,
        url: Optional[str] = None,
        provider_id: Optional[str] = None,
        account: Optional[str] = None,
    ) -> GetRouteReply:
        """Where an account's tokens may go, and how a program of the user reaches those servers as the daemon does.
        `url`: one of its URLs; without it the account is named by `provider_id` and `account`, as in GetAccessToken. It
        is answered while the store is closed, too, from the configuration alone.
        """
        return await self._call(
            "GetRoute",
            given(
                {
                    "url": url,
                    "providerID": provider_id,
                    "account": account,
                }
            ),
            GetRouteReply._read,
        )

    async def import_credential(
        self,
        provider_id: str,
        *,
        refresh_token: Optional[str] = None,
        access_token: Optional[str] = None,
        scopes: Optional[List[str]] = None,
        replace: Optional[bool] = None,
        client_id: Optional[str] = None,
        client_secret: Optional[str] = None,
        resource: Optional[str] = None,
        issuer: Optional[str] = None,
        token_endpoint: Optional[str] = None,
    ) -> StoredCredential:
        """Imports another program's token: either a refresh token for the same client, which is used at once, or an
        access token of whichever client of the provider, which cannot be renewed, and which only that client can
        revoke. It is stored only if the provider says whose it is. This creates a credential and nothing else: no user,
        no sign-in, and no proof that the user is present. `provider_id` may be the name of a configured account, whose
        `login` the token's account must then match. `scopes`: those granted with a refresh token, if the answer has
        none. `replace`: replace a stored credential of the account, and send a refresh token again that the provider
        refused earlier. `client_id`, `client_secret`, `resource`: the client that the token was issued to and what it
        is for, at the server of an [mcp.NAME]. `issuer`, `token_endpoint`: who issued it there, as far as the other
        program knows; it is sent nowhere unless the server names the same.
        """
        return await self._call(
            "ImportCredential",
            given(
                {
                    "providerID": provider_id,
                    "refreshToken": refresh_token,
                    "accessToken": access_token,
                    "scopes": scopes,
                    "replace": replace,
                    "clientID": client_id,
                    "clientSecret": client_secret,
                    "resource": resource,
                    "issuer": issuer,
                    "tokenEndpoint": token_endpoint,
                }
            ),
            one("credential", StoredCredential._read),
        )

    async def revoke_credential(
        self,
        provider_id: str,
        *,
        uid: Optional[str] = None,
        account: Optional[str] = None,
        keep_grant: Optional[bool] = None,
    ) -> RevokeCredentialReply:
        """Revokes the credential at the provider, if possible, and forgets it here, whoever keeps it. `account` as in
        GetAccessToken. `keep_grant`: forgotten here only.
        """
        return await self._call(
            "RevokeCredential",
            given(
                {
                    "providerID": provider_id,
                    "uid": uid,
                    "account": account,
                    "keepGrant": keep_grant,
                }
            ),
            RevokeCredentialReply._read,
        )

    async def get_status(self) -> GetStatusReply:
        """The state of the service."""
        return await self._call("GetStatus", {}, GetStatusReply._read)

    async def reload(self) -> None:
        """Reloads the configuration; after an error the old one stays in effect."""
        await self._call("Reload", {}, nothing)

    async def lock(self) -> None:
        """Forgets the store's key until Unlock is called."""
        await self._call("Lock", {}, nothing)

    async def unlock(self, *, passphrase: Optional[str] = None) -> None:
        """Opens the store again."""
        await self._call("Unlock", given({"passphrase": passphrase}), nothing)

    def monitor(self) -> AsyncReplies[MonitorReply]:
        """With `more` only: events as they happen; they never contain a secret."""
        return self._stream("Monitor", {}, MonitorReply._read)
