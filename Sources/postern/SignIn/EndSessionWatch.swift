import PosternClient
import Varlink

/// Learns where the page is that ends the user's session at a provider.
///
/// `RevokeCredential` has no member for it, so the daemon offers the page to those who watch with `Monitor`: its address is one of this
/// machine's, and valid for one opening.
struct EndSessionWatch {
    /// Milliseconds for what the daemon has written already.
    private static let patience: Int64 = 2000

    private let connection: PosternConnection
    private var replies: VarlinkReplies

    /// Watches from now on.
    init(socketPath: String) throws(PosternError) {
        connection = try PosternConnection(socketPath: socketPath)
        replies = try connection.begin(Interface.Monitor.method.name, Interface.Monitor().object)
        // The daemon takes its connections in their order: an answer on a later one says that it watches.
        let other = try PosternConnection(socketPath: socketPath)
        defer { other.close() }
        _ = try other.call(Interface.ListSessions(), timeoutMilliseconds: Self.patience)
    }

    enum Finding: Equatable {
        case offered(String)
        /// By the daemon, as it is configured.
        case opened
        case none
    }

    /// To be asked once, after the credential was revoked.
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
