/// Asks a provider whether an access token is still valid.
///
/// Only a definite refusal of the token counts. A provider that cannot answer now, limits its requests or refuses something else has said
/// nothing about the token.
public struct TokenInquiry: Sendable {
    public let request: ProviderRequest
    private let way: Way
    private let context: ProfileContext

    private enum Way {
        /// A request with the token: the first one for the profile, which the token could obtain when it was issued.
        case profile
        /// A request about the token, in the client's name (RFC 7662).
        case introspection
    }

    /// - Returns: nil if this provider, as far as it is known, cannot be asked.
    public init?(about grant: Grant, at provider: ResolvedProvider, cryptography: any Cryptography, now: Timestamp) {
        guard grant.hasAccessToken else { return nil }
        context = ProfileContext(provider: provider, grant: grant, idToken: nil, keys: nil, cryptography: cryptography, now: now)
        // A server may also call a token inactive that the client may not ask about (RFC 7662 section 2.2), so this is the better one.
        if let request = provider.dialect.nextProfileRequest(after: [], in: context) {
            (self.request, way) = (request, .profile)
        } else if let request = TokenIntrospection.request(for: grant, at: provider) {
            (self.request, way) = (request, .introspection)
        } else {
            return nil
        }
    }

    /// The request is to be authorized by the grant that it is about.
    public var isAuthorizedByGrant: Bool { way == .profile }

    /// Why the provider no longer accepts the token; nil if it did not say for certain that it does not.
    public func refusal(in answer: ProviderResponse) -> String? {
        switch way {
        case .profile:
            guard !answer.refusesRequestNotToken else { return nil }
            do throws(ProfileError) { _ = try context.provider.dialect.profile(from: [answer], in: context) } catch {
                guard case .refused(let refusal) = error, context.provider.dialect.endsAccessToken(refusal) else { return nil }
                return "\(refusal)"
            }
            return nil
        case .introspection:
            guard let answer = try? AudienceAnswer(answer, now: context.now), answer.members["active"] == .bool(false) else { return nil }
            return "it is no longer active"
        }
    }
}

extension ProviderResponse {
    /// The challenges name an error of the proof (RFC 9449 section 7.1), or of what the token is for (RFC 6750 section 3.1).
    fileprivate var refusesRequestNotToken: Bool {
        challenges.contains { ["use_dpop_nonce", "invalid_dpop_proof", "insufficient_scope"].contains($0.parameters["error"]) }
    }
}
