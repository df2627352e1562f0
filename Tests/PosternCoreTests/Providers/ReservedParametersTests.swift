import PosternCore
import Testing

@Suite struct ReservedParametersTests {
    @Test(
        "A parameter that Postern sets is reserved, however it is spelt",
        arguments: [
            "client_id", "redirect_uri", "response_type", "scope", "state", "nonce", "code_challenge", "code_challenge_method",
            "response_mode", "iss", "request", "request_uri", "code_verifier", "client_secret", "oauth_callback", "oauth_token",
            "Client_ID", "STATE", "client.id", "client-id", "client id", " state", "state ", "_state", "client__id", "scope[",
        ])
    func reserved(name: String) {
        #expect(ReservedParameters.contains(name))
        #expect(ReservedParameters.firstReserved(in: ["prompt", name]) == name)
    }

    @Test(
        "What providers document for programs to set is free",
        arguments: [
            "prompt", "login_hint", "login", "allow_signup", "hd", "lang", "domain_hint", "display", "auth_type", "tenant", "max_age",
            "acr_values", "ui_locales", "claims", "access_type", "audience", "stateful", "scopes", "",
        ])
    func free(name: String) {
        #expect(!ReservedParameters.contains(name))
    }

    @Test("The name to report is the first in the alphabet, so that it is always the same one")
    func first() {
        #expect(ReservedParameters.firstReserved(in: Set(["state", "nonce", "Iss", "prompt"])) == "Iss")
        #expect(ReservedParameters.firstReserved(in: ["prompt"]) == nil)
    }
}
