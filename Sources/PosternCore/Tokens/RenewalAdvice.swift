/// What would bring a refresh token to an account that has none, and so ends with its access token.
public enum RenewalAdvice {
    /// The end of a sentence for the person.
    ///
    /// - Parameters:
    ///   - metadata: nil if they are not known now.
    ///   - account: its section in the configuration.
    ///   - signIn: the arguments of `postern sign-in` for it.
    /// - Returns: nil if there is a refresh token, or if the account does not end.
    public static func text(
        for grant: Grant, at provider: Provider, metadata: ProviderMetadata?, as account: NamedAccount?, signIn: String
    ) -> String? {
        let dialect = provider.dialect
        guard grant.refreshToken == nil, grant.expiresAt != nil, !dialect.accessTokenRenewsItself else { return nil }
        if let advice = dialect.renewalAdvice(signIn: signIn) { return advice }
        let aboutClient = "whether it gives one is a setting of the client at \(provider.displayName)"
        guard let scope = dialect.renewalScope(of: provider) else { return aboutClient }
        if grant.scopes.contains(scope) {
            let prompt = provider.parameters["prompt"]
            if let prompt, !prompt.parts(separator: " ").contains("consent") {
                return
                    "it may want your consent, which the configured prompt (\(prompt)) does not ask for: postern sign-in \(signIn) --param "
                    + "'prompt=\(prompt == "none" ? "" : prompt + " ")consent'"
            }
            return "allow refresh tokens for the client at \(provider.displayName)"
        }
        // Of a built-in provider it is known.
        let isListed = dialect.takesOfflineAccess(of: provider) ? metadata?.listsOfflineAccess : true
        if isListed == false {
            return "its metadata do not list \(scope): ask its administrators whether this client can get refresh tokens"
        }
        if let (key, scopes) = chosenScopes(at: provider, as: account), !scopes.contains(scope) {
            let list = (scopes + [scope]).map { "\"\($0)\"" }.joined(separator: ", ")
            return "to ask for one: postern config set \(key) '[\(list)]', then postern sign-in \(signIn)"
        }
        guard isListed == true else { return aboutClient }
        return "sign in without --scope, or allow \(scope) for the client at \(provider.displayName)"
    }

    /// The scopes that the configuration names, and its key for them.
    private static func chosenScopes(at provider: Provider, as account: NamedAccount?) -> (key: String, scopes: [String])? {
        if let account, !account.scopes.isEmpty { return ("account.\(account.name).scopes", account.scopes) }
        return provider.hasChosenScopes ? ("provider.\(provider.id).scopes", provider.scopes) : nil
    }
}
