import PosternValues
import PosternCrypto

/// What a user agreed to.
struct ApprovedGrant: Sendable {
    var person: Person
    var clientID: String
    var scopes: [String]
    var nonce: String?
    var authenticatedAt: Timestamp
}

/// A code, until it is too old to tell a replay from a guess.
struct IssuedCode: Sendable {
    var grant: ApprovedGrant
    /// As it stood in the authorization request; the token request must repeat it (RFC 6749 section 4.1.3).
    var redirectURI: String
    var codeChallenge: String
    var issuedAt: Timestamp
    /// Set once it was redeemed: the family that came of it, to be revoked with a second use (RFC 6749 section 4.1.2).
    var family: String?
    var isSpent = false
}

/// All tokens that came of one code. Removing it makes all of them worthless.
struct TokenFamily: Sendable {
    var grant: ApprovedGrant
    /// The one refresh token that is good; an earlier one that comes back was stolen, or its thief is ahead (RFC 9700 section 4.14.2).
    var refreshToken: String
}

struct AccessToken: Sendable {
    var family: String
    var scopes: [String]
}

/// A text of 256 random bits.
enum RandomToken {
    static func make() throws(OAuthError) -> String {
        do throws(CryptoError) {
            return Base64URL.encode(try RandomBytes.generate(32))
        } catch {
            throw .serverFault
        }
    }
}
