"""Generated from io.postern.varlink: change that, then run packaging/python/generate.py."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, List, Literal, Mapping, Optional, Type

from ._errors import ReplyError
from ._values import array, boolean, given, integer, one_of, optional, record, required, string, structure, table


@dataclass(frozen=True)
class ProviderRefusal:
    """A request of the service that a provider refused."""

    refused_at: str
    message: str
    #: The provider's error code, such as `invalid_client`; absent if it gave none.
    error: Optional[str] = None

    @classmethod
    def _read(cls, value: object, place: str) -> ProviderRefusal:
        members = structure(value, place)
        return cls(
            refused_at=required(members, "refusedAt", string),
            error=optional(members, "error", string),
            message=required(members, "message", string),
        )


@dataclass(frozen=True)
class Provider:
    """A provider that this daemon knows, and whether it can be used."""

    provider_id: str
    display_name: str
    kind: Literal["oauth1", "oauth2", "oidc", "password", "anonymous"]
    flows: List[Literal["browser", "device"]]
    #: Requested if a sign-in names no scopes.
    scopes: List[str]
    #: False while the client ID or a secret that it needs is missing; `problem` says which.
    configured: bool
    #: The URL to register at the provider as the authorization callback URL.
    redirect_uri: Optional[str] = None
    problem: Optional[str] = None
    #: The last refusal since the service started, unless something succeeded there afterwards.
    last_refusal: Optional[ProviderRefusal] = None
    #: False if the provider says nothing about who signs in. An account there is its name: its `uid` is the name
    #: under which the sign-in was, and whoever signs in under it takes its place. No user of an app can be signed
    #: in.
    names_people: Optional[bool] = None

    @classmethod
    def _read(cls, value: object, place: str) -> Provider:
        members = structure(value, place)
        return cls(
            provider_id=required(members, "providerID", string),
            display_name=required(members, "displayName", string),
            kind=required(members, "kind", one_of("oauth1", "oauth2", "oidc", "password", "anonymous")),
            flows=required(members, "flows", array(one_of("browser", "device"))),
            scopes=required(members, "scopes", array(string)),
            redirect_uri=optional(members, "redirectURI", string),
            configured=required(members, "configured", boolean),
            problem=optional(members, "problem", string),
            last_refusal=optional(members, "lastRefusal", ProviderRefusal._read),
            names_people=optional(members, "namesPeople", boolean),
        )


@dataclass(frozen=True)
class ProviderFinding:
    """The result of checking one part of a provider's setup."""

    level: Literal["ok", "warn", "fail"]
    #: What was checked, such as `keys` or `client`.
    title: str
    detail: str
    #: How to fix it.
    advice: Optional[str] = None

    @classmethod
    def _read(cls, value: object, place: str) -> ProviderFinding:
        members = structure(value, place)
        return cls(
            level=required(members, "level", one_of("ok", "warn", "fail")),
            title=required(members, "title", string),
            detail=required(members, "detail", string),
            advice=optional(members, "advice", string),
        )


@dataclass(frozen=True)
class CheckProviderReply:
    """What `CheckProvider` answers."""

    findings: List[ProviderFinding]
    authorization_url: Optional[str] = None

    @classmethod
    def _read(cls, value: object, place: str) -> CheckProviderReply:
        members = structure(value, place)
        return cls(
            findings=required(members, "findings", array(ProviderFinding._read)),
            authorization_url=optional(members, "authorizationURL", string),
        )


@dataclass(frozen=True)
class ResolveResourceReply:
    """What `ResolveResource` answers."""

    #: What a sign-in requests.
    scopes: List[str]
    #: The client: one of the configuration, the client document, one that the issuer registers, or none.
    registration: Literal["configured", "document", "dynamic", "none"]
    signed_in: bool
    findings: List[ProviderFinding]
    #: As it is sent to the issuer (RFC 8707); absent if none is.
    resource: Optional[str] = None
    #: The name of its [mcp.NAME] in the configuration, which has exactly this URL.
    name: Optional[str] = None
    issuer: Optional[str] = None
    #: Other hosts than the issuer's own at which it has endpoints: it is not used before the user agrees to each
    #: (`endpoint-hosts` of [mcp.NAME]). Absent if there are none, or if one is another issuer's, so that nobody can
    #: agree to it.
    endpoint_hosts: Optional[List[str]] = None

    @classmethod
    def _read(cls, value: object, place: str) -> ResolveResourceReply:
        members = structure(value, place)
        return cls(
            resource=optional(members, "resource", string),
            name=optional(members, "name", string),
            issuer=optional(members, "issuer", string),
            endpoint_hosts=optional(members, "endpointHosts", array(string)),
            scopes=required(members, "scopes", array(string)),
            registration=required(members, "registration", one_of("configured", "document", "dynamic", "none")),
            signed_in=required(members, "signedIn", boolean),
            findings=required(members, "findings", array(ProviderFinding._read)),
        )


#: What to do with the credential once the provider has issued it: signIn creates or finds the local user; link
#: adds it to the app's current user; reauthenticate proves that the current user is still present; credential
#: only returns it; keep stores it as an account of the person, and concerns no user of any app.
#: SignInWithCredential does not take keep.
Intent = Literal["signIn", "link", "reauthenticate", "credential", "keep"]


def read_intent(value: object, place: str) -> Intent:
    words: List[Intent] = ["signIn", "link", "reauthenticate", "credential", "keep"]
    return one_of(*words)(value, place)


