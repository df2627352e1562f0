// Generated from io.postern.varlink: change that, then run `swift run postern-interface-generator`.

extension Interface {
    public static let name = "io.postern"

    /// `io.postern.varlink`, byte for byte: what `org.varlink.service.GetInterfaceDescription` answers.
    ///
    /// A literal and not a resource: a program that speaks the interface needs no file beside it.
    public static let description = #"""
        # Sign-in for the programs of one user, through OAuth and OpenID Connect redirects
        # that arrive on this machine's loopback address.
        #
        # Times are in UTC, in the format of RFC 3339. Every error has a `message`, a sentence for the user,
        # and a `code`, the corresponding Firebase AuthErrorCode number, or 0 if there is none.
        #
        # "Secret:" names the members that must never be logged or shown. "With `more`:" marks the methods that may reply
        # more than once. "Code:" gives the number of an error. "Needs:" says what a method cannot do without: the store, or it
        # should be opened (opening); a provider's client.
        interface io.postern

        # ---- Provider: the providers ----------------------------------------------

        # A request of the service that a provider refused.
        type ProviderRefusal (
          refusedAt: string,
          # The provider's error code, such as `invalid_client`; absent if it gave none.
          error: ?string,
          message: string
        )

        # A provider that this daemon knows, and whether it can be used.
        type Provider (
          providerID: string,
          displayName: string,
          kind: (oauth1, oauth2, oidc, password, anonymous),
          flows: [](browser, device),
          # Requested if a sign-in names no scopes.
          scopes: []string,
          # The URL to register at the provider as the authorization callback URL.
          redirectURI: ?string,
          # False while the client ID or a secret that it needs is missing; `problem` says which.
          configured: bool,
          problem: ?string,
          # The last refusal since the service started, unless something succeeded there afterwards.
          lastRefusal: ?ProviderRefusal,
          # False if the provider says nothing about who signs in. An account there is its name: its `uid` is the name under which
          # the sign-in was, and whoever signs in under it takes its place. No user of an app can be signed in.
          namesPeople: ?bool
        )

        # The configured providers.
        # Needs: client.
        method ListProviders() -> (providers: []Provider)

        # The result of checking one part of a provider's setup.
        type ProviderFinding (
          level: (ok, warn, fail),
          # What was checked, such as `keys` or `client`.
          title: string,
          detail: string,
          # How to fix it.
          advice: ?string
        )

        # Checks a provider's setup by asking the provider, without the cache: reads its metadata and keys, and checks whether
        # it accepts the client ID and secret. Nobody is signed in, and no token is stored.
        # `authorizationURL`: the page that a sign-in would open.
        # `issuer`: the issuer of an OpenID provider that is not configured yet; only its metadata is then read.
        # Needs: client.
        method CheckProvider(providerID: string, issuer: ?string) -> (findings: []ProviderFinding, authorizationURL: ?string)

        # What can be found out about the server of a resource, such as an MCP server: what its tokens are for (RFC 9728), who issues
        # them (RFC 8414), and how Postern is known there. Everything is asked anew, and nothing is stored.
        # `challenge`: the values of `WWW-Authenticate` in the server's answer; without it the daemon sends the URL a request of its own.
        # `name`: the [mcp.NAME] that is meant, with what it configures. Without it the URL is examined as one that is not configured.
        # Needs: client.
        method ResolveResource(url: string, challenge: ?[]string, name: ?string) -> (
          # As it is sent to the issuer (RFC 8707); absent if none is.
          resource: ?string,
          # The name of its [mcp.NAME] in the configuration, which has exactly this URL.
          name: ?string,
          issuer: ?string,
          # Other hosts than the issuer's own at which it has endpoints: it is not used before the user agrees to each (`endpoint-hosts`
          # of [mcp.NAME]). Absent if there are none, or if one is another issuer's, so that nobody can agree to it.
          endpointHosts: ?[]string,
          # What a sign-in requests.
          scopes: []string,
          # The client: one of the configuration, the client document, one that the issuer registers, or none.
          registration: (configured, document, dynamic, none),
          signedIn: bool,
          findings: []ProviderFinding
        )

