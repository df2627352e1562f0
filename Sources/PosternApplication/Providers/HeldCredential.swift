import PosternCore
import PosternInterface

/// A stored credential in memory, with the answers to `GetAccessToken` and `AuthorizeRequest` that follow from it: programs ask for the
/// same token again and again, and each answer is encoded once.
///
/// A new token is held in a new object, so no answer outlives its token.
@DaemonActor
final class HeldCredential {
    nonisolated let credential: StoredCredential
    private var writtenTokenReply: SecretObject?
    private var writtenAuthorizationReply: SecretObject?

    nonisolated init(_ credential: StoredCredential) { self.credential = credential }

    var tokenReply: SecretObject {
        if let writtenTokenReply { return writtenTokenReply }
        let reply = SecretObject(Interface.GetAccessToken.Reply(credential))
        writtenTokenReply = reply
        return reply
    }

    /// Nil if each request is authorized by a signature or a proof of its own.
    var authorizationReply: SecretObject? {
        if let writtenAuthorizationReply { return writtenAuthorizationReply }
        guard let authorization = ProviderDirectory.Authorization(ofAnyRequestBy: credential.grant) else { return nil }
        writtenAuthorizationReply = SecretObject(Interface.AuthorizeRequest.Reply(authorization, by: credential))
        return writtenAuthorizationReply
    }
}
