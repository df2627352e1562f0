import StrictJSON

/// How X says that something went wrong, in the shapes of its two APIs:
/// `{"errors": [{"code": 89, "message": "…"}]}`, and `{"title": "…", "detail": "…", "status": 401}`, alone or in a list.
enum XError {
    /// The token is not good any more, or never was.
    static let invalidToken = "89"
    /// The time in a signed request is too far from X's own.
    static let timestampOutOfBounds = "135"

    /// Nil where the members say nothing of the kind. The code is the refusal's error, in digits.
    static func refusal(in members: JSONObject, status: Int) -> OAuthRefusal? {
        let first: JSONObject
        if case .array(let errors)? = members["errors"], let error = errors.first?.objectValue {
            first = error
        } else if members["error"] == nil, members["title"]?.stringValue != nil {
            first = members
        } else {
            return nil
        }
        let code: String?
        if case .integer(let number)? = first["code"] { code = String(number) } else { code = first["title"]?.stringValue }
        let sentence = first["message"]?.stringValue ?? first["detail"]?.stringValue
        return OAuthRefusal(
            status: status, error: code.flatMap { ProviderText.cleaned($0, longest: ProviderText.longestName) },
            errorDescription: sentence.flatMap { ProviderText.cleaned($0, longest: ProviderText.longestDescription) })
    }

    static func refusal(in answer: ProviderResponse) -> OAuthRefusal? {
        guard answer.body.count <= ProfileDocument.mostBytes else { return nil }
        return (try? JSON(parsing: answer.body))?.objectValue.flatMap { refusal(in: $0, status: answer.status) }
    }
}
