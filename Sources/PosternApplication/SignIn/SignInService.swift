import PosternCore
import PosternInterface

/// The methods that sign in: through a provider, or with a credential.
@DaemonActor
final class SignInService: Grounded, SignInMethods {
    let demand: AccountDemand
    let coordinator: SignInCoordinator
    let providers: ProviderRoom
    let ground: Ground
    let addresses: any AddressSeeking

    init(
        _ ground: Ground, demand: AccountDemand, coordinator: SignInCoordinator, providers: ProviderRoom, addresses: any AddressSeeking
    ) {
        self.demand = demand
        self.coordinator = coordinator
        self.providers = providers
        self.ground = ground
        self.addresses = addresses
    }

    var accounts: any AccountAuthority { demand.accounts }

    private static let mostScopes = 64
    private static let mostParameters = 32
    private static let longestValue = 2048

    func signIn(_ call: Interface.SignIn, reply: any InterfaceReply) async throws(InterfaceError) -> Interface.SignIn.Reply? {
        let named = settings.configuration.namedAccounts[call.providerID]
        try named?.requireUsable()
        let configured = try providers.directory.named(named?.providerID ?? call.providerID, accounts: settings.configuration.namedAccounts)
        let provider = try await withIssuer(configured, agreed: try call.agreed(at: configured))
        if let handle = call.confirmation { return try await confirmed(handle, call, as: named) }
        var request = try request(call, to: provider, as: named)
        try ProviderDirectory.check(provider, isFor: request.app)
        if request.accountName == nil { try ProviderDirectory.checkNamesPeople(provider) }
        let choice = try flow(call.flow, of: provider, showsCode: reply.wantsMore)
        let seconds = call.timeoutSeconds ?? settings.defaultTimeoutSeconds
        guard (1...3600).contains(seconds) else { throw .invalidParameter("timeoutSeconds") }
        let presenter: PagePresenter = call.presentation == .client ? .client : .daemon
        // Nobody would ever learn where the page is.
        guard reply.wantsMore || (presenter == .daemon && settings.opensPage(of: request)) else { throw .expectedMore }

        // Read before anything else: a process that calls and exits leaves no trace.
        let process = reply.caller
        let requester = requester(process, app: request.app)
        if let meant = await signedOut(meantBy: call, at: provider) { request = try self.request(call, to: provider, as: meant) }
        // At an MCP server the person's own list starts afresh: what another program needs is asked for when it needs it.
        if provider.server == nil || call.scopes == nil { await keepScopes(in: &request, at: provider) }
        try await take(call.challenge, into: &request, at: provider)
        let flow = try await prepare(&request, choice, at: provider)
        guard !Task.isCancelled else { throw .callerHasGone }
        if flow == .browser {
            do throws(ProviderUnavailable) { try providers.origins.check(provider) } catch { throw InterfaceError(error) }
        }
        // A program that wants a code wants no page opened.
        func sign(_ request: SignInRequest, narrowed: SignInRequest?) async throws(InterfaceError) {
            let listener = SignInListener(reply, presenter: flow == .device ? nil : presenter) { Interface.SignIn.Reply(event: $0) }
            let waiter = try coordinator.asked(
                request, of: provider, by: flow, timeoutSeconds: Int64(seconds), requester: requester, process: process,
                listener: listener)
            do throws(InterfaceError) { try await end(of: waiter, listener) } catch {
                // An earlier request may have had a scope that the provider does not know any more, or a client not registered for it.
                guard let narrowed, case .provider(let failure) = listener.failure, failure.reason == .scopeRejected else { throw error }
                try await sign(narrowed, narrowed: nil)
            }
        }
        // At an MCP server the client is another one then, so the same may do.
        let again = request.stepUp != nil && provider.server != nil && provider.extensions.registersClient ? request : nil
        try await sign(request, narrowed: request.narrowed(at: provider) ?? again)
        return nil
    }

    /// An MCP server's provider with its issuer; any other as it is.
    private func withIssuer(_ provider: Provider, agreed: AgreedServer?) async throws(InterfaceError) -> Provider {
        guard provider.server != nil else { return provider }
        let kept = await providers.loader.credential(ofServer: provider.id)
        let (found, changes): (Provider, [String])
        do throws(ProviderFailure) {
            (found, changes) = try await platform.work.count { () async throws(ProviderFailure) in
                guard let agreed else { return (try await providers.directory.withIssuer(provider, replacing: kept?.binding), []) }
                return try await providers.directory.withIssuer(provider, as: agreed, replacing: kept?.binding)
            }
        } catch {
            throw InterfaceError(error, providerID: provider.id, providerName: provider.displayName)
        }
        guard changes.isEmpty else {
            throw .serverChanged(
                message: "\(provider.displayName) is not what was agreed to: \(changes.joined(separator: "; ")); nothing was sent, so look "
                    + "at it again, and agree only if that is right", providerID: provider.id)
        }
        return found
    }

