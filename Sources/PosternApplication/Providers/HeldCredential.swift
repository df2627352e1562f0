import PosternCore
import PosternInterface

/// A stored credential in memory, with the answer to `GetAccessToken` that follows from it: programs ask for the same token again and
/// again, and the answer is encoded once.
///
/// A new token is held in a new object, so no answer outlives its token.
@DaemonActor
final class HeldCredential {
    nonisolated let credential: StoredCredential
    private var writtenReply: SecretObject?

    nonisolated init(_ credential: StoredCredential) { self.credential = credential }

    var tokenReply: SecretObject {
        if let writtenReply { return writtenReply }
        let reply = SecretObject(Interface.GetAccessToken.Reply(credential))
        writtenReply = reply
        return reply
    }
}
