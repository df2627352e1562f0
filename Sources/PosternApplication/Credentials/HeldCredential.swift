import PosternCore
import PosternInterface

/// A stored credential in memory, with the answer to `GetAccessToken` that it comes to: programs ask for the same token over and over, and
/// the answer is written once.
///
/// Another token comes in another of these, so no answer outlives its token.
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
