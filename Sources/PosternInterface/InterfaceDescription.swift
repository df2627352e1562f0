/// The interface that these types stand for.
public enum Interface {
    public static let name = "io.postern"

    /// `io.postern.varlink`, byte for byte: what `org.varlink.service.GetInterfaceDescription` answers.
    ///
    /// A literal and not a resource: a program that speaks the interface needs no file beside it. A test holds the two equal.
    public static let description = #"""
        # Sign-in for the programs of one user, through OAuth and OpenID Connect redirects
        # that arrive on this machine's loopback address.
        #
        # Times are RFC 3339 in UTC. Every error carries `message`, a sentence for a person,
        # and `code`, the matching Firebase AuthErrorCode number, or 0 where there is none.
        interface io.postern

        # ---- Providers ------------------------------------------------------------

        type Provider (
          providerID: string,
          displayName: string,
          kind: (oauth1, oauth2, oidc, password, anonymous),
          flows: [](browser, device),
          scopes: []string,
          # What to register at the provider as the authorization callback URL.
          redirectURI: ?string,
          # False while the client ID or secret it needs is missing; `problem` says which.
          configured: bool,
          problem: ?string
        )

        method ListProviders() -> (providers: []Provider)

        # ---- Signing in through a provider ----------------------------------------

        # What to do with the credential once the provider has given it:
        # signIn makes or finds the local user; link adds it to the app's current user;
        # reauthenticate proves the current user is still there; credential only hands it over.
        type Intent (signIn, link, reauthenticate, credential)

        type SignInEvent (
          sessionID: string,
          state: (authorizationPending, exchanging, completed),
          expiresAt: string,
          # Browser flow: the page to open.
          authorizationURL: ?string,
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
          intent: ?Intent,
          app: ?string,
          scopes: ?[]string,
          customParameters: ?[string]string,
          loginHint: ?string,
          flow: ?(browser, device),
          presentation: ?(daemon, client),
          timeoutSeconds: ?int
        ) -> (event: SignInEvent)

        type Session (
          sessionID: string,
          providerID: string,
          app: string,
          intent: Intent,
          state: (authorizationPending, exchanging, completed, failed),
          startedAt: string,
          expiresAt: string
        )

        method ListSessions() -> (sessions: []Session)

        # Takes up a sign-in again after a lost connection or a restarted daemon; replies as SignIn does.
        # A completed result can be fetched until it has been delivered once or has expired.
        method AttachSession(sessionID: string) -> (event: SignInEvent)

        method CancelSession(sessionID: string) -> ()

        # Hands over a redirect that came by another way than HTTP: a custom URL scheme, or pasted by hand.
        method DeliverRedirect(url: string) -> (sessionID: string)

        # ---- Credentials and users ------------------------------------------------

        # What a provider gave. `handle` stands for it in SignInWithCredential, once, until `handleExpiresAt`.
        type Credential (
          handle: ?string,
          handleExpiresAt: ?string,
          providerID: string,
          signInMethod: string,
          accessToken: ?string,
          tokenType: ?string,
          expiresAt: ?string,
          scopes: []string,
          # OAuth 1.0a token secret.
          secret: ?string,
          idToken: ?string,
          rawNonce: ?string
        )

        # One of: a handle; tokens that the app got itself; an email address and a password.
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

        type ProviderData (
          providerID: string,
          uid: string,
          displayName: ?string,
          email: ?string,
          photoURL: ?string
        )

        type SecondFactor (
          factorID: (totp, phone),
          uid: string,
          displayName: ?string,
          # Masked, as in "+81 ***-***-1234".
          phoneNumber: ?string,
          enrolledAt: string
        )

