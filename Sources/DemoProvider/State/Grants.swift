import PosternValues
import PosternCrypto

/// What a user agreed to.
struct ApprovedGrant: Sendable {
    var person: Person
    var clientID: String
    var scopes: [String]
    var nonce: String?
    var authenticatedAt: Timestamp
    /// How the user signed in, if the client wanted that to be known; nil if it did not.
    var authenticationClass: String?
}

/// A code, kept as long as a replay has to be distinguished from a guess.
struct IssuedCode: Sendable {
    var grant: ApprovedGrant
    /// As in the authorization request; the token request must repeat it (RFC 6749 section 4.1.3).
    var redirectURI: String
    var codeChallenge: String
    var issuedAt: Timestamp
    /// Set once the code was redeemed: the resulting family, revoked at a second use (RFC 6749 section 4.1.2).
    var family: String?
    var isSpent = false
}

/// All tokens issued for one code. Removing the family invalidates them.
struct TokenFamily: Sendable {
    var grant: ApprovedGrant
    /// The one valid refresh token. If an earlier one is used, it was stolen, or a thief has already used it (RFC 9700 section 4.14.2).
    var refreshToken: String
}

struct AccessToken: Sendable {
    var family: String
    var scopes: [String]
}

/// A string of 256 random bits.
enum RandomToken {
    static func make() throws(OAuthError) -> String {
        try OAuthError.ofServer { () throws(CryptoError) in Base64URL.encode(try RandomBytes.generate(32)) }
    }
}
