import PosternInterface
import Testing

@Suite("The codes of a provider that signs nobody in")
struct DenialCodeTests {
    @Test(
        "A refusal by the user or the provider is a decision",
        arguments: [
            "access_denied", "interaction_required", "login_required", "account_selection_required", "consent_required",
            "user_cancelled_authorize", "authorization_declined", "permission_denied",
        ])
    func decisions(code: String) { #expect(DenialCode.isDecision(code)) }

    @Test(
        "Trouble is not, nor a code that nobody knows",
        arguments: [
            "temporarily_unavailable", "server_error", "invalid_request", "invalid_scope", "unauthorized_client", "unsupported_response_type",
            "invalid_request_uri", "invalid_request_object", "request_not_supported", "application_suspended", "Access_Denied", "", "x",
        ])
    func trouble(code: String) { #expect(!DenialCode.isDecision(code)) }
}
