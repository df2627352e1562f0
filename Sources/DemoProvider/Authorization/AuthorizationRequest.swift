import PosternCore

/// A request for somebody's consent that may be shown to a person (RFC 6749 section 4.1.1, OpenID Connect Core section 3.1.2.1).
struct AuthorizationRequest: Sendable {
    var client: DemoClient
    var redirectURI: String
    var state: String?
    var scopes: [String]
    var nonce: String?
    /// Of S256 (RFC 7636 section 4.2).
    var codeChallenge: String
    /// Whom the program would like to be.
    var preferred: Person?
}

/// Why there is no consent page.
enum AuthorizationRefusal: Error {
    /// For the person: who asks, or where the answer goes, is not to be believed, so the browser is sent nowhere.
    case page(String)
    /// For the client.
    case redirect(uri: String, state: String?, error: String, description: String)
}
