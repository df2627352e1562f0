/// What a server demands of a request that it refused (RFC 9110 section 11.3).
public struct AuthenticationChallenge: Sendable, Equatable {
    /// In lower case, such as `bearer` and `dpop`.
    public let scheme: String
    /// The names are in lower case. A scheme with a `token68` in place of them has none: no scheme of interest here is such a one.
    public let parameters: [String: String]

    /// The most fields of one answer that are read; those that follow are not.
    static let mostFields = 16
    /// The longest field, in bytes.
    static let longestField = 8192
    /// The most challenges of one answer, and parameters of one challenge.
    static let most = 32

    /// Whether a program may give these as the fields of an answer: no more, and no longer, than are read.
    public static func isBounded(_ fields: [String]) -> Bool {
        fields.count <= mostFields && fields.allSatisfy { $0.utf8.count <= longestField }
    }

    /// The challenges of an answer, in their order.
    ///
    /// A field that is not well-formed says nothing at all: what can be read in two ways is not read. The others stay.
    ///
    /// - Parameter fields: the values of `WWW-Authenticate`, as received.
    public static func all(in fields: [String]) -> [AuthenticationChallenge] {
        var challenges: [AuthenticationChallenge] = []
        for field in fields.prefix(mostFields) where field.utf8.count <= longestField {
            var reader = ChallengeReader(field)
            guard let read = reader.challenges(), challenges.count + read.count <= most else { continue }
            challenges += read
        }
        return challenges
    }
}

extension ProviderResponse {
    /// What the answer demands of the next request.
    public var challenges: [AuthenticationChallenge] {
        AuthenticationChallenge.all(in: headers.filter { $0.name.isEqualIgnoringCase("www-authenticate") }.map(\.value))
    }
}

/// Reads one field: `#challenge`, where a challenge is a scheme, and then nothing, a `token68`, or `#auth-param` (RFC 9110 section 11.6.1).
///
/// A comma separates challenges as well as parameters. What follows it begins a challenge unless it is a name with an equals sign.
private struct ChallengeReader {
    private var rest: ArraySlice<UInt8>

    init(_ field: String) { rest = Array(field.utf8)[...] }

    /// Nil if the field is not well-formed.
    mutating func challenges() -> [AuthenticationChallenge]? {
        var challenges: [AuthenticationChallenge] = []
        while skipCommas() {
            guard let challenge = challenge(), challenges.count < AuthenticationChallenge.most else { return nil }
            challenges.append(challenge)
        }
        return challenges
    }

    private mutating func challenge() -> AuthenticationChallenge? {
        guard let scheme = token()?.lowercased() else { return nil }
        let hasSpace = skipSpaces()
        if isAtEnd || hasSpace && skipToken68() { return AuthenticationChallenge(scheme: scheme, parameters: [:]) }
        guard hasSpace else { return nil }
        var parameters: [String: String] = [:]
        repeat {
            // A name that stands twice could mean either value.
            guard let (name, value) = parameter(), parameters.updateValue(value, forKey: name) == nil,
                parameters.count <= AuthenticationChallenge.most
            else { return nil }
            skipSpaces()
            guard isAtEnd else { return nil }
        } while skipToParameter()
        return AuthenticationChallenge(scheme: scheme, parameters: parameters)
    }

    /// The challenge or the parameter ends here.
    private var isAtEnd: Bool { rest.isEmpty || rest.first == UInt8(ascii: ",") }

    /// A name, an equals sign and a value, with spaces around the sign if the server likes them.
    private mutating func parameter() -> (name: String, value: String)? {
        guard let name = name(), let value = rest.first == UInt8(ascii: "\"") ? quoted() : token() else { return nil }
        return (name.lowercased(), value)
    }

    private mutating func name() -> String? {
        guard let name = token() else { return nil }
        skipSpaces()
        guard rest.popFirst() == UInt8(ascii: "=") else { return nil }
        skipSpaces()
        return name
    }

    /// Skips the comma before another parameter, and not the one before a challenge.
    private mutating func skipToParameter() -> Bool {
        var next = self
        guard next.skipCommas() else { return false }
        var ahead = next
        guard ahead.name() != nil else { return false }
        self = next
        return true
    }

    /// `ABC+/=`, up to the end of the challenge.
    private mutating func skipToken68() -> Bool {
        var ahead = self
        ahead.rest = ahead.rest.drop { $0.isToken68 }
        let letters = rest.count - ahead.rest.count
        ahead.rest = ahead.rest.drop { $0 == UInt8(ascii: "=") }
        ahead.skipSpaces()
        guard letters > 0, ahead.isAtEnd else { return false }
        self = ahead
        return true
    }

    private mutating func token() -> String? {
        let end = rest.firstIndex { !$0.isTokenCharacter } ?? rest.endIndex
        guard end > rest.startIndex else { return nil }
        defer { rest = rest[end...] }
        return String(decoding: rest[..<end], as: UTF8.self)
    }

    /// Nil if it does not end, or has a control character (RFC 9110 section 5.6.4).
    private mutating func quoted() -> String? {
        var text: [UInt8] = []
        rest = rest.dropFirst()
        while var byte = rest.popFirst() {
            if byte == UInt8(ascii: "\"") { return String(validating: text, as: UTF8.self) }
            if byte == UInt8(ascii: "\\") {
                guard let escaped = rest.popFirst() else { return nil }
                byte = escaped
            }
            guard byte == 0x09 || byte >= 0x20 && byte != 0x7F else { return nil }
            text.append(byte)
        }
        return nil
    }

    /// - Returns: whether something follows.
    private mutating func skipCommas() -> Bool {
        rest = rest.drop { $0.isBlank || $0 == UInt8(ascii: ",") }
        return !rest.isEmpty
    }

    /// - Returns: whether there was one.
    @discardableResult
    private mutating func skipSpaces() -> Bool {
        let count = rest.count
        rest = rest.drop(while: \.isBlank)
        return rest.count < count
    }
}

extension UInt8 {
    fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 }

    /// RFC 9110 section 11.2, without the equals signs at the end.
    fileprivate var isToken68: Bool { isUnreserved || self == UInt8(ascii: "+") || self == UInt8(ascii: "/") }
}
