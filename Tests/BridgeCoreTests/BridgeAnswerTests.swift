import BridgeCore
import Testing

@Suite("The head of an answer")
struct BridgeAnswerTests {
    @Test("gives every value of a field, whatever the case of its name")
    func values() {
        let answer = BridgeAnswer(status: 401, headers: [("WWW-Authenticate", "a"), ("X", "b"), ("www-authenticate", "c")])
        #expect(answer.values(of: "Www-Authenticate") == ["a", "c"])
    }
}
