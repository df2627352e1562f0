// Generated from io.postern.varlink: change that, then run `swift run postern-interface-generator`.

import StrictJSON

/// What carries out the methods of the section Provider: one method, one function.
///
/// A task that is cancelled has lost its caller.
public protocol ProviderMethods<Caller>: Sendable {
    /// What is known of the process that calls.
    associatedtype Caller: Sendable

    /// The configured providers.
    func listProviders(_ call: Interface.ListProviders, caller: Caller) async throws(InterfaceError) -> Interface.ListProviders.Reply

    /// Checks a provider's setup by asking the provider, without the cache: reads its metadata and keys, and checks whether
    /// it accepts the client ID and secret. Nobody is signed in, and no token is stored.
    /// `authorizationURL`: the page that a sign-in would open.
    /// `issuer`: the issuer of an OpenID provider that is not configured yet; only its metadata is then read.
    func checkProvider(_ call: Interface.CheckProvider, caller: Caller) async throws(InterfaceError) -> Interface.CheckProvider.Reply
}

/// What carries out the methods of the section SignIn: one method, one function.
///
/// A task that is cancelled has lost its caller.
public protocol SignInMethods<Caller>: Sendable {
    /// What is known of the process that calls.
    associatedtype Caller: Sendable

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
}

/// What carries out the methods of the section Account: one method, one function.
///
/// A task that is cancelled has lost its caller.
public protocol AccountMethods<Caller>: Sendable {
    /// What is known of the process that calls.
    associatedtype Caller: Sendable

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
}

/// What carries out the methods of the section Token: one method, one function.
///
/// A task that is cancelled has lost its caller.
public protocol TokenMethods<Caller>: Sendable {
    /// What is known of the process that calls.
    associatedtype Caller: Sendable

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
}

/// What carries out the methods of the section Service: one method, one function.
///
/// A task that is cancelled has lost its caller.
public protocol ServiceMethods<Caller>: Sendable {
    /// What is known of the process that calls.
    associatedtype Caller: Sendable

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

/// What carries out all methods of the interface: one part a section.
public protocol InterfaceMethods<Caller>: Sendable {
    associatedtype Caller: Sendable
    associatedtype ProviderPart: ProviderMethods<Caller>
    associatedtype SignInPart: SignInMethods<Caller>
    associatedtype AccountPart: AccountMethods<Caller>
    associatedtype TokenPart: TokenMethods<Caller>
    associatedtype ServicePart: ServiceMethods<Caller>

    var providerMethods: ProviderPart { get }
    var signInMethods: SignInPart { get }
    var accountMethods: AccountPart { get }
    var tokenMethods: TokenPart { get }
    var serviceMethods: ServicePart { get }

