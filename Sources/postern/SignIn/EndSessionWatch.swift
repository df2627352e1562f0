import PosternClient
import Varlink

/// Finds the page that ends the user's session at a provider.
///
/// `RevokeCredential` does not return it, so the daemon offers the page to those who watch with `Monitor`: its address is on this machine,
/// and valid for one opening. If the daemon opens the page itself, as configured, the outcome is known later: a browser that cannot be
/// started is noticed after some seconds, and the user may have to choose one.
struct EndSessionWatch {
    /// Milliseconds to wait for what the daemon has already written.
    private static let patience: Int64 = 2000
    /// Milliseconds to wait for the daemon's browser.
    private static let openingPatience: Int64 = 30_000

    private let connection: PosternConnection
    private var replies: VarlinkReplies

    /// Starts to watch.
    init(socketPath: String) throws(PosternError) {
        connection = try PosternConnection(socketPath: socketPath)
        replies = try connection.begin(Interface.Monitor.method.name, Interface.Monitor().object)
        // The daemon accepts connections in order: a reply on a later one means that it has accepted this one.
        let other = try PosternConnection(socketPath: socketPath)
        defer { other.close() }
        _ = try other.call(Interface.ListSessions(), timeoutMilliseconds: Self.patience)
    }

    enum Finding: Equatable {
        case offered(String)
        /// Opened by the daemon, as configured.
        case opened
        /// As configured, and it is not known yet whether the browser shows it.
        case opening
        case none
    }

    /// Call it once, after the credential was revoked.
    mutating func finding(at providerID: String) -> Finding {
        defer { connection.close() }
        var isOpening = false
        while let event = next(within: isOpening ? Self.openingPatience : Self.patience) {
            guard event.providerID == providerID else { continue }
            switch event.kind {
            case "endSessionOpening": isOpening = true
            case "endSessionOffered": return .offered(event.message)
            case "pageOpened" where event.sessionID == nil: return .opened
            case "credentialRevoked" where !isOpening: return .none
            default: break
            }
        }
        return isOpening ? .opening : .none
    }

    private mutating func next(within milliseconds: Int64) -> Interface.Monitor.Reply? {
        guard let reply = try? replies.next(timeout: .milliseconds(milliseconds)) else { return nil }
        return try? PosternConnection.read(Interface.Monitor.Reply.self, from: reply)
    }
}
