import StrictJSON

extension TokenAnswer {
    func required(_ member: String) throws(TokenEndpointError) -> String {
        guard let value = try text(member) else { throw .malformed(.missing(member: member), refusal: nil) }
        return value
    }

    /// Nil if the member is missing, null or empty.
    func text(_ member: String) throws(TokenEndpointError) -> String? {
        guard let value = try string(member), !value.isEmpty else { return nil }
        return value
    }

    /// A token; nil if the member is missing, null or empty.
    func token(_ member: String, mostBytes: Int = TokenAnswer.longestToken) throws(TokenEndpointError) -> Secret? {
        guard let value = try string(member), !value.isEmpty else { return nil }
        // Visible ASCII only: a token with a line feed would add a header of its own.
        guard value.utf8.count <= mostBytes, value.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
            throw .malformed(.invalidToken(member: member), refusal: nil)
        }
        return Secret(value)
    }

    /// Seconds, as a number or, from some providers, a number in a string; fractions are dropped.
    func lifetime(_ member: String) throws(TokenEndpointError) -> Int64? {
        let number: Double?
        switch members[member] {
        case nil, .null?: return nil
        case .integer(let value)?: return value
        case .decimal(let text)?: number = Double(text)
        case .string(let text)? where isNumber(text): number = Double(text)
        case let other?: throw wrongType(member, expected: "a number", found: other)
        }
        guard let number else { throw .malformed(.wrongType(member: member, expected: "a number", found: "a text"), refusal: nil) }
        // Above 2^53 a floating-point number has no exact integer part, and above 2^63 it does not fit at all.
        return Int64(min(max(number, -9e15), 9e15))
    }

    /// Nil if the answer names none, which means: as requested (RFC 6749 section 5.1). Twitch sends an array instead of a string.
    func scopes(_ dialect: any ProviderDialect) throws(TokenEndpointError) -> [String]? {
        switch members["scope"] {
        case nil, .null?: return nil
        case .string(let text)?: return dialect.decodeScopes(text)
        case .array(let elements)?:
            let words = elements.prefix(Scopes.most).compactMap(\.stringValue).filter(Scopes.isValid)
            guard words.count == elements.count else { throw wrongType("scope", expected: "a string", found: .array(elements)) }
            return Scopes.withoutRepetition(words)
        case let other?: throw wrongType("scope", expected: "a string", found: other)
        }
    }

    private func string(_ member: String) throws(TokenEndpointError) -> String? {
        switch members[member] {
        case nil, .null?: return nil
        case .string(let value)?: return value
        case let other?: throw wrongType(member, expected: "a string", found: other)
        }
    }

    private func wrongType(_ member: String, expected: String, found: JSON) -> TokenEndpointError {
        .malformed(.wrongType(member: member, expected: expected, found: found.typeName), refusal: nil)
    }

    /// Digits, optionally with a sign before them and a fraction after; `Double` alone would also accept `nan`, `inf` and `0x10`.
    private func isNumber(_ text: String) -> Bool {
        let digits = text.rest(after: "-") ?? text[...]
        let parts = digits.parts(separator: ".", omittingEmptySubsequences: false)
        return text.utf8.count <= 32 && parts.count <= 2 && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(\.isDecimalDigit) }
    }
}

extension ProviderResponse {
    /// The members of the JSON object in the body; nil if there is none, or it is larger than any answer needs.
    var members: JSONObject? { body.count <= TokenResponse.mostBytes ? (try? JSON(parsing: body))?.objectValue : nil }

    /// The media type without its parameters, in lower case; nil if the answer names none.
    var mediaType: String? {
        header("Content-Type").map { $0.before { $0 == ";" }.trimmingBlanks().lowercased() }
    }
}
