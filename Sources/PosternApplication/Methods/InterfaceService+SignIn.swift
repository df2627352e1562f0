import PosternCore
import PosternInterface
import StrictJSON

extension InterfaceService {
    private static let mostScopes = 64
    private static let mostParameters = 32
    private static let longestValue = 2048

    func signIn(_ call: InterfaceCall, from peer: any Caller, _ reply: any InterfaceReply) throws {
        let parameters = try parameters(of: call, as: Interface.SignIn.self)
        let provider = try daemon.providers.configured(parameters.providerID)
        let question = try question(parameters, to: provider)
        let choice = try flow(parameters.flow, of: provider, call)
        let seconds = parameters.timeoutSeconds ?? daemon.settings.defaultTimeoutSeconds
        guard (1...3600).contains(seconds) else { throw InterfaceError.invalidParameter("timeoutSeconds") }
        let presentation = parameters.presentation ?? .daemon
        // Nobody would ever learn where the page is.
        guard call.more || (presentation == .daemon && daemon.settings.opensPage(of: question)) else { throw InterfaceError.expectedMore }
        try daemon.keeper.check()

        // Read before anything else: a process that asks and goes leaves no trace.
        let process = EventLog.Requester(pid: peer.pid, executable: peer.executable, unit: peer.unit)
        let requester = requester(peer, app: question.app)
        let ask: @Sendable @DaemonActor (SignInQuestion, ProviderFlow) -> Void = { [self] question, flow in
            if flow == .browser {
                do throws(InterfaceError) { try daemon.origins.check(provider) } catch { return refuse(error, reply) }
            }
            // Who wants a code wants no page opened.
            let listener = ReplyListener(
                reply: reply, wantsEveryEvent: call.more, presentation: flow == .device ? nil : presentation)
            let waiter = daemon.coordinator.asked(
                question, of: provider, by: flow, timeoutSeconds: Int64(seconds), requester: requester, process: process,
                listener: listener)
            watch(waiter, reply)
        }
        let isDevice = if case .device = choice { true } else { false }
        let isAboutUser = question.intent == .link || question.intent == .reauthenticate
        guard isDevice || isAboutUser || !daemon.origins.isComplete else { return ask(question, .browser) }
        daemon.platform.work.start {
            do {
                // What another process had may be free by now.
                if !isDevice, !self.daemon.origins.isComplete { await self.daemon.watch.seek() }
                var question = question
                // The person may take minutes, and the app become somebody else's meanwhile.
                if isAboutUser {
                    let current = try await self.daemon.accounts.currentUser(app: question.app)
                    question.linksTo = try AccountRules.pageOwner(for: question.intent, current: current)
                }
                let flow = isDevice ? try await self.settled(choice, of: provider) : .browser
                // Locked, perhaps, while that was asked.
                try self.daemon.keeper.check()
                if !reply.isCancelled { ask(question, flow) }
            } catch {
                self.refuse(await self.told(error, app: question.app), reply)
            }
        }
    }

    /// The request, checked: what does not belong into it is told by name.
    private func question(_ parameters: Interface.SignIn, to provider: Provider) throws -> SignInQuestion {
        // OAuth 1.0a has none: what an access token may do is settled where the application is registered.
        if provider.kind == .oauth1, parameters.scopes?.isEmpty == false { throw InterfaceError.invalidParameter("scopes") }
        let scopes: [String]
        do throws(InvalidScope) { scopes = try provider.scopesToRequest(parameters.scopes) } catch {
            throw InterfaceError.invalidParameter("scopes")
        }
        guard scopes.count <= Self.mostScopes else { throw InterfaceError.invalidParameter("scopes") }
        let custom = parameters.customParameters ?? [:]
        if let name = ReservedParameters.firstReserved(in: custom.keys, and: provider.dialect.reservedParameters) {
            throw InterfaceError.reservedParameter(
                message: "the parameter \(name) is set by Postern itself and cannot be given; leave it out", name: name)
        }
        guard custom.count <= Self.mostParameters, custom.allSatisfy({ $0.key.utf8.count <= 128 && isText($0.value) }) else {
            throw InterfaceError.invalidParameter("customParameters")
        }
        if let hint = parameters.loginHint, !isText(hint) { throw InterfaceError.invalidParameter("loginHint") }
        return SignInQuestion(
            providerID: provider.id, intent: Intent(parameters.intent ?? .signIn), app: try app(parameters.app), scopes: scopes,
            parameters: custom, loginHint: parameters.loginHint)
    }

