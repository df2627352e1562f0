import PosternCore
import PosternInterface

/// One call that waits for a sign-in.
@DaemonActor
final class SignInListener {
    /// The caller called with `more`: it receives every change. Without, it receives only the end.
    var wantsEveryEvent: Bool { reply?.wantsMore ?? false }
    /// Who opens the page, as far as this caller is concerned; nil if it does not say.
    let presenter: PagePresenter?
    /// Nil if nobody waits for the end.
    private let reply: (any InterfaceReply)?
    private let message: @DaemonActor (Interface.SignInEvent) -> any InterfaceObject
    /// Why the call ends; nil if ``answer(_:)`` has ended it.
    let end = Promise<InterfaceError?>()
    /// How the sign-in failed; nil if it did not, or if the call ends for another reason.
    var failure: SignInFailure?

    /// - Parameter message: an event as the reply of the method that was called.
    init(
        _ reply: (any InterfaceReply)?, presenter: PagePresenter?,
        _ message: @escaping @DaemonActor (Interface.SignInEvent) -> any InterfaceObject
    ) {
        self.reply = reply
        self.presenter = presenter
        self.message = message
    }

    func send(_ event: Interface.SignInEvent) {
        if wantsEveryEvent { reply?.send(message(event), continues: true) }
    }

    /// Sends the final reply.
    ///
    /// - Returns: whether it is on its way; false if the caller has disconnected, or wants no reply: another can fetch the result.
    func answer(_ last: Result<Interface.SignInEvent, InterfaceError>) -> Bool {
        defer { end.fulfill(nil) }
        guard let reply else { return true }
        let isReceived = !reply.isOneway && !reply.isCancelled
        switch last {
        case .success(let event): reply.send(message(event), continues: false)
        case .failure(let error): reply.fail(error)
        }
        return isReceived
    }
}

/// What those who wait receive, and what is recorded.
extension SignInCoordinator {
    func fail(_ waiters: [WaiterID], _ error: InterfaceError) {
        for id in waiters { listeners.removeValue(forKey: id)?.end.fulfill(error) }
    }

    func error(_ failure: SignInFailure, of session: SignInSession) -> InterfaceError {
        InterfaceError(failure, session: session, providerName: providers.directory.displayName(session.request.providerID))
    }

    // MARK: Handing out

    /// Hands the result to everybody who waits. For a credential that can still be used each gets a handle, for a first factor a resolver.
    func deliver(_ delivery: SignInDelivery) async {
        let session = delivery.ticket.session
        let request = session.request
        var isReceived = false
        do throws(AccountFailure) {
            var extras: [WaiterID: ReplyExtras] = [:]
            for id in delivery.waiters {
                extras[id] = try await self.extras(
                    for: delivery.outcome, boundTo: session.binding, request.intent, app: request.app, owner: request.owner)
            }
            var account: Interface.StoredCredential?
            if case .kept(let kept) = delivery.outcome { account = await self.account(CredentialKey(kept.profile.identity)) }
            let handles = extras.values.compactMap(\.handle)
            if !handles.isEmpty,
                !(try await store.ask({ store throws(StoreError) in try await store.addHandles(handles, of: session.id) }))
            {
                // The result was handed out before.
                extras = [:]
                fail(delivery.waiters, InterfaceError(.delivered))
            }
            for id in delivery.waiters {
                // Those who have disconnected meanwhile leave theirs unused.
                guard let listener = listeners.removeValue(forKey: id),
                    listener.answer(result(of: delivery, with: extras[id] ?? ReplyExtras(), account))
                else { continue }
                extras[id] = nil
                isReceived = true
            }
            let left = extras.values.compactMap(\.handle?.handle)
            if !left.isEmpty { platform.work.start { await self.takeBack(left) } }
        } catch {
            fail(delivery.waiters, InterfaceError(error, app: request.app, providerName: providers.directory.displayName))
        }
        happened(to: delivery.ticket) { signIn, _ in signIn.delivered(isReceived: isReceived) }
    }

    /// What a caller needs to continue.
    struct ReplyExtras {
        var handle: HandleRecord?
        var resolver: Secret?

        var shownHandle: (text: Secret, expiresAt: Timestamp)? { handle.map { ($0.handle, $0.expiresAt) } }
    }

    /// A handle counts from the moment that a program can know it, so the caller stores it before.
    func extras(
        for outcome: SignInOutcome, boundTo binding: ProviderBinding, _ intent: Intent?, app: AppName,
        owner: @autoclosure @DaemonActor () async throws(AccountFailure) -> PageOwner?
    ) async throws(AccountFailure) -> ReplyExtras {
        var extras = ReplyExtras()
        if let completed = outcome.credentialToHandOut {
            extras.handle = HandleRecord(
                handle: try platform.accountToken(), providerID: completed.profile.identity.providerID, binding: binding,
                credential: completed, app: app, expiresAt: platform.now.adding(seconds: HandleRecord.lifetimeSeconds),
                sharesIDToken: intent == .credential && completed.grant.idToken != nil)
        }
        if case .refused(let refusal, let completed) = outcome, refusal.reason == .secondFactorRequired, let uid = refusal.uid, let intent {
            let owner = try await owner()
            extras.resolver = try await accounts.resolver(
                for: .provider(completed, binding), uid: uid, generation: refusal.generation ?? 0, intent: intent, app: app, owner: owner)
        }
        return extras
    }

