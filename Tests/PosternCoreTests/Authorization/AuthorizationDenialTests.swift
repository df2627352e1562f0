import PosternCore
import Testing

@Suite("What an authorization endpoint's error means")
struct AuthorizationDenialTests {
    @Test("What nobody can have decided is a problem of the configuration", arguments: ["invalid_scope", "unauthorized_client", "unsupported_response_type"])
    func configuration(error: String) {
        guard case .providerNotConfigured(let message) = AuthorizationDenial.failure(error: error, description: "no such", at: "Work") else {
            Issue.record("\(error) is nobody's no")
            return
        }
        #expect(message.hasPrefix("Work refused the request without asking the user: \(error): no such; check "))
    }

    @Test("Anything else is the provider's word, as it stands", arguments: ["access_denied", "server_error", "login_required", "x"])
    func denial(error: String) {
        #expect(AuthorizationDenial.failure(error: error, description: nil, at: "Work") == .denied(error: error, description: nil))
    }
}
