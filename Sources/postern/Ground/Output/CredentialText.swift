import PosternClient

/// Describes the state of a stored credential.
enum CredentialText {
    /// All stored credentials: a row each, or if the terminal is too narrow a paragraph each.
    ///
    /// - Parameter width: the terminal's columns; nil if there is no terminal, and no limit to a line.
    static func lines(for credentials: [Interface.StoredCredential], width: Int?, times: TimeText = .exact) -> [String] {
        let (hasNames, hasAddresses) = (credentials.contains { $0.account != nil }, credentials.contains { $0.email != nil })
        func row(_ provider: String, _ name: String, _ uid: String, _ address: String, _ rest: String...) -> [String] {
            [provider] + (hasNames ? [name] : []) + [uid] + (hasAddresses ? [address] : []) + rest
        }
        var table = Table()
        table.add(row("PROVIDER", "NAME", "ACCOUNT", "ADDRESS", "WHO", "STATE", "TOKEN UNTIL", "REFRESH", "SCOPES"))
        for credential in credentials {
            table.add(
                row(
                    credential.providerID, credential.account ?? "-", credential.uid, credential.email ?? "-",
                    credential.displayName ?? "-",
                    state(of: credential, times), end(of: credential, times), credential.refreshable ? "yes" : "no",
                    credential.scopes.joined(separator: " ")))
        }
        return table.listing(within: width)
    }

    /// The expiry of the stored access token. An expired one that can be renewed is renewed at the next request, so the user need not act.
    private static func end(of credential: Interface.StoredCredential, _ times: TimeText) -> String {
        guard let end = credential.expiresAt else { return unlimited }
        return credential.refreshable && credential.state != .signInNeeded && times.isPast(end) ? "renewed on use" : times.near(end)
    }

    /// Under the heading "until": the provider named no end.
    static let unlimited = "no expiry"

    /// Of an account that ends with its access token: under the heading "until", or after that word.
    static func thenAgain(_ end: String, _ times: TimeText) -> String { "\(times.moment(end)), then sign in again" }

    /// For a table column.
    static func state(of credential: Interface.StoredCredential, _ times: TimeText) -> String {
        if let end = credential.endOfUse { return "until \(thenAgain(end, times))" }
        return switch credential.state {
        case .good: "good"
        case .endsSoon: "ends \(credential.endsAt.map(times.near) ?? "soon")"
        case .signInNeeded: "sign in"
        }
    }

    /// What the user should do, and why; nil if nothing.
    ///
    /// - Parameter kept: everything that is stored.
    static func need(
        of credential: Interface.StoredCredential, among kept: [Interface.StoredCredential], times: TimeText = .exact
    ) -> String? {
        guard credential.state != .good else { return nil }
        let name = "\(credential.account ?? credential.providerID) (\(credential.email ?? credential.uid))".plain
        let signIn = "run \(signIn(to: credential, among: kept))".plain
        if let end = credential.endOfUse { return "\(name) works until \(thenAgain(end, times)): \(signIn)" }
        switch credential.state {
        case .good: return nil
        case .endsSoon:
            let end = credential.endsAt.map { (times.clock == nil ? "at " : "") + times.near($0) } ?? "soon"
            return "\(name) ends \(end); \(signIn)"
        case .signInNeeded:
            return
                "\(name) needs a new sign-in: \((credential.reason ?? "no reason is known").plain); \(signIn)"
        }
    }

    /// The sign-in that renews it: for this account, whichever are stored beside it.
    static func signIn(to credential: Interface.StoredCredential, among kept: [Interface.StoredCredential]) -> String {
        "postern sign-in \(AccountText.words(for: credential, among: kept, option: "--login-hint"))"
    }

    /// After a sign-in that brought no refresh token: until when it is of use, and what would help.
    static func withoutRenewal(_ credential: Interface.StoredCredential, at providerName: String, times: TimeText) -> String? {
        guard let end = credential.endOfUse, let advice = credential.renewalAdvice else { return nil }
        return "\(providerName) gave no refresh token: sign in again after \(times.moment(end)); \(advice)".plain
    }
}

extension Interface.StoredCredential {
    /// When it ends for good, because nothing can renew its access token; nil if it is renewed, has no end, or has ended.
    var endOfUse: String? { refreshable || state == .signInNeeded ? nil : endsAt ?? expiresAt }
}
