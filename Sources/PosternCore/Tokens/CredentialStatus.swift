/// The state of a credential: whether programs can get tokens from it without the user.
///
/// The user is needed only after a final failure. A provider that cannot be reached, or cannot answer now, changes nothing.
public enum CredentialStatus: Sendable, Hashable {
    case good
    /// It expires then, unless it is renewed before, or the user signs in.
    ///
    /// - fromBeginning: it was never valid for longer than the warning period: a session of hours, for which nobody is warned each time.
    ///   Without a refresh token the last tenth is announced all the same.
    case endsSoon(at: Timestamp, fromBeginning: Bool = false)
    case signInNeeded(Reason)

    public enum Reason: Sendable, Hashable {
        /// The provider was asked, and refused with this message.
        case refused(String)
        /// The provider was asked whether the access token is still valid, and said that it is not, with this message.
        case tokenRefused(String)
        /// The refresh token has expired, and so has the access token.
        case refreshTokenExpired(at: Timestamp)
        /// The access token has expired, and nothing can renew it.
        case accessTokenExpired(at: Timestamp)
        /// What was granted no longer is, or what the configuration wants never was.
        case scopesMissing([String])
        /// The provider's name now means another provider than when the credential was obtained.
        case providerChanged
    }

    /// Without the details; the names are the interface's.
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

    /// Whether it is worth a notice to the user.
    public var isNews: Bool { if case .good = self { false } else if case .endsSoon(_, fromBeginning: true) = self { false } else { true } }

    /// - Parameters:
    ///   - trouble: what was learnt by asking its provider.
    ///   - wanted: scopes that the configuration wants for this account.
    ///   - provider: its dialect; nil if the credential is from another provider of the same name.
    ///   - warnBefore: in seconds.
    public init(
        of credential: StoredCredential, trouble: CredentialTrouble, wanted: [String],
        provider dialect: (any ProviderDialect)?, now: Timestamp, warnBefore: Int64
    ) {
        guard let dialect else {
            self = .signInNeeded(.providerChanged)
            return
        }
        let span = CredentialSpan(of: credential.grant)
        if let refusal = trouble.refusal, refusal.generation == credential.generation {
            self = .signInNeeded(refusal.isOfAccessToken ? .tokenRefused(refusal.reason) : .refused(refusal.reason))
        } else if let end = span.end, end <= now {
            self = .signInNeeded(credential.grant.refreshToken == nil ? .accessTokenExpired(at: end) : .refreshTokenExpired(at: end))
        } else if let missing = Self.missing(trouble.lostScopes + wanted, in: credential.grant, dialect) {
            self = .signInNeeded(.scopesMissing(missing))
        } else if let end = span.end, let warning = span.warning(warnBefore: warnBefore), warning <= now {
            self = .endsSoon(at: end, fromBeginning: warning <= span.begin)
        } else if let end = span.end, span.isShort(warnBefore: warnBefore), !dialect.accessTokenRenewsItself {
            self = .endsSoon(at: end, fromBeginning: true)
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

extension CredentialStatus.Reason {
    /// The credential works, but for less than it should.
    public var isAboutScopes: Bool { if case .scopesMissing = self { true } else { false } }
}

extension CredentialStatus.Reason: CustomStringConvertible {
    public var description: String {
        switch self {
        case .refused(let reason): "the provider no longer renews it: \(reason)"
        case .tokenRefused(let reason): "the provider no longer accepts its access token: \(reason)"
        case .refreshTokenExpired(let moment): "the refresh token has expired at \(moment)"
        case .accessTokenExpired(let moment): "the access token has expired at \(moment), and there is no refresh token to renew it with"
        case .scopesMissing(let scopes): "the scopes \(scopes.joined(separator: " ")) are not, or no longer, granted"
        case .providerChanged: "its provider's name now belongs to another server or client"
        }
    }
}

/// What was learnt about a credential by asking its provider, and does not show in the credential.
public struct CredentialTrouble: Sendable, Equatable {
    /// The final refusal of a renewal, or of the access token.
    public struct Refusal: Sendable, Equatable {
        /// The credential's, as the refusal left it. A later generation has been renewed or signed in.
        public var generation: Int64
        /// For the user; contains the provider's text, cleaned for display.
        public var reason: String
        /// The access token itself was refused, and there was nothing to renew it with.
        public var isOfAccessToken: Bool

        public init(generation: Int64, reason: String, isOfAccessToken: Bool = false) {
            self.generation = generation
            self.reason = reason
            self.isOfAccessToken = isOfAccessToken
        }
    }

    public var refusal: Refusal?
    /// Granted at the sign-in, but not at a renewal.
    public var lostScopes: [String] = []

    public var isEmpty: Bool { refusal == nil && lostScopes.isEmpty }

    /// They request tokens rather than access, and some providers leave them out of their answers to a refresh.
    private static let formal: Set = ["openid", "profile", "email", "address", "phone", "offline_access"]

    /// A renewal succeeded.
    public mutating func renewed(from old: Grant, to new: Grant, dialect: any ProviderDialect) {
        let before = Set(old.scopes).union(lostScopes).subtracting(Self.formal).sorted()
        lostScopes = before.isEmpty ? [] : dialect.missingScopes(asked: before, granted: new.scopes)
    }
}

/// When tokens can be obtained from a grant without the user.
public struct CredentialSpan: Sendable, Equatable {
    /// Since when the end is known.
    public var begin: Timestamp
    /// Nil: the provider has named none.
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
        // An access token may outlive its refresh token, or have no expiry at all.
        guard let refreshEnd = grant.refreshTokenExpiresAt, let accessEnd = grant.expiresAt else { return }
        end = max(refreshEnd, accessEnd)
        begin = grant.refreshTokenSince ?? grant.obtainedAt
    }

    /// When to warn of the end: as long before it as configured. For an access token alone, which may be meant to last for hours, at most
    /// in the last tenth of its life.
    ///
    /// - Returns: nil if there is no end.
    public func warning(warnBefore: Int64) -> Timestamp? {
        guard let end else { return nil }
        let ahead = max(warnBefore, 0)
        return end.adding(seconds: -(isRenewable ? ahead : min(ahead, max(end.seconds(since: begin), 0) / 10)))
    }

    /// An access token alone that was never valid for longer than the warning period: a session of hours, and the next sign-in is near from
    /// the beginning.
    public func isShort(warnBefore: Int64) -> Bool { !isRenewable && end.map { $0.seconds(since: begin) <= warnBefore } ?? false }
}
