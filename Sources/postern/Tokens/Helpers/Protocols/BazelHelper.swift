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

    static func answer(_ call: HelperCall, _ source: some HelperSource) -> HelperOutput {
        guard let (account, arguments) = HelperArguments.account(call.arguments), arguments == ["get"] else { return .usage(usage) }
        guard let input = call.input(.endOfInput) else { return .usage("the request is too long") }
        switch request(input) {
        case .malformed(let sentence): return .usage(sentence)
        case .nothing: return HelperOutput(none)
        case .token(let url):
            let subject = account.map { HelperRequest.Subject.name($0, destination: url) } ?? .url(url)
            let answer = source.answer(HelperRequest(subject: subject, patience: patience))
            switch answer {
            case .token(let token): return HelperOutput(self.answer(token: token.secret.reveal(), expiry: token.expiry))
            case .nothing: return HelperOutput(none)
            // Without a token Bazel would cache the server's refusal for half an hour; instead its build fails with the reason.
            case .signInNeeded(let sentence), .unavailable(let sentence), .noDaemon(let sentence):
                return HelperOutput(words: sentence, status: answer.status.rawValue)
            }
        }
    }

    enum Request: Equatable {
        case token(url: String)
        /// A well-formed address that no token can be for.
        case nothing
        case malformed(String)
    }

    static func request(_ input: [UInt8]) -> Request {
        guard let request = (try? JSON(parsing: input))?.objectValue else {
            return .malformed("there is not a JSON object on standard input")
        }
        guard let uri = request["uri"]?.stringValue else { return .malformed("the request has no uri") }
        // gRPC is HTTP/2, and its servers accept the same header fields.
        for (grpc, http) in [("grpcs://", "https://"), ("grpc://", "http://")] {
            guard let rest = uri.rest(after: grpc) else { continue }
            let address = http + rest
            return HelperURL.isAcceptable(address) ? .token(url: address) : .nothing
        }
        return HelperURL.isAcceptable(uri) ? .token(url: uri) : .nothing
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
