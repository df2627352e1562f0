/// Why an OAuth 1.0a endpoint issued no token.
public enum OAuth1Error: Error, Sendable, Hashable {
    /// It refused. The same request would be refused again.
    case refused(ProviderProblem.Endpoint, OAuthRefusal)
    /// It cannot answer now.
    case transient(ProviderProblem.Endpoint, TransientFailure)
    case malformed(ProviderProblem.Endpoint, Flaw)
    /// `oauth_callback_confirmed` is missing or not `true`: the server does not speak 1.0a, whose predecessor let an attacker finish
    /// another person's sign-in (RFC 5849 section 2.1).
    case callbackNotConfirmed

    /// What is wrong with an answer.
    public enum Flaw: Sendable, Hashable {
        case tooLarge(limit: Int)
        case redirect(status: Int)
        case notAForm
        case webPage
        case missing(member: String)
        /// Characters that no token may contain, or too many.
        case invalidToken(member: String)
    }
}

extension OAuth1Error.Flaw {
    /// - Parameter endpoint: which one answered.
    fileprivate func sentence(of endpoint: String) -> String {
        let answer = "the answer of \(endpoint)"
        return switch self {
        case .tooLarge(let limit): "\(answer) is larger than \(limit) bytes"
        case .redirect(let status): "\(endpoint) answered with a redirect (status \(status)), which is not followed"
        case .notAForm: "\(answer) is not a form of names and values; is this the right address?"
        case .webPage: "\(answer) is a web page (HTML), not a form of names and values; is the URL right?"
        case .missing(let member): "\(answer) has no \(member)"
        case .invalidToken(let member): "in \(answer) \(member) is too long or has characters that are not allowed in a token"
        }
    }
}

extension OAuth1Error: CustomStringConvertible {
    /// For a sentence that names the provider itself.
    public var description: String { sentence { "the \($0.rawValue)" } }

    /// - Parameter name: what an endpoint is called.
    private func sentence(calling name: (ProviderProblem.Endpoint) -> String) -> String {
        switch self {
        case .refused(let endpoint, let refusal): "\(name(endpoint)) refused: \(refusal)"
        case .transient(let endpoint, let failure): failure.sentence(of: name(endpoint))
        case .malformed(let endpoint, let flaw): flaw.sentence(of: name(endpoint))
        case .callbackNotConfirmed:
            "\(name(.requestToken)) did not confirm the callback URL (oauth_callback_confirmed is not true), "
                + "so it does not speak OAuth 1.0a"
        }
    }

    /// - Parameters:
    ///   - name: the provider's, for the sentence.
    ///   - skew: the difference between our clock and the provider's, in seconds.
    public func providerFailure(at name: String, skew: Int64 = 0) -> ProviderFailure {
        let message = sentence { "the \($0.rawValue) of \(name)" }
        return switch self {
        case .transient: .unreachable(message: message)
        case .refused(_, let refusal):
            .exchangeFailed(error: refusal.error, description: refusal.errorDescription, message: message + Self.hint(skew))
        case .malformed, .callbackNotConfirmed: .exchangeFailed(error: nil, description: nil, message: message)
        }
    }

    private static func hint(_ skew: Int64) -> String {
        guard abs(skew) > OAuth1Clock.tolerance else { return "" }
        let direction = skew > 0 ? "behind" : "ahead of"
        return "; this machine's clock is \(abs(skew)) s \(direction) the provider's, which refuses such requests: correct it"
    }
}