        type User (
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

        type AdditionalUserInfo (
          providerID: string,
          isNewUser: bool,
          username: ?string,
          # The provider's profile document, as it came.
          profile: object
        )

        type AuthResult (
          user: User,
          credential: ?Credential,
          additionalUserInfo: ?AdditionalUserInfo,
          operation: (signIn, link, reauthenticate)
        )

        method SignInWithCredential(credential: CredentialInput, intent: ?Intent, app: ?string) -> (result: AuthResult)
        method SignInAnonymously(app: ?string) -> (result: AuthResult)
        method CreateUser(email: string, password: string, displayName: ?string, app: ?string) -> (result: AuthResult)
        method GetCurrentUser(app: ?string) -> (user: ?User)
        method UpdateUser(app: ?string, displayName: ?string, photoURL: ?string, email: ?string, password: ?string) -> (user: User)
        method UnlinkProvider(providerID: string, app: ?string) -> (user: User)
        method FetchProviders(email: string) -> (providerIDs: []string)
        method SignOut(app: ?string) -> ()
        method DeleteUser(app: ?string) -> ()

        # An ID token that says who the app's current user is, for another local service: ES256, by this daemon's own
        # key, whose public part is at /.well-known/jwks.json on the callback listener.
        method GetUserToken(audience: string, app: ?string) -> (idToken: string, expiresAt: string)

        # ---- Second factors -------------------------------------------------------

        method EnrollSecondFactor(factorID: (totp, phone), phoneNumber: ?string, displayName: ?string, app: ?string)
          -> (enrollmentID: string, secret: ?string, provisioningURI: ?string)
        method ConfirmSecondFactor(enrollmentID: string, verificationCode: string, app: ?string) -> (user: User)
        method RemoveSecondFactor(uid: string, app: ?string) -> (user: User)
        # Sends the code for a phone factor of a SecondFactorRequired error.
        method StartSecondFactor(resolver: string, uid: string) -> ()
        method ResolveSecondFactor(resolver: string, uid: string, verificationCode: string) -> (result: AuthResult)

        # ---- Access tokens --------------------------------------------------------

        type StoredCredential (
          providerID: string,
          # The account at the provider.
          uid: string,
          displayName: ?string,
          scopes: []string,
          expiresAt: ?string,
          refreshable: bool
        )

        method ListCredentials() -> (credentials: []StoredCredential)

        # A token that is good for at least `minimumValiditySeconds` (60 where not given), refreshed where needed.
        # `uid` chooses among several accounts at one provider.
        method GetAccessToken(
          providerID: string,
          uid: ?string,
          scopes: ?[]string,
          minimumValiditySeconds: ?int,
          forceRefresh: ?bool
        ) -> (accessToken: string, tokenType: string, secret: ?string, expiresAt: ?string, scopes: []string, uid: string)

        # Takes the credential back at the provider, where it can, and forgets it here.
        method RevokeCredential(providerID: string, uid: ?string) -> (revokedAtProvider: bool)

        # ---- The service ----------------------------------------------------------

        method GetStatus() -> (
          version: string,
          startedAt: string,
          callbackURLs: []string,
          locked: bool,
          sessions: int,
          users: int,
          credentials: int
        )
        # Reads the configuration anew; on an error the old one stays in force.
        method Reload() -> ()
        method Lock() -> ()
        method Unlock(passphrase: ?string) -> ()
        # With `more`: what happens from now on (never a secret).
        method Monitor() -> (time: string, kind: string, sessionID: ?string, providerID: ?string, uid: ?string, app: ?string, message: string)

        # ---- Errors ---------------------------------------------------------------

        error ProviderNotFound (code: int, message: string, providerID: string)
        error ProviderNotConfigured (code: int, message: string, providerID: string)
        error ProviderUnreachable (code: int, message: string, providerID: string)
        error ReservedParameter (code: int, message: string, name: string)
        error UnsupportedFlow (code: int, message: string, providerID: string, flow: string)
        error SessionNotFound (code: int, message: string)
        error TooManySessions (code: int, message: string, limit: int)
        error SignInDenied (code: int, message: string, providerID: string, error: string, errorDescription: ?string)
        error SignInTimedOut (code: int, message: string, sessionID: string)
        error SignInCancelled (code: int, message: string, sessionID: string)
        # The provider refused the code, or what it answered makes no sense.
        error ExchangeFailed (code: int, message: string, providerID: string, error: ?string, errorDescription: ?string)
        error InvalidIDToken (code: int, message: string, providerID: string, reason: string)
        error RedirectNotRecognised (code: int, message: string)
        error InvalidCredential (code: int, message: string)
        error AccountExistsWithDifferentCredential (code: int, message: string, email: string, providerIDs: []string, credential: Credential)
        error CredentialAlreadyInUse (code: int, message: string, email: ?string, credential: Credential)
        error EmailAlreadyInUse (code: int, message: string, email: string)
        error ProviderAlreadyLinked (code: int, message: string, providerID: string)
        error NoSuchProvider (code: int, message: string, providerID: string)
        error NoCurrentUser (code: int, message: string, app: string)
        error UserNotFound (code: int, message: string)
        error UserMismatch (code: int, message: string)
        error InvalidEmail (code: int, message: string)
        error WeakPassword (code: int, message: string, reason: string)
        error WrongPassword (code: int, message: string)
        error RequiresRecentSignIn (code: int, message: string)
        error SecondFactorRequired (code: int, message: string, resolver: string, hints: []SecondFactor)
        error SecondFactorAlreadyEnrolled (code: int, message: string)
        error InvalidVerificationCode (code: int, message: string)
        error TooManyAttempts (code: int, message: string, retryAfterSeconds: int)
        # No token can be had without the person: the refresh token is gone, refused or never was.
        error SignInRequired (code: int, message: string, providerID: string, reason: string)
        error ScopeNotGranted (code: int, message: string, missing: []string)
        error AmbiguousAccount (code: int, message: string, uids: []string)
        error StoreLocked (code: int, message: string)
        error StoreDamaged (code: int, message: string)
        error ConfigurationInvalid (code: int, message: string, file: string, line: ?int)
        error InternalError (code: int, message: string)

        """#
}
