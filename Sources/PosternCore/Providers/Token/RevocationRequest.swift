/// Revokes tokens (RFC 7009).
public enum RevocationRequest {
    /// The refresh token is first: with it most servers also revoke the access tokens issued from it (section 2.1), and whatever is left if
    /// the second request fails expires anyway. Empty if there is no revocation endpoint.
    public static func requests(for grant: Grant, at provider: ResolvedProvider) -> [ProviderRequest] {
        guard let endpoint = provider.revocation else { return [] }
        let client = ClientCredentials(of: provider)
        var tokens: [(token: Secret, hint: String)] = []
        if let refreshToken = grant.refreshToken { tokens.append((refreshToken, "refresh_token")) }
        if grant.hasAccessToken { tokens.append((grant.accessToken, "access_token")) }
        return tokens.map { token, hint in
            .form([("token", token.reveal()), ("token_type_hint", hint)], to: endpoint, from: client)
        }
    }
}

/// What an answer to a revocation means.
public enum RevocationOutcome: Sendable, Hashable {
    /// The token is no longer valid; the answer for one that never was valid is the same (RFC 7009 section 2.2).
    case revoked
    /// The server does not revoke this kind of token; revoking the other kind was enough, if that succeeded.
    case unsupportedTokenType
    case transient(TransientFailure)
    case refused(OAuthRefusal)
    /// There was no answer.
    case unanswered

    public init(answer: ProviderResponse, now: Timestamp) {
        if let failure = TransientFailure(answer, now: now) {
            self = .transient(failure)
        } else if 200..<300 ~= answer.status {
            self = .revoked
        } else {
            let refusal = OAuthRefusal(inErrorAnswer: answer)
            self = refusal.error == "unsupported_token_type" ? .unsupportedTokenType : .refused(refusal)
        }
    }

    /// Whether the provider has said what becomes of the token; if not, it can be asked again.
    public var isFinal: Bool {
        switch self {
        case .revoked, .unsupportedTokenType, .refused: true
        case .transient, .unanswered: false
        }
    }

    /// What is wrong, as the end of a sentence; nil if nothing is.
    public var problem: String? {
        switch self {
        case .revoked, .unsupportedTokenType: nil
        case .transient(let failure): "\(failure)"
        case .refused(let refusal):
            if refusal.isBare {
                "it refused (\(refusal.status))"
            } else {
                // Without a code the refusal begins with the status itself.
                refusal.error == nil ? "it refused: \(refusal)" : "it refused (\(refusal.status)): \(refusal)"
            }
        case .unanswered: "it gave no answer"
        }
    }
}

/// What became of a whole credential at its provider.
public enum RevocationResult: Sendable, Hashable {
    /// The provider was left alone, as was wanted.
    case notAsked
    case revoked
    /// The provider names no revocation endpoint, or has none for tokens of this kind.
    case noWay
    /// The provider or the connection failed; the reason continues a sentence that begins with "the provider".
    case failed(reason: String)

    /// By the answers to all the requests.
    public init(_ outcomes: [RevocationOutcome]) {
        if let problem = outcomes.lazy.compactMap(\.problem).first {
            self = .failed(reason: problem)
        } else {
            self = outcomes.contains(.revoked) ? .revoked : .noWay
        }
    }
}

/// A grant that a provider issued and that nobody here keeps: its sign-in was cancelled meanwhile, its ID token is invalid, or its profile
/// is not available.
///
/// It is valid at the provider, so it is revoked there. But some providers revoke everything that a client has of an account, and a
/// credential that works is worth more than the end of an unused one, whose tokens are gone from memory and expire.
public enum UnwantedGrant {
    /// Why it is not revoked; nil if it is.
    ///
    /// - Parameters:
    ///   - subject: the account that it belongs to; nil if that is not known for certain. It may then be any.
    ///   - kept: the accounts at the provider whose credentials are stored; nil if the store is closed, so that this is not known.
    public static func reasonToLeaveIt(of subject: String?, kept: [String]?) -> String? {
        guard let kept else { return "the store is closed, so it is not known whether a credential of its account is kept" }
        guard let subject else { return kept.isEmpty ? nil : "it may be of an account whose credential is kept" }
        return kept.contains { $0.utf8.elementsEqual(subject.utf8) } ? "a credential of its account is kept" : nil
    }
}
