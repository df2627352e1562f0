import StrictJSON

/// Why an ID token, or another signed statement of the provider, is not trusted. One case per rule; the sentence is the interface's
/// `reason`. Never contains a nonce, a token or a hash of one; values from the token are cleaned for display.
public enum IDTokenRejection: Error, Sendable, Hashable {
    public enum Part: String, Sendable {
        case header, payload, signature
    }

    // The format (RFC 7515 section 7.1, RFC 7519 section 7.2).
    case tooLarge(limit: Int)
    case encrypted
    case notCompact(parts: Int)
    case invalidEncoding(Part)
    case invalidJSON(Part, JSONParseError)
    case notAnObject(Part)
    case headerMember(JSONMemberError)
    case criticalExtension
    case wrongTokenType(String)

    // The signature.
    case algorithmNotAllowed(String)
    case unknownKey(kid: String?)
    /// Several keys fit, and the token does not say which.
    case ambiguousKey
    case invalidSignature

    // The claims (OpenID Connect Core section 3.1.3.7).
    case claim(JSONMemberError)
    case issuerMismatch(found: String)
    /// The key is for another issuer's tokens.
    case keyOfAnotherIssuer(found: String)
    case noAudience
    case audienceMismatch
    case unknownAudience(String)
    case authorizedPartyMissing
    case authorizedPartyMismatch(found: String)
    case expired(at: Timestamp)
    case issuedInFuture(at: Timestamp)
    case issuedTooLongAgo(at: Timestamp)
    case notYetValid(until: Timestamp)
    case invalidSubject
    case nonceMissing
    case nonceMismatch
    case unexpectedNonce
    case accessTokenHashMismatch
    case codeHashMismatch
    case authenticationTimeMissing
    case authenticatedTooLongAgo(at: Timestamp)
    case authenticationClassMissing
    case authenticationTooWeak(found: String)

    /// A rule of one provider; the sentence is the reason.
    case ruleOfProvider(String)

    // A refreshed ID token compared with the previous one (section 12.2).
    case differsFromEarlier(claim: String)
    case olderThanEarlier
}

extension IDTokenRejection: CustomStringConvertible {
    public var description: String { reason }

    /// A sentence for the user: lower case, no full stop, nothing secret.
    public var reason: String { reason(of: "the ID token") }

    /// - Parameter statement: what is rejected.
    func reason(of statement: String) -> String {
        switch self {
        case .tooLarge(let limit): "\(statement) is larger than \(limit) bytes"
        case .encrypted: "\(statement) is encrypted, which Postern cannot read; turn that off for the client at the provider"
        case .notCompact(let parts): "\(statement) has \(parts) parts, but a signed one has 3"
        case .invalidEncoding(let part): "\(statement)'s \(part.rawValue) is not base64url without padding"
        case .invalidJSON(let part, let error): "\(statement)'s \(part.rawValue) is \(error)"
        case .notAnObject(let part): "\(statement)'s \(part.rawValue) is not a JSON object"
        case .headerMember(let error): "in \(statement)'s header \(error)"
        case .criticalExtension: "\(statement) has extensions that must be understood (crit), and none is supported here"
        case .wrongTokenType(let type): "\(statement) is of the type \(type), which is for something else"
        case .algorithmNotAllowed(let name):
            "\(statement) is signed with \(name), which is not accepted; Postern verifies "
                + SignatureAlgorithm.allCases.map(\.rawValue).joined(separator: ", ") + ", as far as the provider's metadata list them"
        case .unknownKey(let kid?): "\(statement) is signed with the key \(kid), which is not among the provider's keys"
        case .unknownKey(nil): "none of the provider's keys matches \(statement)"
        case .ambiguousKey: "several of the provider's keys match \(statement), and it does not say which one was used"
        case .invalidSignature: "\(statement)'s signature is wrong"
        case .claim(let error): "in \(statement) \(error)"
        case .issuerMismatch(let found): "\(statement) is from \(found), not from the configured issuer"
        case .keyOfAnotherIssuer(let found): "\(statement) is from \(found), but the key that signed it is not for that issuer"
        case .noAudience: "\(statement) has no audience (aud is empty)"
        case .audienceMismatch: "\(statement) is for another client (aud)"
        case .unknownAudience(let name): "\(statement) is also for \(name), which is not known here (aud)"
        case .authorizedPartyMissing: "\(statement) has several audiences and does not say for which one it was issued (azp)"
        case .authorizedPartyMismatch(let found): "\(statement) was issued to \(found), not to this client (azp)"
        case .expired(let moment): "\(statement) has expired at \(moment); if that is wrong, check this machine's clock"
        case .issuedInFuture(let moment): "\(statement) was issued at \(moment), which is in the future; check this machine's clock"
        case .issuedTooLongAgo(let moment):
            "\(statement) was issued at \(moment), too long ago for this sign-in; check this machine's clock"
        case .notYetValid(let moment): "\(statement) is not valid before \(moment); check this machine's clock"
        case .invalidSubject: "\(statement)'s subject (sub) must be 1 to 255 ASCII characters"
        case .nonceMissing: "\(statement) does not repeat the nonce of this sign-in"
        case .nonceMismatch: "\(statement) belongs to another sign-in (its nonce differs)"
        case .unexpectedNonce: "\(statement) has a nonce though none was sent"
        case .accessTokenHashMismatch: "the access token is not the one that the ID token was made with (at_hash)"
        case .codeHashMismatch: "the code is not the one that the ID token was made with (c_hash)"
        case .authenticationTimeMissing: "\(statement) does not say when the user signed in (auth_time), although that was requested"
        case .authenticatedTooLongAgo(let moment): "the user signed in at \(moment), longer ago than allowed (max_age)"
        case .authenticationClassMissing: "\(statement) does not say how the user signed in (acr), although that was demanded"
        case .authenticationTooWeak(let found): "the user signed in with \(found) (acr), which is none of the ways that were demanded"
        case .ruleOfProvider(let reason): reason
        case .differsFromEarlier(let claim): "the refreshed ID token's \(claim) differs from the previous one's"
        case .olderThanEarlier: "the refreshed ID token was issued before the previous one"
        }
    }

    /// The token is about another account, provider or client: whoever has its grant is not the user who began.
    public var isAnotherIdentity: Bool {
        switch self {
        // The time of a sign-in is not part of the identity.
        case .differsFromEarlier(let claim): claim != "auth_time"
        case .issuerMismatch, .audienceMismatch, .authorizedPartyMismatch: true
        default: false
        }
    }

    /// The failure of a sign-in whose ID token is rejected for this.
    public var providerFailure: ProviderFailure { .invalidIDToken(reason: reason) }
}