@dataclass(frozen=True)
class SignInEvent:
    """The state of a sign-in; the last event is `completed`."""

    session_id: str
    state: Literal["authorizationPending", "exchanging", "completed"]
    #: When the sign-in times out.
    expires_at: str
    #: Browser flow: the page to open.
    authorization_url: Optional[str] = None
    #: Why no browser shows the page, if the daemon should have opened it.
    page_problem: Optional[str] = None
    #: Device flow (RFC 8628): the page and the code to show.
    verification_uri: Optional[str] = None
    verification_uri_complete: Optional[str] = None
    user_code: Optional[str] = None
    #: After a challenge: the scopes that are asked for, to be shown before the page is opened.
    scopes: Optional[List[str]] = None
    #: Completed: the credential and, unless the intent was `credential`, the result. After `keep`, the account and
    #: nothing else.
    credential: Optional[Credential] = None
    result: Optional[AuthResult] = None
    account: Optional[StoredCredential] = None

    @classmethod
    def _read(cls, value: object, place: str) -> SignInEvent:
        members = structure(value, place)
        return cls(
            session_id=required(members, "sessionID", string),
            state=required(members, "state", one_of("authorizationPending", "exchanging", "completed")),
            expires_at=required(members, "expiresAt", string),
            authorization_url=optional(members, "authorizationURL", string),
            page_problem=optional(members, "pageProblem", string),
            verification_uri=optional(members, "verificationURI", string),
            verification_uri_complete=optional(members, "verificationURIComplete", string),
            user_code=optional(members, "userCode", string),
            scopes=optional(members, "scopes", array(string)),
            credential=optional(members, "credential", Credential._read),
            result=optional(members, "result", AuthResult._read),
            account=optional(members, "account", StoredCredential._read),
        )


@dataclass(frozen=True)
class AgreedServer:
    """What the user was shown of an MCP server, and agreed to: as ResolveResource said it."""

    issuer: str
    #: The hosts at which the issuer may have endpoints, besides its own.
    endpoint_hosts: List[str]
    scopes: List[str]
    resource: Optional[str] = None

    @classmethod
    def _read(cls, value: object, place: str) -> AgreedServer:
        members = structure(value, place)
        return cls(
            issuer=required(members, "issuer", string),
            resource=optional(members, "resource", string),
            endpoint_hosts=required(members, "endpointHosts", array(string)),
            scopes=required(members, "scopes", array(string)),
        )

    def _json(self) -> Dict[str, object]:
        return given(
            {
                "issuer": self.issuer,
                "resource": self.resource,
                "endpointHosts": self.endpoint_hosts,
                "scopes": self.scopes,
            }
        )


@dataclass(frozen=True)
class Session:
    """A sign-in that is in progress or has just ended."""

    session_id: str
    provider_id: str
    #: The calling program, by the name that it gave itself; empty if the intent is `keep`.
    app: str
    intent: Intent
    state: Literal["authorizationPending", "exchanging", "completed", "failed"]
    started_at: str
    expires_at: str
    #: The account's name in the configuration, if the program gave that in place of the provider's.
    account: Optional[str] = None
    #: Why it failed: the user or the provider declined; it timed out; it was cancelled; the account rules do not
    #: allow it; or there was another reason.
    failure: Optional[Literal["denied", "timedOut", "cancelled", "refused", "other"]] = None
    #: True if it has ended with a result that no program has received: AttachSession gives it, once.
    unfetched: Optional[bool] = None
    #: After a challenge: the scopes that are asked for.
    scopes: Optional[List[str]] = None

    @classmethod
    def _read(cls, value: object, place: str) -> Session:
        members = structure(value, place)
        return cls(
            session_id=required(members, "sessionID", string),
            provider_id=required(members, "providerID", string),
            account=optional(members, "account", string),
            app=required(members, "app", string),
            intent=required(members, "intent", read_intent),
            state=required(members, "state", one_of("authorizationPending", "exchanging", "completed", "failed")),
            failure=optional(members, "failure", one_of("denied", "timedOut", "cancelled", "refused", "other")),
            unfetched=optional(members, "unfetched", boolean),
            started_at=required(members, "startedAt", string),
            expires_at=required(members, "expiresAt", string),
            scopes=optional(members, "scopes", array(string)),
        )


@dataclass(frozen=True)
class Credential:
    """What a provider issued. `handle` represents it in SignInWithCredential; it can be used once, until
    `handle_expires_at`.
    """

    provider_id: str
    sign_in_method: str
    scopes: List[str]
    handle: Optional[str] = field(default=None, repr=False)
    handle_expires_at: Optional[str] = None
    access_token: Optional[str] = field(default=None, repr=False)
    token_type: Optional[str] = None
    #: When the access token expires, if the provider says so.
    expires_at: Optional[str] = None
    #: The token secret of OAuth 1.0a.
    secret: Optional[str] = field(default=None, repr=False)
    id_token: Optional[str] = field(default=None, repr=False)
    #: The nonce; the ID token contains it or its SHA-256 hash.
    raw_nonce: Optional[str] = field(default=None, repr=False)

    @classmethod
    def _read(cls, value: object, place: str) -> Credential:
        members = structure(value, place)
        return cls(
            handle=optional(members, "handle", string),
            handle_expires_at=optional(members, "handleExpiresAt", string),
            provider_id=required(members, "providerID", string),
            sign_in_method=required(members, "signInMethod", string),
            access_token=optional(members, "accessToken", string),
            token_type=optional(members, "tokenType", string),
            expires_at=optional(members, "expiresAt", string),
            scopes=required(members, "scopes", array(string)),
            secret=optional(members, "secret", string),
            id_token=optional(members, "idToken", string),
            raw_nonce=optional(members, "rawNonce", string),
        )


