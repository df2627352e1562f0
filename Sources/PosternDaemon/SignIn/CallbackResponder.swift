import CallbackServer
import NIOCore
import PosternCore

/// Answers the callback listener out of the coordinator.
@DaemonActor
final class CallbackResponder: CallbackDelegate {
    /// A browser waits so long for the outcome before it gets the page that follows up by itself.
    private static let patience = TimeAmount.seconds(3)

    private let coordinator: SignInCoordinator
    private let providers: ProviderDirectory
    private let endSessionPages: EndSessionPages
    private let userTokens: UserTokens

    init(
        coordinator: SignInCoordinator, providers: ProviderDirectory, endSessionPages: EndSessionPages, userTokens: UserTokens
    ) {
        self.coordinator = coordinator
        self.providers = providers
        self.endSessionPages = endSessionPages
        self.userTokens = userTokens
    }

    nonisolated func discoveryDocument(on eventLoop: any EventLoop) -> EventLoopFuture<[UInt8]?> {
        eventLoop.makeSucceededFuture(DaemonActor.assumeIsolated { userTokens.discoveryDocument })
    }

    nonisolated func keySet(on eventLoop: any EventLoop) -> EventLoopFuture<[UInt8]?> {
        let promise = eventLoop.makePromise(of: [UInt8]?.self)
        DaemonActor.start { promise.succeed(await self.userTokens.keySet()) }
        return promise.futureResult
    }

    nonisolated func endSessionPage(id: String, on eventLoop: any EventLoop) -> EventLoopFuture<Secret?> {
        eventLoop.makeSucceededFuture(DaemonActor.assumeIsolated { endSessionPages.opened(id) })
    }

    nonisolated func endSessionReturned(state: Secret, on eventLoop: any EventLoop) -> EventLoopFuture<Bool> {
        eventLoop.makeSucceededFuture(DaemonActor.assumeIsolated { endSessionPages.returned(state) })
    }

    nonisolated func callbackReceived(
        _ callback: LoopbackCallback, on eventLoop: any EventLoop
    ) -> EventLoopFuture<CallbackDisposition> {
        let promise = eventLoop.makePromise(of: CallbackDisposition.self)
        DaemonActor.start {
            // Its sign-in may be on disk, out of reach: what comes back is not used up, and is good once it can be.
            guard !self.coordinator.store.isUnavailable else { return promise.succeed(.storeClosed) }
            let taken = await self.coordinator.redirectReturned(callback.parameters, path: callback.path)
            promise.succeed(taken.map { .taken(pageID: $0.pageID) } ?? .notRecognised)
        }
        return promise.futureResult
    }

    nonisolated func resultPage(id: String, on eventLoop: any EventLoop) -> EventLoopFuture<ResultPageState> {
        DaemonActor.assumeIsolated { coordinator.outcome(ofPage: id, within: Self.patience, on: eventLoop) }
            .map { DaemonActor.assumeIsolated { self.state(ofPage: id) } }
    }

    private func state(ofPage id: String) -> ResultPageState {
        guard let session = coordinator.table.session(page: id) else { return .unknown }
        let name = providers.displayName(session.question.providerID)
        var summary = ResultSummary(
            providerName: name, programName: session.requester, purpose: ResultSummary.Purpose(session.question.intent))
        switch session.outcome {
        case nil:
            // The page ID is made for the browser that came back; before that nobody has it.
            return .finishing(providerName: name)
        case .completed(let completed):
            let identity = completed.profile.identity
            summary.displayName = identity.displayName ?? identity.username ?? identity.subject
            summary.email = identity.email
            summary.userName = completed.user.flatMap { $0.displayName ?? $0.email }
            return .completed(summary)
        case .refused(let refusal, let completed):
            summary.displayName = ExpectedAccount.name(of: completed.profile.identity)
            summary.email = completed.profile.identity.email
            if case .accountExists(_, let providerIDs) = refusal {
                summary.ownersWays = providerIDs.map {
                    $0 == User.passwordProviderID ? .password : .provider(name: providers.displayName($0))
                }
            }
            return .failed(summary, FailurePage(refusal))
        case .failed(let failure):
            summary.providerMessage = failure.providerMessage
            if case .otherAccount(let asked, let signedIn) = failure {
                (summary.displayName, summary.askedFor) = (signedIn, asked)
            }
            return .failed(summary, FailurePage(failure))
        }
    }
}

extension ResultSummary.Purpose {
    init(_ intent: Intent) {
        switch intent {
        case .signIn, .credential: self = .signIn
        case .link: self = .link
        case .reauthenticate: self = .reauthenticate
        }
    }
}

extension SignInFailure {
    /// What the provider itself said, for the person; the pages show it escaped.
    fileprivate var providerMessage: String? {
        switch self {
        case .denied(_, let description), .exchangeFailed(_, let description, _): description
        case .timedOut, .cancelled, .unreachable, .invalidIDToken, .otherAccount, .providerNotConfigured, .storeUnavailable, .internal: nil
        }
    }
}

extension SignInFailure {
    fileprivate static func isDecision(_ error: String) -> Bool {
        ["access_denied", "user_cancelled_authorize", "user_denied", "authorization_declined", "cancelled"].contains(error)
    }
}

extension FailurePage {
    init(_ failure: SignInFailure) {
        switch failure {
        // Other words are the provider's trouble, not the person's decision (RFC 6749 section 4.1.2.1).
        case .denied(let error, _): self = SignInFailure.isDecision(error) ? .denied : .exchangeFailed
        case .timedOut: self = .timedOut
        case .cancelled: self = .cancelled
        case .exchangeFailed: self = .exchangeFailed
        case .unreachable: self = .unreachable
        case .invalidIDToken: self = .invalidIDToken
        case .otherAccount: self = .otherAccount
        case .providerNotConfigured: self = .notConfigured
        case .storeUnavailable: self = .storeProblem
        case .internal: self = .internal
        }
    }
}

extension FailurePage {
    init(_ refusal: AccountRefusal) {
        switch refusal {
        case .userMismatch: self = .otherAccount
        case .accountExists: self = .accountExists
        case .credentialAlreadyInUse: self = .credentialInUse
        case .emailAlreadyInUse: self = .emailInUse
        case .providerAlreadyLinked: self = .providerAlreadyLinked
        case .noCurrentUser: self = .noCurrentUser
        case .secondFactorRequired: self = .secondFactorRequired
        case .firebase(let refusal): self = refusal.code == .networkError ? .unreachable : .internal
        // No sign-in at a provider is refused so; these are about what is there already.
        case .requiresRecentSignIn, .noSuchProvider, .lastProvider, .userNotFound: self = .internal
        }
    }
}
