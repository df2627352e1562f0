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
        # Times are RFC 3339 in UTC. Every error carries `message`, a sentence for the user,
        # and `code`, the matching Firebase AuthErrorCode number, or 0 where there is none.
        #
        # "Secret:" names members that must never be logged or shown. "With `more`:" stands at methods that reply more
        # than once. "Code:" gives the number that an error has.
        interface io.postern

        # ---- Providers ------------------------------------------------------------

        # A provider that this daemon knows, and whether it can be used.
        type Provider (
          providerID: string,
          displayName: string,
          kind: (oauth1, oauth2, oidc, password, anonymous),
          flows: [](browser, device),
          # Requested if a sign-in names none.
          scopes: []string,
          # What to register at the provider as the authorization callback URL.
          redirectURI: ?string,
          # False while the client ID or secret it needs is missing; `problem` says which.
          configured: bool,
          problem: ?string
        )

        # The configured providers.
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

        # Asks the provider itself, without the cache: reads its metadata and keys, and checks whether it accepts the client ID
        # and secret. Signs nobody in and keeps no token.
        # `authorizationURL`: the page that a sign-in would open.
        # `issuer`: of an OpenID provider that is not configured yet; then only the metadata there are read.
        method CheckProvider(providerID: string, issuer: ?string) -> (findings: []ProviderFinding, authorizationURL: ?string)

        # ---- Signing in through a provider ----------------------------------------

        # What to do with the credential once the provider has given it:
        # signIn creates or finds the local user; link adds it to the app's current user;
        # reauthenticate proves that the current user is still present; credential only returns it.
        type Intent (signIn, link, reauthenticate, credential)

        # Where a sign-in stands; the last event is `completed`.
        type SignInEvent (
          sessionID: string,
          state: (authorizationPending, exchanging, completed),
          # When the sign-in times out.
          expiresAt: string,
          # Browser flow: the page to open.
          authorizationURL: ?string,
          # Why no browser shows the page, if the daemon should have opened it.
          pageProblem: ?string,
          # Device flow (RFC 8628): what to show.
          verificationURI: ?string,
          verificationURIComplete: ?string,
          userCode: ?string,
          # Completed: the credential and, unless the intent was `credential`, the result.
          credential: ?Credential,
          result: ?AuthResult
        )

        # With `more`: an event at every change, the last one `completed`. Without: only the last.
        # `presentation`: who opens the page. `daemon` (the default) opens the user's browser;
        # `client` leaves it to the caller, which needs `more` to learn the URL.
        method SignIn(
          providerID: string,
          # signIn if not given.
          intent: ?Intent,
          # The app whose user is meant; `default` if not given.
          app: ?string,
          # Instead of the configured ones.
          scopes: ?[]string,
          # Sent with the authorization request; names that the protocol uses are refused.
          customParameters: ?[string]string,
          # The account that the program expects: an address or a name.
          loginHint: ?string,
          flow: ?(browser, device),
          presentation: ?(daemon, client),
          # 1 to 3600; 600 if not given.
          timeoutSeconds: ?int
        ) -> (event: SignInEvent)

        # A sign-in that is in progress or has just ended.
        type Session (
          sessionID: string,
          providerID: string,
          # The program that asked, by the name it gave itself.
          app: string,
          intent: Intent,
          state: (authorizationPending, exchanging, completed, failed),
          # Why it failed: the user or the provider declined, it timed out, it was cancelled, the account rules do not allow
          # the request; or anything else.
          failure: ?(denied, timedOut, cancelled, refused, other),
          startedAt: string,
          expiresAt: string
        )

        # The sign-ins in progress, and those whose result has not been fetched.
        method ListSessions() -> (sessions: []Session)

        # Rejoins a sign-in after a lost connection or a restart of the daemon.
        # With `more`: an event at every change, as SignIn gives them. Without: only the last.
        # A completed result can be fetched until it has been delivered once or has expired.
        method AttachSession(sessionID: string) -> (event: SignInEvent)

        # Cancels a sign-in for every program that waits for it.
        method CancelSession(sessionID: string) -> ()

        # Delivers a redirect that did not arrive by HTTP: from a custom URL scheme, or pasted by the user.
        # Secret: url.
        method DeliverRedirect(url: string) -> (sessionID: string)

        # ---- Credentials and users ------------------------------------------------

        # What a provider gave. `handle` stands for it in SignInWithCredential, once, until `handleExpiresAt`.
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
          # OAuth 1.0a token secret.
          secret: ?string,
          idToken: ?string,
          # The nonce whose value or SHA-256 the ID token carries.
          rawNonce: ?string
        )

        # One of: a handle; tokens that the app got itself; an email address and a password.
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

        # How an operation on the current user ended.
        type AuthResult (
          user: User,
          credential: ?Credential,
          additionalUserInfo: ?AdditionalUserInfo,
          operation: (signIn, link, reauthenticate)
        )

        # Signs in, links or reauthenticates with an existing credential.
        method SignInWithCredential(credential: CredentialInput, intent: ?Intent, app: ?string) -> (result: AuthResult)
        # A user without an account anywhere; linking makes it permanent, with the same `uid`.
        method SignInAnonymously(app: ?string) -> (result: AuthResult)
        # Creates a user with a password, and makes them the app's current user.
        # Secret: password.
        method CreateUser(email: string, password: string, displayName: ?string, app: ?string) -> (result: AuthResult)
        # The app's current user; absent if nobody is signed in.
        method GetCurrentUser(app: ?string) -> (user: ?User)
        # Changes what is given. An empty name or photo is removed. A new address or password needs a sign-in within the last
        # five minutes.
        # Secret: password.
        method UpdateUser(app: ?string, displayName: ?string, photoURL: ?string, email: ?string, password: ?string) -> (user: User)
        # Unlinks a provider, or `password`, from the current user. The last one stays.
        method UnlinkProvider(providerID: string, app: ?string) -> (user: User)
        # The ways to sign in with an address. An empty list does not prove that it belongs to nobody.
        method FetchProviders(email: string) -> (providerIDs: []string)
        # Forgets the app's current user; the user and their credentials stay.
        method SignOut(app: ?string) -> ()
        # Deletes the current user and revokes their credentials at the providers. Needs a sign-in within the last five minutes.
        method DeleteUser(app: ?string) -> ()

        # An ID token that says who the app's current user is, for another local service: ES256, by this daemon's own
        # key, whose public part is at /.well-known/jwks.json on the callback listener.
        # Secret: idToken.
        method GetUserToken(audience: string, app: ?string) -> (idToken: string, expiresAt: string)

        # ---- Second factors -------------------------------------------------------

        # Begins to enrol a second factor: an authenticator app (RFC 6238) or a phone.
        # Secret: enrollmentID, secret, provisioningURI.
        method EnrollSecondFactor(factorID: (totp, phone), phoneNumber: ?string, displayName: ?string, app: ?string)
          -> (enrollmentID: string, secret: ?string, provisioningURI: ?string)
        # Completes the enrolment with a first code.
        # Secret: enrollmentID, verificationCode.
        method ConfirmSecondFactor(enrollmentID: string, verificationCode: string, app: ?string) -> (user: User)
        # Removes a second factor from the current user.
        method RemoveSecondFactor(uid: string, app: ?string) -> (user: User)
        # Sends the code for a phone factor of a SecondFactorRequired error.
        # Secret: resolver.
        method StartSecondFactor(resolver: string, uid: string) -> ()
        # Completes a sign-in, a link or a reauthentication that asked for a second factor.
        # Secret: resolver, verificationCode.
        method ResolveSecondFactor(resolver: string, uid: string, verificationCode: string) -> (result: AuthResult)

        # ---- Access tokens --------------------------------------------------------

        # good: tokens are available without the user. endsSoon: not for much longer; `endsAt` says until when.
        # signInNeeded: the user must sign in; `reason` says why. Never because of a temporary failure.
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
          # A new access token is available without the user.
          refreshable: bool,
          state: CredentialState,
          # When the credential expires, if that is known and near.
          endsAt: ?string,
          reason: ?string
        )

        # What is stored, without secrets.
        method ListCredentials() -> (credentials: []StoredCredential)

        # A token that is valid for at least `minimumValiditySeconds` (60 if not given), refreshed if needed.
        # `uid` chooses among several accounts at one provider; `account` does so by the account's configured name, its address or its
        # user name. `providerID` may be the name of a configured account as well. `resource` is the service the token is for (RFC 8707).
        # Secret: accessToken, secret.
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
        # signature (RFC 5849). Only for URLs that the account's tokens are for. `form` holds a form body's parameters, which OAuth 1.0a signs.
        # Secret: headers.
        method AuthorizeRequest(
          method: string,
          url: string,
          providerID: ?string,
          account: ?string,
          scopes: ?[]string,
          form: ?[]FormParameter,
          # The server's `DPoP-Nonce`.
          dpopNonce: ?string,
          # The server has just refused the token that was sent.
          forceRefresh: ?bool
        ) -> (headers: [string]string, expiresAt: ?string, providerID: string, uid: string)

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
          # The URL is built into Postern; the user has configured none for it.
          builtIn: ?bool,
          signedIn: bool
        )

        # Whose tokens are for this URL, the closest match first. Gives no token.
        method FindAccount(url: string) -> (accounts: []ServedAccount)

        # Imports a refresh token that another program got for the same client. It is used at once, and stored only if the provider
        # says whose it is. Creates a credential and nothing else: no user, no sign-in, and no proof that the user is present.
        # `providerID` may be the name of a configured account, whose `login` it must then match. `scopes`: the granted ones, if the
        # provider does not say. `replace`: replace a stored credential of the account; a refresh token
        # that the provider refused a while ago is then sent again.
        # Secret: refreshToken.
        method ImportCredential(
          providerID: string,
          refreshToken: string,
          scopes: ?[]string,
          replace: ?bool
        ) -> (credential: StoredCredential)

        # Revokes the credential at the provider, if possible, and forgets it here. `account` as in GetAccessToken.
        method RevokeCredential(providerID: string, uid: ?string, account: ?string) -> (
          revokedAtProvider: bool,
          # If it was not revoked: true if the provider has no way to, false if it refused or could not be reached.
          hasNoWay: ?bool,
          # Why it failed at the provider.
          reason: ?string
        )

        # ---- The service ----------------------------------------------------------

        # The state of the service.
        method GetStatus() -> (
          version: string,
          startedAt: string,
          # Where redirects are received.
          callbackURLs: []string,
          locked: bool,
          # Sign-ins in progress.
          sessions: int,
          # Absent while the store is locked or cannot be read.
          users: ?int,
          credentials: ?int,
          # The configuration file that is read; config.d is beside it.
          configurationFile: ?string,
          # Where the store is.
          stateDirectory: ?string,
          # Why the store cannot be opened; left out if it is open or locked.
          storeProblem: ?string,
          # What else keeps the service from doing everything that is configured, a sentence each.
          problems: ?[]string,
          # True if the service's program was replaced or removed while it runs: the next start takes another one.
          replaced: ?bool
        )
        # Reloads the configuration; on an error the old one stays in force.
        method Reload() -> ()
        # Forgets the key of the store until Unlock.
        method Lock() -> ()
        # Opens the store again.
        # Secret: passphrase.
        method Unlock(passphrase: ?string) -> ()
        # With `more` only: events as they happen (never a secret).
        method Monitor() -> (time: string, kind: string, sessionID: ?string, providerID: ?string, uid: ?string, app: ?string, message: string)

        # ---- Errors ---------------------------------------------------------------

        # Code: 17071 (invalidProviderID).
        error ProviderNotFound (code: int, message: string, providerID: string)
        # Code: 17006 (operationNotAllowed).
        error ProviderNotConfigured (code: int, message: string, providerID: string)
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
        # The provider refused the code, or gave an invalid answer.
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
        # No token is available without the user: the refresh token is missing, expired or was refused.
        error SignInRequired (code: int, message: string, providerID: string, reason: string)
        error ScopeNotGranted (code: int, message: string, missing: []string)
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