        # ---- SignIn: signing in ---------------------------------------------------

        # What to do with the credential once the provider has issued it:
        # signIn creates or finds the local user; link adds it to the app's current user;
        # reauthenticate proves that the current user is still present; credential only returns it;
        # keep stores it as an account of the person, and concerns no user of any app. SignInWithCredential does not take keep.
        type Intent (signIn, link, reauthenticate, credential, keep)

        # The state of a sign-in; the last event is `completed`.
        type SignInEvent (
          sessionID: string,
          state: (authorizationPending, exchanging, completed),
          # When the sign-in times out.
          expiresAt: string,
          # Browser flow: the page to open.
          authorizationURL: ?string,
          # Why no browser shows the page, if the daemon should have opened it.
          pageProblem: ?string,
          # Device flow (RFC 8628): the page and the code to show.
          verificationURI: ?string,
          verificationURIComplete: ?string,
          userCode: ?string,
          # After a challenge: the scopes that are asked for, to be shown before the page is opened.
          scopes: ?[]string,
          # Completed: the credential and, unless the intent was `credential`, the result. After `keep`, the account and nothing else.
          credential: ?Credential,
          result: ?AuthResult,
          account: ?StoredCredential
        )

        # What the user was shown of an MCP server, and agreed to: as ResolveResource said it.
        type AgreedServer (
          issuer: string,
          resource: ?string,
          # The hosts at which the issuer may have endpoints, besides its own.
          endpointHosts: []string,
          scopes: []string
        )

        # Signs the user in through a provider, or does what `intent` says instead.
        # With `more`: an event at every change, the last one `completed`. Without it: only the last event.
        # `presentation`: who opens the page. `daemon` (the default) opens the user's browser;
        # `client` leaves it to the caller, which needs `more` to learn the URL.
        # Secret: confirmation.
        # Needs: store, client.
        method SignIn(
          providerID: string,
          # signIn if not given.
          intent: ?Intent,
          # The app whose user this is about; `default` if not given. An error with `keep`.
          app: ?string,
          # Requested instead of the configured scopes; with `keep` beside those that the account has.
          scopes: ?[]string,
          # Additional parameters of the authorization request; names that the protocol uses are refused.
          customParameters: ?[string]string,
          # The account that the program expects: an address or a name.
          loginHint: ?string,
          flow: ?(browser, device),
          presentation: ?(daemon, client),
          # 1 to 3600; 600 if not given.
          timeoutSeconds: ?int,
          # The handle that AccountNotConfirmed gave for the same account: the person says that it is theirs. It is kept, without another page.
          confirmation: ?string,
          # The values of `WWW-Authenticate` with which a server refused a request: the sign-in asks for what they demand besides
          # what the account has. Not with signIn and link. What was refused is not asked for again within ten minutes.
          challenge: ?[]string,
          # At an [mcp.NAME]: nothing is sent to the issuer if the server or the issuer says something else now (ServerChanged).
          agreed: ?AgreedServer
        ) -> (event: SignInEvent)

        # A sign-in that is in progress or has just ended.
        type Session (
          sessionID: string,
          providerID: string,
          # The account's name in the configuration, if the program gave that in place of the provider's.
          account: ?string,
          # The calling program, by the name that it gave itself; empty if the intent is `keep`.
          app: string,
          intent: Intent,
          state: (authorizationPending, exchanging, completed, failed),
          # Why it failed: the user or the provider declined; it timed out; it was cancelled; the account rules do not allow
          # it; or there was another reason.
          failure: ?(denied, timedOut, cancelled, refused, other),
          # True if it has ended with a result that no program has received: AttachSession gives it, once.
          unfetched: ?bool,
          startedAt: string,
          expiresAt: string,
          # After a challenge: the scopes that are asked for.
          scopes: ?[]string
        )

        # The sign-ins in progress, and those that ended within about the last ten minutes.
        # Needs: store.
        method ListSessions() -> (sessions: []Session)

