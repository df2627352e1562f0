import PosternCore
import PosternInterface
import StrictJSON

// How the values of the core are represented on the socket. In one place, so that it is easy to review what leaves the daemon.

extension Interface.User {
    init(_ user: User) {
        self.init(
            uid: user.uid, isAnonymous: user.isAnonymous, displayName: user.displayName, email: user.email,
            emailVerified: user.emailVerified, photoURL: user.photoURL,
            providerData: user.identities.map(Interface.ProviderData.init) + Self.password(of: user),
            secondFactors: user.secondFactors.map(Interface.SecondFactor.init), createdAt: "\(user.createdAt)",
            lastSignInAt: "\(user.lastSignInAt)")
    }

    /// A password counts as a provider of its own, whose account is the address.
    private static func password(of user: User) -> [Interface.ProviderData] {
        guard user.hasPassword, let email = user.email else { return [] }
        return [Interface.ProviderData(providerID: User.passwordProviderID, uid: email, displayName: user.displayName, email: email)]
    }
}

extension Interface.ProviderData {
    init(_ identity: Identity) {
        self.init(
            providerID: identity.providerID, uid: identity.subject, displayName: identity.displayName, email: identity.email,
            photoURL: identity.photoURL)
    }
}

extension Interface.Credential {
    /// - Parameter handle: identifies the credential in `SignInWithCredential`; nil if it was used already.
    init(_ completed: CompletedSignIn, handle: (text: Secret, expiresAt: Timestamp)? = nil) {
        let grant = completed.grant
        let providerID = completed.profile.identity.providerID
        self.init(
            handle: handle?.text, handleExpiresAt: handle.map { "\($0.expiresAt)" }, providerID: providerID,
            signInMethod: providerID, accessToken: grant.hasAccessToken ? grant.accessToken : nil,
            tokenType: grant.hasAccessToken ? grant.tokenType : nil,
            expiresAt: grant.expiresAt.map { "\($0)" }, scopes: grant.scopes, secret: grant.tokenSecret,
            idToken: grant.idToken,
            rawNonce: grant.idToken == nil ? nil : completed.rawNonce)
    }
}

extension Intent {
    /// Nil for `keep`, which concerns no user of any app.
    init?(_ intent: Interface.Intent) {
        switch intent {
        case .signIn: self = .signIn
        case .link: self = .link
        case .reauthenticate: self = .reauthenticate
        case .credential: self = .credential
        case .keep: return nil
        }
    }
}

extension Interface.Intent {
    init(_ intent: Intent?) {
        switch intent {
        case nil: self = .keep
        case .signIn: self = .signIn
        case .link: self = .link
        case .reauthenticate: self = .reauthenticate
        case .credential: self = .credential
        }
    }
}

extension Interface.StoredCredential {
    /// - Parameters:
    ///   - account: its name in the configuration.
    ///   - status: its state now.
    ///   - renewsItself: the provider renews an access token as long as it is valid.
    ///   - advice: what would bring a refresh token.
    init(
        _ credential: StoredCredential, account: String?, status: CredentialStatus, renewsItself: Bool, advice: String?, now: Timestamp
    ) {
        let reason: String? = if case .signInNeeded(let reason) = status { "\(reason)" } else { nil }
        self.init(
            providerID: credential.providerID, uid: credential.subject, displayName: credential.displayName, email: credential.email,
            account: account, scopes: credential.grant.scopes, expiresAt: credential.grant.expiresAt.map { "\($0)" },
            refreshable: credential.grant.refreshToken != nil || (renewsItself && credential.grant.expiresAt.map { $0 > now } ?? true),
            state: Interface.CredentialState(status.state), endsAt: CredentialSpan(of: credential.grant).end.map { "\($0)" },
            reason: reason, renewalAdvice: advice, keptBy: credential.keepers.names)
    }
}

extension CredentialKeepers {
    /// As the interface has them: the empty name is the person.
    fileprivate var names: [String] { (isPerson ? [""] : []) + apps.map(\.text) }
}

extension Interface.Provider.Flow {
    init(_ flow: ProviderFlow) {
        switch flow {
        case .browser: self = .browser
        case .device: self = .device
        }
    }
}

extension ProviderFlow {
    init(_ flow: Interface.Provider.Flow) {
        switch flow {
        case .browser: self = .browser
        case .device: self = .device
        }
    }
}

extension Interface.CredentialState {
    init(_ state: CredentialStatus.State) {
        switch state {
        case .good: self = .good
        case .endsSoon: self = .endsSoon
        case .signInNeeded: self = .signInNeeded
        }
    }
}
