import PosternClient
import StrictJSON

/// Cargo's credential provider protocol, version 1: one JSON document a line; the provider sends the first.
///
///     cargo-credential-postern --cargo-plugin
///
/// Source: the Cargo book, "Credential Provider Protocol".
enum CargoHelper: HelperProtocol {
    /// Sent before anything is read: the supported versions.
    static let hello = #"{"v":[1]}"#

    static func output(for call: HelperCall, _ source: some HelperSource) throws(HelperOutput) -> HelperOutput {
        guard call.arguments.allSatisfy({ $0 == "--cargo-plugin" }) else {
            return .usage("Cargo gives the arguments of its configuration in its request; only --cargo-plugin is allowed here")
        }
        guard call.greet(hello + "\n") else { return HelperOutput(status: CommandStatus.failed.rawValue) }
        guard let input = call.input(.line) else { return HelperOutput(failure("the request is too long") + "\n") }
        // Cargo has exited.
        guard !input.isEmpty else { return HelperOutput() }
        // The exit status is always 0: otherwise Cargo discards the answer.
        return reply(to: request(input), source)
    }

    private static func reply(to request: Request, _ source: some HelperSource) -> HelperOutput {
        switch request {
        case .unsupported: return HelperOutput(operationNotSupported + "\n")
        case .notHandled: return HelperOutput(urlNotSupported + "\n")
        case .malformed(let sentence): return HelperOutput(failure(sentence) + "\n")
        case .token(let index, let account):
            let subject = account.map { HelperRequest.Subject.name($0, destination: index) } ?? .url(index)
            // Cargo stops using a token a minute before it expires.
            switch source.answer(HelperRequest(subject: subject, minimumValiditySeconds: 120, wantsConfiguredURL: true)) {
            case .token(let token): return HelperOutput(answer(token: token.secret.reveal(), expiration: token.expiry) + "\n")
            case .nothing(let sentence, _): return HelperOutput(notFound + "\n", words: sentence)
            case .signInNeeded(let sentence), .unavailable(let sentence): return HelperOutput(failure(sentence) + "\n")
            // It is unknown whether the registry is one of Postern's: Cargo asks its next provider.
            case .noDaemon(let sentence): return HelperOutput(notFound + "\n", words: sentence)
            }
        }
    }

    /// Cargo's request for one registry.
    enum Request: Equatable {
        /// The registry by the URL of its index, without the prefix `sparse+`; the account if Cargo's configuration names one.
        ///
        /// The registry's name is ignored: a project's own configuration may give any name to any index.
        case token(index: String, account: String?)
        /// Cargo asks to store a token or to remove one.
        case unsupported
        /// A URL that no token can be for.
        case notHandled
        case malformed(String)
    }

    static func request(_ line: [UInt8]) -> Request {
        guard let message = (try? JSON(parsing: line))?.objectValue else { return .malformed("the request is not a JSON object") }
        guard message["v"]?.integerValue == 1 else { return .malformed("the request's version is not 1") }
        switch message["kind"]?.stringValue {
        case "get": break
        case .some: return .unsupported
        case nil: return .malformed("the request has no kind")
        }
        guard let index = message["registry"]?.objectValue?["index-url"]?.stringValue else {
            return .malformed("the request has no index-url")
        }
        let address = index.rest(after: "sparse+").map(String.init) ?? index
        guard HelperURL.isAcceptable(address) else { return .notHandled }
        guard let arguments = (message["args"] ?? []).arrayValue else { return .malformed("the request's args are not a list") }
        let words = arguments.compactMap(\.stringValue)
        guard words.count == arguments.count, let (account, rest) = HelperArguments.account(words), rest.isEmpty else {
            return .malformed("credential-provider takes only --account NAME")
        }
        return .token(index: address, account: account)
    }

    /// - Parameter expiration: in seconds since 1970. Cargo stops using the token a minute earlier; without it, Cargo keeps the token as
    ///   long as it runs.
    static func answer(token: String, expiration: Int64?) -> String {
        // The whole value of the Authorization field: Cargo adds no scheme.
        var success: JSONObject = ["kind": "get", "token": .string("Bearer \(token)")]
        if let expiration {
            success["cache"] = "expires"
            success["expiration"] = .integer(expiration)
        } else {
            success["cache"] = "session"
        }
        success["operation_independent"] = true
        return JSON.object(["Ok": .object(success)]).text
    }

    /// Cargo asks its next provider.
    static let notFound = #"{"Err":{"kind":"not-found"}}"#
    /// Cargo asks its next provider.
    static let urlNotSupported = #"{"Err":{"kind":"url-not-supported"}}"#
    static let operationNotSupported = #"{"Err":{"kind":"operation-not-supported"}}"#

    /// Cargo stops and shows the message.
    static func failure(_ sentence: String) -> String {
        JSON.object(["Err": ["kind": "other", "message": .string(sentence), "caused-by": []]]).text
    }
}