@dataclass(frozen=True)
class CredentialInput:
    """One of: a handle; tokens that the app obtained itself; an email address and a password."""

    handle: Optional[str] = field(default=None, repr=False)
    provider_id: Optional[str] = None
    access_token: Optional[str] = field(default=None, repr=False)
    secret: Optional[str] = field(default=None, repr=False)
    id_token: Optional[str] = field(default=None, repr=False)
    raw_nonce: Optional[str] = field(default=None, repr=False)
    email: Optional[str] = None
    password: Optional[str] = field(default=None, repr=False)

    @classmethod
    def _read(cls, value: object, place: str) -> CredentialInput:
        members = structure(value, place)
        return cls(
            handle=optional(members, "handle", string),
            provider_id=optional(members, "providerID", string),
            access_token=optional(members, "accessToken", string),
            secret=optional(members, "secret", string),
            id_token=optional(members, "idToken", string),
            raw_nonce=optional(members, "rawNonce", string),
            email=optional(members, "email", string),
            password=optional(members, "password", string),
        )

    def _json(self) -> Dict[str, object]:
        return given(
            {
                "handle": self.handle,
                "providerID": self.provider_id,
                "accessToken": self.access_token,
                "secret": self.secret,
                "idToken": self.id_token,
                "rawNonce": self.raw_nonce,
                "email": self.email,
                "password": self.password,
            }
        )


@dataclass(frozen=True)
class ProviderData:
    """What one linked provider says about the user."""

    provider_id: str
    #: The account at the provider.
    uid: str
    display_name: Optional[str] = None
    email: Optional[str] = None
    photo_url: Optional[str] = None

    @classmethod
    def _read(cls, value: object, place: str) -> ProviderData:
        members = structure(value, place)
        return cls(
            provider_id=required(members, "providerID", string),
            uid=required(members, "uid", string),
            display_name=optional(members, "displayName", string),
            email=optional(members, "email", string),
            photo_url=optional(members, "photoURL", string),
        )


@dataclass(frozen=True)
class SecondFactor:
    """A second factor that the user enrolled."""

    factor_id: Literal["totp", "phone"]
    uid: str
    enrolled_at: str
    display_name: Optional[str] = None
    #: Masked, as in "+81 ***-***-1234".
    phone_number: Optional[str] = None

    @classmethod
    def _read(cls, value: object, place: str) -> SecondFactor:
        members = structure(value, place)
        return cls(
            factor_id=required(members, "factorID", one_of("totp", "phone")),
            uid=required(members, "uid", string),
            display_name=optional(members, "displayName", string),
            phone_number=optional(members, "phoneNumber", string),
            enrolled_at=required(members, "enrolledAt", string),
        )


@dataclass(frozen=True)
class User:
    """A local user."""

    #: 28 random characters; not the account at a provider.
    uid: str
    is_anonymous: bool
    email_verified: bool
    provider_data: List[ProviderData]
    second_factors: List[SecondFactor]
    created_at: str
    last_sign_in_at: str
    display_name: Optional[str] = None
    email: Optional[str] = None
    photo_url: Optional[str] = None

    @classmethod
    def _read(cls, value: object, place: str) -> User:
        members = structure(value, place)
        return cls(
            uid=required(members, "uid", string),
            is_anonymous=required(members, "isAnonymous", boolean),
            display_name=optional(members, "displayName", string),
            email=optional(members, "email", string),
            email_verified=required(members, "emailVerified", boolean),
            photo_url=optional(members, "photoURL", string),
            provider_data=required(members, "providerData", array(ProviderData._read)),
            second_factors=required(members, "secondFactors", array(SecondFactor._read)),
            created_at=required(members, "createdAt", string),
            last_sign_in_at=required(members, "lastSignInAt", string),
        )


@dataclass(frozen=True)
class AdditionalUserInfo:
    """What the provider returned beyond the user record."""

    provider_id: str
    is_new_user: bool
    #: The provider's profile document, unchanged.
    profile: Dict[str, Any]
    username: Optional[str] = None

    @classmethod
    def _read(cls, value: object, place: str) -> AdditionalUserInfo:
        members = structure(value, place)
        return cls(
            provider_id=required(members, "providerID", string),
            is_new_user=required(members, "isNewUser", boolean),
            username=optional(members, "username", string),
            profile=required(members, "profile", record),
        )


@dataclass(frozen=True)
class AuthResult:
    """The result of an operation on the current user."""

    user: User
    operation: Literal["signIn", "link", "reauthenticate"]
    credential: Optional[Credential] = None
    additional_user_info: Optional[AdditionalUserInfo] = None

    @classmethod
    def _read(cls, value: object, place: str) -> AuthResult:
        members = structure(value, place)
        return cls(
            user=required(members, "user", User._read),
            credential=optional(members, "credential", Credential._read),
            additional_user_info=optional(members, "additionalUserInfo", AdditionalUserInfo._read),
            operation=required(members, "operation", one_of("signIn", "link", "reauthenticate")),
        )


@dataclass(frozen=True)
class GetUserTokenReply:
    """What `GetUserToken` answers."""

    id_token: str = field(repr=False)
    expires_at: str

    @classmethod
    def _read(cls, value: object, place: str) -> GetUserTokenReply:
        members = structure(value, place)
        return cls(
            id_token=required(members, "idToken", string),
            expires_at=required(members, "expiresAt", string),
        )


