/// Why the parameters of an authorization response could not be read. No case holds a value: it may be a code or a state.
public enum CallbackParseError: Error, Sendable, Hashable {
    /// A percent sign without two hexadecimal digits after it.
    case invalidPercentEncoding
    case invalidUTF8
    /// NUL or another control character in a name or a value; `error_description` alone may hold them.
    case controlCharacter
    case tooManyParameters(limit: Int)
    case tooLong(limit: Int)
    /// RFC 6749 section 3.1: no parameter may be included more than once.
    case repeatedParameter
    /// White space or a control character inside a URL: it was broken into lines, or more than the URL was copied.
    case spaceInURL
    /// Neither `scheme:/path?…` nor `http://host:port/path?…`.
    case notARedirectURL
    /// A URL without query and without fragment, so without an answer in it.
    case noParameters
}

extension CallbackParseError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .invalidPercentEncoding: "the redirect's parameters hold a percent sign that two hexadecimal digits do not follow"
        case .invalidUTF8: "the redirect's parameters are not valid UTF-8"
        case .controlCharacter: "the redirect's parameters hold a control character"
        case .tooManyParameters(let limit): "the redirect has more than \(limit) parameters"
        case .tooLong(let limit): "the redirect is longer than \(limit) bytes"
        case .repeatedParameter: "the redirect names a parameter twice (RFC 6749 section 3.1 forbids it)"
        case .spaceInURL: "the redirect URL has a space or a line break in it; copy the whole address again, in one piece"
        case .notARedirectURL:
            "this is not a redirect URL; copy the whole address from the browser's address bar, from http:// or the app's scheme on"
        case .noParameters: "the redirect URL holds no answer; copy the whole address, with everything after the question mark"
        }
    }
}
