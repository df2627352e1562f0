import PosternClient
import Varlink

/// What becomes of a user's credentials at the providers when the user is deleted. That goes on after the answer, so the events tell.
final class DeletionWatch {
    private let connection: PosternConnection
    private var replies: VarlinkReplies
    /// By provider, how many credentials of the user's there were.
    private var expected: [String: Int] = [:]

    /// Milliseconds that a provider may take to be heard of here. The daemon goes on without a listener.
    private static let patience: Int64 = 5000

    /// Milliseconds for the list of what there is, before the user is deleted.
    private static let listPatience: Int64 = 2000

    /// Listens from now on.
    init(of user: User, socketPath: String) throws {
        connection = try PosternConnection(socketPath: socketPath)
        replies = try connection.begin(Interface.Monitor.method.name, Interface.Monitor().object)
        // The daemon takes its connections in their order: an answer on a later one says that it listens to this one.
        let other = try PosternConnection(socketPath: socketPath)
        defer { other.close() }
        // Without the list there is nothing to tell, but no reason to keep the user either.
        let held = try? other.call(Interface.ListCredentials(), timeoutMilliseconds: Self.listPatience).credentials
        for credential in held ?? []
        where user.providerData.contains(where: { $0.providerID == credential.providerID && $0.uid == credential.uid }) {
            expected[credential.providerID, default: 0] += 1
        }
    }

    func stop() { connection.close() }

    /// A line for each credential, as it is heard of.
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
