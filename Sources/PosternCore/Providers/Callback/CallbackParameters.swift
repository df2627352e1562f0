/// The parameters of an authorization response, parsed once (RFC 6749 section 4.1.2, RFC 5849 section 2.2).
///
/// Names and values are percent-decoded, `+` is a space, no name is repeated, and an empty value counts as absent (RFC 6749 section 3.1).
/// Every value is stored as a ``Secret``: the provider decides which of them are secret.
public struct CallbackParameters: Sendable, Equatable {
    /// RFC 6749 section 4.1.2.1 excludes control characters from these too, but providers break their sentences into lines, and if such a
    /// refusal were rejected, the sign-in would go on waiting. The sentences decide nothing.
    private static let sentences: Set<String> = ["error_description", "error_message"]

    private var values: [String: Secret] = [:]

    /// Parses a query or the body of an `application/x-www-form-urlencoded` form.
    public init(parsing bytes: some Collection<UInt8>) throws(CallbackParseError) {
        values = try FormEncoding.pairs(bytes, sentences: Self.sentences).filter { !$0.value.isEmpty }.mapValues { Secret($0) }
    }

    public var isEmpty: Bool { values.isEmpty }

    /// Any parameter that has a value.
    public subscript(name: String) -> Secret? { values[name] }

    public var state: Secret? { values["state"] }
    public var code: Secret? { values["code"] }
    /// RFC 6749 section 4.1.2.1. To be trusted only once the state is known.
    public var error: String? { text("error") }
    /// May contain control characters, especially line breaks: to be cleaned before it is shown or logged.
    public var errorDescription: String? { text("error_description") }
    /// RFC 9207: the issuer of the response.
    public var iss: String? { text("iss") }
    /// OAuth 1.0a: the request token that was authorised.
    public var oauthToken: Secret? { values["oauth_token"] }
    public var oauthVerifier: Secret? { values["oauth_verifier"] }
    /// X's OAuth 1.0a: the request token that was refused.
    public var denied: Secret? { values["denied"] }

    /// All values that an error must not repeat: all but those that are errors, and those that name the provider or its scopes.
    public var secrets: [Secret] {
        values.compactMap { name, value in
            name.begins(with: "error") || ["iss", "scope", "granted_scopes", "denied_scopes", "hd", "prompt"].contains(name) ? nil : value
        }
    }

    private func text(_ name: String) -> String? { values[name]?.reveal() }
}

extension CallbackParameters: CustomStringConvertible, CustomReflectable {
    /// Only the names.
    public var description: String { "CallbackParameters(\(values.keys.sorted().joined(separator: ", ")))" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Why the parameters of an authorization response could not be parsed. No case contains a value: it may be a code or a state.
public enum CallbackParseError: Error, Sendable, Hashable {
    /// A percent sign without two hexadecimal digits after it.
    case invalidPercentEncoding
    case invalidUTF8
    /// NUL or another control character in a name or a value; only `error_description` and `error_message` may contain them.
    case controlCharacter
    case tooManyParameters(limit: Int)
    case tooLong(limit: Int)
    /// RFC 6749 section 3.1: no parameter may be included more than once.
    case repeatedParameter
    /// White space or a control character inside a URL: it was broken into lines, or more than the URL was copied.
    case spaceInURL
    /// Neither `scheme:/path?…` nor `http://host:port/path?…`.
    case notARedirectURL
    /// A URL without query and fragment, and so without an answer.
    case noParameters
}

extension CallbackParseError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .invalidPercentEncoding: "the answer's parameters hold a percent sign that two hexadecimal digits do not follow"
        case .invalidUTF8: "the answer's parameters are not valid UTF-8"
        case .controlCharacter: "the answer's parameters hold a control character"
        case .tooManyParameters(let limit): "the answer has more than \(limit) parameters"
        case .tooLong(let limit): "the answer is longer than \(limit) bytes"
        case .repeatedParameter: "the answer names a parameter twice (RFC 6749 section 3.1 forbids it)"
        case .spaceInURL: "the address has a space or a line break in it; copy all of it again, in one piece"
        case .notARedirectURL:
            "this is not an address with an answer; copy all of it from the browser's address bar, from http:// or the app's scheme on"
        case .noParameters: "the address holds no answer; copy all of it, with everything after the question mark"
        }
    }
}
