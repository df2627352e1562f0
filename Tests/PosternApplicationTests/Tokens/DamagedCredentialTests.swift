import PosternApplication
import PosternCore
import StrictJSON
import Testing

@testable import PosternStore

/// One row of the store does not open any more: its account can sign in again, or be forgotten.
@Suite("A stored credential that cannot be read", .serialized)
struct DamagedCredentialTests {
    private static let reason: JSON =
        "the stored credential could not be read, so it was removed here but could not be revoked at the provider"

    /// The one whose sign-in it was; it has the directory.
    private let first: TestApplication
    /// A daemon that found it when it started.
    private let daemon: TestApplication

    init() throws {
        first = try TestApplication()
        first.signIn(accessToken: "at-1", refreshToken: "rt-1")
        first.damageCredentials()
        daemon = try first.restarted()
    }

    private var token: RecordedReply { daemon.call("GetAccessToken", ["providerID": "work"]) }

    private func revoke(_ parameters: JSONObject = [:]) -> RecordedReply {
        var all: JSONObject = ["providerID": "work"]
        for member in parameters.members { all[member.key] = member.value }
        return daemon.call("RevokeCredential", all)
    }

    private func isRemoved(_ reply: RecordedReply) -> Bool {
        reply["revokedAtProvider"] == false && reply["hasNoWay"] == false && reply["reason"] == Self.reason
    }

    @Test("is replaced by the next sign-in, which keeps its user")
    func signIn() throws {
        #expect(token.errorName == "SignInRequired")
        daemon.signIn(accessToken: "at-2", refreshToken: "rt-2")
        #expect(token["accessToken"] == "at-2" && daemon.counts == [1, 1])
        let restarted = try daemon.restarted()
        #expect(restarted.call("GetAccessToken", ["providerID": "work"])["accessToken"] == "at-2")
    }

    @Test("is replaced by the next sign-in also if it was damaged while the daemon ran")
    func damagedMeanwhile() throws {
        daemon.signIn(accessToken: "at-2", refreshToken: "rt-2")
        daemon.damageCredentials()
        daemon.signIn(accessToken: "at-3", refreshToken: "rt-3")
        #expect(token["accessToken"] == "at-3")
    }

    @Test("is replaced by another program's refresh token, which need not ask for that")
    func taken() {
        let reply = daemon.call("ImportCredential", ["providerID": "work", "refreshToken": "rt-old"])
        daemon.answerToken("at-2", refreshToken: "rt-2")
        daemon.answer(json: #"{"id":"42","name":"Ada"}"#)
        #expect(reply.error == nil, "\(reply.message)")
        #expect(token["accessToken"] == "at-2")
    }

    @Test("is removed by a revocation, which says that the provider was not asked", arguments: [[:], ["uid": "42"], ["account": "42"]] as [JSONObject])
    func revoked(parameters: JSONObject) throws {
        let reply = revoke(parameters)
        #expect(isRemoved(reply), "\(reply.message)")
        #expect(daemon.revoked.isEmpty)
        #expect(daemon.log.entries.contains { $0.kind == .credentialRevoked && $0.message.contains("could not be read") })
        let (again, unknown) = (revoke(parameters), try TestApplication().call("RevokeCredential", ["providerID": "work"]))
        #expect(again.errorName == "SignInRequired" && unknown.errorName == "SignInRequired", "\(again.message)")
        let restarted = try daemon.restarted()
        #expect(restarted.counts == [1, 0])
    }

    @Test("of another account, or beside one that can be read, stays", arguments: [["uid": "43"], ["account": "Ada"]] as [JSONObject])
    func others(parameters: JSONObject) {
        #expect(revoke(parameters).error != nil)
        #expect(isRemoved(revoke()))
    }

    @Test("beside one that can be read is not what a revocation without an account means")
    func besides() {
        let reply = daemon.beginSignIn()
        daemon.answerToken("at-7", refreshToken: "rt-7")
        daemon.answer(json: #"{"id":"7","name":"Eve"}"#)
        #expect(reply.isCompleted)
        let revocation = revoke()
        while daemon.isAsked { daemon.answer(json: "{}") }
        #expect(revocation["revokedAtProvider"] == true && daemon.revoked.contains("rt-7"))
        #expect(isRemoved(revoke(["uid": "42"])))
    }
}

extension TestApplication {
    /// Every stored credential is something else.
    fileprivate func damageCredentials() { run { [opener] _ in try? await opener.store?.damageCredentials() } }
}

extension Store {
    fileprivate func damageCredentials() throws {
        try tables.connection.run("UPDATE credentials SET sealed = zeroblob(200)")
        // The random values of a restarted daemon begin again, and with them the names of its sign-ins.
        try tables.connection.run("DELETE FROM sessions")
    }
}