        # Rejoins a sign-in after a lost connection or a restart of the daemon.
        # With `more`: an event at every change, as in SignIn. Without it: only the last event.
        # A completed result can be fetched until it has been delivered once or has expired.
        # `flow`: a way to answer that the sign-in is to have in addition to its own.
        # Needs: store.
        method AttachSession(sessionID: string, flow: ?(browser, device)) -> (event: SignInEvent)

        # Cancels a sign-in for every program that waits for it.
        # Needs: store.
        method CancelSession(sessionID: string) -> ()

        # Delivers a redirect that did not arrive by HTTP: from a custom URL scheme, or pasted by the user.
        # Secret: url.
        # Needs: store.
        method DeliverRedirect(url: string) -> (sessionID: string)

        # ---- SignIn: signing in with a credential ---------------------------------

        # What a provider issued. `handle` represents it in SignInWithCredential; it can be used once, until `handleExpiresAt`.
        # Secret: handle, accessToken, secret, idToken, rawNonce.
        type Credential (
          handle: ?string,
          handleExpiresAt: ?string,
          providerID: string,
          signInMethod: string,
          accessToken: ?string,
          tokenType: ?string,
          # When the access token expires, if the provider says so.
          expiresAt: ?string,
          scopes: []string,
          # The token secret of OAuth 1.0a.
          secret: ?string,
          idToken: ?string,
          # The nonce; the ID token contains it or its SHA-256 hash.
          rawNonce: ?string
        )

        # One of: a handle; tokens that the app obtained itself; an email address and a password.
        # Secret: handle, accessToken, secret, idToken, rawNonce, password.
        type CredentialInput (
          handle: ?string,
          providerID: ?string,
          accessToken: ?string,
          secret: ?string,
          idToken: ?string,
          rawNonce: ?string,
          email: ?string,
          password: ?string
        )

        # What one linked provider says about the user.
        type ProviderData (
          providerID: string,
          # The account at the provider.
          uid: string,
          displayName: ?string,
          email: ?string,
          photoURL: ?string
        )

        # A second factor that the user enrolled.
        type SecondFactor (
          factorID: (totp, phone),
          uid: string,
          displayName: ?string,
          # Masked, as in "+81 ***-***-1234".
          phoneNumber: ?string,
          enrolledAt: string
        )

        # A local user.
        type User (
          # 28 random characters; not the account at a provider.
          uid: string,
          isAnonymous: bool,
          displayName: ?string,
          email: ?string,
          emailVerified: bool,
          photoURL: ?string,
          providerData: []ProviderData,
          secondFactors: []SecondFactor,
          createdAt: string,
          lastSignInAt: string
        )

        # What the provider returned beyond the user record.
        type AdditionalUserInfo (
          providerID: string,
          isNewUser: bool,
          username: ?string,
          # The provider's profile document, unchanged.
          profile: object
        )

        # The result of an operation on the current user.
        type AuthResult (
          user: User,
          credential: ?Credential,
          additionalUserInfo: ?AdditionalUserInfo,
          operation: (signIn, link, reauthenticate)
        )

        # Signs in, links or reauthenticates with an existing credential.
        # Needs: store.
        method SignInWithCredential(credential: CredentialInput, intent: ?Intent, app: ?string) -> (result: AuthResult)

        # ---- Account: users -------------------------------------------------------

        # Signs in as an anonymous user, who has no account anywhere. Linking an account makes the user permanent, with the
        # same `uid`.
        # Needs: store.
        method SignInAnonymously(app: ?string) -> (result: AuthResult)
        # Creates a user with a password, and makes them the app's current user.
        # Secret: password.
        # Needs: store.
        method CreateUser(email: string, password: string, displayName: ?string, app: ?string) -> (result: AuthResult)
        # The app's current user; absent if nobody is signed in.
        # Needs: store.
        method GetCurrentUser(app: ?string) -> (user: ?User)
        # Changes what is given of the current user. An empty name or photo URL removes the present one. A new address or
        # password needs a sign-in within the last five minutes.
        # Secret: password.
        # Needs: store.
        method UpdateUser(app: ?string, displayName: ?string, photoURL: ?string, email: ?string, password: ?string) -> (user: User)
        # Unlinks a provider, or `password`, from the current user. The last one cannot be unlinked.
        # Needs: store.
        method UnlinkProvider(providerID: string, app: ?string) -> (user: User)
        # The ways to sign in with an address. An empty list does not prove that no user has the address.
        # Needs: store.
        method FetchProviders(email: string) -> (providerIDs: []string)
        # Forgets the app's current user; the user and their credentials stay.
        # Needs: store.
        method SignOut(app: ?string) -> ()
        # Deletes the current user and revokes their credentials at the providers. Needs a sign-in within the last five minutes.
        # Needs: store.
        method DeleteUser(app: ?string) -> ()

