import PosternClient
import Varlink

/// Finds the page that ends the user's session at a provider.
///
/// `RevokeCredential` does not return it, so the daemon offers the page to those who watch with `Monitor`: its address is on this machine,
/// and valid for one opening.
struct EndSessionWatch {
    /// Milliseconds to wait for what the daemon has already written.
    private static let patience: Int64 = 2000

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
        case none
    }

    /// Call it once, after the credential was revoked.
    mutating func finding(at providerID: String) -> Finding {
        defer { connection.close() }
        var finding = Finding.none
        while let reply = try? replies.next(timeout: .milliseconds(Self.patience)),
            let event = try? PosternConnection.read(Interface.Monitor.Reply.self, from: reply)
        {
            guard event.providerID == providerID else { continue }
            switch event.kind {
            case "endSessionOffered": finding = .offered(event.message)
            case "pageOpened" where event.sessionID == nil: finding = .opened
            case "credentialRevoked": return finding
            default: break
            }
        }
        return finding
    }
}
