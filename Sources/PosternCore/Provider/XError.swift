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

    /// The profile in an answer; its failures in X's words.
    static func profile(in answer: ProviderResponse, now: Timestamp) throws(ProfileError) -> ProfileDocument {
        if var failure = TransientFailure(answer, now: now) {
            failure.retryAfterSeconds = failure.retryAfterSeconds ?? secondsToReset(answer, now: now)
            throw .transient(failure)
        }
        // Errors may come with status 200, beside what could be read.
        if let refusal = refusal(in: answer), !(200..<300 ~= answer.status && hasData(answer)) { throw .refused(refusal) }
        return try ProfileDocument(from: answer, now: now)
    }

    /// An account's stable name: digits in a string. The number beside it has lost its last digits in many a reader.
    static func identifier(_ path: String, in profile: ProfileDocument) throws(ProfileError) -> String {
        guard case .string(let id)? = profile[path], (1...20).contains(id.utf8.count), id.utf8.allSatisfy(\.isDecimalDigit) else {
            throw .member(JSONMemberError(path: path, reason: profile[path] == nil ? .missing : .notAllowed("must be a string of digits")))
        }
        return id
    }

    private static func hasData(_ answer: ProviderResponse) -> Bool {
        (try? JSON(parsing: answer.body))?.objectValue?["data"]?.objectValue != nil
    }

    /// `x-rate-limit-reset`: when the next quarter of an hour begins, in seconds since 1970.
    private static func secondsToReset(_ answer: ProviderResponse, now: Timestamp) -> Int64? {
        guard let reset = answer.header("x-rate-limit-reset").flatMap({ Int64($0.trimmingBlanks()) }) else { return nil }
        return min(max(Timestamp(seconds: reset).seconds(since: now), 0), TransientFailure.longestWait)
    }
}
