// Generated from io.postern.varlink: change that, then run `swift run postern-interface-generator`.

import PosternInterface

// The methods by the names of the interface. The parameter `app` is the client's own.
// Of a reply with one member, that is returned.
extension PosternClient {
    /// The configured providers.
    public func listProviders() async throws -> [Interface.Provider] {
        try await call(Interface.ListProviders()).providers
    }

    /// Checks a provider's setup by asking the provider, without the cache: reads its metadata and keys, and checks whether
    /// it accepts the client ID and secret. Nobody is signed in, and no token is stored.
    /// `authorizationURL`: the page that a sign-in would open.
    /// `issuer`: the issuer of an OpenID provider that is not configured yet; only its metadata is then read.
    public func checkProvider(providerID: String, issuer: String? = nil) async throws -> Interface.CheckProvider.Reply {
        try await call(Interface.CheckProvider(providerID: providerID, issuer: issuer))
    }

    /// What can be found out about the server of a resource, such as an MCP server: what its tokens are for (RFC 9728), who issues
    /// them (RFC 8414), and how Postern is known there. Everything is asked anew, and nothing is stored.
    /// `challenge`: the values of `WWW-Authenticate` in the server's answer; without it the daemon sends the URL a request of its own.
    /// `name`: the [mcp.NAME] that is meant, with what it configures. Without it the URL is examined as one that is not configured.
    public func resolveResource(
        url: String, challenge: [String]? = nil, name: String? = nil
    ) async throws -> Interface.ResolveResource.Reply {
        try await call(Interface.ResolveResource(url: url, challenge: challenge, name: name))
    }

    /// Signs the user in through a provider, or does what `intent` says instead.
    /// With `more`: an event at every change, the last one `completed`. Without it: only the last event.
    /// `presentation`: who opens the page. `daemon` (the default) opens the user's browser;
    /// `client` leaves it to the caller, which needs `more` to learn the URL.
    public func signIn(
        providerID: String, intent: Interface.Intent? = nil, scopes: [String]? = nil, customParameters: [String: String]? = nil,
        loginHint: String? = nil, flow: Interface.Provider.Flow? = nil, presentation: Interface.SignIn.Presentation? = nil,
        timeoutSeconds: Int? = nil, confirmation: Secret? = nil, challenge: [String]? = nil, agreed: Interface.AgreedServer? = nil
    ) -> AsyncThrowingStream<Interface.SignInEvent, any Error> {
        let parameters = Interface.SignIn(
            providerID: providerID, intent: intent, app: app, scopes: scopes, customParameters: customParameters, loginHint: loginHint,
            flow: flow, presentation: presentation, timeoutSeconds: timeoutSeconds, confirmation: confirmation, challenge: challenge,
            agreed: agreed
        )
        return replies(to: parameters) { $0.event }
    }

    /// The sign-ins in progress, and those that ended within about the last ten minutes.
    public func listSessions() async throws -> [Interface.Session] {
        try await call(Interface.ListSessions()).sessions
    }

    /// Rejoins a sign-in after a lost connection or a restart of the daemon.
    /// With `more`: an event at every change, as in SignIn. Without it: only the last event.
    /// A completed result can be fetched until it has been delivered once or has expired.
    /// `flow`: a way to answer that the sign-in is to have in addition to its own.
    public func attachSession(
        sessionID: String, flow: Interface.Provider.Flow? = nil
    ) -> AsyncThrowingStream<Interface.SignInEvent, any Error> {
        replies(to: Interface.AttachSession(sessionID: sessionID, flow: flow)) { $0.event }
    }

    /// Cancels a sign-in for every program that waits for it.
    public func cancelSession(sessionID: String) async throws {
        _ = try await call(Interface.CancelSession(sessionID: sessionID))
    }

    /// Delivers a redirect that did not arrive by HTTP: from a custom URL scheme, or pasted by the user.
    public func deliverRedirect(url: Secret) async throws -> String {
        try await call(Interface.DeliverRedirect(url: url)).sessionID
    }

    /// Signs in, links or reauthenticates with an existing credential.
    public func signInWithCredential(
        credential: Interface.CredentialInput, intent: Interface.Intent? = nil
    ) async throws -> Interface.AuthResult {
        try await call(Interface.SignInWithCredential(credential: credential, intent: intent, app: app)).result
    }

    /// Signs in as an anonymous user, who has no account anywhere. Linking an account makes the user permanent, with the
    /// same `uid`.
    public func signInAnonymously() async throws -> Interface.AuthResult {
        try await call(Interface.SignInAnonymously(app: app)).result
    }

    /// Creates a user with a password, and makes them the app's current user.
    public func createUser(email: String, password: Secret, displayName: String? = nil) async throws -> Interface.AuthResult {
        try await call(Interface.CreateUser(email: email, password: password, displayName: displayName, app: app)).result
    }