    /// Makes sure that what the method needs is there. Called when its parameters have been read, unless it needs nothing.
    ///
    /// - Throws: the error of the call, if it is not.
    func prepare(for method: Interface.Method, _ parameters: JSONObject) async throws(InterfaceError)
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
            let call = try Interface.ListProviders.read(parameters)
            try await prepare(for: method, parameters)
            return try await providerMethods.listProviders(call, caller: caller)
        case .checkProvider:
            let call = try Interface.CheckProvider.read(parameters)
            try await prepare(for: method, parameters)
            return try await providerMethods.checkProvider(call, caller: caller)
        case .signIn:
            let call = try Interface.SignIn.read(parameters)
            try await prepare(for: method, parameters)
            return try await signInMethods.signIn(call, caller: caller, replies: Replies(replies))
        case .listSessions:
            let call = try Interface.ListSessions.read(parameters)
            try await prepare(for: method, parameters)
            return try await signInMethods.listSessions(call, caller: caller)
        case .attachSession:
            let call = try Interface.AttachSession.read(parameters)
            try await prepare(for: method, parameters)
            return try await signInMethods.attachSession(call, caller: caller, replies: Replies(replies))
        case .cancelSession:
            let call = try Interface.CancelSession.read(parameters)
            try await prepare(for: method, parameters)
            return try await signInMethods.cancelSession(call, caller: caller)
        case .deliverRedirect:
            let call = try Interface.DeliverRedirect.read(parameters)
            try await prepare(for: method, parameters)
            return try await signInMethods.deliverRedirect(call, caller: caller)
        case .signInWithCredential:
            let call = try Interface.SignInWithCredential.read(parameters)
            try await prepare(for: method, parameters)
            return try await signInMethods.signInWithCredential(call, caller: caller)
        case .signInAnonymously:
            let call = try Interface.SignInAnonymously.read(parameters)
            try await prepare(for: method, parameters)
            return try await accountMethods.signInAnonymously(call, caller: caller)
        case .createUser:
            let call = try Interface.CreateUser.read(parameters)
            try await prepare(for: method, parameters)
            return try await accountMethods.createUser(call, caller: caller)
        case .getCurrentUser:
            let call = try Interface.GetCurrentUser.read(parameters)
            try await prepare(for: method, parameters)
            return try await accountMethods.getCurrentUser(call, caller: caller)
        case .updateUser:
            let call = try Interface.UpdateUser.read(parameters)
            try await prepare(for: method, parameters)
            return try await accountMethods.updateUser(call, caller: caller)
        case .unlinkProvider:
            let call = try Interface.UnlinkProvider.read(parameters)
            try await prepare(for: method, parameters)
            return try await accountMethods.unlinkProvider(call, caller: caller)
        case .fetchProviders:
            let call = try Interface.FetchProviders.read(parameters)
            try await prepare(for: method, parameters)
            return try await accountMethods.fetchProviders(call, caller: caller)
        case .signOut:
            let call = try Interface.SignOut.read(parameters)
            try await prepare(for: method, parameters)
            return try await accountMethods.signOut(call, caller: caller)
        case .deleteUser:
            let call = try Interface.DeleteUser.read(parameters)
            try await prepare(for: method, parameters)
            return try await accountMethods.deleteUser(call, caller: caller)
        case .getUserToken:
            let call = try Interface.GetUserToken.read(parameters)
            try await prepare(for: method, parameters)
            return try await accountMethods.getUserToken(call, caller: caller)
        case .enrollSecondFactor:
            let call = try Interface.EnrollSecondFactor.read(parameters)
            try await prepare(for: method, parameters)
            return try await accountMethods.enrollSecondFactor(call, caller: caller)
        case .confirmSecondFactor:
            let call = try Interface.ConfirmSecondFactor.read(parameters)
            try await prepare(for: method, parameters)
            return try await accountMethods.confirmSecondFactor(call, caller: caller)
        case .removeSecondFactor:
            let call = try Interface.RemoveSecondFactor.read(parameters)
            try await prepare(for: method, parameters)
            return try await accountMethods.removeSecondFactor(call, caller: caller)
        case .startSecondFactor:
            let call = try Interface.StartSecondFactor.read(parameters)
            try await prepare(for: method, parameters)
            return try await accountMethods.startSecondFactor(call, caller: caller)
        case .resolveSecondFactor:
            let call = try Interface.ResolveSecondFactor.read(parameters)
            try await prepare(for: method, parameters)
            return try await accountMethods.resolveSecondFactor(call, caller: caller)
        case .listCredentials:
            let call = try Interface.ListCredentials.read(parameters)
            try await prepare(for: method, parameters)
            return try await tokenMethods.listCredentials(call, caller: caller)
        case .getAccessToken:
            let call = try Interface.GetAccessToken.read(parameters)
            try await prepare(for: method, parameters)
            return try await tokenMethods.getAccessToken(call, caller: caller)
        case .getIDToken:
            let call = try Interface.GetIDToken.read(parameters)
            try await prepare(for: method, parameters)
            return try await tokenMethods.getIDToken(call, caller: caller)
        case .authorizeRequest:
            let call = try Interface.AuthorizeRequest.read(parameters)
            try await prepare(for: method, parameters)
            return try await tokenMethods.authorizeRequest(call, caller: caller)
        case .findAccount:
            let call = try Interface.FindAccount.read(parameters)
            try await prepare(for: method, parameters)
            return try await tokenMethods.findAccount(call, caller: caller)
        case .importCredential:
            let call = try Interface.ImportCredential.read(parameters)
            try await prepare(for: method, parameters)
            return try await tokenMethods.importCredential(call, caller: caller)
        case .revokeCredential:
            let call = try Interface.RevokeCredential.read(parameters)
            try await prepare(for: method, parameters)
            return try await tokenMethods.revokeCredential(call, caller: caller)
        case .getStatus:
            let call = try Interface.GetStatus.read(parameters)
            try await prepare(for: method, parameters)
            return try await serviceMethods.getStatus(call, caller: caller)
        case .reload:
            let call = try Interface.Reload.read(parameters)
            return try await serviceMethods.reload(call, caller: caller)
        case .lock:
            let call = try Interface.Lock.read(parameters)
            return try await serviceMethods.lock(call, caller: caller)
        case .unlock:
            let call = try Interface.Unlock.read(parameters)
            return try await serviceMethods.unlock(call, caller: caller)
        case .monitor:
            let call = try Interface.Monitor.read(parameters)
            guard replies.isWanted else { throw .expectedMore }
            try await serviceMethods.monitor(call, caller: caller, replies: Replies(replies))
            return nil
        }
    }
}
