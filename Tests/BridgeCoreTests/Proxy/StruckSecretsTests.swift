import BridgeCore
import Testing

@Suite("What authorized a request, in its answer")
struct StruckSecretsTests {
    @Test(
        "is removed from the fields, and nothing else is",
        arguments: [
            ("secret-token/+1", "removed"), ("a secret-token/+1, b", "a removed, b"), ("secret-token/+1secret-token/+1", "removedremoved"), ("Bearer secret-token/+1", "Bearer removed"),
            ("https://a/?t=secret-token%2F%2B1&u", "https://a/?t=removed&u"), ("secret-token", "secret-token"), ("SECRET-TOKEN/+1", "SECRET-TOKEN/+1"), ("", ""),
            ("proof.of.key", "removed"),
        ])
    func struck(value: String, passed: String) {
        let answer = BridgeAnswer(status: 200, headers: [("X-Echo", value), ("Other", "ß")])
        let authorization = [("AUTHORIZATION", "Bearer secret-token/+1"), ("DPoP", "proof.of.key")]
        let struck = answer.striking(authorization)
        #expect(struck.headers.map(\.value) == [passed, "ß"] && struck.status == 200)
    }

    @Test("a text that is too short to be a secret stays")
    func short() {
        let answer = BridgeAnswer(status: 200, headers: [("Vary", "Accept")])
        #expect(answer.striking([("Authorization", "Bearer Accept")]).headers[0].value == "Accept")
    }
}
