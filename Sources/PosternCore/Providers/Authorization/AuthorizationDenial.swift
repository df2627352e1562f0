/// What an error in the answer of an authorization endpoint means (RFC 6749 section 4.1.2.1).
public enum AuthorizationDenial {
    /// - Parameters:
    ///   - error: with its description, both cleaned for display.
    ///   - id: the provider's, as in the configuration.
    ///   - name: the provider's.
    ///   - scopes: the usual ones, if `offline_access` was added to them.
    /// - Returns: a problem of the configuration, if no person can have decided it and no user can change it.
    public static func failure(
        error: String, description: String?, at id: String, called name: String, addingOfflineAccessTo scopes: [String]? = nil
    ) -> ProviderFailure {
        let words = description.map { "\(error): \($0)" } ?? error
        if error == "invalid_scope" {
            return .scopeRejected(
                message: "\(name) does not accept a scope that was asked for (\(words))" + scopeAdvice(at: id, scopes))
        }
        guard let advice = advice(on: error) else { return .denied(error: error, description: description) }
        return .requestRejected(
            error: error, description: description,
            message: "\(name) refused the request without asking the user: \(words); \(advice)")
    }

    /// - Parameter usual: the usual scopes, if `offline_access` was added to them.
    private static func scopeAdvice(at id: String, _ usual: [String]?) -> String {
        let setting = "postern config set provider.\(id).scopes"
        guard let usual else {
            return "; sign out first to drop scopes that the account already has, check those that the program asks for, and change those "
                + "of the configuration with: \(setting) '[\"SCOPE\"]'"
        }
        let list = usual.map { "\"\($0)\"" }.joined(separator: ", ")
        return ", perhaps offline_access, which its metadata list; allow that for the client at the provider, or leave it out with: "
            + "\(setting) '[\(list)]'"
    }

    private static func advice(on error: String) -> String? {
        switch error {
        case "unauthorized_client": "check client-id, and what the application may do in its settings at the provider"
        case "unsupported_response_type", "unsupported_response_mode":
            "Postern asks for the response type code, and supports the response modes query, fragment and form_post; check what the "
                + "application may do in its settings at the provider, and response-mode"
        case "invalid_target": "check resources in the provider's section of the configuration, and the resource that is asked for"
        default: nil
        }
    }
}
