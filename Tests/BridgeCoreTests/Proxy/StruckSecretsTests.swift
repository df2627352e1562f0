import BridgeCore
import Testing

@Suite("What authorized a request, in its answer")
struct StruckSecretsTests {
    @Test(
        "is removed from the fields, and nothing else is",
        arguments: [
            ("secret-token/+1", "removed"), ("a secret-token/+1, b", "a removed, b"), ("secret-token/+1secret-token/+1", "removedremoved"), ("Bearer secret-token/+1", "Bearer removed"),
            ("https://a/?t=secret-token%2F%2B1&u", "https://a/?t=removed&u"), ("secret-token", "secret-token"), ("SECRET-TOKEN/+1", "SECRET-TOKEN/+1"), ("", ""),
            ("https://a/?t=secret-token%2f%2b1&u", "https://a/?t=removed&u"), ("secret%2Dtoken/%2b1", "removed"), ("secret-token%2f%2", "secret-token%2f%2"),
            ("100% secret-token/+1%", "100% removed%"), ("proof.of.key", "removed"),
        ])
    func struck(value: String, passed: String) {
        let answer = BridgeAnswer(status: 200, headers: [("X-Echo", value), ("Other", "ß")])
        let authorization = [("AUTHORIZATION", "Bearer secret-token/+1"), ("DPoP", "proof.of.key")]
        let struck = answer.striking(authorization)
        #expect(struck.headers.map(\.value) == [passed, "ß"] && struck.status == 200)
    }

    @Test("drops a field that has it in its name", arguments: ["X-secret-token%2F+1", "proof.of.key", "x-PROOF.of.key-echo"])
    func named(name: String) {
        let answer = BridgeAnswer(status: 200, headers: [(name, "1"), ("Other", "2")])
        let struck = answer.striking([("Authorization", "Bearer secret-token/+1"), ("DPoP", "proof.of.key")])
        #expect(struck.headers.map(\.name) == ["Other"])
    }

    @Test(
        "a secret that has what looks like an escape is found in every form",
        arguments: ["ab%41cd/ef", "ab%2541cd/ef", "ab%41cd%2Fef", "%61b%41cd/ef", "ab%2541cd%2fef"])
    func likeEscape(form: String) {
        let answer = BridgeAnswer(status: 200, headers: [("X", "<\(form)>")])
        #expect(answer.striking([("Authorization", "Bearer ab%41cd/ef")]).headers[0].value == "<removed>")
    }

    @Test("however a server chooses token and field, it is found in the time that reading them takes", .timeLimit(.minutes(1)))
    func chosen() {
        let token = String(repeating: "a", count: 12_000) + "b"
        let fields = (0..<40).map { _ in ("X", String(repeating: "a", count: 32_000)) } + [("X", String(repeating: "%61", count: 12_000) + "%62!")]
        let struck = BridgeAnswer(status: 200, headers: fields).striking([("Authorization", "Bearer \(token)")])
        #expect(struck.headers.dropLast().allSatisfy { $0.value.count == 32_000 } && struck.headers.last?.value == "removed!")
    }

    @Test("a text that is too short to be a secret stays")
    func short() {
        let answer = BridgeAnswer(status: 200, headers: [("Vary", "Accept")])
        #expect(answer.striking([("Authorization", "Bearer Accept")]).headers[0].value == "Accept")
        #expect(answer.striking([("Authorization", "Bearer")]).headers[0].name == "Vary")
        #expect(answer.striking([("Authorization", "")]).headers[0].value == "Accept")
    }
}
