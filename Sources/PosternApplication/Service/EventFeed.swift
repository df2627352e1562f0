import PosternCore
import PosternInterface

/// What happens, told to everybody who asked with `Monitor`. Never a secret.
@DaemonActor
public final class EventFeed {
    enum Kind: String {
        case signInStarted, signInJoined, pageOpened, pageNotOpened, codeGiven, callbackReceived, signInCompleted, signInFailed
        case userChanged, userDeleted
        case resultDelivered, tokenRefreshed, refreshFailed, credentialRevoked, signedOut, endSessionOffered
        case configurationReloaded, configurationRefused
        case storeLocked, storeUnlocked
    }

    private var listeners: [UInt64: @DaemonActor (Interface.Monitor.Reply) -> Void] = [:]
    private var lastID: UInt64 = 0
    private let platform: Platform

    public init(platform: Platform) { self.platform = platform }

    /// - Returns: what ``remove(_:)`` takes.
    func add(_ listener: @escaping @DaemonActor (Interface.Monitor.Reply) -> Void) -> UInt64 {
        lastID += 1
        listeners[lastID] = listener
        return lastID
    }

    /// The method `Monitor`.
    func monitor(_ call: InterfaceCall, _ reply: any InterfaceReply) throws {
        _ = try Interface.Monitor(object: call.parameters)
        guard call.more else { throw InterfaceError.expectedMore }
        let listener = add { reply.send($0, continues: true) }
        reply.onCancel { self.remove(listener) }
    }

    /// Somebody listens.
    var isWatched: Bool { !listeners.isEmpty }

    func remove(_ id: UInt64) { listeners[id] = nil }

    func post(
        _ kind: Kind, _ message: String, session: SignInSession? = nil, providerID: String? = nil, uid: String? = nil,
        app: String? = nil
    ) {
        guard !listeners.isEmpty else { return }
        let event = Interface.Monitor.Reply(
            time: "\(platform.now)", kind: kind.rawValue, sessionID: session?.id,
            providerID: providerID ?? session?.question.providerID, uid: uid, app: app ?? session?.question.app, message: message)
        for listener in listeners.values { listener(event) }
    }
}
