import PosternClient
import StrictJSON

/// The credential helper protocol of Bazel: `get`, with a JSON document on standard input.
///
///     bazel-credential-postern [--account NAME] get
///
/// Source: EngFlow/credential-helper-spec.
enum BazelHelper: HelperProtocol {
    /// In milliseconds. Bazel kills a helper after ten seconds; the difference is for starting it.
    static let patience: Int64 = 8000

    static func output(for call: HelperCall, _ source: some HelperSource) throws(HelperOutput) -> HelperOutput {
        guard let (account, arguments) = HelperArguments.account(call.arguments), arguments == ["get"] else { return .usage(usage) }
        guard let input = call.input(.endOfInput) else { return .usage("the request is too long") }
        guard let url = try url(in: input) else { return HelperOutput(none) }
        let subject = account.map { HelperRequest.Subject.name($0, destination: url) } ?? .url(url)
        let answer = source.answer(HelperRequest(subject: subject, patience: patience))
        switch answer {
        case .token(let token): return HelperOutput(self.answer(token: token.secret.reveal(), expiry: token.expiry))
        case .nothing: return HelperOutput(none, words: answer.nearMiss)
        // Without a token Bazel would cache the server's refusal for half an hour; instead its build fails with the reason.
        case .signInNeeded, .unavailable, .noDaemon: return answer.inWords
        }
    }

    /// - Returns: nil if it is a well-formed address that no token can be for.
    static func url(in input: [UInt8]) throws(HelperOutput) -> String? {
        guard let request = (try? JSON(parsing: input))?.objectValue else {
            throw .usage("there is not a JSON object on standard input")
        }
        guard let uri = request["uri"]?.stringValue else { throw .usage("the request has no uri") }
        // gRPC is HTTP/2, and its servers accept the same header fields.
        let secure = uri.rest(after: "grpcs://").map { "https://" + $0 }
        let address = secure ?? uri.rest(after: "grpc://").map { "http://" + $0 } ?? uri
        return HelperURL.isAcceptable(address) ? address : nil
    }

    /// - Parameter expiry: in seconds since 1970. Without it Bazel caches the fields for half an hour.
    static func answer(token: String, expiry: Int64?) -> String {
        var answer: JSONObject = [:]
        if let expires = expiry.flatMap({ EpochTime(seconds: $0).text }) { answer["expires"] = .string(expires) }
        answer["headers"] = ["Authorization": [.string("Bearer \(token)")]]
        return JSON.object(answer).text + "\n"
    }

    /// Bazel sends its request without additional fields.
    static let none = "{}\n"
    static let usage = "Bazel runs this as: bazel-credential-postern get, with its request on standard input"
}