    /// The account that the provider's name means, if nobody is signed in to it. Another account's sign-in would give the name no token; and
    /// where nothing says who signs in, the name is the account.
    private func signedOut(meantBy call: Interface.SignIn, at provider: Provider) async -> NamedAccount? {
        let accounts = settings.configuration.namedAccounts
        guard call.intent == .keep, let meant = accounts.meant(by: call.providerID) else { return nil }
        guard provider.namesPeople else { return meant }
        // No code, and no page of OAuth 1.0a, can be asked to let another account be chosen.
        guard call.loginHint == nil, call.flow != .device, provider.kind != .oauth1,
            call.customParameters?["prompt"]?.holds("select_account") != true
        else { return nil }
        var isSignedOut = false
        await providers.loader.read {
            guard !store.isUnavailable else { return }
            isSignedOut = accounts.choice(of: meant, among: providers.cache.credentials(providerID: provider.id)) == .none
        }
        return isSignedOut ? meant : nil
    }

    /// A program asks for the scopes that it needs, and the person's account has others for other programs.
    private func keepScopes(in request: inout SignInRequest, at provider: Provider) async {
        guard request.intent == nil, provider.kind != .oauth1 else { return }
        let (asked, directory) = (request, settings.configuration.namedAccounts)
        var scopes = asked.scopes
        await providers.loader.read {
            guard !store.isUnavailable else { return }
            scopes = directory.scopes(of: asked, at: provider, among: providers.cache.credentials(providerID: provider.id))
        }
        request.scopes = scopes
    }

    /// Asks for what a server demanded of a request, besides what is asked for anyway. Where no person can help, that is nothing: an ordinary
    /// sign-in may bring a token that the server takes.
    private func take(_ challenge: [String]?, into request: inout SignInRequest, at provider: Provider) async throws(InterfaceError) {
        guard let challenge else { return }
        guard request.intent != .signIn, request.intent != .link, provider.kind != .oauth1 else { throw .invalidParameter("challenge") }
        let (asked, directory) = (request, settings.configuration.namedAccounts)
        var kept: StoredCredential?
        await providers.loader.read {
            guard !store.isUnavailable else { return }
            kept = directory.credential(keptBy: asked, at: provider, among: providers.cache.credentials(providerID: provider.id))
        }
        switch try providers.stepUps.verdict(on: challenge, to: kept, of: provider) {
        case .stepUp(let stepUp):
            try providers.stepUps.requireUntried(stepUp, at: provider)
            // What the server's own documents list now was shown to nobody.
            if provider.server != nil { request.scopes = request.scopes.filter { $0 == "offline_access" } }
            request.take(stepUp)
            // The account whose token was refused, and not another one that happens to be signed in in the browser.
            request.loginHint = request.loginHint ?? kept?.loginHint(at: provider)
        case .refusal(let refusal): throw InterfaceError(refusal, at: provider)
        case nil, .nothing, .proof, .renewal: break
        }
    }

    /// Obtains what must be known before a sign-in begins, and is not in memory. Counts as work, since nobody waits for the user yet.
    private func prepare(
        _ request: inout SignInRequest, _ choice: FlowChoice, at provider: Provider
    ) async throws(InterfaceError) -> ProviderFlow {
        let isDevice = if case .device = choice { true } else { false }
        let isAboutUser = request.isAboutUser
        guard isDevice || isAboutUser || !providers.origins.isComplete else { return .browser }
        let app = request.app
        let (owner, flow) = try await platform.work.count { () async throws(InterfaceError) -> (PageOwner?, ProviderFlow) in
            // An address that another process had may be free by now.
            if !isDevice, !providers.origins.isComplete { await addresses.seek() }
            let flow = isDevice ? try await settled(choice, of: provider) : .browser
            // The user may take minutes, and somebody else may sign in to the app meanwhile. A page in the browser is in front of the person
            // who asked for it; a code can be typed by anybody, at any time.
            var owner: PageOwner?
            if let intent = request.intent, isAboutUser || flow == .device {
                owner = try await demand.whileWanted(app: app, await pageOwner(for: intent, app: app))
            }
            // The store may have been locked meanwhile.
            try store.require()
            return (owner, flow)
        }
        request.owner = owner
        return flow
    }

    private func pageOwner(for intent: Intent, app: AppName) async throws(AccountFailure) -> PageOwner? {
        try AccountRules.pageOwner(for: intent, current: try await accounts.pageOwner(app: app))
    }