@dataclass(frozen=True)
class EnrollSecondFactorReply:
    """What `EnrollSecondFactor` answers."""

    enrollment_id: str = field(repr=False)
    secret: Optional[str] = field(default=None, repr=False)
    provisioning_uri: Optional[str] = field(default=None, repr=False)

    @classmethod
    def _read(cls, value: object, place: str) -> EnrollSecondFactorReply:
        members = structure(value, place)
        return cls(
            enrollment_id=required(members, "enrollmentID", string),
            secret=optional(members, "secret", string),
            provisioning_uri=optional(members, "provisioningURI", string),
        )


#: good: tokens are available without the user. endsSoon: they will not be for much longer; `ends_at` says until
#: when. signInNeeded: the user must sign in; `reason` says why. A temporary failure is never the reason.
CredentialState = Literal["good", "endsSoon", "signInNeeded"]


def read_credential_state(value: object, place: str) -> CredentialState:
    words: List[CredentialState] = ["good", "endsSoon", "signInNeeded"]
    return one_of(*words)(value, place)


@dataclass(frozen=True)
class StoredCredential:
    """A credential in the store, without its secrets."""

    provider_id: str
    #: The account at the provider.
    uid: str
    scopes: List[str]
    #: True if a new access token can be obtained without the user.
    refreshable: bool
    state: CredentialState
    display_name: Optional[str] = None
    email: Optional[str] = None
    #: The name of its [account.NAME] in the configuration.
    account: Optional[str] = None
    #: When the access token expires, if it does.
    expires_at: Optional[str] = None
    #: When the credential expires, if that is known and near.
    ends_at: Optional[str] = None
    reason: Optional[str] = None
    #: For an account of the person's whose access token expires, and that has no refresh token: what would bring
    #: one.
    renewal_advice: Optional[str] = None
    #: Who keeps it: apps whose users have it, by name; the empty name is the person.
    kept_by: Optional[List[str]] = None

    @classmethod
    def _read(cls, value: object, place: str) -> StoredCredential:
        members = structure(value, place)
        return cls(
            provider_id=required(members, "providerID", string),
            uid=required(members, "uid", string),
            display_name=optional(members, "displayName", string),
            email=optional(members, "email", string),
            account=optional(members, "account", string),
            scopes=required(members, "scopes", array(string)),
            expires_at=optional(members, "expiresAt", string),
            refreshable=required(members, "refreshable", boolean),
            state=required(members, "state", read_credential_state),
            ends_at=optional(members, "endsAt", string),
            reason=optional(members, "reason", string),
            renewal_advice=optional(members, "renewalAdvice", string),
            kept_by=optional(members, "keptBy", array(string)),
        )


@dataclass(frozen=True)
class GetAccessTokenReply:
    """What `GetAccessToken` answers."""

    access_token: str = field(repr=False)
    token_type: str
    scopes: List[str]
    uid: str
    secret: Optional[str] = field(default=None, repr=False)
    expires_at: Optional[str] = None

    @classmethod
    def _read(cls, value: object, place: str) -> GetAccessTokenReply:
        members = structure(value, place)
        return cls(
            access_token=required(members, "accessToken", string),
            token_type=required(members, "tokenType", string),
            secret=optional(members, "secret", string),
            expires_at=optional(members, "expiresAt", string),
            scopes=required(members, "scopes", array(string)),
            uid=required(members, "uid", string),
        )


@dataclass(frozen=True)
class GetIDTokenReply:
    """What `GetIDToken` answers."""

    id_token: str = field(repr=False)
    expires_at: str
    uid: str

    @classmethod
    def _read(cls, value: object, place: str) -> GetIDTokenReply:
        members = structure(value, place)
        return cls(
            id_token=required(members, "idToken", string),
            expires_at=required(members, "expiresAt", string),
            uid=required(members, "uid", string),
        )


@dataclass(frozen=True)
class FormParameter:
    """One parameter of a form body."""

    name: str
    value: str

    @classmethod
    def _read(cls, value: object, place: str) -> FormParameter:
        members = structure(value, place)
        return cls(
            name=required(members, "name", string),
            value=required(members, "value", string),
        )

    def _json(self) -> Dict[str, object]:
        return given(
            {
                "name": self.name,
                "value": self.value,
            }
        )


@dataclass(frozen=True)
class AuthorizeRequestReply:
    """What `AuthorizeRequest` answers."""

    headers: Dict[str, str] = field(repr=False)
    provider_id: str
    uid: str
    expires_at: Optional[str] = None

    @classmethod
    def _read(cls, value: object, place: str) -> AuthorizeRequestReply:
        members = structure(value, place)
        return cls(
            headers=required(members, "headers", table(string)),
            expires_at=optional(members, "expiresAt", string),
            provider_id=required(members, "providerID", string),
            uid=required(members, "uid", string),
        )


@dataclass(frozen=True)
class ServedAccount:
    """An account whose tokens are for a URL."""

    provider_id: str
    #: The configured URL that matched.
    prefix: str
    signed_in: bool
    #: 1 for the closest; accounts of one rank are equally close.
    rank: int
    #: The account at the provider; absent if nobody has signed in.
    uid: Optional[str] = None
    #: The name of its [account.NAME] in the configuration.
    account: Optional[str] = None
    display_name: Optional[str] = None
    #: True if the URL is built into Postern, and `serves` names none that is closer.
    built_in: Optional[bool] = None

    @classmethod
    def _read(cls, value: object, place: str) -> ServedAccount:
        members = structure(value, place)
        return cls(
            provider_id=required(members, "providerID", string),
            uid=optional(members, "uid", string),
            account=optional(members, "account", string),
            display_name=optional(members, "displayName", string),
            prefix=required(members, "prefix", string),
            built_in=optional(members, "builtIn", boolean),
            signed_in=required(members, "signedIn", boolean),
            rank=required(members, "rank", integer),
        )


