import PosternClient

enum RevocationText {
    /// - Parameter provider: its own name.
    static func lines(of reply: Interface.RevokeCredential.Reply, at provider: String, keepsGrant: Bool) -> [String] {
        let others = apps(reply.apps ?? []).map { ["users of \($0) had it, too, and get no more tokens of \(provider) here"] } ?? []
        return [outcome(of: reply, at: provider, keepsGrant: keepsGrant)] + others
    }

    private static func outcome(of reply: Interface.RevokeCredential.Reply, at provider: String, keepsGrant: Bool) -> String {
        if reply.revokedAtProvider { return "revoked at \(provider), and forgotten here" }
        if keepsGrant { return "forgotten here; what was granted stays granted at \(provider)" }
        let settings = "remove the access in your account settings there"
        guard let reason = reply.reason else { return "forgotten here; \(provider) has no way to revoke it: \(settings)" }
        return "forgotten here, but not revoked at \(provider): \(reason); \(settings)"
    }

    /// `the apps mail and notes`; nil if there are none.
    static func apps(_ names: [String]) -> String? {
        guard let last = names.last else { return nil }
        return names.count == 1 ? "the app \(last)" : "the apps \(names.dropLast().joined(separator: ", ")) and \(last)"
    }
}