    /// The request, checked: an unsuitable parameter is reported by name.
    ///
    /// - Parameter named: the account whose name was given instead of the provider's.
    private func request(
        _ parameters: Interface.SignIn, to provider: Provider, as named: NamedAccount?
    ) throws(InterfaceError) -> SignInRequest {
        // OAuth 1.0a has none: what an access token allows is set where the application is registered.
        if provider.kind == .oauth1, parameters.scopes?.isEmpty == false { throw .invalidParameter("scopes") }
        let scopes: [String]
        let asked = parameters.scopes ?? named?.scopesToAskFor
        do throws(InvalidScope) { scopes = try provider.scopesToRequest(asked) } catch {
            throw .invalidParameter("scopes")
        }
        guard asked == nil || scopes.count <= Self.mostScopes else { throw .invalidParameter("scopes") }
        let custom = parameters.customParameters ?? [:]
        if let name = ReservedParameters.firstReserved(in: custom.keys, and: provider.dialect.reservedParameters) {
            throw .reservedParameter(
                message: "the parameter \(name) is set by Postern itself and cannot be given; leave it out", name: name)
        }
        guard custom.count <= Self.mostParameters, custom.allSatisfy({ $0.key.utf8.count <= 128 && isText($0.value) }) else {
            throw .invalidParameter("customParameters")
        }
        if let hint = parameters.loginHint, !isText(hint) { throw .invalidParameter("loginHint") }
        // The account's name says whose it is; another account under this name would be stored where nobody looks for it.
        if let login = named?.knownLogin, let hint = parameters.loginHint, !hint.isSame(login.text) { throw .invalidParameter("loginHint") }
        let intent = Intent(parameters.intent ?? .signIn)
        // What is kept for the person concerns no app.
        guard intent != nil || parameters.app == nil else { throw .invalidParameter("app") }
        return SignInRequest(
            providerID: provider.id, intent: intent, app: intent == nil ? "" : try AppName.checked(parameters.app), scopes: scopes,
            hasUsualScopes: asked == nil, parameters: custom.merging(named?.parameters(at: provider) ?? [:]) { $1 },
            loginHint: parameters.loginHint ?? named?.login?.text ?? provider.server?.login,
            account: named?.name, login: named?.knownLogin)
    }

    private func isText(_ value: String) -> Bool {
        (1...Self.longestValue).contains(value.utf8.count)
            && value.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }

    /// The program in words: its executable's name, and the app if it names one.
    private func requester(_ caller: CallingProcess, app: AppName) -> String {
        let program = caller.executable.flatMap { $0.parts(separator: "/").last.map(String.init) }
        let name = program ?? "PID \(caller.pid)"
        return app.isEmpty || app == "default" ? name : "\(app) (\(name))"
    }

    /// Waits for the end of a sign-in, unless the caller leaves.
    private func end(of waiter: WaiterID, _ listener: SignInListener) async throws(InterfaceError) {
        let coordinator = coordinator
        let error = await withTaskCancellationHandler {
            await listener.end.value
        } onCancel: {
            DaemonActor.assumeIsolated {
                coordinator.left(waiter)
                listener.end.fulfill(.callerHasGone)
            }
        }
        if let error { throw error }
    }

    /// The person said that the account is the one that a name with a `login` means.
    private func confirmed(
        _ handle: Secret, _ call: Interface.SignIn, as named: NamedAccount?
    ) async throws(InterfaceError) -> Interface.SignIn.Reply {
        guard call.intent == .keep, let named, let login = named.login else { throw .invalidParameter("confirmation") }
        let kept = try await demand.whileWanted(
            app: "", await coordinator.keep(handle, as: SignInName(name: named.name, at: platform.now, login: login)))
        switch kept {
        case .kept(let account, let sessionID):
            return Interface.SignIn.Reply(
                event: Interface.SignInEvent(sessionID: sessionID, state: .completed, expiresAt: "\(platform.now)", account: account))
        case .other(let ending):
            throw .userMismatch(message: ending.row(providerName: providers.directory.displayName(named.providerID)).message)
        case nil:
            try store.require()
            throw .invalidCredential(
                message: "the confirmation is unknown, expired or used, or the configuration has changed since; it is valid once, for five "
                    + "minutes: sign in again")
        }
    }

    // MARK: Sessions

    func listSessions(_ call: Interface.ListSessions) async throws(InterfaceError) -> Interface.ListSessions.Reply {
        return Interface.ListSessions.Reply(sessions: coordinator.statuses.map { Interface.Session($0) })
    }