@dataclass(frozen=True)
class FindAccountReply:
    """What `FindAccount` answers."""

    accounts: List[ServedAccount]
    #: Configured URLs on the same host that do not cover this one.
    near: Optional[List[str]] = None
    #: Why no account is used unless it is named: nothing is for this URL, though something comes close, or several
    #: are equally close.
    reason: Optional[str] = None

    @classmethod
    def _read(cls, value: object, place: str) -> FindAccountReply:
        members = structure(value, place)
        return cls(
            accounts=required(members, "accounts", array(ServedAccount._read)),
            near=optional(members, "near", array(string)),
            reason=optional(members, "reason", string),
        )


@dataclass(frozen=True)
class GetRouteReply:
    """What `GetRoute` answers."""

    provider_id: str
    #: The URLs that its tokens are for; the closest to `url` first.
    urls: List[str]
    #: True for an [mcp.NAME].
    is_mcp: bool
    #: The name of its [account.NAME] in the configuration.
    account: Optional[str] = None
    #: The certificates of the provider's `ca-file`, in PEM.
    authorities: Optional[str] = None
    #: As in the daemon's environment: https_proxy, all_proxy and no_proxy, without the names.
    https_proxy: Optional[str] = field(default=None, repr=False)
    all_proxy: Optional[str] = field(default=None, repr=False)
    no_proxy: Optional[str] = None

    @classmethod
    def _read(cls, value: object, place: str) -> GetRouteReply:
        members = structure(value, place)
        return cls(
            provider_id=required(members, "providerID", string),
            account=optional(members, "account", string),
            urls=required(members, "urls", array(string)),
            is_mcp=required(members, "isMCP", boolean),
            authorities=optional(members, "authorities", string),
            https_proxy=optional(members, "httpsProxy", string),
            all_proxy=optional(members, "allProxy", string),
            no_proxy=optional(members, "noProxy", string),
        )


@dataclass(frozen=True)
class RevokeCredentialReply:
    """What `RevokeCredential` answers."""

    revoked_at_provider: bool
    #: If it was not revoked: true if the provider has no way to revoke it, false if the provider refused or could
    #: not be reached.
    has_no_way: Optional[bool] = None
    #: Why the provider did not revoke it.
    reason: Optional[str] = None
    #: The apps whose users had it, too.
    apps: Optional[List[str]] = None

    @classmethod
    def _read(cls, value: object, place: str) -> RevokeCredentialReply:
        members = structure(value, place)
        return cls(
            revoked_at_provider=required(members, "revokedAtProvider", boolean),
            has_no_way=optional(members, "hasNoWay", boolean),
            reason=optional(members, "reason", string),
            apps=optional(members, "apps", array(string)),
        )


@dataclass(frozen=True)
class GetStatusReply:
    """What `GetStatus` answers."""

    version: str
    started_at: str
    #: The addresses where redirects are received.
    callback_urls: List[str]
    locked: bool
    #: Sign-ins in progress.
    sessions: int
    #: Absent while the store is locked or cannot be read.
    users: Optional[int] = None
    credentials: Optional[int] = None
    #: The configuration file that is read; config.d is in the same directory.
    configuration_file: Optional[str] = None
    #: The directory of the store.
    state_directory: Optional[str] = None
    #: Why the store cannot be opened; absent if it is open or locked.
    store_problem: Optional[str] = None
    #: What else keeps the service from doing everything that is configured, one sentence each.
    problems: Optional[List[str]] = None
    #: True if the service's executable was replaced or removed after it started: the next start runs another one.
    replaced: Optional[bool] = None
    #: What is left out of the configuration because of a mistake in a file of the administrator's or of a package's,
    #: one sentence each. The rest is in effect.
    left_out: Optional[List[str]] = None

    @classmethod
    def _read(cls, value: object, place: str) -> GetStatusReply:
        members = structure(value, place)
        return cls(
            version=required(members, "version", string),
            started_at=required(members, "startedAt", string),
            callback_urls=required(members, "callbackURLs", array(string)),
            locked=required(members, "locked", boolean),
            sessions=required(members, "sessions", integer),
            users=optional(members, "users", integer),
            credentials=optional(members, "credentials", integer),
            configuration_file=optional(members, "configurationFile", string),
            state_directory=optional(members, "stateDirectory", string),
            store_problem=optional(members, "storeProblem", string),
            problems=optional(members, "problems", array(string)),
            replaced=optional(members, "replaced", boolean),
            left_out=optional(members, "leftOut", array(string)),
        )


@dataclass(frozen=True)
class MonitorReply:
    """What `Monitor` answers."""

    time: str
    kind: str
    message: str
    session_id: Optional[str] = None
    provider_id: Optional[str] = None
    uid: Optional[str] = None
    app: Optional[str] = None

    @classmethod
    def _read(cls, value: object, place: str) -> MonitorReply:
        members = structure(value, place)
        return cls(
            time=required(members, "time", string),
            kind=required(members, "kind", string),
            session_id=optional(members, "sessionID", string),
            provider_id=optional(members, "providerID", string),
            uid=optional(members, "uid", string),
            app=optional(members, "app", string),
            message=required(members, "message", string),
        )


class ProviderNotFound(ReplyError):
    """Code: 17071 (invalidProviderID)."""

    error_name = "io.postern.ProviderNotFound"
    provider_id: str

    def _take(self, members: Mapping[str, object]) -> None:
        self.provider_id = required(members, "providerID", string)