    /// The app's current user; absent if nobody is signed in.
    public func getCurrentUser() async throws -> Interface.User? {
        try await call(Interface.GetCurrentUser(app: app)).user
    }

    /// Changes what is given of the current user. An empty name or photo URL removes the present one. A new address or
    /// password needs a sign-in within the last five minutes.
    public func updateUser(
        displayName: String? = nil, photoURL: String? = nil, email: String? = nil, password: Secret? = nil
    ) async throws -> Interface.User {
        try await call(Interface.UpdateUser(app: app, displayName: displayName, photoURL: photoURL, email: email, password: password)).user
    }

    /// Unlinks a provider, or `password`, from the current user. The last one cannot be unlinked.
    public func unlinkProvider(providerID: String) async throws -> Interface.User {
        try await call(Interface.UnlinkProvider(providerID: providerID, app: app)).user
    }

    /// The ways to sign in with an address. An empty list does not prove that no user has the address.
    public func fetchProviders(email: String) async throws -> [String] {
        try await call(Interface.FetchProviders(email: email)).providerIDs
    }

    /// Forgets the app's current user; the user and their credentials stay.
    public func signOut() async throws {
        _ = try await call(Interface.SignOut(app: app))
    }

    /// Deletes the current user and revokes their credentials at the providers. Needs a sign-in within the last five minutes.
    public func deleteUser() async throws {
        _ = try await call(Interface.DeleteUser(app: app))
    }

    /// An ID token that tells another local service who the app's current user is. This daemon signs it with its own key
    /// (ES256); the public key is at /.well-known/jwks.json on the callback listener.
    public func getUserToken(audience: String) async throws -> Interface.GetUserToken.Reply {
        try await call(Interface.GetUserToken(audience: audience, app: app))
    }

    /// Begins the enrolment of a second factor: an authenticator app (RFC 6238) or a phone.
    public func enrollSecondFactor(
        factorID: Interface.SecondFactor.FactorID, phoneNumber: String? = nil, displayName: String? = nil
    ) async throws -> Interface.EnrollSecondFactor.Reply {
        try await call(Interface.EnrollSecondFactor(factorID: factorID, phoneNumber: phoneNumber, displayName: displayName, app: app))
    }

    /// Completes the enrolment with the first code.
    public func confirmSecondFactor(enrollmentID: Secret, verificationCode: Secret) async throws -> Interface.User {
        try await call(Interface.ConfirmSecondFactor(enrollmentID: enrollmentID, verificationCode: verificationCode, app: app)).user
    }

    /// Removes a second factor from the current user.
    public func removeSecondFactor(uid: String) async throws -> Interface.User {
        try await call(Interface.RemoveSecondFactor(uid: uid, app: app)).user
    }

    /// Sends a code to a phone among the factors of a SecondFactorRequired error.
    public func startSecondFactor(resolver: Secret, uid: String) async throws {
        _ = try await call(Interface.StartSecondFactor(resolver: resolver, uid: uid))
    }

    /// Completes a sign-in, a link or a reauthentication that requires a second factor.
    public func resolveSecondFactor(resolver: Secret, uid: String, verificationCode: Secret) async throws -> Interface.AuthResult {
        try await call(Interface.ResolveSecondFactor(resolver: resolver, uid: uid, verificationCode: verificationCode)).result
    }

    /// The stored credentials, without their secrets.
    public func listCredentials() async throws -> [Interface.StoredCredential] {
        try await call(Interface.ListCredentials()).credentials
    }

    /// A token that is valid for at least `minimumValiditySeconds` (60 if not given), refreshed if needed.
    /// `uid` chooses one of several accounts at a provider; `account` does so by the account's configured name, its address or its
    /// user name. `providerID` may also be the name of a configured account. `resource` is the service that the token is for (RFC 8707).
    public func getAccessToken(
        providerID: String, uid: String? = nil, account: String? = nil, scopes: [String]? = nil, resource: String? = nil,
        minimumValiditySeconds: Int? = nil, forceRefresh: Bool? = nil
    ) async throws -> Interface.GetAccessToken.Reply {
        let parameters = Interface.GetAccessToken(
            providerID: providerID, uid: uid, account: account, scopes: scopes, resource: resource,
            minimumValiditySeconds: minimumValiditySeconds, forceRefresh: forceRefresh
        )
        return try await call(parameters)
    }

    /// The account's verified ID token, refreshed if it expires too soon.
    public func getIDToken(
        providerID: String, uid: String? = nil, account: String? = nil, minimumValiditySeconds: Int? = nil, forceRefresh: Bool? = nil
    ) async throws -> Interface.GetIDToken.Reply {
        let parameters = Interface.GetIDToken(
            providerID: providerID, uid: uid, account: account, minimumValiditySeconds: minimumValiditySeconds, forceRefresh: forceRefresh
        )
        return try await call(parameters)
    }

