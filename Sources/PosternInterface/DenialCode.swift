/// The error codes with which a provider answers instead of signing the user in.
public enum DenialCode {
    /// Whether the code means that somebody said no: the user, or the provider for the user (RFC 6749 section 4.1.2.1, OpenID Connect Core
    /// section 3.1.2.6). Any other one is trouble that nobody decided on: a mistake in the request, or a server that fails.
    public static func isDecision(_ code: String) -> Bool { decisions.contains(code) }

    private static let decisions: Set<String> = [
        "access_denied",
        // The provider may not ask (prompt=none), and without asking its answer is no.
        "interaction_required", "login_required", "account_selection_required", "consent_required",
        // Apple, LinkedIn, Facebook, and Microsoft on other devices.
        "user_cancelled_authorize", "user_cancelled_login", "user_denied", "authorization_declined", "cancelled",
        // OAuth 1.0a, from the extension "OAuth Problem Reporting".
        "permission_denied", "user_refused",
    ]
}