class ProviderNotConfigured(ReplyError):
    """Code: 17006 (operationNotAllowed)."""

    error_name = "io.postern.ProviderNotConfigured"
    provider_id: str

    def _take(self, members: Mapping[str, object]) -> None:
        self.provider_id = required(members, "providerID", string)


class ServerChanged(ReplyError):
    """An MCP server or its issuer is not, or not any more, as the user agreed to it (`agreed` of SignIn). Nothing was
    sent there: show it anew (ResolveResource), and ask again.
    """

    error_name = "io.postern.ServerChanged"
    provider_id: str

    def _take(self, members: Mapping[str, object]) -> None:
        self.provider_id = required(members, "providerID", string)


class ProviderUnreachable(ReplyError):
    """Code: 17020 (networkError)."""

    error_name = "io.postern.ProviderUnreachable"
    provider_id: str

    def _take(self, members: Mapping[str, object]) -> None:
        self.provider_id = required(members, "providerID", string)


class ReservedParameter(ReplyError):
    """`ReservedParameter` of the interface."""

    error_name = "io.postern.ReservedParameter"
    name: str

    def _take(self, members: Mapping[str, object]) -> None:
        self.name = required(members, "name", string)


class UnsupportedFlow(ReplyError):
    """`UnsupportedFlow` of the interface."""

    error_name = "io.postern.UnsupportedFlow"
    provider_id: str
    flow: str

    def _take(self, members: Mapping[str, object]) -> None:
        self.provider_id = required(members, "providerID", string)
        self.flow = required(members, "flow", string)


class SessionNotFound(ReplyError):
    """`SessionNotFound` of the interface."""

    error_name = "io.postern.SessionNotFound"


class TooManySessions(ReplyError):
    """Code: 17010 (tooManyRequests)."""

    error_name = "io.postern.TooManySessions"
    limit: int

    def _take(self, members: Mapping[str, object]) -> None:
        self.limit = required(members, "limit", integer)


class SignInDenied(ReplyError):
    """Code: 17063 (webSignInUserInteractionFailure), or by `error` 17058 (webContextCancelled), 17060 (invalidClientID)
    or 17062 (webInternalError).
    """

    error_name = "io.postern.SignInDenied"
    provider_id: str
    error: str
    error_description: Optional[str]

    def _take(self, members: Mapping[str, object]) -> None:
        self.provider_id = required(members, "providerID", string)
        self.error = required(members, "error", string)
        self.error_description = optional(members, "errorDescription", string)


class SignInTimedOut(ReplyError):
    """`SignInTimedOut` of the interface."""

    error_name = "io.postern.SignInTimedOut"
    session_id: str

    def _take(self, members: Mapping[str, object]) -> None:
        self.session_id = required(members, "sessionID", string)


class SignInCancelled(ReplyError):
    """Code: 17058 (webContextCancelled)."""

    error_name = "io.postern.SignInCancelled"
    session_id: str

    def _take(self, members: Mapping[str, object]) -> None:
        self.session_id = required(members, "sessionID", string)


class ExchangeFailed(ReplyError):
    """The provider refused the code, or its answer was invalid. Code: 17004 (invalidCredential)."""

    error_name = "io.postern.ExchangeFailed"
    provider_id: str
    error: Optional[str]
    error_description: Optional[str]

    def _take(self, members: Mapping[str, object]) -> None:
        self.provider_id = required(members, "providerID", string)
        self.error = optional(members, "error", string)
        self.error_description = optional(members, "errorDescription", string)


class InvalidIDToken(ReplyError):
    """Code: 17004 (invalidCredential), or 17094 (missingOrInvalidNonce)."""

    error_name = "io.postern.InvalidIDToken"
    provider_id: str
    reason: str

    def _take(self, members: Mapping[str, object]) -> None:
        self.provider_id = required(members, "providerID", string)
        self.reason = required(members, "reason", string)


class RedirectNotRecognised(ReplyError):
    """`RedirectNotRecognised` of the interface."""

    error_name = "io.postern.RedirectNotRecognised"


class InvalidCredential(ReplyError):
    """Code: 17004 (invalidCredential)."""

    error_name = "io.postern.InvalidCredential"


class AccountExistsWithDifferentCredential(ReplyError):
    """Code: 17012 (accountExistsWithDifferentCredential)."""

    error_name = "io.postern.AccountExistsWithDifferentCredential"
    email: str
    provider_ids: List[str]
    credential: Credential

    def _take(self, members: Mapping[str, object]) -> None:
        self.email = required(members, "email", string)
        self.provider_ids = required(members, "providerIDs", array(string))
        self.credential = required(members, "credential", Credential._read)


class CredentialAlreadyInUse(ReplyError):
    """Code: 17025 (credentialAlreadyInUse)."""

    error_name = "io.postern.CredentialAlreadyInUse"
    email: Optional[str]
    credential: Credential

    def _take(self, members: Mapping[str, object]) -> None:
        self.email = optional(members, "email", string)
        self.credential = required(members, "credential", Credential._read)


class AccountNotConfirmed(ReplyError):
    """The sign-in was under the name of an account with a `login`, and the provider does not say whether this is the
    account that the login means. `account`: what it is called; `uid`: its identifier at the provider. If the person
    says that it is theirs, sign in with the credential, or, after `keep`, with its handle as `confirmation`: from then
    on no other account can sign in under the name.
    """

    error_name = "io.postern.AccountNotConfirmed"
    account: str
    uid: str
    credential: Credential

    def _take(self, members: Mapping[str, object]) -> None:
        self.account = required(members, "account", string)
        self.uid = required(members, "uid", string)
        self.credential = required(members, "credential", Credential._read)


