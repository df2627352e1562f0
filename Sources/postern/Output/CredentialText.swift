import PosternClient

/// What is said of a stored credential's state.
enum CredentialText {
    /// For a column.
    static func state(of credential: Interface.StoredCredential) -> String {
        switch credential.state {
        case .good: "good"
        case .endsSoon: "ends \(credential.endsAt ?? "soon")"
        case .signInNeeded: "sign in"
        }
    }

    /// What its person is to do, and why; nil where there is nothing to do.
    static func need(of credential: Interface.StoredCredential) -> String? {
        let name = credential.account ?? credential.providerID
        let signIn = "run postern sign-in \(name.plain)"
        switch credential.state {
        case .good: return nil
        case .endsSoon: return "\(name.plain) (\(credential.uid.plain)) ends at \(credential.endsAt ?? "some time soon"); \(signIn)"
        case .signInNeeded:
            return
                "\(name.plain) (\(credential.uid.plain)) has to be signed in to: \((credential.reason ?? "no reason is known").plain); \(signIn)"
        }
    }
}
