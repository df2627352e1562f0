import PosternCore
import Testing

@Suite("What an authorization endpoint's error means")
struct AuthorizationDenialTests {
    @Test("An error no user can cause is a problem of the configuration", arguments: ["unauthorized_client", "unsupported_response_type"])
    func configuration(error: String) {
        let failure = AuthorizationDenial.failure(error: error, description: "no such", at: "work", called: "Work")
        let message = failure.message
        #expect(failure == .requestRejected(error: error, description: "no such", message: message))
        #expect(message.hasPrefix("Work refused the request without asking the user: \(error): no such; ") && message.contains("check "))
        // What Postern supports, where the provider does not.
        #expect((error == "unsupported_response_type") == message.contains("query, fragment and form_post"))
    }

    @Test("A scope that the provider does not accept is told with the command that changes it")
    func scope() {
        let failure = AuthorizationDenial.failure(error: "invalid_scope", description: "no such", at: "work", called: "Work")
        let message = failure.message
        #expect(failure == .scopeRejected(message: message))
        #expect(message.hasPrefix("Work does not accept a scope that was asked for (invalid_scope: no such); "))
        #expect(message.hasSuffix("postern config set provider.work.scopes '[\"SCOPE\"]'"))
    }

    @Test("Anything else is the provider's word, as it stands", arguments: ["access_denied", "server_error", "login_required", "x"])
    func denial(error: String) {
        #expect(AuthorizationDenial.failure(error: error, description: nil, at: "work", called: "Work") == .denied(error: error, description: nil))
    }
}
