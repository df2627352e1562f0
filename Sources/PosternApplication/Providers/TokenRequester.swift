import PosternCore

/// A program that wants a token. It waits beside the credential, whose renewal may answer several.
struct TokenRequester {
    struct Request {
        var providerID: String
        var subject: String?
        var demand: TokenDemand
    }

    var request: Request
    let answer = Promise<Result<StoredCredential, TokenFailure>>()
}
