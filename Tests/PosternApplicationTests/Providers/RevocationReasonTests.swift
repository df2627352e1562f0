import PosternApplication
import PosternCore
import StrictJSON
import Testing

/// `RevokeCredential` says why a provider has not taken a credential back.
@Suite("A revocation that the provider did not carry out", .serialized)
struct RevocationReasonTests {
    @Test("is distinguished from one that it does not support")
    func noWay() throws {
        let toml = TestApplication.example.split(separator: "\n").filter { !$0.hasPrefix("revocation") }.joined(separator: "\n")
        let daemon = try TestApplication(toml)
        daemon.signIn(accessToken: "at-1", refreshToken: "rt-1")
        let reply = daemon.call("RevokeCredential", ["providerID": "work"])
        #expect(reply["revokedAtProvider"] == false && reply["hasNoWay"] == true && reply["reason"] == nil, "\(reply.message)")
    }

    @Test("is reported with its status and reason, and logged")
    func refused() throws {
        let daemon = try TestApplication()
        daemon.signIn(accessToken: "at-1", refreshToken: "rt-1")
        let reply = daemon.call("RevokeCredential", ["providerID": "work"])
        while daemon.isAsked { daemon.answer(status: 401, json: #"{"error":"invalid_client"}"#) }
        #expect(reply["revokedAtProvider"] == false && reply["hasNoWay"] == false)
        #expect(reply["reason"] == "it refused (401): invalid_client")
        #expect(daemon.log.entries.contains { $0.kind == .revocationFailed && $0.message.contains("it refused (401)") })
    }
}
