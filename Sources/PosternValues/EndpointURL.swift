/// Why a text is rejected as an endpoint's URL. The description continues after the endpoint's name.
public enum EndpointURLError: Error, Sendable, Hashable, CustomStringConvertible {
    case tooLong(limit: Int)
    /// Characters that RFC 3986 does not allow in a URL: white space, controls, anything that is not ASCII.
    case forbiddenCharacter
    case notAbsolute
    case unsupportedScheme
    case userInformation
    case fragment
    case invalidHost
    case invalidPort
    case query
    /// A path with a `.` or `..` segment.
    case dotSegment
    /// `http` to another machine.
    case plainHTTP(host: String)
    /// A server elsewhere names a service of this machine.
    case thisMachine(host: String)

    public var description: String {
        switch self {
        case .tooLong(let limit): "is longer than \(limit) bytes"
        case .forbiddenCharacter: "has a character that is not allowed in a URL"
        case .notAbsolute: "is not an absolute URL; write it with https:// and a host"
        case .unsupportedScheme: "is neither https nor http"
        case .userInformation: "holds a user name or password before the host"
        case .fragment: "has a fragment (#…), which is not allowed"
        case .query: "has a query (?…); give the URL without it"
        case .dotSegment: "has a segment . or .. in its path"
        case .invalidHost: "has no valid host name or address"
        case .invalidPort: "has a port that is not a number from 1 to 65535"
        case .plainHTTP(let host): "is plain http to \(host); only loopback addresses are allowed without TLS, use https"
        case .thisMachine(let host): "is on this machine (\(host)), and whoever names it is not"
        }
    }
}

/// The absolute URL of an endpoint: `https`, or `http` to a loopback address (RFC 8414 section 2, RFC 8252 section 8.3).
///
/// Other schemes, a user name, a fragment, white space and control characters are rejected. The text is kept unchanged, so that comparing,
/// signing and sending see the same bytes.
public struct EndpointURL: Sendable, Hashable {
    public static let longest = 2048

    public enum Scheme: String, Sendable {
        case https, http
    }

    /// Unchanged.
    public let text: String
    public let scheme: Scheme
    /// Lower case; an IPv6 address without its brackets.
    public let host: String
    /// Nil if it is the scheme's own port.
    public let explicitPort: UInt16?
    /// Empty, or begins with a slash; not normalised, so double slashes stay.
    public let path: String
    /// Without the question mark, as it was written; nil if there is none.
    public let query: String?

    public init(_ text: String) throws(EndpointURLError) { try self.init(text, longest: Self.longest) }

    /// - Parameter longest: in bytes.
    package init(_ text: String, longest: Int) throws(EndpointURLError) {
        guard text.utf8.count <= longest else { throw .tooLong(limit: longest) }
        guard Self.holdsOnlyURLCharacters(text.utf8) else { throw .forbiddenCharacter }
        let parts = URIParts(text)
        guard parts.fragment == nil else { throw .fragment }
        guard let written = parts.scheme, let authorityText = parts.authority else { throw .notAbsolute }
        guard let scheme = Scheme(rawValue: written.lowercased()) else { throw .unsupportedScheme }
        let authority = try Authority(parsing: authorityText)
        guard scheme == .https || LoopbackHost.contains(authority.host) else { throw .plainHTTP(host: authority.host) }
        self.text = text
        self.scheme = scheme
        self.host = authority.host
        self.explicitPort = authority.port
        self.path = String(parts.path)
        self.query = parts.query.map(String.init)
    }

    /// Scheme, host and port, as written.
    public var origin: String { String(text.dropLast(path.count + (query.map { $0.count + 1 } ?? 0))) }

    public var port: UInt16 { explicitPort ?? (scheme == .https ? 443 : 80) }

    public func hasSameOrigin(as other: EndpointURL) -> Bool {
        scheme == other.scheme && host == other.host && port == other.port
    }

    /// RFC 3986 section 2: reserved and unreserved characters, and percent signs that begin a complete escape.
    package static func holdsOnlyURLCharacters(_ bytes: String.UTF8View) -> Bool {
        var hexadecimalDigitsDue = 0
        for byte in bytes {
            if hexadecimalDigitsDue > 0 {
                guard byte.isHexadecimalDigit else { return false }
                hexadecimalDigitsDue -= 1
                continue
            }
            switch byte {
            case UInt8(ascii: "%"): hexadecimalDigitsDue = 2
            case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"), UInt8(ascii: "^"),
                UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
                return false
            case 0x21...0x7E: continue
            default: return false
            }
        }
        return hexadecimalDigitsDue == 0
    }
}

extension EndpointURL: CustomStringConvertible {
    public var description: String { text }
}
