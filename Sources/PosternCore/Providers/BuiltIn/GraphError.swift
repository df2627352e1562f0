import StrictJSON

/// An error of Facebook's Graph API: `error` is an object with numbers, instead of OAuth's string.
struct GraphError {
    let status: Int
    let code: Int64?
    let subcode: Int64?
    /// Usually `OAuthException`, whatever happened.
    let type: String?
    let message: String?

    /// Nil if the members contain no such error.
    init?(in members: JSONObject, status: Int) {
        guard let error = members["error"]?.objectValue else { return nil }
        self.status = status
        code = Self.number(error["code"])
        subcode = Self.number(error["error_subcode"])
        type = error["type"]?.stringValue.flatMap { ProviderText.cleaned($0, longest: ProviderText.longestName) }
        message = error["message"]?.stringValue.flatMap { ProviderText.cleaned($0, longest: ProviderText.longestDescription) }
    }

    init?(in answer: ProviderResponse) {
        guard let members = answer.members else { return nil }
        self.init(in: members, status: answer.status)
    }

    /// What a token endpoint means by it.
    var meaning: TokenEndpointError { transient(retryAfterSeconds: nil).map { .transient($0) } ?? .refused(refusal) }

    /// Nil if it is a refusal.
    func transient(retryAfterSeconds: Int64?) -> TransientFailure? {
        passes ? TransientFailure(status: status, error: numbers, retryAfterSeconds: retryAfterSeconds) : nil
    }

    var refusal: OAuthRefusal {
        let description = [message, numbers.map { "(\($0))" }].compactMap { $0 }.joined(separator: " ")
        return OAuthRefusal(status: status, error: name, errorDescription: description.isEmpty ? nil : description, advice: advice)
    }

    private var advice: String? {
        switch (code, subcode) {
        case (101, _), (191, _): "check client-id"
        case (_, 36007), (_, 36009): "start the sign-in again"
        default: nil
        }
    }

    /// The application was removed from the account, or never was there.
    var saysNotInstalled: Bool { code == 190 && subcode == 458 }

    /// Throttled, or temporarily unavailable; the same request may succeed later.
    private var passes: Bool {
        switch code {
        case 2, 4, 17, 32, 341, 613: true
        default: status == 429 || status >= 500
        }
    }

    /// RFC 6749's name for it if it has one, so that code that checks names finds those it knows.
    private var name: String {
        switch (code, subcode) {
        // A code that was used, has expired, or was issued for another callback URL.
        case (_, 36007), (_, 36008), (_, 36009): "invalid_grant"
        // A token that has expired, or was revoked with the password or the session.
        case (190, _), (102, _): "invalid_grant"
        case (101, _), (191, _): "invalid_client"
        case (10, _): "access_denied"
        case (let code?, _) where 200...299 ~= code: "access_denied"
        default: type ?? "OAuthException"
        }
    }

    /// Facebook's help explains the numbers, and hardly ever the message.
    private var numbers: String? {
        guard let code else { return nil }
        return subcode.map { "code \(code), subcode \($0)" } ?? "code \(code)"
    }

    private static func number(_ json: JSON?) -> Int64? {
        guard case .integer(let number)? = json else { return nil }
        return number
    }
}
