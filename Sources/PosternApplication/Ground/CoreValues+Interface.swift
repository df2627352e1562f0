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

extension Interface.AuthResult {
    init(_ result: AccountResult) {
        guard let completed = result.completed else {
            let providerID = result.user.isAnonymous ? AppSignIn.anonymousProviderID : User.passwordProviderID
            self.init(
                user: Interface.User(result.user),
                additionalUserInfo: Interface.AdditionalUserInfo(
                    providerID: providerID, isNewUser: result.isNewUser, profile: JSONObject()),
                operation: Operation(result.intent))
            return
        }
        self.init(
            user: result.user, completed: completed, credential: Interface.Credential(completed), intent: result.intent)
    }

    init(user: User, completed: CompletedSignIn, credential: Interface.Credential, intent: Intent) {
        let identity = completed.profile.identity
        self.init(
            user: Interface.User(user), credential: credential,
            additionalUserInfo: Interface.AdditionalUserInfo(
                providerID: identity.providerID, isNewUser: completed.isNewUser, username: identity.username,
                profile: completed.profile.document),
            operation: Operation(intent))
    }
}

extension Interface.AuthResult.Operation {
    fileprivate init(_ intent: Intent) {
        switch intent {
        case .signIn, .credential: self = .signIn
        case .link: self = .link
        case .reauthenticate: self = .reauthenticate
        }
    }
}

extension Interface.Session {
    init(_ signIn: SignIns.Snapshot) {
        let session = signIn.session
        self.init(
            sessionID: session.id, providerID: session.request.providerID, app: session.request.app,
            intent: Interface.Intent(session.request.intent), state: State(signIn.phase), failure: signIn.outcome.flatMap(Failure.init),
            unfetched: signIn.isUnfetched ? true : nil, startedAt: "\(session.startedAt)", expiresAt: "\(signIn.expiresAt)")
    }
}

extension Interface.Session.Failure {
    fileprivate init?(_ outcome: SignInOutcome) {
        switch outcome {
        case .completed: return nil
        case .refused: self = .refused
        case .failed(.provider(.denied)): self = .denied
        case .failed(.timedOut): self = .timedOut
        case .failed(.cancelled): self = .cancelled
        case .failed: self = .other
        }
    }
}

extension Interface.ProviderFinding {
    init(_ finding: ProviderExamination.Finding) {
        let level: Level =
            switch finding.level {
            case .ok: .ok
            case .warn: .warn
            case .fail: .fail
            }
        self.init(level: level, title: finding.title, detail: finding.detail, advice: finding.advice)
    }
}

extension Interface.Session.State {
    init(_ phase: SignInSession.Phase) {
        switch phase {
        case .authorizationPending: self = .authorizationPending
        case .exchanging: self = .exchanging
        case .completed: self = .completed
        case .failed: self = .failed
        }
    }
}

extension Intent {
    init(_ intent: Interface.Intent) {
        switch intent {
        case .signIn: self = .signIn
        case .link: self = .link
        case .reauthenticate: self = .reauthenticate
        case .credential: self = .credential
        }
    }
}

extension Interface.Intent {
    init(_ intent: Intent) {
        switch intent {
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
    ///   - standing: its state now.
    ///   - renewsItself: the provider renews an access token as long as it is valid.
    init(_ credential: StoredCredential, account: String?, status: CredentialStatus, renewsItself: Bool, now: Timestamp) {
        let reason: String? = if case .signInNeeded(let reason) = status { "\(reason)" } else { nil }
        self.init(
            providerID: credential.providerID, uid: credential.subject, displayName: credential.displayName, email: credential.email,
            account: account, scopes: credential.grant.scopes, expiresAt: credential.grant.expiresAt.map { "\($0)" },
            refreshable: credential.grant.refreshToken != nil || (renewsItself && credential.grant.expiresAt.map { $0 > now } ?? true),
            state: Interface.CredentialState(status.state), endsAt: CredentialSpan(of: credential.grant).end.map { "\($0)" },
            reason: reason)
    }
}

extension Interface.Provider {
    init(_ provider: Provider, flows: [ProviderFlow], redirectURI: String?, lastRefusal: ProviderRefusal?) {
        let kind: Kind =
            switch provider.kind {
            case .oauth1: .oauth1
            case .oauth2: .oauth2
            case .oidc: .oidc
            }
        self.init(
            providerID: provider.id, displayName: provider.displayName, kind: kind, flows: flows.map(Interface.Provider.Flow.init),
            scopes: provider.scopes,
            redirectURI: redirectURI, configured: provider.problem == nil, problem: provider.problem,
            lastRefusal: lastRefusal.map { .init(refusedAt: "\($0.refusedAt)", error: $0.error, message: $0.message) })
    }
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
