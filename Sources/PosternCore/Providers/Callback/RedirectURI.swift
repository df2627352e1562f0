/// Why a text cannot be configured as a redirect URI. The description continues after the key's name.
public enum RedirectURIError: Error, Sendable, Hashable, CustomStringConvertible {
    case endpoint(EndpointURLError)
    case loopback
    case query
    case noPath
    case invalidScheme
    case commonScheme(String)
    case invalidPath

    public var description: String {
        switch self {
        case .endpoint(let error): error.description
        case .loopback:
            "must not be an address of this machine: those of [callback] are used where this key is left out"
        case .query: "must not have a query; the answer is put there"
        case .noPath: "must have a path behind the scheme or the host, such as /callback"
        case .invalidScheme:
            "must begin with https:// or with an application's own scheme, such as com.example.app: (a to z, 0 to 9, +, - and full stop)"
        case .commonScheme(let scheme):
            "must not use \(scheme):, which belongs to no application; use your domain reversed, such as com.example.app"
        case .invalidPath: "has a character that is not allowed"
        }
    }
}

/// A redirect URI that is configured for a provider, for those that do not accept a loopback address.
///
/// Kept byte for byte: providers compare it so (RFC 9700 section 4.1.3), and so do we.
public enum RedirectURI: Sendable, Hashable {
    /// A page on the web that forwards the answer to the listener.
    case relay(String)
    /// A scheme whose URLs the desktop passes to `postern` (RFC 8252 section 7.1).
    case privateScheme(String)

    public init(parsing text: String) throws(RedirectURIError) {
        if text.lowercased().begins(with: "https:") || text.lowercased().begins(with: "http:") {
            self = .relay(try Self.relay(text))
        } else {
            self = .privateScheme(try Self.privateScheme(text))
        }
    }

    public var text: String {
        switch self {
        case .relay(let text), .privateScheme(let text): text
        }
    }

    private static func relay(_ text: String) throws(RedirectURIError) -> String {
        let url: EndpointURL
        do throws(EndpointURLError) { url = try EndpointURL(text) } catch { throw .endpoint(error) }
        guard !LoopbackHost.contains(url.host) else { throw .loopback }
        guard url.query == nil else { throw .query }
        guard !url.path.isEmpty else { throw .noPath }
        return text
    }

    private static func privateScheme(_ text: String) throws(RedirectURIError) -> String {
        guard text.utf8.count <= EndpointURL.longest, let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { throw .invalidScheme }
        let scheme = String(text[..<colon])
        guard PrivateScheme.isValid(scheme) else {
            throw PrivateScheme.isScheme(scheme) ? .commonScheme(scheme) : .invalidScheme
        }
        let path = text.utf8[text.utf8.index(after: colon)...]
        guard !path.contains(UInt8(ascii: "?")), !path.contains(UInt8(ascii: "#")) else { throw .query }
        guard !path.isEmpty else { throw .noPath }
        guard path.allSatisfy({ $0.isASCIILetter || $0.isDecimalDigit || "-._~/%!$&()*+,;=:@".utf8.contains($0) }) else {
            throw .invalidPath
        }
        return text
    }
}

/// Names of URL schemes that an application may use as its own.
enum PrivateScheme {
    static let longest = 64

    /// RFC 3986 section 3.1, in lower case: browsers convert a scheme to lower case before they pass a URL on.
    static func isScheme(_ text: String) -> Bool {
        guard let first = text.utf8.first, first.isASCIILetter, text.utf8.count <= longest else { return false }
        return text.utf8.allSatisfy { byte in
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || byte.isDecimalDigit || "+-.".utf8.contains(byte)
        }
    }

    /// A scheme with a full stop or a hyphen, which no browser gives a meaning. A single word (`mailto`, `javascript`, `myapp`) belongs to
    /// everybody (RFC 8252 section 7.1).
    static func isValid(_ scheme: String) -> Bool {
        isScheme(scheme) && scheme.utf8.contains { "-.".utf8.contains($0) } && !browsers.contains(scheme)
            && !scheme.ends(with: "-extension") && !scheme.begins(with: "web+")
    }

    private static let browsers: Set<String> = ["view-source", "chrome-untrusted", "chrome-error", "x-scheme-handler"]
}
