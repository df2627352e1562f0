import TOML

/// What a file of `providers.d` may say. Packages and applications bring providers and clients; what runs programs, reads files, opens
/// listeners or says whom to trust is for the administrator and the user.
enum PackagedProviders {
    /// Of `[provider.NAME]`.
    static let keys: Set<String> = [
        "kind", "display-name", "issuer", "client-id", "client-secret", "client-authentication", "scopes", "parameters", "profile",
        "own-callback-path", "any-port", "redirect-uri", "response-mode", "flow", "serves", "host", "tenant", "limited", "api-key",
        "api-secret", "app",
        "callback-state", "pushed-authorization-requests", "resource", "narrow-scopes", "dpop", "register", "end-session",
        "end-session-redirect",
        "authorization-endpoint", "token-endpoint", "userinfo-endpoint", "revocation-endpoint", "introspection-endpoint",
        "device-authorization-endpoint", "jwks-uri", "pushed-authorization-request-endpoint", "registration-endpoint",
        "end-session-endpoint",
        "request-token-endpoint", "access-token-endpoint", "profile-endpoint",
    ]

    /// A client that is given to everybody has no secret that is one; where a provider wants it sent all the same, it stands there as text.
    private static let literals: Set<String> = ["client-secret", "api-secret"]

    static func check(_ table: TOMLTable, file: String) throws(ConfigurationError) {
        for member in table.members where member.key != "provider" {
            throw refusal(member, file, "a file of a package may have [provider.NAME] and nothing else")
        }
        guard case .table(let providers)? = table["provider"]?.content else { return }
        for provider in providers.members {
            guard case .table(let section) = provider.value.content else { continue }
            for member in section.members {
                guard keys.contains(member.key) else {
                    throw refusal(member, file, "a file of a package must leave it to /etc/postern and to the user")
                }
                guard literals.contains(member.key) else { continue }
                guard case .string = member.value.content else {
                    throw refusal(member, file, "in a file of a package it must be text: a package runs no programs and reads no files")
                }
            }
        }
    }

    private static func refusal(_ member: TOMLTable.Member, _ file: String, _ reason: String) -> ConfigurationError {
        ConfigurationError(file: file, line: member.keyPosition.line, message: "\(TOMLKey.shown(member.key)) is not taken here: \(reason)")
    }
}
