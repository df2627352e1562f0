import CallbackServer
import NIOCore
import PosternApplication
import PosternCore
import PosternInterface

/// Answers requests to the callback listener from the application.
@DaemonActor
final class CallbackResponder: CallbackDelegate {
    private let front: ConfiguredDaemon
    private let events: EventLog
    private var hasToldOfForeigner = false

    init(front: ConfiguredDaemon, events: EventLog) {
        self.front = front
        self.events = events
    }

    nonisolated func pageServed(on eventLoop: any EventLoop) -> EventLoopFuture<Void> {
        answer(on: eventLoop) { _ in }
    }

    /// Once: anyone who can connect could fill the log.
    nonisolated func foreignConnectionClosed(user: UInt32?) {
        guard let user else { return }
        DaemonActor.start {
            guard !self.hasToldOfForeigner else { return }
            self.hasToldOfForeigner = true
            self.events.report(
                .callbackRefused,
                "a program of user \(user) connected to the callback address and was refused; further ones are not logged. "
                    + "If that was your browser, as in a container or on WSL, set same-user = false under [callback]", level: .notice)
        }
    }

    nonisolated func acceptFailed(_ reason: String) {
        DaemonActor.start { self.events.report(.configuration, "callback address: \(reason)") }
    }

    nonisolated func discoveryDocument(on eventLoop: any EventLoop) -> EventLoopFuture<[UInt8]?> {
        answer(on: eventLoop) { $0.discoveryDocument }
    }

    nonisolated func keySet(on eventLoop: any EventLoop) -> EventLoopFuture<[UInt8]?> {
        answer(on: eventLoop) { await $0.keySet() }
    }

    nonisolated func endSessionPage(id: String, on eventLoop: any EventLoop) -> EventLoopFuture<Secret?> {
        answer(on: eventLoop) { $0.endSessionPageOpened(id) }
    }

    nonisolated func endSessionReturned(state: Secret, on eventLoop: any EventLoop) -> EventLoopFuture<Bool> {
        answer(on: eventLoop) { $0.endSessionReturned(state) }
    }

    nonisolated func callbackReceived(
        _ callback: LoopbackCallback, on eventLoop: any EventLoop
    ) -> EventLoopFuture<CallbackDisposition> {
        answer(on: eventLoop) { desk in
            switch await desk.redirectReturned(callback) {
            case .taken(let pageID): .taken(pageID: pageID)
            case .notRecognised: .notRecognised
            case .storeLocked: .storeLocked
            case .storeUnusable: .storeUnusable
            }
        }
    }

    nonisolated func resultPage(id: String, on eventLoop: any EventLoop) -> EventLoopFuture<ResultPageState> {
        answer(on: eventLoop) { desk in
            guard let signIn = await desk.signIn(ofPage: id) else { return .unknown }
            return Self.page(of: signIn, displayName: desk.displayName(ofProvider:))
        }
    }

    /// Browsers are served on a separate thread; what they are sent is known here.
    private nonisolated func answer<Value: Sendable>(
        on eventLoop: any EventLoop, _ work: @escaping @Sendable @DaemonActor (CallbackService) async -> Value
    ) -> EventLoopFuture<Value> {
        let promise = eventLoop.makePromise(of: Value.self)
        DaemonActor.start {
            do throws(ConfigurationInvalid) { promise.succeed(await work(try await self.desk())) } catch { promise.fail(error) }
        }
        return promise.futureResult
    }

    private func desk() async throws(ConfigurationInvalid) -> CallbackService {
        if !front.isInOrder, let problem = await front.configurationProblem() { throw ConfigurationInvalid(problem) }
        guard let desk = front.callbacks else { throw ConfigurationInvalid("the configuration was not read yet") }
        return desk
    }

    private static func page(of signIn: SignIns.Snapshot, displayName: (String) -> String) -> ResultPageState {
        let session = signIn.session
        let name = displayName(session.request.providerID)
        var summary = ResultSummary(
            providerName: name, programName: session.requester, purpose: ResultSummary.Purpose(session.request.intent))
        summary.otherPrograms = signIn.otherRequesters
        switch signIn.outcome {
        case nil:
            // The page ID is created for the browser that came back; nobody has it before.
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
            if case .providerAlreadyLinked(_, let account) = refusal { summary.linkedAccount = account }
            if case .accountExists(_, let providerIDs) = refusal {
                summary.ownersWays = providerIDs.map {
                    $0 == User.passwordProviderID ? .password : .provider(name: displayName($0))
                }
            }
            return .failed(summary, FailurePage(refusal))
        case .failed(let failure):
            summary.providerMessage = failure.providerMessage
            summary.providerID = session.request.providerID
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
    /// The provider's own message, for the person; the pages show it escaped.
    fileprivate var providerMessage: String? {
        switch self {
        // The code as well: without it nobody knows what to report to whom.
        case .denied(let error, _) where !DenialCode.isDecision(error): self.description
        case .requestRejected(let error, let description, _): "\(SignInFailure.denied(error: error, description: description))"
        case .denied(_, let description), .exchangeFailed(_, let description, _): description
        case .timedOut, .cancelled, .ownerEnded, .foreignAnswer, .unreachable, .invalidIDToken, .otherAccount, .providerNotConfigured,
            .scopeRejected,
            .storeUnavailable,
            .storeLocked,
            .internal:
            nil
        }
    }
}

extension FailurePage {
    init(_ failure: SignInFailure) {
        switch failure {
        case .denied(let error, _): self = DenialCode.isDecision(error) ? .denied : .exchangeFailed
        case .timedOut: self = .timedOut
        case .cancelled: self = .cancelled
        case .ownerEnded(let isSignedOut): self = isSignedOut ? .noCurrentUser : .cancelled
        case .exchangeFailed, .requestRejected: self = .exchangeFailed
        case .foreignAnswer: self = .foreignAnswer
        case .unreachable: self = .unreachable
        case .invalidIDToken: self = .invalidIDToken
        case .otherAccount: self = .otherAccount
        case .providerNotConfigured: self = .notConfigured
        case .scopeRejected: self = .scopeRejected
        case .storeUnavailable, .storeLocked: self = .storeProblem
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
        case .linkNotProved: self = .linkNotProved
        case .accountNotConfirmed: self = .accountNotConfirmed
        case .firebase(let refusal): self = refusal.code == .networkError ? .unreachable : .internal
        // No sign-in at a provider is refused for these reasons, which concern existing users.
        case .requiresRecentSignIn, .personNotShown, .noSuchProvider, .lastProvider, .userNotFound, .tooManyAnonymousUsers: self = .internal
        }
    }
}