    private func result(
        of delivery: SignInDelivery, with extras: ReplyExtras, _ account: Interface.StoredCredential?
    ) -> Result<Interface.SignInEvent, InterfaceError> {
        let session = delivery.ticket.session
        switch delivery.outcome {
        case .completed(let completed):
            return .success(Interface.SignInEvent(completed, delivery, Interface.Credential(completed, handle: extras.shownHandle)))
        case .kept:
            return .success(
                Interface.SignInEvent(sessionID: session.id, state: .completed, expiresAt: "\(delivery.expiresAt)", account: account))
        case .refused(let refusal, let completed):
            return .failure(error(refusal, of: completed, with: extras, app: session.request.app))
        case .failed(let failure): return .failure(error(failure, of: session))
        }
    }

    /// A refusal as the caller gets it: the credential with a handle, the first factor with a resolver.
    func error(_ refusal: AccountRefusal, of completed: CompletedSignIn, with extras: ReplyExtras, app: AppName) -> InterfaceError {
        let context = InterfaceError.RefusalContext(
            app: app, providerName: providers.directory.displayName(completed.profile.identity.providerID),
            credential: extras.shownHandle.map { Interface.Credential(app.isEmpty ? completed.withoutSecrets : completed, handle: $0) },
            resolver: extras.resolver)
        return InterfaceError(refusal, context)
    }

    /// Others can still fetch the result, with other handles.
    private func takeBack(_ handles: [Secret]) async {
        do { try await store.opened().deleteHandles(handles) } catch {
            events.report(.storeProblem, "undelivered handles could not be removed: \(error)", level: .warning)
        }
    }

    // MARK: Reports

    func note(_ note: SignInNote, of session: SignInSession) {
        let name = providers.directory.displayName(session.request.providerID)
        switch note {
        case .completed(let completed): providers.stepUps.ended(session.request, .kept(completed))
        case .failed(let failure): providers.stepUps.ended(session.request, .failed(failure))
        default: break
        }
        switch note {
        // Reported with the program that called, if there is one.
        case .asked, .joined: break
        case .takenUp(let isFirst):
            let who = isFirst ? "a program waits again" : "another program waits as well"
            events.report(.signInJoined, "\(who) for the sign-in at \(name)", session: session)
        case .waits(let flow):
            events.report(.signInStarted, "a \(flow == .device ? "code" : "page") of \(name) waits for the user", session: session)
        case .codeGiven: events.report(.codeGiven, "a code of \(name) waits for the user, beside the page", session: session)
        case .pageOpened: events.report(.pageOpened, "the page of \(name) was opened in the browser", session: session)
        case .pageNotOpened(let problem):
            events.report(.pageNotOpened, "the page of \(name) could not be opened: \(problem)", session: session)
        case .pageNotMade(let failure):
            events.report(.flowFailed, "the page of a sign-in at \(name) could not be made again: \(failure)", session: session)
        case .codeNotGiven(let failure): events.report(.flowFailed, "no code of \(name) could be obtained: \(failure)", session: session)
        case .codeOver(let failure):
            events.report(
                .flowFailed, "the code of \(name) has expired, the page still waits: \(error(failure, of: session).message)",
                session: session)
        case .callbackReceived: events.report(.callbackReceived, "the browser came back from \(name)", session: session)
        // The user ID says who it was: a journal needs no list of the addresses of all who signed in.
        case .completed(let completed):
            events.report(.signInCompleted, "signed in at \(name)", session: session, uid: completed.user?.uid)
        case .refused(let refusal):
            // Nor whose address it is.
            let words = refusal.words(app: session.request.app, providerName: name, namesAddress: false)
            events.report(.signInFailed, "sign-in at \(name) refused: \(words)", session: session)
        case .failed(.cancelled): events.report(.signInFailed, "sign-in at \(name) was cancelled", session: session)
        case .failed(.timedOut): events.report(.signInFailed, "sign-in at \(name) ended: nobody finished it in time", session: session)
        case .failed(let failure):
            let reason = error(failure, of: session).message
            let words = reason.holds(name) ? "sign-in ended: \(reason)" : "sign-in at \(name) ended: \(reason)"
            events.report(.signInFailed, words, session: session)
        case .delivered: events.report(.resultDelivered, "the result of \(name) was delivered to a program", session: session)
        case .grantLost:
            events.report(
                .storeProblem, "tokens of \(name) arrived while the store was closed; they are neither stored nor revoked at the provider",
                level: .warning, session: session)
        }
    }
}

extension Interface.SignInEvent {
    /// The state of a sign-in under way.
    init(_ progress: SignInProgress) {
        self.init(
            sessionID: progress.sessionID, state: progress.phase == .exchanging ? .exchanging : .authorizationPending,
            expiresAt: "\(progress.expiresAt)", authorizationURL: progress.page?.reveal(), pageProblem: progress.pageProblem,
            verificationURI: progress.verificationURI,
            verificationURIComplete: progress.verificationURIComplete, userCode: progress.userCode, scopes: progress.scopes)
    }

    fileprivate init(_ completed: CompletedSignIn, _ delivery: SignInDelivery, _ credential: Interface.Credential) {
        self.init(
            sessionID: delivery.ticket.session.id, state: .completed, expiresAt: "\(delivery.expiresAt)", credential: credential,
            result: completed.user.map {
                Interface.AuthResult(
                    user: $0, completed: completed, credential: credential,
                    intent: delivery.ticket.session.request.intent ?? .credential)
            })
    }
}
