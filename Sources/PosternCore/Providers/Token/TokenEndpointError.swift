import StrictJSON

/// An OAuth error as an endpoint sent it (RFC 6749 section 5.2), made safe to show.
public struct OAuthRefusal: Sendable, Hashable {
    /// The HTTP status; GitHub refuses with 200.
    public var status: Int
    /// `invalid_grant`, or whatever the endpoint sent; nil if it named no error.
    public var error: String?
    public var errorDescription: String?
    /// Our own text, not the endpoint's: what to try.
    public var advice: String?
}

/// Why a token endpoint issued no grant.
public enum TokenEndpointError: Error, Sendable, Hashable {
    /// It refused. The same request would be refused again.
    case refused(OAuthRefusal)
    /// It cannot answer now.
    case transient(TransientFailure)
    /// Its answer makes no sense. `refusal` is any error that can be read in it.
    case malformed(TokenAnswerFlaw, refusal: OAuthRefusal?)
}

/// What is wrong with a token endpoint's answer.
public enum TokenAnswerFlaw: Sendable, Hashable {
    case tooLarge(limit: Int)
    case redirect(status: Int)
    case notJSON(status: Int, AnswerBodyFlaw)
    case notAForm
    case notAnObject(found: String)
    case wrongType(member: String, expected: String, found: String)
    case missing(member: String)
    /// A token with characters that no header may contain (RFC 6749 appendix A), or one that is too long.
    case invalidToken(member: String)
    /// Cleaned for display.
    case unknownTokenType(String)
    /// A bearer token although DPoP is configured.
    case notBound
}

extension TokenAnswerFlaw: CustomStringConvertible {
    public var description: String { sentence(of: "it", answer: "its answer") }

    /// - Parameters:
    ///   - endpoint: who answered.
    ///   - answer: what that one gave.
    func sentence(of endpoint: String, answer: String) -> String {
        switch self {
        case .tooLarge(let limit): "\(answer) is larger than \(limit) bytes"
        case .redirect(let status):
            "\(endpoint) answered with a redirect (status \(status)), which is not followed; check the token-endpoint"
        case .notJSON(let status, let error): "\(answer) (status \(status)) is \(error)"
        case .notAForm: "\(answer) is not a well-formed form"
        case .notAnObject(let found): "\(answer) must be a JSON object, but is \(found)"
        case .wrongType(let member, let expected, let found): "in \(answer) \(member) must be \(expected), but is \(found)"
        case .missing(let member): "\(answer) has no \(member)"
        case .invalidToken(let member): "in \(answer) \(member) is too long or has characters that are not allowed in a token"
        case .unknownTokenType(let type): "\(endpoint) gave a token of the type \(type); only bearer tokens can be used"
        case .notBound:
            "\(endpoint) gave a bearer token, but one bound to a key (DPoP) is configured; remove dpop if the provider cannot bind tokens"
        }
    }
}

extension TokenEndpointError: CustomStringConvertible {
    /// For a sentence that names the provider itself.
    public var description: String { sentence(of: "the token endpoint") }

    private func sentence(of endpoint: String) -> String {
        switch self {
        case .refused(let refusal): "\(endpoint) refused: \(refusal)"
        case .transient(let failure): failure.sentence(of: endpoint)
        case .malformed(let flaw, let refusal?): "\(endpoint) refused (\(refusal)), and \(flaw)"
        case .malformed(let flaw, nil): flaw.sentence(of: endpoint, answer: "the answer of \(endpoint)")
        }
    }
}

extension OAuthRefusal: CustomStringConvertible {
    public var description: String {
        let words =
            switch (error, errorDescription) {
            case (let error?, let description?): "\(error): \(description)"
            case (let error?, nil): error
            case (nil, let description?): "status \(status): \(description)"
            case (nil, nil): "status \(status), without a reason"
            }
        return advice.map { "\(words) (\($0))" } ?? words
    }
}

extension TokenEndpointError {
    /// Whether the refresh token is useless after this answer, so that only the user can fix it (RFC 6749 section 5.2, OpenID Connect Core
    /// section 3.1.2.6). After any other answer it is as good as before: a wrong client secret is not its fault.
    public var endsRefreshToken: Bool {
        guard case .refused(let refusal) = self, let error = refusal.error else { return false }
        return [
            "invalid_grant", "bad_refresh_token", "interaction_required", "login_required", "consent_required",
            "account_selection_required",
        ].contains(error)
    }

    /// Status 400 without an error, which is glewlwyd's answer to a refresh token that was used up: the user is needed, though nothing says
    /// for certain that the token is useless.
    public var isWithoutReason: Bool { self == .refused(OAuthRefusal(status: 400, error: nil)) }

    /// The failure of a sign-in whose code got this answer.
    ///
    /// - Parameter name: the provider's, for the sentence.
    public func providerFailure(at name: String) -> ProviderFailure {
        let message = sentence(of: "the token endpoint of \(name)")
        return switch self {
        case .refused(let refusal), .malformed(_, let refusal?):
            .exchangeFailed(error: refusal.error, description: refusal.errorDescription, message: message)
        case .malformed(_, nil): .exchangeFailed(error: nil, description: nil, message: message)
        case .transient: .unreachable(message: message)
        }
    }
}

extension OAuthRefusal {
    /// There is nothing to say of it but its status.
    var isBare: Bool { error == nil && errorDescription == nil && advice == nil }

    /// With these a server refuses the client, and not what it asked for (RFC 6749 section 5.2, and GitHub's word for it).
    public static let clientErrors: Set<String> = ["invalid_client", "unauthorized_client", "incorrect_client_credentials"]

    var isOfClient: Bool { status == 401 || error.map(Self.clientErrors.contains) ?? false }

    /// What can be read of a refusal in an answer known to be one: the members of RFC 6749, or the `message` of GitHub and others.
    init(inErrorAnswer answer: ProviderResponse) {
        let members = answer.members
        self.init(
            status: answer.status, word: members?["error"]?.stringValue,
            sentence: members?["error_description"]?.stringValue ?? members?["message"]?.stringValue,
            advice: AnswerBody.isWebPage(answer.body) ? "the answer is \(AnswerBodyFlaw.webPage)" : nil)
    }
}
