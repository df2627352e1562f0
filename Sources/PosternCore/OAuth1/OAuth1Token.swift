/// A token of OAuth 1.0a and the secret that signs for it: temporary credentials, which stand for one sign-in and are called a request
/// token below (RFC 5849 section 2.1), or those that an account gave (section 2.3).
public struct OAuth1Token: Sendable, Equatable {
    /// What a provider may make them of: far more than any does.
    static let longest = 2048

    /// Travels through the browser, so by itself it opens nothing.
    public var token: Secret
    public var secret: Secret

    public init(token: Secret, secret: Secret) {
        self.token = token
        self.secret = secret
    }

    /// The one of a grant; nil where that is none of OAuth 1.0a.
    public init?(_ grant: Grant) {
        guard let secret = grant.tokenSecret else { return nil }
        self.init(token: grant.accessToken, secret: secret)
    }
}