    /// The header fields that authorize one HTTP request: a bearer token, a DPoP proof (RFC 9449) or an OAuth 1.0a
    /// signature (RFC 5849). Only for URLs that the account's tokens are for. `form` has the parameters of a form body, which OAuth 1.0a signs.
    public func authorizeRequest(
        method: String, url: String, providerID: String? = nil, account: String? = nil, scopes: [String]? = nil,
        form: [Interface.FormParameter]? = nil, dpopNonce: String? = nil, forceRefresh: Bool? = nil, challenge: [String]? = nil
    ) async throws -> Interface.AuthorizeRequest.Reply {
        let parameters = Interface.AuthorizeRequest(
            method: method, url: url, providerID: providerID, account: account, scopes: scopes, form: form, dpopNonce: dpopNonce,
            forceRefresh: forceRefresh, challenge: challenge
        )
        return try await call(parameters)
    }

    /// A server refused this access token at this URL. If it is the token of an account whose tokens are for the URL, it is renewed; if
    /// nothing can renew it, its provider is asked whether it is still valid, and if not, the account's state becomes signInNeeded. A
    /// provider is asked about an account once a minute at most. Every other token changes nothing.
    public func reportRefusedToken(url: String, accessToken: Secret) async throws {
        _ = try await call(Interface.ReportRefusedToken(url: url, accessToken: accessToken))
    }

    /// The accounts whose tokens are for this URL, in the order in which they are used: those whose own URL is closest, then those whose
    /// provider serves it. No token is returned.
    public func findAccount(url: String) async throws -> Interface.FindAccount.Reply {
        try await call(Interface.FindAccount(url: url))
    }

    /// Where an account's tokens may go, and how a program of the user reaches those servers as the daemon does.
    /// `url`: one of its URLs; without it the account is named by `providerID` and `account`, as in GetAccessToken. It is answered while the
    /// store is closed, too, from the configuration alone.
    public func getRoute(url: String? = nil, providerID: String? = nil, account: String? = nil) async throws -> Interface.GetRoute.Reply {
        try await call(Interface.GetRoute(url: url, providerID: providerID, account: account))
    }

    /// Imports another program's token: either a refresh token for the same client, which is used at once, or an access token of whichever
    /// client of the provider, which cannot be renewed, and which only that client can revoke. It is stored only if the
    /// provider says whose it is. This creates a credential and nothing else: no user, no sign-in, and no proof that the user is
    /// present. `providerID` may be the name of a configured account, whose `login` the token's account must then match.
    /// `scopes`: those granted with a refresh token, if the answer has none. `replace`: replace a stored credential of the account,
    /// and send a refresh token again that the provider refused earlier.
    /// `clientID`, `clientSecret`, `resource`: the client that the token was issued to and what it is for, at the server of an [mcp.NAME].
    /// `issuer`, `tokenEndpoint`: who issued it there, as far as the other program knows; it is sent nowhere unless the server names the same.
    public func importCredential(
        providerID: String, refreshToken: Secret? = nil, accessToken: Secret? = nil, scopes: [String]? = nil, replace: Bool? = nil,
        clientID: String? = nil, clientSecret: Secret? = nil, resource: String? = nil, issuer: String? = nil, tokenEndpoint: String? = nil
    ) async throws -> Interface.StoredCredential {
        let parameters = Interface.ImportCredential(
            providerID: providerID, refreshToken: refreshToken, accessToken: accessToken, scopes: scopes, replace: replace,
            clientID: clientID, clientSecret: clientSecret, resource: resource, issuer: issuer, tokenEndpoint: tokenEndpoint
        )
        return try await call(parameters).credential
    }

    /// Revokes the credential at the provider, if possible, and forgets it here, whoever keeps it. `account` as in GetAccessToken.
    /// `keepGrant`: forgotten here only.
    public func revokeCredential(
        providerID: String, uid: String? = nil, account: String? = nil, keepGrant: Bool? = nil
    ) async throws -> Interface.RevokeCredential.Reply {
        try await call(Interface.RevokeCredential(providerID: providerID, uid: uid, account: account, keepGrant: keepGrant))
    }

    /// The state of the service.
    public func getStatus() async throws -> Interface.GetStatus.Reply {
        try await call(Interface.GetStatus())
    }

    /// Reloads the configuration; after an error the old one stays in effect.
    public func reload() async throws {
        _ = try await call(Interface.Reload())
    }

    /// Forgets the store's key until Unlock is called.
    public func lock() async throws {
        _ = try await call(Interface.Lock())
    }

    /// Opens the store again.
    public func unlock(passphrase: Secret? = nil) async throws {
        _ = try await call(Interface.Unlock(passphrase: passphrase))
    }

    /// With `more` only: events as they happen; they never contain a secret.
    public func monitor() -> AsyncThrowingStream<Interface.Monitor.Reply, any Error> {
        replies(to: Interface.Monitor()) { $0 }
    }
}
