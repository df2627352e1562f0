extension AccountDirectory {
    /// Whether the account that a sign-in is for has a refresh token, as far as that is known before anybody has signed in. If nothing says
    /// which account it will be, all of the provider's must have one.
    ///
    /// - Parameters:
    ///   - credentials: all of the provider's.
    ///   - isUsable: whether a credential can be renewed.
    public func hasRefreshToken(
        for request: SignInRequest, among credentials: [StoredCredential], isUsable: (StoredCredential) -> Bool
    ) -> Bool {
        let meant: Choice =
            if let account = request.account.flatMap({ self[$0] }) {
                choice(of: account, among: credentials)
            } else if let hint = request.loginHint {
                choice(called: hint, among: credentials)
            } else {
                credentials.isEmpty ? .none : .several(credentials)
            }
        return switch meant {
        case .one(let credential): isUsable(credential)
        case .several(let credentials): credentials.allSatisfy(isUsable)
        case .none: false
        }
    }
}