class EmailAlreadyInUse(ReplyError):
    """Code: 17007 (emailAlreadyInUse)."""

    error_name = "io.postern.EmailAlreadyInUse"
    email: str

    def _take(self, members: Mapping[str, object]) -> None:
        self.email = required(members, "email", string)


class ProviderAlreadyLinked(ReplyError):
    """Code: 17015 (providerAlreadyLinked)."""

    error_name = "io.postern.ProviderAlreadyLinked"
    provider_id: str

    def _take(self, members: Mapping[str, object]) -> None:
        self.provider_id = required(members, "providerID", string)


class NoSuchProvider(ReplyError):
    """Code: 17016 (noSuchProvider)."""

    error_name = "io.postern.NoSuchProvider"
    provider_id: str

    def _take(self, members: Mapping[str, object]) -> None:
        self.provider_id = required(members, "providerID", string)


class NoCurrentUser(ReplyError):
    """Code: 17067 (nullUser)."""

    error_name = "io.postern.NoCurrentUser"
    app: str

    def _take(self, members: Mapping[str, object]) -> None:
        self.app = required(members, "app", string)


class UserNotFound(ReplyError):
    """Code: 17011 (userNotFound)."""

    error_name = "io.postern.UserNotFound"


class UserMismatch(ReplyError):
    """Code: 17024 (userMismatch)."""

    error_name = "io.postern.UserMismatch"


class InvalidEmail(ReplyError):
    """Code: 17008 (invalidEmail)."""

    error_name = "io.postern.InvalidEmail"


class WeakPassword(ReplyError):
    """Code: 17026 (weakPassword)."""

    error_name = "io.postern.WeakPassword"
    reason: str

    def _take(self, members: Mapping[str, object]) -> None:
        self.reason = required(members, "reason", string)


class WrongPassword(ReplyError):
    """Code: 17009 (wrongPassword)."""

    error_name = "io.postern.WrongPassword"


class RequiresRecentSignIn(ReplyError):
    """Code: 17014 (requiresRecentLogin)."""

    error_name = "io.postern.RequiresRecentSignIn"


class SecondFactorRequired(ReplyError):
    """Code: 17078 (secondFactorRequired)."""

    error_name = "io.postern.SecondFactorRequired"
    resolver: str
    hints: List[SecondFactor]

    def _take(self, members: Mapping[str, object]) -> None:
        self.resolver = required(members, "resolver", string)
        self.hints = required(members, "hints", array(SecondFactor._read))


class SecondFactorAlreadyEnrolled(ReplyError):
    """Code: 17087 (secondFactorAlreadyEnrolled)."""

    error_name = "io.postern.SecondFactorAlreadyEnrolled"


class InvalidVerificationCode(ReplyError):
    """Code: 17044 (invalidVerificationCode)."""

    error_name = "io.postern.InvalidVerificationCode"


class TooManyAttempts(ReplyError):
    """Code: 17010 (tooManyRequests)."""

    error_name = "io.postern.TooManyAttempts"
    retry_after_seconds: int

    def _take(self, members: Mapping[str, object]) -> None:
        self.retry_after_seconds = required(members, "retryAfterSeconds", integer)


class SignInRequired(ReplyError):
    """No token is available without the user: the refresh token is missing, has expired or was refused."""

    error_name = "io.postern.SignInRequired"
    provider_id: str
    reason: str

    def _take(self, members: Mapping[str, object]) -> None:
        self.provider_id = required(members, "providerID", string)
        self.reason = required(members, "reason", string)


class ScopeNotGranted(ReplyError):
    """`ScopeNotGranted` of the interface."""

    error_name = "io.postern.ScopeNotGranted"
    missing: List[str]

    def _take(self, members: Mapping[str, object]) -> None:
        self.missing = required(members, "missing", array(string))


class StepUpRequired(ReplyError):
    """A server wants more scopes or a stronger sign-in than the token has (RFC 6750, RFC 9470): a person must sign in
    again, with the same `challenge`.
    """

    error_name = "io.postern.StepUpRequired"
    provider_id: str
    scopes: List[str]
    acr_values: List[str]
    max_age_seconds: Optional[int]

    def _take(self, members: Mapping[str, object]) -> None:
        self.provider_id = required(members, "providerID", string)
        self.scopes = required(members, "scopes", array(string))
        self.acr_values = required(members, "acrValues", array(string))
        self.max_age_seconds = optional(members, "maxAgeSeconds", integer)


class AmbiguousAccount(ReplyError):
    """`AmbiguousAccount` of the interface."""

    error_name = "io.postern.AmbiguousAccount"
    uids: List[str]

    def _take(self, members: Mapping[str, object]) -> None:
        self.uids = required(members, "uids", array(string))


class CredentialExists(ReplyError):
    """A credential of the account is already stored, or the refresh token was already imported."""

    error_name = "io.postern.CredentialExists"
    provider_id: str
    uid: str

    def _take(self, members: Mapping[str, object]) -> None:
        self.provider_id = required(members, "providerID", string)
        self.uid = required(members, "uid", string)


class OriginNotServed(ReplyError):
    """The account's tokens are not for this URL."""

    error_name = "io.postern.OriginNotServed"
    origin: str

    def _take(self, members: Mapping[str, object]) -> None:
        self.origin = required(members, "origin", string)


class StoreLocked(ReplyError):
    """Code: 17995 (keychainError)."""

    error_name = "io.postern.StoreLocked"


