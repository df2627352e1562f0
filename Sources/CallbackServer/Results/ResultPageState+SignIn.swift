import PosternCore

extension ResultPageState {
    /// - Parameter result: nil if no sign-in has the page.
    init(_ result: SignInResult?) {
        guard let result else {
            self = .unknown
            return
        }
        let name = result.displayName(ofProvider: result.providerID)
        var summary = ResultSummary(
            providerName: name, programName: result.requester, purpose: ResultSummary.Purpose(result.intent))
        summary.otherPrograms = result.otherRequesters
        switch result.outcome {
        case nil:
            // The page ID is created for the browser that came back; nobody has it before.
            self = .finishing(providerName: name)
        case .completed(let completed):
            summary.show(completed)
            self = .completed(summary)
        case .refused(let refusal, let completed):
            summary.show(refusal, completed.profile.identity, result)
            self = .failed(summary, FailurePage(refusal))
        case .failed(let failure):
            if case .provider(let failure) = failure {
                summary.providerMessage = failure.providerMessage(wasDeclined: result.wasDeclined)
            }
            summary.providerID = result.providerID
            if case .otherAccount(let asked, let signedIn) = failure {
                (summary.displayName, summary.askedFor) = (signedIn, asked)
            }
            self = .failed(summary, FailurePage(failure, wasDeclined: result.wasDeclined))
        }
    }
}

extension ResultSummary {
    fileprivate mutating func show(_ completed: CompletedSignIn) {
        let identity = completed.profile.identity
        displayName = identity.displayName ?? identity.username ?? identity.subject
        email = identity.email
        userName = completed.user.flatMap { $0.displayName ?? $0.email }
    }

    fileprivate mutating func show(_ refusal: AccountRefusal, _ identity: Identity, _ result: SignInResult) {
        displayName = ExpectedAccount.name(of: identity)
        email = identity.email
        if case .providerAlreadyLinked(_, let account) = refusal { linkedAccount = account }
        if case .accountExists(_, let providerIDs) = refusal {
            ownersWays = providerIDs.map {
                $0 == User.passwordProviderID ? .password : .provider(name: result.displayName(ofProvider: $0))
            }
        }
    }
}

extension ResultSummary.Purpose {
    fileprivate init(_ intent: Intent) {
        switch intent {
        case .signIn, .credential: self = .signIn
        case .link: self = .link
        case .reauthenticate: self = .reauthenticate
        }
    }
}

extension ProviderFailure {
    /// The provider's own message, for the person; the pages show it escaped.
    fileprivate func providerMessage(wasDeclined: Bool) -> String? {
        switch self {
        // The code as well: without it nobody knows what to report to whom.
        case .denied where !wasDeclined: self.description
        case .requestRejected(let error, let description, _): "\(Self.denied(error: error, description: description))"
        case .denied(_, let description), .exchangeFailed(_, let description, _): description
        case .foreignAnswer, .unreachable, .invalidIDToken, .providerNotConfigured, .scopeRejected, .storeUnavailable, .storeLocked,
            .internal:
            nil
        }
    }
}

extension FailurePage {
    fileprivate init(_ failure: SignInFailure, wasDeclined: Bool) {
        switch failure {
        case .provider(let failure): self.init(failure, wasDeclined: wasDeclined)
        case .timedOut: self = .timedOut
        case .cancelled: self = .cancelled
        case .ownerEnded(let isSignedOut): self = isSignedOut ? .noCurrentUser : .cancelled
        case .otherAccount: self = .otherAccount
        }
    }

    private init(_ failure: ProviderFailure, wasDeclined: Bool) {
        switch failure {
        case .denied: self = wasDeclined ? .denied : .exchangeFailed
        case .exchangeFailed, .requestRejected: self = .exchangeFailed
        case .foreignAnswer: self = .foreignAnswer
        case .unreachable: self = .unreachable
        case .invalidIDToken: self = .invalidIDToken
        case .providerNotConfigured: self = .notConfigured
        case .scopeRejected: self = .scopeRejected
        case .storeUnavailable, .storeLocked: self = .storeProblem
        case .internal: self = .internal
        }
    }
}

extension FailurePage {
    fileprivate init(_ refusal: AccountRefusal) {
        switch refusal {
        case .userMismatch: self = .otherAccount
        case .accountExists: self = .accountExists
        case .credentialAlreadyInUse: self = .credentialInUse
        case .emailAlreadyInUse: self = .emailInUse
        case .providerAlreadyLinked: self = .providerAlreadyLinked
        case .noCurrentUser: self = .noCurrentUser
        case .secondFactorRequired: self = .secondFactorRequired
        case .linkNotProved: self = .linkNotProved
        case .accountNotConfirmed: self = .accountNotConfirmed
        case .firebase(let refusal): self = refusal.code == .networkError ? .unreachable : .internal
        // No sign-in at a provider is refused for these reasons, which concern existing users.
        case .requiresRecentSignIn, .personNotShown, .noSuchProvider, .lastProvider, .userNotFound, .tooManyAnonymousUsers: self = .internal
        }
    }
}
