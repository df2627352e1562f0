import StrictJSON

/// Reads the answers of OAuth 1.0a endpoints (RFC 5849 sections 2.1 and 2.3): forms, whatever their media type is. X labels its own
/// `text/html`.
public enum OAuth1Answer {
    /// Far more than two tokens need.
    static let mostBytes = 64 * 1024

    /// Temporary credentials, for a callback that the server has confirmed.
    public static func requestToken(
        in response: ProviderResponse, dialect: any ProviderDialect, now: Timestamp
    ) throws(OAuth1Error) -> OAuth1Token {
        let members = try members(of: response, from: .requestToken, dialect: dialect, now: now)
        let token = try token(in: members, from: .requestToken)
        guard members["oauth_callback_confirmed"] == "true" else { throw .callbackNotConfirmed }
        return token
    }

    /// The account's credentials. They name no expiry and no scopes.
    ///
    /// - Parameter sentAt: when the request was sent.
    public static func grant(
        in response: ProviderResponse, dialect: any ProviderDialect, sentAt: Timestamp, now: Timestamp
    ) throws(OAuth1Error) -> Grant {
        let members = try members(of: response, from: .accessToken, dialect: dialect, now: now)
        let token = try token(in: members, from: .accessToken)
        // The type is the scheme before it in an Authorization header.
        return Grant(accessToken: token.token, tokenType: "OAuth", scopes: [], obtainedAt: sentAt, tokenSecret: token.secret)
    }

    private static func token(in members: [String: String], from endpoint: ProviderProblem.Endpoint) throws(OAuth1Error) -> OAuth1Token {
        OAuth1Token(
            token: try secret("oauth_token", in: members, from: endpoint),
            secret: try secret("oauth_token_secret", in: members, from: endpoint))
    }

    private static func secret(
        _ name: String, in members: [String: String], from endpoint: ProviderProblem.Endpoint
    ) throws(OAuth1Error) -> Secret {
        guard let text = members[name], !text.isEmpty else { throw .malformed(endpoint, .missing(member: name)) }
        guard text.utf8.count <= OAuth1Token.longest, text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
            throw .malformed(endpoint, .invalidToken(member: name))
        }
        return Secret(text)
    }

    private static func members(
        of response: ProviderResponse, from endpoint: ProviderProblem.Endpoint, dialect: any ProviderDialect, now: Timestamp
    ) throws(OAuth1Error) -> [String: String] {
        if let failure = TransientFailure(response, now: now) { throw .transient(endpoint, failure) }
        if 300..<400 ~= response.status { throw .malformed(endpoint, .redirect(status: response.status)) }
        guard response.body.count <= mostBytes else { throw .malformed(endpoint, .tooLarge(limit: mostBytes)) }
        // A JSON object is not a form; here it is an error, whatever the status.
        let isObject = response.body.first == UInt8(ascii: "{")
        guard 200..<300 ~= response.status, !isObject else {
            var refusal = refusal(in: response, dialect: dialect)
            // A client that was issued a request token has shown that the application is configured correctly.
            if endpoint == .requestToken { refusal.advice = dialect.advice(on: refusal) }
            throw .refused(endpoint, refusal)
        }
        guard let members = form(response.body) else {
            throw .malformed(endpoint, AnswerBody.isWebPage(response.body) ? .webPage : .notAForm)
        }
        return members
    }

    /// Nil if the body is not a form. A line end after the last value is not part of it.
    private static func form(_ body: [UInt8]) -> [String: String]? {
        guard let last = body.lastIndex(where: { $0 != 0x0A && $0 != 0x0D }), body.first != UInt8(ascii: "<") else { return nil }
        return try? FormEncoding.pairs(Array(body[...last]))
    }
}

extension OAuth1Answer {
    /// The reason in an answer that is a refusal: in JSON in the provider's own format; from the extension "OAuth Problem Reporting", in a
    /// form or in a header; or in a form with OAuth 2.0's members, as from servers of authlib and oauthlib.
    static func refusal(in response: ProviderResponse, dialect: any ProviderDialect) -> OAuthRefusal {
        guard response.body.count <= mostBytes else { return OAuthRefusal(status: response.status, error: nil) }
        if let members = (try? JSON(parsing: response.body))?.objectValue {
            if case .refused(let refusal)? = dialect.refusal(in: members, status: response.status) { return refusal }
            return OAuthRefusal(inErrorAnswer: response)
        }
        let members = form(response.body)
        let problem = members?["oauth_problem"] ?? members?["error"] ?? response.header("WWW-Authenticate").flatMap(problem)
        let description = members?["oauth_problem_advice"] ?? members?["error_description"]
        return OAuthRefusal(status: response.status, word: problem, sentence: description)
    }

    /// `oauth_problem` among the parameters of a challenge: a word, with or without quotation marks.
    private static func problem(inChallenge header: String) -> String? {
        let parts = header.parts { $0 == "," || $0 == " " || $0 == "\t" }
        guard let value = parts.lazy.compactMap({ $0.rest(after: "oauth_problem=") }).first else { return nil }
        let word = String(value).keeping { $0 != "\"" }
        return word.isEmpty ? nil : word
    }
}

/// An OAuth 1.0a token and the secret that signs for it: temporary credentials for one sign-in, called a request token below (RFC 5849
/// section 2.1), or those of an account (section 2.3).
public struct OAuth1Token: Sendable, Equatable {
    /// The longest token or secret that a provider may issue: far more than any does.
    static let longest = 2048

    /// Passes through the browser, so it gives no access by itself.
    public var token: Secret
    public var secret: Secret

    public init(token: Secret, secret: Secret) {
        self.token = token
        self.secret = secret
    }

    /// The token of a grant; nil if that is not from OAuth 1.0a.
    public init?(_ grant: Grant) {
        guard let secret = grant.tokenSecret else { return nil }
        self.init(token: grant.accessToken, secret: secret)
    }
}
