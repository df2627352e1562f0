// Generated from io.postern.varlink: change that, then run `swift run postern-interface-generator`.

import PosternInterface

/// What carries out the methods of the section Provider: one method, one function.
///
/// A task that is cancelled has lost its caller.
@DaemonActor
protocol ProviderMethods: Sendable {
    /// The configured providers.
    func listProviders(_ call: Interface.ListProviders) async throws(InterfaceError) -> Interface.ListProviders.Reply

    /// Checks a provider's setup by asking the provider, without the cache: reads its metadata and keys, and checks whether
    /// it accepts the client ID and secret. Nobody is signed in, and no token is stored.
    /// `authorizationURL`: the page that a sign-in would open.
    /// `issuer`: the issuer of an OpenID provider that is not configured yet; only its metadata is then read.
    func checkProvider(_ call: Interface.CheckProvider) async throws(InterfaceError) -> Interface.CheckProvider.Reply

    /// What can be found out about the server of a resource, such as an MCP server: what its tokens are for (RFC 9728), who issues
    /// them (RFC 8414), and how Postern is known there. Everything is asked anew, and nothing is stored.
    /// `challenge`: the values of `WWW-Authenticate` in the server's answer; without it the daemon sends the URL a request of its own.
    /// `name`: the [mcp.NAME] that is meant, with what it configures. Without it the URL is examined as one that is not configured.
    func resolveResource(_ call: Interface.ResolveResource) async throws(InterfaceError) -> Interface.ResolveResource.Reply
}

/// What carries out the methods of the section SignIn: one method, one function.
///
/// A task that is cancelled has lost its caller.
@DaemonActor
protocol SignInMethods: Sendable {
    /// Signs the user in through a provider, or does what `intent` says instead.
    /// With `more`: an event at every change, the last one `completed`. Without it: only the last event.
    /// `presentation`: who opens the page. `daemon` (the default) opens the user's browser;
    /// `client` leaves it to the caller, which needs `more` to learn the URL.
    func signIn(_ call: Interface.SignIn, reply: any InterfaceReply) async throws(InterfaceError) -> Interface.SignIn.Reply?

    /// The sign-ins in progress, and those that ended within about the last ten minutes.
    func listSessions(_ call: Interface.ListSessions) async throws(InterfaceError) -> Interface.ListSessions.Reply

    /// Rejoins a sign-in after a lost connection or a restart of the daemon.
    /// With `more`: an event at every change, as in SignIn. Without it: only the last event.
    /// A completed result can be fetched until it has been delivered once or has expired.
    /// `flow`: a way to answer that the sign-in is to have in addition to its own.
    func attachSession(
        _ call: Interface.AttachSession, reply: any InterfaceReply
    ) async throws(InterfaceError) -> Interface.AttachSession.Reply?

    /// Cancels a sign-in for every program that waits for it.
    func cancelSession(_ call: Interface.CancelSession) async throws(InterfaceError) -> Interface.CancelSession.Reply

    /// Delivers a redirect that did not arrive by HTTP: from a custom URL scheme, or pasted by the user.
    func deliverRedirect(_ call: Interface.DeliverRedirect) async throws(InterfaceError) -> Interface.DeliverRedirect.Reply

    /// Signs in, links or reauthenticates with an existing credential.
    func signInWithCredential(_ call: Interface.SignInWithCredential) async throws(InterfaceError) -> Interface.SignInWithCredential.Reply
}

/// What carries out the methods of the section Account: one method, one function.
///
/// A task that is cancelled has lost its caller.
@DaemonActor
protocol AccountMethods: Sendable {
    /// Signs in as an anonymous user, who has no account anywhere. Linking an account makes the user permanent, with the
    /// same `uid`.
    func signInAnonymously(_ call: Interface.SignInAnonymously) async throws(InterfaceError) -> Interface.SignInAnonymously.Reply

    /// Creates a user with a password, and makes them the app's current user.
    func createUser(_ call: Interface.CreateUser) async throws(InterfaceError) -> Interface.CreateUser.Reply

    /// The app's current user; absent if nobody is signed in.
    func getCurrentUser(_ call: Interface.GetCurrentUser) async throws(InterfaceError) -> Interface.GetCurrentUser.Reply

    /// Changes what is given of the current user. An empty name or photo URL removes the present one. A new address or
    /// password needs a sign-in within the last five minutes.
    func updateUser(_ call: Interface.UpdateUser) async throws(InterfaceError) -> Interface.UpdateUser.Reply

    /// Unlinks a provider, or `password`, from the current user. The last one cannot be unlinked.
    func unlinkProvider(_ call: Interface.UnlinkProvider) async throws(InterfaceError) -> Interface.UnlinkProvider.Reply

    /// The ways to sign in with an address. An empty list does not prove that no user has the address.
    func fetchProviders(_ call: Interface.FetchProviders) async throws(InterfaceError) -> Interface.FetchProviders.Reply

    /// Forgets the app's current user; the user and their credentials stay.
    func signOut(_ call: Interface.SignOut) async throws(InterfaceError) -> Interface.SignOut.Reply

    /// Deletes the current user and revokes their credentials at the providers. Needs a sign-in within the last five minutes.
    func deleteUser(_ call: Interface.DeleteUser) async throws(InterfaceError) -> Interface.DeleteUser.Reply

    /// An ID token that tells another local service who the app's current user is. This daemon signs it with its own key
    /// (ES256); the public key is at /.well-known/jwks.json on the callback listener.
    func getUserToken(_ call: Interface.GetUserToken) async throws(InterfaceError) -> Interface.GetUserToken.Reply