    private func isText(_ value: String) -> Bool {
        (1...Self.longestValue).contains(value.utf8.count)
            && value.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }

    /// The program in words: its executable's name, and the app where it names one.
    private func requester(_ peer: any Caller, app: String) -> String {
        let program = peer.executable.flatMap { $0.split(separator: "/").last.map(String.init) }
        let name = program ?? "process \(peer.pid)"
        return app == "default" ? name : "\(app) (\(name))"
    }

    /// The waiter leaves when its client goes.
    private func watch(_ waiter: WaiterID?, _ reply: any InterfaceReply) {
        guard let waiter else { return }
        reply.onCancel { [daemon] in
            daemon.coordinator.left(waiter)
        }
    }

    // MARK: Sessions

    func listSessions(_ call: InterfaceCall, _ reply: any InterfaceReply) throws {
        _ = try parameters(of: call, as: Interface.ListSessions.self)
        try daemon.keeper.check()
        let sessions = daemon.coordinator.signIns.all.map { Interface.Session($0) }
        reply.send(Interface.ListSessions.Reply(sessions: sessions), continues: false)
    }

    func attachSession(_ call: InterfaceCall, _ reply: any InterfaceReply) throws {
        let parameters = try parameters(of: call, as: Interface.AttachSession.self)
        try daemon.keeper.check()
        // Without `more` it never learns the URL, so it cannot show the page.
        let listener = ReplyListener(reply: reply, wantsEveryEvent: call.more, presentation: call.more ? .client : nil)
        watch(daemon.coordinator.attached(parameters.sessionID, listener: listener), reply)
    }

    func cancelSession(_ call: InterfaceCall, _ reply: any InterfaceReply) throws {
        let parameters = try parameters(of: call, as: Interface.CancelSession.self)
        try daemon.keeper.check()
        answer(reply) { [daemon] in
            try await daemon.coordinator.cancelled(parameters.sessionID)
            return Interface.CancelSession.Reply()
        }
    }

    func deliverRedirect(_ call: InterfaceCall, _ reply: any InterfaceReply) throws {
        let parameters = try parameters(of: call, as: Interface.DeliverRedirect.self)
        let redirect: DeliveredRedirect
        do throws(CallbackParseError) { redirect = try DeliveredRedirect(parsing: parameters.url.reveal()) } catch {
            throw InterfaceError.redirectNotRecognised(message: "\(error)")
        }
        try daemon.keeper.check()
        answer(reply) { [daemon] in
            // What is not recognised at one place changed nothing.
            for place in redirect.places {
                guard let taken = await daemon.coordinator.redirectReturned(redirect.callback.parameters, path: place) else { continue }
                return Interface.DeliverRedirect.Reply(sessionID: taken.id)
            }
            // Locked meanwhile: its sign-in may be on disk, where the answer is as good as before.
            try daemon.keeper.check()
            throw InterfaceError.redirectNotRecognised(
                message: "no sign-in waits for this redirect; it may have been used already or have expired: start the sign-in again")
        }
    }
}

/// One call that waits for a sign-in.
@DaemonActor
final class ReplyListener: SignInListener {
    let wantsEveryEvent: Bool
    let presentation: Interface.SignIn.Presentation?
    private let reply: any InterfaceReply

    init(reply: any InterfaceReply, wantsEveryEvent: Bool, presentation: Interface.SignIn.Presentation?) {
        self.reply = reply
        self.wantsEveryEvent = wantsEveryEvent
        self.presentation = presentation
    }

    func eventHappened(_ event: Interface.SignInEvent) { reply.send(Interface.SignIn.Reply(event: event), continues: true) }

    func completed(_ event: Interface.SignInEvent) -> Bool {
        guard !reply.isCancelled else { return false }
        reply.send(Interface.SignIn.Reply(event: event), continues: false)
        return true
    }

    func failed(_ error: InterfaceError) -> Bool {
        guard !reply.isCancelled else { return false }
        reply.fail(error)
        return true
    }
}
