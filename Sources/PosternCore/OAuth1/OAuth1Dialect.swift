/// OAuth 1.0a as it is written, with what its providers have in common beside it.
public struct OAuth1Dialect: ProviderDialect {
    public init() {}

    public var needsClientSecret: Bool { true }

    public func denial(in parameters: CallbackParameters) -> (error: String, description: String?)? { OAuth1Denial.denial(in: parameters) }

    public func revocationRequests(for grant: Grant, at provider: ResolvedProvider) -> [ProviderRequest] {
        // OAuth 1.0a knows no revocation. Where there is an address for it, the token in the signature is the one that is meant.
        provider.revocation.map { [ProviderRequest(method: "POST", url: $0.text)] } ?? []
    }
}

/// How somebody's no comes back, which RFC 5849 leaves open.
enum OAuth1Denial {
    /// `denied`, as X has it; `oauth_problem`, of the extension "OAuth Problem Reporting"; or OAuth 2.0's `error`.
    static func denial(in parameters: CallbackParameters) -> (error: String, description: String?)? {
        if parameters.denied != nil { return ("access_denied", nil) }
        if let problem = parameters["oauth_problem"]?.reveal() { return (problem, parameters["oauth_problem_advice"]?.reveal()) }
        return parameters.error.map { ($0, parameters.errorDescription) }
    }
}
