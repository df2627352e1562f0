import PosternClient
import Varlink

/// Follows the revocation of a deleted user's credentials at the providers. It continues after the reply, so events report it.
final class DeletionWatch {
    private let connection: PosternConnection
    private var replies: VarlinkReplies
    /// The number of the user's credentials at each provider.
    private var expected: [String: Int] = [:]

    /// Milliseconds to wait for news of a provider. The daemon continues without a listener.
    private static let patience: Int64 = 5000

    /// Milliseconds for the list of credentials, before the user is deleted.
    private static let listPatience: Int64 = 2000

    /// Starts to listen.
    init(of user: User, socketPath: String) throws {
        connection = try PosternConnection(socketPath: socketPath)
        replies = try connection.begin(Interface.Monitor.method.name, Interface.Monitor().object)
        // The daemon accepts connections in order: a reply on a later one means that it has accepted this one.
        let other = try PosternConnection(socketPath: socketPath)
        defer { other.close() }
        // Without the list there is nothing to report, but no reason not to delete the user.
        let held = try? other.call(Interface.ListCredentials(), timeoutMilliseconds: Self.listPatience).credentials
        for credential in held ?? []
        where user.providerData.contains(where: { $0.providerID == credential.providerID && $0.uid == credential.uid }) {
            expected[credential.providerID, default: 0] += 1
        }
    }

    func stop() { connection.close() }

    /// Writes a line for each credential as its event arrives.
    func tell(_ write: (String) -> Void) {
        let deadline = Deadline(milliseconds: Self.patience)
        while !expected.isEmpty, let event = next(within: deadline) {
            guard event.kind == "credentialRevoked", let provider = event.providerID, let count = expected[provider] else { continue }
            expected[provider] = count > 1 ? count - 1 : nil
            write(event.message.plain)
        }
        for provider in expected.keys.sorted() {
            write("\(provider.plain) has not answered yet; its account settings show whether access was revoked")
        }
    }

    private func next(within deadline: Deadline) -> Interface.Monitor.Reply? {
        guard deadline.remaining > 0, let reply = try? replies.next(timeout: .milliseconds(Int64(deadline.remaining))) else { return nil }
        return try? PosternConnection.read(Interface.Monitor.Reply.self, from: reply)
    }
}
