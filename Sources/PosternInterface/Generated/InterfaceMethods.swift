// Generated from io.postern.varlink: change that, then run `swift run postern-interface-generator`.

import StrictJSON

/// What carries out the methods of the interface: one method, one function.
///
/// A task that is cancelled has lost its caller.
public protocol InterfaceMethods<Caller>: Sendable {
    /// What is known of the process that calls.
    associatedtype Caller: Sendable

    /// The configured providers.
    func listProviders(_ call: Interface.ListProviders, caller: Caller) async throws(InterfaceError) -> Interface.ListProviders.Reply

    /// Checks a provider's setup by asking the provider, without the cache: reads its metadata and keys, and checks whether
    /// it accepts the client ID and secret. Nobody is signed in, and no token is stored.
    /// `authorizationURL`: the page that a sign-in would open.
    /// `issuer`: the issuer of an OpenID provider that is not configured yet; only its metadata is then read.
    func checkProvider(_ call: Interface.CheckProvider, caller: Caller) async throws(InterfaceError) -> Interface.CheckProvider.Reply

    /// Signs the user in through a provider, or does what `intent` says instead.
    /// With `more`: an event at every change, the last one `completed`. Without it: only the last event.
    /// `presentation`: who opens the page. `daemon` (the default) opens the user's browser;
    /// `client` leaves it to the caller, which needs `more` to learn the URL.
    func signIn(
        _ call: Interface.SignIn, caller: Caller, replies: Replies<Interface.SignIn.Reply>
    ) async throws(InterfaceError) -> Interface.SignIn.Reply

    /// The sign-ins in progress, and those that ended within about the last ten minutes.
    func listSessions(_ call: Interface.ListSessions, caller: Caller) async throws(InterfaceError) -> Interface.ListSessions.Reply

    /// Rejoins a sign-in after a lost connection or a restart of the daemon.
    /// With `more`: an event at every change, as in SignIn. Without it: only the last event.
    /// A completed result can be fetched until it has been delivered once or has expired.
    /// `flow`: a way to answer that the sign-in is to have in addition to its own.
    func attachSession(
        _ call: Interface.AttachSession, caller: Caller, replies: Replies<Interface.AttachSession.Reply>
    ) async throws(InterfaceError) -> Interface.AttachSession.Reply

    /// Cancels a sign-in for every program that waits for it.
    func cancelSession(_ call: Interface.CancelSession, caller: Caller) async throws(InterfaceError) -> Interface.CancelSession.Reply

    /// Delivers a redirect that did not arrive by HTTP: from a custom URL scheme, or pasted by the user.
    func deliverRedirect(_ call: Interface.DeliverRedirect, caller: Caller) async throws(InterfaceError) -> Interface.DeliverRedirect.Reply

    /// Signs in, links or reauthenticates with an existing credential.
    func signInWithCredential(
        _ call: Interface.SignInWithCredential, caller: Caller
    ) async throws(InterfaceError) -> Interface.SignInWithCredential.Reply

    /// Signs in as an anonymous user, who has no account anywhere. Linking an account makes the user permanent, with the
    /// same `uid`.
    func signInAnonymously(
        _ call: Interface.SignInAnonymously, caller: Caller
    ) async throws(InterfaceError) -> Interface.SignInAnonymously.Reply

    /// Creates a user with a password, and makes them the app's current user.
    func createUser(_ call: Interface.CreateUser, caller: Caller) async throws(InterfaceError) -> Interface.CreateUser.Reply

    /// The app's current user; absent if nobody is signed in.
    func getCurrentUser(_ call: Interface.GetCurrentUser, caller: Caller) async throws(InterfaceError) -> Interface.GetCurrentUser.Reply

    /// Changes what is given of the current user. An empty name or photo URL removes the present one. A new address or
    /// password needs a sign-in within the last five minutes.
    func updateUser(_ call: Interface.UpdateUser, caller: Caller) async throws(InterfaceError) -> Interface.UpdateUser.Reply

    /// Unlinks a provider, or `password`, from the current user. The last one cannot be unlinked.
    func unlinkProvider(_ call: Interface.UnlinkProvider, caller: Caller) async throws(InterfaceError) -> Interface.UnlinkProvider.Reply

    /// The ways to sign in with an address. An empty list does not prove that no user has the address.
    func fetchProviders(_ call: Interface.FetchProviders, caller: Caller) async throws(InterfaceError) -> Interface.FetchProviders.Reply