    /// Begins the enrolment of a second factor: an authenticator app (RFC 6238) or a phone.
    func enrollSecondFactor(_ call: Interface.EnrollSecondFactor) async throws(InterfaceError) -> Interface.EnrollSecondFactor.Reply

    /// Completes the enrolment with the first code.
    func confirmSecondFactor(_ call: Interface.ConfirmSecondFactor) async throws(InterfaceError) -> Interface.ConfirmSecondFactor.Reply

    /// Removes a second factor from the current user.
    func removeSecondFactor(_ call: Interface.RemoveSecondFactor) async throws(InterfaceError) -> Interface.RemoveSecondFactor.Reply

    /// Sends a code to a phone among the factors of a SecondFactorRequired error.
    func startSecondFactor(_ call: Interface.StartSecondFactor) async throws(InterfaceError) -> Interface.StartSecondFactor.Reply

    /// Completes a sign-in, a link or a reauthentication that requires a second factor.
    func resolveSecondFactor(_ call: Interface.ResolveSecondFactor) async throws(InterfaceError) -> Interface.ResolveSecondFactor.Reply
}

/// What carries out the methods of the section Token: one method, one function.
///
/// A task that is cancelled has lost its caller.
@DaemonActor
protocol TokenMethods: Sendable {
    /// The stored credentials, without their secrets.
    func listCredentials(_ call: Interface.ListCredentials) async throws(InterfaceError) -> Interface.ListCredentials.Reply

    /// A token that is valid for at least `minimumValiditySeconds` (60 if not given), refreshed if needed.
    /// `uid` chooses one of several accounts at a provider; `account` does so by the account's configured name, its address or its
    /// user name. `providerID` may also be the name of a configured account. `resource` is the service that the token is for (RFC 8707).
    func getAccessToken(_ call: Interface.GetAccessToken) async throws(InterfaceError) -> Interface.GetAccessToken.Reply

    /// The account's verified ID token, refreshed if it expires too soon.
    func getIDToken(_ call: Interface.GetIDToken) async throws(InterfaceError) -> Interface.GetIDToken.Reply

    /// The header fields that authorize one HTTP request: a bearer token, a DPoP proof (RFC 9449) or an OAuth 1.0a
    /// signature (RFC 5849). Only for URLs that the account's tokens are for. `form` has the parameters of a form body, which OAuth 1.0a signs.
    func authorizeRequest(_ call: Interface.AuthorizeRequest) async throws(InterfaceError) -> Interface.AuthorizeRequest.Reply

    /// A server refused this access token at this URL. If it is the token of an account whose tokens are for the URL, it is renewed; if
    /// nothing can renew it, its provider is asked whether it is still valid, and if not, the account's state becomes signInNeeded. A
    /// provider is asked about an account once a minute at most. Every other token changes nothing.
    func reportRefusedToken(_ call: Interface.ReportRefusedToken) async throws(InterfaceError) -> Interface.ReportRefusedToken.Reply

    /// The accounts whose tokens are for this URL, in the order in which they are used: those whose own URL is closest, then those whose
    /// provider serves it. No token is returned.
    func findAccount(_ call: Interface.FindAccount) async throws(InterfaceError) -> Interface.FindAccount.Reply

    /// Where an account's tokens may go, and how a program of the user reaches those servers as the daemon does.
    /// `url`: one of its URLs; without it the account is named by `providerID` and `account`, as in GetAccessToken. It is answered while the
    /// store is closed, too, from the configuration alone.
    func getRoute(_ call: Interface.GetRoute) async throws(InterfaceError) -> Interface.GetRoute.Reply

    /// Imports another program's token: either a refresh token for the same client, which is used at once, or an access token of whichever
    /// client of the provider, which cannot be renewed, and which only that client can revoke. It is stored only if the
    /// provider says whose it is. This creates a credential and nothing else: no user, no sign-in, and no proof that the user is
    /// present. `providerID` may be the name of a configured account, whose `login` the token's account must then match.
    /// `scopes`: those granted with a refresh token, if the answer has none. `replace`: replace a stored credential of the account,
    /// and send a refresh token again that the provider refused earlier.
    /// `clientID`, `clientSecret`, `resource`: the client that the token was issued to and what it is for, at the server of an [mcp.NAME].
    /// `issuer`, `tokenEndpoint`: who issued it there, as far as the other program knows; it is sent nowhere unless the server names the same.
    func importCredential(_ call: Interface.ImportCredential) async throws(InterfaceError) -> Interface.ImportCredential.Reply

    /// Revokes the credential at the provider, if possible, and forgets it here, whoever keeps it. `account` as in GetAccessToken.
    /// `keepGrant`: forgotten here only.
    func revokeCredential(_ call: Interface.RevokeCredential) async throws(InterfaceError) -> Interface.RevokeCredential.Reply
}

/// What carries out the methods of the section Service: one method, one function.
///
/// A task that is cancelled has lost its caller.
@DaemonActor
protocol ServiceMethods: Sendable {
    /// The state of the service.
    func getStatus(_ call: Interface.GetStatus) async throws(InterfaceError) -> Interface.GetStatus.Reply

    /// Reloads the configuration; after an error the old one stays in effect.
    func reload(_ call: Interface.Reload) async throws(InterfaceError) -> Interface.Reload.Reply

    /// Forgets the store's key until Unlock is called.
    func lock(_ call: Interface.Lock) async throws(InterfaceError) -> Interface.Lock.Reply

    /// Opens the store again.
    func unlock(_ call: Interface.Unlock) async throws(InterfaceError) -> Interface.Unlock.Reply

    /// With `more` only: events as they happen; they never contain a secret.
    func monitor(_ call: Interface.Monitor, reply: any InterfaceReply) async throws(InterfaceError) -> Interface.Monitor.Reply?
}