        # An ID token that tells another local service who the app's current user is. This daemon signs it with its own key
        # (ES256); the public key is at /.well-known/jwks.json on the callback listener.
        # Secret: idToken.
        # Needs: store.
        method GetUserToken(audience: string, app: ?string) -> (idToken: string, expiresAt: string)

        # ---- Account: second factors ----------------------------------------------

        # Begins the enrolment of a second factor: an authenticator app (RFC 6238) or a phone.
        # Secret: enrollmentID, secret, provisioningURI.
        # Needs: store.
        method EnrollSecondFactor(factorID: (totp, phone), phoneNumber: ?string, displayName: ?string, app: ?string)
          -> (enrollmentID: string, secret: ?string, provisioningURI: ?string)
        # Completes the enrolment with the first code.
        # Secret: enrollmentID, verificationCode.
        # Needs: store.
        method ConfirmSecondFactor(enrollmentID: string, verificationCode: string, app: ?string) -> (user: User)
        # Removes a second factor from the current user.
        # Needs: store.
        method RemoveSecondFactor(uid: string, app: ?string) -> (user: User)
        # Sends a code to a phone among the factors of a SecondFactorRequired error.
        # Secret: resolver.
        # Needs: store.
        method StartSecondFactor(resolver: string, uid: string) -> ()
        # Completes a sign-in, a link or a reauthentication that requires a second factor.
        # Secret: resolver, verificationCode.
        # Needs: store.
        method ResolveSecondFactor(resolver: string, uid: string, verificationCode: string) -> (result: AuthResult)

        # ---- Token: access and ID tokens ------------------------------------------

        # good: tokens are available without the user. endsSoon: they will not be for much longer; `endsAt` says until when.
        # signInNeeded: the user must sign in; `reason` says why. A temporary failure is never the reason.
        type CredentialState (good, endsSoon, signInNeeded)

        # A credential in the store, without its secrets.
        type StoredCredential (
          providerID: string,
          # The account at the provider.
          uid: string,
          displayName: ?string,
          email: ?string,
          # The name of its [account.NAME] in the configuration.
          account: ?string,
          scopes: []string,
          # When the access token expires, if it does.
          expiresAt: ?string,
          # True if a new access token can be obtained without the user.
          refreshable: bool,
          state: CredentialState,
          # When the credential expires, if that is known and near.
          endsAt: ?string,
          reason: ?string,
          # For an account of the person's whose access token expires, and that has no refresh token: what would bring one.
          renewalAdvice: ?string,
          # Who keeps it: apps whose users have it, by name; the empty name is the person.
          keptBy: ?[]string
        )

        # The stored credentials, without their secrets.
        # Needs: store.
        method ListCredentials() -> (credentials: []StoredCredential)

        # A token that is valid for at least `minimumValiditySeconds` (60 if not given), refreshed if needed.
        # `uid` chooses one of several accounts at a provider; `account` does so by the account's configured name, its address or its
        # user name. `providerID` may also be the name of a configured account. `resource` is the service that the token is for (RFC 8707).
        # Secret: accessToken, secret.
        # Needs: store, client.
        method GetAccessToken(
          providerID: string,
          uid: ?string,
          account: ?string,
          scopes: ?[]string,
          resource: ?string,
          minimumValiditySeconds: ?int,
          forceRefresh: ?bool
        ) -> (accessToken: string, tokenType: string, secret: ?string, expiresAt: ?string, scopes: []string, uid: string)