    /// Forgets the app's current user; the user and their credentials stay.
    func signOut(_ call: Interface.SignOut, caller: Caller) async throws(InterfaceError) -> Interface.SignOut.Reply

    /// Deletes the current user and revokes their credentials at the providers. Needs a sign-in within the last five minutes.
    func deleteUser(_ call: Interface.DeleteUser, caller: Caller) async throws(InterfaceError) -> Interface.DeleteUser.Reply

    /// An ID token that tells another local service who the app's current user is. This daemon signs it with its own key
    /// (ES256); the public key is at /.well-known/jwks.json on the callback listener.
    func getUserToken(_ call: Interface.GetUserToken, caller: Caller) async throws(InterfaceError) -> Interface.GetUserToken.Reply

    /// Begins the enrolment of a second factor: an authenticator app (RFC 6238) or a phone.
    func enrollSecondFactor(
        _ call: Interface.EnrollSecondFactor, caller: Caller
    ) async throws(InterfaceError) -> Interface.EnrollSecondFactor.Reply

    /// Completes the enrolment with the first code.
    func confirmSecondFactor(
        _ call: Interface.ConfirmSecondFactor, caller: Caller
    ) async throws(InterfaceError) -> Interface.ConfirmSecondFactor.Reply

    /// Removes a second factor from the current user.
    func removeSecondFactor(
        _ call: Interface.RemoveSecondFactor, caller: Caller
    ) async throws(InterfaceError) -> Interface.RemoveSecondFactor.Reply

    /// Sends a code to a phone among the factors of a SecondFactorRequired error.
    func startSecondFactor(
        _ call: Interface.StartSecondFactor, caller: Caller
    ) async throws(InterfaceError) -> Interface.StartSecondFactor.Reply

    /// Completes a sign-in, a link or a reauthentication that requires a second factor.
    func resolveSecondFactor(
        _ call: Interface.ResolveSecondFactor, caller: Caller
    ) async throws(InterfaceError) -> Interface.ResolveSecondFactor.Reply

    /// The stored credentials, without their secrets.
    func listCredentials(_ call: Interface.ListCredentials, caller: Caller) async throws(InterfaceError) -> Interface.ListCredentials.Reply

    /// A token that is valid for at least `minimumValiditySeconds` (60 if not given), refreshed if needed.
    /// `uid` chooses one of several accounts at a provider; `account` does so by the account's configured name, its address or its
    /// user name. `providerID` may also be the name of a configured account. `resource` is the service that the token is for (RFC 8707).
    func getAccessToken(_ call: Interface.GetAccessToken, caller: Caller) async throws(InterfaceError) -> Interface.GetAccessToken.Reply

    /// The account's verified ID token, refreshed if it expires too soon.
    func getIDToken(_ call: Interface.GetIDToken, caller: Caller) async throws(InterfaceError) -> Interface.GetIDToken.Reply

    /// The header fields that authorize one HTTP request: a bearer token, a DPoP proof (RFC 9449) or an OAuth 1.0a
    /// signature (RFC 5849). Only for URLs that the account's tokens are for. `form` has the parameters of a form body, which OAuth 1.0a signs.
    func authorizeRequest(
        _ call: Interface.AuthorizeRequest, caller: Caller
    ) async throws(InterfaceError) -> Interface.AuthorizeRequest.Reply

    /// The accounts whose tokens are for this URL, the closest match first. No token is returned.
    func findAccount(_ call: Interface.FindAccount, caller: Caller) async throws(InterfaceError) -> Interface.FindAccount.Reply

    /// Imports a refresh token that another program obtained for the same client. It is used at once, and stored only if the
    /// provider says whose it is. This creates a credential and nothing else: no user, no sign-in, and no proof that the user is
    /// present. `providerID` may be the name of a configured account, whose `login` the token's account must then match.
    /// `scopes`: the granted scopes, for a provider that does not return them. `replace`: replace a stored credential of the account,
    /// and send a refresh token again that the provider refused earlier.
    func importCredential(
        _ call: Interface.ImportCredential, caller: Caller
    ) async throws(InterfaceError) -> Interface.ImportCredential.Reply

    /// Revokes the credential at the provider, if possible, and forgets it here. `account` as in GetAccessToken.
    func revokeCredential(
        _ call: Interface.RevokeCredential, caller: Caller
    ) async throws(InterfaceError) -> Interface.RevokeCredential.Reply

