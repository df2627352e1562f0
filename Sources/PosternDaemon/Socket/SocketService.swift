import PosternCore
import PosternInterface
import PosternStore
import StrictJSON
import Varlink
import VarlinkServer

/// Answers `io.postern` on the socket: reads parameters, asks the rest of the daemon, writes replies.
///
/// One method, one function, in the extensions of this type.
@DaemonActor
final class SocketService: VarlinkService {
    let daemon: DaemonState

    init(daemon: DaemonState) { self.daemon = daemon }

    nonisolated var interfaces: [(name: String, description: String)] { [(Interface.name, Interface.description)] }

    nonisolated func handle(_ call: VarlinkCall, from peer: VarlinkPeer, reply: VarlinkReplyHandle) {
        DaemonActor.assumeIsolated { dispatch(call, from: peer, reply: reply) }
    }

    nonisolated func connectionOpened(_ peer: VarlinkPeer) {
        DaemonActor.assumeIsolated { daemon.activityChanged() }
    }

    nonisolated func connectionClosed(_ peer: VarlinkPeer) {
        DaemonActor.assumeIsolated { daemon.activityChanged() }
    }

    private func dispatch(_ call: VarlinkCall, from peer: VarlinkPeer, reply: VarlinkReplyHandle) {
        guard let method = Interface.Method(name: call.method) else {
            reply.fail(.methodNotFound(call.method))
            return
        }
        guard !daemon.isEnding else {
            return refuse(InterfaceError.internalError(message: "the daemon is ending; ask again, and it starts anew"), reply)
        }
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

    /// Every error that a method can throw, as the interface says it.
    func refuse(_ error: any Error, _ reply: VarlinkReplyHandle) {
        switch error {
        case let error as InterfaceError: reply.fail(VarlinkError(error))
        case let error as StoreError: reply.fail(VarlinkError(InterfaceError(error)))
        case let error as VarlinkError: reply.fail(error)
        case let error as JSONMemberError: reply.fail(.invalidParameter(error.path))
        default: reply.fail(VarlinkError(InterfaceError.internalError(message: "\(error)")))
        }
    }

    func parameters<Parameters: MethodParameters>(of call: VarlinkCall, as type: Parameters.Type = Parameters.self) throws -> Parameters {
        try Parameters(object: call.parameters)
    }

    /// Answers a call whose answer takes a while.
    ///
    /// - Parameter app: whose user it is about, for what a refusal says.
    func answer(_ reply: VarlinkReplyHandle, app: String = "default", _ work: @escaping @DaemonActor () async throws -> any InterfaceObject)
    {
        DaemonActor.start {
            do { reply.send(try await work().object, continues: false) } catch {
                self.refuse(await self.daemon.told(error, app: app), reply)
            }
        }
    }

    /// A name that a program gave itself: bounded, and fit to be shown.
    func app(_ name: String?) throws -> String {
        guard let name else { return "default" }
        guard (1...128).contains(name.utf8.count), name.unicodeScalars.allSatisfy(\.isFitToShow) else {
            throw VarlinkError.invalidParameter("app")
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

extension VarlinkError {
    init(_ error: InterfaceError) { self.init(name: error.name, parameters: error.parameters) }
}
