import PosternCore

/// Which keys have secrets.
enum SecretKeys {
    /// The keys at which a literal is a secret.
    static let names: Set<String> = {
        let own = Catalogue.providers.flatMap { $0.dialect.settings }.filter { [.secret, .key].contains($0.kind) }.map(\.key)
        return Set(own + ["client-secret", "api-secret", "gateway-token"])
    }()

    static func isSecret(_ path: [String]) -> Bool {
        guard let last = path.last else { return false }
        if path.first == "provider" { return path.count == 3 && names.contains(last) }
        if path.first == "mcp" { return path.count == 3 && last == "client-secret" }
        return last == "gateway-token" || path == ["accounts", "api-key"]
    }

    /// What a secret is called in a sentence.
    static func name(of path: [String]) -> String {
        switch path.last {
        case "gateway-token": "the gateway's token"
        case "client-secret", "api-secret": "a client secret"
        default: path.first == "accounts" ? "an API key" : "a secret"
        }
    }

    /// The values of a key whose name suggests that it takes a secret, which it does not: any other value may be one.
    ///
    /// - Returns: nil for all other keys.
    static func wordsWithoutSecrets(at path: [String]) -> [String]? {
        if path == ["store", "key"] { return KeyPreference.allCases.map(\.rawValue) }
        guard path.count == 3, path[0] == "provider", path[2] == "client-authentication" else { return nil }
        return ClientAuthentication.allCases.map(\.rawValue)
    }
}
