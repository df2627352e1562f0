/// A scope that cannot be sent (RFC 6749 section 3.3).
public struct InvalidScope: Error, Sendable, Hashable, CustomStringConvertible {
    /// Cleaned for display; nil if nothing readable is left of it.
    public var scope: String?

    public var description: String {
        guard let scope else { return "a scope is empty; leave it out" }
        return "\(scope) is not a valid scope; use printable ASCII without spaces, quotation marks and backslashes"
    }
}

public enum Scopes {
    /// More than any provider has; limits what a program or an answer can make us store.
    public static let most = 256

    /// Tokens of `%x21 / %x23-5B / %x5D-7E` (RFC 6749 section 3.3).
    public static func isValid(_ scope: String) -> Bool {
        (1...ProviderText.longestName).contains(scope.utf8.count)
            && scope.utf8.allSatisfy { 0x21...0x7E ~= $0 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
    }

    /// Of a list that a stranger wrote and that is requested as it is, in bytes: an authorization request has all of it in its URL.
    static let mostBytes = 8192

    /// The first of a list, as many as are not too many or too long together; each once.
    static func bounded(_ scopes: [String], most: Int = most) -> [String] {
        var left = mostBytes
        let bounded = withoutRepetition(scopes).prefix(most).prefix { scope in
            left -= scope.utf8.count + 1
            return left >= 0
        }
        return Array(bounded)
    }

    static func withoutRepetition(_ scopes: [String]) -> [String] {
        var seen: Set<String> = []
        return scopes.filter { seen.insert($0).inserted }
    }

    /// The scopes in a provider's answer. Invalid ones are left out: nobody could request them.
    static func parse(_ text: String, separators: Set<Unicode.Scalar>) -> [String] {
        let words = text.parts { separators.contains($0) }.prefix(most).map(String.init)
        return withoutRepetition(words.filter(isValid))
    }
}

extension Provider {
    /// The scopes of an authorization request: the program's, or the configured ones if it names none. OpenID providers are always asked
    /// for `openid`, without which there is no ID token (OpenID Connect Core section 3.1.2.1).
    public func scopesToRequest(_ asked: [String]?) throws(InvalidScope) -> [String] {
        let chosen = asked ?? scopes
        for scope in chosen where !Scopes.isValid(scope) {
            throw InvalidScope(scope: ProviderText.cleaned(scope, longest: ProviderText.longestName))
        }
        let complete = kind == .oidc && !chosen.contains("openid") ? ["openid"] + chosen : chosen
        return Scopes.withoutRepetition(complete)
    }
}
