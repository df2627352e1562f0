import PosternClient

/// Follows the revocation of a deleted user's credentials at the providers. It continues after the reply, so events report it.
final class DeletionWatch {
    private var watch: EventWatch
    /// The number of the user's credentials at each provider.
    private var expected: [String: Int] = [:]

    /// Milliseconds to wait for news of a provider. The daemon continues without a listener.
    private static let patience: Int64 = 5000

    /// Milliseconds for the list of credentials, before the user is deleted.
    private static let listPatience: Int64 = 2000

    /// Starts to listen.
    init(of user: User, socketPath: String) throws {
        watch = try EventWatch(socketPath: socketPath)
        // Without the list there is nothing to report, but no reason not to delete the user.
        let held = try? PosternConnection.call(
            Interface.ListCredentials(), at: socketPath, timeoutMilliseconds: Self.listPatience
        ).credentials
        for credential in held ?? []
        where user.providerData.contains(where: { $0.providerID == credential.providerID && $0.uid == credential.uid }) {
            expected[credential.providerID, default: 0] += 1
        }
    }

    func stop() { watch.close() }

    /// Writes a line for each credential as its event arrives.
    func tell(_ write: (String) -> Void) {
        let deadline = Deadline(milliseconds: Self.patience)
        while !expected.isEmpty, deadline.remaining > 0, let event = try? watch.next(within: Int64(deadline.remaining)) {
            // What the person keeps stays.
            guard ["credentialRevoked", "credentialKept"].contains(event.kind), let provider = event.providerID,
                let count = expected[provider]
            else { continue }
            expected[provider] = count > 1 ? count - 1 : nil
            write(event.message.plain)
        }
        for provider in expected.keys.sorted() {
            write("\(provider.plain) has not answered yet; its account settings show whether access was revoked")
        }
    }
}
