import PosternClient

/// An access token that anybody who has it can use, and that fits on one line.
struct BearerToken: Equatable {
    let text: String
    /// The account at the provider.
    let uid: String
    /// Seconds since 1970; nil if the provider does not say.
    let expiresAt: Int64?

    /// - Parameter account: as named on the command line, for error messages.
    /// - Throws: if the token cannot be used alone, or would break the line in a header, a variable or a mail program's response.
    init(_ reply: Interface.GetAccessToken.Reply, of account: String) throws(CommandFailure) {
        guard reply.tokenType.lowercased() != "dpop" else {
            throw CommandFailure(
                "the token of \(account) is bound to a key that stays with the daemon (DPoP)".plain,
                advice: "each request needs its own proof: postern curl makes them")
        }
        guard reply.secret == nil else {
            throw CommandFailure(
                "the requests of \(account) are each signed (OAuth 1.0a); its token alone gives no access".plain,
                advice: "postern curl signs them")
        }
        text = reply.accessToken.reveal()
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw CommandFailure("the token of \(account) is empty or has characters that are not allowed in a header".plain)
        }
        uid = reply.uid
        expiresAt = reply.expiresAt.flatMap { EpochTime($0)?.seconds }
    }

    var header: String { "Authorization: Bearer \(text)" }
}

extension PosternConnection {
    /// Obtains a token that can be used as it is.
    func bearerToken(_ parameters: Interface.GetAccessToken) throws -> BearerToken {
        do {
            let reply = try call(parameters)
            ProcessMemory.hide()
            return try BearerToken(reply, of: parameters.providerID)
        } catch let error as PosternError {
            throw CommandFailure(error).namingAccounts(of: parameters.providerID)
        }
    }
}