class StoreDamaged(ReplyError):
    """Code: 17995 (keychainError)."""

    error_name = "io.postern.StoreDamaged"


class ConfigurationInvalid(ReplyError):
    """`ConfigurationInvalid` of the interface."""

    error_name = "io.postern.ConfigurationInvalid"
    file: str
    line: Optional[int]

    def _take(self, members: Mapping[str, object]) -> None:
        self.file = required(members, "file", string)
        self.line = optional(members, "line", integer)


class InternalError(ReplyError):
    """Code: 17999 (internalError)."""

    error_name = "io.postern.InternalError"


#: The errors of the interface, by the names that the wire has for them.
ERRORS: Dict[str, Type[ReplyError]] = {
    "io.postern.ProviderNotFound": ProviderNotFound,
    "io.postern.ProviderNotConfigured": ProviderNotConfigured,
    "io.postern.ServerChanged": ServerChanged,
    "io.postern.ProviderUnreachable": ProviderUnreachable,
    "io.postern.ReservedParameter": ReservedParameter,
    "io.postern.UnsupportedFlow": UnsupportedFlow,
    "io.postern.SessionNotFound": SessionNotFound,
    "io.postern.TooManySessions": TooManySessions,
    "io.postern.SignInDenied": SignInDenied,
    "io.postern.SignInTimedOut": SignInTimedOut,
    "io.postern.SignInCancelled": SignInCancelled,
    "io.postern.ExchangeFailed": ExchangeFailed,
    "io.postern.InvalidIDToken": InvalidIDToken,
    "io.postern.RedirectNotRecognised": RedirectNotRecognised,
    "io.postern.InvalidCredential": InvalidCredential,
    "io.postern.AccountExistsWithDifferentCredential": AccountExistsWithDifferentCredential,
    "io.postern.CredentialAlreadyInUse": CredentialAlreadyInUse,
    "io.postern.AccountNotConfirmed": AccountNotConfirmed,
    "io.postern.EmailAlreadyInUse": EmailAlreadyInUse,
    "io.postern.ProviderAlreadyLinked": ProviderAlreadyLinked,
    "io.postern.NoSuchProvider": NoSuchProvider,
    "io.postern.NoCurrentUser": NoCurrentUser,
    "io.postern.UserNotFound": UserNotFound,
    "io.postern.UserMismatch": UserMismatch,
    "io.postern.InvalidEmail": InvalidEmail,
    "io.postern.WeakPassword": WeakPassword,
    "io.postern.WrongPassword": WrongPassword,
    "io.postern.RequiresRecentSignIn": RequiresRecentSignIn,
    "io.postern.SecondFactorRequired": SecondFactorRequired,
    "io.postern.SecondFactorAlreadyEnrolled": SecondFactorAlreadyEnrolled,
    "io.postern.InvalidVerificationCode": InvalidVerificationCode,
    "io.postern.TooManyAttempts": TooManyAttempts,
    "io.postern.SignInRequired": SignInRequired,
    "io.postern.ScopeNotGranted": ScopeNotGranted,
    "io.postern.StepUpRequired": StepUpRequired,
    "io.postern.AmbiguousAccount": AmbiguousAccount,
    "io.postern.CredentialExists": CredentialExists,
    "io.postern.OriginNotServed": OriginNotServed,
    "io.postern.StoreLocked": StoreLocked,
    "io.postern.StoreDamaged": StoreDamaged,
    "io.postern.ConfigurationInvalid": ConfigurationInvalid,
    "io.postern.InternalError": InternalError,
}

__all__ = [
    "AccountExistsWithDifferentCredential",
    "AccountNotConfirmed",
    "AdditionalUserInfo",
    "AgreedServer",
    "AmbiguousAccount",
    "AuthResult",
    "AuthorizeRequestReply",
    "CheckProviderReply",
    "ConfigurationInvalid",
    "Credential",
    "CredentialAlreadyInUse",
    "CredentialExists",
    "CredentialInput",
    "CredentialState",
    "EmailAlreadyInUse",
    "EnrollSecondFactorReply",
    "ExchangeFailed",
    "FindAccountReply",
    "FormParameter",
    "GetAccessTokenReply",
    "GetIDTokenReply",
    "GetRouteReply",
    "GetStatusReply",
    "GetUserTokenReply",
    "Intent",
    "InternalError",
    "InvalidCredential",
    "InvalidEmail",
    "InvalidIDToken",
    "InvalidVerificationCode",
    "MonitorReply",
    "NoCurrentUser",
    "NoSuchProvider",
    "OriginNotServed",
    "Provider",
    "ProviderAlreadyLinked",
    "ProviderData",
    "ProviderFinding",
    "ProviderNotConfigured",
    "ProviderNotFound",
    "ProviderRefusal",
    "ProviderUnreachable",
    "RedirectNotRecognised",
    "RequiresRecentSignIn",
    "ReservedParameter",
    "ResolveResourceReply",
    "RevokeCredentialReply",
    "ScopeNotGranted",
    "SecondFactor",
    "SecondFactorAlreadyEnrolled",
    "SecondFactorRequired",
    "ServedAccount",
    "ServerChanged",
    "Session",
    "SessionNotFound",
    "SignInCancelled",
    "SignInDenied",
    "SignInEvent",
    "SignInRequired",
    "SignInTimedOut",
    "StepUpRequired",
    "StoreDamaged",
    "StoreLocked",
    "StoredCredential",
    "TooManyAttempts",
    "TooManySessions",
    "UnsupportedFlow",
    "User",
    "UserMismatch",
    "UserNotFound",
    "WeakPassword",
    "WrongPassword",
]
