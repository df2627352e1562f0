import PosternConfiguration
import PosternCore
import PosternInterface
import StrictJSON

/// Carries out the methods of `io.postern`, each in its own function, in the extensions of this type.
@DaemonActor
public final class InterfaceService: InterfaceMethods {
    /// The parts that the methods use.
    struct Parts {
        let version: String
        /// RFC 3339.
        let startedAt: String
        let settings: Settings
        let origins: CallbackOrigins
        let watch: CallbackWatch
        let store: StoreAccess
        let lock: StoreLock
        let stateDirectory: String
        let configuration: ConfigurationReloader
        let loader: CredentialLoader
        let providers: ProviderDirectory
        let coordinator: SignInCoordinator
        let accounts: any AccountAuthority
        let tokens: AccessTokens
        let imports: CredentialImports
        let states: CredentialStates
        let revocation: Revocation
        let exchange: CodeExchange
        let presentedTokens: PresentedTokens
        let platform: Platform
        let events: EventLog
    }

    let daemon: Parts
    /// A check sends the provider the client's secret, and a made-up code with it.
    var checks = ProviderPace(capacity: 10, secondsPerRequest: 6)

    init(_ parts: Parts) { daemon = parts }

    /// Ends with exactly one final reply or error through `reply`, now or later.
    public func answer(_ call: InterfaceCall, from caller: any CallingProcess, reply: any InterfaceReply) {
        guard let method = Interface.Method(name: call.method) else { return reply.fail(.noMethod(call.method)) }
        do throws(InterfaceError) {
            if let last = try answerAtOnce(method, call.parameters) { return reply.send(last, continues: false) }
        } catch { return reply.fail(error) }
        CallRunner(work: daemon.platform.work).run(method, more: call.more, reply) { replies throws(InterfaceError) in
            try await self.carryOut(method, call, caller: caller, replies: replies)
        }
    }

    /// Answers frequent calls without a task if the answer is in memory.
    ///
    /// - Returns: nil if something has to be waited for, or for any other method.
    private func answerAtOnce(_ method: Interface.Method, _ parameters: JSONObject) throws(InterfaceError) -> (any JSONMembers)? {
        guard !daemon.platform.isEnding, !daemon.lock.mayOpen else { return nil }
        switch method {
        case .getAccessToken: return try known { () throws(InterfaceError) in try storedToken(.read(parameters)) }
        case .getIDToken: return try known { () throws(InterfaceError) in try storedIDToken(.read(parameters)) }
        case .getStatus:
            _ = try Interface.GetStatus.read(parameters)
            return knownStatus()
        default: return nil
        }
    }

    /// The result of a decision; nil if some of what it needs has yet to be read.
    private func known<Value>(_ decision: () throws(InterfaceError) -> Value?) throws(InterfaceError) -> Value? {
        guard !daemon.loader.cache.isComplete else { return try decision() }
        var result: Result<Value?, InterfaceError> = .success(nil)
        let missing = daemon.loader.cache.missing {
            do throws(InterfaceError) { result = .success(try decision()) } catch { result = .failure(error) }
        }
        return missing == nil ? try result.get() : nil
    }

    /// - Returns: the last reply; nil if there is none, because the caller has disconnected.
    func carryOut(
        _ method: Interface.Method, _ call: InterfaceCall, caller: any CallingProcess, replies: ReplySink
    ) async throws(InterfaceError) -> (any InterfaceObject)? {
        guard !daemon.platform.isEnding else { throw .ending }
        if daemon.lock.mayOpen, method.needsStore { await daemon.lock.tryAgain() }
        if method.usesClient { await daemon.configuration.lookAtSecrets() }
        if !daemon.loader.cache.isComplete { await daemon.loader.read { look(for: method, call.parameters) } }
        return try await answer(method, call.parameters, caller: caller, replies: replies)
    }

    /// Accesses the credentials that a method will need first, so that they are read before it begins.
    private func look(for method: Interface.Method, _ parameters: JSONObject) {
        guard !daemon.store.isUnavailable else { return }
        // The method itself reports what is wrong with the call.
        switch method {
        case .getAccessToken: _ = try? storedToken(.read(parameters))
        case .getIDToken: _ = try? storedIDToken(.read(parameters))
        case .authorizeRequest: _ = try? asked(Interface.AuthorizeRequest.read(parameters))
        case .revokeCredential: _ = try? meant(by: .read(parameters))
        case .findAccount: if let url = try? asked(Interface.FindAccount.read(parameters).url) { _ = served(url) }
        case .listCredentials, .importCredential: _ = daemon.loader.cache.all
        default: break
        }
    }

    /// A name that a program gave itself: its length is limited, and it is fit to be shown.
    func app(_ name: String?) throws(InterfaceError) -> String {
        guard let name else { return "default" }
        guard (1...128).contains(name.utf8.count), name.unicodeScalars.allSatisfy(\.isFitToShow) else { throw .invalidParameter("app") }
        return name
    }

    /// For methods that answer from memory and must not present an unreadable store as an empty one.
    func requireStore() throws(InterfaceError) {
        do throws(StoreError) { try daemon.lock.check() } catch { throw InterfaceError(error) }
    }

    /// A client that an application brought is only for its own sign-ins.
    func check(_ provider: Provider, isFor app: String) throws(InterfaceError) {
        guard let own = provider.app, own != app else { return }
        throw .providerNotConfigured(
            message: "the client of \(provider.id) is only for the app \(own), not for \(app)", providerID: provider.id)
    }

    /// The provider that a program names.
    ///
    /// - Parameter takesAccounts: whether the program could have named an account in the configuration instead.
    func provider(_ id: String, takesAccounts: Bool = true) throws(InterfaceError) -> Provider {
        do throws(ProviderUnavailable) { return try daemon.providers.configured(id) } catch {
            throw InterfaceError(error, accounts: takesAccounts ? directory.accounts.map(\.name) : [])
        }
    }
}

extension Interface.Method {
    /// The answer depends on the store. Other methods answer whatever is wrong with it.
    fileprivate var needsStore: Bool {
        switch self {
        case .reload, .monitor, .lock, .unlock, .listProviders, .checkProvider: false
        default: true
        }
    }

    /// The method may send a provider its client's secret, or report what is wrong with that.
    fileprivate var usesClient: Bool {
        switch self {
        case .listProviders, .checkProvider, .signIn, .getAccessToken, .getIDToken, .authorizeRequest, .importCredential, .revokeCredential:
            true
        default: false
        }
    }
}

extension Unicode.Scalar {
    /// Neither moves the cursor nor changes the direction of the text around it, on a page or in a terminal.
    var isFitToShow: Bool {
        switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
}
