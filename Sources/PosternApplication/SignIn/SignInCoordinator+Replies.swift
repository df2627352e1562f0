import PosternCore
import PosternInterface

/// Receives the events of one `SignIn` or `AttachSession` call.
@DaemonActor
protocol SignInListener: AnyObject {
    /// The caller called with `more`: it receives every change. Without, it receives only the end.
    var wantsEveryEvent: Bool { get }
    /// Who opens the page, as far as this caller is concerned; nil if it does not say.
    var presentation: Interface.SignIn.Presentation? { get }

    func eventHappened(_ event: Interface.SignInEvent)
    /// The final event.
    func ended(_ result: Result<Interface.SignInEvent, InterfaceError>)
    /// Whether the final event is on its way; false if the caller has disconnected. Known soon after it was sent.
    var isReceived: Bool { get async }
}

extension SignInListener {
    func failed(_ error: InterfaceError) { ended(.failure(error)) }
}

/// What those who wait receive, and what is recorded.
extension SignInCoordinator {
    func tell(_ waiters: [WaiterID], _ progress: SignInProgress) {
        let event = Interface.SignInEvent(progress)
        for id in waiters { listeners[id]?.eventHappened(event) }
    }

    func fail(_ waiters: [WaiterID], of session: SignInSession, _ failure: SignInFailure) {
        fail(waiters, error(failure, of: session))
    }

    func refuse(_ waiters: [WaiterID], of session: SignInSession, isOnDisk: Bool) {
        fail(waiters, InterfaceError(.locked(sessionID: isOnDisk ? session.id : nil)))
    }

    private func fail(_ waiters: [WaiterID], _ error: InterfaceError) {
        for id in waiters { listeners.removeValue(forKey: id)?.failed(error) }
    }

    func error(_ failure: SignInFailure, of session: SignInSession) -> InterfaceError {
        InterfaceError(failure, session: session, providerName: providers.directory.displayName(session.request.providerID))
    }

    // MARK: Handing out

    /// Hands the result to everybody who waits. For a credential that can still be used each gets a handle, for a first factor a resolver.
    func deliver(_ delivery: SignInDelivery) async {
        var isReceived = false
        do throws(AccountFailure) {
            var extras: [WaiterID: ReplyExtras] = [:]
            if let handedOut = try await handOut(delivery) {
                extras = handedOut
            } else {
                fail(delivery.waiters, InterfaceError(.delivered))
            }
            for id in delivery.waiters {
                // Those who have disconnected meanwhile leave theirs unused.
                guard let listener = listeners.removeValue(forKey: id) else { continue }
                listener.ended(result(of: delivery, with: extras[id]))
                guard await listener.isReceived else { continue }
                extras[id] = nil
                isReceived = true
            }
            let left = extras.values.compactMap(\.handle?.handle)
            if !left.isEmpty { platform.work.start { await self.takeBack(left) } }
        } catch {
            fail(
                delivery.waiters,
                InterfaceError(error, app: delivery.session.request.app, providerName: providers.directory.displayName))
        }
        happened { signIns, _ in signIns.delivered(delivery.ticket, isReceived: isReceived) }
    }

    /// What a waiting caller needs to continue.
    private struct ReplyExtras {
        var handle: HandleRecord?
        var resolver: Secret?
    }

    /// - Returns: nil if the result was handed out before.
    private func handOut(_ delivery: SignInDelivery) async throws(AccountFailure) -> [WaiterID: ReplyExtras]? {
        let session = delivery.session
        var extras: [WaiterID: ReplyExtras] = [:]
        if let completed = delivery.outcome.credentialToHandOut {
            for id in delivery.waiters {
                extras[id, default: ReplyExtras()].handle = try handle(
                    for: completed, boundTo: session.binding, app: session.request.app)
            }
            // A handle counts from the moment that a program can know it, so it is on disk before.
            let handles = extras.values.compactMap(\.handle)
            guard try await store.ask({ store throws(StoreError) in try await store.addHandles(handles, of: session.id) }) else {
                return nil
            }
        }
        if case .refused(let refusal, let completed) = delivery.outcome, refusal.reason == .secondFactorRequired, let uid = refusal.uid {
            for id in delivery.waiters {
                extras[id, default: ReplyExtras()].resolver = try await accounts.resolver(
                    for: .provider(completed, session.binding), uid: uid, intent: session.request.intent, app: session.request.app,
                    owner: session.request.owner)
            }
        }
        return extras
    }

    private func result(
        of delivery: SignInDelivery, with extras: ReplyExtras?
    ) -> Result<Interface.SignInEvent, InterfaceError> {
        let session = delivery.session
        let handle = extras?.handle.map { (text: $0.handle, expiresAt: $0.expiresAt) }
        switch delivery.outcome {
        case .completed(let completed):
            return .success(Interface.SignInEvent(completed, delivery, Interface.Credential(completed, handle: handle)))
        case .refused(let refusal, let completed):
            let context = InterfaceError.RefusalContext(
                app: session.request.app, providerName: providers.directory.displayName(session.request.providerID),
                credential: handle.map { Interface.Credential(completed, handle: $0) }, resolver: extras?.resolver)
            return .failure(InterfaceError(refusal, context))
        case .failed(let failure): return .failure(error(failure, of: session))
        }
    }

    func handle(for completed: CompletedSignIn, boundTo binding: ProviderBinding, app: String) throws(AccountFailure) -> HandleRecord {
        HandleRecord(
            handle: try platform.accountToken(), providerID: completed.profile.identity.providerID, binding: binding,
            credential: completed, app: app, expiresAt: platform.now.adding(seconds: HandleRecord.lifetimeSeconds))
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
    fileprivate init(_ progress: SignInProgress) {
        self.init(
            sessionID: progress.sessionID, state: progress.phase == .exchanging ? .exchanging : .authorizationPending,
            expiresAt: "\(progress.expiresAt)", authorizationURL: progress.page?.reveal(), pageProblem: progress.pageProblem,
            verificationURI: progress.verificationURI,
            verificationURIComplete: progress.verificationURIComplete, userCode: progress.userCode)
    }

    fileprivate init(_ completed: CompletedSignIn, _ delivery: SignInDelivery, _ credential: Interface.Credential) {
        self.init(
            sessionID: delivery.session.id, state: .completed, expiresAt: "\(delivery.expiresAt)", credential: credential,
            result: completed.user.map {
                Interface.AuthResult(user: $0, completed: completed, credential: credential, intent: delivery.session.request.intent)
            })
    }
}
