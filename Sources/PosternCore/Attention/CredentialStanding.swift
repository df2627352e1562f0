/// How a credential stands: whether programs can have tokens from it without the user.
///
/// Only what is final makes the user needed. A provider that cannot be reached, or cannot answer now, changes nothing.
public enum CredentialStanding: Sendable, Hashable {
    case good
    /// It ends then, unless it is renewed before, or the user signs in.
    ///
    /// - fromBeginning: it never had longer than the warning is ahead of its end: a session of hours, of which nobody is warned each time.
    case endsSoon(at: Timestamp, fromBeginning: Bool = false)
    case signInNeeded(Reason)

    public enum Reason: Sendable, Hashable {
        /// The provider was asked, and said so in these words.
        case refused(String)
        /// The refresh token has run out, and the access token with it.
        case refreshTokenExpired(at: Timestamp)
        /// The access token has run out, and there is nothing to renew it with.
        case accessTokenExpired(at: Timestamp)
        /// What was granted is granted no longer, or what the configuration wants never was.
        case scopesMissing([String])
        /// The provider's name was given to another one since the credential came.
        case providerChanged
    }

    /// Without the details; the words are the interface's.
    public enum State: String, Sendable, CaseIterable {
        case good, endsSoon, signInNeeded
    }

    public var state: State {
        switch self {
        case .good: .good
        case .endsSoon: .endsSoon
        case .signInNeeded: .signInNeeded
        }
    }

    /// Worth a notice to the user.
    public var isNews: Bool { if case .good = self { false } else if case .endsSoon(_, fromBeginning: true) = self { false } else { true } }

    /// - Parameters:
    ///   - trouble: what was learnt by asking its provider.
    ///   - wanted: scopes that the configuration wants of this account.
    ///   - provider: how it speaks; nil if the credential came from another one of the same name.
    ///   - warnBefore: seconds.
    public init(
        of credential: StoredCredential, trouble: CredentialTrouble = CredentialTrouble(), wanted: [String] = [],
        provider dialect: (any ProviderDialect)?, now: Timestamp, warnBefore: Int64
    ) {
        guard let dialect else {
            self = .signInNeeded(.providerChanged)
            return
        }
        let span = CredentialSpan(of: credential.grant)
        if let refusal = trouble.refusal, refusal.generation == credential.generation {
            self = .signInNeeded(.refused(refusal.reason))
        } else if let end = span.end, end <= now {
            self = .signInNeeded(credential.grant.refreshToken == nil ? .accessTokenExpired(at: end) : .refreshTokenExpired(at: end))
        } else if let missing = Self.missing(trouble.lostScopes + wanted, in: credential.grant, dialect) {
            self = .signInNeeded(.scopesMissing(missing))
        } else if let end = span.end, let warning = span.warning(warnBefore: warnBefore), warning <= now {
            self = .endsSoon(at: end, fromBeginning: warning <= span.begin)
        } else {
            self = .good
        }
    }

    /// Nil if nothing is missing.
    private static func missing(_ scopes: [String], in grant: Grant, _ dialect: any ProviderDialect) -> [String]? {
        guard !scopes.isEmpty, grant.hasAccessToken else { return nil }
        let missing = dialect.missingScopes(asked: scopes, granted: grant.scopes)
        return missing.isEmpty ? nil : missing
    }
}

extension CredentialStanding.Reason {
    /// The credential works, for less than it should.
    public var isAboutScopes: Bool { if case .scopesMissing = self { true } else { false } }
}

extension CredentialStanding.Reason: CustomStringConvertible {
    public var description: String {
        switch self {
        case .refused(let reason): "the provider no longer renews it: \(reason)"
        case .refreshTokenExpired(let moment): "the refresh token has expired at \(moment)"
        case .accessTokenExpired(let moment): "the access token has expired at \(moment), and there is no refresh token to renew it with"
        case .scopesMissing(let scopes): "the scopes \(scopes.joined(separator: " ")) are not, or no longer, granted"
        case .providerChanged: "its provider's name now belongs to another server or client"
        }
    }
}

/// What was learnt of a credential by asking its provider, and cannot be read off the credential.
public struct CredentialTrouble: Sendable, Equatable {
    /// A renewal was refused for good.
    public struct Refusal: Sendable, Equatable {
        /// Of the credential, as the refusal left it. A later one has been renewed, or signed in.
        public var generation: Int64
        /// For the user; the provider's words are in it, cleaned for display.
        public var reason: String

        public init(generation: Int64, reason: String) {
            self.generation = generation
            self.reason = reason
        }
    }

    public var refusal: Refusal?
    /// The sign-in brought them, and a renewal did not.
    public var lostScopes: [String]

    public init(refusal: Refusal? = nil, lostScopes: [String] = []) {
        self.refusal = refusal
        self.lostScopes = lostScopes
    }

    public var isEmpty: Bool { refusal == nil && lostScopes.isEmpty }

    /// They ask for tokens rather than for access, and some providers leave them out of their answers to a refresh.
    private static let formal: Set = ["openid", "profile", "email", "address", "phone", "offline_access"]

    /// A renewal came to its end.
    public mutating func renewed(from old: Grant, to new: Grant, dialect: any ProviderDialect) {
        let before = Set(old.scopes).union(lostScopes).subtracting(Self.formal).sorted()
        lostScopes = before.isEmpty ? [] : dialect.missingScopes(asked: before, granted: new.scopes)
    }
}

/// From when to when tokens can be obtained from a grant without the user.
public struct CredentialSpan: Sendable, Equatable {
    /// Since when the end is known.
    public var begin: Timestamp
    /// Nil: none that the provider has named.
    public var end: Timestamp?
    /// There is a refresh token.
    public var isRenewable: Bool

    public init(of grant: Grant) {
        begin = grant.obtainedAt
        isRenewable = grant.refreshToken != nil
        guard isRenewable else {
            end = grant.expiresAt
            return
        }
        // An access token may outlive its refresh token, or have no end at all.
        guard let refreshEnd = grant.refreshTokenExpiresAt, let accessEnd = grant.expiresAt else { return }
        end = max(refreshEnd, accessEnd)
        begin = grant.refreshTokenSince ?? grant.obtainedAt
    }

    /// From when on the end is near: as long before it as is configured. Of an access token alone, which may be meant to last for hours, the
    /// last tenth of its life at most.
    ///
    /// - Returns: nil if there is no end.
    public func warning(warnBefore: Int64) -> Timestamp? {
        guard let end else { return nil }
        let ahead = max(warnBefore, 0)
        return end.adding(seconds: -(isRenewable ? ahead : min(ahead, max(end.seconds(since: begin), 0) / 10)))
    }
}