        # The account's verified ID token, refreshed if it expires too soon.
        # Secret: idToken.
        # Needs: store, client.
        method GetIDToken(
          providerID: string,
          uid: ?string,
          account: ?string,
          minimumValiditySeconds: ?int,
          forceRefresh: ?bool
        ) -> (idToken: string, expiresAt: string, uid: string)

        # One parameter of a form body.
        type FormParameter (name: string, value: string)

        # The header fields that authorize one HTTP request: a bearer token, a DPoP proof (RFC 9449) or an OAuth 1.0a
        # signature (RFC 5849). Only for URLs that the account's tokens are for. `form` has the parameters of a form body, which OAuth 1.0a signs.
        # Secret: headers.
        # Needs: store, client.
        method AuthorizeRequest(
          method: string,
          url: string,
          providerID: ?string,
          account: ?string,
          scopes: ?[]string,
          form: ?[]FormParameter,
          # The server's `DPoP-Nonce`.
          dpopNonce: ?string,
          # True if the server has just refused the token that was sent.
          forceRefresh: ?bool,
          # The values of `WWW-Authenticate` with which the server refused the last request: the daemon does what they demand (a new
          # token, a proof with the server's nonce), or says what only the user can do.
          challenge: ?[]string
        ) -> (headers: [string]string, expiresAt: ?string, providerID: string, uid: string)

        # A server refused this access token at this URL. If it is the token of an account whose tokens are for the URL, it is renewed; if
        # nothing can renew it, its provider is asked whether it is still valid, and if not, the account's state becomes signInNeeded. A
        # provider is asked about an account once a minute at most. Every other token changes nothing.
        # Secret: accessToken.
        # Needs: store, client.
        method ReportRefusedToken(url: string, accessToken: string) -> ()

        # An account whose tokens are for a URL.
        type ServedAccount (
          providerID: string,
          # The account at the provider; absent if nobody has signed in.
          uid: ?string,
          # The name of its [account.NAME] in the configuration.
          account: ?string,
          displayName: ?string,
          # The configured URL that matched.
          prefix: string,
          # True if the URL is built into Postern, and `serves` names none that is closer.
          builtIn: ?bool,
          signedIn: bool,
          # 1 for the closest; accounts of one rank are equally close.
          rank: int
        )

        # The accounts whose tokens are for this URL, in the order in which they are used: those whose own URL is closest, then those whose
        # provider serves it. No token is returned.
        # Needs: store.
        method FindAccount(url: string) -> (
          accounts: []ServedAccount,
          # Configured URLs on the same host that do not cover this one.
          near: ?[]string,
          # Why no account is used unless it is named: nothing is for this URL, though something comes close, or several are equally close.
          reason: ?string
        )

        # Where an account's tokens may go, and how a program of the user reaches those servers as the daemon does.
        # `url`: one of its URLs; without it the account is named by `providerID` and `account`, as in GetAccessToken. It is answered while the
        # store is closed, too, from the configuration alone.
        # Secret: httpsProxy, allProxy.
        method GetRoute(url: ?string, providerID: ?string, account: ?string) -> (
          providerID: string,
          # The name of its [account.NAME] in the configuration.
          account: ?string,
          # The URLs that its tokens are for; the closest to `url` first.
          urls: []string,
          # True for an [mcp.NAME].
          isMCP: bool,
          # The certificates of the provider's `ca-file`, in PEM.
          authorities: ?string,
          # As in the daemon's environment: https_proxy, all_proxy and no_proxy, without the names.
          httpsProxy: ?string,
          allProxy: ?string,
          noProxy: ?string
        )