    func attachSession(
        _ call: Interface.AttachSession, reply: any InterfaceReply
    ) async throws(InterfaceError) -> Interface.AttachSession.Reply? {
        // Without `more` it never learns the URL, so it cannot show the page.
        let listener = SignInListener(reply, presenter: reply.wantsMore ? .client : nil) { Interface.AttachSession.Reply(event: $0) }
        let flow = try await flow(call.flow, addedTo: call.sessionID, showsCode: reply.wantsMore)
        guard !Task.isCancelled else { throw .callerHasGone }
        let waiter = try coordinator.attached(call.sessionID, flow: flow, listener: listener)
        try await end(of: waiter, listener)
        return nil
    }

    func cancelSession(_ call: Interface.CancelSession) async throws(InterfaceError) -> Interface.CancelSession.Reply {
        do throws(SessionFailure) { try await coordinator.cancelled(call.sessionID) } catch { throw InterfaceError(error) }
        return Interface.CancelSession.Reply()
    }

    func deliverRedirect(_ call: Interface.DeliverRedirect) async throws(InterfaceError) -> Interface.DeliverRedirect.Reply {
        let redirect: DeliveredRedirect
        do throws(CallbackParseError) { redirect = try DeliveredRedirect(parsing: call.url.reveal()) } catch {
            throw .redirectNotRecognised(message: "\(error)")
        }
        // If one place does not recognise the redirect, nothing has changed.
        for place in redirect.places {
            guard let taken = await coordinator.redirectReturned(redirect.callback.parameters, path: place) else { continue }
            return Interface.DeliverRedirect.Reply(sessionID: taken.id)
        }
        // The store may have been locked meanwhile: if the answer is what it seems, its sign-in may be on disk.
        try store.require()
        throw .redirectNotRecognised(
            message: "no sign-in waits for this answer; it was already used or has expired: start the sign-in again")
    }
}

// MARK: Flows

/// Which flow a sign-in uses: the one that the program names, else the one in the configuration.
extension SignInService {
    enum FlowChoice {
        case browser
        /// - alternative: the flow to use if the provider turns out to have no device flow; nil if that is an error.
        case device(alternative: ProviderFlow?)
    }

    /// - Parameter showsCode: the program accepts more than one reply, and so receives the code.
    func flow(_ given: Interface.Provider.Flow?, of provider: Provider, showsCode: Bool) throws(InterfaceError) -> FlowChoice {
        switch given.map(ProviderFlow.init) {
        case .browser?:
            guard provider.hasBrowserFlow else { throw unsupported(.browser, by: provider) }
            return .browser
        case .device?:
            // Nobody would ever see the code.
            guard showsCode else { throw .expectedMore }
            guard provider.hasDeviceFlow() != false else { throw unsupported(.device, by: provider) }
            return .device(alternative: nil)
        case nil:
            guard provider.hasBrowserFlow else {
                guard showsCode else { throw .expectedMore }
                return .device(alternative: nil)
            }
            let preferred = provider.flow ?? settings.configuration.signIn.flow
            // People's preferences must not keep a program that cannot show a code from signing in.
            guard preferred == .device, showsCode, provider.hasDeviceFlow() != false else { return .browser }
            return .device(alternative: .browser)
        }
    }

    /// A flow that a program wants for a sign-in that waits already; nil if it takes what there is.
    func flow(
        _ given: Interface.Provider.Flow?, addedTo sessionID: String, showsCode: Bool
    ) async throws(InterfaceError) -> ProviderFlow? {
        guard let given, let session = coordinator.signIns[sessionID]?.session else { return nil }
        let provider = try providers.directory.named(session.request.providerID, accounts: settings.configuration.namedAccounts)
        return try await settled(try flow(given, of: provider, showsCode: showsCode), of: provider)
    }

    /// The flow, once the provider has said whether it has a device flow.
    func settled(_ choice: FlowChoice, of provider: Provider) async throws(InterfaceError) -> ProviderFlow {
        guard case .device(let alternative) = choice else { return .browser }
        do throws(ProviderFailure) {
            if try await providers.directory.hasDeviceFlow(provider) { return .device }
        } catch {
            // The browser flow would fail the same way, and report it.
            if let alternative { return alternative }
            throw InterfaceError(error, providerID: provider.id, providerName: provider.displayName)
        }
        guard let alternative else { throw unsupported(.device, by: provider) }
        return alternative
    }

    private func unsupported(_ flow: ProviderFlow, by provider: Provider) -> InterfaceError {
        let message =
            switch flow {
            case .browser:
                "\(provider.displayName) needs a client-secret to sign in with a browser, but none is configured; use the flow device"
            case .device:
                "\(provider.displayName) does not support sign-in with a device code; use the flow browser, or configure its "
                    + "device-authorization-endpoint"
            }
        return .unsupportedFlow(message: message, providerID: provider.id, flow: flow.rawValue)
    }
}