    /// The state of the service.
    func getStatus(_ call: Interface.GetStatus, caller: Caller) async throws(InterfaceError) -> Interface.GetStatus.Reply

    /// Reloads the configuration; after an error the old one stays in effect.
    func reload(_ call: Interface.Reload, caller: Caller) async throws(InterfaceError) -> Interface.Reload.Reply

    /// Forgets the store's key until Unlock is called.
    func lock(_ call: Interface.Lock, caller: Caller) async throws(InterfaceError) -> Interface.Lock.Reply

    /// Opens the store again.
    func unlock(_ call: Interface.Unlock, caller: Caller) async throws(InterfaceError) -> Interface.Unlock.Reply

    /// With `more` only: events as they happen; they never contain a secret.
    func monitor(_ call: Interface.Monitor, caller: Caller, replies: Replies<Interface.Monitor.Reply>) async throws(InterfaceError)
}

extension InterfaceMethods {
    /// Reads the parameters of a call, and has its method carried out. Does not suspend where that does not.
    ///
    /// - Parameter replies: takes the replies before the last.
    /// - Returns: the last reply; nil where there is none, because the caller has disconnected.
    public func answer(
        _ method: Interface.Method, _ parameters: JSONObject, caller: Caller, replies: ReplySink,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(InterfaceError) -> (any InterfaceObject)? {
        switch method {
        case .listProviders:
            return try await listProviders(read(parameters), caller: caller)
        case .checkProvider:
            return try await checkProvider(read(parameters), caller: caller)
        case .signIn:
            return try await signIn(read(parameters), caller: caller, replies: Replies(replies))
        case .listSessions:
            return try await listSessions(read(parameters), caller: caller)
        case .attachSession:
            return try await attachSession(read(parameters), caller: caller, replies: Replies(replies))
        case .cancelSession:
            return try await cancelSession(read(parameters), caller: caller)
        case .deliverRedirect:
            return try await deliverRedirect(read(parameters), caller: caller)
        case .signInWithCredential:
            return try await signInWithCredential(read(parameters), caller: caller)
        case .signInAnonymously:
            return try await signInAnonymously(read(parameters), caller: caller)
        case .createUser:
            return try await createUser(read(parameters), caller: caller)
        case .getCurrentUser:
            return try await getCurrentUser(read(parameters), caller: caller)
        case .updateUser:
            return try await updateUser(read(parameters), caller: caller)
        case .unlinkProvider:
            return try await unlinkProvider(read(parameters), caller: caller)
        case .fetchProviders:
            return try await fetchProviders(read(parameters), caller: caller)
        case .signOut:
            return try await signOut(read(parameters), caller: caller)
        case .deleteUser:
            return try await deleteUser(read(parameters), caller: caller)
        case .getUserToken:
            return try await getUserToken(read(parameters), caller: caller)
        case .enrollSecondFactor:
            return try await enrollSecondFactor(read(parameters), caller: caller)
        case .confirmSecondFactor:
            return try await confirmSecondFactor(read(parameters), caller: caller)
        case .removeSecondFactor:
            return try await removeSecondFactor(read(parameters), caller: caller)
        case .startSecondFactor:
            return try await startSecondFactor(read(parameters), caller: caller)
        case .resolveSecondFactor:
            return try await resolveSecondFactor(read(parameters), caller: caller)
        case .listCredentials:
            return try await listCredentials(read(parameters), caller: caller)
        case .getAccessToken:
            return try await getAccessToken(read(parameters), caller: caller)
        case .getIDToken:
            return try await getIDToken(read(parameters), caller: caller)
        case .authorizeRequest:
            return try await authorizeRequest(read(parameters), caller: caller)
        case .findAccount:
            return try await findAccount(read(parameters), caller: caller)
        case .importCredential:
            return try await importCredential(read(parameters), caller: caller)
        case .revokeCredential:
            return try await revokeCredential(read(parameters), caller: caller)
        case .getStatus:
            return try await getStatus(read(parameters), caller: caller)
        case .reload:
            return try await reload(read(parameters), caller: caller)
        case .lock:
            return try await lock(read(parameters), caller: caller)
        case .unlock:
            return try await unlock(read(parameters), caller: caller)
        case .monitor:
            let call: Interface.Monitor = try read(parameters)
            guard replies.isWanted else { throw .expectedMore }
            try await monitor(call, caller: caller, replies: Replies(replies))
            return nil
        }
    }
}
