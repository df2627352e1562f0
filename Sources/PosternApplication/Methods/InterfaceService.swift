import PosternConfiguration
import PosternCore
import PosternInterface
import StrictJSON

/// Answers `io.postern`: reads parameters, asks the rest of the application, writes replies.
///
/// One method, one function, in the extensions of this type.
@DaemonActor
public final class InterfaceService {
    /// Whom the methods ask.
    struct Parts {
        let version: String
        let startedAt: Timestamp
        let settings: Settings
        let origins: CallbackOrigins
        let watch: CallbackWatch
        let store: StoreAccess
        let keeper: StoreKeeper
        let configuration: ConfigurationKeeper
        let inventory: Inventory
        let providers: ProviderDirectory
        let coordinator: SignInCoordinator
        let accounts: any AccountAuthority
        let tokens: AccessTokens
        let revocation: Revocation
        let exchange: CodeExchange
        let presentedTokens: PresentedTokens
        let platform: Platform
        let events: EventLog
    }

    let daemon: Parts
    /// The daemon is about to end: what begins now would be cut off.
    var isEnding = false

    init(_ parts: Parts) { daemon = parts }

    /// Ends with exactly one final reply or error through `reply`, now or later.
    public func answer(_ call: InterfaceCall, from peer: any Caller, reply: any InterfaceReply) {
        guard let method = Interface.Method(name: call.method) else {
            // The wire lets no other through.
            return reply.fail(.internalError(message: "there is no method \(call.method)"))
        }
        guard !isEnding else {
            return refuse(Self.ending, reply)
        }
        withDemand(of: method, reply) { begin(method, call, from: peer, reply) }
    }

    private func begin(_ method: Interface.Method, _ call: InterfaceCall, from peer: any Caller, _ reply: any InterfaceReply) {
        do {
            switch method {
            case .getStatus: try getStatus(call, reply)
            case .getAccessToken: try getAccessToken(call, reply)
            case .listProviders: try listProviders(call, reply)
            case .signIn: try signIn(call, from: peer, reply)
            case .listSessions: try listSessions(call, reply)
            case .attachSession: try attachSession(call, reply)
            case .cancelSession: try cancelSession(call, reply)
            case .deliverRedirect: try deliverRedirect(call, reply)
            case .signInWithCredential: try signInWithCredential(call, reply)
            case .getCurrentUser: try getCurrentUser(call, reply)
            case .signOut: try signOut(call, reply)
            case .listCredentials: try listCredentials(call, reply)
            case .revokeCredential: try revokeCredential(call, reply)
            case .reload: try reload(call, reply)
            case .monitor: try monitor(call, reply)
            case .signInAnonymously: try signInAnonymously(call, reply)
            case .createUser: try createUser(call, reply)
            case .updateUser: try updateUser(call, reply)
            case .unlinkProvider: try unlinkProvider(call, reply)
            case .fetchProviders: try fetchProviders(call, reply)
            case .deleteUser: try deleteUser(call, reply)
            case .getUserToken: try getUserToken(call, reply)
            case .enrollSecondFactor: try enrollSecondFactor(call, reply)
            case .confirmSecondFactor: try confirmSecondFactor(call, reply)
            case .removeSecondFactor: try removeSecondFactor(call, reply)
            case .startSecondFactor: try startSecondFactor(call, reply)
            case .resolveSecondFactor: try resolveSecondFactor(call, reply)
            case .lock: try lock(call, reply)
            case .unlock: try unlock(call, reply)
            }
        } catch {
            refuse(error, reply)
        }
    }

    static let ending = InterfaceError.internalError(message: "the daemon is ending; ask again, and it starts anew")

    func refuse(_ error: any Error, _ reply: any InterfaceReply) { reply.fail(InterfaceError(told: error)) }

    func parameters<Parameters: MethodParameters>(of call: InterfaceCall, as type: Parameters.Type = Parameters.self) throws -> Parameters {
        try Parameters(object: call.parameters)
    }

    /// Answers a call whose answer takes a while. Nothing is begun for a client that has gone already.
    ///
    /// - Parameter app: whose user it is about, for what a refusal says.
    func answer(
        _ reply: any InterfaceReply, app: String = "default",
        _ work: @escaping @Sendable @DaemonActor () async throws -> any InterfaceObject
    ) {
        daemon.platform.work.start {
            guard reply.isOneway || !reply.isCancelled else { return }
            do { reply.send(try await work(), continues: false) } catch {
                self.refuse(await self.told(error, app: app), reply)
            }
        }
    }

    /// A name that a program gave itself: bounded, and fit to be shown.
    func app(_ name: String?) throws -> String {
        guard let name else { return "default" }
        guard (1...128).contains(name.utf8.count), name.unicodeScalars.allSatisfy(\.isFitToShow) else {
            throw InterfaceError.invalidParameter("app")
        }
        return name
    }
}

extension Unicode.Scalar {
    /// Neither moves the cursor nor turns the direction of the text around it, on a page or in a terminal.
    var isFitToShow: Bool {
        switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
}

extension InterfaceError {
    init(_ error: ConfigurationError) { self = .configurationInvalid(message: "\(error)", file: error.file, line: error.line) }

    /// Every error that a method can throw, as the interface says it.
    init(told error: any Error) {
        switch error {
        case let error as InterfaceError: self = error
        case let error as StoreError: self.init(error)
        case let error as ConfigurationError: self.init(error)
        case let error as JSONMemberError: self = .invalidParameter(error.path)
        default: self = .internalError(message: "\(error)")
        }
    }
}