        # Imports another program's token: either a refresh token for the same client, which is used at once, or an access token of whichever
        # client of the provider, which cannot be renewed, and which only that client can revoke. It is stored only if the
        # provider says whose it is. This creates a credential and nothing else: no user, no sign-in, and no proof that the user is
        # present. `providerID` may be the name of a configured account, whose `login` the token's account must then match.
        # `scopes`: those granted with a refresh token, if the answer has none. `replace`: replace a stored credential of the account,
        # and send a refresh token again that the provider refused earlier.
        # `clientID`, `clientSecret`, `resource`: the client that the token was issued to and what it is for, at the server of an [mcp.NAME].
        # `issuer`, `tokenEndpoint`: who issued it there, as far as the other program knows; it is sent nowhere unless the server names the same.
        # Secret: refreshToken, accessToken, clientSecret.
        # Needs: store, client.
        method ImportCredential(
          providerID: string,
          refreshToken: ?string,
          accessToken: ?string,
          scopes: ?[]string,
          replace: ?bool,
          clientID: ?string,
          clientSecret: ?string,
          resource: ?string,
          issuer: ?string,
          tokenEndpoint: ?string
        ) -> (credential: StoredCredential)

        # Revokes the credential at the provider, if possible, and forgets it here, whoever keeps it. `account` as in GetAccessToken.
        # `keepGrant`: forgotten here only.
        # Needs: store, client.
        method RevokeCredential(providerID: string, uid: ?string, account: ?string, keepGrant: ?bool) -> (
          revokedAtProvider: bool,
          # If it was not revoked: true if the provider has no way to revoke it, false if the provider refused or could not be reached.
          hasNoWay: ?bool,
          # Why the provider did not revoke it.
          reason: ?string,
          # The apps whose users had it, too.
          apps: ?[]string
        )

        # ---- Service: the service itself ------------------------------------------

        # The state of the service.
        # Needs: opening.
        method GetStatus() -> (
          version: string,
          startedAt: string,
          # The addresses where redirects are received.
          callbackURLs: []string,
          locked: bool,
          # Sign-ins in progress.
          sessions: int,
          # Absent while the store is locked or cannot be read.
          users: ?int,
          credentials: ?int,
          # The configuration file that is read; config.d is in the same directory.
          configurationFile: ?string,
          # The directory of the store.
          stateDirectory: ?string,
          # Why the store cannot be opened; absent if it is open or locked.
          storeProblem: ?string,
          # What else keeps the service from doing everything that is configured, one sentence each.
          problems: ?[]string,
          # True if the service's executable was replaced or removed after it started: the next start runs another one.
          replaced: ?bool,
          # What is left out of the configuration because of a mistake in a file of the administrator's or of a package's, one sentence each. The
          # rest is in effect.
          leftOut: ?[]string
        )
        # Reloads the configuration; after an error the old one stays in effect.
        method Reload() -> ()
        # Forgets the store's key until Unlock is called.
        method Lock() -> ()
        # Opens the store again.
        # Secret: passphrase.
        method Unlock(passphrase: ?string) -> ()
        # With `more` only: events as they happen; they never contain a secret.
        method Monitor() -> (time: string, kind: string, sessionID: ?string, providerID: ?string, uid: ?string, app: ?string, message: string)

        # ---- Errors ---------------------------------------------------------------

