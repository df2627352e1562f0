/// Sends an authorization request to the server before the browser is redirected (RFC 9126), so that none of it is in a URL.
public enum PushedAuthorizationRequest {
    /// - Returns: nil if requests are not pushed to the provider.
    public static func request(for authorization: AuthorizationRequest, at provider: ResolvedProvider) -> ProviderRequest? {
        guard let endpoint = provider.pushedAuthorization else { return nil }
        let client = ClientCredentials(of: provider)
        // The client's own parameters are those of the token endpoint (section 2.1), and none may be repeated.
        let names = Set(client.parameters.map(\.name))
        return .form(authorization.parameters.filter { !names.contains($0.name) }, to: endpoint, from: client)
    }

    /// The page to open, from the server's answer.
    ///
    /// - Parameters:
    ///   - sentAt: when the request was sent: its result ages while the answer is on its way.
    public static func page(
        from response: ProviderResponse, of provider: ResolvedProvider, sentAt: Timestamp, now: Timestamp
    ) throws(PushedAuthorizationError) -> AuthorizationPage {
        do throws(TokenEndpointError) {
            let answer = try TokenAnswer(response, at: provider, now: now)
            guard let requestURI = try answer.token("request_uri", mostBytes: EndpointURL.longest) else {
                throw .malformed(.missing(member: "request_uri"), refusal: nil)
            }
            let lifetime = try answer.lifetime("expires_in") ?? usualLifetime
            let url = provider.authorization.appending([("client_id", provider.clientID), ("request_uri", requestURI.reveal())])
            return AuthorizationPage(url: url, expiresAt: sentAt.adding(seconds: max(lifetime, 0)))
        } catch {
            throw PushedAuthorizationError(error)
        }
    }

    /// In seconds, if the server does not say, although it must; the specification speaks of 5 to 600.
    private static let usualLifetime: Int64 = 60
}

/// A page to open in the user's browser.
public struct AuthorizationPage: Sendable, Equatable {
    /// For the browser and for the program that asked, never for a log.
    public var url: String
    /// When the provider forgets what was pushed to it; nil for a page that is valid as long as its sign-in waits.
    public var expiresAt: Timestamp?

    public init(url: String, expiresAt: Timestamp? = nil) {
        self.url = url
        self.expiresAt = expiresAt
    }
}

extension OAuthRefusal {
    /// What is probably wrong with a client that was refused (RFC 6749 section 5.2), as the end of a sentence. Nothing else that could be
    /// wrong has been sent yet.
    func suspect(hasSecret: Bool) -> String {
        guard isOfClient else { return "" }
        return hasSecret
            ? "; check client-secret first, then client-id: one of them probably does not match the provider's record"
            : "; check client-id, and whether the provider requires a client-secret: none is configured"
    }
}

/// Why a pushed authorization request brought no page (RFC 9126 section 2.3).
public enum PushedAuthorizationError: Error, Sendable, Hashable, CustomStringConvertible {
    case refused(OAuthRefusal)
    case transient(TransientFailure)
    case malformed(TokenAnswerFlaw)

    init(_ error: TokenEndpointError) {
        switch error {
        case .refused(let refusal), .malformed(_, let refusal?): self = .refused(refusal)
        case .malformed(let flaw, nil): self = .malformed(flaw)
        case .transient(let failure): self = .transient(failure)
        }
    }

    public var description: String {
        switch self {
        case .refused(let refusal): "it refused the request before there was a page to open: \(refusal)"
        case .transient(let failure): "it did not accept the pushed authorization request: \(failure)"
        case .malformed(.redirect(let status)):
            "it answered the pushed authorization request with a redirect (status \(status)), which is not followed; "
                + "check its pushed-authorization-request-endpoint"
        case .malformed(let flaw): flaw.sentence(of: "it", answer: "its answer to the pushed authorization request")
        }
    }

    /// - Parameters:
    ///   - name: the provider's, for the sentence.
    ///   - hasSecret: the client sent one.
    public func providerFailure(at name: String, hasSecret: Bool = false) -> ProviderFailure {
        switch self {
        case .refused(let refusal):
            .exchangeFailed(
                error: refusal.error, description: refusal.errorDescription,
                message: "\(name): \(self)\(refusal.suspect(hasSecret: hasSecret))")
        case .malformed: .exchangeFailed(error: nil, description: nil, message: "\(name): \(self)")
        case .transient: .unreachable(message: "\(name): \(self)")
        }
    }
}
