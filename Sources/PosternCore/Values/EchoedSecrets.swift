import StrictJSON

/// Secrets that a provider may repeat in what it says about a request, and that nobody else may read there.
///
/// Every text that the request carried counts as one, unless its name says that it is none: so no request of the future is forgotten.
public struct EchoedSecrets: Sendable {
    /// In bytes. Shorter texts are no tokens, and would be found in ordinary words.
    static let shortest = 8

    private struct Pattern {
        var bytes: [UInt8]
        /// Only the whole of it counts: other URLs begin in the same way.
        var isURL: Bool
    }

    private var patterns: [Pattern] = []
    /// By their first byte.
    private var indices: [UInt8: [Int]] = [:]

    public init(_ secrets: [Secret]) {
        for secret in secrets { add(secret.reveal()) }
    }

    public var isEmpty: Bool { patterns.isEmpty }

    mutating func add(_ secret: String) {
        let bytes = EchoText(secret).bytes
        guard bytes.count >= Self.shortest, let first = bytes.first, !patterns.contains(where: { $0.bytes == bytes }) else { return }
        let isURL = ["https://", "http://", "urn:"].contains { bytes.starts(with: $0.utf8) }
        indices[first, default: []].append(patterns.count)
        patterns.append(Pattern(bytes: bytes, isURL: isURL))
    }

    /// The text without the secrets, also where only the beginning of one is left.
    public func struck(_ text: String) -> String {
        guard !isEmpty else { return text }
        let echo = EchoText(text)
        let source = Array(text.utf8)
        var kept: [UInt8] = []
        var end = 0
        var index = 0
        while index < echo.bytes.count {
            let length = longestMatch(in: echo.bytes[index...])
            guard length > 0 else {
                index += 1
                continue
            }
            let start = max(end, echo.places[index].lowerBound)
            kept += source[end..<start] + "…".utf8
            index += length
            end = max(start, echo.places[index - 1].upperBound)
        }
        return end == 0 ? text : String(decoding: kept + source[end...], as: UTF8.self)
    }

    /// How many bytes of a secret are at the beginning of the text; 0 if they are too few.
    private func longestMatch(in text: ArraySlice<UInt8>) -> Int {
        var longest = 0
        for index in text.first.flatMap({ indices[$0] }) ?? [] {
            let pattern = patterns[index]
            let length = Self.commonLength(text, pattern.bytes)
            if length >= (pattern.isURL ? pattern.bytes.count : Self.shortest) { longest = max(longest, length) }
        }
        return longest
    }

    private static func commonLength(_ text: ArraySlice<UInt8>, _ pattern: [UInt8]) -> Int {
        let most = min(text.count, pattern.count)
        var length = 0
        while length < most, text[text.startIndex + length] == pattern[length] { length += 1 }
        return length
    }
}

// MARK: A request's secrets

extension EchoedSecrets {
    public init(of request: ProviderRequest) {
        self.init(request.unsentSecrets)
        for header in request.headers { add(header) }
        addQuery(of: request.url)
        let isDocument = request.body.first == UInt8(ascii: "{") || request.body.first == UInt8(ascii: "[")
        if isDocument, let json = try? JSON(parsing: request.body) {
            add(json, named: "")
        } else {
            addPairs(in: String(decoding: request.body, as: UTF8.self))
        }
    }

    /// Names in forms, documents and queries whose values are no secrets, in small letters. What errors say about these helps.
    private static let harmless: Set<String> = [
        // RFC 6749 and its extensions.
        "grant_type", "client_id", "redirect_uri", "scope", "resource", "audience", "response_type", "response_mode", "token_type_hint",
        "subject_token_type", "requested_token_type", "client_assertion_type", "code_challenge_method", "type",
        // OpenID Connect.
        "prompt", "display", "login_hint", "ui_locales", "claims_locales", "acr_values", "claims", "max_age", "post_logout_redirect_uri",
        // Single providers.
        "hd", "tenant", "access_type", "include_granted_scopes", "fields", "user.fields", "locale", "include_email", "skip_status",
        // OAuth 1.0a.
        "oauth_consumer_key", "oauth_callback", "oauth_signature_method", "oauth_timestamp", "oauth_version",
        // Dynamic registration.
        "client_name", "application_type", "redirect_uris", "response_types", "grant_types", "token_endpoint_auth_method",
        "post_logout_redirect_uris",
        // Firebase.
        "displayname", "email", "photourl", "identifier", "continueuri", "requesturi", "providerid", "phonenumber", "deleteattribute",
        "deleteprovider", "mfaenrollmentid", "user",
    ]

    private static let harmlessHeaders: Set<String> = ["accept", "content-type", "user-agent", "x-github-api-version"]

    private mutating func add(_ value: String, named name: String) {
        if !Self.harmless.contains(name.lowercased()) {
            add(value)
            // A form in a member, as in Firebase's `postBody`.
            if value.holds("=") { addPairs(in: value) }
        }
        // The state in a callback URL.
        addQuery(of: value)
    }

    private mutating func add(_ json: JSON, named name: String) {
        switch json {
        case .string(let text): add(text, named: name)
        case .array(let values): for value in values { add(value, named: name) }
        case .object(let object): for member in object.members { add(member.value, named: member.key) }
        default: break
        }
    }

    /// They stay encoded: secrets are compared without any encoding.
    private mutating func addPairs(in form: String) {
        for pair in form.utf8.split(separator: UInt8(ascii: "&")) {
            guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { continue }
            let value = String(decoding: pair[pair.index(after: equals)...], as: UTF8.self)
            let name = String(decoding: pair[..<equals], as: UTF8.self)
            if !Self.harmless.contains(name.lowercased()) { add(value) }
        }
    }

    private mutating func addQuery(of url: String) {
        guard let mark = url.utf8.firstIndex(of: UInt8(ascii: "?")) else { return }
        let query = url.utf8[url.utf8.index(after: mark)...].prefix { $0 != UInt8(ascii: "#") }
        addPairs(in: String(decoding: query, as: UTF8.self))
    }

    private mutating func add(_ header: (name: String, value: String)) {
        let name = header.name.lowercased()
        guard !Self.harmlessHeaders.contains(name) else { return }
        guard name == "authorization", let space = header.value.unicodeScalars.firstIndex(of: " ") else { return add(header.value) }
        let credentials = String(header.value.after(space))
        switch header.value[..<space].lowercased() {
        case "basic": addBasic(credentials)
        case "oauth": addOAuth1(credentials)
        default: add(credentials)
        }
    }

    private mutating func addBasic(_ credentials: String) {
        add(credentials)
        let standard = credentials.utf8.prefix { $0 != UInt8(ascii: "=") }
            .map { $0 == UInt8(ascii: "+") ? UInt8(ascii: "-") : $0 == UInt8(ascii: "/") ? UInt8(ascii: "_") : $0 }
        guard let pair = Base64URL.decode(String(decoding: standard, as: UTF8.self)), let colon = pair.firstIndex(of: UInt8(ascii: ":"))
        else { return }
        // The client's ID is none.
        add(String(decoding: pair[(colon + 1)...], as: UTF8.self))
    }

    private mutating func addOAuth1(_ parameters: String) {
        for parameter in parameters.utf8.split(separator: UInt8(ascii: ",")) {
            let text = parameter.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\"") }
            guard let equals = text.firstIndex(of: UInt8(ascii: "=")) else { continue }
            let value = String(decoding: PercentEncoding.decodeAll(text[(equals + 1)...]), as: UTF8.self)
            add(value, named: String(decoding: text[..<equals], as: UTF8.self))
        }
    }
}
