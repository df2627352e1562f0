import PosternCore
import PosternInterface

/// A stored credential in memory, with the answers to `GetAccessToken` and `AuthorizeRequest` that follow from it: programs ask for the
/// same token again and again, and each answer is encoded once.
///
/// A new token is held in a new object, so no answer outlives its token.
@DaemonActor
final class HeldCredential {
    nonisolated let credential: StoredCredential
    private var writtenReply: SecretObject?
    private var writtenBearerReply: SecretObject?

    nonisolated init(_ credential: StoredCredential) { self.credential = credential }

    var tokenReply: SecretObject {
        if let writtenReply { return writtenReply }
        let reply = SecretObject(Interface.GetAccessToken.Reply(credential))
        writtenReply = reply
        return reply
    }

    /// Nil if each request is authorized by a signature or a proof of its own.
    var bearerReply: SecretObject? {
        if let writtenBearerReply { return writtenBearerReply }
        guard let authorization = ProviderDirectory.Authorization(ofAnyRequestBy: credential.grant) else { return nil }
        writtenBearerReply = SecretObject(Interface.AuthorizeRequest.Reply(authorization, by: credential))
        return writtenBearerReply
    }
}