        # Code: 17071 (invalidProviderID).
        error ProviderNotFound (code: int, message: string, providerID: string)
        # Code: 17006 (operationNotAllowed).
        error ProviderNotConfigured (code: int, message: string, providerID: string)
        # An MCP server or its issuer is not, or not any more, as the user agreed to it (`agreed` of SignIn). Nothing was sent there: show it
        # anew (ResolveResource), and ask again.
        error ServerChanged (code: int, message: string, providerID: string)
        # Code: 17020 (networkError).
        error ProviderUnreachable (code: int, message: string, providerID: string)
        error ReservedParameter (code: int, message: string, name: string)
        error UnsupportedFlow (code: int, message: string, providerID: string, flow: string)
        error SessionNotFound (code: int, message: string)
        # Code: 17010 (tooManyRequests).
        error TooManySessions (code: int, message: string, limit: int)
        # Code: 17063 (webSignInUserInteractionFailure), or by `error` 17058 (webContextCancelled), 17060 (invalidClientID)
        # or 17062 (webInternalError).
        error SignInDenied (code: int, message: string, providerID: string, error: string, errorDescription: ?string)
        error SignInTimedOut (code: int, message: string, sessionID: string)
        # Code: 17058 (webContextCancelled).
        error SignInCancelled (code: int, message: string, sessionID: string)
        # The provider refused the code, or its answer was invalid.
        # Code: 17004 (invalidCredential).
        error ExchangeFailed (code: int, message: string, providerID: string, error: ?string, errorDescription: ?string)
        # Code: 17004 (invalidCredential), or 17094 (missingOrInvalidNonce).
        error InvalidIDToken (code: int, message: string, providerID: string, reason: string)
        error RedirectNotRecognised (code: int, message: string)
        # Code: 17004 (invalidCredential).
        error InvalidCredential (code: int, message: string)
        # Code: 17012 (accountExistsWithDifferentCredential).
        error AccountExistsWithDifferentCredential (code: int, message: string, email: string, providerIDs: []string, credential: Credential)
        # Code: 17025 (credentialAlreadyInUse).
        error CredentialAlreadyInUse (code: int, message: string, email: ?string, credential: Credential)
        # The sign-in was under the name of an account with a `login`, and the provider does not say whether this is the account that the login means.
        # `account`: what it is called; `uid`: its identifier at the provider. If the person says that it is theirs, sign in with the credential,
        # or, after `keep`, with its handle as `confirmation`: from then on no other account can sign in under the name.
        error AccountNotConfirmed (code: int, message: string, account: string, uid: string, credential: Credential)
        # Code: 17007 (emailAlreadyInUse).
        error EmailAlreadyInUse (code: int, message: string, email: string)
        # Code: 17015 (providerAlreadyLinked).
        error ProviderAlreadyLinked (code: int, message: string, providerID: string)
        # Code: 17016 (noSuchProvider).
        error NoSuchProvider (code: int, message: string, providerID: string)
        # Code: 17067 (nullUser).
        error NoCurrentUser (code: int, message: string, app: string)
        # Code: 17011 (userNotFound).
        error UserNotFound (code: int, message: string)
        # Code: 17024 (userMismatch).
        error UserMismatch (code: int, message: string)
        # Code: 17008 (invalidEmail).
        error InvalidEmail (code: int, message: string)
        # Code: 17026 (weakPassword).
        error WeakPassword (code: int, message: string, reason: string)
        # Code: 17009 (wrongPassword).
        error WrongPassword (code: int, message: string)
        # Code: 17014 (requiresRecentLogin).
        error RequiresRecentSignIn (code: int, message: string)
        # Code: 17078 (secondFactorRequired).
        # Secret: resolver.
        error SecondFactorRequired (code: int, message: string, resolver: string, hints: []SecondFactor)
        # Code: 17087 (secondFactorAlreadyEnrolled).
        error SecondFactorAlreadyEnrolled (code: int, message: string)
        # Code: 17044 (invalidVerificationCode).
        error InvalidVerificationCode (code: int, message: string)
        # Code: 17010 (tooManyRequests).
        error TooManyAttempts (code: int, message: string, retryAfterSeconds: int)
        # No token is available without the user: the refresh token is missing, has expired or was refused.
        error SignInRequired (code: int, message: string, providerID: string, reason: string)
        error ScopeNotGranted (code: int, message: string, missing: []string)
        # A server wants more scopes or a stronger sign-in than the token has (RFC 6750, RFC 9470): a person must sign in again, with the
        # same `challenge`.
        error StepUpRequired (code: int, message: string, providerID: string, scopes: []string, acrValues: []string, maxAgeSeconds: ?int)
        error AmbiguousAccount (code: int, message: string, uids: []string)
        # A credential of the account is already stored, or the refresh token was already imported.
        error CredentialExists (code: int, message: string, providerID: string, uid: string)
        # The account's tokens are not for this URL.
        error OriginNotServed (code: int, message: string, origin: string)
        # Code: 17995 (keychainError).
        error StoreLocked (code: int, message: string)
        # Code: 17995 (keychainError).
        error StoreDamaged (code: int, message: string)
        error ConfigurationInvalid (code: int, message: string, file: string, line: ?int)
        # Code: 17999 (internalError).
        error InternalError (code: int, message: string)

        """#
}
